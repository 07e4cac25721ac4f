//! Possible values of the cost of a path: multiples of the greatest common divisor of all costs.

use fewest_model::{Scaled, TestId};

/// Largest number of steps: beyond, a float has too few digits left to tell which step it is on.
const MOST: f64 = 1e12;
/// Relative rounding error within which a number above a step counts as that step.
const NOISE: f64 = 1e-9;

/// Common step of all costs, if they have one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// Greatest common divisor of the costs in units, and the scale of the units.
    step: Option<(f64, f64)>,
}

impl Steps {
    /// Common step of the costs of `tests`.
    pub(super) fn new(costs: &Scaled, tests: impl Iterator<Item = TestId>) -> Self {
        if !costs.is_exact() {
            return Self { step: None };
        }
        // Exact units are whole numbers below 2^53.
        let step = tests.fold(0, |step, test| gcd(step, costs.units()[test.index()] as u64));
        Self { step: (step > 0).then(|| (step as f64, costs.scale())) }
    }

    /// Size of the step.
    pub(super) fn size(self) -> Option<f64> {
        self.step.map(|(step, scale)| step / scale)
    }

    /// Least multiple of the step that is not below `value`, up to rounding; `value` if there is no step.
    ///
    /// A sum of costs that is at least `value` is at least this multiple.
    pub(super) fn ceil(self, value: f64) -> f64 {
        let Some((step, scale)) = self.step else { return value };
        let count = value * scale / step;
        if count > MOST {
            return value;
        }
        (count - NOISE * count.max(1.0)).ceil().max(0.0) * step / scale
    }
}

pub(crate) fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ceil(costs: Vec<f64>, value: f64) -> f64 {
        let tests = (0..costs.len()).map(TestId::at);
        Steps::new(&Scaled::new(costs), tests).ceil(value)
    }

    #[test]
    fn a_bound_between_two_steps_is_one_on_the_next() {
        assert_eq!(ceil(vec![1.0, 1.0], 16.2), 17.0);
        assert_eq!(ceil(vec![0.4, 0.6], 0.5), 0.6);
        assert_eq!(ceil(vec![6.0, 9.0], 3.1), 6.0);
        assert_eq!(ceil(vec![2.0], 0.0), 0.0);
    }

    #[test]
    fn rounding_noise_lifts_nothing() {
        assert_eq!(ceil(vec![1.0], 3.0 + 1e-12), 3.0);
        assert_eq!(ceil(vec![1.0], 3.0 - 1e-12), 3.0);
        assert_eq!(ceil(vec![0.001], 1e6 + 1e-6), 1e6);
    }

    #[test]
    fn costs_without_a_common_step_leave_a_bound_as_it_is() {
        assert_eq!(ceil(vec![1.0 / 3.0, 1.0], 0.7), 0.7);
    }
}
