//! Strategies, comparisons and fronts: each is asked for, watched, cancelled and fetched.

use super::unreadable::{Unreadable, understand_each};
use super::{events, parts};
use crate::App;
use crate::error::Problem;
use crate::extract::{Body, Id, Page};
use crate::guard::{Full, Visitor, hung_up};
use crate::jobs::{Standing, StrategyRequest, StrategySummary, SurveyRequest, Work};
use crate::store::{Job, JobState};
use crate::time::rfc3339;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that was asked of the solver.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct JobInfo {
    /// Its name here.
    pub(crate) id: String,
    /// The table.
    pub(crate) table: String,
    /// What was asked for.
    pub(crate) request: serde_json::Value,
    /// Where it is, and how far.
    pub(crate) standing: Standing,
    /// The figures of the result, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<StrategySummary>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// When it was asked for.
    #[schema(format = DateTime)]
    pub(crate) created: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub(crate) finished: Option<String>,
}

/// Jobs, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct JobList {
    /// The jobs.
    pub(crate) strategies: Vec<JobInfo>,
    /// Those that cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// What the database says of a job, and the pool of one that is not over.
pub(crate) fn job_info(app: &App, job: Job) -> Result<JobInfo, Problem> {
    let broken = |error: serde_json::Error| Problem::unreadable("strategy", &job.id, error);
    let live = (!job.state.is_over()).then(|| app.jobs().watch(&job.id)).flatten();
    // The database takes a job for running whose result it could not keep.
    let is_lost = app.jobs().is_lost(&job.id);
    let state = if is_lost { JobState::Failed } else { job.state };
    let lost = is_lost.then(|| "the result could not be kept; ask again".to_owned());
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

/// Takes work in and says where it will be.
pub(crate) async fn submit(app: &App, table: &str, work: Work) -> Result<Job, Problem> {
    let table = app.table(table).await?;
    work.check_fit(&table)?;
    app.make_room(work.request.len())?;
    if app.store().job_count().await? >= app.limits().strategies {
        return Err(Problem::busy("this server keeps no more strategies; delete some"));
    }
    app.jobs().submit(work, table).await
}

async fn accepted(app: &App, place: &str, table: &str, work: Work) -> Result<Response, Problem> {
    let job = submit(app, table, work).await?;
    let place = [(header::LOCATION, format!("/api/v1/{place}/{}", job.id))];
    Ok((StatusCode::ACCEPTED, place, Json(job_info(app, job)?)).into_response())
}

async fn get(app: &App, id: &str, kind: &str, what: &str) -> Result<Json<JobInfo>, Problem> {
    let job = app.store().job(id, kind).await?.ok_or_else(|| Problem::not_found(what))?;
    Ok(Json(job_info(app, job)?))
}

async fn document(app: &App, id: &str, kind: &str, what: &str) -> Result<Response, Problem> {
    let job = app.store().job(id, kind).await?.ok_or_else(|| Problem::not_found(what))?;
    let nothing = format!("there is no result: it is {}", job.state.word());
    let read = {
        let (app, id, kind) = (app.clone(), id.to_owned(), kind.to_owned());
        move |number| {
            let (app, id, kind, nothing) = (app.clone(), id.clone(), kind.clone(), nothing.clone());
            async move {
                let part = app.store().document_part(&id, &kind, number).await?;
                part.map(Bytes::from).ok_or_else(|| Problem::conflict(nothing))
            }
        }
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], parts::body(read).await?).into_response())
}

/// Cancels what is under way, deletes what is over.
async fn delete(app: &App, id: &str, kind: &str, what: &str) -> Result<Response, Problem> {
    let job = app.store().job(id, kind).await?.ok_or_else(|| Problem::not_found(what))?;
    if app.jobs().cancel(id) {
        return Ok((StatusCode::ACCEPTED, Json(job_info(app, job)?)).into_response());
    }
    app.store().delete_job(id, kind).await?;
    app.forget_tree(id);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Build a strategy
///
/// The search goes on in the background: ask for its state, or follow its events.
#[utoipa::path(post, path = "/api/v1/strategies", tag = "strategies", request_body = StrategyRequest, security((), ("token" = [])),
    responses(
        (status = 202, description = "It is under way.", body = JobInfo, headers(("location" = String, description = "Where it will be."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn build(
    State(app): State<App>,
    Body(request): Body<StrategyRequest>,
) -> Result<Response, Problem> {
    let work = Work::strategy(&request, app.limits())?;
    accepted(&app, "strategies", &request.table, work).await
}

/// List strategies
#[utoipa::path(get, path = "/api/v1/strategies", tag = "strategies", params(Page), security((), ("token" = [])), responses(
    (status = 200, description = "The newest first.", body = JobList),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn list_strategies(State(app): State<App>, page: Page) -> Result<Json<JobList>, Problem> {
    let (strategies, unreadable) = listed(&app, "build", &page).await?;
    Ok(Json(JobList { strategies, unreadable }))
}

/// Look at a strategy: how far the search is, or what it found
#[utoipa::path(get, path = "/api/v1/strategies/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "Its state.", body = JobInfo),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn get_strategy(State(app): State<App>, Id(id): Id) -> Result<Json<JobInfo>, Problem> {
    get(&app, &id, "build", "strategy").await
}

/// Get a strategy with its tree and certificate
///
/// The document that `fewest build --output` writes, and `fewest check` verifies.
#[utoipa::path(get, path = "/api/v1/strategies/{id}/document", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "The strategy.", body = serde_json::Value),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn strategy_document(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    document(&app, &id, "build", "strategy").await
}

/// Follow a search
///
/// Server-sent events: `progress` with value, bound and gap while it goes on, and at last one event `end`. The data of
/// each is a `Standing`.
#[utoipa::path(get, path = "/api/v1/strategies/{id}/events", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "Events.", body = String, content_type = "text/event-stream"),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn strategy_events(
    State(app): State<App>,
    visitor: Option<Extension<Visitor>>,
    Id(id): Id,
) -> Result<Response, Problem> {
    let address = visitor.and_then(|Extension(visitor)| visitor.address);
    let share = match app.quotas().streams.take(address, 1) {
        Ok(share) => share,
        // A connection that gets no stream is not kept either.
        Err(full) => return Ok(hung_up(no_stream(full).into_response())),
    };
    // First the watch, then the database: what is over in between is found there.
    let watch = app.jobs().watch(&id);
    let job = app.store().job(&id, "build").await?.ok_or_else(|| Problem::not_found("strategy"))?;
    let over = job_info(&app, job)?.standing;
    Ok(events::stream(watch, over, share).into_response())
}

fn no_stream(full: Full) -> Problem {
    match full {
        Full::All => Problem::busy("too many searches are being followed; ask for the state of one instead"),
        Full::Address => Problem::too_many(
            "this address follows too many searches; end some of these streams, or ask for the state instead",
        ),
    }
}

/// Cancel a search, or delete a strategy
///
/// What a search under way has found by then is kept: ask for it. What is over is deleted.
#[utoipa::path(delete, path = "/api/v1/strategies/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 202, description = "The search ends, the best found so far is kept.", body = JobInfo),
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn delete_strategy(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    delete(&app, &id, "build", "strategy").await
}

/// Comparisons, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ComparisonList {
    /// The comparisons.
    pub(crate) comparisons: Vec<JobInfo>,
    /// Those that cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// Fronts, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FrontList {
    /// The fronts.
    pub(crate) fronts: Vec<JobInfo>,
    /// Those that cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// The jobs of one kind on a page, and those of them that cannot be read.
async fn listed(app: &App, kind: &str, page: &Page) -> Result<(Vec<JobInfo>, Vec<Unreadable>), Problem> {
    let jobs = app.store().jobs(kind, page.table.as_deref(), page.limit.into(), page.offset.into()).await?;
    Ok(understand_each(jobs, |job| job.id.clone(), |job| job_info(app, job)))
}

/// List comparisons
#[utoipa::path(get, path = "/api/v1/comparisons", tag = "strategies", params(Page), security((), ("token" = [])), responses(
    (status = 200, description = "The newest first.", body = ComparisonList),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn list_comparisons(
    State(app): State<App>,
    page: Page,
) -> Result<Json<ComparisonList>, Problem> {
    let (comparisons, unreadable) = listed(&app, "compare", &page).await?;
    Ok(Json(ComparisonList { comparisons, unreadable }))
}

/// List fronts
#[utoipa::path(get, path = "/api/v1/fronts", tag = "strategies", params(Page), security((), ("token" = [])), responses(
    (status = 200, description = "The newest first.", body = FrontList),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn list_fronts(State(app): State<App>, page: Page) -> Result<Json<FrontList>, Problem> {
    let (fronts, unreadable) = listed(&app, "front", &page).await?;
    Ok(Json(FrontList { fronts, unreadable }))
}

/// Compare all algorithms
#[utoipa::path(post, path = "/api/v1/comparisons", tag = "strategies", request_body = SurveyRequest, security((), ("token" = [])),
    responses(
        (status = 202, description = "It is under way.", body = JobInfo, headers(("location" = String, description = "Where it will be."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn compare(
    State(app): State<App>,
    Body(request): Body<SurveyRequest>,
) -> Result<Response, Problem> {
    let work = Work::comparison(&request, app.limits())?;
    accepted(&app, "comparisons", &request.table, work).await
}

/// Look at a comparison: how far it is
#[utoipa::path(get, path = "/api/v1/comparisons/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "Its state.", body = JobInfo),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn get_comparison(State(app): State<App>, Id(id): Id) -> Result<Json<JobInfo>, Problem> {
    get(&app, &id, "compare", "comparison").await
}

/// Get a comparison
///
/// The document of `fewest compare --json`.
#[utoipa::path(get, path = "/api/v1/comparisons/{id}/document", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "The comparison.", body = serde_json::Value),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn comparison_document(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    document(&app, &id, "compare", "comparison").await
}

/// Cancel or delete a comparison
#[utoipa::path(delete, path = "/api/v1/comparisons/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 202, description = "It ends with what it has.", body = JobInfo),
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn delete_comparison(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    delete(&app, &id, "compare", "comparison").await
}

/// Find the trade-off between expected and worst cost
#[utoipa::path(post, path = "/api/v1/fronts", tag = "strategies", request_body = SurveyRequest, security((), ("token" = [])),
    responses(
        (status = 202, description = "It is under way.", body = JobInfo, headers(("location" = String, description = "Where it will be."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn front(
    State(app): State<App>,
    Body(request): Body<SurveyRequest>,
) -> Result<Response, Problem> {
    let work = Work::front(&request, app.limits())?;
    accepted(&app, "fronts", &request.table, work).await
}

/// Look at a front: how far it is
#[utoipa::path(get, path = "/api/v1/fronts/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "Its state.", body = JobInfo),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn get_front(State(app): State<App>, Id(id): Id) -> Result<Json<JobInfo>, Problem> {
    get(&app, &id, "front", "front").await
}

/// Get a front
///
/// The document of `fewest front --json`.
#[utoipa::path(get, path = "/api/v1/fronts/{id}/document", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "The front.", body = serde_json::Value),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn front_document(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    document(&app, &id, "front", "front").await
}

/// Cancel or delete a front
#[utoipa::path(delete, path = "/api/v1/fronts/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 202, description = "It ends with what it has.", body = JobInfo),
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn delete_front(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    delete(&app, &id, "front", "front").await
}
