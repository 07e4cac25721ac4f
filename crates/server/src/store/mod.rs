//! Database of tables, strategies, sessions and tokens: SQLite or PostgreSQL, with the same statements.
//!
//! Reads run on `pool`, whose connections cannot write. Every change goes through `write.rs`, as one transaction that
//! begins as a writer, so that SQLite never has to turn a reader into a writer, which it may refuse. When a function
//! returns, its change is on the disk.

mod disk;
mod error;
mod failure;
mod folder;
mod hold;
mod jobs;
mod keys;
mod lenient;
#[cfg(test)]
mod model_test;
mod open;
mod parts;
mod ready;
mod sessions;
mod tables;
mod tokens;
mod usage;
mod write;

pub use error::{Setting, SpellSetting, StoreError};
pub use failure::{Cause, Effect, Failure};
pub(crate) use jobs::{Job, JobState};
pub(crate) use parts::PART;
pub(crate) use sessions::{Answered, Change, Event, NewSession, SessionRow};
pub(crate) use tables::TableRow;
pub(crate) use tokens::TokenRow;
pub(crate) use usage::{SessionLine, TableUse, TestUse};

use hold::Hold;
use open::Target;
use ready::Condition;
use sqlx::AnyPool;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Location of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A SQLite file in this folder, which is created if there is none.
    Folder(PathBuf),
    /// A PostgreSQL database by its URL.
    Postgres(String),
}

/// Handle to the database.
#[derive(Clone, Debug)]
pub struct Store {
    /// Connections that only read.
    pool: AnyPool,
    /// Connections that write; only one with SQLite.
    writers: AnyPool,
    /// Right to write.
    hold: Hold,
    condition: Arc<Condition>,
    /// Damage of the file, if some was found.
    damage: Arc<OnceLock<String>>,
    is_sqlite: bool,
    reads: Arc<AtomicU64>,
}

impl Store {
    /// Opens the database for a server, which must be the only one; creates it if there is none, and applies
    /// migrations.
    ///
    /// # Errors
    /// When the database cannot be opened, or another server uses it.
    pub async fn open_for_server(place: &Place) -> Result<Self, StoreError> {
        let target = Target::of(place)?;
        let hold = Hold::take(&target).await?;
        let damage = Arc::default();
        let ready = async {
            target.check(&damage).await?;
            target.bring_up_to_date().await
        };
        if let Err(error) = ready.await {
            hold.release().await;
            return Err(error);
        }
        Ok(Self::new(&target, hold, damage))
    }

    /// Opens the database for a moment, whether a server runs or not: for operations without a server, such as
    /// tokens.
    ///
    /// # Errors
    /// When the database cannot be opened, or needs migrations while a server uses it.
    pub async fn open(place: &Place) -> Result<Self, StoreError> {
        let target = Target::of(place)?;
        if !target.is_up_to_date().await? {
            let hold = Hold::take(&target).await?;
            let done = target.bring_up_to_date().await;
            hold.release().await;
            done?;
        }
        Ok(Self::new(&target, Hold::for_tool(&target), Arc::default()))
    }

    fn new(target: &Target, hold: Hold, damage: Arc<OnceLock<String>>) -> Self {
        let (pool, writers) = (target.readers(), target.writers());
        let (condition, reads, is_sqlite) = (Arc::default(), Arc::default(), target.is_sqlite());
        Self { pool, writers, hold, condition, damage, is_sqlite, reads }
    }

    /// Pool for a statement that reads for a request; each call counts as one statement.
    fn reader(&self) -> &AnyPool {
        self.reads.fetch_add(1, Ordering::Relaxed);
        &self.pool
    }

    /// Number of statements that have read for requests.
    pub(crate) fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    fn is_sqlite(&self) -> bool {
        self.is_sqlite
    }

    /// Closes all connections and releases the lock, so that another server may start.
    pub async fn close(&self) {
        self.pool.close().await;
        self.writers.close().await;
        self.hold.release().await;
    }
}
