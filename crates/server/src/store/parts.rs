//! Large values, part by part: no response holds a whole one in memory.

use super::Store;
use super::failure::Result;
use sqlx::Row;

/// Bytes of a table, or letters of a document, that are read at a time. SQLite reads the whole value to cut a part
/// out of it, so smaller parts would cost more than they save.
pub(crate) const PART: usize = 1 << 20;

/// Start and length of a part, for SQL, which counts from 1.
fn place(number: usize) -> (i64, i64) {
    let (at, part) = (number as i64, PART as i64);
    (at * part + 1, part)
}

impl Store {
    /// Returns a part of the contents of a table, numbered from 0; empty after the last. `None` if there is no such
    /// table.
    pub(crate) async fn table_part(&self, id: &str, number: usize) -> Result<Option<Vec<u8>>> {
        let (from, length) = place(number);
        let row = sqlx::query(
            "SELECT substr(content, CAST($2 AS INTEGER), CAST($3 AS INTEGER)) FROM tables WHERE id = $1",
        )
        .bind(id)
        .bind(from)
        .bind(length)
        .fetch_optional(self.reader())
        .await?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    /// Returns a part of the document of a job, numbered from 0; empty after the last. `None` if there is no
    /// document.
    pub(crate) async fn document_part(&self, id: &str, kind: &str, number: usize) -> Result<Option<String>> {
        let (from, length) = place(number);
        let row = sqlx::query(
            "SELECT substr(document, CAST($3 AS INTEGER), CAST($4 AS INTEGER)) FROM jobs WHERE id = $1 AND kind = $2",
        )
        .bind(id)
        .bind(kind)
        .bind(from)
        .bind(length)
        .fetch_optional(self.reader())
        .await?;
        Ok(row.map(|row| row.try_get::<Option<String>, _>(0)).transpose()?.flatten())
    }
}
