//! Costs of the tests of a made table.

use super::GenerateError;
use super::error::require;
use fewest::random::{RandomStream, Stream};

/// Costs of the tests of a made table.
#[derive(Clone, Debug, PartialEq)]
pub enum TestCosts {
    /// Whole numbers from 1 to this, drawn uniformly.
    Random(u32),
    /// Given costs, one for each test.
    List(Vec<f64>),
}

impl TestCosts {
    /// Costs of `tests` tests.
    pub(super) fn draw(&self, tests: u32, seed: u64) -> Result<Vec<f64>, GenerateError> {
        match self {
            Self::Random(most) => {
                require(*most >= 1, "the largest cost", f64::from(*most), "at least 1")?;
                let mut dice = RandomStream::new(seed, Stream::Costs);
                Ok((0..tests).map(|_| f64::from(1 + dice.below(*most))).collect())
            }
            Self::List(costs) => {
                let count = costs.len();
                require(count == tests as usize, "the number of costs", count as f64, "the number of tests")?;
                costs.iter().try_for_each(|&cost| {
                    require(cost.is_finite() && cost > 0.0, "a cost", cost, "a number > 0")
                })?;
                Ok(costs.clone())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_costs_are_refused() {
        let of = |costs: TestCosts| costs.draw(2, 0).unwrap_err().to_string();
        assert!(of(TestCosts::Random(0)).contains("the largest cost is 0"));
        assert!(of(TestCosts::List(vec![1.0])).contains("the number of costs is 1"));
        assert!(of(TestCosts::List(vec![1.0, 0.0])).contains("a cost is 0"));
        assert!(of(TestCosts::List(vec![f64::NAN, 1.0])).contains("a cost is NaN"));
    }

    #[test]
    fn drawn_costs_keep_to_their_range() {
        let costs = TestCosts::Random(3).draw(100, 5).unwrap();
        assert!([1.0, 2.0, 3.0].iter().all(|cost| costs.contains(cost)));
        assert!(costs.iter().all(|cost| (1.0..=3.0).contains(cost)));
    }
}
