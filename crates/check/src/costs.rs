//! Costs of a tree, added up from the costs that each object paid on its own path.
//!
//! `Costs::of` in the model finds the same numbers leaf by leaf. Here they are found again object by object, with
//! sums and logarithms of its own, so that a mistake in one of the two shows.

use fewest_model::{Costs, Instance, Lambda};

/// Computes the three costs; `spent` is by object, in cost units.
pub(crate) fn add_up(instance: &Instance, spent: &[f64], lambda: Lambda) -> Costs {
    let scale = instance.costs().scale();
    let expected = expected_units(instance, spent) / scale;
    let worst = spent.iter().copied().fold(0.0, f64::max) / scale;
    let exponential = match lambda.value() {
        1.0 => expected,
        f64::INFINITY => worst,
        lambda => exponential(&priced(instance, spent), lambda),
    };
    Costs { expected, worst, exponential, lambda }
}

/// Computes `Σ p_i spent(i)`: in whole numbers if weights and costs are whole, otherwise with compensation.
fn expected_units(instance: &Instance, spent: &[f64]) -> f64 {
    let weights = instance.weights();
    if !weights.is_exact() || !instance.costs().is_exact() {
        let total = sum(weights.units().iter().copied());
        return sum(weights.units().iter().zip(spent).map(|(weight, spent)| weight / total * spent));
    }
    // The sum of all weights and the sum of all costs are below 2^53 each, so the sum of products is below 2^106.
    let whole = |units: &f64| *units as u128;
    let total: u128 = weights.units().iter().map(whole).sum();
    let products: u128 =
        weights.units().iter().zip(spent).map(|(weight, spent)| whole(weight) * whole(spent)).sum();
    products as f64 / total as f64
}

/// Probability and cost of each object of positive prior.
fn priced(instance: &Instance, spent: &[f64]) -> Vec<(f64, f64)> {
    let total = sum(instance.weights().units().iter().copied());
    let scale = instance.costs().scale();
    let pairs = instance.weights().units().iter().zip(spent).filter(|(weight, _)| **weight > 0.0);
    pairs.map(|(weight, spent)| (weight / total, spent / scale)).collect()
}

/// Computes the three costs from the probabilities and costs of leaves, in units, if the mass of an object may be
/// spread over several leaves.
pub(crate) fn add_up_leaves(instance: &Instance, leaves: &[(f64, f64)], lambda: Lambda) -> Costs {
    let scale = instance.costs().scale();
    let expected = sum(leaves.iter().map(|(share, spent)| share * spent)) / scale;
    let worst = leaves.iter().map(|(_, spent)| *spent).fold(0.0, f64::max) / scale;
    let exponential = match lambda.value() {
        1.0 => expected,
        f64::INFINITY => worst,
        lambda => {
            let likely = leaves.iter().filter(|(share, _)| *share > 0.0);
            let priced: Vec<(f64, f64)> = likely.map(|(share, spent)| (*share, spent / scale)).collect();
            exponential(&priced, lambda)
        }
    };
    Costs { expected, worst, exponential, lambda }
}

/// Computes `log_λ Σ p λ^c` for 1 < λ < ∞.
fn exponential(priced: &[(f64, f64)], lambda: f64) -> f64 {
    // t = ln λ, m = the largest cost. If t m is small, powers are near 1, so their distance from 1 is summed. If t m
    // is large, powers may be huge, so λ^m is taken out and none is above 1.
    let t = if lambda < 1.5 { (lambda - 1.0).ln_1p() } else { lambda.ln() };
    let m = priced.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    if t * m <= 1.0 {
        sum(priced.iter().map(|(p, cost)| p * (t * cost).exp_m1())).ln_1p() / t
    } else {
        m + sum(priced.iter().map(|(p, cost)| p * (t * (cost - m)).exp())).ln() / t
    }
}

/// Sums with compensation of the rounding error of each addition (Knuth's error-free addition).
pub(crate) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for value in values {
        let next = sum + value;
        let added = next - sum;
        lost += (sum - (next - added)) + (value - added);
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of specification section 14, scalars: q = 0.5 0.3 0.2, depths 1 2 2.
    #[test]
    fn exponential_cost_has_all_digits_for_every_lambda() {
        let priced = [(0.5, 1.0), (0.3, 2.0), (0.2, 2.0)];
        for (lambda, value) in
            [(1.0001, 1.5000124994), (2.0, 1.5849625007), (1e6, 1.9498284064), (1e300, 1.9989965667)]
        {
            assert!((exponential(&priced, lambda) - value).abs() <= 5e-11, "λ = {lambda}");
        }
        assert!((exponential(&priced, 1.0 + 1e-12) - 1.5).abs() < 1e-11);
    }

    #[test]
    fn nothing_is_lost_beside_a_large_number() {
        assert_eq!(sum([1e16, 1.0, 1.0, -1e16].into_iter()), 2.0);
        assert_eq!(sum((0..10).map(|_| 0.1)), 1.0);
    }
}
