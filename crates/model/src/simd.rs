//! The inner loops, compiled twice: for any processor, and for those with 256-bit registers; the better one is chosen when
//! the program runs. Both add the same numbers in the same order, so results do not depend on the processor.

use crate::lanes::{self, Lane};
use crate::logs;
use multiversion::multiversion;

/// Adds to `sums` how many rows have each bit set; a row is `stride` lanes long, `sums` a number for each of its bits.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn count_columns(rows: &[Lane], stride: usize, sums: &mut [u32]) {
    lanes::count_columns(rows, stride, sums);
}

/// Adds to `sums` the values of the rows that have each bit set, always in the same order.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn add_values(rows: &[Lane], stride: usize, values: &[f64], sums: &mut [f64]) {
    lanes::add_values(rows, stride, values, sums);
}

/// See [`lanes::push_minorities`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn push_minorities(rows: &[Lane], stride: usize, minorities: &mut Vec<Lane>) {
    lanes::push_minorities(rows, stride, minorities);
}

/// See [`lanes::first_of_patterns`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn first_of_patterns(rows: &[Lane], stride: usize, firsts: &mut [Option<u32>; 64]) {
    lanes::first_of_patterns(rows, stride, firsts);
}

/// See [`lanes::part_rows`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn part_rows(
    rows: &mut [Lane],
    stride: usize,
    column: usize,
    bits: &mut [u8],
    aside: &mut [Lane],
) {
    lanes::part_rows(rows, stride, column, bits, aside);
}

/// Sets the score of every test that splits nothing, because none or all of `count` objects give its second answer, to -1.
/// Gives the largest score, and whether all are numbers.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn rank(scores: &mut [f64], seconds: &[u32], count: u32) -> (f64, bool) {
    lanes::rank(scores, seconds, count)
}

/// How many bits are set in `words` where the masks are too, each at its place.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn count_masked(words: &[u64], masks: &[(u32, u64)]) -> u32 {
    masks.iter().map(|(place, mask)| (words[*place as usize] & mask).count_ones()).sum()
}

/// Turns a square of bits about its diagonal.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn transpose(square: &mut [u64; 64]) {
    lanes::transpose(square);
}

/// Adds `x log₂ x` of every part and of what it leaves of `whole`.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn add_information(parts: &[f64], whole: f64, sums: &mut [f64]) {
    logs::add_information(parts, whole, sums);
}

/// Replaces every number above 0 by its `log₂`, right to about fifteen digits: for estimates.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn log2_each(numbers: &mut [f64]) {
    logs::log2_each(numbers);
}

/// Adds a power of every number, 0 for those below 0, right to about thirteen digits: for estimates.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn add_powers(numbers: &[f64], exponent: f64, sums: &mut [f64]) {
    logs::add_powers(numbers.iter().copied(), exponent, sums);
}

/// The same for what every part leaves of `whole`.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn add_powers_of_rests(whole: f64, parts: &[f64], exponent: f64, sums: &mut [f64]) {
    logs::add_powers(parts.iter().map(|part| whole - part), exponent, sums);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bit(rows: &[Lane], stride: usize, row: usize, column: usize) -> bool {
        rows[row * stride + column / 256][column / 64 % 4] >> (column % 64) & 1 == 1
    }

    fn rows(most: usize) -> impl Strategy<Value = (Vec<Lane>, usize)> {
        (1..4usize, 0..=most).prop_flat_map(|(stride, count)| {
            (prop::collection::vec(any::<Lane>(), stride * count), Just(stride))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn columns_are_counted((rows, stride) in rows(300)) {
            let (mut fast, mut plain) = (vec![1; stride * 256], vec![1; stride * 256]);
            count_columns(&rows, stride, &mut fast);
            lanes::count_columns(&rows, stride, &mut plain);
            prop_assert_eq!(&fast, &plain);
            for (column, sum) in fast.into_iter().enumerate() {
                let count = (0..rows.len() / stride).filter(|row| bit(&rows, stride, *row, column)).count();
                prop_assert_eq!(sum as usize, 1 + count);
            }
        }

        #[test]
        fn values_are_added((rows, stride) in rows(100), seed in 1.0f64..2.0) {
            let values: Vec<f64> = (0..rows.len() / stride).map(|row| seed.powi(row as i32 % 40) / 3.0).collect();
            let (mut fast, mut plain) = (vec![0.0; stride * 256], vec![0.0; stride * 256]);
            add_values(&rows, stride, &values, &mut fast);
            lanes::add_values(&rows, stride, &values, &mut plain);
            prop_assert_eq!(&fast, &plain);
            for (column, sum) in fast.into_iter().enumerate() {
                let set = values.iter().enumerate().filter(|(row, _)| bit(&rows, stride, *row, column));
                let expected: f64 = set.map(|(_, value)| *value).sum();
                prop_assert!((sum - expected).abs() <= 1e-13 * expected, "{sum} and not {expected}");
            }
        }

        #[test]
        fn minorities_are_found((rows, stride) in rows(7)) {
            let count = rows.len() / stride;
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            if count > 0 {
                push_minorities(&rows, stride, &mut fast);
                lanes::push_minorities(&rows, stride, &mut plain);
            }
            prop_assert_eq!(&fast, &plain);
            for column in 0..stride * 256 {
                let set = (0..count).filter(|row| bit(&rows, stride, *row, column)).count();
                for few in 1..=count / 2 {
                    prop_assert_eq!(bit(&fast, stride, few - 1, column), set == few || set == count - few);
                }
            }
        }

        #[test]
        fn the_first_column_of_each_pattern_is_found((rows, stride) in rows(6)) {
            let count = rows.len() / stride;
            let (mut fast, mut plain) = ([Some(7); 64], [None; 64]);
            first_of_patterns(&rows, stride, &mut fast);
            lanes::first_of_patterns(&rows, stride, &mut plain);
            prop_assert_eq!(fast, plain);
            for (pattern, first) in fast.into_iter().enumerate() {
                let fits = |column: &usize| {
                    pattern < 1 << count && (0..count).all(|row| bit(&rows, stride, row, *column) == (pattern >> row & 1 == 1))
                };
                let slow = if count == 0 { first } else { (0..stride * 256).find(fits).map(|column| column as u32) };
                prop_assert_eq!(first, slow);
            }
        }

        #[test]
        fn squares_are_turned(words in prop::collection::vec(any::<u64>(), 64)) {
            let square: [u64; 64] = words.try_into().unwrap();
            let (mut fast, mut plain) = (square, square);
            transpose(&mut fast);
            lanes::transpose(&mut plain);
            prop_assert_eq!(fast, plain);
            for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
                prop_assert_eq!(square[row] >> column & 1, fast[column] >> row & 1);
            }
        }

        #[test]
        fn scores_are_ranked(scores in prop::collection::vec((0.0f64..9.0, 0u32..5), 0..30), gap: Option<prop::sample::Index>) {
            let (mut numbers, seconds): (Vec<f64>, Vec<u32>) = scores.iter().copied().unzip();
            if let Some(gap) = gap.filter(|_| !numbers.is_empty()) {
                numbers[gap.index(scores.len())] = f64::NAN;
            }
            let slow: Vec<f64> = numbers.iter().zip(&seconds).map(|(score, second)| if (1..4).contains(second) { *score } else { -1.0 }).collect();
            // Seconds may be padded.
            let padded: Vec<u32> = seconds.iter().copied().chain([2; 7]).collect();
            let (mut fast, mut plain) = (numbers.clone(), numbers);
            let found = rank(&mut fast, &padded, 4);
            prop_assert_eq!(found, lanes::rank(&mut plain, &padded, 4));
            prop_assert_eq!(found, (slow.iter().copied().fold(-1.0, f64::max), slow.iter().all(|score| !score.is_nan())));
            let bits = |scores: &[f64]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!((bits(&fast), bits(&plain)), (bits(&slow), bits(&slow)));
        }

        #[test]
        fn logarithms_are_the_same(numbers in prop::collection::vec(1e-300f64..1e300, 0..20)) {
            let (mut fast, mut plain) = (numbers.clone(), numbers.clone());
            log2_each(&mut fast);
            logs::log2_each(&mut plain);
            prop_assert_eq!(fast, plain);
            let (mut fast, mut plain) = (vec![0.5; numbers.len()], vec![0.5; numbers.len()]);
            add_information(&numbers, 2.0, &mut fast);
            logs::add_information(&numbers, 2.0, &mut plain);
            prop_assert_eq!(fast, plain);
        }
    }
}
