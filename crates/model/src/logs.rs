//! Logarithms of many numbers at once, to about fifteen digits: for estimates, where the last digit decides nothing.

use std::f64::consts::LN_2;

/// The bits of `√½`, from where on mantissas are taken: so they lie around 1, where the series is short.
const LOWEST_MANTISSA: u64 = 0x3fe6_a09e_667f_3bcd;
const EXPONENT: u64 = 0xfff << 52;
/// Added to an exponent it stays above 0.
const BIAS: u64 = 2048;
/// Whole numbers up to 2^52 are its lowest bits, once they are added.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// `log₂ x` for a normal `x` above 0: the exponent, and `ln m = 2 artanh((m − 1) / (m + 1))` for the mantissa.
///
/// Plain additions and multiplications without a branch, so that compilers do several at once.
#[inline(always)]
fn log2(x: f64) -> f64 {
    let above = x.to_bits().wrapping_sub(LOWEST_MANTISSA);
    let mantissa = f64::from_bits(x.to_bits().wrapping_sub(above & EXPONENT));
    let shifted = above.wrapping_add(BIAS << 52) >> 52;
    let exponent = f64::from_bits(WHOLE.to_bits() | shifted) - (WHOLE + BIAS as f64);
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let z = s * s;
    let mut series = 1.0 / 19.0;
    for n in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        series = series * z + 1.0 / n;
    }
    exponent + s * series * (2.0 / LN_2)
}

/// `x log₂ x`, 0 at 0 and at dust below.
#[inline(always)]
pub(crate) fn information(x: f64) -> f64 {
    let x = x.max(0.0);
    x * log2(x.max(f64::MIN_POSITIVE))
}

/// Replaces every number above 0 by its `log₂`.
#[inline(always)]
pub(crate) fn log2_each(numbers: &mut [f64]) {
    numbers.iter_mut().for_each(|number| *number = log2(*number));
}

/// Adds `x log₂ x` of every part and of what it leaves of `whole`.
#[inline(always)]
pub(crate) fn add_information(parts: &[f64], whole: f64, sums: &mut [f64]) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += information(*part) + information(whole - part);
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

    #[test]
    fn nothing_carries_no_information() {
        let mut sums = [1.0];
        add_information(&[0.0], 1.0, &mut sums);
        assert_eq!(sums, [1.0]);
        assert_eq!((information(-1e-20), information(0.5)), (0.0, -0.5));
    }
}
