//! Closing of the front by the exact solver: for every worst cost on it, the least expected cost under that cap.
//!
//! Let `E(c)` be the least expected cost of a tree whose worst cost is at most `c`; it is a falling step function.
//! The known points, by rising worst cost `W_0 < W_1 < …`, show that `E(c) ≤ E_i` for `W_i ≤ c < W_{i+1}`. A solver
//! under the cap just below `W_{i+1}` (for the last point: without a cap) either proves that no such tree costs less
//! than `E_i`, and the step is closed, or finds a tree that does: a new point, which divides the step in two. Every
//! search either closes a step or adds a point, so that the front of specification section 8 is reached, both ends
//! lexicographic, if there is time for it.

use super::combine::ROUNDING;
use super::{Point, add_tree};
use crate::Limit;
use crate::exact::{self, Solution, Switches, Task};
use fewest_model::{Costs, Instance, Lambda, Objective};

/// Bound on the expected cost of all trees whose worst cost is at most `cap`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capped {
    pub(super) cap: f64,
    pub(super) bound: f64,
}

/// Relative difference below which worst costs are equal if costs have no common step.
const NO_STEP: f64 = 1e-9;

/// Closes the front as far as there is time; `known` holds the bounds found before, and the new ones are added.
/// Returns whether every step is closed.
pub(super) fn close(
    instance: &Instance,
    limit: &Limit,
    points: &mut Vec<Point>,
    known: &mut Vec<Capped>,
) -> bool {
    let cells = instance.object_count().saturating_mul(instance.test_count());
    if cells > exact::MAX_CELLS {
        return false;
    }
    // Caps that were tried without success; they get the rest of the time when all others are done.
    let mut tried: Vec<f64> = Vec::new();
    loop {
        let open = open_caps(instance, points, known);
        if open.is_empty() || limit.is_reached() {
            return open.is_empty();
        }
        let fresh: Vec<f64> = open.iter().copied().filter(|cap| !tried.contains(cap)).collect();
        let Some(cap) = from_both_ends(&fresh, tried.len()) else { return false };
        let share = (1.0 / fresh.len() as f64).clamp(0.2, 0.5);
        let solution = solve(instance, cap, &limit.share(share), points);
        tried.push(cap);
        take_in(instance, cap, solution, points, known);
    }
}

/// Alternates between the ends: the right end, the left end, the second from the right and so on.
fn from_both_ends(open: &[f64], turn: usize) -> Option<f64> {
    if turn.is_multiple_of(2) { open.last().copied() } else { open.first().copied() }
}

/// Caps under which a better point than the known ones may exist, by rising cap; one for each open step.
fn open_caps(instance: &Instance, points: &[Point], known: &[Capped]) -> Vec<f64> {
    // There is a step below the first point as well: that no tree has a smaller worst cost.
    let first = points.first().map_or(0.0, |point| point.costs.worst);
    let before = (first > 0.0).then(|| (f64::INFINITY, 0.0, below(instance, first)));
    let ends = points.iter().skip(1).map(|next| below(instance, next.costs.worst));
    let ends = ends.chain([f64::INFINITY]);
    let steps = points.iter().zip(ends).map(|(point, cap)| (point.costs.expected, point.costs.worst, cap));
    let is_open = |(expected, worst, cap): &(f64, f64, f64)| {
        cap >= worst && !is_reached(*expected, bound_under(known, *cap))
    };
    before.into_iter().chain(steps).filter(is_open).map(|(_, _, cap)| cap).collect()
}

/// Lower bound on the expected cost of trees whose worst cost is at most `cap`.
pub(super) fn bound_under(known: &[Capped], cap: f64) -> f64 {
    let holds = |capped: &&Capped| capped.cap >= cap * (1.0 - ROUNDING);
    known.iter().filter(holds).map(|capped| capped.bound).fold(0.0, f64::max)
}

/// Whether a cost is no more than a bound, up to rounding.
pub(super) fn is_reached(cost: f64, bound: f64) -> bool {
    bound == f64::INFINITY || cost - bound <= ROUNDING * bound
}

/// Largest worst cost below `worst` that a tree can have.
pub(super) fn below(instance: &Instance, worst: f64) -> f64 {
    let costs = instance.costs();
    if !costs.is_exact() {
        return worst * (1.0 - NO_STEP);
    }
    // Exact units are whole numbers below 2^53.
    let gcd = |step: u64, unit: &f64| crate::bound::steps::gcd(step, *unit as u64);
    let step = match instance.pricing() {
        None => costs.units().iter().fold(0, gcd),
        Some(pricing) => pricing.units().iter().fold(0, gcd),
    };
    ((worst * costs.scale()).round() - step.max(1) as f64).max(0.0) / costs.scale()
}

fn solve(instance: &Instance, cap: f64, limit: &Limit, points: &[Point]) -> Solution {
    let task = Task {
        instance,
        objective: Objective::Expected,
        cap,
        trees: points.iter().map(|point| &point.tree).collect(),
        deadline: limit.deadline(),
        memory: limit.memory(),
        threads: rayon::current_num_threads(),
        switches: Switches::ALL,
        proof: false,
    };
    exact::solve(&task, |_| !limit.is_interrupted())
}

/// Adds the result of the solver under `cap`: its bound, and its tree if it is better than the known ones.
fn take_in(
    instance: &Instance,
    cap: f64,
    solution: Solution,
    points: &mut Vec<Point>,
    known: &mut Vec<Capped>,
) {
    let Solution { tree, mut bound, complete, .. } = solution;
    if let Some(tree) = tree {
        let costs = Costs::of(&tree, instance, Lambda::TWO);
        if complete && costs.worst <= cap * (1.0 + ROUNDING) {
            // The bound is the cost of this tree, without the rounding of another sum.
            bound = costs.expected;
        }
        add_tree(instance, tree, if complete { "optimal" } else { "search" }, points);
    }
    known.push(Capped { cap, bound });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_holds_for_tighter_caps_only() {
        let known = [Capped { cap: f64::INFINITY, bound: 2.0 }, Capped { cap: 5.0, bound: 3.0 }];
        assert_eq!([7.0, 5.0, 4.0].map(|cap| bound_under(&known, cap)), [2.0, 3.0, 3.0]);
        assert_eq!(bound_under(&[], 1.0), 0.0);
    }

    #[test]
    fn searches_come_from_both_ends() {
        let open = [3.0, 4.0, 5.0];
        assert_eq!([0, 1, 2].map(|turn| from_both_ends(&open, turn)), [Some(5.0), Some(3.0), Some(5.0)]);
        assert_eq!(from_both_ends(&[], 0), None);
    }
}
