//! Sessions: a list of answers, and a log that only grows.

use super::Store;
use super::failure::Result;
use super::lenient::{Kept, lenient, lenient_option};
use sqlx::{Row, any::AnyRow};

/// Session as a database row, without its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) table: String,
    /// Options of the session, as JSON.
    pub(crate) options: String,
    /// Number of events in the log.
    pub(crate) events: i64,
    pub(crate) created: i64,
    pub(crate) changed: i64,
    /// Confirmed outcome, as JSON.
    pub(crate) outcome: Option<String>,
}

/// A session to be added.
#[derive(Clone, Debug)]
pub(crate) struct NewSession<'a> {
    pub(crate) table: &'a str,
    pub(crate) options: &'a str,
    /// Idempotency key: a second session with the same key is not added.
    pub(crate) key: Option<&'a str>,
    /// Digest of the request that the key is used for.
    pub(crate) digest: Option<&'a str>,
    /// Answers that are known beforehand.
    pub(crate) answers: &'a [Answered],
}

/// Answer as a database row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answered {
    pub(crate) test: String,
    /// Value of the answer, as JSON.
    pub(crate) value: String,
}

/// Event of the log.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) number: i64,
    pub(crate) at: i64,
    /// Contents of the event, as JSON.
    pub(crate) what: String,
}

fn session(row: &AnyRow) -> Result<SessionRow> {
    Ok(SessionRow {
        id: row.try_get(0)?,
        table: lenient(row, 1),
        options: lenient(row, 2),
        events: lenient(row, 3),
        created: lenient(row, 4),
        changed: lenient(row, 5),
        outcome: lenient_option(row, 6),
    })
}

/// A change of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'a> {
    /// Answer tests, or replace their answers; more than one where one fact answers several.
    Answer(&'a [Answered]),
    /// Withdraw the answers to tests.
    Withdraw(&'a [String]),
    /// Confirm an outcome, given as JSON.
    Confirm(&'a str),
}

impl Store {
    /// Adds a session, or finds the one that the key added before; returns its id and whether it is new.
    pub(crate) async fn add_session(
        &self,
        id: &str,
        new: &NewSession<'_>,
        at: i64,
        event: &str,
    ) -> Result<(String, bool)> {
        let mut writing = self.begin().await?;
        let insert = sqlx::query(
            "INSERT INTO sessions (id, table_id, options, idempotency_key, events, created, changed, request_digest) \
             VALUES ($1, $2, $3, $4, 1, $5, $5, $6) ON CONFLICT (idempotency_key) DO NOTHING",
        )
        .bind(id)
        .bind(new.table)
        .bind(new.options)
        .bind(new.key.map(str::to_owned))
        .bind(at)
        .bind(new.digest.map(str::to_owned));
        if writing.execute(insert).await?.rows_affected() == 0 {
            let find = sqlx::query("SELECT id FROM sessions WHERE idempotency_key = $1");
            let row = writing.fetch_optional(find.bind(new.key.unwrap_or_default())).await?;
            let row = row.ok_or(sqlx::Error::RowNotFound)?;
            writing.cancel().await;
            return Ok((row.try_get(0)?, false));
        }
        // Before all later answers, whose positions are the numbers of their events.
        let first = -i64::try_from(new.answers.len()).unwrap_or(i64::MAX);
        for (position, answer) in (first..).zip(new.answers) {
            let insert = sqlx::query(
                "INSERT INTO answers (session_id, test, position, value) VALUES ($1, $2, $3, $4)",
            )
            .bind(id)
            .bind(&answer.test)
            .bind(position)
            .bind(&answer.value);
            writing.execute(insert).await?;
        }
        let log = sqlx::query("INSERT INTO events (session_id, number, at, what) VALUES ($1, 1, $2, $3)")
            .bind(id)
            .bind(at)
            .bind(event);
        writing.execute(log).await?;
        writing.commit().await?;
        Ok((id.to_owned(), true))
    }

    pub(crate) async fn session(&self, id: &str) -> Result<Option<SessionRow>> {
        let row = sqlx::query(
            "SELECT id, table_id, options, events, created, changed, outcome FROM sessions WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(self.reader())
        .await?;
        row.as_ref().map(session).transpose()
    }

    /// Returns sessions of one table or of all, the newest first.
    pub(crate) async fn sessions(
        &self,
        table: Option<&str>,
        most: i64,
        after: i64,
    ) -> Result<Vec<SessionRow>> {
        let rows = sqlx::query(
            "SELECT id, table_id, options, events, created, changed, outcome FROM sessions \
             WHERE ($1 = '' OR table_id = $1) ORDER BY created DESC, id LIMIT $2 OFFSET $3",
        )
        .bind(table.unwrap_or_default())
        .bind(most)
        .bind(after)
        .fetch_all(self.reader())
        .await;
        let ids = sqlx::query(
            "SELECT id FROM sessions WHERE ($1 = '' OR table_id = $1) ORDER BY created DESC, id LIMIT $2 OFFSET $3",
        );
        let ids = ids.bind(table.unwrap_or_default()).bind(most).bind(after);
        self.rows(rows, session, ids.fetch_all(&self.pool)).await
    }

    pub(crate) async fn session_count(&self) -> Result<u64> {
        let row = sqlx::query("SELECT COUNT(*) FROM sessions").fetch_one(self.reader()).await?;
        Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
    }

    /// Returns the answers of a session, in the order in which their tests were first answered.
    pub(crate) async fn answers(&self, id: &str) -> Result<Vec<Answered>> {
        let rows =
            sqlx::query("SELECT test, value FROM answers WHERE session_id = $1 ORDER BY position, test")
                .bind(id)
                .fetch_all(self.reader())
                .await?;
        rows.iter().map(|row| Ok(Answered { test: row.try_get(0)?, value: row.try_get(1)? })).collect()
    }

    /// Changes a session and logs the change, both or neither. Returns the changed session; `None` if there is no
    /// such session.
    pub(crate) async fn change_session(
        &self,
        id: &str,
        change: Change<'_>,
        event: &str,
        at: i64,
    ) -> Result<Option<SessionRow>> {
        let mut writing = self.begin().await?;
        let update = sqlx::query(
            "UPDATE sessions SET events = events + 1, changed = $2 WHERE id = $1 \
             RETURNING id, table_id, options, events, created, changed, outcome",
        )
        .bind(id)
        .bind(at);
        let Some(row) = writing.fetch_optional(update).await? else {
            writing.cancel().await;
            return Ok(None);
        };
        let number: i64 = row.try_get(3)?;
        let mut changed = session(&row)?;
        match change {
            Change::Answer(answers) => {
                for answer in answers {
                    let insert = sqlx::query(
                        "INSERT INTO answers (session_id, test, position, value) VALUES ($1, $2, $3, $4) \
                         ON CONFLICT (session_id, test) DO UPDATE SET value = excluded.value",
                    );
                    let insert = insert.bind(id).bind(&answer.test).bind(number).bind(&answer.value);
                    writing.execute(insert).await?;
                }
            }
            Change::Withdraw(tests) => {
                for test in tests {
                    let delete = sqlx::query("DELETE FROM answers WHERE session_id = $1 AND test = $2");
                    writing.execute(delete.bind(id).bind(test)).await?;
                }
            }
            Change::Confirm(outcome) => {
                changed.outcome = Some(outcome.to_owned());
                let update = sqlx::query("UPDATE sessions SET outcome = $2 WHERE id = $1");
                writing.execute(update.bind(id).bind(outcome)).await?;
            }
        }
        let log = sqlx::query("INSERT INTO events (session_id, number, at, what) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(number)
            .bind(at)
            .bind(event);
        writing.execute(log).await?;
        writing.commit().await?;
        Ok(Some(changed))
    }

    /// Returns at most `most` events of a session after number `after`.
    pub(crate) async fn events(&self, id: &str, after: i64, most: i64) -> Result<Vec<Event>> {
        let rows = sqlx::query(
            "SELECT number, at, what FROM events WHERE session_id = $1 AND number > $2 ORDER BY number LIMIT $3",
        )
        .bind(id)
        .bind(after)
        .bind(most)
        .fetch_all(self.reader())
        .await?;
        let event =
            |row: &AnyRow| Ok(Event { number: row.try_get(0)?, at: row.try_get(1)?, what: row.try_get(2)? });
        rows.iter().map(event).collect()
    }

    pub(crate) async fn delete_session(&self, id: &str) -> Result<bool> {
        let mut writing = self.begin().await?;
        let done = writing.execute(sqlx::query("DELETE FROM sessions WHERE id = $1").bind(id)).await?;
        writing.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// Returns the confirmed outcomes of the sessions of a table, as JSON, with the count of each.
    pub(crate) async fn outcomes(&self, table: &str) -> Result<Vec<(String, i64)>> {
        let rows = sqlx::query(
            "SELECT outcome, COUNT(*) FROM sessions WHERE table_id = $1 AND outcome IS NOT NULL \
             GROUP BY outcome ORDER BY outcome",
        )
        .bind(table)
        .fetch_all(self.reader())
        .await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
    }
}

impl Kept for SessionRow {
    async fn find(store: &Store, id: &str) -> Result<Option<Self>> {
        store.session(id).await
    }

    fn blank(id: String) -> Self {
        Self {
            id,
            table: String::new(),
            options: String::new(),
            events: 0,
            created: 0,
            changed: 0,
            outcome: None,
        }
    }
}
