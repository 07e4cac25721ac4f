//! Rényi's entropy, in the order that belongs to an exponential cost.

use fewest_model::{Lambda, compensated_sum};
use std::f64::consts::LN_2;

/// Order `α = s / (s + log₂ λ)` that belongs to λ at a rate of `s` bits per unit of cost.
///
/// `1 − α` is stored beside `α`: for λ near 1 it is tiny, and subtraction would lose it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    alpha: f64,
    complement: f64,
}

impl Order {
    /// Makes the order for λ if a unit of cost buys at most `rate` bits; a rate of 1 is the unit form of the papers.
    pub fn new(lambda: Lambda, rate: f64) -> Self {
        let bits = lambda.ln() / LN_2;
        if bits == f64::INFINITY {
            return Self { alpha: 0.0, complement: 1.0 };
        }
        Self { alpha: rate / (rate + bits), complement: bits / (rate + bits) }
    }

    /// Order α, from 0 (λ = ∞) to 1 (λ = 1).
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// Complement `1 − α`.
    pub fn complement(self) -> f64 {
        self.complement
    }

    /// Term of a probability `p` in a sum that [`bits`](Self::bits) turns into an entropy.
    ///
    /// The term is `p (p^−(1−α) − 1)` for α above 1/2, which keeps the digits as α → 1, and `p^α` below.
    pub fn moment(self, p: f64) -> f64 {
        match () {
            () if p <= 0.0 => 0.0,
            () if self.is_near_one() => p * (-self.complement * p.ln()).exp_m1(),
            () => (self.alpha * p.ln()).exp(),
        }
    }

    /// Entropy in bits of probabilities with sum `mass` and sum of moments `moment`, after division by `mass`. For λ
    /// = 1 the moments carry no information; use the Shannon entropy there.
    pub fn bits(self, moment: f64, mass: f64) -> f64 {
        let nats = if self.is_near_one() {
            (moment / mass).ln_1p() / self.complement + mass.ln()
        } else {
            (moment.ln() - self.alpha * mass.ln()) / self.complement
        };
        (nats / LN_2).max(0.0)
    }

    /// Sum of `p^α` over probabilities with sum `mass` and sum of moments `moment`.
    pub(crate) fn power_sum(self, moment: f64, mass: f64) -> f64 {
        if self.is_near_one() { moment + mass } else { moment }
    }

    fn is_near_one(self) -> bool {
        self.complement < 0.5
    }
}

/// Computes `H_α(q) = log₂(Σ q^α) / (1 − α)` in bits for the shares `q` of `weights` in `total`; the limits are
/// Shannon's entropy at α = 1 and the logarithm of the number of positive weights at α = 0.
pub fn renyi_bits(weights: impl Iterator<Item = f64>, total: f64, order: Order) -> f64 {
    if order.complement == 0.0 {
        return super::entropy_bits(weights, total);
    }
    let moments = weights.filter(|weight| *weight > 0.0).map(|weight| order.moment(weight / total));
    order.bits(compensated_sum(moments), 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renyi(lambda: f64, weights: &[f64]) -> f64 {
        let order = Order::new(Lambda::new(lambda).unwrap(), 1.0);
        renyi_bits(weights.iter().copied(), weights.iter().sum(), order)
    }

    #[test]
    fn entropy_of_three_shares() {
        // specification section 14, scalars: q = 0.5 0.3 0.2.
        for (lambda, bits) in [
            (1.0001, 1.4854891320),
            (2.0, 1.5345348592),
            (1e6, 1.5801215393),
            (1e12, 1.5824826834),
            (1e300, 1.5848609194),
        ] {
            let value = renyi(lambda, &[0.5, 0.3, 0.2]);
            assert!((value - bits).abs() <= 5e-11, "λ = {lambda}: {value}");
        }
    }

    #[test]
    fn the_ends_are_shannon_and_hartley() {
        let weights = [5.0, 3.0, 2.0, 0.0];
        let shannon = crate::measure::entropy_bits(weights.into_iter(), 10.0);
        assert_eq!(renyi(1.0, &weights), shannon);
        assert!((renyi(1.0 + 1e-12, &weights) - shannon).abs() < 1e-9);
        assert!((renyi(f64::INFINITY, &weights) - 3f64.log2()).abs() < 1e-15);
    }

    #[test]
    fn moments_of_a_part_give_the_entropy_of_that_part_alone() {
        for lambda in [1.01, 1.9, 2.0, 50.0, 1e9] {
            let order = Order::new(Lambda::new(lambda).unwrap(), 1.0);
            let part = [0.03, 0.01, 0.002];
            let mass: f64 = part.iter().sum();
            let bits = order.bits(part.iter().map(|p| order.moment(*p)).sum(), mass);
            assert!((bits - renyi(lambda, &part)).abs() < 1e-12, "λ = {lambda}");
        }
    }
}
