//! What a strategy says of itself: each statement is held against numbers that were worked out by hand.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use fewest_check::{
    CheckError, ProvedBound, Size, Statement, Support, Verified, check_size, check_statement,
};
use fewest_model::{Costs, Instance, Lambda, Objective, Reading, Table};

/// Four objects and two tests that halve them: every strategy costs 2.
fn square() -> Instance {
    let rows: [&[&str]; 5] =
        [&["object", "t", "u"], &["a", "0", "0"], &["b", "0", "1"], &["c", "1", "0"], &["d", "1", "1"]];
    Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0
}

/// A tree for it that is said to be verified with these figures, as `check_statement` is told.
fn verified(cost: f64, bound: Option<ProvedBound>) -> Verified {
    let costs = Costs { expected: cost, worst: cost, exponential: cost, lambda: Lambda::TWO };
    Verified { costs, objects: 4, leaves: 4, depth: 2, bound, open: None }
}

fn statement(lower_bound: f64) -> Statement {
    let objective = Objective::Expected;
    Statement { objective, cap: f64::INFINITY, lower_bound, gap: None, optimal: false, proved: None }
}

fn proof(objective: Objective, cap: f64, value: f64) -> Option<ProvedBound> {
    Some(ProvedBound { objective, cap, value, claims: 7 })
}

#[test]
fn a_bound_rests_on_a_proof_of_the_same_cost_for_as_many_strategies() {
    let support = |bound, said: Statement| check_statement(&square(), &verified(3.0, bound), &said).unwrap();
    let by_proof = proof(Objective::Expected, f64::INFINITY, 2.5);
    let found = support(by_proof, statement(2.5));
    assert_eq!((found, found.bound()), (Support::Proof(by_proof.unwrap()), by_proof));
    // The judge sees 2 by itself. More than that rests on nothing if the proof shows less, another cost or fewer strategies.
    for other in [
        None,
        proof(Objective::Expected, f64::INFINITY, 2.25),
        proof(Objective::Worst, f64::INFINITY, 2.5),
        proof(Objective::Expected, 4.0, 2.5),
    ] {
        let found = support(other, statement(2.5));
        assert_eq!((found, found.bound()), (Support::Nothing, None), "{other:?}");
    }
    assert!(matches!(support(None, statement(2.0)), Support::Judge(bound) if bound.value == 2.0));
    // A proof for more strategies than are spoken of is one for those.
    let capped = Statement { cap: 4.0, ..statement(2.5) };
    assert_eq!(support(by_proof, capped), Support::Proof(by_proof.unwrap()));
    let same_cap = proof(Objective::Expected, 4.0, 2.5);
    assert_eq!(support(same_cap, capped), Support::Proof(same_cap.unwrap()));
}

#[test]
fn a_gap_is_the_difference_over_the_bound() {
    let judged = |gap: f64| {
        let said = Statement { gap: Some(gap), ..statement(2.0) };
        check_statement(&square(), &verified(3.0, None), &said)
    };
    // (3 − 2) / 2
    assert!(judged(0.5).is_ok() && judged(0.5 + 1e-10).is_ok());
    for wrong in [0.5 + 1e-8, 0.5 - 1e-8, 0.0, -0.5, 1.0, 0.25] {
        assert_eq!(judged(wrong), Err(CheckError::Gap { claimed: wrong, found: 0.5 }));
    }
}

#[test]
fn no_cap_is_below_nothing() {
    let said = Statement { cap: -1.0, ..statement(1.0) };
    assert_eq!(
        check_statement(&square(), &verified(2.0, None), &said),
        Err(CheckError::CapNoNumber { cap: -1.0 })
    );
}

#[test]
fn entropy_and_different_rows_of_uneven_groups_are_counted() {
    // Group x weighs three quarters in two rows that differ; the last row equals the first in all answers but is of
    // another place in the list. H = 2 − (3/4) log₂ 3 = 0.8112781244591328 bits.
    let rows: [&[&str]; 5] = [
        &["object", "group", "t", "u"],
        &["a", "x", "0", "0"],
        &["b", "y", "1", "0"],
        &["c", "x", "0", "1"],
        &["d", "x", "0", "0"],
    ];
    let instance = Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0;
    let size = Size { rows: 4, objects: 3, tests: 2, groups: 2, entropy_bits: 0.811_278_124_459_132_8 };
    assert_eq!(check_size(&instance, &size), Ok(()));
    for wrong in [-0.811_278_124_459_132_8, 0.811_278_1, 0.0] {
        assert!(matches!(
            check_size(&instance, &Size { entropy_bits: wrong, ..size }),
            Err(CheckError::Entropy { .. })
        ));
    }
    let four = check_size(&instance, &Size { objects: 4, ..size });
    assert_eq!(four, Err(CheckError::Size { what: "different objects", claimed: 4, found: 3 }));
}
