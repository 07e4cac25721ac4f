//! Strategy to begin a session with, where none was chosen: one that was built before, or what a short search finds.

use super::jobs;
use crate::error::Problem;
use crate::jobs::{JobKind, StrategyRequest, Work};
use crate::json::JsonNumber;
use crate::state::App;
use crate::store::JobState;
use crate::word::Word;
use fewest::ObjectiveKind;
use std::time::Duration;

/// Time of the search.
const SEARCH_MS: u64 = 1000;
/// Time to wait for its end, because another search may run before it.
const WAIT: Duration = Duration::from_secs(4);
/// Most strategies that are looked through.
const LOOKED_AT: i64 = 20;

/// Returns the id of a strategy for the least expected cost of a table: one that was built before, else one that is
/// found within a second; `None` if the server is too busy to search now.
///
/// # Errors
/// When there is no such table, or the database fails.
pub(crate) async fn quick_plan(app: &App, table: &str) -> Result<Option<String>, Problem> {
    if let Some(known) = built_before(app, table).await? {
        return Ok(Some(known));
    }
    let request = StrategyRequest {
        table: table.to_owned(),
        objective: Word(ObjectiveKind::Expected),
        lambda: JsonNumber::from(2.0),
        algorithm: "auto".to_owned(),
        cost_blind: false,
        time_ms: SEARCH_MS.min(u64::try_from(app.limits().build.as_millis()).unwrap_or(SEARCH_MS)),
        max_worst: None,
    };
    // No strategy is no reason not to ask: then each question is chosen by itself.
    let Ok(work) = Work::strategy(&request, app.limits()) else { return Ok(None) };
    let Ok(job) = jobs::submit(app, table, work).await else { return Ok(None) };
    if let Some(mut standing) = app.jobs().watch(&job.id) {
        let end = standing.wait_for(|standing| !matches!(standing.state.as_str(), "queued" | "running"));
        if tokio::time::timeout(WAIT, end).await.is_err() {
            app.jobs().cancel(&job.id);
            return Ok(None);
        }
    }
    let job = jobs::find(app, &job.id, JobKind::Strategy).await?;
    Ok((job.state == JobState::Done).then_some(job.id))
}

/// Newest strategy of the table for the least expected cost without a cap.
async fn built_before(app: &App, table: &str) -> Result<Option<String>, Problem> {
    let rows = jobs::rows(app, JobKind::Strategy, Some(table), LOOKED_AT, 0).await?;
    let suits = |request: &StrategyRequest| {
        request.objective.0 == ObjectiveKind::Expected
            && request.max_worst.is_none()
            && request.algorithm == "auto"
            && !request.cost_blind
    };
    let found = rows.into_iter().find(|job| {
        let request = serde_json::from_str::<StrategyRequest>(&job.request);
        job.state == JobState::Done && request.is_ok_and(|request| suits(&request))
    });
    Ok(found.map(|job| job.id))
}
