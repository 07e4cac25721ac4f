//! Trade-off between expected and worst cost: strategies of which none is better than another in both.
//!
//! A strategy that is cheap on average may be very expensive in its worst case, and the other way round. The front
//! shows the strategies in between, so that the user can choose: every algorithm's tree, those of the exponential
//! criteria for many λ (which lie between the two ends by design), and the best combinations that begin like one tree
//! and end like another ([`combine`] at every switching cost, and the more general [`cuts`]). From there the exact
//! solver closes the front: each point is then proved to be optimal under its own worst cost, or has a lower bound
//! for all strategies under it.

mod close;
mod combine;
mod cuts;

pub use combine::combine;
pub use cuts::cuts;

use crate::bound::{self, Bound, ObjectiveKind};
use crate::builder::unfold;
use crate::criterion::{self, Settings};
use crate::{Goal, Greedy, Limit, StopReason, build, trials};
use close::{Capped, below, bound_under, close, is_reached};
use combine::ROUNDING;
use cuts::wanted_cuts;
use fewest_model::{Costs, Instance, Lambda, Objective, Tree};

/// Values of λ that are tried, from nearly the expected cost to the worst.
const LAMBDAS: [f64; 8] = [1.2, 1.5, 2.0, 4.0, 10.0, 100.0, 1e4, f64::INFINITY];

/// Most trees whose pairs are combined.
const PARTNERS: usize = 6;

/// Most rounds in which the front is combined with itself.
const ROUNDS: usize = 3;

/// Strategy that no other on the front beats in both costs.
#[derive(Clone, Debug)]
pub struct Point {
    /// Costs of the strategy.
    pub costs: Costs,
    /// The strategy.
    pub tree: Tree,
    /// Algorithm that found the strategy, or `combine`.
    pub by: &'static str,
    /// Lower bound on the expected cost of every strategy whose worst cost is at most that of this one.
    pub bound: f64,
    /// Whether the expected cost meets the bound: no strategy is better under this worst cost.
    pub proved: bool,
}

/// Strategies of which none is better than another in both costs.
#[derive(Clone, Debug)]
pub struct Front {
    /// Points by rising worst cost, and so by falling expected cost; never empty.
    pub points: Vec<Point>,
    /// Lower bounds on the expected and the worst cost of every strategy, as far as the search proved them.
    pub bounds: Vec<Bound>,
    /// Whether the front is closed, as far as the solver takes tables of this size; otherwise why it stopped.
    pub stop: StopReason,
}

/// Computes the front of everything that is tried before `limit`; the first algorithm always finishes.
///
/// # Panics
/// When objects may give several answers ([`Instance::has_several`]): trees are joined by the one answer of each
/// object.
pub fn front(instance: &Instance, limit: &Limit) -> Front {
    assert!(!instance.has_several(), "a front needs one answer in every cell");
    let mut points = Vec::new();
    // At least half of the time is for the solver.
    let whole = limit;
    let limit = &whole.share(0.4);
    let blind: &[bool] = if instance.has_equal_costs() { &[false] } else { &[false, true] };
    for &cost_blind in blind {
        if points.is_empty() || !limit.is_reached() {
            for trial in trials(instance, &Goal { cost_blind, ..Goal::default() }, limit) {
                add_tree(instance, trial.tree, trial.origin.name(), &mut points);
            }
        }
        sweep(instance, cost_blind, limit, &mut points);
    }
    let (mut bounds, mut known) = ends(instance, whole, &mut points);
    let limit = &whole.share(0.3);
    // Combined trees may be combined again; each round starts from a better front or is the last.
    for _ in 0..ROUNDS {
        let before: Vec<Costs> = points.iter().map(|point| point.costs).collect();
        combinations(instance, limit, &mut points);
        if points.iter().map(|point| point.costs).eq(before) {
            break;
        }
    }
    let is_closed = close(instance, whole, &mut points, &mut known);
    for point in &mut points {
        let bound = bound_under(&known, point.costs.worst);
        point.proved = is_reached(point.costs.expected, bound);
        // The bound cannot exceed the cost found; rounding must not make it so.
        point.bound = if point.proved { point.costs.expected } else { bound.min(point.costs.expected) };
    }
    let least = points.first().map_or(0.0, |point| point.costs.worst);
    if bound_under(&known, below(instance, least)) == f64::INFINITY {
        bounds.push(Bound { name: "search", kind: ObjectiveKind::Worst, value: least });
    }
    let stop = match () {
        () if whole.is_interrupted() => StopReason::Interrupted,
        () if !is_closed && whole.is_reached() => StopReason::Time,
        () => StopReason::Complete,
    };
    Front { points, bounds, stop }
}

/// Finds the best trees for either cost, as far as the search gets in its share of the time, and the bounds it
/// proved.
fn ends(instance: &Instance, limit: &Limit, points: &mut Vec<Point>) -> (Vec<Bound>, Vec<Capped>) {
    let (mut bounds, mut known) = (Vec::new(), vec![at_once(instance)]);
    for objective in [Objective::Worst, Objective::Expected] {
        if limit.is_reached() {
            break;
        }
        let outcome = build(instance, &Goal { objective, ..Goal::default() }, &limit.share(0.3));
        add_tree(instance, outcome.tree, outcome.origin.name(), points);
        bounds.push(outcome.bound);
        match objective {
            Objective::Expected => known.push(Capped { cap: f64::INFINITY, bound: outcome.bound.value }),
            // No tree has a worst cost below the least one.
            _ if outcome.optimal => {
                known.push(Capped { cap: below(instance, outcome.costs.worst), bound: f64::INFINITY });
            }
            _ => {}
        }
    }
    (bounds, known)
}

/// Bound without any search: by the bounds that take hardly any time.
fn at_once(instance: &Instance) -> Capped {
    let bound = bound::best(&bound::quick(instance, Lambda::TWO), ObjectiveKind::Expected);
    Capped { cap: f64::INFINITY, bound: bound.value }
}

/// Tries the criteria for exponential cost, at one λ after the other.
fn sweep(instance: &Instance, cost_blind: bool, limit: &Limit, points: &mut Vec<Point>) {
    for entry in criterion::CATALOGUE.iter().filter(|entry| entry.uses_lambda) {
        for lambda in LAMBDAS.map(|value| Lambda::new(value).expect("all are at least 1")) {
            let criterion = (entry.make)(Settings { lambda, identify: instance.identify() });
            let greedy = Greedy::new(instance, criterion.as_ref(), cost_blind);
            let Some(tree) = unfold(instance, &greedy, limit) else { return };
            add_tree(instance, tree, entry.name, points);
        }
    }
}

/// Combines pairs of trees on the front, the one of lower expected cost first.
fn combinations(instance: &Instance, limit: &Limit, points: &mut Vec<Point>) {
    let partners: Vec<Tree> = chosen(points.len()).map(|at| points[at].tree.clone()).collect();
    for (at, f) in partners.iter().enumerate() {
        for d in partners[at + 1..].iter().rev() {
            let is_new =
                |expected, worst| !points.iter().any(|point| is_as_good(&point.costs, expected, worst));
            // The cuts add up one cost for each test; where costs depend on the path, a tree switches at one cost.
            let trees = match instance.pricing() {
                None => wanted_cuts(instance, d, f, limit, is_new),
                Some(_) => one_switch(instance, d, f, limit),
            };
            let Some(trees) = trees else { return };
            trees.into_iter().for_each(|tree| add_tree(instance, tree, "combine", points));
        }
    }
}

/// Combinations of two trees at every switching cost; `None` if the limit is reached.
fn one_switch(instance: &Instance, d: &Tree, f: &Tree, limit: &Limit) -> Option<Vec<Tree>> {
    let switches = switching_costs(instance, d).into_iter();
    switches.map(|switch| (!limit.is_reached()).then(|| combine(instance, d, f, switch))).collect()
}

/// Up to [`PARTNERS`] of `count` positions, spread evenly, both ends included.
fn chosen(count: usize) -> impl Iterator<Item = usize> {
    let taken = count.min(PARTNERS);
    (0..taken).map(move |at| if taken == 1 { 0 } else { at * (count - 1) / (taken - 1) })
}

/// Costs at which [`combine`] may switch: those spent at the nodes of `d`; between two of them nothing changes.
pub fn switching_costs(instance: &Instance, d: &Tree) -> Vec<f64> {
    let mut spent = d.spent(instance);
    spent.sort_by(f64::total_cmp);
    // The first yields the tree `f` itself, the last the tree `d`.
    spent.dedup_by(|next, before| *next <= *before * (1.0 + ROUNDING));
    spent.iter().map(|units| units / instance.costs().scale()).collect()
}

fn add_tree(instance: &Instance, tree: Tree, by: &'static str, points: &mut Vec<Point>) {
    let costs = Costs::of(&tree, instance, Lambda::TWO);
    add(points, Point { costs, tree, by, bound: 0.0, proved: false });
}

/// Adds a point unless another is as good in both costs; points that are no better than it are removed.
fn add(points: &mut Vec<Point>, new: Point) {
    let is_as_good_as =
        |point: &Point, other: &Point| is_as_good(&point.costs, other.costs.expected, other.costs.worst);
    if points.iter().any(|point| is_as_good_as(point, &new)) {
        return;
    }
    points.retain(|point| !is_as_good_as(&new, point));
    let place = points.partition_point(|point| point.costs.worst < new.costs.worst);
    points.insert(place, new);
}

/// Whether neither cost is above the given one by more than rounding.
fn is_as_good(costs: &Costs, expected: f64, worst: f64) -> bool {
    costs.expected <= expected * (1.0 + ROUNDING) && costs.worst <= worst * (1.0 + ROUNDING)
}
