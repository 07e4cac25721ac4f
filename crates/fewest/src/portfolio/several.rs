//! Portfolio for tables in which objects may give several answers: the best of the greedy trees.
//!
//! The exact solver, DecTree and the proofs need one answer in every cell, so they are not used. Trees may be too
//! large to be written out; the best tree of limited size is then an outcome as well, with the leaves that it leaves
//! open.

use super::{
    Cap, Goal, Limit, Origin, Outcome, Progress, ROUNDING, StopReason, Trial, Variant, gap, is_better,
    variants,
};
use crate::algorithm::{Method, Setting};
use crate::bound::{self, Bound, ObjectiveKind};
use crate::builder::{Grown, SharesGreedy, grow_shares};
use crate::criterion::Settings;
use fewest_model::{Costs, Identify, Instance, Lambda, Objective};
use std::time::Instant;

/// Most leaves of an unfinished tree: few enough to be read.
const SHOWN_LEAVES: usize = 20_000;
/// Most leaves of a finished tree.
const MAX_LEAVES: usize = 1_000_000;

/// Builds the best greedy tree; the counterpart of [`build_watched`](super::build_watched).
pub(super) fn build(
    instance: &Instance,
    goal: &Goal,
    limit: &Limit,
    watch: &mut dyn FnMut(&Progress),
) -> Outcome {
    let start = Instant::now();
    let cap = match goal.cap {
        Cap::None => f64::INFINITY,
        Cap::At(cap) => cap,
        Cap::Least => {
            let worst = Goal { objective: Objective::Worst, cap: Cap::None, algorithm: None, ..*goal };
            build(instance, &worst, &limit.share(0.5), watch).costs.worst
        }
    };
    let mut wanted = variants(instance, goal);
    wanted.retain(|variant| matches!(variant.algorithm.method, Method::Criterion(_)));
    let mut trials = Vec::new();
    for (number, variant) in wanted.iter().enumerate() {
        watch(&Progress {
            algorithm: variant.algorithm.name,
            number: number + 1,
            of: wanted.len(),
            best: None,
            bound: 0.0,
            states: 0,
        });
        let is_finished = trials.iter().any(|(trial, _): &Attempt| trial.unfinished.is_none());
        let limit = limit.share(part(wanted.len() - number, is_finished));
        trials.extend(variant.run_several(instance, goal.lambda(), &limit, SHOWN_LEAVES));
    }
    let mut best = best_of(&trials, goal.objective, cap);
    let mut trial = trials[best].clone();
    if let (Some(_), Some(variant)) = (trial.0.unfinished, wanted.get(best)) {
        // There may be time left to finish the best unfinished tree.
        let whole = variant.run_several(instance, goal.lambda(), limit, MAX_LEAVES);
        if let Some(whole) = whole.filter(|(whole, _)| whole.unfinished.is_none()) {
            trials[best] = whole;
            best = best_of(&trials, goal.objective, cap);
            trial = trials[best].clone();
        }
    }
    outcome(instance, goal, limit, (trial, cap), &trials, start)
}

/// Builds the trees of all greedy algorithms; the counterpart of [`compare`](super::compare).
pub(super) fn compare(instance: &Instance, goal: &Goal, limit: &Limit) -> (Vec<Trial>, Outcome) {
    let start = Instant::now();
    let trials = run_all(instance, goal, limit);
    let best = best_of(&trials, goal.objective, f64::INFINITY);
    let outcome = outcome(instance, goal, limit, (trials[best].clone(), f64::INFINITY), &trials, start);
    (trials.into_iter().map(|(trial, _)| trial).collect(), outcome)
}

/// Builds the trees of all greedy algorithms; the counterpart of [`trials`](super::trials).
pub(super) fn trials(instance: &Instance, goal: &Goal, limit: &Limit) -> Vec<Trial> {
    run_all(instance, goal, limit).into_iter().map(|(trial, _)| trial).collect()
}

/// Share of the time for one of the algorithms that are `left`: until there is a finished tree, more than an even
/// share.
fn part(left: usize, is_finished: bool) -> f64 {
    let even = 1.0 / left as f64;
    if is_finished { even } else { even.max(0.4) }
}

/// Tree with the reason why it is not finished, or [`StopReason::Complete`].
type Attempt = (Trial, StopReason);

fn run_all(instance: &Instance, goal: &Goal, limit: &Limit) -> Vec<Attempt> {
    let is_greedy = |algorithm: &crate::Algorithm| algorithm.takes_several();
    let mut wanted: Vec<_> = goal.algorithm.into_iter().filter(is_greedy).collect();
    if wanted.is_empty() {
        wanted = crate::algorithms().into_iter().filter(is_greedy).collect();
    }
    let count = wanted.len();
    let run = |(number, algorithm)| {
        let limit = limit.share(part(count - number, true));
        Variant { algorithm, setting: goal.setting() }.run_several(
            instance,
            goal.lambda(),
            &limit,
            SHOWN_LEAVES,
        )
    };
    wanted.into_iter().enumerate().filter_map(run).collect()
}

/// Index of the best tree: a finished one before one that is not; among unfinished ones, the one that leaves least
/// open.
fn best_of(trials: &[Attempt], objective: Objective, cap: f64) -> usize {
    let error = |trial: &Trial| trial.unfinished.map_or(0.0, |unfinished| unfinished.error);
    let within = |trial: &Trial| trial.costs.worst <= cap * (1.0 + ROUNDING);
    let wins = |new: &Trial, old: &Trial| match (new.unfinished, old.unfinished) {
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (Some(_), Some(_)) => error(new) < error(old) * (1.0 - ROUNDING),
        (None, None) => match (within(new), within(old)) {
            (true, true) => is_better(&new.costs, &old.costs, objective),
            (false, false) => is_better(&new.costs, &old.costs, Objective::Worst),
            (new, _) => new,
        },
    };
    (1..trials.len()).fold(0, |best, at| if wins(&trials[at].0, &trials[best].0) { at } else { best })
}

fn outcome(
    instance: &Instance,
    goal: &Goal,
    limit: &Limit,
    ((trial, stop), cap): (Attempt, f64),
    trials: &[Attempt],
    start: Instant,
) -> Outcome {
    let Trial { origin, lambda, cost_blind, tree, costs, evidence, unfinished, .. } = trial;
    let cost = costs.get(goal.objective);
    let kind = goal.objective.kind();
    let mut bounds = match unfinished {
        None => {
            let all = bound::all(instance, goal.lambda());
            ObjectiveKind::ALL.map(|kind| bound::best(&all, kind))
        }
        // The bound on the expected cost of a strategy that leaves as much open is also one on the worst and
        // exponential cost.
        Some(unfinished) => {
            let value = bound::fano(instance, unfinished.error);
            ObjectiveKind::ALL.map(|kind| Bound { name: "fano", kind, value })
        }
    };
    let mut bound = bound::best(&bounds, kind);
    let is_within = costs.worst <= cap * (1.0 + ROUNDING);
    let optimal = unfinished.is_none() && is_within && cost - bound.value <= ROUNDING * bound.value;
    // The bound cannot exceed the cost found; rounding must not make it so.
    bound.value = if optimal { cost } else { bound.value.min(cost) };
    bounds.iter_mut().filter(|other| other.kind == kind).for_each(|other| *other = bound);
    let cut = trials.iter().map(|(_, stop)| *stop).find(|stop| *stop != StopReason::Complete);
    let stop = match stop {
        _ if optimal => StopReason::Proved,
        StopReason::Complete => cut.unwrap_or(StopReason::Complete),
        stop => stop,
    };
    let interrupted = stop == StopReason::Time && limit.is_interrupted();
    Outcome {
        origin,
        lambda,
        cost_blind,
        tree,
        evidence,
        costs,
        bound,
        bounds,
        gap: if optimal { 0.0 } else { gap(cost, bound.value) },
        optimal,
        stop: if interrupted { StopReason::Interrupted } else { stop },
        cap,
        states: 0,
        proof: None,
        unfinished,
        unranked: 0,
        elapsed: start.elapsed(),
    }
}

impl Variant {
    /// Builds the tree as far as the limits allow; the reported exponential cost is that of `reported`.
    fn run_several(
        &self,
        instance: &Instance,
        reported: Lambda,
        limit: &Limit,
        most_leaves: usize,
    ) -> Option<Attempt> {
        let start = Instant::now();
        let Method::Criterion(make) = self.algorithm.method else { return None };
        let Setting { lambda, cost_blind, .. } = self.setting;
        // An open answer has entropy that tells nothing of the object, so ggbs and gbs differ even if objects are
        // identified.
        let criterion = make(Settings { lambda, identify: Identify::Groups });
        let greedy = SharesGreedy::new(instance, criterion.as_ref(), cost_blind);
        let Grown { tree, unfinished, by_leaves } = grow_shares(&greedy, limit, most_leaves);
        let stop = match (unfinished, by_leaves) {
            (None, _) => StopReason::Complete,
            (Some(_), true) => StopReason::Nodes,
            (Some(_), false) => StopReason::Time,
        };
        let costs = Costs::of(&tree, instance, reported);
        let trial = Trial {
            origin: Origin::Rule(self.algorithm.name),
            lambda: self.algorithm.uses_lambda.then_some(lambda),
            cost_blind,
            tree,
            costs,
            evidence: Vec::new(),
            unfinished,
            unranked: 0,
            elapsed: start.elapsed(),
        };
        Some((trial, stop))
    }
}
