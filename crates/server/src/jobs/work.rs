//! Work of a job: a checked request to the solver, and the documents that it produces.

use crate::error::Problem;
use crate::json::JsonNumber;
use crate::limits::Limits;
use crate::tables::LoadedTable;
use crate::word::ObjectiveWord;
use fewest::bound;
use fewest::front::front;
use fewest::{
    Cap, Goal, Lambda, Limit, ObjectiveKind, Outcome, Progress, build_watched, compare, find_algorithm,
};
use fewest_formats::json::{BoundsPart, Document, InstancePart, RowPart};
use fewest_formats::{NamedTree, write_outcome};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// Request for a strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StrategyRequest {
    /// Id of the table.
    #[schema(max_length = 64)]
    pub(crate) table: String,
    /// Objective to minimise.
    #[serde(default)]
    pub(crate) objective: ObjectiveWord,
    /// Parameter λ of exponential cost, from 1 to `inf`: the larger, the more long paths weigh.
    #[serde(default = "two")]
    pub(crate) lambda: JsonNumber,
    /// Name of an algorithm, as `fewest algorithms` lists it; `auto` tries all and then searches for the optimum.
    #[serde(default = "auto")]
    #[schema(max_length = 40)]
    pub(crate) algorithm: String,
    /// Ignore costs: do not divide scores by the test's cost.
    #[serde(default)]
    pub(crate) cost_blind: bool,
    /// Time to search, in milliseconds.
    #[serde(default = "five_seconds")]
    #[schema(minimum = 0)]
    pub(crate) time_ms: u64,
    /// Limit on the worst cost: only strategies within it are searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_worst: Option<JsonNumber>,
}

/// Request for a comparison of all algorithms, or for a front between expected and worst cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SurveyRequest {
    /// Id of the table.
    #[schema(max_length = 64)]
    pub(crate) table: String,
    /// Objective of the comparison; a front ignores it, as it is about expected and worst cost.
    #[serde(default)]
    pub(crate) objective: ObjectiveWord,
    /// Parameter λ of exponential cost, from 1 to `inf`: the larger, the more long paths weigh.
    #[serde(default = "two")]
    pub(crate) lambda: JsonNumber,
    /// Time to search, in milliseconds.
    #[serde(default = "five_seconds")]
    #[schema(minimum = 0)]
    pub(crate) time_ms: u64,
}

fn two() -> JsonNumber {
    JsonNumber::from(2.0)
}

fn auto() -> String {
    "auto".to_owned()
}

fn five_seconds() -> u64 {
    5000
}

fn goal_of(objective: ObjectiveKind, lambda: JsonNumber) -> Result<Goal, Problem> {
    let lambda = Lambda::new(lambda.value()).map_err(|error| Problem::unfit(format!("`lambda`: {error}")))?;
    Ok(Goal::default().with_objective(objective.with(lambda)).with_lambda(lambda))
}

fn time_of(ms: u64, limits: &Limits) -> Result<Duration, Problem> {
    let time = Duration::from_millis(ms);
    if time > limits.build {
        return Err(Problem::unfit(format!(
            "`time_ms`: this server searches for at most {} ms; use the command line for more",
            limits.build.as_millis()
        )));
    }
    Ok(time)
}

/// Kind of a job, by its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// A strategy.
    Strategy,
    /// A comparison of all algorithms.
    Comparison,
    /// A front between expected and worst cost.
    Front,
}

impl JobKind {
    /// Word for the kind in the database.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Strategy => "build",
            Self::Comparison => "compare",
            Self::Front => "front",
        }
    }

    /// Word for the kind in messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Strategy => "strategy",
            Self::Comparison => "comparison",
            Self::Front => "front",
        }
    }
}

/// Checked request of a job, with its limits.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// Kind of the job.
    pub(crate) kind: JobKind,
    /// Request as JSON.
    pub(crate) request: String,
    goal: Goal,
    time: Duration,
    memory: usize,
}

/// Result of a job: its figures and the whole document, as JSON.
#[derive(Clone, Debug)]
pub(crate) struct JobResult {
    pub(crate) summary: String,
    pub(crate) document: String,
}

/// Figures of a strategy.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct StrategySummary {
    /// Algorithm that built the tree.
    pub(crate) algorithm: String,
    /// Cost in the objective.
    pub(crate) value: JsonNumber,
    /// Expected cost.
    pub(crate) expected: JsonNumber,
    /// Worst cost.
    pub(crate) worst: JsonNumber,
    /// Exponential cost, with the λ of the request.
    pub(crate) exponential: JsonNumber,
    /// Lower bound in the objective: no strategy costs less.
    pub(crate) lower_bound: JsonNumber,
    /// Name of the bound.
    pub(crate) bound_by: String,
    /// Relative gap between cost and bound; 0 when the strategy is proved optimal.
    pub(crate) gap: JsonNumber,
    /// Whether the strategy is proved optimal.
    pub(crate) optimal: bool,
    /// Reason why the search ended: `complete`, `proved`, `time` or `interrupted`.
    pub(crate) stop: String,
    /// Number of leaves of the tree.
    pub(crate) leaves: usize,
    /// Most questions on a path.
    pub(crate) depth: usize,
    /// Time of the search, in milliseconds.
    pub(crate) elapsed_ms: JsonNumber,
}

impl StrategySummary {
    fn new(goal: &Goal, outcome: &Outcome) -> Self {
        Self {
            value: outcome.costs.get(goal.objective).into(),
            algorithm: outcome.origin.name().to_owned(),
            expected: outcome.costs.expected.into(),
            worst: outcome.costs.worst.into(),
            exponential: outcome.costs.exponential.into(),
            lower_bound: outcome.bound.value.into(),
            bound_by: outcome.bound.name.to_owned(),
            gap: outcome.gap.into(),
            optimal: outcome.optimal,
            stop: fewest_formats::json::stop_word(outcome.stop).to_owned(),
            leaves: outcome.tree.leaf_count(),
            depth: outcome.tree.depth(),
            elapsed_ms: (outcome.elapsed.as_secs_f64() * 1e3).into(),
        }
    }
}

impl Work {
    /// Checks the request of a strategy.
    pub(crate) fn strategy(request: &StrategyRequest, limits: &Limits) -> Result<Self, Problem> {
        let algorithm = match request.algorithm.as_str() {
            "auto" => None,
            name => Some(find_algorithm(name).ok_or_else(|| {
                Problem::unfit(
                    "`algorithm`: there is none of that name; choose auto or see `fewest algorithms`",
                )
            })?),
        };
        let cap = match request.max_worst.map(JsonNumber::value) {
            None => Cap::None,
            Some(cap) if cap >= 0.0 => Cap::At(cap),
            Some(_) => return Err(Problem::unfit("`max_worst`: expected a cost of at least 0")),
        };
        let (cost_blind, proof) = (request.cost_blind, true);
        let goal = goal_of(request.objective.0, request.lambda)?
            .with_algorithm(algorithm)
            .with_cost_blind(cost_blind)
            .with_cap(cap)
            .with_proof(proof);
        Self::new(JobKind::Strategy, request, goal, request.time_ms, limits)
    }

    /// Checks the request of a comparison.
    pub(crate) fn comparison(request: &SurveyRequest, limits: &Limits) -> Result<Self, Problem> {
        Self::new(
            JobKind::Comparison,
            request,
            goal_of(request.objective.0, request.lambda)?,
            request.time_ms,
            limits,
        )
    }

    /// Checks the request of a front.
    pub(crate) fn front(request: &SurveyRequest, limits: &Limits) -> Result<Self, Problem> {
        Self::new(
            JobKind::Front,
            request,
            goal_of(request.objective.0, request.lambda)?,
            request.time_ms,
            limits,
        )
    }

    fn new(
        kind: JobKind,
        request: &impl Serialize,
        goal: Goal,
        time_ms: u64,
        limits: &Limits,
    ) -> Result<Self, Problem> {
        let request = serde_json::to_string(request).map_err(Problem::bad_request)?;
        Ok(Self { kind, request, goal, time: time_of(time_ms, limits)?, memory: limits.memory })
    }

    /// Checks that the work is possible for `table`.
    ///
    /// # Errors
    /// When cells of the table hold several answers and the work needs one answer in every cell.
    pub(crate) fn check_fit(&self, table: &LoadedTable) -> Result<(), Problem> {
        let fits = self.kind != JobKind::Front
            && self.goal.algorithm.is_none_or(|algorithm| algorithm.takes_several());
        if fits || !table.instance.has_several() {
            return Ok(());
        }
        Err(Problem::unfit(
            "this needs one answer in every cell, but some cells of the table are unknown or list several answers; \
             choose another algorithm, or read the table with missing=answer and without several",
        ))
    }

    /// Limit of time and memory, from now on.
    pub(super) fn limit(&self) -> Limit {
        Limit::time(self.time).with_memory(self.memory)
    }

    /// Searches until `limit`, and reports progress to `watch`.
    pub(super) fn run(
        &self,
        table: &LoadedTable,
        limit: &Limit,
        watch: impl FnMut(&Progress),
    ) -> std::io::Result<JobResult> {
        let mut document = Vec::new();
        let summary = match self.kind {
            JobKind::Strategy => self.build(table, limit, watch, &mut document)?,
            JobKind::Comparison => self.compare(table, limit, watch, &mut document)?,
            JobKind::Front => self.front_of(table, limit, &mut document)?,
        };
        let document = String::from_utf8(document).map_err(std::io::Error::other)?;
        Ok(JobResult { summary, document })
    }

    fn build(
        &self,
        table: &LoadedTable,
        limit: &Limit,
        watch: impl FnMut(&Progress),
        out: &mut Vec<u8>,
    ) -> std::io::Result<String> {
        let instance = &table.instance;
        let outcome = build_watched(instance, &self.goal, limit, watch);
        let tree = NamedTree::new(&outcome.tree, instance);
        write_outcome(out, instance, &self.goal, &outcome, &tree, Some(&table.reading), None)?;
        Ok(serde_json::to_string(&StrategySummary::new(&self.goal, &outcome))?)
    }

    fn compare(
        &self,
        table: &LoadedTable,
        limit: &Limit,
        watch: impl FnMut(&Progress),
        out: &mut Vec<u8>,
    ) -> std::io::Result<String> {
        let instance = &table.instance;
        let (mut trials, outcome) = compare(instance, &self.goal, limit, watch);
        let summary = serde_json::to_string(&StrategySummary::new(&self.goal, &outcome))?;
        trials.extend(outcome.searched());
        let mut document = Document::begin(out)?;
        document.field("instance", &InstancePart::new(instance))?;
        document.field("bounds", &BoundsPart::new(&outcome.bounds))?;
        document.list("rows", trials.iter().map(RowPart::from))?;
        document.end()?;
        Ok(summary)
    }

    fn front_of(&self, table: &LoadedTable, limit: &Limit, out: &mut Vec<u8>) -> std::io::Result<String> {
        #[derive(Serialize)]
        struct Line {
            expected: JsonNumber,
            worst: JsonNumber,
            by: &'static str,
            bound: JsonNumber,
            proved: bool,
        }
        let instance = &table.instance;
        let front = front(instance, limit);
        let mut bounds = bound::all_within(instance, self.goal.lambda(), limit);
        bounds.extend(&front.bounds);
        let lines = front.points.iter().map(|point| Line {
            expected: point.costs.expected.into(),
            worst: point.costs.worst.into(),
            by: point.by,
            bound: point.bound.into(),
            proved: point.proved,
        });
        let mut document = Document::begin(out)?;
        document.field("instance", &InstancePart::new(instance))?;
        document.list("points", lines)?;
        document.field("best_bounds", &BoundsPart::new(&bounds))?;
        document.field("stop", fewest_formats::json::stop_word(front.stop))?;
        document.end()?;
        Ok("null".to_owned())
    }
}
