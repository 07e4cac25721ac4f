//! Exponential cost: `X(A) = min_t λ^{c_t} Σ_C X(C)`, stored as `ln X`.

use super::CostAlgebra;
use crate::exact::summary::{Path, SetSummary, Setting};

/// Algebra of the exponential cost.
pub(in crate::exact) struct Exponential {
    /// Growth `ln λ` per unit of cost.
    growth: f64,
    /// Order α of the entropy that bounds the cost.
    alpha: f64,
}

impl Exponential {
    /// Makes the algebra; `growth` is `ln λ` per unit of cost, `rate` the most bits that a unit of cost yields.
    /// Specification section 4.
    pub(in crate::exact) fn new(growth: f64, rate: f64) -> Self {
        Self { growth, alpha: rate / (rate + growth / std::f64::consts::LN_2) }
    }
}

/// Amount by which bounds are lowered: logarithms and powers are off by parts in 10^16.
const ROUNDING: f64 = 1e-14;

impl CostAlgebra for Exponential {
    fn spread(&self, mass: f64) -> f64 {
        if mass > 0.0 { mass.powf(self.alpha) } else { 0.0 }
    }

    fn none(&self) -> f64 {
        f64::NEG_INFINITY
    }

    fn join(&self, left: f64, right: f64) -> f64 {
        let (low, high) = if left < right { (left, right) } else { (right, left) };
        // The difference of two infinities is no number: nothing on one side, or no tree on both.
        let is_high = low == f64::NEG_INFINITY || high == f64::INFINITY;
        if is_high { high } else { high + (low - high).exp().ln_1p() }
    }

    fn ask(&self, cost: f64, _: f64, below: f64) -> f64 {
        self.growth * cost + below
    }

    fn child_limit(&self, limit: f64, cost: f64, _: f64, others: f64) -> f64 {
        let below = limit - self.growth * cost;
        match others {
            f64::NEG_INFINITY => below,
            _ if below == f64::INFINITY => below,
            _ if others >= below => f64::NEG_INFINITY,
            _ => below + (-(others - below).exp()).ln_1p(),
        }
    }

    fn leaf(&self, mass: f64) -> f64 {
        mass.ln()
    }

    /// Rényi's bound: `X(A) ≥ N(A) = (Σ_k w(A_k)^α)^{1/α}`; and every object is asked at least the cheapest test.
    fn floor(&self, set: &SetSummary, setting: &Setting) -> f64 {
        // The relative error grows with the number of powers that were added up.
        let noise = (f64::from(set.count) + 8.0) * f64::EPSILON;
        let renyi = (set.spread.ln() - noise) / self.alpha;
        let once = set.mass.ln() + self.growth * setting.reach.cheapest;
        let bound = renyi.max(once);
        bound - ROUNDING * (1.0 + bound.abs())
    }

    fn uses_majority_path(&self) -> bool {
        false
    }

    fn majority_path(&self, _: &SetSummary, _: &Path<'_>, _: &Setting) -> f64 {
        f64::NEG_INFINITY
    }

    fn is_mean(&self) -> bool {
        true
    }

    fn safe_lower(&self, value: f64) -> f64 {
        // The value is a logarithm: its rounding errors do not shrink with it.
        if value.is_infinite() { value } else { value - 1e-14 * (1.0 + value.abs()) }
    }

    fn step(&self, value: f64) -> f64 {
        // Slightly more than rounding: near λ = 1 small differences of logarithms are large differences of costs.
        2e-14 * (1.0 + value.abs())
    }
}
