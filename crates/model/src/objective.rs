//! Costs of a tree: expected, worst, and exponential, which weighs long paths more.

use crate::{Instance, Named, Node, Tree, compensated_sum};
use thiserror::Error;

/// Objective to minimise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// Expected cost.
    Expected,
    /// Cost of the worst object, also if its prior is 0.
    Worst,
    /// Exponential cost `log_λ Σ p_i λ^cost(i)`.
    Exponential(Lambda),
}

impl Objective {
    /// Kind of the objective, without its λ.
    pub fn kind(self) -> ObjectiveKind {
        match self {
            Self::Expected => ObjectiveKind::Expected,
            Self::Worst => ObjectiveKind::Worst,
            Self::Exponential(_) => ObjectiveKind::Exponential,
        }
    }
}

/// Kind of cost: an objective without its λ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectiveKind {
    /// The expected cost.
    #[default]
    Expected,
    /// The worst cost.
    Worst,
    /// The exponential cost.
    Exponential,
}

impl ObjectiveKind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Expected, Self::Worst, Self::Exponential];

    /// Objective of this kind; `lambda` counts for the exponential cost only.
    pub fn with(self, lambda: Lambda) -> Objective {
        match self {
            Self::Expected => Objective::Expected,
            Self::Worst => Objective::Worst,
            Self::Exponential => Objective::Exponential(lambda),
        }
    }
}

impl Named for ObjectiveKind {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Expected, "expected", "The cost on average"),
        (Self::Worst, "worst", "The cost at worst"),
        (Self::Exponential, "exponential", "A mean that punishes long paths"),
    ];
}

/// Base λ of the exponential cost: the larger it is, the more long paths count, from 1 (the expected cost) to
/// infinity (the worst cost).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Lambda(f64);

/// Error for a λ that is not a number from 1 to infinity, with the refused value as text.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("λ is `{0}`; it must be a number from 1 to `inf`")]
pub struct LambdaError(pub String);

impl Lambda {
    /// λ = 2, the usual value.
    pub const TWO: Self = Self(2.0);
    /// λ = ∞, where the exponential cost is the worst cost.
    pub const INFINITY: Self = Self(f64::INFINITY);

    /// Checks and wraps a number from 1 to infinity.
    ///
    /// # Errors
    /// For a number below 1, or not a number.
    pub fn new(value: f64) -> Result<Self, LambdaError> {
        if value >= 1.0 { Ok(Self(value)) } else { Err(LambdaError(value.to_string())) }
    }

    /// Value of λ.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Natural logarithm of λ, precise also just above 1.
    pub fn ln(self) -> f64 {
        if self.0 < 1.5 { (self.0 - 1.0).ln_1p() } else { self.0.ln() }
    }
}

/// Costs of a tree under the prior and the test costs of an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Expected cost `Σ p_i cost(i)`.
    pub expected: f64,
    /// Worst cost `max cost(i)` over all objects, also those of prior 0.
    pub worst: f64,
    /// Exponential cost `log_λ Σ p_i λ^cost(i)`.
    pub exponential: f64,
    /// Base λ of the exponential cost.
    pub lambda: Lambda,
}

impl Costs {
    /// Computes the costs of `tree`, whose leaves hold the objects that reach them.
    pub fn of(tree: &Tree, instance: &Instance, lambda: Lambda) -> Self {
        let spent = tree.spent(instance);
        let scale = instance.costs().scale();
        let mut leaves = Vec::new();
        let mut worst = 0.0f64;
        for ((node, weight), spent) in tree.nodes().iter().zip(tree.weights(instance)).zip(&spent) {
            if let Node::Leaf { .. } = node {
                leaves.push((weight, *spent));
                worst = worst.max(*spent);
            }
        }
        let total = instance.total_weight();
        let expected = if instance.weights().is_exact() && instance.costs().is_exact() {
            // Whole numbers are divided once at the end, so that the mean of 0.1 and 0.3 is exactly 0.2.
            compensated_sum(leaves.iter().map(|(weight, spent)| weight * spent)) / (total * scale)
        } else {
            // Other numbers are divided first, because 1e200 times 1e200 would overflow.
            compensated_sum(leaves.iter().map(|(weight, spent)| weight / total * spent)) / scale
        };
        let shares = leaves.iter().map(|(weight, spent)| (weight / total, spent / scale));
        let worst = worst / scale;
        let exponential = match lambda {
            Lambda::INFINITY => worst,
            _ if lambda.value() == 1.0 => expected,
            _ => log_mean_exp(lambda, shares).clamp(expected.min(worst), worst),
        };
        Self { expected, worst, exponential, lambda }
    }

    /// Returns the cost that `objective` minimises; its λ must be the one these costs were computed with.
    pub fn get(&self, objective: Objective) -> f64 {
        match objective {
            Objective::Expected => self.expected,
            Objective::Worst => self.worst,
            Objective::Exponential(lambda) => {
                debug_assert_eq!(lambda, self.lambda);
                self.exponential
            }
        }
    }
}

/// Computes `log_λ Σ w λ^v` over pairs (weight, value) whose weights sum to 1, without overflow.
///
/// Up to `t·max v = 1`, with `t = ln λ`, the formula is `ln1p(Σ w expm1(t v)) / t`, which keeps all digits as λ → 1.
/// Beyond, the largest value is taken out of the sum, which keeps the digits as λ grows. For λ = 1 the result is the
/// mean, for λ = ∞ the maximum.
pub fn log_mean_exp(lambda: Lambda, pairs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let pairs = pairs.filter(|(weight, _)| *weight > 0.0);
    let (t, largest) = (lambda.ln(), pairs.clone().map(|(_, value)| value).fold(0.0, f64::max));
    if t == 0.0 {
        compensated_sum(pairs.map(|(weight, value)| weight * value))
    } else if t == f64::INFINITY {
        largest
    } else if t * largest <= 1.0 {
        compensated_sum(pairs.map(|(weight, value)| weight * (t * value).exp_m1())).ln_1p() / t
    } else {
        largest
            + compensated_sum(pairs.map(|(weight, value)| weight * (t * (value - largest)).exp())).ln() / t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lme(lambda: f64) -> f64 {
        log_mean_exp(Lambda::new(lambda).unwrap(), [(0.5, 1.0), (0.3, 2.0), (0.2, 2.0)].into_iter())
    }

    #[test]
    fn exponential_cost_of_three_leaves() {
        // specification section 14, scalars: q = 0.5 0.3 0.2, depths 1 2 2.
        for (lambda, value) in [
            (1.0001, 1.5000124994),
            (2.0, 1.5849625007),
            (1e6, 1.9498284064),
            (1e12, 1.9749141670),
            (1e300, 1.9989965667),
        ] {
            assert!((lme(lambda) - value).abs() <= 5e-11, "λ = {lambda}: {}", lme(lambda));
        }
        assert_eq!(lme(f64::INFINITY), 2.0);
        assert!((lme(1.0) - 1.5).abs() < 1e-15);
        assert!((lme(1.0 + 1e-12) - 1.5).abs() < 1e-11);
    }

    #[test]
    fn hundreds_of_questions_do_not_overflow() {
        let deep = log_mean_exp(Lambda::new(1e9).unwrap(), [(0.5, 900.0), (0.5, 1.0)].into_iter());
        assert!((deep - (900.0 + 0.5f64.ln() / 1e9f64.ln())).abs() < 1e-12);
    }

    #[test]
    fn lambda_is_at_least_one() {
        assert!(Lambda::new(0.5).is_err() && Lambda::new(f64::NAN).is_err());
        assert!(Lambda::new(1.0).is_ok() && Lambda::new(f64::INFINITY).is_ok());
    }
}
