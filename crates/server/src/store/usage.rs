//! Statistics of the use of tables and tests.

use super::Store;
use super::failure::Result;
use sqlx::Row;

/// Session as a line of a list.
#[derive(Clone, Debug)]
pub(crate) struct SessionLine {
    pub(crate) id: String,
    /// Name of the table.
    pub(crate) table: String,
    pub(crate) changed: i64,
    /// Confirmed outcome, as JSON.
    pub(crate) outcome: Option<String>,
    pub(crate) answers: i64,
}

/// Use of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableUse {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) sessions: i64,
    /// Number of sessions with a confirmed outcome.
    pub(crate) confirmed: i64,
    pub(crate) answers: i64,
}

/// Use of a test.
#[derive(Clone, Debug)]
pub(crate) struct TestUse {
    pub(crate) name: String,
    /// Name of the table.
    pub(crate) table: String,
    pub(crate) answers: i64,
    /// Number of "I don't know" answers.
    pub(crate) unknown: i64,
}

impl Store {
    /// Returns the numbers of sessions, of answers, and of sessions with a confirmed outcome.
    pub(crate) async fn use_in_all(&self) -> Result<(i64, i64, i64)> {
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM sessions), (SELECT COUNT(*) FROM answers), \
             (SELECT COUNT(outcome) FROM sessions)",
        )
        .fetch_one(self.reader())
        .await?;
        Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
    }

    /// Returns the sessions that changed last, after the first `after` of them.
    pub(crate) async fn session_lines(&self, most: i64, after: i64) -> Result<Vec<SessionLine>> {
        let rows = sqlx::query(
            "SELECT s.id, t.name, s.changed, s.outcome, \
             (SELECT COUNT(*) FROM answers a WHERE a.session_id = s.id) \
             FROM sessions s JOIN tables t ON t.id = s.table_id ORDER BY s.changed DESC, s.id LIMIT $1 OFFSET $2",
        )
        .bind(most)
        .bind(after)
        .fetch_all(self.reader())
        .await?;
        let line = |row: &sqlx::any::AnyRow| {
            Ok(SessionLine {
                id: row.try_get(0)?,
                table: row.try_get(1)?,
                changed: row.try_get(2)?,
                outcome: row.try_get(3)?,
                answers: row.try_get(4)?,
            })
        };
        rows.iter().map(line).collect()
    }

    /// Returns the tables with the most sessions.
    pub(crate) async fn table_use(&self, most: i64) -> Result<Vec<TableUse>> {
        let rows = sqlx::query(
            "SELECT t.id, t.name, COUNT(*) AS number, COUNT(s.outcome), \
             (SELECT COUNT(*) FROM answers a JOIN sessions b ON b.id = a.session_id WHERE b.table_id = t.id) \
             FROM sessions s JOIN tables t ON t.id = s.table_id \
             GROUP BY t.id, t.name ORDER BY number DESC, t.id LIMIT $1",
        )
        .bind(most)
        .fetch_all(self.reader())
        .await?;
        let line = |row: &sqlx::any::AnyRow| {
            Ok(TableUse {
                id: row.try_get(0)?,
                name: row.try_get(1)?,
                sessions: row.try_get(2)?,
                confirmed: row.try_get(3)?,
                answers: row.try_get(4)?,
            })
        };
        rows.iter().map(line).collect()
    }

    /// Returns the tests with the most "I don't know" answers.
    pub(crate) async fn test_use(&self, most: i64) -> Result<Vec<TestUse>> {
        // An answer is stored as JSON that begins with its value.
        let rows = sqlx::query(
            "SELECT a.test, t.name, COUNT(*) AS number, \
             COUNT(CASE WHEN a.value LIKE '{\"value\":null%' THEN 1 END) AS unknown \
             FROM answers a JOIN sessions s ON s.id = a.session_id JOIN tables t ON t.id = s.table_id \
             GROUP BY t.id, t.name, a.test ORDER BY unknown DESC, number DESC, a.test LIMIT $1",
        )
        .bind(most)
        .fetch_all(self.reader())
        .await?;
        let line = |row: &sqlx::any::AnyRow| {
            Ok(TestUse {
                name: row.try_get(0)?,
                table: row.try_get(1)?,
                answers: row.try_get(2)?,
                unknown: row.try_get(3)?,
            })
        };
        rows.iter().map(line).collect()
    }
}
