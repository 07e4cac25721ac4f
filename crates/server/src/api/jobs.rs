//! Routes of strategies, comparisons and fronts: request, follow, cancel and fetch.

use super::{events, parts};
use crate::error::Problem;
use crate::extract::{Body, Id, Page};
use crate::guard::{QuotaFull, Visitor, hung_up};
use crate::jobs::{JobKind, StrategyRequest, SurveyRequest, Work};
use crate::service::jobs::{self, Deleted, JobInfo};
use crate::service::unreadable::Unreadable;
use crate::state::App;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// List of strategies, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct JobList {
    /// Strategies, with the state of their jobs.
    pub(crate) strategies: Vec<JobInfo>,
    /// Rows of the database that cannot be read, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

async fn accepted(app: &App, place: &str, table: &str, work: Work) -> Result<Response, Problem> {
    let job = jobs::submit(app, table, work).await?;
    let place = [(header::LOCATION, format!("/api/v1/{place}/{}", job.id))];
    Ok((StatusCode::ACCEPTED, place, Json(jobs::info(app, job)?)).into_response())
}

async fn get(app: &App, id: &str, kind: JobKind) -> Result<Json<JobInfo>, Problem> {
    let job = jobs::find(app, id, kind).await?;
    jobs::info(app, job).map(Json)
}

async fn listed(app: &App, kind: JobKind, page: &Page) -> Result<(Vec<JobInfo>, Vec<Unreadable>), Problem> {
    jobs::list(app, kind, page.table.as_deref(), page.limit.into(), page.offset.into()).await
}

async fn document(app: &App, id: &str, kind: JobKind) -> Result<Response, Problem> {
    let (app, job) = (app.clone(), Arc::new(jobs::find(app, id, kind).await?));
    let read = move |number| {
        let (app, job) = (app.clone(), Arc::clone(&job));
        async move { jobs::document_part(&app, &job, number).await }
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], parts::body(read).await?).into_response())
}

async fn delete(app: &App, id: &str, kind: JobKind) -> Result<Response, Problem> {
    Ok(match jobs::delete(app, id, kind).await? {
        Deleted::Cancelled(job) => (StatusCode::ACCEPTED, Json(job)).into_response(),
        Deleted::Gone => StatusCode::NO_CONTENT.into_response(),
    })
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
    let (strategies, unreadable) = listed(&app, JobKind::Strategy, &page).await?;
    Ok(Json(JobList { strategies, unreadable }))
}

/// Look at a strategy: how far the search is, or what it found
#[utoipa::path(get, path = "/api/v1/strategies/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "Its state.", body = JobInfo),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn get_strategy(State(app): State<App>, Id(id): Id) -> Result<Json<JobInfo>, Problem> {
    get(&app, &id, JobKind::Strategy).await
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
    document(&app, &id, JobKind::Strategy).await
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
    let share = match app.guard().streams.take(address, 1) {
        Ok(share) => share,
        // A connection that gets no stream is closed.
        Err(full) => return Ok(hung_up(no_stream(full).into_response())),
    };
    let (watch, over) = jobs::follow(&app, &id, JobKind::Strategy).await?;
    Ok(events::stream(watch, over, share).into_response())
}

fn no_stream(full: QuotaFull) -> Problem {
    match full {
        QuotaFull::All => {
            Problem::busy("too many searches are being followed; ask for the state of one instead")
        }
        QuotaFull::Address => Problem::too_many(
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
    delete(&app, &id, JobKind::Strategy).await
}

/// List of comparisons, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ComparisonList {
    /// Comparisons, with the state of their jobs.
    pub(crate) comparisons: Vec<JobInfo>,
    /// Rows of the database that cannot be read, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// List of fronts, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FrontList {
    /// Fronts, with the state of their jobs.
    pub(crate) fronts: Vec<JobInfo>,
    /// Rows of the database that cannot be read, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
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
    let (comparisons, unreadable) = listed(&app, JobKind::Comparison, &page).await?;
    Ok(Json(ComparisonList { comparisons, unreadable }))
}

/// List fronts
#[utoipa::path(get, path = "/api/v1/fronts", tag = "strategies", params(Page), security((), ("token" = [])), responses(
    (status = 200, description = "The newest first.", body = FrontList),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn list_fronts(State(app): State<App>, page: Page) -> Result<Json<FrontList>, Problem> {
    let (fronts, unreadable) = listed(&app, JobKind::Front, &page).await?;
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
    get(&app, &id, JobKind::Comparison).await
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
    document(&app, &id, JobKind::Comparison).await
}

/// Cancel or delete a comparison
#[utoipa::path(delete, path = "/api/v1/comparisons/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 202, description = "It ends with what it has.", body = JobInfo),
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn delete_comparison(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    delete(&app, &id, JobKind::Comparison).await
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
    get(&app, &id, JobKind::Front).await
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
    document(&app, &id, JobKind::Front).await
}

/// Cancel or delete a front
#[utoipa::path(delete, path = "/api/v1/fronts/{id}", tag = "strategies", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 202, description = "It ends with what it has.", body = JobInfo),
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn delete_front(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    delete(&app, &id, JobKind::Front).await
}
