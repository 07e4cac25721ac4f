//! Jobs of the solver: requests, states and results.

use super::Store;
use super::failure::{Result, check_summary};
use super::lenient::{Kept, lenient, lenient_option};
use sqlx::{Row, any::AnyRow};

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobState {
    /// Waiting for a worker.
    Queued,
    /// Running.
    Running,
    /// Ended with a result.
    Done,
    /// Cancelled before there was a result.
    Cancelled,
    /// Failed, or interrupted by the end of the server.
    Failed,
}

impl JobState {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    fn of(word: &str) -> Self {
        let all = [Self::Queued, Self::Running, Self::Done, Self::Cancelled, Self::Failed];
        all.into_iter().find(|state| state.word() == word).unwrap_or(Self::Failed)
    }

    /// Whether the job has ended.
    pub(crate) fn is_over(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// Job as a database row, without its document.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) table: String,
    /// Kind of the job: `build`, `compare` or `front`.
    pub(crate) kind: String,
    /// The request, as JSON.
    pub(crate) request: String,
    pub(crate) state: JobState,
    /// Figures of the result, as JSON.
    pub(crate) summary: Option<String>,
    /// Reason why the job failed.
    pub(crate) problem: Option<String>,
    pub(crate) created: i64,
    pub(crate) finished: Option<i64>,
}

fn job(row: &AnyRow) -> Result<Job> {
    Ok(Job {
        id: row.try_get(0)?,
        table: lenient(row, 1),
        kind: lenient(row, 2),
        request: lenient(row, 3),
        state: JobState::of(&lenient::<String>(row, 4)),
        summary: lenient_option(row, 5),
        problem: lenient(row, 6),
        created: lenient(row, 7),
        finished: lenient(row, 8),
    })
}

impl Store {
    pub(crate) async fn add_job(&self, job: &Job) -> Result<()> {
        let mut writing = self.begin().await?;
        let insert = sqlx::query(
            "INSERT INTO jobs (id, table_id, kind, request, state, created) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&job.id)
        .bind(&job.table)
        .bind(&job.kind)
        .bind(&job.request)
        .bind(job.state.word())
        .bind(job.created);
        writing.execute(insert).await?;
        writing.commit().await
    }

    pub(crate) async fn job(&self, id: &str, kind: &str) -> Result<Option<Job>> {
        let row = sqlx::query(
            "SELECT id, table_id, kind, request, state, summary, problem, created, finished FROM jobs \
             WHERE id = $1 AND kind = $2",
        )
        .bind(id)
        .bind(kind)
        .fetch_optional(self.reader())
        .await?;
        row.as_ref().map(job).transpose()
    }

    /// Returns jobs of one table or of all, the newest first.
    pub(crate) async fn jobs(
        &self,
        kind: &str,
        table: Option<&str>,
        most: i64,
        after: i64,
    ) -> Result<Vec<Job>> {
        let rows = sqlx::query(
            "SELECT id, table_id, kind, request, state, summary, problem, created, finished FROM jobs \
             WHERE kind = $1 AND ($2 = '' OR table_id = $2) ORDER BY created DESC, id LIMIT $3 OFFSET $4",
        )
        .bind(kind)
        .bind(table.unwrap_or_default())
        .bind(most)
        .bind(after)
        .fetch_all(self.reader())
        .await;
        let ids = sqlx::query(
            "SELECT id FROM jobs WHERE kind = $1 AND ($2 = '' OR table_id = $2) \
             ORDER BY created DESC, id LIMIT $3 OFFSET $4",
        );
        let ids = ids.bind(kind).bind(table.unwrap_or_default()).bind(most).bind(after);
        self.rows(rows, job, ids.fetch_all(&self.pool)).await
    }

    /// Returns the job with this id, of any kind.
    pub(super) async fn any_job(&self, id: &str) -> Result<Option<Job>> {
        let row = sqlx::query(
            "SELECT id, table_id, kind, request, state, summary, problem, created, finished FROM jobs WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(self.reader())
        .await?;
        row.as_ref().map(job).transpose()
    }

    /// Returns the whole result, if there is one.
    pub(crate) async fn job_document(&self, id: &str, kind: &str) -> Result<Option<String>> {
        let row = sqlx::query("SELECT document FROM jobs WHERE id = $1 AND kind = $2")
            .bind(id)
            .bind(kind)
            .fetch_optional(self.reader())
            .await?;
        Ok(row.map(|row| row.try_get::<Option<String>, _>(0)).transpose()?.flatten())
    }

    pub(crate) async fn job_count(&self) -> Result<u64> {
        let row = sqlx::query("SELECT COUNT(*) FROM jobs").fetch_one(self.reader()).await?;
        Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
    }

    pub(crate) async fn begin_job(&self, id: &str) -> Result<()> {
        let mut writing = self.begin().await?;
        writing.execute(sqlx::query("UPDATE jobs SET state = 'running' WHERE id = $1").bind(id)).await?;
        writing.commit().await
    }

    /// Stores the end of a job: with figures and a document, or with a problem.
    pub(crate) async fn end_job(
        &self,
        id: &str,
        state: JobState,
        result: Option<(&str, &str)>,
        problem: Option<&str>,
        at: i64,
    ) -> Result<()> {
        result.map_or(Ok(()), |(summary, _)| check_summary(summary))?;
        let mut writing = self.begin().await?;
        let update = sqlx::query(
            "UPDATE jobs SET state = $2, summary = $3, document = $4, problem = $5, finished = $6 WHERE id = $1",
        )
        .bind(id)
        .bind(state.word())
        .bind(result.map(|(summary, _)| summary.to_owned()))
        .bind(result.map(|(_, document)| document.to_owned()))
        .bind(problem.map(str::to_owned))
        .bind(at);
        writing.execute(update).await?;
        writing.commit().await
    }

    pub(crate) async fn delete_job(&self, id: &str, kind: &str) -> Result<bool> {
        let delete = sqlx::query("DELETE FROM jobs WHERE id = $1 AND kind = $2");
        let mut writing = self.begin().await?;
        let done = writing.execute(delete.bind(id).bind(kind)).await?;
        writing.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// Marks the jobs as failed that a server left behind when it stopped.
    pub(crate) async fn fail_lost_jobs(&self, at: i64) -> Result<()> {
        let mut writing = self.begin().await?;
        let update = sqlx::query(
            "UPDATE jobs SET state = 'failed', problem = 'the server went down; ask again', finished = $1 \
             WHERE state IN ('queued', 'running')",
        )
        .bind(at);
        writing.execute(update).await?;
        writing.commit().await
    }
}

impl Kept for Job {
    async fn find(store: &Store, id: &str) -> Result<Option<Self>> {
        store.any_job(id).await
    }

    fn blank(id: String) -> Self {
        Self {
            id,
            table: String::new(),
            kind: String::new(),
            request: String::new(),
            state: JobState::Failed,
            summary: None,
            problem: None,
            created: 0,
            finished: None,
        }
    }
}
