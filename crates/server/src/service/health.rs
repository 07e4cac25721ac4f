//! Health of the server: readiness and gauges.

use crate::error::Problem;
use crate::state::App;

/// Checks that a change can be stored now.
///
/// # Errors
/// When it cannot, with the reason.
pub(crate) async fn readiness(app: &App) -> Result<(), Problem> {
    // The reason was logged when it was found. Every reason means: not now.
    app.store().readiness().await.map_err(|failure| Problem::not_ready(failure.reason()))
}

/// Gauge for Prometheus: name, description and value.
type Gauge = (&'static str, &'static str, u64);

/// Returns the numbers of jobs, tables, sessions, streams and bytes in use now.
///
/// # Errors
/// When the database fails.
pub(crate) async fn gauges(app: &App) -> Result<[Gauge; 8], Problem> {
    let (jobs, running) = app.jobs().counts();
    Ok([
        ("fewest_jobs", "Searches that wait or run.", jobs as u64),
        ("fewest_jobs_running", "Searches that run.", running as u64),
        ("fewest_tables", "Tables that are kept.", app.store().table_count().await?),
        ("fewest_sessions", "Sessions that are kept.", app.store().session_count().await?),
        ("fewest_disk_bytes", "Bytes of the database.", app.disk()),
        ("fewest_streams", "Searches that are followed.", app.guard().streams.in_use() as u64),
        ("fewest_incoming_bytes", "Large bodies that come in.", app.guard().incoming.in_use() as u64),
        ("fewest_outgoing_bytes", "Large bodies that wait to be sent.", app.guard().outgoing.in_use() as u64),
    ])
}
