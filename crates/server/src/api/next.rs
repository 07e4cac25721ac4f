//! Stateless questions: the request holds all answers, and nothing is stored.

use crate::error::Problem;
use crate::extract::{Body, Text};
use crate::response_cache::{CachedResponse, ResponseCache};
use crate::service::questions::{
    self, Answer, AskingOptions, Explanation, Rationale, SessionContext, Situation, explanation,
    find_candidate, situation,
};
use crate::state::App;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use fewest::session::Snapshot;
use serde::Deserialize;
use utoipa::ToSchema;

/// Most items of any list in a response.
const MOST: u32 = 1000;

/// Request for the next question: the answers so far and the rules of the session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NextRequest {
    /// Id of the table; if it is not given, the table of the strategy.
    #[serde(default)]
    pub(crate) table: Option<String>,
    /// Answers so far.
    #[serde(default)]
    pub(crate) answers: Vec<Answer>,
    /// Rules by which questions are chosen.
    #[serde(default)]
    pub(crate) options: AskingOptions,
    /// Most candidates, groups and alternatives in the response.
    #[serde(default = "ten")]
    #[schema(minimum = 0, maximum = 1000)]
    pub(crate) most: u32,
}

/// Request to explain an object: the answers so far and the rules of the session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainRequest {
    /// Id of the table; if it is not given, the table of the strategy.
    #[serde(default)]
    pub(crate) table: Option<String>,
    /// Answers so far.
    #[serde(default)]
    pub(crate) answers: Vec<Answer>,
    /// Rules by which questions are chosen.
    #[serde(default)]
    pub(crate) options: AskingOptions,
    /// Name of the object to explain.
    pub(crate) object: String,
    /// Name of another object, to compare the two.
    #[serde(default)]
    pub(crate) other: Option<String>,
}

fn ten() -> u32 {
    10
}

fn at_most(most: u32) -> Result<usize, Problem> {
    if most > MOST {
        return Err(Problem::unfit(format!("`most`: at most {MOST}")));
    }
    Ok(most as usize)
}

/// Ask what to ask next
#[utoipa::path(post, path = "/api/v1/next", tag = "questions", request_body = NextRequest, security((), ("token" = [])),
    responses(
        (status = 200, description = "The question, and what is possible.", body = Situation),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn next(State(app): State<App>, text: Text) -> Result<Response, Problem> {
    let digest = ResponseCache::digest(&text.0);
    if let Some(known) = app.responses().get(&digest) {
        let table = app.table(&known.table).await?;
        if let Some(strategy) = &known.strategy {
            app.tree(strategy, &table).await?;
        }
        return Ok(json(known.body.clone()));
    }
    let request: NextRequest = text.read()?;
    let most = at_most(request.most)?;
    let context = SessionContext::open(&app, request.table.as_deref(), &request.options).await?;
    let (table, strategy) = (context.table.id.clone(), request.options.strategy.clone());
    let look = move |snapshot: &Snapshot<'_, '_>| {
        serde_json::to_vec(&situation(snapshot, most)).map_err(|error| {
            tracing::error!(%error, "a situation is no JSON");
            Problem::internal()
        })
    };
    let body = Bytes::from(context.with_snapshot(&app, request.options, request.answers, look).await?);
    app.responses().keep(digest, CachedResponse { table, strategy, body: body.clone() });
    Ok(json(body))
}

fn json(body: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Ask why a question is asked
#[utoipa::path(post, path = "/api/v1/rationale", tag = "questions", request_body = NextRequest, security((), ("token" = [])),
    responses(
        (status = 200, description = "What the question tells, what each answer would leave, and what others would cost.", body = Rationale),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn rationale(
    State(app): State<App>,
    Body(request): Body<NextRequest>,
) -> Result<Json<Rationale>, Problem> {
    let most = at_most(request.most)?;
    let context = SessionContext::open(&app, request.table.as_deref(), &request.options).await?;
    let look = move |snapshot: &Snapshot<'_, '_>| Ok(questions::rationale(snapshot, most));
    context.with_snapshot(&app, request.options, request.answers, look).await.map(Json)
}

/// Ask why or why not an object
#[utoipa::path(post, path = "/api/v1/explain", tag = "questions", request_body = ExplainRequest, security((), ("token" = [])),
    responses(
        (status = 200, description = "The answers for and against it.", body = Explanation),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn explain(
    State(app): State<App>,
    Body(request): Body<ExplainRequest>,
) -> Result<Json<Explanation>, Problem> {
    let context = SessionContext::open(&app, request.table.as_deref(), &request.options).await?;
    let ExplainRequest { answers, options, object, other, .. } = request;
    let look = move |snapshot: &Snapshot<'_, '_>| {
        let instance = snapshot.session().instance();
        let object = find_candidate(instance, &object)?;
        let other = other.map(|other| find_candidate(instance, &other)).transpose()?;
        Ok(explanation(snapshot, object, other))
    };
    context.with_snapshot(&app, options, answers, look).await.map(Json)
}
