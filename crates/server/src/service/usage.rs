//! Statistics of the use of tables and tests.

pub(crate) use crate::store::{SessionLine, TableUse, TestUse};

use crate::error::Problem;
use crate::state::App;

/// Statistics of the use of the whole server.
pub(crate) struct Usage {
    /// Tables with the most sessions.
    pub(crate) tables: Vec<TableUse>,
    /// Tests with the most "I don't know" answers.
    pub(crate) tests: Vec<TestUse>,
    /// Number of sessions.
    pub(crate) total: i64,
    /// Number of answers.
    pub(crate) answers: i64,
    /// Number of sessions whose outcome was confirmed.
    pub(crate) confirmed: i64,
}

/// Sessions as lines of a list; those that changed last come first.
///
/// # Errors
/// When the database fails.
pub(crate) async fn lines(app: &App, most: i64, skipped: i64) -> Result<Vec<SessionLine>, Problem> {
    Ok(app.store().session_lines(most, skipped).await?)
}

/// Returns the statistics of the whole server, with at most `tables` tables and `tests` tests.
///
/// # Errors
/// When the database fails.
pub(crate) async fn usage(app: &App, tables: i64, tests: i64) -> Result<Usage, Problem> {
    let (tables, tests) = (app.store().table_use(tables).await?, app.store().test_use(tests).await?);
    let (total, answers, confirmed) = app.store().use_in_all().await?;
    Ok(Usage { tables, tests, total, answers, confirmed })
}
