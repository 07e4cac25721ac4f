//! The only way to change the database: one transaction, begun and committed by explicit statements.
//!
//! SQLite rolls a transaction back by itself when the disk is full or fails. A driver that counts transactions then
//! believes to be in one for ever, and its commits do nothing. So nothing is counted here. A connection returns to
//! its pool only after `COMMIT` or `ROLLBACK` succeeded on it. After any error, and where the caller was cancelled
//! half-way, the connection is closed, and the database rolls back what was open.

use super::Store;
use super::failure::{Cause, Failure, Result};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

/// Change in progress. Dropped before [`commit`](Self::commit), it changes nothing.
pub(super) struct Writing<'a> {
    store: &'a Store,
    connection: Option<PoolConnection<Any>>,
}

impl Store {
    /// Begins a change.
    ///
    /// # Errors
    /// When the database cannot be changed now.
    pub(super) async fn begin(&self) -> Result<Writing<'_>> {
        let begun = match self.try_begin().await {
            // A connection that was left in a transaction is closed by now; the next one is new.
            Err(failure) if failure.cause == Cause::Other => self.try_begin().await,
            begun => begun,
        };
        begun.map_err(Failure::unchanged).inspect_err(|_| self.suspect())
    }

    async fn try_begin(&self) -> Result<Writing<'_>> {
        let hold = self.hold.check()?;
        let connection = self.writers.acquire().await?;
        let mut writing = Writing { store: self, connection: Some(connection) };
        let sql = AssertSqlSafe(hold.begin_statement());
        let rows = sqlx::raw_sql(sql).fetch_all(&mut **writing.connection()?).await?;
        if hold.is_lost(rows.len()) {
            self.hold.look_again();
            return Err(Failure::new(Cause::Unreachable, "the lock on the database was lost"));
        }
        Ok(writing)
    }
}

impl Writing<'_> {
    fn connection(&mut self) -> Result<&mut PoolConnection<Any>> {
        self.connection.as_mut().ok_or_else(|| Failure::new(Cause::Other, "the change is over"))
    }

    /// Runs a statement.
    pub(super) async fn execute(&mut self, query: Query<'_, Any, AnyArguments>) -> Result<AnyQueryResult> {
        let done = query.execute(&mut **self.connection()?).await;
        done.map_err(|error| Failure::from(error).unchanged())
    }

    /// Runs a statement that returns at most one row.
    pub(super) async fn fetch_optional(
        &mut self,
        query: Query<'_, Any, AnyArguments>,
    ) -> Result<Option<AnyRow>> {
        let row = query.fetch_optional(&mut **self.connection()?).await;
        row.map_err(|error| Failure::from(error).unchanged())
    }

    /// Commits the change: when this returns, it is on the disk.
    ///
    /// # Errors
    /// When the change is not known to be stored.
    pub(super) async fn commit(mut self) -> Result<()> {
        let done = sqlx::raw_sql("COMMIT").execute(&mut **self.connection()?).await;
        done.map_err(Failure::of_commit)?;
        // Back to the pool.
        drop(self.connection.take());
        Ok(())
    }

    /// Ends without a change.
    pub(super) async fn cancel(mut self) {
        let Ok(connection) = self.connection() else { return };
        // If this fails, the connection is closed, which ends the transaction as well.
        if sqlx::raw_sql("ROLLBACK").execute(&mut **connection).await.is_ok() {
            drop(self.connection.take());
        }
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.store.suspect();
            drop(connection.detach());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cause, Effect, Place, Store};
    use crate::id::new_id;
    use crate::store::{TableRow, TokenRow};

    async fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_for_server(&Place::Folder(folder.path().to_owned())).await.unwrap();
        (folder, store)
    }

    fn token(hash: &str) -> TokenRow {
        TokenRow { hash: hash.to_owned(), name: None, created: 0, used: None, expires: None }
    }

    fn table() -> TableRow {
        TableRow {
            id: new_id(),
            name: String::new(),
            digest: String::new(),
            options: "{}".to_owned(),
            summary: "{}".to_owned(),
            size: 0,
            parent: None,
            created: 0,
        }
    }

    /// SQLite rolls back by itself when the disk is full, and every later change must still be committed.
    #[tokio::test]
    async fn issue_21_item_1_after_a_full_file_commits_are_commits() {
        let (folder, store) = store().await;
        for _ in 0..3 {
            // The connection that writes gets no more pages; a new connection has no such limit.
            let mut writing = store.begin().await.unwrap();
            let row = writing.fetch_optional(sqlx::query("PRAGMA max_page_count = 1")).await.unwrap();
            assert!(row.is_some());
            writing.commit().await.unwrap();
            let failure = store.add_table(&table(), &[0; 1_000_000]).await.unwrap_err();
            assert_eq!((failure.cause, failure.effect), (Cause::Full, Effect::Unchanged));
            store.add_table(&table(), &[0; 1_000_000]).await.unwrap();
        }
        assert_eq!(store.table_count().await.unwrap(), 3);
        // Another connection sees what is committed, and only that.
        let beside = Store::open(&Place::Folder(folder.path().to_owned())).await.unwrap();
        assert_eq!(beside.table_count().await.unwrap(), 3);
    }

    /// A client that disconnects cancels the future of its request.
    #[tokio::test]
    async fn issue_21_item_1_a_change_that_is_dropped_changes_nothing() {
        let (_folder, store) = store().await;
        let mut writing = store.begin().await.unwrap();
        writing.execute(sqlx::query("DELETE FROM readiness")).await.unwrap();
        writing.execute(sqlx::query("INSERT INTO tokens (hash, created) VALUES ('half', 0)")).await.unwrap();
        drop(writing);
        store.add_token(&token("whole")).await.unwrap();
        assert_eq!(store.tokens().await.unwrap(), [token("whole")]);
    }

    /// Pages that were intact at the start and are damaged later.
    #[tokio::test]
    async fn issue_21_item_20_damage_found_later_is_told_as_such() {
        let (folder, store) = store().await;
        let row = table();
        store.add_table(&row, &[0; 200_000]).await.unwrap();
        let mut connection = store.writers.acquire().await.unwrap();
        sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetch_all(&mut *connection).await.unwrap();
        drop(connection);
        let path = folder.path().join("fewest.sqlite3");
        let mut bytes = std::fs::read(&path).unwrap();
        let from = bytes.len() - 150_000;
        bytes[from..].fill(0x5a);
        std::fs::write(&path, bytes).unwrap();
        let failure = store.table_content(&row.id).await.unwrap_err();
        assert_eq!(failure.cause, Cause::Damaged, "{failure}");
        let problem = crate::error::Problem::from(failure);
        assert!(
            problem.detail.contains("damaged") && problem.detail.contains("restore"),
            "{}",
            problem.detail
        );
    }

    #[tokio::test]
    async fn a_connection_that_reads_cannot_write() {
        let (_folder, store) = store().await;
        let done =
            sqlx::query("INSERT INTO tokens (hash, created) VALUES ('x', 0)").execute(&store.pool).await;
        assert!(done.is_err_and(|error| super::Failure::from(error).cause == Cause::ReadOnly));
    }

    #[tokio::test]
    async fn a_file_that_went_away_is_not_written_to() {
        let (folder, store) = store().await;
        store.readiness().await.unwrap();
        std::fs::rename(folder.path().join("fewest.sqlite3"), folder.path().join("elsewhere")).unwrap();
        let failure = store.add_token(&token("lost")).await.unwrap_err();
        assert_eq!((failure.cause, failure.effect), (Cause::Moved, Effect::Unchanged));
        assert_eq!(
            store.readiness().await.unwrap_err().cause,
            Cause::Moved,
            "a failed change is looked into at once"
        );
        std::fs::rename(folder.path().join("elsewhere"), folder.path().join("fewest.sqlite3")).unwrap();
        store.add_token(&token("kept")).await.unwrap();
    }
}
