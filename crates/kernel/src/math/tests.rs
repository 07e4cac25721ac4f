//! Logarithms do not depend on the instruction set.

use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn logarithms_are_the_same(numbers in prop::collection::vec(1e-300f64..1e300, 0..20)) {
        let (mut fast, mut plain) = (numbers.clone(), numbers.clone());
        log2_each(&mut fast);
        portable::log2_each(&mut plain);
        prop_assert_eq!(fast, plain);
        let (mut fast, mut plain) = (vec![0.5; numbers.len()], vec![0.5; numbers.len()]);
        add_information(&numbers, 2.0, &mut fast);
        portable::add_information(&numbers, 2.0, &mut plain);
        prop_assert_eq!(fast, plain);
    }
}
