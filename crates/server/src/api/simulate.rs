//! Route of simulated sessions.

use crate::error::Problem;
use crate::extract::Body;
use crate::service::simulate::{self, SimulateRequest, Simulation};
use crate::state::App;
use axum::Json;
use axum::extract::State;

/// Play sessions against the objects of a table
#[utoipa::path(post, path = "/api/v1/simulate", tag = "questions", request_body = SimulateRequest, security((), ("token" = [])),
    responses(
        (status = 200, description = "How often the right one was found, and at what cost.", body = Simulation),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn simulate(
    State(app): State<App>,
    Body(request): Body<SimulateRequest>,
) -> Result<Json<Simulation>, Problem> {
    simulate::simulate(&app, request).await.map(Json)
}
