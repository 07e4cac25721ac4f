//! The trade-off between expected and worst cost: strategies of which none is better than another in both.
//!
//! A strategy that is cheap on average may be a disaster in its worst case, and the other way round. The front shows
//! what lies between, so that the choice is the user's: every algorithm's tree, those of the exponential criteria for
//! many λ (which lie between the two ends by design), and the best ways to begin like one tree and end like another
//! ([`combine`] at every switching cost, and the more general [`cuts`]). From there the exact solver closes the front: each
//! point is then proved to be the best under its own worst cost, or says what no strategy under it can be below.

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

/// The λ that are tried, from nearly the expected cost to the worst.
const LAMBDAS: [f64; 8] = [1.2, 1.5, 2.0, 4.0, 10.0, 100.0, 1e4, f64::INFINITY];

/// The most trees whose pairs are combined.
const PARTNERS: usize = 6;

/// How often the front is combined with itself at most.
const ROUNDS: usize = 3;

/// A strategy that none of the others beats in both costs.
#[derive(Clone, Debug)]
pub struct Point {
    /// What it costs.
    pub costs: Costs,
    /// The strategy.
    pub tree: Tree,
    /// The algorithm that found it, or `combine`.
    pub by: &'static str,
    /// No strategy whose worst cost is at most this one's has a lower expected cost than this.
    pub bound: f64,
    /// Whether its expected cost is that: nothing is better under its worst cost.
    pub proved: bool,
}

/// Strategies of which none is better than another in both costs.
#[derive(Clone, Debug)]
pub struct Front {
    /// By rising worst cost, and so by falling expected cost; never empty.
    pub points: Vec<Point>,
    /// What no strategy is below, on average and at worst, as far as the search found out.
    pub bounds: Vec<Bound>,
    /// Whether the front is closed, as far as the solver takes tables of this size, or what came first.
    pub stop: StopReason,
}

/// The front of all that is tried before `limit`; the first algorithm always finishes.
///
/// # Panics
/// When objects may give several answers ([`Instance::has_several`]): trees are joined by the one answer of each object.
pub fn front(instance: &Instance, limit: &Limit) -> Front {
    assert!(!instance.has_several(), "a front needs one answer in every cell");
    let mut points = Vec::new();
    // Half of the time at least is for the solver.
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
    // What was combined may be combined again; each round starts from a better front or is the last.
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
        // What was found is itself a bound of what can be proved; rounding must not say otherwise.
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

/// The best trees for either cost, as far as the search gets in its share of the time, with what it proved of them.
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
            // Nothing keeps below the least worst cost.
            _ if outcome.optimal => {
                known.push(Capped { cap: below(instance, outcome.costs.worst), bound: f64::INFINITY });
            }
            _ => {}
        }
    }
    (bounds, known)
}

/// What is known without any search: the bounds that take next to no time.
fn at_once(instance: &Instance) -> Capped {
    let bound = bound::best(&bound::quick(instance, Lambda::TWO), ObjectiveKind::Expected);
    Capped { cap: f64::INFINITY, bound: bound.value }
}

/// The criteria for exponential cost, at one λ after the other.
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

/// Pairs of trees on the front, the one of lower expected cost first.
fn combinations(instance: &Instance, limit: &Limit, points: &mut Vec<Point>) {
    let partners: Vec<Tree> = chosen(points.len()).map(|at| points[at].tree.clone()).collect();
    for (at, f) in partners.iter().enumerate() {
        for d in partners[at + 1..].iter().rev() {
            let is_new =
                |expected, worst| !points.iter().any(|point| is_as_good(&point.costs, expected, worst));
            let Some(trees) = wanted_cuts(instance, d, f, limit, is_new) else { return };
            trees.into_iter().for_each(|tree| add_tree(instance, tree, "combine", points));
        }
    }
}

/// Up to [`PARTNERS`] of `count` places, spread evenly, both ends among them.
fn chosen(count: usize) -> impl Iterator<Item = usize> {
    let taken = count.min(PARTNERS);
    (0..taken).map(move |at| if taken == 1 { 0 } else { at * (count - 1) / (taken - 1) })
}

/// What is spent at the nodes of `d`: the costs at which [`combine`] may switch; between two of them nothing changes.
pub fn switching_costs(instance: &Instance, d: &Tree) -> Vec<f64> {
    let mut spent = d.down(0.0, |spent, test| spent + instance.costs().units()[test.index()]);
    spent.sort_by(f64::total_cmp);
    // The first gives the tree `f` itself, the last the tree `d`.
    spent.dedup_by(|next, before| *next <= *before * (1.0 + ROUNDING));
    spent.iter().map(|units| units / instance.costs().scale()).collect()
}

fn add_tree(instance: &Instance, tree: Tree, by: &'static str, points: &mut Vec<Point>) {
    let costs = Costs::of(&tree, instance, Lambda::TWO);
    add(points, Point { costs, tree, by, bound: 0.0, proved: false });
}

/// Adds a point unless one there is as good in both costs; those that are no better than it go.
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

/// Whether neither cost is higher than the one given by more than rounding.
fn is_as_good(costs: &Costs, expected: f64, worst: f64) -> bool {
    costs.expected <= expected * (1.0 + ROUNDING) && costs.worst <= worst * (1.0 + ROUNDING)
}
