//! Rows that cannot be read: each fails by itself, never the list that it is in.
//!
//! A column of the wrong type is read as empty text or 0. Empty text is not JSON, so the code that reads the row
//! reports it as unreadable. A text that is not valid UTF-8 fails the whole query; its list is then read row by row.

use super::Store;
use super::failure::{Cause, Failure, Result, cause};
use sqlx::any::AnyRow;
use sqlx::{Any, Decode, Row, Type};

/// Value of a column; the default where it has another type.
pub(super) fn lenient<T>(row: &AnyRow, column: usize) -> T
where
    T: Default + for<'r> Decode<'r, Any> + Type<Any>,
{
    row.try_get(column).unwrap_or_default()
}

/// Text of a nullable column; empty, and so not JSON, where it has another type.
pub(super) fn lenient_option(row: &AnyRow, column: usize) -> Option<String> {
    row.try_get(column).unwrap_or(Some(String::new()))
}

/// A row with an identifier.
pub(super) trait Kept: Sized {
    /// Finds a row by its id.
    async fn find(store: &Store, id: &str) -> Result<Option<Self>>;

    /// Row of which only the id is known.
    fn blank(id: String) -> Self;
}

impl Store {
    /// Returns the rows of a list, if it could be read; else reads them one by one, by `ids`.
    pub(super) async fn rows<T: Kept>(
        &self,
        rows: sqlx::Result<Vec<AnyRow>>,
        read: fn(&AnyRow) -> Result<T>,
        ids: impl Future<Output = sqlx::Result<Vec<AnyRow>>>,
    ) -> Result<Vec<T>> {
        match rows {
            Ok(rows) => rows.iter().map(read).collect(),
            Err(error) if cause(&error) == Cause::Unreadable => {
                tracing::error!(%error, "a list holds a row that cannot be read");
                let mut found = Vec::new();
                for row in ids.await? {
                    let id: String = row.try_get(0)?;
                    match T::find(self, &id).await {
                        Ok(row) => found.extend(row),
                        Err(Failure { cause: Cause::Unreadable, .. }) => found.push(T::blank(id)),
                        Err(failure) => return Err(failure),
                    }
                }
                Ok(found)
            }
            Err(error) => Err(error.into()),
        }
    }
}
