//! Lower bound of a set without search, by the best tests that are conceivable there.
//!
//! A test is priced at the least that it adds to a path: its own cost by answer, and an equal share of its set-up among
//! the tests of its bundle that split the set, for a path asks each of them at most once. Let `s` be the largest root of
//! `Σ_v 2^(−s c(v)) = 1` over these tests: then the paths to the groups obey Kraft's inequality at rate `s`, and the
//! entropy bounds hold (specification section 3.1).

use super::measure::Measure;
use super::problem::{Problem, Split};
use fewest_model::OpenBundles;

/// Relative amount by which a bound is lowered for rounding.
const ROUNDING: f64 = 1e-12;

/// Limits of the tests that split a set; they hold for each of its parts, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// Most bits that a unit of cost yields; infinite if some answer costs nothing.
    rate: f64,
    /// Least price of a test.
    cheapest: f64,
    /// Most answers of a test.
    radix: usize,
}

impl Reach {
    /// Limits of the tests of `splits` where the bundles `open` are paid.
    pub(super) fn of(problem: &Problem<'_>, splits: &[Split], open: &OpenBundles) -> Self {
        let bundle = |split: &Split| problem.columns[split.column].bundle;
        let mut counts = vec![0u32; problem.pricing.bundles().len()];
        splits.iter().filter_map(bundle).for_each(|bundle| counts[bundle] += 1);
        let mut reach = Self { rate: 0.0, cheapest: f64::INFINITY, radix: 2 };
        for split in splits {
            let share = match bundle(split) {
                Some(bundle) if !open.contains(bundle) => {
                    let setup = problem.pricing.bundles()[bundle].setup;
                    setup / f64::from(counts[bundle]) * (1.0 - ROUNDING)
                }
                _ => 0.0,
            };
            let prices: Vec<f64> = split.parts.iter().map(|part| part.own + share).collect();
            let least = prices.iter().copied().fold(f64::INFINITY, f64::min);
            reach.cheapest = reach.cheapest.min(least);
            reach.radix = reach.radix.max(prices.len());
            // The root is at most that of equal prices; most tests do not come near the best one.
            if least <= 0.0 || (prices.len() as f64).log2() / least > reach.rate {
                reach.rate = reach.rate.max(kraft_rate(&prices));
            }
        }
        reach
    }

    /// Lower bound on the worst cost of a set with this many groups.
    pub(super) fn worst(&self, groups: usize) -> f64 {
        let (mut depth, mut leaves) = (0.0, 1);
        while leaves < groups {
            (depth, leaves) = (depth + 1.0, leaves.saturating_mul(self.radix));
        }
        (depth * self.cheapest).max((groups as f64).log2() / self.rate * (1.0 - ROUNDING))
    }

    /// Lower bound on the value of a set of at least two groups with these weights.
    pub(super) fn floor(&self, measure: Measure, weights: &[f64]) -> f64 {
        let mass: f64 = weights.iter().sum();
        match measure {
            Measure::Worst => self.worst(weights.len()),
            Measure::Expected => {
                let bits = phi(mass) - weights.iter().copied().map(phi).sum::<f64>();
                // The terms may be far larger than their difference.
                let bits = bits - ROUNDING * (phi(mass).abs() + mass);
                (bits / self.rate).max(mass * self.cheapest * (1.0 - ROUNDING)).max(0.0)
            }
            Measure::Exponential(growth) => {
                let once = mass.ln() + growth * self.cheapest;
                let found = if self.rate.is_infinite() {
                    once
                } else {
                    let alpha = self.rate / (self.rate + growth / std::f64::consts::LN_2);
                    let powers =
                        weights.iter().filter(|weight| **weight > 0.0).map(|weight| weight.powf(alpha));
                    let noise = (weights.len() as f64 + 8.0) * f64::EPSILON;
                    ((powers.sum::<f64>().ln() - noise) / alpha).max(once)
                };
                found - 1e-14 * (1.0 + found.abs())
            }
        }
    }
}

/// The root `s` of `Σ 2^(−s c) = 1`, rounded up; infinite if some cost is 0.
fn kraft_rate(prices: &[f64]) -> f64 {
    let least = prices.iter().copied().fold(f64::INFINITY, f64::min);
    let most = prices.iter().copied().fold(0.0, f64::max);
    if least <= 0.0 {
        return f64::INFINITY;
    }
    let bits = (prices.len() as f64).log2();
    let (mut low, mut high) = (bits / most, bits / least);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let sum: f64 = prices.iter().map(|price| (-middle * price).exp2()).sum();
        if sum > 1.0 { low = middle } else { high = middle }
    }
    high * (1.0 + ROUNDING)
}

/// `x log₂ x`, and 0 at 0.
fn phi(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_root_of_the_sum_of_powers() {
        assert!((kraft_rate(&[2.0, 2.0]) - 0.5).abs() < 1e-9);
        // Golden ratio: x + x² = 1 with x = 2^−s.
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        assert!((kraft_rate(&[1.0, 2.0]) + golden.log2()).abs() < 1e-9);
        assert_eq!(kraft_rate(&[0.0, 2.0]), f64::INFINITY);
    }
}
