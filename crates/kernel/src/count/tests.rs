//! Counts agree with the portable code and with going through the rows.

use super::*;
use crate::lane::testing::{bit, rows};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn columns_are_counted((rows, stride) in rows(300)) {
        let (mut fast, mut plain) = (vec![1; stride * 256], vec![1; stride * 256]);
        count_columns(&rows, stride, &mut fast);
        portable::count_columns(&rows, stride, &mut plain);
        prop_assert_eq!(&fast, &plain);
        for (column, sum) in fast.into_iter().enumerate() {
            let count = (0..rows.len() / stride).filter(|row| bit(&rows, stride, *row, column)).count();
            prop_assert_eq!(sum as usize, 1 + count);
        }
    }

    #[test]
    fn columns_are_folded((rows, stride) in prop_oneof![rows(20), rows(MAX_MINORITY_ROWS)]) {
        let count = rows.len() / stride;
        let bits = minority_bits(count);
        let (mut fast, mut plain) = (vec![Lane([7; 4]); bits * stride], vec![Lane([3; 4]); bits * stride]);
        minority_counts(&rows, stride, &mut fast);
        portable::minority_counts(&rows, stride, &mut plain);
        prop_assert_eq!(&fast, &plain);
        for column in 0..stride * 256 {
            let set = (0..count).filter(|row| bit(&rows, stride, *row, column)).count();
            let fold: usize = (0..bits).map(|at| usize::from(bit(&fast, stride, at, column)) << at).sum();
            prop_assert_eq!(fold, set.min(count - set));
        }
    }

    #[test]
    fn columns_are_parted_by_pattern((rows, stride) in rows(8)) {
        let count = rows.len() / stride;
        let (mut fast, mut plain) = (vec![Lane([7; 4]); stride << count], vec![Lane([3; 4]); stride << count]);
        columns_by_pattern(&rows, stride, &mut fast);
        portable::columns_by_pattern(&rows, stride, &mut plain);
        prop_assert_eq!(&fast, &plain);
        for (pattern, column) in (0..1 << count).flat_map(|pattern| (0..stride * 256).map(move |column| (pattern, column))) {
            let fits = (0..count).all(|row| bit(&rows, stride, row, column) == (pattern >> row & 1 == 1));
            let lane = &fast[((column / 256) << count) + pattern..][..1];
            prop_assert_eq!(bit(lane, 1, 0, column % 256), fits);
        }
    }
}
