//! The checker's own bound is never above the optimum, which is found by trying everything.

use crate::brute_force::tables;
use crate::common::instance;
use crate::oracle::Oracle;
use fewest_check::{check_bound, own_bound, own_proof};
use fewest_model::{Lambda, Objective};
use proptest::prelude::*;

fn objectives() -> [Objective; 5] {
    let exponential = |lambda: f64| Objective::Exponential(Lambda::new(lambda).unwrap());
    [Objective::Expected, Objective::Worst, exponential(1.0), exponential(2.0), exponential(100.0)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_own_bound_is_above_the_optimum(text in tables()) {
        let instance = instance(&text);
        for objective in objectives() {
            let optimum = Oracle::new(&instance, objective).optimum(f64::INFINITY);
            let own = own_bound(&instance, objective);
            prop_assert!(own <= optimum * (1.0 + 1e-9) + 1e-12, "{objective:?}: {own} above {optimum}\n{text}");
            // As a proof without claims it is accepted, and more than the optimum never is.
            let mut proof = own_proof(&instance, objective, f64::INFINITY);
            prop_assert!(check_bound(&instance, &proof).is_ok(), "{objective:?}\n{text}");
            proof.value = optimum * 1.001 + 0.001;
            prop_assert!(check_bound(&instance, &proof).is_err(), "{objective:?}\n{text}");
        }
    }
}

/// Weights and costs that lie too far apart are bounded in numbers that cannot overflow.
#[test]
fn far_numbers_have_a_bound_too() {
    let text = "o t u prior\n @cost 1 1 -\n a 0 0 1e300\n b 0 1 1e-300\n c 1 0 1\n d 1 1 1";
    let table = instance(text);
    for objective in [Objective::Expected, Objective::Worst] {
        let optimum = Oracle::new(&table, objective).optimum(f64::INFINITY);
        let own = own_bound(&table, objective);
        assert!(own >= 1.0 && own <= optimum * (1.0 + 1e-9), "{objective:?}: {own} {optimum}");
        assert!(check_bound(&table, &own_proof(&table, objective, f64::INFINITY)).is_ok());
    }
}

/// For numbers too far apart, the bound is a code of questions of the cheapest cost; worked out by hand.
#[test]
fn far_numbers_are_bounded_by_a_code_for_the_groups() {
    let bounds = |text: &str| {
        let table = instance(text);
        [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)]
            .map(|objective| own_bound(&table, objective))
    };
    let near = |found: [f64; 3], by_hand: [f64; 3]| {
        let is_near = |(found, by_hand): (&f64, &f64)| (found - by_hand).abs() <= 1e-9 * by_hand;
        assert!(found.iter().zip(&by_hand).all(is_near), "{found:?} is not {by_hand:?}");
    };
    // Groups of 1/3, 1/3, 1/3 and next to nothing, the third of them two objects: merging pays 1/3 + 2/3 + 1 = 2
    // questions. The cheapest test that tells something costs 2; `idle` costs less.
    let text = "o t u v idle group prior\n @cost 2 3 5 1 - -\n a 0 0 0 0 g 2\n b 0 1 0 0 h 2\n c 1 0 0 0 i 1\n \
                d 1 0 1 0 i 1\n e 1 1 0 0 j 1e-300";
    near(bounds(text), [4.0, 4.0, 2.0]);
    // With three answers a merge takes three: 0 + 0 + 1/3 and then all, 4/3; and two questions reach nine groups.
    let text = "o t u prior\n @cost 2 3 -\n a 0 0 1\n b 1 0 1\n c 2 0 1\n d 2 1 1e-300";
    near(bounds(text), [8.0 / 3.0, 4.0, 2.0]);
    // Two groups need one question, and no rounding is taken off that.
    let text = "o t prior\n @cost 7 -\n a 0 1\n b 1 1e-300";
    assert_eq!(bounds(text), [7.0, 7.0, 7.0]);
    let table = instance(text);
    assert!(check_bound(&table, &own_proof(&table, Objective::Expected, f64::INFINITY)).is_ok());
    // One group needs none.
    assert_eq!(bounds("o t group prior\n a 0 g 1\n b 1 g 1e-300"), [0.0; 3]);
}
