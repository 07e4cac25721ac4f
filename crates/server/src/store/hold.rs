//! Right of one server to change a database.
//!
//! SQLite: a locked file beside the database. PostgreSQL: an advisory lock on a connection of its own, which is
//! watched and taken again after an outage. Every change checks, in the message that begins it, whether that
//! connection still holds the lock. Neither lock outlives the process.

use super::error::StoreError;
use super::failure::{Cause, Failure, Result};
use super::folder::{LOCK_PATIENCE, LOCK_PAUSE};
use super::open::Target;
use crate::id::new_id;
use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions, Connection, Row};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// Time between two checks of the connection that holds the lock.
const INTERVAL: Duration = Duration::from_secs(1);
/// Time that PostgreSQL may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// Number of the advisory lock, as its two halves: the letters `fewe` and `serv`.
const LOCK: (u32, u32) = (0x6665_7765, 0x7365_7276);

/// Right to change a database, or its absence where a tool works beside a server.
#[derive(Clone, Debug)]
pub(super) struct Hold(Arc<Kind>);

#[derive(Debug)]
enum Kind {
    /// A database file, with its identity when it was opened; the lock, unless a tool opened it.
    File { path: PathBuf, identity: Option<Identity>, lock: Mutex<Option<File>> },
    /// An advisory lock of PostgreSQL.
    Postgres(Watched),
    /// PostgreSQL, opened by a tool without a lock.
    Tool,
}

/// Device and inode number of a file, which identify it whatever its name is.
type Identity = (u64, u64);

/// State of the lock that the first statement of a transaction checks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Held {
    File,
    /// Number of the PostgreSQL process that holds the lock.
    Postgres(i32),
    Tool,
}

impl Held {
    /// Statements that begin a change. SQLite takes the write lock at once: a transaction that began by reading could
    /// be refused it later.
    pub(super) fn begin_statement(self) -> String {
        match self {
            Self::File => "BEGIN IMMEDIATE".to_owned(),
            Self::Postgres(process) => {
                format!("BEGIN; SELECT 1 FROM pg_locks WHERE {} AND pid = {process}", this_lock())
            }
            Self::Tool => "BEGIN".to_owned(),
        }
    }

    /// Whether the lock is lost, by the number of rows that those statements returned.
    pub(super) fn is_lost(self, rows: usize) -> bool {
        matches!(self, Self::Postgres(_)) && rows == 0
    }
}

/// SQL condition that finds this lock in `pg_locks`.
fn this_lock() -> String {
    let (high, low) = LOCK;
    format!(
        "locktype = 'advisory' AND granted AND classid = {high} AND objid = {low} AND objsubid = 1 \
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
}

impl Hold {
    /// Creates the hold of a SQLite database; a tool has no lock.
    fn of_file(path: PathBuf, lock: Option<File>) -> Self {
        let identity = identity(&path);
        Self(Arc::new(Kind::File { path, identity, lock: Mutex::new(lock) }))
    }

    /// Takes the lock of a database for one server.
    pub(super) async fn take(target: &Target) -> std::result::Result<Self, StoreError> {
        match target.folder() {
            Some(folder) => {
                let lock = folder.lock(LOCK_PATIENCE).await?;
                Ok(Self::of_file(folder.file(), Some(lock)))
            }
            None => Self::of_postgres(target).await,
        }
    }

    /// Creates the hold of a tool, which works on the database for a moment, whether a server runs or not.
    pub(super) fn for_tool(target: &Target) -> Self {
        match target.folder() {
            Some(folder) => Self::of_file(folder.file(), None),
            None => Self::of_tool(),
        }
    }

    /// Creates the hold of a tool on PostgreSQL, beside a server that may hold the lock.
    fn of_tool() -> Self {
        Self(Arc::new(Kind::Tool))
    }

    /// Takes the lock of a PostgreSQL database, and starts to watch it.
    async fn of_postgres(target: &Target) -> std::result::Result<Self, StoreError> {
        let name = format!("fewest serve {}", new_id());
        let start = Instant::now();
        let (connection, process) = loop {
            let connection = target.connect().await?;
            let taken = take(connection, &name).await.map_err(|error| target.explain(error))?;
            match taken {
                Some(taken) => break taken,
                None if start.elapsed() < LOCK_PATIENCE => tokio::time::sleep(LOCK_PAUSE * 4).await,
                None => return Err(StoreError::TakenDatabase { place: target.place() }),
            }
        };
        let watched = Watched {
            state: Mutex::new(State::Held(process)),
            wake: Notify::new(),
            stop: Notify::new(),
            task: Mutex::new(None),
        };
        let hold = Self(Arc::new(Kind::Postgres(watched)));
        let keeper = Keeper { hold: hold.clone(), options: target.options().clone(), name };
        let task = tokio::spawn(keeper.run(connection));
        if let Kind::Postgres(watched) = &*hold.0 {
            *watched.task() = Some(task);
        }
        Ok(hold)
    }

    /// Returns the state of the lock that a transaction needs to begin.
    ///
    /// # Errors
    /// When this server must not change anything now.
    pub(super) fn check(&self) -> Result<Held> {
        match &*self.0 {
            Kind::File { path, identity: known, .. } => {
                let found = identity(path);
                if found.is_none() || found != *known {
                    return Err(Failure::new(Cause::Moved, path.display().to_string()));
                }
                Ok(Held::File)
            }
            Kind::Postgres(watched) => match &*watched.state() {
                State::Held(process) => Ok(Held::Postgres(*process)),
                State::Lost(error) => Err(Failure::new(Cause::Unreachable, error.clone())),
                State::Taken => Err(Failure::new(Cause::Taken, "the lock is held by another connection")),
            },
            Kind::Tool => Ok(Held::Tool),
        }
    }

    /// Asks for an immediate check of the lock.
    pub(super) fn look_again(&self) {
        if let Kind::Postgres(watched) = &*self.0 {
            watched.wake.notify_one();
        }
    }

    /// Releases the lock.
    pub(super) async fn release(&self) {
        match &*self.0 {
            Kind::File { lock, .. } => drop(lock.lock().unwrap_or_else(PoisonError::into_inner).take()),
            Kind::Postgres(watched) => {
                let task = watched.task().take();
                watched.stop.notify_one();
                if let Some(task) = task {
                    // If the database does not answer, it need not be told.
                    let _ = tokio::time::timeout(PATIENCE, task).await;
                }
            }
            Kind::Tool => {}
        }
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    std::fs::metadata(path).ok().map(|_| (0, 0))
}

/// Last known state of an advisory lock.
#[derive(Debug)]
enum State {
    /// Held by this process of PostgreSQL, for this server.
    Held(i32),
    /// Lost with its connection; the reason.
    Lost(String),
    /// Held by another server.
    Taken,
}

/// Advisory lock with the task that watches it.
#[derive(Debug)]
struct Watched {
    state: Mutex<State>,
    wake: Notify,
    stop: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Watched {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn task(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the lock on `connection`; `None` if another server holds it.
///
/// An older connection of this server may still hold it, if PostgreSQL does not know yet that it is dead. It is found
/// by its name, and ended.
async fn take(mut connection: AnyConnection, name: &str) -> sqlx::Result<Option<(AnyConnection, i32)>> {
    let (high, low) = LOCK;
    let key = (i64::from(high) << 32) | i64::from(low);
    // The name consists of fixed words and hexadecimal digits.
    let begin = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}' AND pid <> pg_backend_pid(); \
         SET application_name = '{name}'"
    );
    sqlx::raw_sql(AssertSqlSafe(begin)).execute(&mut connection).await?;
    let row = sqlx::query("SELECT pg_try_advisory_lock($1), pg_backend_pid()")
        .bind(key)
        .fetch_one(&mut connection)
        .await?;
    if row.try_get(0)? {
        let process = row.try_get(1)?;
        return Ok(Some((connection, process)));
    }
    // Whether the database hears of the end does not matter.
    let _ = connection.close().await;
    Ok(None)
}

/// Task that watches an advisory lock.
struct Keeper {
    hold: Hold,
    options: AnyConnectOptions,
    name: String,
}

impl Keeper {
    async fn run(self, connection: AnyConnection) {
        let Kind::Postgres(watched) = &*self.hold.0 else { return };
        let mut connection = Some(connection);
        loop {
            let is_called = tokio::select! {
                () = watched.stop.notified() => break,
                () = watched.wake.notified() => true,
                () = tokio::time::sleep(INTERVAL) => false,
            };
            if let Some(alive) = &mut connection {
                let answer = tokio::time::timeout(PATIENCE, alive.ping()).await;
                if !is_called && matches!(answer, Ok(Ok(()))) {
                    continue;
                }
                connection = None;
                self.set(watched, State::Lost("the connection that holds the lock is gone".to_owned()));
            }
            let again = async { take(self.options.connect().await?, &self.name).await };
            match tokio::time::timeout(PATIENCE, again).await {
                Ok(Ok(Some((taken, process)))) => {
                    connection = Some(taken);
                    self.set(watched, State::Held(process));
                }
                Ok(Ok(None)) => self.set(watched, State::Taken),
                Ok(Err(error)) => self.set(watched, State::Lost(error.to_string())),
                Err(_) => self.set(watched, State::Lost("no answer in time".to_owned())),
            }
        }
        if let Some(connection) = connection {
            let _ = tokio::time::timeout(PATIENCE, connection.close()).await;
        }
    }

    /// Sets the state of the lock, and logs it if it has changed.
    fn set(&self, watched: &Watched, new: State) {
        let mut state = watched.state();
        match (&*state, &new) {
            (State::Lost(_), State::Lost(_)) | (State::Taken, State::Taken) => {}
            (_, State::Lost(error)) => tracing::error!(error, "the lock on the database is lost"),
            (_, State::Taken) => {
                tracing::error!("another server has taken the database over; stop one of the two")
            }
            (_, State::Held(_)) => tracing::warn!("the lock on the database is held again"),
        }
        *state = new;
    }
}
