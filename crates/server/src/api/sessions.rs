//! Routes of sessions, whose answers are stored.

use crate::error::Problem;
use crate::extract::{Body, Id, LogPage, Page};
use crate::id::is_id;
use crate::service::prior::Confirmed;
use crate::service::questions::Answer;
use crate::service::sessions::{
    self, Begun, LoggedEvent, Replied, SessionDetail, SessionInfo, SessionRequest,
};
use crate::service::unreadable::Unreadable;
use crate::state::App;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Most letters of an idempotency key.
const KEY: usize = 200;

/// List of sessions, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SessionList {
    /// Sessions, without their answers.
    pub(crate) sessions: Vec<SessionInfo>,
    /// Rows of the database that cannot be read, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// Log of a session, a page of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SessionLog {
    /// Number of events in the whole log.
    pub(crate) total: i64,
    /// Events, the oldest first.
    pub(crate) events: Vec<LoggedEvent>,
    /// Events that cannot be read, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// Begin a session
///
/// With a header `Idempotency-Key`, asking again gives the session that was made the first time; asking for something else
/// with the same key is refused.
#[utoipa::path(post, path = "/api/v1/sessions", tag = "sessions", request_body = SessionRequest, security((), ("token" = [])),
    params(("idempotency-key" = Option<String>, Header, description = "The same key makes the same session.", max_length = 200)),
    responses(
        (status = 200, description = "The session that this key made before.", body = SessionDetail),
        (status = 201, description = "A new session.", body = SessionDetail, headers(("location" = String, description = "Where it is."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn create(
    State(app): State<App>,
    headers: HeaderMap,
    Body(request): Body<SessionRequest>,
) -> Result<Response, Problem> {
    let key = headers.get("idempotency-key").map(|key| key.to_str());
    let key = key.transpose().map_err(|_| Problem::bad_request("the idempotency key is not text"))?;
    let key = key.map(str::trim).filter(|key| !key.is_empty());
    if key.is_some_and(|key| key.len() > KEY) {
        return Err(Problem::bad_request(format!("an idempotency key has at most {KEY} letters")));
    }
    let (status, made) = match sessions::begin(&app, request, key).await? {
        Begun::New(info, answers) => (StatusCode::CREATED, sessions::detail_of(&app, info, answers).await?),
        Begun::Earlier(info) => (StatusCode::OK, sessions::detail(&app, info).await?),
    };
    let place = [(header::LOCATION, format!("/api/v1/sessions/{}", made.session.id))];
    Ok((status, place, Json(made)).into_response())
}

/// List sessions
#[utoipa::path(get, path = "/api/v1/sessions", tag = "sessions", params(Page), security((), ("token" = [])), responses(
    (status = 200, description = "The newest first.", body = SessionList),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn list(State(app): State<App>, page: Page) -> Result<Json<SessionList>, Problem> {
    let (sessions, unreadable) =
        sessions::list(&app, page.table.as_deref(), page.limit.into(), page.offset.into()).await?;
    Ok(Json(SessionList { sessions, unreadable }))
}

/// Look at a session: its answers, the next question, and what is possible
#[utoipa::path(get, path = "/api/v1/sessions/{id}", tag = "sessions", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "The session.", body = SessionDetail),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn get(State(app): State<App>, Id(id): Id) -> Result<Json<SessionDetail>, Problem> {
    let session = sessions::find(&app, &id).await?;
    sessions::detail(&app, session).await.map(Json)
}

/// Delete a session with its answers and log
#[utoipa::path(delete, path = "/api/v1/sessions/{id}", tag = "sessions", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn delete(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Problem> {
    sessions::delete(&app, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Session and test of a path.
fn place(
    path: Result<Path<(String, String)>, axum::extract::rejection::PathRejection>,
) -> Result<(String, String), Problem> {
    let Path((id, test)) = path.map_err(|_| Problem::not_found("session"))?;
    if is_id(&id) { Ok((id, test)) } else { Err(Problem::not_found("session")) }
}

type AnswerPath = Result<Path<(String, String)>, axum::extract::rejection::PathRejection>;

/// Answer a test, or answer it otherwise
///
/// Once this returns, the answer is on the disk.
#[utoipa::path(put, path = "/api/v1/sessions/{id}/answers/{test}", tag = "sessions", request_body = Replied, security((), ("token" = [])),
    params(("id" = String, Path), ("test" = String, Path, description = "The test's name.")),
    responses(
        (status = 200, description = "The session with it.", body = SessionDetail),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn answer(
    State(app): State<App>,
    path: AnswerPath,
    Body(Replied { value, volunteered }): Body<Replied>,
) -> Result<Json<SessionDetail>, Problem> {
    let (id, test) = place(path)?;
    let session = sessions::give(&app, &id, Answer { test, value, volunteered }).await?;
    sessions::detail(&app, session).await.map(Json).map_err(Problem::after_the_change)
}

/// Take an answer back; the later ones stay
#[utoipa::path(delete, path = "/api/v1/sessions/{id}/answers/{test}", tag = "sessions", security((), ("token" = [])),
    params(("id" = String, Path), ("test" = String, Path, description = "The test's name.")),
    responses(
        (status = 200, description = "The session without it.", body = SessionDetail),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn withdraw(
    State(app): State<App>,
    path: AnswerPath,
) -> Result<Json<SessionDetail>, Problem> {
    let (id, test) = place(path)?;
    let session = sessions::withdraw(&app, &id, test).await?;
    sessions::detail(&app, session).await.map(Json).map_err(Problem::after_the_change)
}

/// See how a session came to be
///
/// The oldest events first, page by page: the number of the last one is `after` for the next page.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/log", tag = "sessions", params(("id" = String, Path), LogPage), security((), ("token" = [])),
    responses(
        (status = 200, description = "Its events.", body = SessionLog),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn log(
    State(app): State<App>,
    Id(id): Id,
    page: LogPage,
) -> Result<Json<SessionLog>, Problem> {
    let total = sessions::find(&app, &id).await?.events;
    let (events, unreadable) = sessions::log(&app, &id, page.after, page.limit.into()).await?;
    Ok(Json(SessionLog { total, events, unreadable }))
}

/// Say what turned out to be true
///
/// Confirmed outcomes can be made into an updated prior of the table.
#[utoipa::path(put, path = "/api/v1/sessions/{id}/outcome", tag = "sessions", params(("id" = String, Path)), request_body = Confirmed, security((), ("token" = [])),
    responses(
        (status = 200, description = "It is kept.", body = SessionInfo),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn confirm(
    State(app): State<App>,
    Id(id): Id,
    Body(outcome): Body<Confirmed>,
) -> Result<Json<SessionInfo>, Problem> {
    sessions::confirm(&app, &id, outcome).await.map(Json)
}
