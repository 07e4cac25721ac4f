//! Transposed bits agree with the portable code and with the definition.

use super::*;
use crate::lane::testing::bit;
use crate::lane::{ONES, ZEROS};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn squares_are_turned(words in prop::collection::vec(any::<u64>(), 64)) {
        let square: [u64; 64] = words.try_into().unwrap();
        let (mut fast, mut plain) = (square, square);
        transpose(&mut fast);
        portable::transpose(&mut plain);
        prop_assert_eq!(fast, plain);
        for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
            prop_assert_eq!(square[row] >> column & 1, fast[column] >> row & 1);
        }
    }

    #[test]
    fn columns_become_rows(columns in prop::collection::vec(any::<[u64; 3]>(), 256), word in 0usize..3) {
        let (mut fast, mut plain) = ([ONES; 64], [ZEROS; 64]);
        transpose_columns(&columns, word, &mut fast);
        portable::transpose_columns(&columns, word, &mut plain);
        prop_assert_eq!(fast, plain);
        for (row, column) in (0..64).flat_map(|row| (0..256).map(move |column| (row, column))) {
            prop_assert_eq!(bit(&fast, 1, row, column), columns[column][word] >> row & 1 == 1);
        }
    }
}
