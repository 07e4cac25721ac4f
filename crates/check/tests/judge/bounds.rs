//! Proofs of bounds: the whole truth passes, and no alteration of it that is false does.

use crate::brute_force::tables;
use crate::common::{cases, confirmed_instance, instance, some_tree};
use crate::oracle::Oracle;
use fewest_check::{CheckError, check, check_bound};
use fewest_model::{Certificate, Claim, Instance, Lambda, Objective, Proof, Reason, TestId, Tree};
use proptest::prelude::*;

const E1: &str = "o group q1 q2 q3\n a 1 0 1 1\n b 1 1 1 0\n c 1 0 1 0\n d 2 1 0 0";
const E2: &str = "o t1 t2 t3 group prior\n @cost 2 1 3 - -\n 1 1 1 2 A 0.1\n 2 1 2 1 A 0.2\n 3 2 2 1 B 0.4\n \
                  4 1 2 2 C 0.25\n 5 2 2 2 C 0.05";
const E3: &str = "o prior q1 q2 q3 q4 q5 q6 q7\n o1 0.5 1 0 1 0 1 0 1\n o2 0.25 0 1 1 0 0 1 1\n \
                  o3 0.125 0 0 0 1 1 1 1\n o4 0.125 0 0 0 0 0 0 0";
const E4: &str = "o group prior color size shape\n @cost - - 2 1 1.5\n a P 0.3 r S x\n b P 0.3 r S x\n \
                  c Q 0.2 g S x\n d Q 0.1 g L y\n e R 0.1 b L x\n f R 0 r L y";
const E5: &str = "o group u v w\n @cost - 3 1 5\n a even 0 0 0\n b odd 0 1 0\n c odd 1 0 0\n d even 1 1 1";
const EXAMPLES: [&str; 5] = [E1, E2, E3, E4, E5];

/// The expected and the worst cost, and exponential ones with both limits.
fn objectives() -> Vec<Objective> {
    let lambdas = [1.0, 1.001, 2.0, 10.0, 1e6, f64::INFINITY];
    let exponential = lambdas.map(|lambda| Objective::Exponential(Lambda::new(lambda).unwrap()));
    [Objective::Expected, Objective::Worst].into_iter().chain(exponential).collect()
}

fn every_proof(table: &str, mut then: impl FnMut(&Instance, Proof)) {
    let instance = instance(table);
    for objective in objectives() {
        let worst = Oracle::new(&instance, Objective::Worst).optimum(f64::INFINITY);
        for cap in [f64::INFINITY, worst, worst + 1.0, 2.0 * worst] {
            then(&instance, Oracle::new(&instance, objective).proof(cap));
        }
    }
}

/// Whether all that a proof says is true, claim by claim.
fn is_true(instance: &Instance, proof: &Proof) -> bool {
    let mut oracle = Oracle::new(instance, proof.objective);
    let near = |claimed: f64, best: f64| claimed <= best || claimed - best <= 2e-9 * (1.0 + best.abs());
    let sets =
        proof.claims.iter().all(|claim| near(claim.value, oracle.best(claim.objects[0], claim.budget)));
    sets && near(proof.value, oracle.optimum(proof.cap))
}

#[test]
fn the_optima_of_the_examples_are_proved() {
    let value = |table: &str, objective| {
        let instance = instance(table);
        let proof = Oracle::new(&instance, objective).proof(f64::INFINITY);
        let proved = check_bound(&instance, &proof).unwrap();
        assert_eq!(proved.claims, proof.claims.len());
        proved.value
    };
    assert_eq!(EXAMPLES.map(|table| value(table, Objective::Expected)), [1.0, 4.6, 1.75, 2.6, 4.0]);
    assert_eq!(EXAMPLES.map(|table| value(table, Objective::Worst)), [1.0, 5.0, 2.0, 3.0, 4.0]);
    let exponential = value(E2, Objective::Exponential(Lambda::TWO));
    assert!((exponential - 4.6780719051).abs() < 1e-10);
}

#[test]
fn the_whole_truth_about_the_examples_passes_for_every_objective_and_cap() {
    for table in EXAMPLES {
        every_proof(table, |instance, proof| {
            assert!(is_true(instance, &proof));
            check_bound(instance, &proof).unwrap();
        });
    }
}

#[test]
fn one_unit_more_is_refused() {
    for table in EXAMPLES {
        every_proof(table, |instance, proof| {
            let mut raised = proof.clone();
            raised.value += 1e-6;
            let error = check_bound(instance, &raised).unwrap_err();
            assert!(matches!(error, CheckError::Unproved { .. }), "{error}");
            for at in 0..proof.claims.len() {
                let mut raised = proof.clone();
                raised.claims[at].value += 1e-6 * (1.0 + raised.claims[at].value.abs());
                if proof.claims[at].value.is_finite() {
                    let error = check_bound(instance, &raised).unwrap_err();
                    assert!(
                        matches!(error, CheckError::ClaimOfTests { claim, .. } if claim == at + 1),
                        "{error}"
                    );
                }
            }
        });
    }
}

/// All proofs that differ from this one in one place.
fn alterations(instance: &Instance, proof: &Proof) -> Vec<Proof> {
    let mut altered = Vec::new();
    let mut alter = |change: &dyn Fn(&mut Proof)| {
        let mut proof = proof.clone();
        change(&mut proof);
        altered.push(proof);
    };
    for at in 0..proof.claims.len() {
        alter(&|proof| proof.claims[at].value += 1.0);
        alter(&|proof| proof.claims[at].value *= 1.5);
        alter(&|proof| drop(proof.claims.remove(at)));
        alter(&|proof| proof.claims[at].budget = f64::INFINITY);
        alter(&|proof| proof.claims[at].budget += 1.0);
        alter(&|proof| proof.claims[at].budget = (proof.claims[at].budget - 1.0).max(0.0));
        alter(&|proof| proof.claims[at].reason = Reason::MajorityPath);
        for test in instance.test_ids() {
            alter(&|proof| proof.claims[at].reason = Reason::Parts(test));
        }
        for other in at + 1..proof.claims.len() {
            alter(&|proof| proof.claims.swap(at, other));
        }
        for bit in 0..instance.object_count() {
            alter(&|proof| proof.claims[at].objects[0] ^= 1 << bit);
        }
    }
    for objective in objectives() {
        alter(&|proof| proof.objective = objective);
    }
    for cap in [0.0, proof.cap - 1.0, proof.cap + 1.0, f64::INFINITY] {
        alter(&|proof| proof.cap = cap.max(0.0));
    }
    alter(&|proof| proof.claims.reverse());
    alter(&|proof| proof.claims.clear());
    alter(&|proof| proof.value *= 1.1);
    altered
}

#[test]
fn an_altered_proof_is_refused_or_still_true() {
    let (mut refused, mut true_still) = (0, 0);
    for table in EXAMPLES {
        every_proof(table, |instance, proof| {
            for altered in alterations(instance, &proof) {
                if check_bound(instance, &altered).is_err() {
                    refused += 1;
                } else {
                    assert!(is_true(instance, &altered), "{altered:?}");
                    true_still += 1;
                }
            }
        });
    }
    assert!(refused > 10_000 && true_still > 1_000, "{refused} refused, {true_still} still true");
}

#[test]
fn a_proof_for_another_table_is_refused_or_true_of_it() {
    for table in EXAMPLES {
        every_proof(table, |_, proof| {
            for other in EXAMPLES {
                let other = instance(other);
                assert!(check_bound(&other, &proof).is_err() || is_true(&other, &proof));
            }
        });
    }
}

#[test]
fn what_weighs_nothing_is_worth_nothing_unless_it_does_not_fit() {
    let table = instance("o t u prior\n a 0 0 1\n b 1 0 0\n c 1 1 0");
    for (objective, truth) in
        [(Objective::Expected, 0.0), (Objective::Exponential(Lambda::TWO), f64::NEG_INFINITY)]
    {
        let judged = |budget, value| {
            let claims =
                vec![Claim { objects: vec![0b110], budget, value, reason: Reason::EveryTest, open: None }];
            check_bound(
                &table,
                &Proof { objective, cap: f64::INFINITY, value: 0.0, prices: Vec::new(), claims },
            )
        };
        assert!(judged(f64::INFINITY, truth).is_ok() && judged(1.0, truth).is_ok());
        assert!(judged(f64::INFINITY, 1e-3).is_err() && judged(f64::INFINITY, f64::INFINITY).is_err());
        assert!(judged(0.5, f64::INFINITY).is_ok() && judged(1.0, f64::INFINITY).is_err());
    }
}

fn bare(value: f64) -> Proof {
    let (prices, claims) = (Vec::new(), Vec::new());
    Proof { objective: Objective::Expected, cap: f64::INFINITY, value, prices, claims }
}

/// Weights and costs far from 1, but of one size, are checked like others: the only question is asked of both
/// objects.
#[test]
fn weights_and_costs_far_from_one_are_judged() {
    for (weight, cost) in [("1e200", "1e200"), ("1e-200", "1e-200"), ("1e300", "1"), ("1", "1e300")] {
        let table = instance(&format!("o t prior\n @cost {cost} -\n a 0 {weight}\n b 1 {weight}"));
        let cost: f64 = cost.parse().unwrap();
        assert_eq!(check_bound(&table, &bare(cost)).unwrap().value, cost);
        let refused = check_bound(&table, &bare(cost * 1.001)).unwrap_err();
        assert!(matches!(refused, CheckError::Unproved { .. }), "{refused}");
    }
}

/// Weights and costs further apart than floats reach are refused: products, and the bound, would be infinite or 0.
#[test]
fn weights_and_costs_beyond_all_measure_are_refused() {
    for (first, second, cost) in [("1e300", "1e-300", "1"), ("1", "1e-300", "1"), ("1", "1", "1 1e-300")] {
        let costs: Vec<&str> = cost.split(' ').collect();
        let (t, u) = (costs[0], costs.last().unwrap());
        let table = instance(&format!("o t u prior\n @cost {t} {u} -\n a 0 0 {first}\n b 1 1 {second}"));
        assert_eq!(check_bound(&table, &bare(1.5)).unwrap_err(), CheckError::Immoderate);
        // No strategy costs less than 0, whatever the numbers are.
        assert_eq!(check_bound(&table, &bare(0.0)).unwrap().value, 0.0);
    }
}

fn lone(set: Vec<u64>, budget: f64, value: f64, reason: Reason) -> Proof {
    let claims = vec![Claim { objects: set, budget, value, reason, open: None }];
    Proof { objective: Objective::Expected, cap: f64::INFINITY, value: 0.0, prices: Vec::new(), claims }
}

#[test]
fn what_makes_no_sense_is_refused_by_its_name() {
    let table = instance(E4);
    let refused = |proof: &Proof| check_bound(&table, proof).unwrap_err();
    let of = |set: Vec<u64>| refused(&lone(set, f64::INFINITY, 0.0, Reason::EveryTest));
    assert_eq!(of(vec![]), CheckError::SetSize { claim: 1, found: 0, words: 1, objects: 6 });
    assert_eq!(of(vec![1, 0]), CheckError::SetSize { claim: 1, found: 2, words: 1, objects: 6 });
    assert_eq!(of(vec![1 << 6]), CheckError::SetBeyond { claim: 1, object: 6, objects: 6 });
    assert_eq!(of(vec![0]), CheckError::SetEmpty { claim: 1 });
    assert_eq!(of(vec![0b000101]), CheckError::TwinsParted { claim: 1, object: "a".into() });
    let all = || vec![0b111111];
    let with = |budget, value, reason| refused(&lone(all(), budget, value, reason));
    assert_eq!(with(f64::INFINITY, f64::NAN, Reason::MajorityPath), CheckError::ClaimNoNumber { claim: 1 });
    assert_eq!(with(-1.0, 0.0, Reason::MajorityPath), CheckError::BudgetNoNumber { claim: 1, budget: -1.0 });
    assert!(matches!(with(f64::NAN, 0.0, Reason::EveryTest), CheckError::BudgetNoNumber { .. }));
    let unknown = CheckError::ClaimUnknownTest { claim: 1, number: 3, tests: 3 };
    assert_eq!(with(f64::INFINITY, 0.0, Reason::Parts(TestId(3))), unknown);
    assert_eq!(with(9.0, 0.0, Reason::Parts(TestId(0))), CheckError::PartsWithBudget { claim: 1 });
    let [first, second] = ["color", "size"].map(str::to_owned);
    assert_eq!(
        with(f64::INFINITY, 0.0, Reason::MajorityPath),
        CheckError::MajorityPathUneven { claim: 1, first, second }
    );
    let mut proof = lone(all(), f64::INFINITY, 0.0, Reason::EveryTest);
    proof.value = f64::NAN;
    assert_eq!(refused(&proof), CheckError::BoundNoNumber);
    (proof.value, proof.cap) = (0.0, -1.0);
    assert_eq!(refused(&proof), CheckError::CapNoNumber { cap: -1.0 });
    proof.cap = f64::NAN;
    assert!(matches!(refused(&proof), CheckError::CapNoNumber { .. }));

    let even = instance(E3);
    let mut peel = lone(vec![0b1111], f64::INFINITY, 0.0, Reason::MajorityPath);
    peel.objective = Objective::Exponential(Lambda::TWO);
    assert_eq!(check_bound(&even, &peel).unwrap_err(), CheckError::MajorityPathExponential { claim: 1 });
}

#[test]
fn a_refused_claim_is_told_with_its_numbers() {
    let table = instance(E2);
    let refused = |proof: &Proof| check_bound(&table, proof).unwrap_err().to_string();
    assert_eq!(
        refused(&lone(vec![0b11111], f64::INFINITY, 1000.0, Reason::EveryTest)),
        "claim 1 says no strategy for these 5 objects is worth less than 1000, but asking `t2` may lead to 240 by what \
         is proved before it"
    );
    assert_eq!(
        refused(&lone(vec![0b11111], f64::INFINITY, 1000.0, Reason::Parts(TestId(2)))),
        "claim 1 says no strategy for these 5 objects is worth less than 1000, but the parts that `t3` makes of them \
         are worth 160 by what is proved before it"
    );
    assert_eq!(
        refused(&lone(vec![0b11], f64::INFINITY, 1.0, Reason::EveryTest)),
        "claim 1 says no strategy for these 2 objects is worth less than 1, but they are of one group and worth 0"
    );
    let even = instance(E3);
    assert_eq!(
        check_bound(&even, &lone(vec![0b1111], f64::INFINITY, 2000.0, Reason::MajorityPath))
            .unwrap_err()
            .to_string(),
        "claim 1 says no strategy for these 4 objects is worth less than 2000, but the path of most common answers \
         shows 1750 only"
    );
}

#[test]
fn a_bound_above_the_tree_is_absurd() {
    let table = instance(E2);
    let tree = Tree::new(some_tree(&table, |_| 0)).unwrap();
    let expected = check(&table, &tree, &Certificate::default()).unwrap().costs.expected;
    let judged = |objective, cap, value| {
        let proof = Proof { objective, cap, value, prices: Vec::new(), claims: Vec::new() };
        check(&table, &tree, &Certificate { costs: None, bound: Some(proof) })
    };
    let error = judged(Objective::Expected, f64::INFINITY, expected + 0.1).unwrap_err();
    assert_eq!(error, CheckError::BoundAboveCost { claimed: expected + 0.1, cost: expected });
    // The bound says nothing of a tree beyond the cap; but it is not proved either.
    let error = judged(Objective::Expected, 5.0, expected + 0.1).unwrap_err();
    assert!(matches!(error, CheckError::Unproved { .. }));
    let bound =
        judged(Objective::Exponential(Lambda::new(3.0).unwrap()), f64::INFINITY, 1.5).unwrap().bound.unwrap();
    assert_eq!((bound.value, bound.claims), (1.5, 0));
}

#[test]
fn a_proof_that_nothing_fits_the_cap_is_an_infinite_bound() {
    let table = instance(E2);
    let proof = Oracle::new(&table, Objective::Expected).proof(4.0);
    assert_eq!(check_bound(&table, &proof).unwrap().value, f64::INFINITY);
}

/// A table whose tests cost the same, with two, three or six answers.
fn even_tables() -> impl Strategy<Value = String> {
    let prior = prop_oneof![4 => Just("1"), 1 => Just("0"), 1 => Just("7"), 1 => Just("0.3"), 1 => Just("0.3333333333333333")];
    let rows =
        (prop_oneof![Just(2u8), Just(3), Just(6)], any::<bool>()).prop_flat_map(move |(answers, alike)| {
            let prior = if alike { Just("1").boxed() } else { prior.clone().boxed() };
            prop::collection::vec((prop::collection::vec(0..answers, 6), 0..6u8, prior), 2..9)
        });
    let cost = prop_oneof![Just("1"), Just("2.5"), Just("0.6666666666666666")];
    (rows, cost, any::<bool>()).prop_map(|(rows, cost, grouped)| {
        let mut text = format!("o q1 q2 q3 q4 q5 q6 prior{}\n", if grouped { " group" } else { "" });
        text += &format!("@cost {} - -\n", [cost; 6].join(" "));
        for (at, (answers, group, prior)) in rows.iter().enumerate() {
            let answers: Vec<String> = answers.iter().map(u8::to_string).collect();
            let prior = if at == 0 { "1" } else { prior };
            let group = if grouped { format!(" g{group}") } else { String::new() };
            text += &format!("o{at} {} {prior}{group}\n", answers.join(" "));
        }
        text
    })
}

/// A game: a guess for each object, which only this object answers with `=`, and some questions besides.
fn games() -> impl Strategy<Value = String> {
    let prior = prop_oneof![3 => Just("1"), 1 => Just("0"), 1 => Just("4"), 1 => Just("0.3333333333333333")];
    let row = (prop::collection::vec(0..3u8, 8), prior);
    let costs = prop_oneof![
        Just(vec!["1"; 8]),
        prop::collection::vec(prop_oneof![Just("1"), Just("2"), Just("0.5")], 8)
    ];
    (prop::collection::vec(row, 1..7), costs).prop_map(|(rows, costs)| {
        let objects = rows.len();
        let names: Vec<String> = (0..objects + 2).map(|at| format!("o{at}")).collect();
        let mut text = format!("o {} prior\n@cost {} -\n", names.join(" "), costs[..objects + 2].join(" "));
        for (object, (answers, prior)) in rows.iter().enumerate() {
            let cell = |test: usize| if test == object { "=".to_owned() } else { answers[test].to_string() };
            let cells: Vec<String> = (0..objects + 2).map(cell).collect();
            let prior = if object == 0 { "1" } else { prior };
            text += &format!("o{object} {} {prior}\n", cells.join(" "));
        }
        text
    })
}

/// Claims more than the true value of some set, after the true values of the others, for every reason.
fn no_lie_passes(instance: &Instance, objective: Objective, set: u64, more: f64, budget: f64) {
    let mut oracle = Oracle::new(instance, objective);
    let set = set & oracle.all();
    let best = oracle.best(set, budget);
    if set == 0 || best.is_infinite() {
        return;
    }
    let truth = oracle.proof(f64::INFINITY);
    let reasons = instance.test_ids().map(Reason::Parts).chain([Reason::EveryTest, Reason::MajorityPath]);
    for reason in reasons {
        let mut lie = truth.clone();
        let value = best + more * (1.0 + best.abs());
        lie.claims.push(Claim { objects: vec![set], budget, value, reason, open: None });
        let verdict = check_bound(instance, &lie);
        assert!(
            verdict.is_err(),
            "{objective:?}, {reason:?}: {value} for {set:b} within {budget}, not {best}"
        );
    }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn the_whole_truth_passes(table in prop_oneof![tables(), even_tables()], objective in prop::sample::select(objectives()), more in 0..3u8) {
        let instance = instance(&table);
        let worst = Oracle::new(&instance, Objective::Worst).optimum(f64::INFINITY);
        // If costs have no common step, a cap that is met up to rounding is met.
        let room = if instance.costs().is_exact() { 1.0 } else { 1.0 + 1e-6 };
        for cap in [f64::INFINITY, (worst + f64::from(more)) * room] {
            let mut oracle = Oracle::new(&instance, objective);
            let mut proof = oracle.proof(cap);
            let verdict = check_bound(&instance, &proof);
            prop_assert!(verdict.is_ok(), "cap {}: {}", cap, verdict.unwrap_err());
            proof.value = proof.value * (1.0 + 1e-6) + 1e-6;
            prop_assert!(check_bound(&instance, &proof).is_err());
        }
    }

    #[test]
    fn no_lie_passes_for_any_reason(
        table in prop_oneof![tables(), even_tables()], objective in prop::sample::select(objectives()),
        sets in prop::collection::vec(any::<u64>(), 8), more in prop_oneof![Just(1e-6), Just(1e-3), Just(0.1), Just(1.0)],
        spend in prop_oneof![Just(f64::INFINITY), 0.0..40.0f64],
    ) {
        let instance = instance(&table);
        // Most sets that are drawn separate equal objects and are refused for that. The set of all objects and its
        // parts are not.
        let oracle = Oracle::new(&instance, objective);
        let mut sets = sets;
        sets.push(oracle.all());
        sets.extend(instance.test_ids().flat_map(|test| oracle.parts(oracle.all(), test)));
        let budget = (spend * instance.costs().scale()).floor();
        for set in sets {
            no_lie_passes(&instance, objective, set, more, budget);
        }
    }

    /// Bound by the majority path alone, on many sets of many tables whose tests cost the same.
    #[test]
    fn peeling_never_passes_the_optimum(
        table in even_tables(), worst in any::<bool>(), seeds in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let instance = instance(&table);
        // For arbitrary prices.
        let prices: Vec<Vec<u8>> = seeds.chunks_exact(instance.object_count()).map(<[u8]>::to_vec).collect();
        let objective = if worst { Objective::Worst } else { Objective::Expected };
        let mut oracle = Oracle::new(&instance, objective);
        for set in 1..=oracle.all() {
            let best = oracle.best(set, f64::INFINITY);
            let value = best * (1.0 + 1e-6) + 1e-6;
            let claims = vec![Claim { objects: vec![set], budget: f64::INFINITY, value, reason: Reason::MajorityPath, open: None }];
            let proof = Proof { objective, cap: f64::INFINITY, value: 0.0, prices: prices.clone(), claims };
            prop_assert!(check_bound(&instance, &proof).is_err(), "{:b}: {}", set, best);
        }
    }

    #[test]
    fn an_alteration_of_any_proof_is_refused_or_true(
        table in prop_oneof![tables(), even_tables()], objective in prop::sample::select(objectives()),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 20), capped in any::<bool>(),
    ) {
        let instance = instance(&table);
        let worst = Oracle::new(&instance, Objective::Worst).optimum(f64::INFINITY);
        let proof = Oracle::new(&instance, objective).proof(if capped { worst } else { f64::INFINITY });
        let all = alterations(&instance, &proof);
        for pick in picks {
            let altered = pick.get(&all);
            prop_assert!(check_bound(&instance, altered).is_err() || is_true(&instance, altered), "{:?}", altered);
        }
    }

    #[test]
    fn in_games_the_whole_truth_passes_and_no_lie_does(
        table in games(), objective in prop::sample::select(objectives()), more in 0..3u8,
        sets in prop::collection::vec(any::<u64>(), 8), lie in prop_oneof![Just(1e-6), Just(0.1)],
    ) {
        let instance = confirmed_instance(&table);
        let worst = Oracle::new(&instance, Objective::Worst).optimum(f64::INFINITY);
        let room = if instance.costs().is_exact() { 1.0 } else { 1.0 + 1e-6 };
        for cap in [f64::INFINITY, (worst + f64::from(more)) * room] {
            let proof = Oracle::new(&instance, objective).proof(cap);
            let verdict = check_bound(&instance, &proof);
            prop_assert!(verdict.is_ok(), "cap {}: {}", cap, verdict.unwrap_err());
            let raised = Proof { value: proof.value * (1.0 + 1e-6) + 1e-6, ..proof };
            prop_assert!(check_bound(&instance, &raised).is_err());
        }
        for set in sets {
            no_lie_passes(&instance, objective, set, lie, f64::INFINITY);
        }
    }

    #[test]
    fn no_proof_makes_the_judge_panic(
        table in tables(), objective in prop::sample::select(objectives()),
        value in any::<f64>(), cap in any::<f64>(),
        claims in prop::collection::vec((prop::collection::vec(any::<u64>(), 0..3), any::<f64>(), any::<f64>(), 0..9u32), 0..6),
    ) {
        let instance = instance(&table);
        let reason = |number| match number {
            0 => Reason::MajorityPath,
            1 => Reason::EveryTest,
            test => Reason::Parts(TestId(test - 2)),
        };
        let claims = claims.into_iter().map(|(objects, budget, value, number)| {
            Claim { objects, budget, value, reason: reason(number), open: None }
        });
        let _ = check_bound(&instance, &Proof { objective, cap, value, prices: Vec::new(), claims: claims.collect() });
    }
}

#[test]
fn prices_are_one_for_each_object() {
    let table = instance("object t u\n a 0 0\n b 0 1\n c 1 0");
    let objects = table.object_count();
    for (prices, list, found) in
        [(vec![vec![9; objects], vec![9; objects + 1]], 2, objects + 1), (vec![vec![]], 1, 0)]
    {
        let proof = Proof { prices, ..lone(vec![1], f64::INFINITY, 0.0, Reason::MajorityPath) };
        assert_eq!(check_bound(&table, &proof).unwrap_err(), CheckError::Prices { list, found, objects });
    }
}
