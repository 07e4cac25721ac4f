//! How the server is.

use crate::App;
use crate::error::Problem;
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
    match app.store().readiness().await {
        Ok(()) => Ok("ok\n"),
        // The reason was logged when it was found. Any of them means: not now.
        Err(failure) => Err(Problem::not_ready(failure.reason())),
    }
}

/// Counters for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server", security((), ("token" = [])), responses(
    (status = 200, description = "Counters.", body = String, content_type = "text/plain"),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn metrics(State(app): State<App>) -> Result<impl IntoResponse, Problem> {
    let (jobs, running) = app.jobs().counts();
    let gauges = [
        ("fewest_jobs", "Searches that wait or run.", jobs as u64),
        ("fewest_jobs_running", "Searches that run.", running as u64),
        ("fewest_tables", "Tables that are kept.", app.store().table_count().await?),
        ("fewest_sessions", "Sessions that are kept.", app.store().session_count().await?),
        ("fewest_disk_bytes", "Bytes of the database.", app.disk()),
        ("fewest_streams", "Searches that are followed.", app.quotas().streams.in_use() as u64),
        ("fewest_incoming_bytes", "Large bodies that come in.", app.quotas().incoming.in_use() as u64),
        (
            "fewest_outgoing_bytes",
            "Large bodies that wait to be sent.",
            app.quotas().outgoing.in_use() as u64,
        ),
    ];
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    Ok((kind, app.metrics().text(&gauges)))
}

/// The description itself.
pub(super) async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], super::openapi())
}
