//! Weights and costs as whole numbers, scaled once on entry.
//!
//! Decimals such as 0.1 have no exact binary form, and their sums depend on the order. Multiplied by the power of ten
//! that makes all of them whole, they are exact: whole numbers up to 2^53 add exactly in `f64`, in any order and on
//! any number of threads. So `0.3 + 0.3 + 0.2 + 0.1 + 0.1` is 10 of 10, and a cost is divided by its scale once, when
//! it is shown. If no such scale exists (1/3 to sixteen digits, 1e-300 beside 1), the numbers stay as they are.

/// Largest sum of whole numbers that is surely exact in `f64`: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Non-negative numbers over a common scale: `value = unit / scale`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaled {
    units: Vec<f64>,
    scale: f64,
    exact: bool,
}

impl Scaled {
    /// Scales finite, non-negative `values` to whole numbers when a power of ten does so and their sum stays exact.
    ///
    /// ```
    /// let scaled = fewest_model::Scaled::new(vec![0.25, 0.05]);
    /// assert_eq!((scaled.units(), scaled.scale()), (&[25.0, 5.0][..], 100.0));
    /// ```
    pub fn new(values: Vec<f64>) -> Self {
        debug_assert!(values.iter().all(|value| value.is_finite() && *value >= 0.0));
        let places = values.iter().map(|&value| decimal_places(value)).max().unwrap_or(0).max(0);
        if places <= 15 {
            // The value and the product are each off by at most one part in 2^53, a quarter of a unit below 2^50:
            // rounding recovers the whole number itself. Whole values need no product and may go up to 2^53.
            let scale = 10f64.powi(places);
            let limit = if places == 0 { EXACT } else { EXACT / 8.0 };
            let units: Vec<f64> = values.iter().map(|value| (value * scale).round()).collect();
            if units.iter().sum::<f64>() < limit {
                return Self { units, scale, exact: true };
            }
        }
        let scale = moderate_scale(&values);
        Self { units: values.into_iter().map(|value| value * scale).collect(), scale, exact: false }
    }

    /// Numbers that are scaled already.
    pub(crate) fn from_parts(units: Vec<f64>, scale: f64, exact: bool) -> Self {
        Self { units, scale, exact }
    }

    /// Returns `count` ones.
    pub fn ones(count: usize) -> Self {
        Self { units: vec![1.0; count], scale: 1.0, exact: true }
    }

    /// Returns the sum of each set of positions, over the same scale.
    pub fn add_up<'a>(&self, sets: impl Iterator<Item = &'a [u32]>) -> Self {
        let units = sets.map(|set| set.iter().map(|&at| self.units[at as usize]).sum()).collect();
        Self { units, ..*self }
    }

    /// Whether all numbers are equal.
    pub fn are_equal(&self) -> bool {
        self.units.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Scaled numbers, in units.
    pub fn units(&self) -> &[f64] {
        &self.units
    }

    /// Factor by which the values were multiplied.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether the units are whole numbers whose sum is below 2^53, so that every sum of them is exact.
    pub fn is_exact(&self) -> bool {
        self.exact
    }
}

/// Power of two that brings numbers far from 1 near it, without changing their digits; 1 if they are near 1 already,
/// or too far apart for one factor.
fn moderate_scale(values: &[f64]) -> f64 {
    const MODERATE: std::ops::Range<f64> = 1e-60..1e60;
    let largest = values.iter().copied().fold(0.0, f64::max);
    let least = values.iter().copied().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    if largest == 0.0 || MODERATE.contains(&largest) {
        return 1.0;
    }
    let scale = 2f64.powi(-(largest.log2().floor().clamp(-1000.0, 1000.0) as i32));
    match () {
        () if least * scale >= 1e-290 => scale,
        // With this factor the sum of huge numbers stays finite.
        () if largest > 1e280 => 2f64.powi(-64),
        () => 1.0,
    }
}

/// Number of digits after the decimal point in the shortest form that reads back as `value`; negative for whole
/// numbers such as 1e20, which are beyond 2^53.
fn decimal_places(value: f64) -> i32 {
    if value == 0.0 || (value.fract() == 0.0 && value < EXACT) {
        return 0;
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` writes an exponent");
    let digits = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    digits - exponent.parse::<i32>().expect("an exponent is a number")
}

/// Sums `values` with compensation of rounding errors (Neumaier's form of Kahan's sum).
pub fn compensated_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut carry) = (0.0f64, 0.0f64);
    for value in values {
        let next = sum + value;
        carry += if sum.abs() >= value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    sum + carry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_become_whole_numbers() {
        let scaled = Scaled::new(vec![0.1, 0.2, 0.4, 0.25, 0.05]);
        assert_eq!(scaled.units(), [10.0, 20.0, 40.0, 25.0, 5.0]);
        assert!(scaled.is_exact());
        assert_eq!(Scaled::new(vec![1.5, 2.0, 100.0]).units(), [15.0, 20.0, 1000.0]);
        assert_eq!(Scaled::new(vec![3.0, 7.0]).scale(), 1.0);
    }

    #[test]
    fn numbers_without_a_common_scale_stay_as_they_are() {
        let scaled = Scaled::new(vec![1.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(scaled.units(), [1.0 / 3.0, 2.0 / 3.0]);
        assert!(!scaled.is_exact());
        assert_eq!(Scaled::new(vec![1e-300, 1.0]).units(), [1e-300, 1.0]);
    }

    #[test]
    fn huge_numbers_keep_their_ratio_and_a_finite_sum() {
        let scaled = Scaled::new(vec![1e308, 1e308, 5e307]);
        assert!(scaled.units().iter().sum::<f64>().is_finite());
        assert_eq!(scaled.units()[0] / scaled.units()[2], 2.0);
    }

    #[test]
    fn numbers_far_from_one_are_brought_near_it() {
        for far in [1e300, 1e-300, f64::MAX, 5e-324] {
            let scaled = Scaled::new(vec![far, far / 2.0, 0.0]);
            assert!(scaled.units()[..2].iter().all(|unit| *unit == 0.0 || (1e-60..1e60).contains(unit)));
            assert_eq!(scaled.units()[0] / scaled.scale(), far);
            assert_eq!(scaled.units()[1] / scaled.scale(), far / 2.0);
        }
        let apart = Scaled::new(vec![1e300, 1e-300]);
        assert!(apart.units().iter().all(|unit| *unit > 0.0 && unit.is_finite()));
    }

    #[test]
    fn compensation_keeps_what_plain_addition_loses() {
        assert_eq!(compensated_sum([1e16, 1.0, 1.0, -1e16]), 2.0);
    }
}
