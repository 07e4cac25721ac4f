//! Tokens, of which only hashes are kept.

use super::Store;
use super::failure::Result;
use sqlx::{Row, any::AnyRow};

/// A token as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenRow {
    /// The SHA-256 of its text.
    pub(crate) hash: String,
    /// Its name for people.
    pub(crate) name: Option<String>,
    pub(crate) created: i64,
    /// When it opened the door last, to the minute.
    pub(crate) used: Option<i64>,
    /// When it stops opening the door.
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
    /// Keeps a token by its hash.
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

    /// All tokens, the oldest first.
    pub(crate) async fn tokens(&self) -> Result<Vec<TokenRow>> {
        let rows =
            sqlx::query("SELECT hash, name, created, used, expires FROM tokens ORDER BY created, hash")
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(token).collect()
    }

    /// Notes when a token opened the door last.
    pub(crate) async fn use_token(&self, hash: &str, at: i64) -> Result<()> {
        let update = sqlx::query("UPDATE tokens SET used = $2 WHERE hash = $1");
        let mut writing = self.begin().await?;
        writing.execute(update.bind(hash).bind(at)).await?;
        writing.commit().await
    }

    /// Forgets a token; says whether there was one.
    pub(crate) async fn delete_token(&self, hash: &str) -> Result<bool> {
        let delete = sqlx::query("DELETE FROM tokens WHERE hash = $1");
        let mut writing = self.begin().await?;
        let done = writing.execute(delete.bind(hash)).await?;
        writing.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}
