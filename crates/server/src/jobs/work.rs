//! Work of a job: a request to the solver, checked, and the documents that it leads to.

use crate::error::Problem;
use crate::json::JsonNumber;
use crate::limits::Limits;
use crate::tables::LoadedTable;
use fewest::bound;
use fewest::front::front;
use fewest::{
    Cap, Goal, Lambda, Limit, Objective, Outcome, Progress, build_watched, compare, find_algorithm,
};
use fewest_formats::json::{BoundsPart, Document, InstancePart, RowPart};
use fewest_formats::{NamedTree, write_outcome};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// What is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ObjectiveWord {
    /// The cost on average.
    #[default]
    Expected,
    /// The cost at worst.
    Worst,
    /// A mean that punishes long paths.
    Exponential,
}

/// A strategy that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StrategyRequest {
    /// The table.
    #[schema(max_length = 64)]
    pub(crate) table: String,
    /// What to minimise.
    #[serde(default)]
    pub(crate) objective: ObjectiveWord,
    /// How strongly exponential cost punishes long paths, from 1 to `inf`.
    #[serde(default = "two")]
    pub(crate) lambda: JsonNumber,
    /// `auto` tries them all and searches on; or the name of one, as `fewest algorithms` lists them.
    #[serde(default = "auto")]
    #[schema(max_length = 40)]
    pub(crate) algorithm: String,
    /// Take scores as they are, not divided by the test's cost.
    #[serde(default)]
    pub(crate) cost_blind: bool,
    /// How long to search.
    #[serde(default = "five_seconds")]
    #[schema(minimum = 0)]
    pub(crate) time_ms: u64,
    /// Only strategies whose worst cost is at most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_worst: Option<JsonNumber>,
}

/// A comparison of all algorithms, or a front between average and worst cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SurveyRequest {
    /// The table.
    #[schema(max_length = 64)]
    pub(crate) table: String,
    /// What the comparison is about; a front is about the expected and the worst cost.
    #[serde(default)]
    pub(crate) objective: ObjectiveWord,
    /// How strongly exponential cost punishes long paths, from 1 to `inf`.
    #[serde(default = "two")]
    pub(crate) lambda: JsonNumber,
    /// How long to search.
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

fn goal_of(objective: ObjectiveWord, lambda: JsonNumber) -> Result<Goal, Problem> {
    let lambda = Lambda::new(lambda.value()).map_err(|error| Problem::unfit(format!("`lambda`: {error}")))?;
    let objective = match objective {
        ObjectiveWord::Expected => Objective::Expected,
        ObjectiveWord::Worst => Objective::Worst,
        ObjectiveWord::Exponential => Objective::Exponential(lambda),
    };
    Ok(Goal::default().with_objective(objective).with_lambda(lambda))
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

/// Kind of a job, by what it searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// A strategy.
    Strategy,
    /// A comparison of all algorithms.
    Comparison,
    /// A front between average and worst cost.
    Front,
}

impl JobKind {
    /// The kind as the database keeps it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Strategy => "build",
            Self::Comparison => "compare",
            Self::Front => "front",
        }
    }

    /// The kind as people call it.
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
    /// The kind of job.
    pub(crate) kind: JobKind,
    /// The request as JSON.
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

/// The figures of a strategy.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct StrategySummary {
    /// The algorithm whose tree it is.
    pub(crate) algorithm: String,
    /// The cost that was minimised.
    pub(crate) value: JsonNumber,
    /// The cost on average.
    pub(crate) expected: JsonNumber,
    /// The cost at worst.
    pub(crate) worst: JsonNumber,
    /// The cost with long paths punished, by the λ of the request.
    pub(crate) exponential: JsonNumber,
    /// What no strategy can beat in the objective.
    pub(crate) lower_bound: JsonNumber,
    /// The name of that bound.
    pub(crate) bound_by: String,
    /// How far the cost is above the bound, relatively; 0 when proved.
    pub(crate) gap: JsonNumber,
    /// Whether nothing can be better.
    pub(crate) optimal: bool,
    /// Why the search ended: `complete`, `proved`, `time` or `interrupted`.
    pub(crate) stop: String,
    /// Leaves of the tree.
    pub(crate) leaves: usize,
    /// The most questions on a path.
    pub(crate) depth: usize,
    /// How long it took.
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
        let goal = goal_of(request.objective, request.lambda)?
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
            goal_of(request.objective, request.lambda)?,
            request.time_ms,
            limits,
        )
    }

    /// Checks the request of a front.
    pub(crate) fn front(request: &SurveyRequest, limits: &Limits) -> Result<Self, Problem> {
        Self::new(
            JobKind::Front,
            request,
            goal_of(request.objective, request.lambda)?,
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

    /// Checks that the work can be done for `table`.
    ///
    /// # Errors
    /// When cells of the table leave the answer open and the work needs one answer in every cell.
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

    /// The limit of time and memory, from now.
    pub(super) fn limit(&self) -> Limit {
        Limit::time(self.time).with_memory(self.memory)
    }

    /// Searches until `limit`, and tells `watch` how far it is.
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
