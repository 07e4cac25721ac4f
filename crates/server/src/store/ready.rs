//! Readiness: whether the database can be written to, tested by a write.

use super::Store;
use super::failure::{Cause, Failure, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Time for which a result is reused: probes may be frequent, and each test costs a write.
const FRESH: Duration = Duration::from_secs(1);
/// Time that the write may take before the database counts as unreachable.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes that are written to SQLite: more pages than an answer takes, so that a disk without space for an answer has
/// none for these.
const PAGES: usize = 16 * 1024;

/// Last known condition of the database.
#[derive(Debug, Default)]
pub(super) struct Condition {
    /// Time and result of the last test.
    last: Mutex<Option<(Instant, Result<()>)>>,
    /// Whether a change has failed since then.
    is_suspect: AtomicBool,
}

impl Store {
    /// Notes that a change failed.
    pub(super) fn suspect(&self) {
        self.condition.is_suspect.store(true, Ordering::Relaxed);
    }

    /// Checks that a change can be stored now, by writing a row.
    ///
    /// # Errors
    /// When it cannot, with the reason.
    pub(crate) async fn readiness(&self) -> Result<()> {
        let mut last = self.condition.last.lock().await;
        let was_suspect = self.condition.is_suspect.swap(false, Ordering::Relaxed);
        if let Some((at, seen)) = &*last
            && at.elapsed() < FRESH
            && !(seen.is_ok() && was_suspect)
        {
            return seen.clone();
        }
        let slow = |_| Err(Failure::new(Cause::Unreachable, "a row could not be written in time"));
        let seen = tokio::time::timeout(PATIENCE, self.write_row()).await.unwrap_or_else(slow);
        if let Err(failure) = &seen {
            tracing::error!(%failure, "the database cannot be written to");
        }
        *last = Some((Instant::now(), seen.clone()));
        seen
    }

    /// Writes a new row before it deletes the old one, so that the disk must have space for it.
    async fn write_row(&self) -> Result<()> {
        if let Some(what) = self.damage.get() {
            return Err(Failure::new(Cause::Damaged, what.clone()));
        }
        let mut filler = vec![0; if self.is_sqlite() { PAGES } else { 1 }];
        getrandom::fill(&mut filler).map_err(|error| Failure::new(Cause::Other, error.to_string()))?;
        let mut writing = self.begin().await?;
        let insert =
            "INSERT INTO readiness (number, filler) SELECT COALESCE(MAX(number), 0) + 1, $1 FROM readiness";
        writing.execute(sqlx::query(insert).bind(filler)).await?;
        let delete = "DELETE FROM readiness WHERE number < (SELECT MAX(number) FROM readiness)";
        writing.execute(sqlx::query(delete)).await?;
        writing.commit().await
    }
}
