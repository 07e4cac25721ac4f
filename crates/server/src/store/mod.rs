//! What outlives the server: tables, strategies, sessions and tokens, in SQLite or PostgreSQL by the same statements.
//!
//! Every transaction begins with a write, so that SQLite never has to turn a reader into a writer, which it may refuse.
//! What a function has returned from is on the disk.

mod jobs;
mod sessions;
mod tables;
mod tokens;
mod usage;

pub(crate) use jobs::{Job, JobState};
pub(crate) use sessions::{Answered, Change, Event, NewSession, SessionRow};
pub(crate) use tables::TableRow;
pub(crate) use usage::{SessionLine, TableUse, TestUse};

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyPool, AssertSqlSafe, Executor, SqlSafeStr};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// Where things are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A SQLite file in this folder, which is made if there is none.
    Folder(PathBuf),
    /// A PostgreSQL database by its URL.
    Postgres(String),
}

/// Why there is nothing to keep things in.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The folder cannot be made or used.
    #[error("--data {}: {error}; name a folder that can be written to", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Not a URL of PostgreSQL. It may hold a password, so it is not repeated.
    #[error("--database: expected a URL such as postgres://user@host/name")]
    Url,
    /// The database does not answer.
    #[error("the database cannot be opened: {0}")]
    Open(sqlx::Error),
    /// The database is of another version.
    #[error("the database cannot be brought up to date: {0}; a newer fewest may have used it")]
    Migrate(MigrateError),
}

/// The changes that made the database what it is, by number.
const MIGRATIONS: &[(i64, &str, &str)] = &[(1, "begin", include_str!("../../migrations/0001_begin.sql"))];

/// The database.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
}

impl Store {
    /// Opens the database, makes it if there is none, and brings it up to date.
    ///
    /// # Errors
    /// When there is no database to be had.
    pub async fn open(place: &Place) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let (url, is_sqlite) = match place {
            Place::Folder(folder) => (sqlite_url(folder)?, true),
            Place::Postgres(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                (url.clone(), false)
            }
            Place::Postgres(_) => return Err(StoreError::Url),
        };
        let options = AnyConnectOptions::from_str(&url).map_err(|_| StoreError::Url)?;
        let pool = AnyPoolOptions::new()
            .max_connections(8)
            .acquire_timeout(Duration::from_secs(15))
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if is_sqlite {
                        connection.execute(SQLITE_SETTINGS).await?;
                    }
                    Ok(())
                })
            })
            .connect_with(options)
            .await
            .map_err(StoreError::Open)?;
        migrator(is_sqlite).run(&pool).await.map_err(StoreError::Migrate)?;
        Ok(Self { pool })
    }

    /// Whether the database answers.
    pub(crate) async fn is_ready(&self) -> bool {
        sqlx::query("SELECT 1").execute(&self.pool).await.is_ok()
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// A commit is on the disk when it returns, also where the machine loses power; readers never wait for a writer.
const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                               PRAGMA busy_timeout = 10000;";

fn sqlite_url(folder: &Path) -> Result<String, StoreError> {
    let failed = |error| StoreError::Folder { folder: folder.to_owned(), error };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let path = std::fs::canonicalize(folder).map_err(failed)?.join("fewest.sqlite3");
    // What a URL would take for something else is written by number.
    let text = path.to_string_lossy();
    let escaped: String = text
        .bytes()
        .map(|byte| match byte {
            b'/' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
            _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    Ok(format!("sqlite://{escaped}?mode=rwc"))
}

fn migrator(is_sqlite: bool) -> Migrator {
    let bytes = if is_sqlite { "BLOB" } else { "BYTEA" };
    let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
        let sql = AssertSqlSafe(sql.replace("BYTES NOT NULL", &format!("{bytes} NOT NULL"))).into_sql_str();
        Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}
