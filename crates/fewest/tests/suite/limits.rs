//! Limits of time and interrupts are kept, and results within them are still correct.

use crate::common::*;
use fewest::bound;
use fewest::learn::{Examples, Field, FitOptions, Grower, Preparation, Target, cross_validate_within};
use fewest::session::simulate::Match;
use fewest::session::{Plan, SessionRules};
use fewest::{
    Certificate, Goal, Instance, Limit, Numeric, Objective, Reading, StopReason, Table, algorithms, build,
    check, compare, front, trials,
};
use fewest_lab::generate::Beta;
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Limit whose flag is set: all work that looks at it stops at once.
fn stopped() -> Limit {
    Limit::none().with_interrupt(Arc::new(AtomicBool::new(true)))
}

/// Rows of two measured columns, each of whose values is a cut.
fn measured(rows: usize) -> Instance {
    let number = |row: usize, factor: usize| ((row * factor) % 10_007).to_string();
    let rows: Vec<[String; 4]> = (0..rows)
        .map(|row| {
            [
                format!("o{row}"),
                ["x", "y", "z"][row * row % 3].to_owned(),
                number(row, 7919),
                number(row, 104_729),
            ]
        })
        .collect();
    let cells = rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
    let all: Vec<Vec<&str>> = [vec!["object", "group", "a", "b"]].into_iter().chain(cells).collect();
    let all: Vec<&[&str]> = all.iter().map(Vec::as_slice).collect();
    let reading = Reading { numeric: Numeric::Thresholds, ..Reading::default() };
    Instance::new(Table::from_rows(&all), &reading).unwrap().0
}

#[test]
fn issue_21_item_9_thresholds_of_two_thousand_rows_keep_to_the_time() {
    // Not a measurement: this took twenty seconds on an idle machine when bounds looked at no clock, and more in a
    // debug build.
    let instance = measured(2000);
    let start = Instant::now();
    let outcome = build(&instance, &Goal::default(), &Limit::time(Duration::from_millis(500)));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    check(&instance, &outcome.tree, &Certificate { costs: Some(outcome.costs), bound: None }).unwrap();
}

#[test]
fn issue_21_item_9_learning_and_simulating_stop_on_request_with_what_there_is() {
    let fields = vec![
        Field::numbers("x", (0..100).map(|row| f64::from(row % 20)).collect()),
        Field::words("y", &(0..100).map(|row| ["a", "b"][row % 20 / 5 % 2]).collect::<Vec<_>>()),
    ];
    let target = Target::parse("y", &["x", "y"]).unwrap();
    let (examples, _) = Examples::new(fields, &target, &Preparation::default()).unwrap();
    let options = FitOptions::default();
    assert!(Grower::new(&examples, &options).grow(&examples.rows()).leaves() > 1);
    assert_eq!(Grower::new(&examples, &options).within(&stopped()).grow(&examples.rows()).leaves(), 1);
    let validated =
        cross_validate_within(&examples, &options, &Default::default(), &Default::default(), &stopped());
    assert_eq!(validated, None);

    let instance = instance("o t u\n a 0 0\n b 0 1\n c 1 0\n d 1 1", &[]);
    let game = Match::new(&instance, Plan::default(), SessionRules::default());
    assert_eq!((game.play_all().unwrap().len(), game.play_some(20, 1).unwrap().len()), (4, 20));
    let game = Match { limit: stopped(), ..game };
    assert_eq!((game.play_all().unwrap().len(), game.play_some(20, 1).unwrap().len()), (0, 0));
}

#[test]
fn issue_21_item_10_a_rule_alone_on_a_large_table_has_quick_bounds_only() {
    let beta = Beta { objects: 2000, tests: 200, groups: Some(10), ..Beta::default() };
    let (instance, _) = Instance::new(beta.generate().unwrap(), &Reading::default()).unwrap();
    let quick: Vec<&str> =
        bound::entries(&instance).filter(|entry| entry.is_quick).map(|entry| entry.name).collect();
    for algorithm in algorithms() {
        let goal = Goal::default().with_algorithm(Some(algorithm));
        let outcome = build(&instance, &goal, &Limit::none());
        assert!(outcome.bounds.iter().all(|bound| quick.contains(&bound.name)), "{:?}", outcome.bounds);
        assert!(outcome.bound.value > 1.0 && outcome.bound.value <= outcome.costs.expected);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// However short the time, there is a tree, its costs are true, and its bound holds.
    #[test]
    fn a_limit_that_is_reached_at_once_still_gives_a_true_outcome(sample in samples(14)) {
        let instance = sample.instance();
        let best = build(&instance, &Goal::default(), &Limit::none());
        prop_assert!(best.optimal && best.unranked == 0);
        let named = algorithms().into_iter().map(Some).chain([None]);
        for algorithm in named {
            let goal = Goal::default().with_algorithm(algorithm);
            let outcome = build(&instance, &goal, &stopped());
            let claims = Certificate { costs: Some(outcome.costs), bound: None };
            prop_assert!(check(&instance, &outcome.tree, &claims).is_ok());
            prop_assert!(outcome.bound.value <= best.costs.expected * (1.0 + 1e-9));
            prop_assert!(!outcome.gap.is_nan() && outcome.gap >= -1e-12);
            let asks = outcome.tree.nodes().len() - outcome.tree.leaf_count();
            prop_assert!(outcome.unranked <= asks);
            if outcome.stop == StopReason::Interrupted {
                prop_assert!(!outcome.optimal);
            }
        }
        prop_assert!(!trials(&instance, &Goal::default(), &stopped()).is_empty());
        let (rows, outcome) = compare(&instance, &Goal::default(), &stopped(), |_| ());
        prop_assert!(!rows.is_empty() && outcome.costs.expected >= best.costs.expected * (1.0 - 1e-9));
        prop_assert!(!front::front(&instance, &stopped()).points.is_empty());
    }

    /// A bound that is cut short is never higher.
    #[test]
    fn bounds_within_a_limit_are_no_higher(sample in samples(14)) {
        let instance = sample.instance();
        for objective in [Objective::Expected, Objective::Worst, Objective::Exponential(lambda(2.0))] {
            let whole = bound::best(&bound::all(&instance, lambda(2.0)), objective.kind());
            let cut = bound::best(&bound::all_within(&instance, lambda(2.0), &stopped()), objective.kind());
            prop_assert!(cut.value <= whole.value * (1.0 + 1e-9));
        }
    }
}
