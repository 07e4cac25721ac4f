//! The gap identities of specification section 5, on random, bad trees: each node's loss, and that the losses are the
//! gap.

use crate::common::*;
use fewest::bound::BoundInput;
use fewest::loss::{self, Losses};
use fewest::{Costs, Identify, Instance, Node, ObjectId, TestId, Tree};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::LN_2;

fn mass(instance: &Instance, objects: &[ObjectId]) -> f64 {
    objects.iter().map(|object| instance.prior(*object)).sum()
}

/// Weights of the objects, summed by `key`.
fn masses<K: Ord>(instance: &Instance, objects: &[ObjectId], key: impl Fn(ObjectId) -> K) -> Vec<f64> {
    let mut masses: BTreeMap<K, f64> = BTreeMap::new();
    objects.iter().for_each(|&object| *masses.entry(key(object)).or_default() += instance.prior(object));
    masses.into_values().collect()
}

/// Entropy times mass, `p H(parts / p)`, where the parts sum to `p`.
fn entropy_mass(parts: &[f64]) -> f64 {
    let p: f64 = parts.iter().sum();
    -parts.iter().filter(|part| **part > 0.0).map(|part| part * (part / p).log2()).sum::<f64>()
}

/// Rate s of section 3.
fn rate(instance: &Instance) -> f64 {
    let useful = instance.test_ids().filter(|test| instance.test(*test).arity() >= 2);
    let rates = useful.map(|test| (instance.test(test).arity() as f64).log2() / instance.cost(test));
    rates.reduce(f64::max).unwrap_or(1.0)
}

/// Each node that asks, with its number, its test and the objects that reach it.
fn questions(tree: &Tree, instance: &Instance) -> Vec<(usize, TestId, Vec<ObjectId>)> {
    let nodes = tree.nodes().iter().zip(reaching(tree, instance)).enumerate();
    let ask = |(at, (node, objects)): (usize, (&Node, Vec<ObjectId>))| match node {
        Node::Ask { test, .. } => Some((at, *test, objects)),
        Node::Leaf { .. } => None,
    };
    nodes.filter_map(ask).collect()
}

/// Checks that every node that asks has its loss, in order.
fn agree(losses: &Losses, wanted: &[(usize, f64)], scale: f64) -> Result<(), TestCaseError> {
    let nodes: Vec<usize> = losses.nodes.iter().map(|loss| loss.node.index()).collect();
    prop_assert_eq!(nodes, wanted.iter().map(|(at, _)| *at).collect::<Vec<_>>());
    for (loss, (_, wanted)) in losses.nodes.iter().zip(wanted) {
        prop_assert!((loss.value - wanted).abs() <= 1e-9 * wanted.abs() + 1e-12 * scale, "{loss:?} {wanted}");
    }
    Ok(())
}

fn total(losses: &Losses) -> f64 {
    losses.nodes.iter().map(|loss| loss.value).sum()
}

proptest! {
    #![proptest_config(cases(2500))]

    #[test]
    fn expected_cost_of_objects_by_yes_and_no(mut sample in samples(12), seed: u64) {
        sample.groups = None;
        sample.costs = None;
        sample.answers.iter_mut().flatten().for_each(|answer| *answer %= 2);
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let term = |(at, test, objects): (usize, TestId, Vec<ObjectId>)| {
            let h = entropy_mass(&masses(&instance, &objects, |object| instance.answer(object, test)));
            (at, mass(&instance, &objects) - h)
        };
        let terms: Vec<(usize, f64)> = questions(&tree, &instance).into_iter().map(term).collect();
        let losses = loss::expected(&tree, &instance);
        agree(&losses, &terms, 1.0)?;
        let bound = entropy_mass(&masses(&instance, &instance.objects().collect::<Vec<_>>(), |object| object));
        prop_assert!((losses.bound - bound).abs() <= 1e-12);
        let expected = Costs::of(&tree, &instance, lambda(1.0)).expected;
        prop_assert!((bound + total(&losses) - expected).abs() <= 1e-9 * expected, "{losses:?} {expected}");
    }

    #[test]
    fn expected_cost_of_groups_by_any_costs_and_answers(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let s = rate(&instance);
        let term = |(at, test, objects): (usize, TestId, Vec<ObjectId>)| {
            let answer = |object| instance.answer(object, test);
            let group = |object| instance.group_of(object);
            let h = entropy_mass(&masses(&instance, &objects, answer));
            // Σ_k p(A_k) H(p(C_k)/p(A_k)) = p(A) [H(answer and group) − H(group)]
            let g = entropy_mass(&masses(&instance, &objects, |object| (answer(object), group(object))))
                - entropy_mass(&masses(&instance, &objects, group));
            (at, mass(&instance, &objects) * instance.cost(test) - (h - g) / s)
        };
        let terms: Vec<(usize, f64)> = questions(&tree, &instance).into_iter().map(term).collect();
        let losses = loss::expected(&tree, &instance);
        let scale = instance.test_ids().map(|test| instance.cost(test)).fold(1.0, f64::max);
        agree(&losses, &terms, scale)?;
        prop_assert!(losses.nodes.iter().all(|loss| loss.value >= -1e-12 * scale), "{losses:?}");
        let expected = Costs::of(&tree, &instance, lambda(1.0)).expected;
        prop_assert!((losses.bound + total(&losses) - expected).abs() <= 1e-9 * expected, "{losses:?} {expected}");
        prop_assert!((BoundInput::of(&instance).rate - s).abs() <= 1e-15 * s);
    }

    #[test]
    fn exponential_cost_in_plain_powers(sample in samples(12), seed: u64, log in 0.05..3.0f64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let s = rate(&instance);
        // λ^worst and K^(1/α), the largest powers, stay below e^29.
        let worst = Costs::of(&tree, &instance, lambda(1.0)).worst;
        let groups = (instance.group_count() as f64).ln();
        let at = log.min(29.0 / worst).min(s * LN_2 * (29.0 / groups - 1.0)).exp();
        let alpha = s / (s + at.log2());
        let n = |objects: &[ObjectId]| {
            let groups = masses(&instance, objects, |object| instance.group_of(object));
            groups.iter().filter(|q| **q > 0.0).map(|q| q.powf(alpha)).sum::<f64>().powf(1.0 / alpha)
        };
        let spent = instance.objects().zip(spent(&tree, &instance));
        let x: f64 = spent.map(|(object, cost)| instance.prior(object) * at.powf(cost)).sum();
        let above = tree.down(0.0, |spent, test| spent + instance.cost(test));
        let term = |(node, test, objects): (usize, TestId, Vec<ObjectId>)| {
            let paid = mass(&instance, &objects) * (at.powf(instance.cost(test)) - 1.0) * at.powf(above[node]);
            let answers: BTreeSet<_> = objects.iter().map(|object| instance.answer(*object, test)).collect();
            let gives = |object: ObjectId, answer| instance.answer(object, test) == answer;
            let child = |answer| objects.iter().copied().filter(|object| gives(*object, answer)).collect::<Vec<_>>();
            let children: f64 = answers.into_iter().map(|answer| n(&child(answer))).sum();
            (node, (paid - n(&objects) + children) / x)
        };
        let terms: Vec<(usize, f64)> = questions(&tree, &instance).into_iter().map(term).collect();
        let losses = loss::exponential(&tree, &instance, lambda(at));
        agree(&losses, &terms, 10.0)?;
        let root = n(&instance.objects().collect::<Vec<_>>());
        prop_assert!((at.powf(losses.bound) - root).abs() <= 1e-9 * root, "{} {root}", losses.bound);
        prop_assert!((root + total(&losses) * x - x).abs() <= 1e-9 * x, "{losses:?} {x}");
    }

    #[test]
    fn exponential_cost_in_logarithms(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        for at in [1.0 + 1e-12, 1.0 + 1e-9, 1.0 + 1e-4, 1.3, 2.0, 50.0, 1e9, 1e300] {
            losses_are_the_gap(&instance, &tree, at)?;
        }
    }

    #[test]
    fn losses_are_continuous_at_lambda_one(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let near = lambda(1.0 + 1e-9);
        let plain = loss::expected(&tree, &instance);
        let exponential = loss::exponential(&tree, &instance, near);
        let worst = Costs::of(&tree, &instance, near).worst;
        for (plain, near_one) in plain.nodes.iter().zip(&exponential.nodes) {
            prop_assert_eq!(plain.node, near_one.node);
            // The first terms that differ are of second order in t times a cost.
            let slack = 1e-9 * (1.0 + worst) * (1.0 + worst) + 1e-9 * plain.value.abs();
            prop_assert!((near_one.value / near.ln() - plain.value).abs() <= slack, "{near_one:?} {plain:?}");
        }
    }

    #[test]
    fn the_order_in_which_answers_are_listed_changes_no_loss(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let turned = tree.nodes().iter().cloned().map(|mut node| {
            if let Node::Ask { answers, .. } = &mut node {
                answers.reverse();
            }
            node
        });
        let turned = Tree::new(turned.collect()).unwrap();
        prop_assert_eq!(&tree, &turned);
        prop_assert_eq!(loss::expected(&tree, &instance), loss::expected(&turned, &instance));
        let [left, right] = [&tree, &turned].map(|tree| loss::exponential(tree, &instance, lambda(2.0)));
        prop_assert_eq!(left, right);
    }
}

/// Checks `Σ losses = 1 − λ^−(L − bound)`, to nine digits of the size of the terms: `t × cost` near λ = 1, else 1.
fn losses_are_the_gap(instance: &Instance, tree: &Tree, at: f64) -> Result<(), TestCaseError> {
    let losses = loss::exponential(tree, instance, lambda(at));
    prop_assert!(
        losses.bound.is_finite() && losses.nodes.iter().all(|loss| loss.value.is_finite()),
        "{losses:?}"
    );
    let (t, cost) = (lambda(at).ln(), Costs::of(tree, instance, lambda(at)).exponential);
    let wanted = -(-t * (cost - losses.bound)).exp_m1();
    let digits = 1e-9 * (t * cost).min(1.0);
    prop_assert!(
        (total(&losses) - wanted).abs() <= digits,
        "λ = {at}: {} {wanted} {}",
        total(&losses),
        losses.nodes.len()
    );
    prop_assert!(wanted >= -digits, "λ = {at}: a cost of {cost} below {}", losses.bound);
    Ok(())
}

/// Instance in which each object has a test to which only it answers yes: every tree is a chain.
fn one_hot(objects: usize, seed: u64, identify: Identify) -> Instance {
    let mut dice = Dice(seed);
    let row = |object: usize| (0..objects).map(|test| u8::from(object == test)).collect();
    Sample {
        answers: (0..objects).map(row).collect(),
        groups: (identify == Identify::Groups).then(|| (0..objects).map(|_| dice.roll(9) as u8).collect()),
        priors: Some((0..objects).map(|_| (dice.roll(12) as f64 * -2.0).exp()).collect()),
        costs: Some((0..objects).map(|_| 0.1 + dice.roll(30) as f64 / 10.0).collect()),
    }
    .instance()
}

#[test]
fn chains_of_hundreds_of_questions_lose_what_they_lose_at_any_lambda() {
    for identify in [Identify::Objects, Identify::Groups] {
        let instance = one_hot(400, 5, identify);
        let tree = random_tree(&instance, &mut Dice(9));
        assert!(tree.depth() > 300, "{}", tree.depth());
        for at in [1.0 + 1e-9, 1.3, 2.0, 50.0, 1e6, 1e9, 1e100, 1e300] {
            losses_are_the_gap(&instance, &tree, at).unwrap();
        }
        let losses = loss::expected(&tree, &instance);
        let expected = Costs::of(&tree, &instance, lambda(1.0)).expected;
        assert!((losses.bound + total(&losses) - expected).abs() <= 1e-9 * expected);
    }
}

#[test]
fn a_chain_of_equals_costs_what_its_formula_says() {
    // Uniform prior, unit cost: depths 1, 2, …, n − 1, n − 1. L = ln[(Σ_d λ^d + λ^(n−1)) / n] / t.
    let n = 400;
    let sample = Sample {
        answers: (0..n).map(|object| (0..n).map(|test| u8::from(object == test)).collect()).collect(),
        groups: None,
        priors: None,
        costs: None,
    };
    let instance = sample.instance();
    let tree = random_tree(&instance, &mut Dice(1));
    for at in [1.5f64, 2.0, 50.0, 1e9] {
        let costs = Costs::of(&tree, &instance, lambda(at));
        let deepest = (n - 1) as f64;
        // Σ_{d=1}^{n−1} λ^d = λ^(n−1) (1 − λ^−(n−1)) / (1 − 1/λ)
        let sum = (1.0 - (-deepest * at.ln()).exp()) / (1.0 - 1.0 / at) + 1.0;
        let wanted = deepest + (sum / n as f64).ln() / at.ln();
        assert!((costs.exponential - wanted).abs() <= 1e-12 * wanted, "λ = {at}: {costs:?} {wanted}");
        assert!((costs.expected - (deepest * (deepest + 1.0) / 2.0 + deepest) / n as f64).abs() < 1e-9);
        assert_eq!(costs.worst, deepest);
    }
}
