//! The inner loops, compiled twice: for any processor, and for those with 256-bit registers; the better one is chosen when
//! the program runs. Both add the same numbers in the same order, so results do not depend on the processor.

use crate::Stretch;
#[cfg(target_arch = "x86_64")]
use crate::digits::{self, Digits};
use crate::grain::Grain;
use crate::lanes::{self, Lane, Sides};
use crate::logs;
use crate::lookup::{self, Worth};
#[cfg(target_arch = "x86_64")]
use crate::sieve::{self, Looks};
use multiversion::{multiversion, target::match_target};

/// Adds to `sums` how many rows have each bit set; a row is `stride` lanes long, `sums` a number for each of its bits.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn count_columns(rows: &[Lane], stride: usize, sums: &mut [u32]) {
    lanes::count_columns(rows, stride, sums);
}

/// Adds to `sums` the values of the rows that have each bit set, always in the same order.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn add_values(
    rows: &[Lane],
    stride: usize,
    values: &[f64],
    tables: &mut Tables,
    sums: &mut [f64],
) {
    lookup::add_values(rows, stride, values, &mut tables.worth, sums);
}

/// Room for the tables that sums are looked up in.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    worth: Vec<Worth>,
    #[cfg(target_arch = "x86_64")]
    digits: Digits,
}

/// For so many rows digits are not worth their while.
#[cfg(target_arch = "x86_64")]
const FEW: usize = 64;

/// Adds to `sums` the shares of the rows that have each bit set: parts of one whole, [rounded](Grain::round).
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn add_shares(
    rows: &[Lane],
    stride: usize,
    shares: &[f64],
    grain: Grain,
    tables: &mut Tables,
    sums: &mut [f64],
) {
    match_target! {
        "x86_64+avx2" => if shares.len() > FEW {
            return digits::add_shares(rows, stride, shares, grain, &mut tables.digits, sums);
        },
        _ => {
            // Numbers are added as they are.
            let _ = grain;
        }
    }
    lookup::add_values(rows, stride, shares, &mut tables.worth, sums);
}

/// See [`lookup::add_worth`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn add_worth(rows: &[Lane], stride: usize, tables: &[Worth], sums: &mut [f64]) {
    lookup::add_worth(rows, stride, tables, sums);
}

/// See [`lookup::spread`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn spread(table: &mut Worth, used: usize, worth: &[f64]) {
    lookup::spread(table, used, worth);
}

/// See [`lanes::fold_columns`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn fold_columns(rows: &[Lane], stride: usize, folds: &mut [Lane]) {
    lanes::fold_columns(rows, stride, folds);
}

/// Tests that may be the best, and room to find them.
#[derive(Debug, Default)]
pub(crate) struct Sieve {
    /// Their columns, in order.
    pub(crate) left: Vec<u32>,
    #[cfg(target_arch = "x86_64")]
    looks: Looks,
}

/// Leaves the tests that may say most about the group, and gives whether it did; see `sieve.rs`. Processors that have no step for it do not.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn sift(part: &Stretch<'_>, information: &[f64], sieve: &mut Sieve) -> bool {
    match_target! {
        "x86_64+avx2" => sieve::sift(part, information, &mut sieve.looks, &mut sieve.left),
        _ => {
            let _ = (part, information, sieve);
            false
        }
    }
}

/// See [`lanes::part_columns`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn part_columns(rows: &[Lane], stride: usize, columns: &mut [Lane]) {
    lanes::part_columns(rows, stride, columns);
}

/// See [`lanes::part_rows`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn part_rows<T: Copy, const BACK: bool>(
    sides: Sides<'_, T>,
    stride: usize,
    column: usize,
    bits: Option<&mut [u8]>,
) -> usize {
    lanes::part_rows::<T, BACK>(sides, stride, column, bits)
}

/// Sets the score of every test that splits nothing, because none or all of `count` objects give its second answer, to -1.
/// Gives the largest score, and whether all are numbers.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn rank(scores: &mut [f64], seconds: &[u32], count: u32) -> (f64, bool) {
    lanes::rank(scores, seconds, count)
}

/// The first score that is not below `least` even with `more` added to it: NaN is not.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn first_not_below(scores: &[f64], more: f64, least: f64) -> Option<usize> {
    lanes::first_not_below(scores, more, least)
}

/// Adds every number to the sum in its place.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn add_each(numbers: &[f64], sums: &mut [f64]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
}

/// The sum of all numbers, always in the same order: eight sums side by side, because each addition waits for the one before it.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn sum(numbers: &[f64]) -> f64 {
    let (eights, rest) = numbers.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for eight in eights {
        sums.iter_mut().zip(eight).for_each(|(sum, number)| *sum += number);
    }
    sums.iter().chain(rest).sum()
}

/// Sets every number to `(sum + more) * scale`.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub fn shift_and_scale(sums: &[f64], more: f64, scale: f64, numbers: &mut [f64]) {
    for (number, sum) in numbers.iter_mut().zip(sums) {
        *number = (sum + more) * scale;
    }
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

/// See [`lanes::turn_columns`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn turn_columns<const WORDS: usize>(columns: &[[u64; WORDS]], word: usize, rows: &mut [Lane; 64]) {
    lanes::turn_columns(columns, word, rows);
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
            (prop::collection::vec(any::<[u64; 4]>().prop_map(Lane), stride * count), Just(stride))
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
            // What was in the room before does not matter.
            let mut tables = Tables { worth: vec![[f64::NAN; 256]; 5], ..Tables::default() };
            add_values(&rows, stride, &values, &mut tables, &mut fast);
            lookup::add_values(&rows, stride, &values, &mut Vec::new(), &mut plain);
            prop_assert_eq!(&fast, &plain);
            for (column, sum) in fast.into_iter().enumerate() {
                let set = values.iter().enumerate().filter(|(row, _)| bit(&rows, stride, *row, column));
                let expected: f64 = set.map(|(_, value)| *value).sum();
                prop_assert!((sum - expected).abs() <= 1e-13 * expected, "{sum} and not {expected}");
            }
        }

        #[test]
        fn shares_are_added_to_the_last_bit((rows, stride) in prop_oneof![rows(20), rows(700)], steepness in 0i32..40, is_fine: bool) {
            let grain = if is_fine { Grain::Fine } else { Grain::Coarse };
            let weights: Vec<f64> = (0..rows.len() / stride).map(|row| 2f64.powi(-(row as i32 * steepness % 97))).collect();
            let total = sum(&weights);
            let shares: Vec<f64> = weights.iter().map(|weight| grain.round(weight / total)).collect();
            let (mut fast, mut plain) = (vec![0.25; stride * 256], vec![0.25; stride * 256]);
            add_shares(&rows, stride, &shares, grain, &mut Tables::default(), &mut fast);
            lookup::add_values(&rows, stride, &shares, &mut Vec::new(), &mut plain);
            prop_assert_eq!(&fast, &plain);
            // Sums are exact, so their order does not matter.
            for (column, sum) in fast.into_iter().enumerate() {
                let set = (0..shares.len()).rev().filter(|row| bit(&rows, stride, *row, column));
                prop_assert_eq!(sum, 0.25 + set.map(|row| shares[row]).sum::<f64>());
            }
        }

        #[test]
        fn columns_are_folded((rows, stride) in prop_oneof![rows(20), rows(lanes::LONGEST_FOLD)]) {
            let count = rows.len() / stride;
            let bits = lanes::fold_bits(count);
            let (mut fast, mut plain) = (vec![Lane([7; 4]); bits * stride], vec![Lane([3; 4]); bits * stride]);
            fold_columns(&rows, stride, &mut fast);
            lanes::fold_columns(&rows, stride, &mut plain);
            prop_assert_eq!(&fast, &plain);
            for column in 0..stride * 256 {
                let set = (0..count).filter(|row| bit(&rows, stride, *row, column)).count();
                let fold: usize = (0..bits).map(|at| usize::from(bit(&fast, stride, at, column)) << at).sum();
                prop_assert_eq!(fold, set.min(count - set));
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
                spread(&mut fast, used, &worth);
                lookup::spread(&mut plain, used, &worth);
                slow = worth.iter().flat_map(|worth| slow.iter().map(move |before| before + worth)).collect();
                used += bits;
            }
            prop_assert_eq!(&fast[..1 << used], &slow[..]);
            prop_assert_eq!(&plain[..1 << used], &slow[..]);
        }

        #[test]
        fn bits_are_worth_what_tables_say((rows, stride) in rows(70), seed in 0.5f64..2.0) {
            let eights = (rows.len() / stride).div_ceil(8);
            let tables: Vec<Worth> =
                (0..eights).map(|table| std::array::from_fn(|at| seed * (table * 256 + at) as f64)).collect();
            let (mut fast, mut plain) = (vec![0.5; stride * 256], vec![0.5; stride * 256]);
            add_worth(&rows, stride, &tables, &mut fast);
            lookup::add_worth(&rows, stride, &tables, &mut plain);
            prop_assert_eq!(&fast, &plain);
            for (column, sum) in fast.into_iter().enumerate() {
                let byte = |table: usize| -> usize {
                    let there = (0..8).filter(|at| (table * 8 + at) * stride < rows.len());
                    there.map(|at| usize::from(bit(&rows, stride, table * 8 + at, column)) << at).sum()
                };
                prop_assert_eq!(sum, (0..eights).fold(0.5, |sum, table| sum + tables[table][byte(table)]));
            }
        }

        #[test]
        fn columns_are_parted_by_pattern((rows, stride) in rows(8)) {
            let count = rows.len() / stride;
            let (mut fast, mut plain) = (vec![Lane([7; 4]); stride << count], vec![Lane([3; 4]); stride << count]);
            part_columns(&rows, stride, &mut fast);
            lanes::part_columns(&rows, stride, &mut plain);
            prop_assert_eq!(&fast, &plain);
            for (pattern, column) in (0..1 << count).flat_map(|pattern| (0..stride * 256).map(move |column| (pattern, column))) {
                let fits = (0..count).all(|row| bit(&rows, stride, row, column) == (pattern >> row & 1 == 1));
                let lane = &fast[((column / 256) << count) + pattern..][..1];
                prop_assert_eq!(bit(lane, 1, 0, column % 256), fits);
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
        fn columns_become_rows(columns in prop::collection::vec(any::<[u64; 3]>(), 256), word in 0usize..3) {
            let (mut fast, mut plain) = ([lanes::ALL; 64], [lanes::NONE; 64]);
            turn_columns(&columns, word, &mut fast);
            lanes::turn_columns(&columns, word, &mut plain);
            prop_assert_eq!(fast, plain);
            for (row, column) in (0..64).flat_map(|row| (0..256).map(move |column| (row, column))) {
                prop_assert_eq!(bit(&fast, 1, row, column), columns[column][word] >> row & 1 == 1);
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
        fn the_first_score_is_found(scores in prop::collection::vec(prop_oneof![0.0f64..9.0, Just(f64::NAN)], 0..50), more in 0.0f64..1.0, least in 0.0f64..15.0) {
            let found = first_not_below(&scores, more, least);
            prop_assert_eq!(found, lanes::first_not_below(&scores, more, least));
            let is_below = |score: &f64| score + more < least;
            prop_assert_eq!(found, scores.iter().position(|score| !is_below(score)));
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

    #[test]
    fn any_number_of_shares_is_added() {
        let grains = [Grain::Fine, Grain::Coarse];
        for (count, grain) in
            [64, 65, 4095, 4096, 4097, 9000].into_iter().flat_map(|count| grains.map(|grain| (count, grain)))
        {
            // One that is nearly everything, and digits that are as large as they can be.
            let mut shares = vec![grain.round(0.25 / count as f64); count];
            shares[count / 2] = 0.75 - grain.unit();
            let (rows, mut tables) = (vec![lanes::ALL; count], Tables::default());
            // What was in the room before does not matter.
            for times in 1..3 {
                let mut sums = vec![0.0; times * 96];
                add_shares(&rows, 1, &shares, grain, &mut tables, &mut sums);
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
}
