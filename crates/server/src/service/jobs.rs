//! Strategies, comparisons and fronts: request, follow, cancel and fetch.

use super::unreadable::{Unreadable, read_each};
use crate::error::Problem;
use crate::jobs::{JobKind, Standing, StrategySummary, Work};
use crate::state::App;
use crate::store::{Job, JobState};
use crate::time::rfc3339;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::ToSchema;

/// Job of the solver: a strategy, a comparison or a front.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct JobInfo {
    /// Id of the job on this server.
    pub(crate) id: String,
    /// Id of the table.
    pub(crate) table: String,
    /// Request that started the job.
    pub(crate) request: serde_json::Value,
    /// State and progress.
    pub(crate) standing: Standing,
    /// Figures of the result, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<StrategySummary>,
    /// Reason why the job failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// Time of the request.
    #[schema(format = DateTime)]
    pub(crate) created: String,
    /// Time at which the job ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) finished: Option<String>,
}

/// Describes a job by its database row, and by its live progress if it is not over.
///
/// # Errors
/// When the row cannot be read.
pub(crate) fn info(app: &App, job: Job) -> Result<JobInfo, Problem> {
    let broken = |error: serde_json::Error| Problem::unreadable("strategy", &job.id, error);
    let live = (!job.state.is_over()).then(|| app.jobs().watch(&job.id)).flatten();
    // A job whose result could not be stored is still running according to the database.
    let is_lost = app.jobs().is_lost(&job.id);
    let state = if is_lost { JobState::Failed } else { job.state };
    let lost = is_lost.then(|| "the result could not be stored; start the search again".to_owned());
    let mut standing = live.map_or_else(|| Standing::at(state), |live| live.borrow().clone());
    let result: Option<Option<StrategySummary>> =
        job.summary.as_deref().map(serde_json::from_str).transpose().map_err(broken)?;
    let result = result.flatten();
    let request = serde_json::from_str(&job.request).map_err(broken)?;
    if let Some(result) = &result {
        standing.value = Some(result.value);
        standing.gap = Some(result.gap);
        standing.bound = Some(result.lower_bound);
        standing.algorithm = Some(result.algorithm.clone());
    }
    if let Some(finished) = job.finished {
        standing.elapsed_ms = u64::try_from(finished - job.created).unwrap_or(0);
    }
    Ok(JobInfo {
        request,
        id: job.id,
        table: job.table,
        standing,
        result,
        problem: lost.or(job.problem),
        created: rfc3339(job.created),
        finished: job.finished.map(rfc3339),
    })
}

/// Checks a request and adds it to the queue.
///
/// # Errors
/// When it does not fit the table, or the queue or the database is full.
pub(crate) async fn submit(app: &App, table: &str, work: Work) -> Result<Job, Problem> {
    let table = app.table(table).await?;
    work.check_fit(&table)?;
    app.make_room(work.request.len())?;
    if app.store().job_count().await? >= app.limits().strategies {
        return Err(Problem::busy("this server stores no more strategies; delete some"));
    }
    app.jobs().submit(work, table).await
}

/// Returns the database row of a job.
///
/// # Errors
/// When there is no such job of this kind.
pub(crate) async fn find(app: &App, id: &str, kind: JobKind) -> Result<Job, Problem> {
    let job = app.store().job(id, kind.word()).await?;
    job.ok_or_else(|| Problem::not_found(kind.noun()))
}

/// Returns database rows of jobs of one kind, of one table or of all, the newest first.
///
/// # Errors
/// When the database fails.
pub(crate) async fn rows(
    app: &App,
    kind: JobKind,
    table: Option<&str>,
    most: i64,
    skipped: i64,
) -> Result<Vec<Job>, Problem> {
    Ok(app.store().jobs(kind.word(), table, most, skipped).await?)
}

/// Lists jobs of one kind, of one table or of all, the newest first, and the rows that cannot be read.
///
/// # Errors
/// When the database fails.
pub(crate) async fn list(
    app: &App,
    kind: JobKind,
    table: Option<&str>,
    most: i64,
    skipped: i64,
) -> Result<(Vec<JobInfo>, Vec<Unreadable>), Problem> {
    let jobs = rows(app, kind, table, most, skipped).await?;
    Ok(read_each(jobs, |job| job.id.clone(), |job| info(app, job)))
}

/// Returns the whole document of a job, if there is one.
///
/// # Errors
/// When the database fails.
pub(crate) async fn document(app: &App, id: &str, kind: JobKind) -> Result<Option<String>, Problem> {
    Ok(app.store().job_document(id, kind.word()).await?)
}

/// Returns a part of the document of a job, numbered from 0; empty after the last.
///
/// # Errors
/// When there is no document.
pub(crate) async fn document_part(app: &App, job: &Job, number: usize) -> Result<Bytes, Problem> {
    let part = app.store().document_part(&job.id, &job.kind, number).await?;
    part.map(Bytes::from)
        .ok_or_else(|| Problem::conflict(format!("there is no result: it is {}", job.state.word())))
}

/// Result of deleting a job.
pub(crate) enum Deleted {
    /// The job was running; it ends with the best strategy it has.
    Cancelled(Box<JobInfo>),
    /// The job was over; it is deleted.
    Gone,
}

/// Cancels a job that is not over, deletes one that is.
///
/// # Errors
/// When there is no such job.
pub(crate) async fn delete(app: &App, id: &str, kind: JobKind) -> Result<Deleted, Problem> {
    let job = find(app, id, kind).await?;
    if app.jobs().cancel(id) {
        return Ok(Deleted::Cancelled(Box::new(info(app, job)?)));
    }
    app.store().delete_job(id, kind.word()).await?;
    app.forget_tree(id);
    Ok(Deleted::Gone)
}

/// Ends a search with the best strategy it has.
///
/// # Errors
/// When there is no such job.
pub(crate) async fn stop(app: &App, id: &str, kind: JobKind) -> Result<(), Problem> {
    find(app, id, kind).await?;
    app.jobs().cancel(id);
    Ok(())
}

/// Returns a watch on the progress of a job, `None` if it is over, and its state now.
///
/// # Errors
/// When there is no such job.
pub(crate) async fn follow(
    app: &App,
    id: &str,
    kind: JobKind,
) -> Result<(Option<watch::Receiver<Standing>>, Standing), Problem> {
    // First the watch, then the database: a job that ends in between is found there.
    let watch = app.jobs().watch(id);
    let job = find(app, id, kind).await?;
    Ok((watch, info(app, job)?.standing))
}
