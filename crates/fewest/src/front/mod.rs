//! The trade-off between expected and worst cost: strategies of which none is better than another in both.
//!
//! A strategy that is cheap on average may be a disaster in its worst case, and the other way round. The front shows
//! what lies between, so that the choice is the user's: every algorithm's tree, those of the exponential criteria for
//! many λ (which lie between the two ends by design), the best trees that the search finds for either end, and the best ways to begin like one tree and end like another
//! ([`combine`] at every switching cost, and the more general [`cuts`]).

mod combine;
mod cuts;

pub use combine::combine;
pub use cuts::cuts;

use crate::bound::Bound;
use crate::builder::unfold;
use crate::criterion::{self, Settings};
use crate::{Cap, Goal, Greedy, Limit, StopReason, build, trials};
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
}

/// Strategies of which none is better than another in both costs.
#[derive(Clone, Debug)]
pub struct Front {
    /// By rising worst cost, and so by falling expected cost; never empty.
    pub points: Vec<Point>,
    /// What no strategy is below, on average and at worst, as far as the search found out.
    pub bounds: Vec<Bound>,
    /// Whether all was tried.
    pub stop: StopReason,
}

/// The front of all that is tried before `limit`; the first algorithm always finishes.
///
/// # Panics
/// When objects may give several answers ([`Instance::has_several`]): trees are joined by the one answer of each object.
pub fn front(instance: &Instance, limit: &Limit) -> Front {
    assert!(!instance.has_several(), "a front needs one answer in every cell");
    let mut points = Vec::new();
    let blind: &[bool] = if instance.has_equal_costs() { &[false] } else { &[false, true] };
    for &cost_blind in blind {
        if points.is_empty() || !limit.is_reached() {
            for trial in trials(instance, &Goal { cost_blind, ..Goal::default() }, limit) {
                add(&mut points, Point { costs: trial.costs, tree: trial.tree, by: trial.algorithm });
            }
        }
        sweep(instance, cost_blind, limit, &mut points);
    }
    let bounds = ends(instance, limit, &mut points);
    // What was combined may be combined again; each round starts from a better front or is the last.
    for _ in 0..ROUNDS {
        let before: Vec<Costs> = points.iter().map(|point| point.costs).collect();
        combinations(instance, limit, &mut points);
        if points.iter().map(|point| point.costs).eq(before) {
            break;
        }
    }
    let stop = if limit.is_reached() { StopReason::Time } else { StopReason::Complete };
    Front { points, bounds, stop }
}

/// The best trees for either cost, as far as the search gets in its share of the time, and for both in turn.
fn ends(instance: &Instance, limit: &Limit, points: &mut Vec<Point>) -> Vec<Bound> {
    let aims =
        [(Objective::Worst, Cap::None), (Objective::Expected, Cap::None), (Objective::Expected, Cap::Least)];
    let mut bounds = Vec::new();
    for (objective, cap) in aims {
        if limit.is_reached() {
            break;
        }
        let outcome = build(instance, &Goal { objective, cap, ..Goal::default() }, &limit.share(0.3));
        add_tree(instance, outcome.tree, outcome.algorithm, points);
        if cap == Cap::None {
            bounds.push(outcome.bound);
        }
    }
    bounds
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
    add(points, Point { costs, tree, by });
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
