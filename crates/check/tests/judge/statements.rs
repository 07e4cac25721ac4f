//! Statements of a strategy about itself, compared with numbers that were worked out by hand.

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

/// Result of the checker for a tree with these costs and this bound, as input of `check_statement`.
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
    // The checker finds 2 by itself. A larger bound has no support if the proof shows less, another cost or fewer
    // strategies.
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
    // A proof for more strategies than the statement is about includes those.
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

#[test]
fn statements_may_be_met_but_for_rounding() {
    // The checker finds 2 for the square by itself; the strategy costs 2, and all statements are off by a part in
    // 1e10.
    let judged = |said: Statement| check_statement(&square(), &verified(2.0, None), &said);
    let off = 1.0 + 1e-10;
    for (lower_bound, cap) in
        [(2.0, f64::INFINITY), (2.0 * off, f64::INFINITY), (2.0 / off, 2.0), (2.0, 2.0 / off)]
    {
        let said =
            Statement { cap, optimal: true, proved: Some(true), gap: Some(0.0), ..statement(lower_bound) };
        assert!(matches!(judged(said), Ok(Support::Judge(_))), "{lower_bound} {cap}");
    }
    let too_much = 2.0 * (1.0 + 1e-8);
    let error = CheckError::OwnCost { claimed: too_much, cost: 2.0 };
    assert_eq!(judged(statement(too_much)), Err(error));
    let below = 2.0 * (1.0 - 1e-8);
    let error = CheckError::BeyondCap { worst: 2.0, cap: below };
    assert_eq!(judged(Statement { cap: below, ..statement(1.0) }), Err(error));
    let error = CheckError::NotOptimal { cost: 2.0, bound: below };
    assert_eq!(judged(Statement { optimal: true, ..statement(below) }), Err(error));
    // A bound that is not positive needs no support, and a gap above it is infinite.
    for nothing in [0.0, -1.0] {
        let said = Statement { gap: Some(f64::INFINITY), ..statement(nothing) };
        assert!(matches!(judged(said), Ok(Support::Judge(bound)) if bound.value == nothing));
        let wrong = Statement { gap: Some(2.0), ..statement(nothing) };
        assert_eq!(judged(wrong), Err(CheckError::Gap { claimed: 2.0, found: f64::INFINITY }));
    }
    // A strategy that costs 0 may have a cap of 0.
    let free = check_statement(&square(), &verified(0.0, None), &Statement { cap: 0.0, ..statement(0.0) });
    assert!(free.is_ok());
}

#[test]
fn where_answers_are_open_a_bound_rests_on_coarse_groups() {
    // a and b may both say x and p, so they are one coarse group of half the probability: 1 bit, at 1 bit a question.
    let rows: [&[&str]; 4] = [
        &["object", "t", "u", "prior"],
        &["a", "x|y", "p", "1"],
        &["b", "x", "p", "1"],
        &["c", "y", "q", "2"],
    ];
    let reading = Reading { several: Some("|".to_owned()), ..Reading::default() };
    let instance = Instance::new(Table::from_rows(&rows), &reading).unwrap().0;
    let judged = |claimed: f64| check_statement(&instance, &verified(1.5, None), &statement(claimed));
    for claimed in [0.5, 1.0] {
        assert!(matches!(judged(claimed), Ok(Support::Judge(bound)) if bound.value == claimed));
    }
    assert_eq!(judged(1.25), Err(CheckError::Coarse { claimed: 1.25, found: 1.0 }));
}

#[test]
fn an_entropy_of_nearly_nothing_may_be_off_by_its_last_digits() {
    let rows: [&[&str]; 3] = [&["object", "t", "prior"], &["a", "0", "1"], &["b", "1", "0"]];
    let instance = Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0;
    let size = |entropy_bits: f64| Size { rows: 2, objects: 2, tests: 1, groups: 2, entropy_bits };
    assert!(check_size(&instance, &size(0.0)).is_ok() && check_size(&instance, &size(1e-13)).is_ok());
    let error = CheckError::Entropy { claimed: 1e-11, found: 0.0 };
    assert_eq!(check_size(&instance, &size(1e-11)), Err(error));
}
