//! Laws of the reasons: each shows as much as its formula says.

use super::Slow;
use crate::brute_force::tables;
use crate::common::{cases, confirmed_instance, instance};
use crate::oracle::Oracle;
use fewest_check::{CheckError, check_bound, own_bound};
use fewest_model::{Claim, Instance, Lambda, ObjectId, Objective, Proof, Reason};
use proptest::prelude::*;

/// Value that the checker finds when far too much is claimed; `None` if the claim is true.
fn found(slow: &Slow<'_>, set: &[ObjectId], budget: f64, reason: Reason) -> Option<f64> {
    let mut objects = vec![0u64; slow.instance.object_count().div_ceil(64)];
    set.iter().for_each(|object| objects[object.index() / 64] |= 1 << (object.index() % 64));
    let claims = vec![Claim { objects, budget, value: 1e12, reason, open: None }];
    let proof = Proof {
        objective: slow.objective,
        cap: f64::INFINITY,
        value: 0.0,
        prices: slow.prices.clone(),
        claims,
    };
    match check_bound(slow.instance, &proof) {
        Ok(_) => None,
        Err(
            CheckError::ClaimOfOneGroup { found, .. }
            | CheckError::ClaimOfTests { found, .. }
            | CheckError::ClaimOfParts { found, .. }
            | CheckError::ClaimOfMajorityPath { found, .. },
        ) => Some(found),
        Err(error) => panic!("{error}"),
    }
}

fn objectives() -> Vec<Objective> {
    let lambdas = [1.0, 1.5, 2.0, 10.0, f64::INFINITY];
    let exponential = lambdas.map(|lambda| Objective::Exponential(Lambda::new(lambda).unwrap()));
    [Objective::Expected, Objective::Worst].into_iter().chain(exponential).collect()
}

fn is_near(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= 1e-8 * (1.0 + right.abs())
}

/// Compares the values of the checker for a set with the formulas, for every objective and reason.
fn agrees(instance: &Instance, set: &[ObjectId], budget: f64, prices: &[Vec<u8>]) {
    for objective in objectives() {
        let slow = Slow { instance, objective, prices: prices.to_vec() };
        let mut reasons = vec![(Reason::EveryTest, budget)];
        reasons.extend(instance.test_ids().map(|test| (Reason::Parts(test), f64::INFINITY)));
        if slow.growth().is_none() && slow.has_even_costs(set) && slow.groups(set).len() > 1 {
            reasons.push((Reason::MajorityPath, f64::INFINITY));
        }
        for (reason, budget) in reasons {
            let (judged, slow) = (found(&slow, set, budget, reason), slow.shows(set, budget, reason));
            match judged {
                Some(judged) => assert!(
                    is_near(judged, slow),
                    "{objective:?} {reason:?} {budget}: {judged} {slow} {set:?}"
                ),
                None => assert_eq!(slow, f64::INFINITY, "{objective:?} {reason:?} {budget} {set:?}"),
            }
        }
    }
}

/// Objects whose bits are set, with all objects of the same kind.
fn with_twins(instance: &Instance, bits: &[bool]) -> Vec<ObjectId> {
    let slow = Slow { instance, objective: Objective::Worst, prices: Vec::new() };
    let all: Vec<ObjectId> = instance.objects().collect();
    let kinds = slow.kinds(&all);
    let mut set: Vec<ObjectId> = kinds
        .into_iter()
        .zip(bits.iter().cycle())
        .filter(|(_, bit)| **bit)
        .flat_map(|(kind, _)| kind)
        .collect();
    set.sort_unstable();
    if set.is_empty() { all } else { set }
}

fn own_agrees(instance: &Instance) {
    for objective in objectives() {
        let slow = Slow { instance, objective, prices: Vec::new() };
        let (judged, slow) = (own_bound(instance, objective), slow.own());
        assert!(is_near(judged, slow), "{objective:?}: {judged} {slow}");
    }
}

/// Table with tests of equal cost, mostly of equal objects, of the given size.
fn even(objects: std::ops::Range<usize>, tests: usize) -> impl Strategy<Value = String> {
    let prior = prop_oneof![Just("1"), Just("0"), Just("2"), Just("7"), Just("0.3333333333333333")];
    let rows = (prop_oneof![3 => Just(2u8), 1 => Just(3), 1 => Just(6)], 0..3u8, any::<bool>())
        .prop_flat_map(move |(answers, shape, rare)| {
            let prior = if shape > 0 { Just("1").boxed() } else { prior.clone().boxed() };
            // If one answer is rare, the majority path is long.
            let answer =
                if rare { prop_oneof![4 => Just(0), 1 => 0..answers].boxed() } else { (0..answers).boxed() };
            let row = (prop::collection::vec(answer, tests), 0..5u8, prior);
            (prop::collection::vec(row, objects.clone()), Just(shape < 2))
        });
    let cost = prop_oneof![3 => Just("1"), 1 => Just("2.5"), 1 => Just("0.6666666666666666")];
    (rows, cost, any::<bool>()).prop_map(move |((rows, may_group), cost, grouped)| {
        let grouped = grouped && may_group;
        let names: Vec<String> = (0..tests).map(|test| format!("q{test}")).collect();
        let mut text = format!("o {} prior{}\n", names.join(" "), if grouped { " group" } else { "" });
        text += &format!("@cost {} - -\n", vec![cost; tests].join(" "));
        for (at, (answers, group, prior)) in rows.iter().enumerate() {
            let answers: Vec<String> = answers.iter().map(u8::to_string).collect();
            let prior = if at == 0 { "1" } else { prior };
            let group = if grouped { format!(" g{group}") } else { String::new() };
            text += &format!("o{at} {} {prior}{group}\n", answers.join(" "));
        }
        text
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_reason_shows_what_its_formula_says(
        table in prop_oneof![tables(), even(2..9, 7)], bits in prop::collection::vec(any::<bool>(), 8),
        spend in prop_oneof![Just(f64::INFINITY), (0..9u32).prop_map(f64::from)],
        seeds in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let instance = instance(&table);
        // If costs have no common step, a budget that is met up to rounding is met: use none.
        let exact = instance.costs().is_exact();
        let budget = if exact { (spend * instance.costs().scale()).floor() } else { f64::INFINITY };
        let all: Vec<ObjectId> = instance.objects().collect();
        let prices: Vec<Vec<u8>> = seeds.chunks_exact(all.len()).map(<[u8]>::to_vec).collect();
        agrees(&instance, &all, budget, &prices);
        agrees(&instance, &with_twins(&instance, &bits), budget, &prices);
        own_agrees(&instance);
    }

    #[test]
    fn rare_answers_make_long_paths(table in even(5..9, 9), bits in prop::collection::vec(prop::bool::weighted(0.8), 9)) {
        let instance = instance(&table);
        agrees(&instance, &with_twins(&instance, &bits), f64::INFINITY, &[]);
        own_agrees(&instance);
    }

    /// Equal objects and two answers, one of them rare: the objects that leave the path have a path of their own.
    #[test]
    fn paths_of_many_equal_objects(
        rows in (prop::bool::ANY, 8..18usize).prop_flat_map(|(rare, objects)| {
            let cell = prop::bool::weighted(if rare { 0.25 } else { 0.45 });
            prop::collection::vec(prop::collection::vec(cell, 11), objects)
        }),
    ) {
        let names: Vec<String> = (0..11).map(|test| format!("q{test}")).collect();
        let mut text = format!("o {}\n", names.join(" "));
        for (at, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| u8::from(*cell).to_string()).collect();
            text += &format!("o{at} {}\n", cells.join(" "));
        }
        let instance = instance(&text);
        let all: Vec<ObjectId> = instance.objects().collect();
        for objective in [Objective::Expected, Objective::Worst] {
            let slow = Slow { instance: &instance, objective, prices: Vec::new() };
            prop_assume!(slow.plain(&all).is_some());
            let (judged, slow) =
                (found(&slow, &all, f64::INFINITY, Reason::MajorityPath), slow.shows(&all, f64::INFINITY, Reason::MajorityPath));
            prop_assert!(judged.is_some_and(|judged| is_near(judged, slow)), "{objective:?}: {judged:?} {slow}");
        }
    }

    /// Most objects give the same answer, even one of six, so the claims about this part support the whole.
    #[test]
    fn what_is_known_of_a_large_part_helps_the_whole(table in even(5..9, 7), capped in any::<bool>()) {
        let instance = instance(&table);
        let exact = instance.costs().is_exact();
        for objective in [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)] {
            let worst = Oracle::new(&instance, Objective::Worst).optimum(f64::INFINITY);
            let cap = if capped && exact { worst } else { f64::INFINITY };
            let proof = Oracle::new(&instance, objective).proof(cap);
            let verdict = check_bound(&instance, &proof);
            prop_assert!(verdict.is_ok(), "{objective:?}: {}", verdict.unwrap_err());
        }
    }

    #[test]
    fn in_games_every_object_ends_at_a_question(
        answers in prop::collection::vec(prop::collection::vec(0..3u8, 8), 1..7), alike in any::<bool>(),
        bits in prop::collection::vec(any::<bool>(), 7), dear in any::<bool>(),
        spend in prop_oneof![Just(f64::INFINITY), (0..6u32).prop_map(f64::from)],
    ) {
        let objects = answers.len();
        let names: Vec<String> = (0..objects + 1).map(|at| format!("o{at}")).collect();
        let costs: Vec<&str> = (0..objects + 1).map(|at| if dear && at % 2 == 0 { "3" } else { "2" }).collect();
        let mut text = format!("o {} prior\n@cost {} -\n", names.join(" "), costs.join(" "));
        for (object, answers) in answers.iter().enumerate() {
            let cell = |test: usize| if test == object { "=".to_owned() } else { answers[test].to_string() };
            let cells: Vec<String> = (0..objects + 1).map(cell).collect();
            text += &format!("o{object} {} {}\n", cells.join(" "), if alike { 1 } else { object + 1 });
        }
        let instance = confirmed_instance(&text);
        let all: Vec<ObjectId> = instance.objects().collect();
        agrees(&instance, &all, spend, &[]);
        agrees(&instance, &with_twins(&instance, &bits), spend, &[]);
        own_agrees(&instance);
    }
}

proptest! {
    #![proptest_config(cases(12))]

    /// Sets of more than 64 objects take several words.
    #[test]
    fn large_sets_are_added_up_like_small_ones(table in even(66..140, 12), bits in prop::collection::vec(any::<bool>(), 150)) {
        let instance = instance(&table);
        let set = with_twins(&instance, &bits);
        for objective in [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)] {
            let slow = Slow { instance: &instance, objective, prices: Vec::new() };
            for reason in instance.test_ids().map(Reason::Parts).chain([Reason::EveryTest]) {
                let (judged, slow) =
                    (found(&slow, &set, f64::INFINITY, reason), slow.shows(&set, f64::INFINITY, reason));
                prop_assert!(judged.is_some_and(|judged| is_near(judged, slow)), "{objective:?} {reason:?}: {judged:?} {slow}");
            }
        }
    }
}
