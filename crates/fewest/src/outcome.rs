//! The front door: the best strategy that the catalogue finds within the limit, with its bound.

use crate::algorithm::{Algorithm, Setting, algorithms};
use crate::bound::{self, Aim, Bound};
use crate::builder::Call;
use fewest_model::{Costs, Instance, Lambda, Objective, Tree};
use std::time::{Duration, Instant};

/// What is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// What is to be minimised.
    pub objective: Objective,
    /// The λ of the criteria and of the reported exponential cost, unless the objective has one of its own.
    pub lambda: Lambda,
    /// The only algorithm to use; `None`: all of them, and the best tree is kept.
    pub algorithm: Option<Algorithm>,
    /// Whether scores are taken as they are instead of per unit of cost.
    pub cost_blind: bool,
}

impl Default for Goal {
    fn default() -> Self {
        Self { objective: Objective::Expected, lambda: Lambda::TWO, algorithm: None, cost_blind: false }
    }
}

impl Goal {
    fn setting(&self) -> Setting {
        Setting { lambda: self.lambda(), cost_blind: self.cost_blind }
    }

    /// The λ that counts: the objective's own where it has one.
    pub fn lambda(&self) -> Lambda {
        match self.objective {
            Objective::Exponential(lambda) => lambda,
            Objective::Expected | Objective::Worst => self.lambda,
        }
    }
}

/// When to stop. Reaching a limit is an outcome, not an error.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    deadline: Option<Instant>,
}

impl Limit {
    /// No limit at all.
    pub fn none() -> Self {
        Self { deadline: None }
    }

    /// Stop when `time` has passed from now.
    pub fn time(time: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(time) }
    }

    /// Whether it is time to stop.
    pub fn is_reached(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All that was to be tried was tried.
    Complete,
    /// The tree meets the bound: nothing can be better.
    Proved,
    /// The time was up.
    Time,
}

/// One algorithm's tree.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The λ it was given, if it takes one.
    pub lambda: Option<Lambda>,
    /// Whether it took scores as they are instead of per unit of cost.
    pub cost_blind: bool,
    /// What it built.
    pub tree: Tree,
    /// What that costs.
    pub costs: Costs,
    /// What the algorithm tells of its own run; nothing for the greedy ones.
    pub evidence: Vec<Call>,
    /// How long it took.
    pub elapsed: Duration,
}

/// The best tree found, and how good it is.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The algorithm whose tree it is.
    pub algorithm: &'static str,
    /// The λ it was given, if it takes one.
    pub lambda: Option<Lambda>,
    /// Whether it took scores as they are instead of per unit of cost.
    pub cost_blind: bool,
    /// The tree.
    pub tree: Tree,
    /// What the algorithm tells of its own run; nothing for the greedy ones.
    pub evidence: Vec<Call>,
    /// Its true costs under the instance's prior and test costs.
    pub costs: Costs,
    /// The best lower bound known for the objective.
    pub bound: Bound,
    /// `(cost − bound) / bound`; 0 when proved.
    pub gap: f64,
    /// Whether the tree is proved to be the best possible.
    pub optimal: bool,
    /// Why the search ended.
    pub stop: StopReason,
    /// How long it took in all.
    pub elapsed: Duration,
}

/// Two costs closer than this, relatively, differ by rounding only.
const ROUNDING: f64 = 1e-12;

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is tried now.
    pub algorithm: &'static str,
    /// Its number, from 1.
    pub number: usize,
    /// How many there are to try.
    pub of: usize,
    /// The objective's cost of the best tree so far.
    pub best: Option<f64>,
    /// What no tree can beat.
    pub bound: f64,
}

/// Builds the best tree for `goal` that the catalogue finds before `limit`; at least one algorithm always finishes.
pub fn build(instance: &Instance, goal: &Goal, limit: &Limit) -> Outcome {
    build_watched(instance, goal, limit, |_| ())
}

/// As [`build`], telling `watch` what is tried before it is tried.
pub fn build_watched(
    instance: &Instance,
    goal: &Goal,
    limit: &Limit,
    mut watch: impl FnMut(&Progress),
) -> Outcome {
    let start = Instant::now();
    let bound = bound::best_for(instance, goal.lambda(), Aim::of(goal.objective));
    let meets_bound = |costs: &Costs| costs.get(goal.objective) - bound.value <= ROUNDING * bound.value;
    let mut best: Option<Trial> = None;
    let mut stop = StopReason::Complete;
    let variants = variants(instance, goal);
    for (number, variant) in (1..).zip(&variants) {
        watch(&Progress {
            algorithm: variant.algorithm.name,
            number,
            of: variants.len(),
            best: best.as_ref().map(|best| best.costs.get(goal.objective)),
            bound: bound.value,
        });
        let limit = if best.is_none() { Limit::none() } else { *limit };
        let Some(trial) = variant.run(instance, goal.lambda(), &limit) else {
            stop = StopReason::Time;
            break;
        };
        let better = |best: &Trial| is_better(&trial.costs, &best.costs, goal.objective);
        if best.as_ref().is_none_or(better) {
            let proved = meets_bound(&trial.costs);
            best = Some(trial);
            if proved {
                stop = StopReason::Proved;
                break;
            }
        }
    }
    let Trial { algorithm, lambda, cost_blind, tree, costs, evidence, .. } =
        best.expect("the catalogue is not empty");
    let optimal = stop == StopReason::Proved;
    let gap = if optimal { 0.0 } else { costs.get(goal.objective) / bound.value - 1.0 };
    Outcome {
        algorithm,
        lambda,
        cost_blind,
        tree,
        evidence,
        costs,
        bound,
        gap,
        optimal,
        stop,
        elapsed: start.elapsed(),
    }
}

/// The tree of every algorithm, in the order of the catalogue; those that the limit cut off are left out.
pub fn trials(instance: &Instance, goal: &Goal, limit: &Limit) -> Vec<Trial> {
    let wanted = goal.algorithm.map_or_else(algorithms, |only| vec![only]);
    let variants = wanted.into_iter().map(|algorithm| Variant { algorithm, setting: goal.setting() });
    let mut trials = Vec::new();
    for variant in variants {
        let limit = if trials.is_empty() { Limit::none() } else { *limit };
        trials.extend(variant.run(instance, goal.lambda(), &limit));
    }
    trials
}

/// The objective decides; where it is equal, the expected cost, and then the worst.
///
/// Rounding must not decide between trees of one cost: the later costs would be a lottery. Equality is relative,
/// because costs may be counted in nanoseconds or in nations' budgets.
fn is_better(new: &Costs, old: &Costs, objective: Objective) -> bool {
    let all = |costs: &Costs| [costs.get(objective), costs.expected, costs.worst];
    let mut pairs = all(new).into_iter().zip(all(old));
    let decisive = pairs.find(|(new, old)| (new - old).abs() > ROUNDING * old);
    decisive.is_some_and(|(new, old)| new < old)
}

/// An algorithm with its settings.
struct Variant {
    algorithm: Algorithm,
    setting: Setting,
}

impl Variant {
    /// Builds its tree; the reported exponential cost is that of `reported`.
    fn run(&self, instance: &Instance, reported: Lambda, limit: &Limit) -> Option<Trial> {
        let start = Instant::now();
        let (tree, evidence) = self.algorithm.run(instance, self.setting, limit)?;
        let costs = Costs::of(&tree, instance, reported);
        Some(Trial {
            algorithm: self.algorithm.name,
            lambda: self.algorithm.uses_lambda.then_some(self.setting.lambda),
            cost_blind: self.setting.cost_blind && self.algorithm.can_be_blind(),
            tree,
            costs,
            evidence,
            elapsed: start.elapsed(),
        })
    }
}

/// What is worth trying: every algorithm; also blind to costs where they differ, and also at λ = ∞ for the worst case.
fn variants(instance: &Instance, goal: &Goal) -> Vec<Variant> {
    if let Some(algorithm) = goal.algorithm {
        return vec![Variant { algorithm, setting: goal.setting() }];
    }
    let mut lambdas = vec![goal.lambda()];
    if goal.objective == Objective::Worst && goal.lambda() != Lambda::INFINITY {
        lambdas.push(Lambda::INFINITY);
    }
    let mut variants = vec![];
    let mut add = |algorithm: Algorithm, cost_blind| {
        let count = if algorithm.uses_lambda { lambdas.len() } else { 1 };
        let setting = |&lambda| Setting { lambda, cost_blind };
        variants.extend(lambdas[..count].iter().map(setting).map(|setting| Variant { algorithm, setting }));
    };
    // The first always finishes, so it should be one that looks at what is to be identified: large tables need it.
    let (first, others): (Vec<_>, Vec<_>) =
        algorithms().into_iter().partition(|algorithm| algorithm.name == "ggbs");
    let all = || first.iter().chain(&others).copied();
    all().for_each(|algorithm| add(algorithm, goal.cost_blind));
    if !goal.cost_blind && !instance.has_equal_costs() {
        all().filter(Algorithm::can_be_blind).for_each(|algorithm| add(algorithm, true));
    }
    variants
}
