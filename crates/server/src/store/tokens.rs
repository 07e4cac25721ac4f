//! Tokens, of which only hashes are kept.

use super::Store;
use super::failure::Result;
use sqlx::Row;

impl Store {
    /// Keeps the hash of a token.
    pub(crate) async fn add_token(&self, hash: &str, created: i64) -> Result<()> {
        let insert = sqlx::query("INSERT INTO tokens (hash, created) VALUES ($1, $2)");
        let mut writing = self.begin().await?;
        writing.execute(insert.bind(hash).bind(created)).await?;
        writing.commit().await
    }

    /// The hashes of all tokens.
    pub(crate) async fn tokens(&self) -> Result<Vec<String>> {
        let rows = sqlx::query("SELECT hash FROM tokens ORDER BY created").fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }
}
