//! Simulation of sessions against the objects of a table.

use super::questions::{AskingOptions, SessionContext, session};
use crate::error::Problem;
use crate::json::JsonNumber;
use crate::state::App;
use crate::tables::LoadedTable;
use fewest::session::simulate::{Match, Play, PlaySummary};
use fewest::{GroupId, Tree};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Most sessions × cells of the table, to limit the time of a request; the command line has no such limit.
const MOST_WORK: usize = 200_000_000;
/// Number of simulated sessions where answers are random and the request gives no number.
const USUAL_RUNS: u32 = 1000;

/// Request to simulate sessions.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SimulateRequest {
    /// Id of the table; if it is not given, the table of the strategy.
    #[serde(default)]
    pub(crate) table: Option<String>,
    /// Rules by which questions are chosen.
    #[serde(default)]
    pub(crate) options: AskingOptions,
    /// Probability that an answer is wrong; the error rate that the session assumes is in the options.
    #[serde(default)]
    #[schema(minimum = 0, exclusive_maximum = 1)]
    pub(crate) noise: f64,
    /// Probability that a question is not answered.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1)]
    pub(crate) unknown: f64,
    /// Number of simulated sessions. If it is not given and answers are not random, every object is simulated once.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10000)]
    pub(crate) runs: Option<u32>,
    /// Seed of the random numbers; the same seed repeats the simulation.
    #[serde(default)]
    #[schema(minimum = 0)]
    pub(crate) seed: u64,
}

/// Result of a simulation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Simulation {
    /// Number of simulated sessions.
    pub(crate) runs: usize,
    /// Whether every object was simulated once, weighted by its prior: then the figures are exact.
    pub(crate) exact: bool,
    #[serde(flatten)]
    pub(crate) all: Figures,
    /// Figures of every group, or of every object where objects are identified.
    pub(crate) by_group: Vec<GroupFigures>,
}

/// Figures of a set of simulated sessions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Figures {
    /// Share of sessions that identified the right group or object.
    pub(crate) accuracy: JsonNumber,
    /// Mean number of questions.
    pub(crate) questions: JsonNumber,
    /// Distribution of the cost.
    pub(crate) cost: CostFigures,
}

/// Distribution of the cost of sessions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct CostFigures {
    /// Mean cost.
    pub(crate) mean: JsonNumber,
    /// Median: half of the sessions cost at most this.
    pub(crate) p50: JsonNumber,
    /// 90 % of the sessions cost at most this.
    pub(crate) p90: JsonNumber,
    /// 99 % of the sessions cost at most this.
    pub(crate) p99: JsonNumber,
    /// Largest cost.
    pub(crate) max: JsonNumber,
}

/// Figures of a group.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct GroupFigures {
    /// Name of the group; several names where no test tells groups apart.
    pub(crate) group: Vec<String>,
    /// Share of the sessions whose object is in this group.
    pub(crate) share: JsonNumber,
    #[serde(flatten)]
    pub(crate) figures: Figures,
}

impl From<&PlaySummary> for Figures {
    fn from(tally: &PlaySummary) -> Self {
        let [p50, p90, p99] = tally.quantiles.map(JsonNumber::from);
        Self {
            accuracy: tally.accuracy.into(),
            questions: tally.questions.into(),
            cost: CostFigures { mean: tally.mean.into(), p50, p90, p99, max: tally.max.into() },
        }
    }
}

fn play(table: &LoadedTable, tree: Option<&Tree>, request: &SimulateRequest) -> Result<Simulation, Problem> {
    let instance = &table.instance;
    let asked = session(instance, tree, &request.options, &[])?;
    let game = Match {
        noise: request.noise,
        unknown: request.unknown,
        ..Match::new(instance, asked.plan(), asked.rules().clone())
    };
    let exact = game.is_certain() && request.runs.is_none();
    let runs = if exact { instance.object_count() } else { request.runs.unwrap_or(USUAL_RUNS) as usize };
    let cells = instance.object_count().saturating_mul(instance.test_count());
    if runs.saturating_mul(cells) > MOST_WORK {
        return Err(Problem::unfit(
            "this is too much to play here; give fewer `runs`, or use `fewest simulate` on the command line",
        ));
    }
    let plays = if exact { game.play_all() } else { game.play_some(runs, request.seed) };
    let mut plays = plays.map_err(Problem::unfit)?;
    let all = PlaySummary::of(&plays);
    plays.sort_by_key(|play| instance.group_of(play.object));
    let part = |plays: &[Play]| {
        let (group, tally): (GroupId, _) = (instance.group_of(plays[0].object), PlaySummary::of(plays));
        let share = if all.weight > 0.0 { tally.weight / all.weight } else { 0.0 };
        GroupFigures {
            group: instance.group_names(group).into_iter().map(str::to_owned).collect(),
            share: share.into(),
            figures: (&tally).into(),
        }
    };
    let parts =
        plays.chunk_by(|left, right| instance.group_of(left.object) == instance.group_of(right.object));
    Ok(Simulation { runs: all.plays, exact, all: (&all).into(), by_group: parts.map(part).collect() })
}

/// Simulates sessions against the objects of a table.
///
/// # Errors
/// When the request does not fit the table, is too large for the server, or another simulation runs.
pub(crate) async fn simulate(app: &App, request: SimulateRequest) -> Result<Simulation, Problem> {
    if !(0.0..1.0).contains(&request.noise) || !(0.0..=1.0).contains(&request.unknown) {
        return Err(Problem::unfit("`noise` is at least 0 and below 1, `unknown` from 0 to 1"));
    }
    if request.runs.is_some_and(|runs| !(1..=10_000).contains(&runs)) {
        return Err(Problem::unfit("`runs` is from 1 to 10000"));
    }
    let context = SessionContext::open(app, request.table.as_deref(), &request.options).await?;
    let (table, strategy_tree) = (Arc::clone(&context.table), context.strategy_tree);
    let work =
        move || play(&table, strategy_tree.as_ref().map(|strategy_tree| &strategy_tree.tree), &request);
    app.run_simulation(work).await?
}
