//! Logarithms and powers of many numbers at once, to about fifteen digits: good for estimates, where the last digit
//! decides nothing.

use std::f64::consts::LN_2;

/// Bits of `√½`, the least mantissa: mantissas lie around 1, where the series is short.
const LOWEST_MANTISSA: u64 = 0x3fe6_a09e_667f_3bcd;
const EXPONENT: u64 = 0xfff << 52;
/// Offset of an exponent, so that it stays positive.
const BIAS: u64 = 2048;
/// Number 2^52: adding it puts a whole number below it into the lowest bits.
pub(crate) const WHOLE: f64 = 4_503_599_627_370_496.0;

/// `artanh(s) / s` as a polynomial in `s²`, from the highest power to the lowest: the minimax polynomial of seven
/// terms, with an error of 2 · 10^−16 for all `s` that occur, found by Remez's exchange (folklore). The series would
/// need ten terms.
const ARTANH: [f64; 7] = [
    0.084_195_485_233_489_92,
    0.090_609_037_776_334_1,
    0.111_117_193_739_360_94,
    0.142_857_079_785_103_2,
    0.200_000_000_310_917_7,
    0.333_333_333_332_759,
    1.000_000_000_000_000_2,
];

/// Splits a number above 0 into `2^exponent · mantissa`.
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    let above = x.to_bits().wrapping_sub(LOWEST_MANTISSA);
    let mantissa = f64::from_bits(x.to_bits().wrapping_sub(above & EXPONENT));
    let shifted = above.wrapping_add(BIAS << 52) >> 52;
    (f64::from_bits(WHOLE.to_bits() | shifted) - (WHOLE + BIAS as f64), mantissa)
}

/// `exponent + log₂ m` from `s = (m − 1) / (m + 1)`, since `ln m = 2 artanh s`.
#[inline(always)]
fn logarithm(exponent: f64, s: f64) -> f64 {
    let z = s * s;
    exponent + s * ARTANH.iter().fold(0.0, |sum, term| sum * z + term) * (2.0 / LN_2)
}

/// `log₂ x` for a normal `x` above 0.
///
/// Without a branch, so that compilers vectorise it.
#[inline(always)]
fn log2(x: f64) -> f64 {
    let (exponent, m) = parts(x);
    logarithm(exponent, (m - 1.0) / (m + 1.0))
}

/// `x log₂ x`, which is 0 at 0 and for tiny negative rounding residue.
#[inline(always)]
pub(crate) fn information(x: f64) -> f64 {
    let x = x.max(0.0);
    x * log2(x.max(f64::MIN_POSITIVE))
}

/// Number whose addition rounds to a whole number in the lowest bits.
const ROUND: f64 = 1.5 * WHOLE;
/// Coefficients `(ln 2)^n / n!` from the last relevant one to the first.
const EXPONENTIAL: [f64; 14] = {
    let mut terms = [1.0; 14];
    let mut n = 1;
    while n < 14 {
        terms[13 - n] = terms[14 - n] * LN_2 / n as f64;
        n += 1;
    }
    terms
};

/// `2^x` where that is a normal number, else the nearest normal number.
#[inline(always)]
fn exp2(x: f64) -> f64 {
    let x = x.clamp(-1022.0, 1023.0);
    let rounded = x + ROUND;
    let rest = x - (rounded - ROUND);
    let series = EXPONENTIAL.iter().fold(0.0, |sum, term| sum * rest + term);
    let whole = rounded.to_bits().wrapping_sub(ROUND.to_bits());
    series * f64::from_bits(whole.wrapping_add(1023) << 52)
}

/// `x^exponent`, which is 0 at 0 and for tiny negative rounding residue.
#[inline(always)]
fn power(x: f64, exponent: f64) -> f64 {
    let power = exp2(exponent * log2(x.max(f64::MIN_POSITIVE)));
    if x > 0.0 { power } else { 0.0 }
}

/// Adds a power of every number, 0 for negative ones.
#[inline(always)]
pub(crate) fn add_powers(numbers: impl Iterator<Item = f64>, exponent: f64, sums: &mut [f64]) {
    let each = sums.iter_mut().zip(numbers);
    if exponent == 2.0 {
        each.for_each(|(sum, x)| *sum += x * x);
    } else if exponent == 0.5 {
        each.for_each(|(sum, x)| *sum += x.max(0.0).sqrt());
    } else {
        each.for_each(|(sum, x)| *sum += power(x, exponent));
    }
}

/// Replaces every number above 0 by its `log₂`.
#[inline(always)]
pub(crate) fn log2_each(numbers: &mut [f64]) {
    numbers.iter_mut().for_each(|number| *number = log2(*number));
}

/// Adds `x log₂ x` of every value `x` and of its complement `whole − x`.
#[inline(always)]
pub(crate) fn add_information(values: &[f64], whole: f64, sums: &mut [f64]) {
    for (sum, part) in sums.iter_mut().zip(values) {
        let (left, right) = (part.max(0.0), (whole - part).max(0.0));
        let (left_exponent, m) = parts(left.max(f64::MIN_POSITIVE));
        let (right_exponent, n) = parts(right.max(f64::MIN_POSITIVE));
        // One division for both logarithms: it takes as long as all the rest of one.
        let share = 1.0 / ((m + 1.0) * (n + 1.0));
        let left_log = logarithm(left_exponent, (m - 1.0) * (n + 1.0) * share);
        let right_log = logarithm(right_exponent, (n - 1.0) * (m + 1.0) * share);
        *sum += left * left_log + right * right_log;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn logarithms_are_right_to_fifteen_digits(mantissa in 1.0f64..2.0, exponent in -1022i32..1022) {
            let x = mantissa * 2f64.powi(exponent);
            prop_assert!((log2(x) - x.log2()).abs() <= 2e-15 * x.log2().abs().max(1.0), "{x}: {}", log2(x));
        }
    }

    proptest! {
        #[test]
        fn powers_are_right_to_twelve_digits(x in 1e-6f64..1e6, exponent in 0.05f64..20.0) {
            let (expected, mut sums) = (x.powf(exponent), [0.0]);
            add_powers([x].into_iter(), exponent, &mut sums);
            prop_assert!((sums[0] - expected).abs() <= 1e-12 * expected, "{x}^{exponent}: {sums:?}");
        }
    }

    #[test]
    fn powers_of_nothing_are_nothing() {
        let mut sums = [1.0, 1.0, 0.0];
        add_powers([0.0, -1e-20, 1e-300].into_iter(), 3.0, &mut sums);
        assert_eq!(sums[..2], [1.0, 1.0]);
        assert!(sums[2] < 1e-300);
    }

    #[test]
    fn nothing_carries_no_information() {
        let mut sums = [1.0];
        add_information(&[0.0], 1.0, &mut sums);
        assert_eq!(sums, [1.0]);
        assert_eq!((information(-1e-20), information(0.5)), (0.0, -0.5));
    }
}
