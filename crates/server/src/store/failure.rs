//! Failures of the database: their cause, and their effect on the change, as far as it is known.

use serde_json::Value;
use sqlx::Error;
use std::fmt;

/// Cause of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The disk of the database is full.
    Full,
    /// The disk of the database fails to read or write.
    Disk,
    /// The database is read-only.
    ReadOnly,
    /// The database is damaged.
    Damaged,
    /// The database does not answer.
    Unreachable,
    /// No connection was free in time: the database does not answer, or has too much to do.
    NoConnection,
    /// Another program holds the database.
    Locked,
    /// Another server has taken the database over.
    Taken,
    /// The database file was moved or deleted while the server runs.
    Moved,
    /// The server is closing.
    Closing,
    /// A stored row cannot be read.
    Unreadable,
    /// A value that must not be stored, because it could not be read again.
    Unfit,
    /// An error in the server.
    Other,
}

/// Effect of a change that failed, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing was to be changed, or the effect is not stated.
    Unsaid,
    /// Nothing was changed.
    Unchanged,
    /// The commit failed half-way: the change may be kept or not.
    Unknown,
}

/// A failure of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Cause of the failure.
    pub cause: Cause,
    /// Effect of the change.
    pub effect: Effect,
    /// Message of the database; for the log only, because it may quote values.
    pub text: String,
}

impl Failure {
    pub(super) fn new(cause: Cause, text: impl Into<String>) -> Self {
        Self { cause, effect: Effect::Unsaid, text: text.into() }
    }

    /// Marks the failure as one of a change that was certainly not made.
    pub(super) fn unchanged(self) -> Self {
        Self { effect: Effect::Unchanged, ..self }
    }

    /// Converts an error of a commit.
    ///
    /// SQLite reports a full disk when a page of the log could not be written completely, and so before the commit
    /// counts; it reports that it is busy before it writes at all. PostgreSQL reports a violated constraint or a
    /// conflict after it has rolled back. After any other error the change may be on the disk.
    pub(super) fn of_commit(error: Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code()).map(String::from);
        let is_rolled_back = code.is_some_and(|code| match sqlite_code(&code) {
            Some(code) => matches!(code & 0xff, 5 | 13),
            None => code.starts_with("23") || code.starts_with("40"),
        });
        let effect = if is_rolled_back { Effect::Unchanged } else { Effect::Unknown };
        Self { effect, ..Self::from(error) }
    }

    /// The cause in words.
    pub(crate) fn reason(&self) -> &'static str {
        match self.cause {
            Cause::Full => "the disk of the database is full",
            Cause::Disk => "the disk of the database fails",
            Cause::ReadOnly => "the database may be read only",
            Cause::Damaged => "the database is damaged; stop the server and restore the database from a copy",
            Cause::Unreachable => "the database does not answer",
            Cause::NoConnection => {
                "no connection to the database was free in time: it does not answer, or has too much to do"
            }
            Cause::Locked => "another program holds the database",
            Cause::Taken => "another server has taken this database over; stop one of the two",
            Cause::Moved => {
                "the database's file was moved or deleted; put it back, or start the server again to begin a new one"
            }
            Cause::Closing => "the server is closing",
            Cause::Unreadable => "what is kept of it cannot be read; it can be deleted",
            Cause::Unfit => "the result holds something that is not a number",
            Cause::Other => "something broke here",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason(), self.text)
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(cause(&error), error.to_string())
    }
}

/// Result code of SQLite; codes of PostgreSQL have five letters.
fn sqlite_code(code: &str) -> Option<u32> {
    (code.len() < 5).then(|| code.parse().ok()).flatten()
}

/// Cause of an error, by the codes of both databases.
pub(super) fn cause(error: &Error) -> Cause {
    let code = match error {
        Error::Database(error) => error.code(),
        Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::WorkerCrashed => {
            return Cause::Unreachable;
        }
        Error::PoolTimedOut => return Cause::NoConnection,
        Error::PoolClosed => return Cause::Closing,
        Error::ColumnDecode { .. } | Error::Decode(_) => return Cause::Unreadable,
        _ => return Cause::Other,
    };
    let code = code.unwrap_or_default();
    if let Some(code) = sqlite_code(&code) {
        return match code & 0xff {
            5 | 6 => Cause::Locked,
            8 => Cause::ReadOnly,
            10 | 14 => Cause::Disk,
            11 | 26 => Cause::Damaged,
            13 => Cause::Full,
            _ => Cause::Other,
        };
    }
    match &*code {
        "53100" => Cause::Full,
        "58030" => Cause::Disk,
        "25006" => Cause::ReadOnly,
        "XX001" | "XX002" => Cause::Damaged,
        "53300" => Cause::NoConnection,
        "55P03" | "40001" | "40P01" => Cause::Locked,
        code if code.starts_with("08") || code.starts_with("57P") || code == "57014" => Cause::Unreachable,
        _ => Cause::Other,
    }
}

/// Refuses a summary that could not be read again: every figure in it is a number or `inf`, and NaN is written as
/// `null`.
///
/// # Errors
/// When there is a `null` below the top, or the text is not JSON.
pub(super) fn check_summary(text: &str) -> Result<()> {
    fn has_null(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Array(values) => values.iter().any(has_null),
            Value::Object(fields) => fields.values().any(has_null),
            _ => false,
        }
    }
    let unfit = |text: &str| Err(Failure::new(Cause::Unfit, text).unchanged());
    match serde_json::from_str(text) {
        Ok(Value::Null) => Ok(()),
        Ok(value) if has_null(&value) => unfit("a figure is not a number"),
        Ok(_) => Ok(()),
        Err(_) => unfit("the summary is no JSON"),
    }
}

/// Result of a function of the store.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_item_4_what_is_no_number_is_not_kept() {
        let summary = serde_json::json!({"gap": f64::NAN, "value": 2}).to_string();
        assert_eq!(check_summary(&summary).unwrap_err().cause, Cause::Unfit);
        assert!(check_summary("{\"rows\": [{\"figure\": null}]}").is_err());
        assert!(check_summary("{\"gap\": NaN}").is_err());
        assert!(check_summary("{\"gap\": \"inf\", \"value\": 2}").is_ok());
        assert!(check_summary("null").is_ok(), "a front has no summary");
    }
}
