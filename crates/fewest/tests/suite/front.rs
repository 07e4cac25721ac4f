//! Trade-off between expected and worst cost, against all trees.

use crate::common::{Dice, Sample, cases, instance, random_tree, samples};
use fewest::front::{combine, cuts, front, switching_costs};
use fewest::robustness::{DISTANCES_NATS, Spread};
use fewest::{
    Candidates, Cap, Certificate, Costs, Goal, Instance, Lambda, Limit, Objective, StopReason, TestId, Tree,
    build, check,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Best pairs (expected, worst) of any tree for some candidates, with the first question of each.
type Pairs = Vec<(f64, f64, Option<TestId>)>;

/// Pareto front of specification section 8, and the trees behind its ends, by trying every test on every reachable
/// set.
struct Exact<'a> {
    instance: &'a Instance,
    memo: BTreeMap<Vec<usize>, Pairs>,
}

impl<'a> Exact<'a> {
    fn new(instance: &'a Instance) -> Self {
        Self { instance, memo: BTreeMap::new() }
    }

    fn pairs(&mut self, candidates: &Candidates) -> Pairs {
        let key: Vec<usize> = candidates.objects().iter().map(|object| object.index()).collect();
        if let Some(known) = self.memo.get(&key) {
            return known.clone();
        }
        let mass = candidates.weight() / self.instance.total_weight();
        let mut all: Pairs = Vec::new();
        if candidates.is_pure() {
            all.push((0.0, 0.0, None));
        }
        for test in self.instance.test_ids().filter(|_| !candidates.is_pure()) {
            let parts = candidates.split(self.instance, test);
            if parts.len() > 1 {
                let cost = self.instance.cost(test);
                let mut sums: Pairs = vec![(cost * mass, cost, Some(test))];
                for (_, part) in parts {
                    let below = self.pairs(&part);
                    let add = |sum: &(f64, f64, Option<TestId>)| {
                        let (expected, worst, test) = *sum;
                        let with = |rest: &(f64, f64, _)| (expected + rest.0, worst.max(cost + rest.1), test);
                        below.iter().map(with).collect::<Pairs>()
                    };
                    sums = undominated(sums.iter().flat_map(add).collect());
                }
                all.extend(sums);
            }
        }
        let best = undominated(all);
        self.memo.insert(key, best.clone());
        best
    }

    /// Tree of least expected cost, or of least worst cost; among those the one that is best in the other cost.
    fn tree(&mut self, expected: bool) -> Tree {
        let instance = self.instance;
        Tree::unfold(instance, |level| {
            let choose = |node: &Candidates| {
                let pairs = self.pairs(node);
                let end = if expected { pairs.last() } else { pairs.first() };
                end.unwrap().2
            };
            Some(level.iter().map(choose).collect())
        })
        .unwrap()
    }
}

/// Sorts by rising worst cost, and removes pairs for which another is as good in both costs.
fn undominated(mut pairs: Pairs) -> Pairs {
    pairs.sort_by(|left, right| left.1.total_cmp(&right.1).then(left.0.total_cmp(&right.0)));
    let mut best: Pairs = Vec::new();
    for pair in pairs {
        if best.last().is_none_or(|last| pair.0 < last.0 - 1e-12 * last.0.abs()) {
            best.push(pair);
        }
    }
    best
}

/// Removes pairs whose worst cost is that of the next, up to rounding: 0.1 + 1 and 0.3 + 0.8 may differ in the last
/// digit.
fn told_apart(pairs: Pairs) -> Pairs {
    let mut best: Pairs = Vec::new();
    for pair in pairs {
        match best.last_mut() {
            Some(last) if pair.1 <= last.1 * (1.0 + 1e-9) => *last = pair,
            _ => best.push(pair),
        }
    }
    best
}

fn costs(tree: &Tree, instance: &Instance) -> (f64, f64) {
    let costs = Costs::of(tree, instance, Lambda::TWO);
    let claim = Certificate { costs: Some(costs), bound: None };
    check(instance, tree, &claim).unwrap();
    (costs.expected, costs.worst)
}

fn is_as_good(pair: (f64, f64), other: (f64, f64)) -> bool {
    pair.0 <= other.0 * (1.0 + 1e-9) + 1e-12 && pair.1 <= other.1 * (1.0 + 1e-9)
}

fn points(instance: &Instance) -> Vec<(f64, f64)> {
    let front = front(instance, &Limit::none());
    assert_eq!(front.stop, StopReason::Complete);
    let points: Vec<(f64, f64)> = front.points.iter().map(|point| costs(&point.tree, instance)).collect();
    let told: Vec<(f64, f64)> =
        front.points.iter().map(|point| (point.costs.expected, point.costs.worst)).collect();
    assert_eq!(points, told);
    assert!(points.windows(2).all(|pair| pair[0].1 < pair[1].1 && pair[0].0 > pair[1].0), "{points:?}");
    points
}

#[test]
fn the_specification_s_fronts_are_found() {
    let e2 = instance(
        "object t1 t2 t3 group prior
         1 1 1 2 A 0.1
         2 1 2 1 A 0.2
         3 2 2 1 B 0.4
         4 1 2 2 C 0.25
         5 2 2 2 C 0.05",
        &[("t1", 2.0), ("t2", 1.0), ("t3", 3.0)],
    );
    assert_eq!(points(&e2), [(4.6, 5.0)]);
    let e3 = instance(
        "object prior q1 q2 q3 q4 q5 q6 q7
         o1 4 1 0 1 0 1 0 1
         o2 2 0 1 1 0 0 1 1
         o3 1 0 0 0 1 1 1 1
         o4 1 0 0 0 0 0 0 0",
        &[],
    );
    assert_eq!(points(&e3), [(2.0, 2.0), (1.75, 3.0)]);
}

#[test]
fn switching_at_nothing_is_one_tree_and_at_all_the_other() {
    let sample = Sample {
        answers: (0u8..8)
            .map(|x| vec![x & 1, x >> 1 & 1, x >> 2, u8::from(x == 0), u8::from(x == 1)])
            .collect(),
        groups: None,
        priors: Some(vec![64.0, 32.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
        costs: Some(vec![0.1, 0.2, 0.3, 0.1, 0.7]),
    };
    let instance = sample.instance();
    let mut exact = Exact::new(&instance);
    let (d, f) = (exact.tree(true), exact.tree(false));
    assert_eq!(combine(&instance, &d, &f, 0.0), f);
    assert_eq!(combine(&instance, &d, &f, costs(&d, &instance).1), d);
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn combined_trees_are_strategies_and_keep_their_word(sample in samples(9), seed: u64) {
        let instance = sample.instance();
        let mut dice = Dice(seed);
        let (d, f) = (random_tree(&instance, &mut dice), random_tree(&instance, &mut dice));
        let worst = costs(&f, &instance).1;
        let trees = cuts(&instance, &d, &f, &Limit::none()).unwrap();
        let best: Vec<(f64, f64)> = trees.iter().map(|tree| costs(tree, &instance)).collect();
        prop_assert!(best.windows(2).all(|pair| pair[0].1 < pair[1].1 && pair[0].0 > pair[1].0), "{best:?}");
        for switch in switching_costs(&instance, &d) {
            let combined = costs(&combine(&instance, &d, &f, switch), &instance);
            prop_assert!(combined.1 <= (switch + worst) * (1.0 + 1e-9));
            // Cuts anywhere include the cut at one cost.
            prop_assert!(best.iter().any(|best| is_as_good(*best, combined)), "{best:?} {combined:?}");
        }
    }

    #[test]
    fn optimal_trees_combine_as_the_paper_promises(sample in samples(8)) {
        let instance = sample.instance();
        let mut exact = Exact::new(&instance);
        let (d, f) = (exact.tree(true), exact.tree(false));
        let ends = exact.pairs(&Candidates::all(&instance));
        let (least_expected, least_worst) = (ends.last().unwrap().0, ends[0].1);
        let combined: Vec<(f64, f64)> = switching_costs(&instance, &d)
            .into_iter()
            .map(|switch| costs(&combine(&instance, &d, &f, switch), &instance))
            .collect();
        for step in -12..=16 {
            let rho = 2f64.powf(f64::from(step) / 4.0);
            let promised = (least_expected / -(-rho).exp_m1(), (1.0 + rho) * least_worst);
            prop_assert!(
                combined.iter().any(|pair| is_as_good(*pair, promised)),
                "ρ = {rho}: none of {combined:?} is within {promised:?}"
            );
        }
    }

    #[test]
    fn no_point_beats_the_exact_front(sample in samples(7)) {
        let instance = sample.instance();
        let exact = Exact::new(&instance).pairs(&Candidates::all(&instance));
        for point in points(&instance) {
            let covers = |pair: &(f64, f64, _)| is_as_good((pair.0, pair.1), point);
            prop_assert!(exact.iter().any(covers), "{point:?} is beyond {exact:?}");
        }
    }

    /// Issue 21, item 5: the front is that of all trees, both ends lexicographic, each point proved.
    #[test]
    fn issue_21_item_5_the_front_is_the_exact_one(sample in samples(7)) {
        let instance = sample.instance();
        let exact = told_apart(Exact::new(&instance).pairs(&Candidates::all(&instance)));
        let found = front(&instance, &Limit::none());
        let pairs: Vec<(f64, f64)> =
            found.points.iter().map(|point| (point.costs.expected, point.costs.worst)).collect();
        prop_assert_eq!(pairs.len(), exact.len(), "{:?} {:?}", &pairs, &exact);
        for (point, (expected, worst, _)) in found.points.iter().zip(&exact) {
            let costs = (point.costs.expected, point.costs.worst);
            prop_assert!(is_as_good(costs, (*expected, *worst)), "{costs:?} {exact:?}");
            prop_assert!(point.proved && point.bound == point.costs.expected, "{point:?}");
        }
    }

    /// Issue 21, item 5: no tree that `build` finds under a cap beats the front's bound for that cap.
    #[test]
    fn issue_21_item_5_no_capped_tree_beats_the_front(sample in samples(12)) {
        let instance = sample.instance();
        let found = front(&instance, &Limit::none());
        let first = found.points[0].costs.worst;
        let last = found.points[found.points.len() - 1].costs.worst;
        let caps: Vec<f64> = found
            .points
            .iter()
            .flat_map(|point| [point.costs.worst, point.costs.worst * (1.0 - 1e-6)])
            .chain([(first + last) / 2.0, last * 2.0, f64::INFINITY])
            .filter(|cap| *cap >= first)
            .collect();
        for cap in caps {
            let goal = Goal::default().with_cap(Cap::At(cap));
            let built = build(&instance, &goal, &Limit::none());
            let least = found.points.iter().rev().find(|point| point.costs.worst <= cap * (1.0 + 1e-12)).unwrap();
            prop_assert!(
                built.costs.expected >= least.costs.expected * (1.0 - 1e-9),
                "under {cap} `build` finds {:?}, the front says {:?}", built.costs, least.costs
            );
        }
        // No tree is below the least worst cost.
        let worst = build(&instance, &Goal::default().with_objective(Objective::Worst), &Limit::none());
        prop_assert!((worst.costs.worst - first).abs() <= 1e-9 * first);
    }

    /// Issue 21, item 5: for any time limit, a point is proved or has a bound that holds.
    #[test]
    fn issue_21_item_5_bounds_hold_whatever_the_time(sample in samples(8), millis in 0u64..3) {
        let instance = sample.instance();
        let exact = Exact::new(&instance).pairs(&Candidates::all(&instance));
        let found = front(&instance, &Limit::time(std::time::Duration::from_millis(millis)));
        for point in &found.points {
            let within = |pair: &&(f64, f64, Option<TestId>)| pair.1 <= point.costs.worst * (1.0 + 1e-9);
            let least = exact.iter().rev().find(within).unwrap().0;
            prop_assert!(point.bound <= least * (1.0 + 1e-9) + 1e-12, "{point:?} {exact:?}");
            prop_assert!(!point.proved || point.costs.expected <= least * (1.0 + 1e-9) + 1e-12, "{point:?} {exact:?}");
        }
    }

    #[test]
    fn no_prior_within_the_distance_costs_more_than_the_bound(sample in samples(9), seed: u64) {
        let instance = sample.instance();
        let mut dice = Dice(seed);
        let tree = random_tree(&instance, &mut dice);
        let spent = crate::common::spent(&tree, &instance);
        let p: Vec<f64> = instance.objects().map(|object| instance.prior(object)).collect();
        let (expected, worst) = costs(&tree, &instance);
        let spread = Spread::of(&tree, &instance);
        let bounds = DISTANCES_NATS.map(|kl_nats| spread.expected_at_most(kl_nats));
        prop_assert!(bounds.iter().all(|bound| *bound >= expected * (1.0 - 1e-12) && *bound <= worst * (1.0 + 1e-12)));
        prop_assert!(bounds.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-12)), "{bounds:?}");
        for _ in 0..200 {
            // Any prior on the support of p: its mean cost against the bound at its own distance.
            let q: Vec<f64> = p.iter().map(|p| p * (dice.roll(1000) as f64 / 100.0).exp()).collect();
            let total: f64 = q.iter().sum();
            let mean: f64 = q.iter().zip(&spent).map(|(q, spent)| q / total * spent).sum();
            let distance = fewest::measure::divergence_bits(&q, &p) * std::f64::consts::LN_2;
            prop_assert!(mean <= spread.expected_at_most(distance) * (1.0 + 1e-6) + 1e-9, "{mean} at {distance}");
        }
    }
}
