//! Health of the server: liveness, readiness and counters.

use crate::error::Problem;
use crate::service::health;
use crate::state::App;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

/// Whether the server runs.
#[utoipa::path(get, path = "/healthz", tag = "server", responses((status = 200, description = "It runs.", body = String, content_type = "text/plain")))]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the server can do its work: the database answers and can be written to.
#[utoipa::path(get, path = "/readyz", tag = "server", responses(
    (status = 200, description = "It is ready.", body = String, content_type = "text/plain"),
    (status = "default", description = "It is not.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn readyz(State(app): State<App>) -> Result<&'static str, Problem> {
    health::readiness(&app).await?;
    Ok("ok\n")
}

/// Counters for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server", security((), ("token" = [])), responses(
    (status = 200, description = "Counters.", body = String, content_type = "text/plain"),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn metrics(State(app): State<App>) -> Result<impl IntoResponse, Problem> {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    Ok((kind, app.metrics().text(&health::gauges(&app).await?)))
}

/// OpenAPI description of the API.
pub(super) async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], super::openapi())
}
