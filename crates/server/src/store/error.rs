//! Reasons why a database cannot be opened.

use std::fmt;
use std::path::PathBuf;

/// A setting of the server that a message may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Folder of the SQLite database.
    Data,
    /// URL of the PostgreSQL database.
    Database,
}

impl Setting {
    /// Name of the setting, for every front end that has no spelling of its own.
    pub fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Database => "database",
        }
    }
}

/// Spelling of a setting by a front end.
pub type SpellSetting = fn(Setting) -> &'static str;

/// Reason why a database cannot be opened, with advice what to do.
#[derive(Debug)]
pub enum StoreError {
    /// The folder cannot be created or used.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Message of the system.
        error: std::io::Error,
    },
    /// Another server uses the folder.
    TakenFolder {
        /// The folder.
        folder: PathBuf,
        /// Number of the server's process; empty if it is not known.
        process: String,
    },
    /// Another server uses the database.
    TakenDatabase {
        /// The database.
        place: String,
    },
    /// A log of changes without its database file.
    MissingFile {
        /// Database file that is missing.
        file: PathBuf,
    },
    /// A text that is not a URL of PostgreSQL. It may hold a password, so it is not repeated.
    Url,
    /// A file that is not a database.
    NotADatabase {
        /// The file.
        place: String,
    },
    /// The database is damaged.
    Damaged {
        /// The database.
        place: String,
        /// Description of the damage.
        what: String,
    },
    /// A database that a newer version has changed.
    Newer {
        /// The database.
        place: String,
        /// Number of the unknown migration.
        version: i64,
        /// Number of the last known migration.
        known: i64,
    },
    /// A database that another program, or a different build of this one, has used.
    Foreign {
        /// The database.
        place: String,
        /// Part that does not match.
        what: String,
    },
    /// A database that does not answer.
    Unreachable {
        /// Name of the database, without the password.
        place: String,
        /// Message of the system.
        what: String,
    },
    /// A user that is not admitted, or lacks a right.
    Refused {
        /// The database.
        place: String,
        /// Message of the database.
        what: String,
    },
    /// A database that does not exist.
    NoDatabase {
        /// The database.
        place: String,
        /// Message of the server.
        what: String,
    },
    /// The disk is full.
    Full {
        /// The database.
        place: String,
    },
    /// A file that cannot be read or written.
    Disk {
        /// The database.
        place: String,
        /// Message of the database.
        what: String,
    },
    /// A database that another program has locked.
    Locked {
        /// The database.
        place: String,
        /// Message of the database.
        what: String,
    },
    /// Any other error.
    Open {
        /// The database.
        place: String,
        /// Message of the database.
        what: String,
    },
}

impl StoreError {
    /// Returns the message, with settings spelled by `spell`.
    pub fn words(&self, spell: SpellSetting) -> String {
        let (data, database) = (spell(Setting::Data), spell(Setting::Database));
        match self {
            Self::Folder { folder, error } => {
                format!("{data} {}: {error}; name a folder that can be written to", folder.display())
            }
            Self::TakenFolder { folder, process } => format!(
                "{data} {}: another `fewest serve` uses it{}; stop that one, or name another folder",
                folder.display(),
                of_process(process)
            ),
            Self::TakenDatabase { place } => format!(
                "{database}: another `fewest serve` uses {place}; stop that one, or name another database"
            ),
            Self::MissingFile { file } => format!(
                "{} is missing or empty, but its log of changes (-wal) is there; put the file back, or move the log away to \
                 begin anew",
                file.display()
            ),
            Self::Url => format!("{database}: expected a URL such as postgres://user@host/name"),
            Self::NotADatabase { place } => {
                format!("{place} is no SQLite database; move it away, or name another folder with {data}")
            }
            Self::Damaged { place, what } => {
                format!("{place} is damaged: {what}; restore it from a copy, or move it away to begin anew")
            }
            Self::Newer { place, version, known } => format!(
                "{place} was used by a newer fewest: it has change {version}, this one knows changes up to {known}; use the \
                 newer one"
            ),
            Self::Foreign { place, what } => {
                format!("{place} holds what another program made: {what}; name an empty one")
            }
            Self::Unreachable { place, what } => {
                format!("no PostgreSQL answers at {place}: {what}; start it, or mend {database}")
            }
            Self::Refused { place, what } => format!(
                "{place} refuses the user: {what}; mend the user or the password in {database}, or give that user the right"
            ),
            Self::NoDatabase { place, what } => {
                format!("{place}: {what}; make it with `createdb`, or mend {database}")
            }
            Self::Full { place } => format!("{place}: the disk is full; make room"),
            Self::Disk { place, what } => format!(
                "{place} cannot be read and written: {what}; mend its rights or its disk, or name another folder with {data}"
            ),
            Self::Locked { place, what } => {
                format!("{place} is held by another program: {what}; stop that one")
            }
            Self::Open { place, what } => format!("{place} cannot be opened: {what}"),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Setting::name))
    }
}

impl std::error::Error for StoreError {}

fn of_process(process: &str) -> String {
    if process.is_empty() { String::new() } else { format!(" (process {process})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_front_end_spells_settings_its_own_way() {
        let error = StoreError::NotADatabase { place: "a.txt".to_owned() };
        assert!(error.to_string().ends_with("name another folder with data"));
        assert!(error.words(|_| "--data").ends_with("name another folder with --data"));
    }
}
