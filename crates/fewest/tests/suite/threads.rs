//! Neither the number of threads nor a lack of time changes the tree.

use crate::common::*;
use fewest::{
    Certificate, Costs, Goal, Instance, Lambda, Limit, StopReason, algorithms, build, check, trials,
};
use std::time::Duration;

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Instance with objects in 7 groups, random answers, and priors and costs that make neither sums nor scores exact.
fn large(objects: usize, tests: usize) -> Instance {
    let mut dice = Dice(7);
    let arities: Vec<usize> = (0..tests).map(|_| 2 + dice.roll(12) / 10).collect();
    let mut roll = |sides: usize| dice.roll(sides);
    Sample {
        answers: (0..objects).map(|_| arities.iter().map(|arity| roll(*arity) as u8).collect()).collect(),
        groups: Some((0..objects).map(|_| roll(7) as u8).collect()),
        priors: Some((0..objects).map(|_| (roll(1000) as f64).sqrt()).collect()),
        costs: Some((0..tests).map(|_| 1.0 + (roll(50) as f64).sqrt()).collect()),
    }
    .instance()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let instance = large(3000, 60);
    for (name, at, blind) in [
        ("gbs", 2.0, true),
        ("ggbs", 2.0, false),
        ("lambda-gbs", 1.3, false),
        ("lambda-ggbs", 50.0, true),
        ("ec2", 2.0, false),
        ("gain-ratio", 2.0, false),
        ("gbs-uniform", 2.0, false),
    ] {
        let grown = |threads| with_threads(threads, || grow(&instance, name, lambda(at), blind));
        let tree = grown(1);
        assert_eq!(tree, grown(2), "{name}");
        assert_eq!(tree, grown(3), "{name}");
        let costs = Costs::of(&tree, &instance, lambda(at));
        check(&instance, &tree, &Certificate { costs: Some(costs), bound: None }).unwrap();
    }
}

#[test]
fn the_number_of_threads_changes_no_small_tree_either() {
    let instance = large(40, 7);
    for (name, lambda, blind) in all_ways() {
        let grown = |threads| with_threads(threads, || grow(&instance, name, lambda, blind));
        assert_eq!(grown(1), grown(2), "{name}");
    }
}

#[test]
fn no_time_at_all_is_enough_for_one_tree() {
    let instance = large(40, 7);
    for objective in objectives(Lambda::TWO) {
        let goal = Goal::default().with_objective(objective);
        let outcome = build(&instance, &goal, &Limit::time(Duration::ZERO));
        check(&instance, &outcome.tree, &Certificate { costs: Some(outcome.costs), bound: None }).unwrap();
        assert_eq!(outcome.stop, StopReason::Time);
        assert!(!outcome.optimal && outcome.gap > 0.0);
        assert_eq!(trials(&instance, &goal, &Limit::time(Duration::ZERO)).len(), 1);
        assert_eq!(trials(&instance, &goal, &Limit::none()).len(), algorithms().len());
    }
}
