//! Values of sets of objects, in the form in which values of parts combine to that of the whole. Specification
//! section 8.

use super::problem::Problem;
use crate::claims::TOLERANCE;
use fewest_model::Objective;

/// Objective over the objects' own mass, in units of weight and cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    /// Expected cost `Σ w_i cost(i)`.
    Expected,
    /// Worst cost `max cost(i)`.
    Worst,
    /// Logarithm of the exponential cost, `ln Σ w_i λ^cost(i)`.
    Exponential {
        /// Growth `ln λ` per unit of cost.
        growth: f64,
        /// Growth `ln λ` per cost of the table.
        ln_lambda: f64,
    },
}

impl Measure {
    /// Measure of an objective; the limits λ = 1 and λ = ∞ are the expected and the worst cost.
    pub(crate) fn new(objective: Objective, problem: &Problem) -> Self {
        match objective {
            Objective::Expected => Self::Expected,
            Objective::Worst => Self::Worst,
            Objective::Exponential(lambda) if lambda.value() == 1.0 => Self::Expected,
            Objective::Exponential(lambda) if lambda.value() == f64::INFINITY => Self::Worst,
            Objective::Exponential(lambda) => {
                let ln_lambda = lambda.ln();
                Self::Exponential { growth: ln_lambda / problem.cost_scale, ln_lambda }
            }
        }
    }

    /// Value of objects of some `mass` that are asked nothing more.
    pub(crate) fn leaf(self, mass: f64) -> f64 {
        match self {
            Self::Expected | Self::Worst => 0.0,
            Self::Exponential { .. } => mass.ln(),
        }
    }

    /// Value of a set of some `mass` when a test of some `cost` is asked of it and the parts have the value `parts`
    /// together.
    pub(crate) fn ask(self, cost: f64, mass: f64, parts: f64) -> f64 {
        match self {
            Self::Expected => cost * mass + parts,
            Self::Worst => cost + parts,
            Self::Exponential { growth, .. } => growth * cost + parts,
        }
    }

    /// Value of parts together.
    pub(crate) fn join(self, parts: impl Iterator<Item = f64> + Clone) -> f64 {
        match self {
            Self::Expected => parts.sum(),
            Self::Worst => parts.fold(0.0, f64::max),
            Self::Exponential { .. } => {
                let largest = parts.clone().fold(f64::NEG_INFINITY, f64::max);
                if largest.is_infinite() {
                    return largest;
                }
                largest + parts.map(|part| (part - largest).exp()).sum::<f64>().ln()
            }
        }
    }

    /// Converts the value of all objects to a cost of the table.
    ///
    /// The logarithms of the exponential cost have about 16 digits. Divided by a small `ln λ`, their rounding error
    /// would be large, so it is subtracted first.
    pub(crate) fn shown(self, value: f64, problem: &Problem) -> f64 {
        match self {
            Self::Expected => value / problem.mass / problem.cost_scale,
            Self::Worst => value / problem.cost_scale,
            Self::Exponential { ln_lambda, .. } => {
                let noise = 8.0 * f64::EPSILON * (1.0 + value.abs());
                let value = if value.is_infinite() { value } else { value - noise };
                // No strategy costs less than 0.
                ((value - problem.mass.ln()) / ln_lambda).max(0.0)
            }
        }
    }

    /// Whether a claim of `claimed` is true if `found` is, up to the rounding of sums in another order.
    ///
    /// The allowance does not add up along a proof: the value stored for a claim is never more than the one found. So
    /// the allowance may be as large as that for costs, and a proof need not give up as much for rounding as the
    /// checker does.
    pub(crate) fn allows(self, claimed: f64, found: f64) -> bool {
        let size = match self {
            Self::Expected | Self::Worst => found.abs(),
            Self::Exponential { .. } => 1.0 + found.abs(),
        };
        claimed <= found || (found.is_finite() && claimed - found <= TOLERANCE * size)
    }
}
