//! Portfolio: tries the algorithms of the catalogue, then searches, and keeps the best tree and the best bound.

mod several;

use crate::algorithm::{Algorithm, Setting, algorithms};
use crate::bound::{self, Bound, ObjectiveKind};
use crate::builder::{Late, Packing};
use crate::criterion;
use crate::exact::{self, Solution, Standing, Switches, Task};
use crate::goal::{Cap, Goal};
use crate::limit::Limit;
use crate::outcome::{Origin, Outcome, Progress, StopReason, Trial, gap};
use fewest_model::{Costs, Instance, Lambda, Objective, Proof, Tree};
use std::time::{Duration, Instant};

/// Relative difference below which two costs differ by rounding only.
const ROUNDING: f64 = 1e-12;

/// Builds the best tree for `goal` that the catalogue and the search find before `limit`. There is always a tree: if
/// the time is too short for the first algorithm, [`Outcome::unranked`] is the number of its questions that were
/// chosen without comparing tests. Without a limit the search goes on until it has a proof, which on a hard table may
/// take for ever.
///
/// If objects may give several answers, only the greedy algorithms are tried, whatever else `goal` names, and none of
/// them has to finish: see [`Outcome::unfinished`].
pub fn build(instance: &Instance, goal: &Goal, limit: &Limit) -> Outcome {
    build_watched(instance, goal, limit, |_| ())
}

/// Runs [`build`] and calls `watch` before each algorithm, and with the progress of the search.
pub fn build_watched(
    instance: &Instance,
    goal: &Goal,
    limit: &Limit,
    mut watch: impl FnMut(&Progress),
) -> Outcome {
    if instance.has_several() {
        return several::build(instance, goal, limit, &mut watch);
    }
    let start = Instant::now();
    let mut first = None;
    let cap = match goal.cap {
        Cap::None => f64::INFINITY,
        Cap::At(cap) => cap,
        Cap::Least => {
            let worst = Goal { objective: Objective::Worst, cap: Cap::None, algorithm: None, ..*goal };
            let mut tell = |progress: &Progress| watch(progress);
            let outcome =
                build_watched(instance, &worst, &limit.share(0.5), &mut tell as &mut dyn FnMut(&Progress));
            first = Some(outcome.tree);
            outcome.costs.worst
        }
    };
    let mut portfolio = Portfolio::new(instance, goal, cap, limit);
    if let Some(tree) = first {
        portfolio.offer(Trial::of_search(instance, tree, goal.lambda(), start));
    }
    portfolio.try_all(limit, &mut watch);
    if goal.searches() && portfolio.stop != StopReason::Proved {
        portfolio.search(limit, &mut watch);
    } else if goal.searches() && goal.proof {
        // No better tree is left to be found, but a bound known beforehand has no proof for the checker: the search
        // may find one.
        portfolio.search(&limit.share(0.2), &mut watch);
    }
    portfolio.finish(limit, start)
}

/// Most cells of a table whose search usually ends in less time than a bound by a linear program takes.
const MAX_SOON_SEARCHED_CELLS: usize = 4096;

/// Whether the search is likely to make bounds by linear programs unnecessary.
fn is_soon_searched(instance: &Instance, goal: &Goal) -> bool {
    goal.searches()
        && instance.object_count().saturating_mul(instance.test_count()) <= MAX_SOON_SEARCHED_CELLS
}

/// Share of the time that bounds may take before the first tree is grown.
const BOUNDS_SHARE: f64 = 0.25;

/// Time that is reserved for the bounds after the search of a small table: more than they take.
const RESERVE: Duration = Duration::from_millis(100);

/// Most cells of a table for which bounds that read the table are computed beside a single rule: the rule grows its
/// tree in about 10 ms, and such bounds would take longer.
const MAX_CELLS_BESIDE_A_RULE: usize = 1 << 18;

/// Best bound of each kind, without taking longer than the rest of the build.
fn bounds(instance: &Instance, goal: &Goal, limit: &Limit) -> [Bound; 3] {
    let cells = instance.object_count().saturating_mul(instance.test_count());
    let all = match goal.searches() || cells <= MAX_CELLS_BESIDE_A_RULE {
        true => bound::all_within(instance, goal.lambda(), limit),
        false => bound::quick(instance, goal.lambda()),
    };
    ObjectiveKind::ALL.map(|kind| bound::best(&all, kind))
}

/// A build in progress: the trees found and the bounds on better ones.
struct Portfolio<'a> {
    instance: &'a Instance,
    goal: &'a Goal,
    cap: f64,
    bound: Bound,
    /// Best bound of each kind, as far as they were computed.
    bounds: Option<[Bound; 3]>,
    trials: Vec<Trial>,
    best: Option<usize>,
    stop: StopReason,
    states: u64,
    proof: Option<Proof>,
}

impl<'a> Portfolio<'a> {
    fn new(instance: &'a Instance, goal: &'a Goal, cap: f64, limit: &Limit) -> Self {
        let (kind, limit) = (goal.objective.kind(), limit.share(BOUNDS_SHARE));
        let bounds = (!is_soon_searched(instance, goal)).then(|| bounds(instance, goal, &limit));
        let bound = match &bounds {
            Some(bounds) => bound::best(bounds, kind),
            None => bound::before_search(instance, goal.lambda(), kind, &limit),
        };
        let (trials, best, stop) = (Vec::new(), None, StopReason::Complete);
        Self { instance, goal, cap, bound, bounds, trials, best, stop, states: 0, proof: None }
    }

    fn cost(&self) -> Option<f64> {
        self.best.map(|at| self.trials[at].costs.get(self.goal.objective))
    }

    /// Adds a tree to the trials, and keeps the best one so far.
    fn offer(&mut self, trial: Trial) {
        let is_better = |best: usize| self.is_better(&trial.costs, &self.trials[best].costs);
        if self.best.is_none_or(is_better) {
            self.best = Some(self.trials.len());
            let cost = trial.costs.get(self.goal.objective);
            if self.is_within(&trial.costs) && cost - self.bound.value <= ROUNDING * self.bound.value {
                self.stop = StopReason::Proved;
            }
        }
        self.trials.push(trial);
    }

    fn is_within(&self, costs: &Costs) -> bool {
        costs.worst <= self.cap * (1.0 + ROUNDING)
    }

    /// Whether `new` is better: a tree within the cap beats one beyond it; beyond the cap, the worst cost decides.
    fn is_better(&self, new: &Costs, old: &Costs) -> bool {
        match (self.is_within(new), self.is_within(old)) {
            (true, true) => is_better(new, old, self.goal.objective),
            (false, false) => is_better(new, old, Objective::Worst),
            (new, _) => new,
        }
    }

    /// Tries every algorithm of the catalogue, until one meets the bound.
    fn try_all(&mut self, limit: &Limit, watch: &mut impl FnMut(&Progress)) {
        let variants = variants(self.instance, self.goal);
        let packing = Packing::for_trees(variants.len());
        for (number, variant) in (1..).zip(&variants) {
            if self.stop == StopReason::Proved {
                return;
            }
            watch(&Progress {
                algorithm: variant.algorithm.name,
                number,
                of: variants.len(),
                best: self.cost(),
                bound: self.bound.value,
                states: 0,
            });
            match variant.run(self.instance, self.goal.lambda(), &packing, limit, self.best.is_none()) {
                Some(trial) if trial.unranked == 0 => self.offer(trial),
                trial => {
                    trial.into_iter().for_each(|trial| self.offer(trial));
                    if self.stop != StopReason::Proved {
                        self.stop = StopReason::Time;
                    }
                    return;
                }
            }
        }
    }

    /// Searches on from the trees found, for a better tree and for a proof.
    fn search(&mut self, limit: &Limit, watch: &mut impl FnMut(&Progress)) {
        let cells = self.instance.object_count().saturating_mul(self.instance.test_count());
        if cells > exact::MAX_CELLS || limit.is_reached() {
            return;
        }
        let reserve = limit.left().map_or(RESERVE, |left| RESERVE.min(left / 20));
        let limit = if self.bounds.is_none() { limit.earlier(reserve) } else { limit.clone() };
        let start = Instant::now();
        let task = Task {
            instance: self.instance,
            objective: self.goal.objective,
            cap: self.cap,
            trees: self.trials.iter().map(|trial| &trial.tree).collect(),
            deadline: limit.deadline(),
            memory: limit.memory(),
            threads: rayon::current_num_threads(),
            switches: Switches::ALL,
            proof: self.goal.proof,
        };
        let (best, bound) = (self.cost(), self.bound.value);
        let Solution { tree, bound, complete, states, proof, .. } =
            exact::solve(&task, |standing: &Standing| {
                watch(&Progress {
                    algorithm: Origin::Search.name(),
                    number: 1,
                    of: 1,
                    best: Some(best.map_or(standing.cost, |best| best.min(standing.cost))),
                    bound: bound.max(standing.bound),
                    states: standing.states,
                });
                !limit.is_interrupted()
            });
        self.states = states;
        if bound > self.bound.value * (1.0 + ROUNDING) {
            self.bound = Bound { name: Origin::Search.name(), kind: self.bound.kind, value: bound };
        }
        self.proof = proof;
        if let Some(tree) = tree {
            let trial = Trial::of_search(self.instance, tree, self.goal.lambda(), start);
            if self.goal.algorithm.is_some() {
                self.best = None;
            }
            self.offer(trial);
        }
        if complete {
            self.stop = StopReason::Proved;
        } else if self.stop != StopReason::Proved {
            self.stop = StopReason::Time;
        }
    }

    fn finish(mut self, limit: &Limit, start: Instant) -> Outcome {
        let best = self.best.expect("the catalogue is not empty");
        let Trial { mut origin, lambda, cost_blind, tree, costs, evidence, unranked, .. } =
            self.trials.swap_remove(best);
        let cost = costs.get(self.goal.objective);
        let optimal = self.stop == StopReason::Proved && self.is_within(&costs);
        let asked_for = self.goal.algorithm.is_some_and(|algorithm| algorithm.is_exact());
        if (origin == Origin::Search || asked_for) && optimal {
            origin = Origin::Optimal;
        }
        let mut bounds = self.bounds.unwrap_or_else(|| bounds(self.instance, self.goal, limit));
        // Bounds that were not computed before the search may be higher.
        let known = bound::best(&bounds, self.bound.kind);
        if !optimal && known.value > self.bound.value * (1.0 + ROUNDING) {
            self.bound = known;
        }
        // The bound cannot exceed the cost found; rounding must not make it so.
        self.bound.value = if optimal { cost } else { self.bound.value.min(cost) };
        let own = bounds.iter_mut().filter(|bound| bound.kind == self.bound.kind);
        own.for_each(|bound| *bound = self.bound);
        let stop = if self.stop == StopReason::Time && limit.is_interrupted() {
            StopReason::Interrupted
        } else {
            self.stop
        };
        Outcome {
            origin,
            lambda,
            cost_blind,
            tree,
            evidence,
            costs,
            bound: self.bound,
            bounds,
            gap: if optimal { 0.0 } else { gap(cost, self.bound.value) },
            optimal,
            stop,
            cap: self.cap,
            states: self.states,
            proof: self.proof,
            unfinished: None,
            unranked,
            elapsed: start.elapsed(),
        }
    }
}

impl Trial {
    /// Makes the trial of a tree that the exact solver found.
    fn of_search(instance: &Instance, tree: Tree, lambda: Lambda, start: Instant) -> Self {
        let costs = Costs::of(&tree, instance, lambda);
        let (cost_blind, evidence) = (false, Vec::new());
        Self {
            origin: Origin::Search,
            lambda: None,
            cost_blind,
            tree,
            costs,
            evidence,
            unfinished: None,
            unranked: 0,
            elapsed: start.elapsed(),
        }
    }
}

/// Builds the tree of every algorithm, and the outcome of the search from them: the optimum, or a bound for all of
/// them.
pub fn compare(
    instance: &Instance,
    goal: &Goal,
    limit: &Limit,
    mut watch: impl FnMut(&Progress),
) -> (Vec<Trial>, Outcome) {
    if instance.has_several() {
        return several::compare(instance, goal, limit);
    }
    let start = Instant::now();
    let trials = trials(instance, goal, &limit.share(0.5));
    let mut portfolio = Portfolio::new(instance, goal, f64::INFINITY, limit);
    trials.iter().for_each(|trial| portfolio.offer(trial.clone()));
    if portfolio.stop != StopReason::Proved {
        portfolio.search(limit, &mut watch);
    }
    (trials, portfolio.finish(limit, start))
}

/// Builds the tree of every algorithm, in the order of the catalogue; those that the limit cut off are left out.
pub fn trials(instance: &Instance, goal: &Goal, limit: &Limit) -> Vec<Trial> {
    if instance.has_several() {
        return several::trials(instance, goal, limit);
    }
    let wanted = goal.algorithm.map_or_else(algorithms, |only| vec![only]);
    let packing = Packing::for_trees(wanted.len());
    let variants = wanted.into_iter().map(|algorithm| Variant { algorithm, setting: goal.setting() });
    let mut trials = Vec::new();
    for variant in variants {
        trials.extend(variant.run(instance, goal.lambda(), &packing, limit, trials.is_empty()));
    }
    trials
}

/// Whether `new` is better than `old`: the objective decides; if equal, the expected cost, and then the worst.
///
/// Rounding must not decide between trees of equal cost. Equality is relative, because the unit of the costs is
/// arbitrary.
fn is_better(new: &Costs, old: &Costs, objective: Objective) -> bool {
    let all = |costs: &Costs| [costs.get(objective), costs.expected, costs.worst];
    let mut pairs = all(new).into_iter().zip(all(old));
    let decisive = pairs.find(|(new, old)| (new - old).abs() > ROUNDING * old);
    decisive.is_some_and(|(new, old)| new < old)
}

/// Algorithm with its settings.
struct Variant {
    algorithm: Algorithm,
    setting: Setting,
}

impl Variant {
    /// Builds the tree; the reported exponential cost is that of `reported`. If a tree is needed (`must`) and the
    /// time is up, its last questions are chosen without comparing tests.
    fn run(
        &self,
        instance: &Instance,
        reported: Lambda,
        packing: &Packing,
        limit: &Limit,
        must: bool,
    ) -> Option<Trial> {
        if self.algorithm.is_exact() {
            return Some(self.search(instance, limit));
        }
        let start = Instant::now();
        // Finishing a tree and adding up its costs takes some time as well.
        let (limit, late) =
            if must { (limit.share(0.9), Late::Finish) } else { (limit.clone(), Late::GiveUp) };
        let ((tree, evidence), unranked) =
            self.algorithm.run(instance, self.setting, packing, &limit, late)?;
        let costs = Costs::of(&tree, instance, reported);
        Some(Trial {
            origin: Origin::Rule(self.algorithm.name),
            lambda: self.algorithm.uses_lambda.then_some(self.setting.lambda),
            cost_blind: self.setting.cost_blind && self.algorithm.can_be_blind(),
            tree,
            costs,
            evidence,
            unfinished: None,
            unranked,
            elapsed: start.elapsed(),
        })
    }
}

impl Variant {
    /// Builds the tree of the exact search, started from the trees of all rules.
    fn search(&self, instance: &Instance, limit: &Limit) -> Trial {
        let start = Instant::now();
        let Setting { objective, lambda, .. } = self.setting;
        let goal = Goal { objective, lambda, algorithm: Some(self.algorithm), ..Goal::default() };
        let outcome = build(instance, &goal, limit);
        let trial = Trial::of_search(instance, outcome.tree, lambda, start);
        Trial { origin: Origin::Rule(self.algorithm.name), unranked: outcome.unranked, ..trial }
    }
}

/// Variants worth trying: every algorithm; also blind to costs if they differ, and also at λ = ∞ for the worst case.
fn variants(instance: &Instance, goal: &Goal) -> Vec<Variant> {
    if let Some(algorithm) = goal.algorithm.filter(|algorithm| !algorithm.is_exact()) {
        return vec![Variant { algorithm, setting: goal.setting() }];
    }
    let mut lambdas = vec![goal.lambda()];
    if goal.objective == Objective::Worst && goal.lambda() != Lambda::INFINITY {
        lambdas.push(Lambda::INFINITY);
    }
    let mut variants = vec![];
    let mut add = |algorithm: Algorithm, cost_blind| {
        let count = if algorithm.uses_lambda { lambdas.len() } else { 1 };
        let setting = |&lambda| Setting { objective: goal.objective, lambda, cost_blind };
        variants.extend(lambdas[..count].iter().map(setting).map(|setting| Variant { algorithm, setting }));
    };
    // The first one always finishes, so on large tables it should be one that looks at the groups to be identified.
    let (first, others): (Vec<_>, Vec<_>) =
        algorithms().into_iter().partition(|algorithm| algorithm.name == criterion::DEFAULT.name);
    let all = || first.iter().chain(&others).copied();
    all().for_each(|algorithm| add(algorithm, goal.cost_blind));
    if !goal.cost_blind && !instance.has_equal_costs() {
        all().filter(Algorithm::can_be_blind).for_each(|algorithm| add(algorithm, true));
    }
    variants
}
