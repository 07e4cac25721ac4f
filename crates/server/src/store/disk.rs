//! Size of the database.

use super::Store;
use super::failure::Result;
use sqlx::Row;

impl Store {
    /// Bytes of the database that are in use; free pages of SQLite will be used again and do not count.
    pub(crate) async fn disk_used(&self) -> Result<u64> {
        let is_sqlite = self.pool.connect_options().database_url.scheme() == "sqlite";
        let sql = match is_sqlite {
            true => {
                "SELECT (p.page_count - f.freelist_count) * s.page_size \
                 FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s"
            }
            false => "SELECT pg_database_size(current_database())",
        };
        let row = sqlx::query(sql).fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
    }
}
