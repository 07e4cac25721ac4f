//! Opening of a database: connection, check of the file, migrations; each failure states its reason.

use super::Place;
use super::error::StoreError;
use super::failure::{Cause, cause};
use super::folder::Folder;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{
    AnyConnection, AnyPool, AssertSqlSafe, ConnectOptions, Connection, Error, Executor, Row, SqlSafeStr,
};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Migrations of the database, by number.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "begin", include_str!("../../migrations/0001_begin.sql")),
    (2, "limits", include_str!("../../migrations/0002_limits.sql")),
    (10, "readiness", include_str!("../../migrations/0010_readiness.sql")),
];

/// Time that a database may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// Time that the start waits for the check of the file; on a large file the check continues beside the server.
const CHECK: Duration = Duration::from_secs(2);
/// Time that a reader waits for a connection.
const READ: Duration = Duration::from_secs(3);
/// Time that a writer waits for its turn: writers of SQLite take turns.
const WRITE: Duration = Duration::from_secs(10);
/// Connections that read at the same time, and with PostgreSQL those that write.
const CONNECTIONS: u32 = 8;

/// Settings of connections that write: a commit is on the disk when it returns, even if the machine loses power;
/// readers never wait for a writer.
const SQLITE_WRITER: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                             PRAGMA busy_timeout = 10000;";
/// Settings of connections that only read: changes go through `write.rs`.
const SQLITE_READER: &str = "PRAGMA busy_timeout = 10000; PRAGMA query_only = ON;";
const POSTGRES_READER: &str = "SET default_transaction_read_only = on";

/// Database to be opened.
#[derive(Debug)]
pub(super) struct Target {
    options: AnyConnectOptions,
    folder: Option<Folder>,
}

impl Target {
    /// Prepares a folder, or parses a URL.
    pub(super) fn of(place: &Place) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let (url, folder) = match place {
            Place::Folder(folder) => {
                let folder = Folder::prepare(folder)?;
                (folder.url(), Some(folder))
            }
            Place::Postgres(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                (url.clone(), None)
            }
            Place::Postgres(_) => return Err(StoreError::Url),
        };
        let options = AnyConnectOptions::from_str(&url).map_err(|_| StoreError::Url)?;
        Ok(Self { options, folder })
    }

    pub(super) fn options(&self) -> &AnyConnectOptions {
        &self.options
    }

    pub(super) fn is_sqlite(&self) -> bool {
        self.folder.is_some()
    }

    /// Name of the database for messages, without the user and the password.
    pub(super) fn place(&self) -> String {
        if let Some(folder) = &self.folder {
            return folder.file().display().to_string();
        }
        let url = &self.options.database_url;
        let host = url.query_pairs().find(|(name, _)| name == "host").map(|(_, host)| host.into_owned());
        let host = host.or_else(|| url.host_str().map(str::to_owned)).unwrap_or_default();
        let port = url.port().map_or(String::new(), |port| format!(":{port}"));
        format!("PostgreSQL at {host}{port}, database `{}`,", url.path().trim_start_matches('/'))
    }

    /// Converts a database error to the reason why the database cannot be opened.
    pub(super) fn explain(&self, error: Error) -> StoreError {
        let (place, what) = (self.place(), error.to_string().lines().next().unwrap_or_default().to_owned());
        let said = error.as_database_error().map(|error| error.message().to_owned());
        let what = said.unwrap_or(what);
        let code = error.as_database_error().and_then(|error| error.code()).map(String::from);
        match (code.as_deref(), cause(&error)) {
            (Some("26"), _) => StoreError::NotADatabase { place },
            (Some("28P01" | "28000" | "42501"), _) => StoreError::Refused { place, what },
            (Some("3D000"), _) => StoreError::NoDatabase { place, what },
            (_, Cause::Damaged) => StoreError::Damaged { place, what },
            (_, Cause::Full) => StoreError::Full { place },
            (_, Cause::Disk | Cause::ReadOnly) => StoreError::Disk { place, what },
            (_, Cause::Locked) => StoreError::Locked { place, what },
            (_, Cause::Unreachable) if !self.is_sqlite() => StoreError::Unreachable { place, what },
            _ => StoreError::Open { place, what },
        }
    }

    /// Converts a failed migration to the reason why the database cannot be opened.
    fn explain_change(&self, error: MigrateError) -> StoreError {
        let place = self.place();
        let known = MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or(0);
        match error {
            MigrateError::VersionMissing(version) => StoreError::Newer { place, version, known },
            MigrateError::VersionMismatch(version) => {
                StoreError::Foreign { place, what: format!("change {version} is another than ours") }
            }
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                match self.explain(error) {
                    // A table of the same name that is not from fewest, or a list of migrations of another form.
                    StoreError::Open { place, what } => StoreError::Foreign { place, what },
                    known => known,
                }
            }
            error => StoreError::Open { place, what: error.to_string() },
        }
    }

    /// Opens a connection.
    pub(super) async fn connect(&self) -> Result<AnyConnection, StoreError> {
        match tokio::time::timeout(CONNECT, self.options.connect()).await {
            Ok(connection) => connection.map_err(|error| self.explain(error)),
            Err(_) => {
                let what = format!("no answer within {} s", CONNECT.as_secs());
                Err(match self.is_sqlite() {
                    true => StoreError::Disk { place: self.place(), what },
                    false => StoreError::Unreachable { place: self.place(), what },
                })
            }
        }
    }

    /// Folder of a SQLite database.
    pub(super) fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// Applies the missing migrations; no other server may use the database meanwhile.
    pub(super) async fn bring_up_to_date(&self) -> Result<(), StoreError> {
        let mut connection = self.connect().await?;
        if self.is_sqlite() {
            connection.execute(SQLITE_WRITER).await.map_err(|error| self.explain(error))?;
        }
        let migrator = migrator(self.is_sqlite());
        migrator
            .run_direct(None, &mut connection, false)
            .await
            .map_err(|error| self.explain_change(error))?;
        connection.close().await.map_err(|error| self.explain(error))
    }

    /// Whether all migrations are applied; a foreign or a newer database is an error.
    pub(super) async fn is_up_to_date(&self) -> Result<bool, StoreError> {
        let mut connection = self.connect().await?;
        let applied = sqlx::query("SELECT version FROM _sqlx_migrations").fetch_all(&mut connection).await;
        let applied = match applied {
            Ok(rows) => rows.iter().map(|row| row.try_get::<i64, _>(0)).collect::<sqlx::Result<Vec<_>>>(),
            Err(error) if cause(&error) == Cause::Other => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        let applied = applied.map_err(|error| self.explain(error))?;
        let is_known = |version: &i64| MIGRATIONS.iter().any(|(known, ..)| known == version);
        if let Some(version) = applied.iter().find(|version| !is_known(version)) {
            return Err(self.explain_change(MigrateError::VersionMissing(*version)));
        }
        connection.close().await.map_err(|error| self.explain(error))?;
        Ok(applied.len() == MIGRATIONS.len())
    }

    /// Checks the pages of a SQLite file. Damage that is found after the start has stopped waiting is stored in
    /// `damage`.
    pub(super) async fn check(&self, damage: &Arc<OnceLock<String>>) -> Result<(), StoreError> {
        if !self.is_sqlite() {
            return Ok(());
        }
        let mut connection = self.connect().await?;
        let look = async move {
            let row = sqlx::query("PRAGMA quick_check(1)").fetch_one(&mut connection).await?;
            // Nothing was written on this connection, so closing cannot lose anything.
            let _ = connection.close().await;
            row.try_get::<String, _>(0)
        };
        let mut look = Box::pin(look);
        // The first line names the database, the last one the damage.
        let last = |text: String| text.lines().last().unwrap_or_default().to_owned();
        match tokio::time::timeout(CHECK, &mut look).await {
            Ok(found) => match last(found.map_err(|error| self.explain(error))?) {
                what if what == "ok" => Ok(()),
                what => Err(StoreError::Damaged { place: self.place(), what }),
            },
            Err(_) => {
                let damage = Arc::clone(damage);
                tokio::spawn(async move {
                    let what = look.await.map_or_else(|error| error.to_string(), last);
                    if what != "ok" {
                        tracing::error!(
                            what,
                            "the database is damaged; stop the server and restore it from a copy"
                        );
                        // There is only one check, so nothing is overwritten.
                        let _ = damage.set(what);
                    }
                });
                Ok(())
            }
        }
    }

    /// Pool of connections that only read.
    pub(super) fn readers(&self) -> AnyPool {
        let settings = if self.is_sqlite() { SQLITE_READER } else { POSTGRES_READER };
        self.pool(CONNECTIONS, READ, settings)
    }

    /// Pool of connections that write.
    pub(super) fn writers(&self) -> AnyPool {
        match self.is_sqlite() {
            true => self.pool(1, WRITE, SQLITE_WRITER),
            false => self.pool(CONNECTIONS, READ, ""),
        }
    }

    fn pool(&self, most: u32, patience: Duration, settings: &'static str) -> AnyPool {
        AnyPoolOptions::new()
            .max_connections(most)
            .acquire_timeout(patience)
            // A connection to a file does not get lost.
            .test_before_acquire(!self.is_sqlite())
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if !settings.is_empty() {
                        connection.execute(settings).await?;
                    }
                    Ok(())
                })
            })
            .connect_lazy_with(self.options.clone())
    }
}

fn migrator(is_sqlite: bool) -> Migrator {
    let bytes = if is_sqlite { "BLOB" } else { "BYTEA" };
    let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
        let sql = AssertSqlSafe(sql.replace("BYTES NOT NULL", &format!("{bytes} NOT NULL"))).into_sql_str();
        Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}
