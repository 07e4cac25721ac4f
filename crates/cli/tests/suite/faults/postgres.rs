//! PostgreSQL that `scripts/with-postgres` started, which tests may stop and start.

use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lock for one test at a time: a test that stops the server would disturb the others.
static TURN: Mutex<()> = Mutex::new(());

/// PostgreSQL server for one test.
pub(crate) struct Postgres {
    url: String,
    control: String,
    _turn: MutexGuard<'static, ()>,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // If a test failed half-way, the next one needs a running server.
        let _ = Command::new(&self.control).arg("start").output();
    }
}

impl Postgres {
    /// Returns the server, if there is one.
    pub(crate) fn get() -> Option<Self> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let variable = |name| std::env::var(name).ok();
        let (Some(url), Some(control)) =
            (variable("FEWEST_TEST_POSTGRES"), variable("FEWEST_TEST_POSTGRES_CONTROL"))
        else {
            super::report("skipped: there is no PostgreSQL; scripts/with-postgres starts one");
            return None;
        };
        Some(Self { url, control, _turn: turn })
    }

    /// Creates a new database and returns its URL.
    pub(crate) fn database(&self) -> String {
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos();
        let name = format!("fewest_fault_{}_{now}", std::process::id());
        self.sql(&format!("CREATE DATABASE {name}"));
        self.url_of(&name)
    }

    /// URL of the database called `name`.
    pub(crate) fn url_of(&self, name: &str) -> String {
        let (server, query) = self.url.split_once('?').unwrap();
        let (server, _) = server.rsplit_once('/').unwrap();
        format!("{server}/{name}?{query}")
    }

    /// Stops the server: `fast` asks all connections to end, `immediate` is a crash.
    pub(crate) fn stop(&self, mode: &str) {
        self.control(&["stop", mode]);
    }

    pub(crate) fn start(&self) {
        self.control(&["start"]);
    }

    /// Runs a statement and returns its output.
    pub(crate) fn sql(&self, statement: &str) -> String {
        self.control(&["sql", statement])
    }

    /// Runs a statement on the database at `url`.
    pub(crate) fn sql_on(&self, url: &str, statement: &str) -> String {
        let (server, _) = url.split_once('?').unwrap();
        let (_, name) = server.rsplit_once('/').unwrap();
        self.control(&["sql", statement, name])
    }

    /// Requires a password from the user called `name` from now on.
    pub(crate) fn ask_for_password(&self, name: &str) {
        let (_, folder) = self.url.split_once("host=").unwrap();
        let path = std::path::Path::new(folder).join("data/pg_hba.conf");
        let rules = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("local all {name} scram-sha-256\n{rules}")).unwrap();
        self.sql("SELECT pg_reload_conf()");
    }

    /// Ends all connections except the one that runs the statement.
    pub(crate) fn end_connections(&self) {
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
    }

    fn control(&self, arguments: &[&str]) -> String {
        let run = Command::new(&self.control).args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(run.status.success(), "{arguments:?}: {}{}", text(&run.stdout), text(&run.stderr));
        text(&run.stdout)
    }
}
