//! Growing a tree from sums over all tests yields the tree of counting test by test.

use crate::common::*;
use fewest::builder::unfold;
use fewest::criterion::{CATALOGUE, Settings};
use fewest::{Greedy, Instance, Limit, Policy, Reading, Tree};
use fewest_lab::generate::Beta;
use proptest::prelude::*;

/// Tree of a policy that looks at one test after the other.
fn slowly(instance: &Instance, greedy: &Greedy<'_>) -> Tree {
    Tree::unfold(instance, |level| Some(level.iter().map(|candidates| greedy.next(candidates)).collect()))
        .unwrap()
}

fn grows_alike(instance: &Instance, lambdas: &[f64]) -> Result<(), TestCaseError> {
    for entry in CATALOGUE {
        let lambdas = if entry.uses_lambda { lambdas } else { &lambdas[..1] };
        for (value, blind) in lambdas.iter().flat_map(|value| [(*value, false), (*value, true)]) {
            let settings = Settings { lambda: lambda(value), identify: instance.identify() };
            let criterion = (entry.make)(settings);
            let greedy = Greedy::new(instance, criterion.as_ref(), blind);
            let grown = unfold(instance, &greedy, &Limit::none()).unwrap();
            prop_assert_eq!(grown, slowly(instance, &greedy), "{} at λ = {}", entry.name, value);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn any_table_grows_alike(sample in samples(40)) {
        grows_alike(&sample.instance(), &LAMBDAS)?;
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn tables_of_the_random_model_grow_alike(
        objects in 2u32..400, tests in prop_oneof![20u32..90, 250u32..300], groups in 0u32..12,
        high in 0.6f64..1.0, delta in prop_oneof![Just(0.0), 0.1f64..3.0], seed: u64,
    ) {
        let groups = (groups > 0).then_some(groups.min(objects));
        let beta = Beta { objects, tests, groups, gamma_w: 0.5..=high, delta, seed, ..Beta::default() };
        let Ok(table) = beta.generate() else { return Ok(()) };
        grows_alike(&Instance::new(table, &Reading::default()).unwrap().0, &[2.0, 1.2, f64::INFINITY])?;
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn mirrored_tests_are_worth_the_same(pairs in 10usize..120, tests in 7usize..12, groups in 2usize..5, seed: u64) {
        grows_alike(&mirrored(pairs, tests, groups, seed).instance(), &LAMBDAS)?;
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn dust_beside_a_heavy_object_is_told_apart(objects in 600usize..900, heavy in 0i32..16, seed: u64) {
        grows_alike(&dusty(objects, heavy, seed).instance(), &[2.0])?;
    }

    #[test]
    fn shares_that_are_rounded_apart_are_worth_the_same(fours in 150usize..300, rest in 0.05f64..0.95) {
        grows_alike(&rounded_apart(fours, rest).instance(), &[2.0])?;
    }
}

/// Table of groups with mostly equal answers, in pairs of objects of one weight. Each test has a second one with the
/// opposite answers and with the objects of each pair exchanged. Both have the same score, though no sum is made of
/// the same numbers in the same order.
fn mirrored(pairs: usize, tests: usize, groups: usize, seed: u64) -> Sample {
    let mut dice = Dice(seed);
    let usual: Vec<Vec<u8>> = (0..groups).map(|_| (0..tests).map(|_| dice.roll(2) as u8).collect()).collect();
    let (mut rows, mut of, mut priors) = (Vec::new(), Vec::new(), Vec::new());
    for pair in 0..pairs {
        let group = pair % groups;
        let mut answers =
            || -> Vec<u8> { usual[group].iter().map(|usual| usual ^ u8::from(dice.roll(40) == 0)).collect() };
        let (first, second) = (answers(), answers());
        let weight = ((1 + dice.roll(1000)) as f64 / 1000.0).powi(3);
        for (own, other) in [(&first, &second), (&second, &first)] {
            rows.push(own.iter().copied().chain(other.iter().map(|answer| 1 - answer)).collect());
            of.push(group as u8);
            priors.push(weight);
        }
    }
    Sample { answers: rows, groups: Some(of), priors: Some(priors), costs: None }
}

/// Table of many objects, of which the first weighs `10^heavy` and the others up to 1: with a large `heavy`, less
/// than the fixed-point unit.
fn dusty(objects: usize, heavy: i32, seed: u64) -> Sample {
    let mut dice = Dice(seed);
    let answers = (0..objects).map(|_| (0..14).map(|_| dice.roll(2) as u8).collect()).collect();
    let groups = (0..objects).map(|_| dice.roll(3) as u8).collect();
    let mut light = || (1 + dice.roll(1000)) as f64 / 1000.0;
    let priors = (0..objects).map(|at| if at == 0 { 10f64.powi(heavy) } else { light() }).collect();
    Sample { answers, groups: Some(groups), priors: Some(priors), costs: None }
}

/// Table of fours of objects of one group, the first of which weighs as much as the others together. The first test
/// singles out the others of the first group, the second test the first; and ten more tell all objects apart. In
/// units of a coarse share, which is `2^-34`, each of the light objects weighs `rest` above a whole number, and three
/// times that has another rest.
fn rounded_apart(fours: usize, rest: f64) -> Sample {
    let total = (1u64 << 34) as f64;
    let light = (total / (7 * fours) as f64).floor() + rest;
    let objects = 4 * fours + 1;
    let is_first = |at: usize| at.is_multiple_of(4);
    // No single binary digit of its number determines the group.
    let group = |at: usize| (at / 4).count_ones() % 2;
    let answers = |at: usize| -> Vec<u8> {
        let found = group(at) == 0 && at + 1 < objects;
        let name = (0..11).map(|bit| (at >> bit & 1) as u8);
        [found && !is_first(at), found && is_first(at)].map(u8::from).into_iter().chain(name).collect()
    };
    let prior = |at: usize| match at {
        _ if at + 1 == objects => total - light * (6 * fours) as f64,
        _ if is_first(at) => 3.0 * light,
        _ => light,
    };
    Sample {
        answers: (0..objects).map(answers).collect(),
        groups: Some((0..objects).map(|at| group(at) as u8).collect()),
        priors: Some((0..objects).map(prior).collect()),
        costs: None,
    }
}

#[test]
fn large_tables_grow_alike() {
    // Large enough that parts are computed as parent − other part; or, with different weights, that shares are
    // coarse.
    for delta in [0.0, 1.0] {
        let model =
            Beta { objects: 12_000, tests: 60, groups: Some(4), gamma_w: 0.5..=0.9, ..Beta::default() };
        let table = Beta { delta, seed: 5, ..model }.generate().unwrap();
        let instance = Instance::new(table, &Reading::default()).unwrap().0;
        grows_alike(&instance, &[2.0, f64::INFINITY]).unwrap();
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    // Large enough that threads share the runs of one node as well; with equal and with different weights.
    for delta in [0.0, 1.0] {
        let beta = Beta { objects: 70_000, tests: 40, groups: Some(5), delta, seed: 3, ..Beta::default() };
        let instance = Instance::new(beta.generate().unwrap(), &Reading::default()).unwrap().0;
        let grown = |threads: usize, name: &str| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| grow(&instance, name, lambda(2.0), false))
        };
        for name in ["ggbs", "ec2", "lambda-gbs"] {
            assert_eq!(grown(1, name), grown(3, name), "{name}");
        }
    }
}
