//! The PostgreSQL that `scripts/with-postgres` started, which tests may stop and start.

use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time: what one stops, another would miss.
static TURN: Mutex<()> = Mutex::new(());

/// A PostgreSQL for one test.
pub(crate) struct Postgres {
    url: String,
    control: String,
    _turn: MutexGuard<'static, ()>,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Where a test failed half-way, the next one needs it.
        let _ = Command::new(&self.control).arg("start").output();
    }
}

impl Postgres {
    /// The PostgreSQL, if there is one.
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

    /// A new database, by its URL.
    pub(crate) fn database(&self) -> String {
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos();
        let name = format!("fewest_fault_{}_{now}", std::process::id());
        self.sql(&format!("CREATE DATABASE {name}"));
        self.url_of(&name)
    }

    /// The URL of the database called `name`.
    pub(crate) fn url_of(&self, name: &str) -> String {
        let (server, query) = self.url.split_once('?').unwrap();
        let (server, _) = server.rsplit_once('/').unwrap();
        format!("{server}/{name}?{query}")
    }

    /// Stops it: `fast` asks all connections to end, `immediate` is a crash.
    pub(crate) fn stop(&self, mode: &str) {
        self.control(&["stop", mode]);
    }

    pub(crate) fn start(&self) {
        self.control(&["start"]);
    }

    /// Runs a statement and gives what it prints.
    pub(crate) fn sql(&self, statement: &str) -> String {
        self.control(&["sql", statement])
    }

    /// Runs a statement on the database at `url`.
    pub(crate) fn sql_on(&self, url: &str, statement: &str) -> String {
        let (server, _) = url.split_once('?').unwrap();
        let (_, name) = server.rsplit_once('/').unwrap();
        self.control(&["sql", statement, name])
    }

    /// Asks the users called `name` for their password from now on.
    pub(crate) fn ask_for_password(&self, name: &str) {
        let (_, folder) = self.url.split_once("host=").unwrap();
        let path = std::path::Path::new(folder).join("data/pg_hba.conf");
        let rules = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("local all {name} scram-sha-256\n{rules}")).unwrap();
        self.sql("SELECT pg_reload_conf()");
    }

    /// Ends all connections but the one that does it.
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
