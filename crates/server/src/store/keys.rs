//! Idempotency keys, each with the request that it was used for.

use super::Store;
use super::failure::Result;
use sqlx::Row;

impl Store {
    /// Returns the digest of the request that began a session; `None` if it was not stored yet at that time.
    pub(crate) async fn request_digest(&self, session: &str) -> Result<Option<String>> {
        let row = sqlx::query("SELECT request_digest FROM sessions WHERE id = $1")
            .bind(session)
            .fetch_optional(self.reader())
            .await?;
        Ok(row.map(|row| row.try_get::<Option<String>, _>(0)).transpose()?.flatten())
    }

    /// Returns the session that a key created.
    pub(crate) async fn session_of_key(&self, key: &str) -> Result<Option<String>> {
        let row = sqlx::query("SELECT id FROM sessions WHERE idempotency_key = $1")
            .bind(key)
            .fetch_optional(self.reader())
            .await?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }
}
