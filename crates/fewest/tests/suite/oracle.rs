//! Each score against its definition, each cost against the objects' own paths.

use crate::common::*;
use fewest::inspect::{entropies, inspect};
use fewest::{Candidates, Costs, Greedy, Identify, Instance, Lambda, ObjectId, Policy, TestId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Node as the specification defines it: each object with its weight, its group, and its answer to one test.
struct Slow {
    objects: Vec<(f64, u32, u32)>,
}

impl Slow {
    /// Makes the node; weights are priors over their sum, or equal if `uniform` or if all are zero.
    fn new(instance: &Instance, node: &Candidates, test: TestId, uniform: bool) -> Self {
        let mass: f64 = node.objects().iter().map(|object| instance.prior(*object)).sum();
        let weight = |object: ObjectId| match uniform || mass == 0.0 {
            true => 1.0 / node.objects().len() as f64,
            false => instance.prior(object) / mass,
        };
        let see = |&object: &ObjectId| {
            (weight(object), instance.group_of(object).0, instance.answer(object, test).0)
        };
        Self { objects: node.objects().iter().map(see).collect() }
    }

    fn answers(&self) -> Vec<u32> {
        let mut answers: Vec<u32> = self.objects.iter().map(|object| object.2).collect();
        answers.sort();
        answers.dedup();
        answers
    }

    /// The objects that give `answer`.
    fn child(&self, answer: u32) -> Self {
        Self { objects: self.objects.iter().copied().filter(|object| object.2 == answer).collect() }
    }

    fn children(&self) -> Vec<Self> {
        self.answers().into_iter().map(|answer| self.child(answer)).collect()
    }

    fn weight(&self) -> f64 {
        self.objects.iter().map(|object| object.0).sum()
    }

    /// Weight of each group, or of each object by itself.
    fn parts(&self, identify: Identify) -> Vec<f64> {
        match identify {
            Identify::Objects => self.objects.iter().map(|object| object.0).collect(),
            Identify::Groups => {
                let mut parts: BTreeMap<u32, f64> = BTreeMap::new();
                self.objects.iter().for_each(|object| *parts.entry(object.1).or_default() += object.0);
                parts.into_values().collect()
            }
        }
    }

    /// Sum `Σ w_i w_j` over pairs of objects in different groups.
    fn weighted_pairs(&self) -> f64 {
        let pair = |(at, one): (usize, &(f64, u32, u32))| {
            let others = self.objects[..at].iter().filter(|other| other.1 != one.1);
            others.map(|other| one.0 * other.0).sum::<f64>()
        };
        self.objects.iter().enumerate().map(pair).sum()
    }

    /// The number of pairs of objects in different groups.
    fn pairs(&self) -> usize {
        let others = |at: usize| self.objects[..at].iter().filter(move |other| other.1 != self.objects[at].1);
        (0..self.objects.len()).map(|at| others(at).count()).sum()
    }

    /// Benefits of section 5, before the clamp.
    fn benefit(&self, name: &str, lambda: Lambda) -> f64 {
        let children = self.children();
        let h = entropy(&children.iter().map(Self::weight).collect::<Vec<_>>());
        let information = || {
            let g = |group: u32| {
                let inside = Self {
                    objects: self.objects.iter().copied().filter(|object| object.1 == group).collect(),
                };
                inside.weight() * entropy(&inside.children().iter().map(Self::weight).collect::<Vec<_>>())
            };
            let groups: BTreeSet<u32> = self.objects.iter().map(|object| object.1).collect();
            h - groups.into_iter().map(g).sum::<f64>()
        };
        match name {
            "gbs" | "gbs-uniform" => h,
            "ggbs" => information(),
            "gain-ratio" if information() < 1e-12 || h < 1e-12 => 0.0,
            "gain-ratio" => information() / h,
            "ec2" => {
                self.weighted_pairs()
                    - children.iter().map(|child| child.weight() * child.weighted_pairs()).sum::<f64>()
            }
            "lambda-gbs" => self.renyi_benefit(Identify::Objects, lambda),
            "lambda-ggbs" => self.renyi_benefit(Identify::Groups, lambda),
            "pairs" => (self.pairs() - children.iter().map(Self::pairs).max().unwrap()) as f64,
            "asr" => self.ranking(&children),
            other => panic!("no definition of `{other}` here: add one"),
        }
    }

    /// Score of section 9a, object by object: the weight outside the largest child, and the share of rivals each
    /// object loses.
    fn ranking(&self, children: &[Self]) -> f64 {
        let most = children.iter().map(|child| child.objects.len()).max().unwrap();
        let largest = children.iter().position(|child| child.objects.len() == most).unwrap();
        let outside =
            children.iter().enumerate().filter(|(at, _)| *at != largest).map(|(_, child)| child.weight());
        let rivals =
            |node: &Self, group: u32| node.objects.iter().filter(|object| object.1 != group).count() as f64;
        let lost = children.iter().flat_map(|child| {
            child
                .objects
                .iter()
                .filter(|object| rivals(self, object.1) > 0.0)
                .map(|object| object.0 * (1.0 - rivals(child, object.1) / rivals(self, object.1)))
        });
        outside.sum::<f64>() + lost.sum::<f64>()
    }

    fn renyi_benefit(&self, identify: Identify, lambda: Lambda) -> f64 {
        let children = self.children();
        if lambda.value() == 1.0 {
            return self.benefit(if identify == Identify::Objects { "gbs" } else { "ggbs" }, lambda);
        }
        if lambda == Lambda::INFINITY {
            let most = children.iter().map(|child| child.parts(identify).len()).max().unwrap();
            return (self.parts(identify).len() as f64 / most as f64).log2();
        }
        let d = |node: &Self| (log_d(&node.parts(identify), lambda)).exp();
        (d(self) / self.remaining(identify, lambda)).ln() / lambda.value().ln()
    }

    /// Sum `Σ_C w(C) D_α(C)`, which the papers minimise.
    fn remaining(&self, identify: Identify, lambda: Lambda) -> f64 {
        let children = self.children().into_iter().filter(|child| child.weight() > 0.0);
        children.map(|child| child.weight() * log_d(&child.parts(identify), lambda).exp()).sum()
    }
}

/// `H(w) = −Σ w log₂ w` of the shares.
fn entropy(weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    -weights.iter().filter(|w| **w > 0.0).map(|w| w / total * (w / total).log2()).sum::<f64>()
}

/// Logarithm `ln D_α` of the shares, with `D_α(q) = (Σ q^α)^(1/α)` and `α = 1/(1 + log₂ λ)`.
fn log_d(weights: &[f64], lambda: Lambda) -> f64 {
    let alpha = 1.0 / (1.0 + lambda.value().log2());
    let total: f64 = weights.iter().sum();
    weights.iter().filter(|w| **w > 0.0).map(|w| (w / total).powf(alpha)).sum::<f64>().ln() / alpha
}

/// Benefits of all tests by definition: clamped, and replaced by separated pairs if none is left.
fn slow_benefits(instance: &Instance, name: &str, lambda: Lambda, node: &Candidates) -> Vec<Option<f64>> {
    let of = |score: &dyn Fn(&Slow) -> f64| -> Vec<Option<f64>> {
        let see = |test| Slow::new(instance, node, test, is_uniform(name));
        let nodes = instance.test_ids().map(see);
        nodes.map(|slow| (slow.answers().len() >= 2).then(|| score(&slow))).collect()
    };
    let mut benefits = of(&|slow| slow.benefit(name, lambda));
    benefits.iter_mut().flatten().filter(|benefit| **benefit < 1e-12).for_each(|benefit| *benefit = 0.0);
    if benefits.iter().flatten().any(|benefit| *benefit > 0.0) {
        return benefits;
    }
    of(&|slow| {
        let left: usize = slow.children().iter().map(Slow::pairs).sum();
        (slow.pairs() - left) as f64 / slow.pairs() as f64
    })
}

/// Whether a rule ignores the prior.
fn is_uniform(name: &str) -> bool {
    name == "gbs-uniform" || name == "pairs"
}

/// Values of λ for which the powers of the definition still have digits; next to 1 and at ∞ the formula is another
/// one.
const PLAIN: [f64; 7] = [1.0, 1.3, 2.0, 7.0, 50.0, 1e4, f64::INFINITY];

fn plain_ways() -> impl Iterator<Item = Way> {
    let plain = |value: f64| {
        ways()
            .into_iter()
            .filter(|way| way.1.value() == 1.0)
            .map(move |(name, _, blind)| (name, lambda(value), blind))
    };
    PLAIN.into_iter().flat_map(plain)
}

/// Rounding error of the definition itself: a difference of logarithms, over the entropy for the ratio.
fn slack(name: &str, benefit: f64, answer_entropy: f64) -> f64 {
    match name {
        "gain-ratio" => 1e-9 * benefit + 1e-14 / answer_entropy.max(1e-12),
        _ => 1e-9 * benefit + 2e-13,
    }
}

/// Node of `instance` with the same objects as `wanted`, found by asking until they are alone.
fn nodes_of(instance: &Instance, wanted: &Candidates) -> Candidates {
    let mut node = Candidates::all(instance);
    while node.objects() != wanted.objects() {
        let part = instance.test_ids().find_map(|test| {
            let parts = node.split(instance, test);
            let own = parts
                .iter()
                .find(|(_, part)| wanted.objects().iter().all(|object| part.objects().contains(object)));
            own.filter(|_| parts.len() >= 2).map(|(_, part)| part.clone())
        });
        node = part.expect("a node is what its answers leave");
    }
    node
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn every_benefit_agrees_with_its_definition(sample in samples(10), seed: u64) {
        let instance = sample.instance();
        for node in random_nodes(&instance, &mut Dice(seed)) {
            let entropies = slow_benefits(&instance, "gbs", Lambda::TWO, &node);
            for way in plain_ways().filter(|way| way.2) {
                let (wanted, found) = (slow_benefits(&instance, way.0, way.1, &node), benefits(&instance, way, &node));
                // So close to the clamp, rounding decides on which side a benefit is.
                let raw = instance.test_ids().map(|test| Slow::new(&instance, &node, test, is_uniform(way.0)));
                let doubtful = |benefit: f64| (0.5e-12..2e-12).contains(&benefit);
                let mut raw = raw.flat_map(|slow| {
                    let parts = if way.0 == "gain-ratio" { ["gbs", "ggbs"] } else { [way.0, way.0] };
                    parts.map(|name| slow.benefit(name, way.1))
                });
                if raw.any(doubtful) {
                    continue;
                }
                for ((wanted, found), h) in wanted.iter().zip(&found).zip(&entropies) {
                    let agree = match (wanted, found) {
                        (Some(wanted), Some(found)) => {
                            (wanted - found).abs() <= slack(way.0, *wanted, h.unwrap_or(1.0))
                        }
                        (wanted, found) => wanted == found,
                    };
                    prop_assert!(agree, "{way:?} at {:?}: {found:?} instead of {wanted:?}", node.objects());
                }
            }
        }
    }

    #[test]
    fn greedy_takes_the_lowest_of_the_best(sample in samples(10), seed: u64) {
        let instance = sample.instance();
        for node in random_nodes(&instance, &mut Dice(seed)) {
            for (name, lambda, blind) in plain_ways() {
                let criterion = criterion(&instance, name, lambda);
                let greedy = Greedy::new(&instance, criterion.as_ref(), blind);
                let chosen = greedy.next(&node).unwrap();
                let score = |test: TestId, benefit: f64| if blind { benefit } else { benefit / instance.cost(test) };
                let scores = |benefits: Vec<Option<f64>>| -> Vec<(TestId, f64)> {
                    let some = instance.test_ids().zip(benefits).filter_map(|(test, benefit)| Some((test, benefit?)));
                    some.map(|(test, benefit)| (test, score(test, benefit))).collect()
                };
                let lowest = |scores: &[(TestId, f64)]| {
                    let best = scores.iter().map(|score| score.1).fold(0.0, f64::max);
                    scores.iter().find(|score| score.1 >= best * (1.0 - 1e-9)).unwrap().0
                };
                prop_assert_eq!(chosen, lowest(&scores(greedy.benefits(&node))));
                // By definition as well, if the definition's rounding leaves no doubt.
                let slow = scores(slow_benefits(&instance, name, lambda, &node));
                let best = slow.iter().map(|score| score.1).fold(0.0, f64::max);
                let clear = |score: f64| score >= best * (1.0 - 1e-11) || score < best * (1.0 - 1e-7);
                let clear = slow.iter().all(|score| clear(score.1));
                // A ratio of two tiny numbers has few digits; the size of the entropy tells how few.
                let ratio = name == "gain-ratio" && instance.identify() == Identify::Groups;
                let tiny = |test| Slow::new(&instance, &node, test, false).benefit("gbs", lambda) < 1e-4;
                if clear && best > 1e-3 && !(ratio && instance.test_ids().any(tiny)) {
                    prop_assert_eq!(chosen, lowest(&slow), "{} {:?} {}: {:?}", name, lambda, blind, slow);
                }
            }
        }
    }

    #[test]
    fn lambda_benefits_rank_as_the_papers_do(sample in samples(10), seed: u64) {
        let instance = sample.instance();
        for node in random_nodes(&instance, &mut Dice(seed)) {
            for (name, identify) in [("lambda-gbs", Identify::Objects), ("lambda-ggbs", Identify::Groups)] {
                for at in [1.3, 2.0, 50.0].map(lambda) {
                    let found = benefits(&instance, (name, at, true), &node);
                    let see = |test| Slow::new(&instance, &node, test, false).remaining(identify, at);
                    let remaining: Vec<f64> = instance.test_ids().map(see).collect();
                    for (left, right) in (0..found.len()).flat_map(|left| (0..left).map(move |right| (left, right))) {
                        let (Some(l), Some(r)) = (found[left], found[right]) else { continue };
                        if l.max(r) > 1e-6 && remaining[left] < remaining[right] * (1.0 - 1e-9) {
                            prop_assert!(l > r, "{name}, λ = {at:?}: {l} {r} for {remaining:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn costs_are_those_of_the_objects_paths(sample in samples(40), seed: u64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let spent = spent(&tree, &instance);
        let sum = |power: &dyn Fn(f64) -> f64| -> f64 {
            instance.objects().map(|object| instance.prior(object) * power(spent[object.index()])).sum()
        };
        let expected = sum(&|cost| cost);
        let worst = spent.iter().copied().fold(0.0, f64::max);
        for at in [1.2, 2.0, 3.0] {
            let costs = Costs::of(&tree, &instance, lambda(at));
            prop_assert!((costs.expected - expected).abs() <= 1e-12 * expected, "{costs:?} {expected}");
            prop_assert!((costs.worst - worst).abs() <= 1e-12 * worst, "{costs:?} {worst}");
            if worst * at.ln() < 700.0 {
                let exponential = sum(&|cost| at.powf(cost)).ln() / at.ln();
                let slack = 1e-9 * exponential + 1e-13;
                prop_assert!((costs.exponential - exponential).abs() <= slack, "{costs:?} {exponential}");
            }
        }
        let depth = instance.objects().map(|object| path(&tree, &instance, object).len() - 1).max();
        prop_assert_eq!(Some(tree.depth()), depth);
    }

    #[test]
    fn a_node_without_mass_takes_its_objects_for_equal(sample in samples(10), seed: u64) {
        // The same table without a prior: at nodes without weight, nothing may differ.
        let uniform = Sample { priors: None, ..sample.clone() }.instance();
        let instance = sample.instance();
        for node in random_nodes(&instance, &mut Dice(seed)).iter().filter(|node| node.weight() == 0.0) {
            // Joined objects weigh more than 1 even without a prior.
            if uniform.has_equal_weights() {
                let twin = nodes_of(&uniform, node);
                for way in ways().into_iter().filter(|way| way.2) {
                    let (left, right) = (benefits(&instance, way, node), benefits(&uniform, way, &twin));
                    let number = |benefit: &Option<f64>| benefit.unwrap_or(-1.0);
                    let near = |(l, r): (&Option<f64>, &Option<f64>)| (number(l) - number(r)).abs() < 1e-12;
                    prop_assert!(left.iter().zip(&right).all(near), "{way:?}: {left:?} {right:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn inspection_agrees_with_going_through_the_objects(sample in samples(12)) {
        let instance = sample.instance();
        let found = inspect(&instance);
        let all = Candidates::all(&instance);
        let alike = |left: TestId, right: TestId| {
            let same = |test, (one, other)| instance.answer(one, test) == instance.answer(other, test);
            let pairs = || instance.objects().flat_map(|one| instance.objects().map(move |other| (one, other)));
            pairs().all(|pair| same(left, pair) == same(right, pair))
        };
        let mut redundant: Vec<Vec<TestId>> = Vec::new();
        for report in &found.tests {
            let slow = Slow::new(&instance, &all, report.test, false);
            prop_assert_eq!(report.answers, slow.answers().len());
            prop_assert!((report.entropy_bits - slow.benefit("gbs", Lambda::TWO)).abs() < 1e-12);
            prop_assert!((report.information_bits - slow.benefit("ggbs", Lambda::TWO)).abs() < 1e-12);
            prop_assert_eq!(found.useless.contains(&report.test), report.answers < 2);
            match redundant.iter_mut().find(|class| alike(class[0], report.test)) {
                Some(class) => class.push(report.test),
                None => redundant.push(vec![report.test]),
            }
        }
        redundant.retain(|class| class.len() > 1 && !found.useless.contains(&class[0]));
        prop_assert_eq!(found.redundant, redundant);
        let (objects, groups) = entropies(&instance);
        let see = |object: ObjectId| (instance.prior(object), instance.group_of(object).0, 0);
        let whole = Slow { objects: instance.objects().map(see).collect() };
        prop_assert!((objects - entropy(&whole.parts(Identify::Objects))).abs() < 1e-12);
        prop_assert!((groups - entropy(&whole.parts(Identify::Groups))).abs() < 1e-12);
    }
}

/// Sets of rows that are one object, by comparing every row with every other.
fn joined_rows(sample: &Sample) -> Vec<Vec<usize>> {
    let rows = || 0..sample.answers.len();
    let group = |row: usize| sample.groups.as_ref().map_or(row, |groups| usize::from(groups[row]));
    let equal =
        |row: usize| rows().filter(|&other| sample.answers[other] == sample.answers[row]).collect::<Vec<_>>();
    let object = |row: usize| {
        let equal = equal(row);
        let inseparable = equal.iter().any(|&other| group(other) != group(row));
        if inseparable { (equal[0] == row).then_some(equal) } else { Some(vec![row]) }
    };
    rows().filter_map(object).collect()
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn rows_that_no_test_tells_apart_are_joined(sample in samples(30)) {
        let (instance, objects) = (sample.instance(), joined_rows(&sample));
        prop_assert_eq!(instance.row_count(), sample.answers.len());
        prop_assert_eq!(instance.object_count(), objects.len());
        prop_assert_eq!(instance.distinct_count(), sample.answers.iter().collect::<BTreeSet<_>>().len());
        let names = |rows: &[usize]| rows.iter().map(|row| format!("o{row}")).collect::<Vec<_>>();
        let sets: Vec<Vec<String>> = objects.iter().filter(|rows| rows.len() > 1).map(|rows| names(rows)).collect();
        prop_assert_eq!(instance.inseparable().collect::<Vec<_>>(), sets);
        let prior = |row: usize| sample.priors.as_ref().map_or(1.0, |priors| priors[row]);
        let total: f64 = (0..sample.answers.len()).map(prior).sum();
        // Groups are numbered by first object, and a set of groups is named in the order of its column.
        let mut column: Vec<String> = Vec::new();
        for group in sample.groups.iter().flatten().map(|group| format!("g{group}")) {
            if !column.contains(&group) {
                column.push(group);
            }
        }
        let mut groups: Vec<Vec<String>> = Vec::new();
        for (object, rows) in instance.objects().zip(&objects) {
            prop_assert_eq!(instance.object_names(object).collect::<Vec<_>>(), names(rows));
            let weight: f64 = rows.iter().map(|&row| prior(row)).sum();
            prop_assert!((instance.prior(object) - weight / total).abs() <= 1e-13 * weight / total);
            let mut group = match &sample.groups {
                None => names(rows),
                Some(groups) => rows.iter().map(|&row| format!("g{}", groups[row])).collect(),
            };
            if sample.groups.is_some() {
                group.sort_by_key(|group| column.iter().position(|other| other == group));
                group.dedup();
            }
            if !groups.contains(&group) {
                groups.push(group.clone());
            }
            prop_assert_eq!(&groups[instance.group_of(object).index()], &group);
            prop_assert_eq!(instance.group_names(instance.group_of(object)), group);
            for test in instance.test_ids() {
                let answer = instance.test(test).answers.get(instance.answer(object, test).index());
                prop_assert_eq!(answer, format!("a{}", sample.answers[rows[0]][test.index()]));
            }
        }
        prop_assert_eq!(instance.group_count(), groups.len());
        prop_assert!((instance.group_priors().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for test in instance.test_ids() {
            let wanted = sample.costs.as_ref().map_or(1.0, |costs| costs[test.index()]);
            prop_assert!((instance.cost(test) - wanted).abs() <= 1e-15 * wanted);
        }
    }
}
