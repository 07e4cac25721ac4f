//! The only way to change something: one transaction, begun and committed by hand.
//!
//! SQLite rolls a transaction back by itself when the disk is full or fails, and a driver that counts transactions on its
//! own then believes to be in one for ever: what it calls a commit is none. So nothing is counted here. A connection
//! goes back to its pool only after `COMMIT` or `ROLLBACK` succeeded on it; after any error, and where the caller went
//! away half-way, it is closed, and the database rolls back what was open.

use super::Store;
use super::failure::{Cause, Failure, Result};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

/// A change in progress. Dropped before [`commit`](Self::commit), it changes nothing.
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
        begun.map_err(Failure::unchanged)
    }

    async fn try_begin(&self) -> Result<Writing<'_>> {
        let hold = self.hold.check()?;
        let connection = self.writers.acquire().await.inspect_err(|_| self.suspect())?;
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

    /// Runs a statement that gives at most one row.
    pub(super) async fn fetch_optional(
        &mut self,
        query: Query<'_, Any, AnyArguments>,
    ) -> Result<Option<AnyRow>> {
        let row = query.fetch_optional(&mut **self.connection()?).await;
        row.map_err(|error| Failure::from(error).unchanged())
    }

    /// Makes the change last: once this returned, it is on the disk.
    ///
    /// # Errors
    /// When it is not known to be kept.
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
        // Where this fails, the connection is closed, which ends the transaction as well.
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
