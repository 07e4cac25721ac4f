//! What the judge sees without a proof is never more than the optimum, which is found by trying everything.

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
