//! Mean and its standard error.

use fewest_model::compensated_sum;

/// Estimate of one number from several data sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean of the values.
    pub mean: f64,
    /// Standard error of the mean, `s/√n` with `s² = Σ(x − mean)²/(n − 1)`; `None` for a single data set.
    pub standard_error: Option<f64>,
    /// Least value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
    /// Number of data sets.
    pub n: u32,
}

impl Estimate {
    /// Summarises `numbers`, of which there is at least one.
    pub fn of(numbers: &[f64]) -> Self {
        let n = numbers.len() as f64;
        let (least, most) = numbers
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(*x), most.max(*x)));
        // Rounding must not move the mean of equal numbers away from them.
        let mean = (compensated_sum(numbers.iter().copied()) / n).clamp(least, most);
        let squares = compensated_sum(numbers.iter().map(|x| (x - mean).powi(2)));
        let standard_error = (numbers.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt());
        Self { mean, standard_error, least, most, n: numbers.len() as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_of_four_numbers() {
        // Mean 5, squares 9 + 1 + 1 + 9 = 20, s² = 20/3, s/√4 = √(20/12).
        let found = Estimate::of(&[2.0, 4.0, 6.0, 8.0]);
        assert_eq!((found.mean, found.least, found.most, found.n), (5.0, 2.0, 8.0, 4));
        assert!((found.standard_error.unwrap() - (5.0f64 / 3.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn one_number_has_no_error_and_equal_numbers_none_at_all() {
        assert_eq!(Estimate::of(&[3.0]).standard_error, None);
        let equal = Estimate::of(&[0.1; 7]);
        assert_eq!((equal.mean, equal.standard_error), (0.1, Some(0.0)));
    }
}
