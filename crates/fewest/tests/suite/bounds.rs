//! Bounds against their definitions written out, because a weaker bound would pass other tests.

use crate::common::read;
use fewest::bound::{self, ObjectiveKind};
use fewest::{Instance, Lambda, ObjectId, Objective, Reading, TestId};
use proptest::prelude::*;

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * right.abs().max(1.0)
}

/// Value of the bound called `name` for a kind of cost.
fn value(instance: &Instance, name: &str, kind: ObjectiveKind) -> f64 {
    let bounds = bound::all(instance, Lambda::TWO);
    bounds.iter().find(|bound| bound.name == name && bound.kind == kind).unwrap().value
}

/// Packing bound on the cost of separating an object from all objects of other groups: each of these gets a weight in
/// turn, as much as is left of the costs of the tests that separate it; first those that few tests separate.
fn packing(instance: &Instance, object: ObjectId) -> f64 {
    let parting = |other: ObjectId| -> Vec<TestId> {
        instance
            .test_ids()
            .filter(|test| instance.answer(object, *test) != instance.answer(other, *test))
            .collect()
    };
    // Groups follow each other, in the order of their numbers.
    let mut others: Vec<ObjectId> =
        instance.objects().filter(|other| instance.group_of(*other) != instance.group_of(object)).collect();
    others.sort_by_key(|other| instance.group_of(*other));
    others.sort_by_key(|other| parting(*other).len());
    let mut left: Vec<f64> = instance.test_ids().map(|test| instance.cost(test)).collect();
    let mut sum = 0.0;
    for other in others {
        let tests = parting(other);
        let room = tests.iter().map(|test| left[test.index()]).fold(f64::INFINITY, f64::min);
        tests.iter().for_each(|test| left[test.index()] -= room);
        sum += room;
    }
    sum
}

/// A table of `objects` rows, tests with whole costs, and groups.
fn tables(tests: usize, answers: u8) -> impl Strategy<Value = (String, Vec<u8>)> {
    let row = (prop::collection::vec(0..answers, tests), 0..4u8, 1..5u8);
    let costs = prop::collection::vec(1..5u8, tests);
    (prop::collection::vec(row, 2..9), costs, any::<bool>()).prop_map(move |(rows, costs, grouped)| {
        let names: Vec<String> = (0..tests).map(|test| format!("t{test}")).collect();
        let mut text = format!("object {} prior{}\n", names.join(" "), if grouped { " group" } else { "" });
        for (at, (cells, group, prior)) in rows.iter().enumerate() {
            let cells: Vec<String> = cells.iter().map(u8::to_string).collect();
            let group = if grouped { format!(" g{group}") } else { String::new() };
            text += &format!("o{at} {} {prior}{group}\n", cells.join(" "));
        }
        (text, costs)
    })
}

fn with_costs(text: &str, costs: &[u8], confirm: bool, name: &str) -> Instance {
    let costs = costs.iter().enumerate().map(|(test, cost)| (format!("{name}{test}"), f64::from(*cost)));
    read(text, &Reading { costs: costs.collect(), confirm, ..Reading::default() })
}

fn certificates_are_packings(instance: &Instance) {
    let packed: Vec<(f64, f64)> =
        instance.objects().map(|object| (instance.prior(object), packing(instance, object))).collect();
    let expected: f64 = packed.iter().map(|(share, cost)| share * cost).sum();
    let worst = packed.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    let exponential = packed.iter().map(|(share, cost)| share * cost.exp2()).sum::<f64>().log2();
    assert!(close(value(instance, "certificate", ObjectiveKind::Expected), expected), "{expected}");
    assert!(close(value(instance, "certificate", ObjectiveKind::Worst), worst), "{worst}");
    assert!(close(value(instance, "certificate", ObjectiveKind::Exponential), exponential), "{exponential}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn certificates_are_packings_of_few_tests((text, costs) in tables(6, 3)) {
        let instance = with_costs(&text, &costs, false, "t");
        prop_assume!(instance.group_count() > 1);
        certificates_are_packings(&instance);
    }

    /// More than 64 tests take several words, more than two answers several planes.
    #[test]
    fn certificates_are_packings_of_many_tests((text, costs) in tables(70, 6)) {
        let instance = with_costs(&text, &costs, false, "t");
        prop_assume!(instance.group_count() > 1);
        certificates_are_packings(&instance);
    }

    /// Once 0 questions come before the last one, `b` times 1, `b²` times 2 and so on, the likeliest object first.
    #[test]
    fn every_object_ends_at_a_guess_of_its_own(
        rows in prop::collection::vec((prop::collection::vec(0..3u8, 8), 1..9u8), 2..7), costs in prop::collection::vec(1..4u8, 7),
    ) {
        let objects = rows.len();
        let names: Vec<String> = (0..objects).map(|at| format!("o{at}")).collect();
        let mut text = format!("object {} prior\n", names.join(" "));
        for (object, (answers, prior)) in rows.iter().enumerate() {
            let cell = |test: usize| if test == object { "=".to_owned() } else { answers[test].to_string() };
            let cells: Vec<String> = (0..objects).map(cell).collect();
            text += &format!("o{object} {} {prior}\n", cells.join(" "));
        }
        let instance = with_costs(&text, &costs[..objects], true, "o");
        let cost = |test: TestId| instance.cost(test);
        let cheapest = instance.test_ids().map(cost).fold(f64::INFINITY, f64::min);
        // Every test confirms an object, so that all its other answers lead on.
        let leads = instance.test_ids().map(|test| {
            let mut answers: Vec<_> = instance.objects().map(|object| instance.answer(object, test)).collect();
            answers.sort_unstable();
            answers.dedup();
            answers.len() - 1
        }).max().unwrap();
        let before: Vec<f64> = (0u32..).flat_map(|depth| std::iter::repeat_n(f64::from(depth), leads.pow(depth))).take(objects).collect();
        let guesses: Vec<(f64, f64)> = instance.objects().map(|object| (instance.prior(object), cost(instance.confirming(object).unwrap()))).collect();
        let dealt = |key: &dyn Fn(&(f64, f64)) -> f64| {
            let mut guesses = guesses.clone();
            guesses.sort_by(|left, right| key(right).total_cmp(&key(left)));
            let paid = guesses.into_iter().zip(&before).map(|((share, cost), before)| (share, cost + before * cheapest));
            paid.collect::<Vec<(f64, f64)>>()
        };
        let expected: f64 = dealt(&|guess| guess.0).iter().map(|(share, cost)| share * cost).sum();
        let worst = dealt(&|guess| guess.1).iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
        let exponential = dealt(&|guess| guess.0 * guess.1.exp2()).iter().map(|(share, cost)| share * cost.exp2()).sum::<f64>().log2();
        prop_assert!(close(value(&instance, "guesses", ObjectiveKind::Expected), expected));
        prop_assert!(close(value(&instance, "guesses", ObjectiveKind::Worst), worst));
        prop_assert!(close(value(&instance, "guesses", ObjectiveKind::Exponential), exponential));
    }

    /// The best bound of the library is never below the checker's bound by the entropy of groups.
    #[test]
    fn the_best_bound_is_not_below_the_entropy((text, costs) in tables(5, 3)) {
        let instance = with_costs(&text, &costs, false, "t");
        prop_assume!(instance.group_count() > 1);
        let bounds = bound::all(&instance, Lambda::TWO);
        for (objective, kind) in [(Objective::Expected, ObjectiveKind::Expected), (Objective::Worst, ObjectiveKind::Worst)] {
            let coarse = fewest_check::bound_of_coarse_groups(&instance, objective, None);
            prop_assert!(bound::best(&bounds, kind).value >= coarse * (1.0 - 1e-9));
        }
    }
}
