//! Arithmetic of the objectives over the objects' own mass, in units of weight and cost.

use fewest_model::{Lambda, Objective};

/// Largest sum of whole numbers that is surely exact: 2^52.
const EXACT: f64 = (1u64 << 52) as f64;

/// How values of parts make up the value of a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    /// `Σ w_i cost(i)`.
    Expected,
    /// `max cost(i)`.
    Worst,
    /// `ln Σ w_i λ^cost(i)`; the number is `ln λ` per unit of cost.
    Exponential(f64),
}

impl Measure {
    /// Measure of an objective, for costs with `scale` units each.
    pub(super) fn new(objective: Objective, scale: f64) -> Self {
        match objective {
            Objective::Worst | Objective::Exponential(Lambda::INFINITY) => Self::Worst,
            Objective::Exponential(lambda) if lambda.value() > 1.0 => Self::Exponential(lambda.ln() / scale),
            Objective::Expected | Objective::Exponential(_) => Self::Expected,
        }
    }

    /// Value of objects that are asked nothing more.
    pub(super) fn leaf(self, mass: f64) -> f64 {
        match self {
            Self::Expected | Self::Worst => 0.0,
            Self::Exponential(_) => mass.ln(),
        }
    }

    /// Whether objects without mass add nothing to the value.
    pub(super) fn is_mean(self) -> bool {
        self != Self::Worst
    }

    /// Value of a part of this mass that pays `step` first.
    pub(super) fn pay(self, step: f64, mass: f64, below: f64) -> f64 {
        match self {
            Self::Expected => step * mass + below,
            Self::Worst => step + below,
            Self::Exponential(growth) => growth * step + below,
        }
    }

    /// Value below which a part stays before it pays `step`, if it stays below `limit` after.
    pub(super) fn before(self, step: f64, mass: f64, limit: f64) -> f64 {
        match self {
            Self::Expected => limit - step * mass,
            Self::Worst => limit - step,
            Self::Exponential(growth) => limit - growth * step,
        }
    }

    /// Value of parts together.
    pub(super) fn join(self, values: impl Iterator<Item = f64> + Clone) -> f64 {
        match self {
            Self::Expected => values.sum(),
            Self::Worst => values.fold(0.0, f64::max),
            Self::Exponential(_) => {
                let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
                if most.is_infinite() {
                    return most;
                }
                most + values.map(|value| (value - most).exp()).sum::<f64>().ln()
            }
        }
    }

    /// Value below which one part stays, so that it and `others` together stay below `limit`.
    pub(super) fn rest(self, limit: f64, others: f64) -> f64 {
        match self {
            _ if limit == f64::INFINITY => limit,
            Self::Expected => limit - others,
            Self::Worst if others >= limit => f64::NEG_INFINITY,
            Self::Worst => limit,
            Self::Exponential(_) if others >= limit => f64::NEG_INFINITY,
            Self::Exponential(_) => limit + (-(others - limit).exp()).ln_1p(),
        }
    }

    /// Rounds a bound down by the worst error of rounding.
    pub(super) fn round_down(self, value: f64) -> f64 {
        match self {
            _ if value.is_infinite() => value,
            // Whole units are exact.
            Self::Expected | Self::Worst if value.fract() == 0.0 && value.abs() < EXACT => value,
            Self::Expected | Self::Worst => value - 1e-12 * value.abs(),
            Self::Exponential(_) => value - 1e-13 * (1.0 + value.abs()),
        }
    }

    /// A limit just above `value`, so that a search below it finds a tree of this value.
    pub(super) fn just_above(self, value: f64) -> f64 {
        match self {
            Self::Expected | Self::Worst => value + 1e-11 * value.abs() + f64::MIN_POSITIVE,
            Self::Exponential(_) => value + 1e-12 * (1.0 + value.abs()),
        }
    }
}
