//! Answers in, question out: nothing is kept.

use crate::App;
use crate::answering::{
    self, Answer, AskingOptions, Explanation, Known, Rationale, Repeats, Situation, explanation,
    find_candidate, session, situation,
};
use crate::app::Planned;
use crate::error::Problem;
use crate::extract::{Body, Text};
use crate::tables::Loaded;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use fewest::session::Snapshot;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The most that is listed of anything.
const MOST: u32 = 1000;

/// What is known, and how to go on.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NextRequest {
    /// The table; that of the strategy, if this is not given.
    #[serde(default)]
    pub(crate) table: Option<String>,
    /// What was answered.
    #[serde(default)]
    pub(crate) answers: Vec<Answer>,
    /// How questions are chosen.
    #[serde(default)]
    pub(crate) options: AskingOptions,
    /// How many candidates, groups and alternatives are listed at most.
    #[serde(default = "ten")]
    #[schema(minimum = 0, maximum = 1000)]
    pub(crate) most: u32,
}

/// What is known, and who is in question.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainRequest {
    /// The table; that of the strategy, if this is not given.
    #[serde(default)]
    pub(crate) table: Option<String>,
    /// What was answered.
    #[serde(default)]
    pub(crate) answers: Vec<Answer>,
    /// How questions are chosen.
    #[serde(default)]
    pub(crate) options: AskingOptions,
    /// The object to explain.
    pub(crate) object: String,
    /// Another object, to see what tells the two apart.
    #[serde(default)]
    pub(crate) other: Option<String>,
}

fn ten() -> u32 {
    10
}

/// A table, and the strategy to follow.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) table: Arc<Loaded>,
    pub(crate) planned: Option<Arc<Planned>>,
}

/// The table that is named, or that of the strategy.
pub(crate) async fn ground(
    app: &App,
    table: Option<&str>,
    options: &AskingOptions,
) -> Result<Ground, Problem> {
    let strategy = options.strategy.as_deref();
    let table = match (table, strategy) {
        (Some(table), _) => app.table(table).await?,
        (None, Some(strategy)) => {
            let job = app.store().job(strategy, "build").await?;
            app.table(&job.ok_or_else(|| Problem::not_found("strategy"))?.table).await?
        }
        (None, None) => return Err(Problem::unfit("name a `table`, or a `strategy` in the options")),
    };
    let planned = match strategy {
        Some(strategy) => Some(app.tree(strategy, &table).await?),
        None => None,
    };
    Ok(Ground { table, planned })
}

impl Ground {
    /// What `look` sees in the session with these answers, by one snapshot of it.
    pub(crate) async fn with_snapshot<T: Send + 'static>(
        &self,
        app: &App,
        options: AskingOptions,
        answers: Vec<Answer>,
        look: impl FnOnce(&Snapshot<'_, '_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let planned = self.planned.clone();
        let work = move |table: &Loaded| {
            let tree = planned.as_ref().map(|planned| &planned.tree);
            look(&session(&table.instance, tree, &options, &answers)?.snapshot())
        };
        app.think_about(&self.table, work).await?
    }
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
    let asked = Repeats::asked(&text.0);
    if let Some(known) = app.repeats().get(&asked) {
        let table = app.table(&known.table).await?;
        if let Some(strategy) = &known.strategy {
            app.tree(strategy, &table).await?;
        }
        return Ok(json(known.body.clone()));
    }
    let request: NextRequest = text.read()?;
    let most = at_most(request.most)?;
    let ground = ground(&app, request.table.as_deref(), &request.options).await?;
    let (table, strategy) = (ground.table.id.clone(), request.options.strategy.clone());
    let look = move |snapshot: &Snapshot<'_, '_>| {
        serde_json::to_vec(&situation(snapshot, most)).map_err(|error| {
            tracing::error!(%error, "a situation is no JSON");
            Problem::internal()
        })
    };
    let body = Bytes::from(ground.with_snapshot(&app, request.options, request.answers, look).await?);
    app.repeats().keep(asked, Known { table, strategy, body: body.clone() });
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
    let ground = ground(&app, request.table.as_deref(), &request.options).await?;
    let look = move |snapshot: &Snapshot<'_, '_>| Ok(answering::rationale(snapshot, most));
    ground.with_snapshot(&app, request.options, request.answers, look).await.map(Json)
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
    let ground = ground(&app, request.table.as_deref(), &request.options).await?;
    let ExplainRequest { answers, options, object, other, .. } = request;
    let look = move |snapshot: &Snapshot<'_, '_>| {
        let instance = snapshot.session().instance();
        let object = find_candidate(instance, &object)?;
        let other = other.map(|other| find_candidate(instance, &other)).transpose()?;
        Ok(explanation(snapshot, object, other))
    };
    ground.with_snapshot(&app, options, answers, look).await.map(Json)
}
