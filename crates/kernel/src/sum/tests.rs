//! Sums agree with the portable code and with going through the rows.

use super::*;
use crate::lane::ONES;
use crate::lane::testing::{bit, rows};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn values_are_added((rows, stride) in rows(100), seed in 1.0f64..2.0) {
        let values: Vec<f64> = (0..rows.len() / stride).map(|row| seed.powi(row as i32 % 40) / 3.0).collect();
        let (mut fast, mut plain) = (vec![0.0; stride * 256], vec![0.0; stride * 256]);
        // The former contents of the scratch space do not matter.
        let mut tables = Tables { worth: vec![[f64::NAN; 256]; 5], ..Tables::default() };
        add_values(&rows, stride, &values, &mut tables, &mut fast);
        byte_tables::add_values(&rows, stride, &values, &mut Vec::new(), &mut plain);
        prop_assert_eq!(&fast, &plain);
        for (column, sum) in fast.into_iter().enumerate() {
            let set = values.iter().enumerate().filter(|(row, _)| bit(&rows, stride, *row, column));
            let expected: f64 = set.map(|(_, value)| *value).sum();
            prop_assert!((sum - expected).abs() <= 1e-13 * expected, "{sum} and not {expected}");
        }
    }

    #[test]
    fn shares_are_added_to_the_last_bit((rows, stride) in prop_oneof![rows(20), rows(700)], steepness in 0i32..40, is_fine: bool) {
        let precision = if is_fine { Precision::Fine } else { Precision::Coarse };
        let weights: Vec<f64> = (0..rows.len() / stride).map(|row| 2f64.powi(-(row as i32 * steepness % 97))).collect();
        let total = sum(&weights);
        let shares: Vec<f64> = weights.iter().map(|weight| precision.round(weight / total)).collect();
        let (mut fast, mut plain) = (vec![0.25; stride * 256], vec![0.25; stride * 256]);
        add_shares(&rows, stride, &shares, precision, &mut Tables::default(), &mut fast);
        byte_tables::add_values(&rows, stride, &shares, &mut Vec::new(), &mut plain);
        prop_assert_eq!(&fast, &plain);
        // Sums are exact, so their order does not matter.
        for (column, sum) in fast.into_iter().enumerate() {
            let set = (0..shares.len()).rev().filter(|row| bit(&rows, stride, *row, column));
            prop_assert_eq!(sum, 0.25 + set.map(|row| shares[row]).sum::<f64>());
        }
    }

    #[test]
    fn tables_grow(worth in prop::collection::vec(prop::collection::vec(-9.0f64..9.0, 1..9), 1..5)) {
        let (mut fast, mut plain, mut used) = ([0.0; 256], [0.0; 256], 0);
        let mut slow = vec![0.0];
        for mut worth in worth {
            let bits = worth.len().next_power_of_two().trailing_zeros() as usize;
            worth.resize(1 << bits, 0.5);
            if used + bits > 8 {
                break;
            }
            extend_table(&mut fast, used, &worth);
            byte_tables::extend_table(&mut plain, used, &worth);
            slow = worth.iter().flat_map(|worth| slow.iter().map(move |before| before + worth)).collect();
            used += bits;
        }
        prop_assert_eq!(&fast[..1 << used], &slow[..]);
        prop_assert_eq!(&plain[..1 << used], &slow[..]);
    }

    #[test]
    fn bits_are_worth_what_tables_say((rows, stride) in rows(70), seed in 0.5f64..2.0) {
        let eights = (rows.len() / stride).div_ceil(8);
        let tables: Vec<ByteTable> =
            (0..eights).map(|table| std::array::from_fn(|at| seed * (table * 256 + at) as f64)).collect();
        let (mut fast, mut plain) = (vec![0.5; stride * 256], vec![0.5; stride * 256]);
        add_tables(&rows, stride, &tables, &mut fast);
        byte_tables::add_tables(&rows, stride, &tables, &mut plain);
        prop_assert_eq!(&fast, &plain);
        for (column, sum) in fast.into_iter().enumerate() {
            let byte = |table: usize| -> usize {
                let there = (0..8).filter(|at| (table * 8 + at) * stride < rows.len());
                there.map(|at| usize::from(bit(&rows, stride, table * 8 + at, column)) << at).sum()
            };
            prop_assert_eq!(sum, (0..eights).fold(0.5, |sum, table| sum + tables[table][byte(table)]));
        }
    }
}

#[test]
fn any_number_of_shares_is_added() {
    let grains = [Precision::Fine, Precision::Coarse];
    for (count, precision) in [64, 65, 4095, 4096, 4097, 9000]
        .into_iter()
        .flat_map(|count| grains.map(|precision| (count, precision)))
    {
        // One share of nearly 1, and digits as large as they can be.
        let mut shares = vec![precision.round(0.25 / count as f64); count];
        shares[count / 2] = 0.75 - precision.unit();
        let (rows, mut tables) = (vec![ONES; count], Tables::default());
        // The former contents of the scratch space do not matter.
        for times in 1..3 {
            let mut sums = vec![0.0; times * 96];
            add_shares(&rows, 1, &shares, precision, &mut tables, &mut sums);
            assert_eq!(sums, vec![shares.iter().sum::<f64>(); times * 96], "{count}");
        }
    }
}

#[test]
fn numbers_are_summed() {
    for count in 0..40u32 {
        let numbers: Vec<f64> = (0..count).map(|number| f64::from(number) / 8.0).collect();
        assert_eq!(sum(&numbers), f64::from(count * count.saturating_sub(1) / 2) / 8.0);
    }
}
