//! Tokens, of which only hashes are stored.

use super::Store;
use super::failure::Result;
use sqlx::{Row, any::AnyRow};

/// Token as a database row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenRow {
    /// SHA-256 of the token.
    pub(crate) hash: String,
    /// Name for people.
    pub(crate) name: Option<String>,
    pub(crate) created: i64,
    /// Time of the last use, to the minute.
    pub(crate) used: Option<i64>,
    /// Time at which the token expires.
    pub(crate) expires: Option<i64>,
}

fn token(row: &AnyRow) -> Result<TokenRow> {
    Ok(TokenRow {
        hash: row.try_get(0)?,
        name: row.try_get(1)?,
        created: row.try_get(2)?,
        used: row.try_get(3)?,
        expires: row.try_get(4)?,
    })
}

impl Store {
    /// Stores a token by its hash.
    pub(crate) async fn add_token(&self, token: &TokenRow) -> Result<()> {
        let insert = sqlx::query(
            "INSERT INTO tokens (hash, name, created, used, expires) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&token.hash)
        .bind(&token.name)
        .bind(token.created)
        .bind(token.used)
        .bind(token.expires);
        let mut writing = self.begin().await?;
        writing.execute(insert).await?;
        writing.commit().await
    }

    /// Returns all tokens, the oldest first.
    pub(crate) async fn tokens(&self) -> Result<Vec<TokenRow>> {
        let rows =
            sqlx::query("SELECT hash, name, created, used, expires FROM tokens ORDER BY created, hash")
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(token).collect()
    }

    /// Stores the time of a token's last use.
    pub(crate) async fn use_token(&self, hash: &str, at: i64) -> Result<()> {
        let update = sqlx::query("UPDATE tokens SET used = $2 WHERE hash = $1");
        let mut writing = self.begin().await?;
        writing.execute(update.bind(hash).bind(at)).await?;
        writing.commit().await
    }

    /// Deletes a token; returns whether there was one.
    pub(crate) async fn delete_token(&self, hash: &str) -> Result<bool> {
        let delete = sqlx::query("DELETE FROM tokens WHERE hash = $1");
        let mut writing = self.begin().await?;
        let done = writing.execute(delete.bind(hash)).await?;
        writing.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}
