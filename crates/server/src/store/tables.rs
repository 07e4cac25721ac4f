//! Tables: the contents as uploaded, and the options for reading them.

use super::Store;
use super::failure::{Result, check_summary};
use super::lenient::{Kept, lenient, lenient_option};
use sqlx::{Row, any::AnyRow};

/// Table as a database row.
#[derive(Clone, Debug)]
pub(crate) struct TableRow {
    pub(crate) id: String,
    pub(crate) name: String,
    /// SHA-256 of the contents and options.
    pub(crate) digest: String,
    /// Options for reading the table, as JSON.
    pub(crate) options: String,
    /// Size of the problem and warnings, as JSON.
    pub(crate) summary: String,
    pub(crate) size: i64,
    /// Id of the table that this one was made from.
    pub(crate) parent: Option<String>,
    pub(crate) created: i64,
}

fn table(row: &AnyRow) -> Result<TableRow> {
    Ok(TableRow {
        id: row.try_get(0)?,
        name: lenient(row, 1),
        digest: lenient(row, 2),
        options: lenient(row, 3),
        summary: lenient(row, 4),
        size: lenient(row, 5),
        parent: lenient_option(row, 6),
        created: lenient(row, 7),
    })
}

impl Store {
    pub(crate) async fn add_table(&self, table: &TableRow, content: &[u8]) -> Result<()> {
        check_summary(&table.summary)?;
        let mut writing = self.begin().await?;
        let insert = sqlx::query(
            "INSERT INTO tables (id, name, digest, options, summary, size, parent, created, content) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(&table.id)
        .bind(&table.name)
        .bind(&table.digest)
        .bind(&table.options)
        .bind(&table.summary)
        .bind(table.size)
        .bind(&table.parent)
        .bind(table.created)
        .bind(content);
        writing.execute(insert).await?;
        writing.commit().await
    }

    pub(crate) async fn table(&self, id: &str) -> Result<Option<TableRow>> {
        let row = sqlx::query(
            "SELECT id, name, digest, options, summary, size, parent, created FROM tables WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(self.reader())
        .await?;
        row.as_ref().map(table).transpose()
    }

    /// Returns tables, the newest first.
    pub(crate) async fn tables(&self, most: i64, after: i64) -> Result<Vec<TableRow>> {
        let rows = sqlx::query(
            "SELECT id, name, digest, options, summary, size, parent, created FROM tables \
             ORDER BY created DESC, id LIMIT $1 OFFSET $2",
        )
        .bind(most)
        .bind(after)
        .fetch_all(self.reader())
        .await;
        let ids = sqlx::query("SELECT id FROM tables ORDER BY created DESC, id LIMIT $1 OFFSET $2");
        self.rows(rows, table, ids.bind(most).bind(after).fetch_all(&self.pool)).await
    }

    pub(crate) async fn table_content(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let row = sqlx::query("SELECT content FROM tables WHERE id = $1")
            .bind(id)
            .fetch_optional(self.reader())
            .await?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    pub(crate) async fn table_count(&self) -> Result<u64> {
        let row = sqlx::query("SELECT COUNT(*) FROM tables").fetch_one(self.reader()).await?;
        Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
    }

    /// Deletes a table with its strategies and sessions; returns whether there was one.
    pub(crate) async fn delete_table(&self, id: &str) -> Result<bool> {
        let mut writing = self.begin().await?;
        let done = writing.execute(sqlx::query("DELETE FROM tables WHERE id = $1").bind(id)).await?;
        writing.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}

impl Kept for TableRow {
    async fn find(store: &Store, id: &str) -> Result<Option<Self>> {
        store.table(id).await
    }

    fn blank(id: String) -> Self {
        Self {
            id,
            name: String::new(),
            digest: String::new(),
            options: String::new(),
            summary: String::new(),
            size: 0,
            parent: None,
            created: 0,
        }
    }
}
