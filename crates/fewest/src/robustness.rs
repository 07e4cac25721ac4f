//! Cost of a strategy if the prior is wrong.
//!
//! Exponential costs bound the expected cost under other priors: for any true prior q, `E_q[cost] ≤ L_λ(p) + KL(q‖p)
//! / ln λ` in nats, for every λ > 1 [DonskerVaradhan1975, the variational formula]. Minimised over λ this bound is
//! tight: some q at that distance reaches it, the one that shifts weight exponentially towards expensive objects,
//! `q_i ∝ p_i λ^cost(i)`.

use fewest_model::{Costs, Instance, Lambda, Node, Tree, compensated_sum};

/// Divergences that reports show, in nats.
pub const DISTANCES_NATS: [f64; 4] = [0.01, 0.1, 0.5, 1.0];

/// Largest cost of a wrong prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// Divergence `KL(q‖p)` of the true prior q from the given p, in nats.
    pub kl_nats: f64,
    /// Upper bound on the expected cost.
    pub expected_at_most: f64,
}

impl Shift {
    /// Loss of a code made for the given prior under the true one: `KL(q‖p)` in bits per word, for any strategy.
    /// [Shannon1948, the mean of −log p under q exceeds the entropy of q by the divergence].
    pub fn excess_bits(&self) -> f64 {
        self.kl_nats / std::f64::consts::LN_2
    }
}

/// Upper bounds on the expected cost of `tree`, for each of [`DISTANCES_NATS`].
pub fn robustness(tree: &Tree, instance: &Instance) -> Vec<Shift> {
    let spread = Spread::of(tree, instance);
    let shift = |kl_nats| Shift { kl_nats, expected_at_most: spread.expected_at_most(kl_nats) };
    DISTANCES_NATS.map(shift).to_vec()
}

/// Distribution of the costs of a tree over its leaves, from which costs under other priors are computed.
#[derive(Clone, Debug)]
pub struct Spread {
    /// Leaves of positive weight: share of the prior, and cost.
    leaves: Vec<(f64, f64)>,
    expected: f64,
    least: f64,
    most: f64,
}

impl Spread {
    /// Computes the distribution of the costs of `tree`.
    pub fn of(tree: &Tree, instance: &Instance) -> Self {
        let spent = tree.spent(instance);
        let leaf = |((node, weight), spent): ((&Node, f64), f64)| match node {
            Node::Ask { .. } => None,
            Node::Leaf { .. } => Some((weight / instance.total_weight(), spent / instance.costs().scale())),
        };
        let nodes = tree.nodes().iter().zip(tree.weights(instance)).zip(spent);
        let leaves: Vec<(f64, f64)> = nodes.filter_map(leaf).filter(|(share, _)| *share > 0.0).collect();
        let costs = || leaves.iter().map(|(_, cost)| *cost);
        let (least, most) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
        let expected = Costs::of(tree, instance, Lambda::TWO).expected.clamp(least, most);
        Self { leaves, expected, least, most }
    }

    /// Highest expected cost under any prior q with `KL(q‖p) ≤ kl_nats`: `min over t = ln λ > 0 of L_λ + kl_nats /
    /// t`, never below the expected cost and never above the largest cost of a leaf with positive prior.
    ///
    /// The minimum is where the tilted prior has exactly that divergence. The divergence grows with t, so t is found
    /// by bisection; a slightly different t still yields a bound, because every t does.
    pub fn expected_at_most(&self, kl_nats: f64) -> f64 {
        let range = self.most - self.least;
        if range <= 0.0 || kl_nats <= 0.0 {
            return self.expected;
        }
        // In units of the range of costs: from tilts too small for any divergence to those that leave only the
        // costliest leaf.
        let (mut low, mut high) = (1e-12f64.ln(), 1e18f64.ln());
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if self.tilted_distance(middle.exp() / range) < kl_nats {
                low = middle;
            } else {
                high = middle;
            }
        }
        let bound = [low, high]
            .map(|log| self.bound(log.exp() / range, kl_nats))
            .into_iter()
            .fold(self.most, f64::min);
        bound.clamp(self.expected, self.most)
    }

    /// Value of `L_λ + kl_nats / t` at `t = ln λ`, with the mean taken out for small t and the largest cost for large
    /// ones.
    fn bound(&self, t: f64, kl_nats: f64) -> f64 {
        if t * (self.most - self.least) <= 1.0 {
            let terms = self.leaves.iter().map(|(share, cost)| share * (t * (cost - self.expected)).exp_m1());
            self.expected + (compensated_sum(terms).ln_1p() + kl_nats) / t
        } else {
            self.most + (self.log_mass(t) + kl_nats) / t
        }
    }

    /// `ln Σ p_i e^(t (cost_i − max cost))`.
    fn log_mass(&self, t: f64) -> f64 {
        compensated_sum(self.leaves.iter().map(|(share, cost)| share * (t * (cost - self.most)).exp())).ln()
    }

    /// `KL(q‖p)` in nats of the tilted prior `q_i ∝ p_i e^(t cost_i)`.
    fn tilted_distance(&self, t: f64) -> f64 {
        let log_mass = self.log_mass(t);
        let terms = self.leaves.iter().map(|(share, cost)| {
            let log_ratio = t * (cost - self.most) - log_mass;
            share * log_ratio.exp() * log_ratio
        });
        compensated_sum(terms.filter(|term| !term.is_nan()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::divergence_bits;
    use std::f64::consts::LN_2;

    fn spread(leaves: &[(f64, f64)]) -> Spread {
        let costs = || leaves.iter().map(|(_, cost)| *cost);
        Spread {
            leaves: leaves.to_vec(),
            expected: leaves.iter().map(|(share, cost)| share * cost).sum(),
            least: costs().fold(f64::INFINITY, f64::min),
            most: costs().fold(0.0, f64::max),
        }
    }

    /// Highest mean cost over priors on a fine grid, for three leaves.
    fn worst_on_a_grid(leaves: &[(f64, f64)], kl_nats: f64) -> f64 {
        const STEPS: usize = 1000;
        let p: Vec<f64> = leaves.iter().map(|(share, _)| *share).collect();
        let mut worst = 0.0f64;
        for a in 0..=STEPS {
            for b in 0..=STEPS - a {
                let q = [a, b, STEPS - a - b].map(|part| part as f64 / STEPS as f64);
                if divergence_bits(&q, &p) * LN_2 <= kl_nats {
                    worst = worst.max(q.iter().zip(leaves).map(|(q, (_, cost))| q * cost).sum());
                }
            }
        }
        worst
    }

    #[test]
    fn a_code_for_the_wrong_prior_loses_the_divergence() {
        // specification section 14, scalars: KL(0.5 0.3 0.2 ‖ 0.4 0.4 0.2), as mean word length over entropy.
        let (q, p) = ([0.5f64, 0.3, 0.2], [0.4f64, 0.4, 0.2]);
        let mean = |of: [f64; 3]| -> f64 { q.iter().zip(of).map(|(q, of)| -q * of.log2()).sum() };
        let shift = Shift { kl_nats: divergence_bits(&q, &p) * LN_2, expected_at_most: 0.0 };
        assert!((shift.excess_bits() - (mean(p) - mean(q))).abs() < 1e-14);
        assert!((shift.excess_bits() - 0.0364527977).abs() < 5.1e-11);
    }

    #[test]
    fn no_prior_is_worse_than_the_bound_and_some_prior_reaches_it() {
        let trees = [
            [(0.5, 1.0), (0.3, 2.0), (0.2, 2.5)],
            [(0.9, 1.0), (0.09, 5.0), (0.01, 40.0)],
            [(0.34, 3.0), (0.33, 3.0), (0.33, 4.0)],
        ];
        for leaves in trees {
            for kl_nats in DISTANCES_NATS {
                let bound = spread(&leaves).expected_at_most(kl_nats);
                let found = worst_on_a_grid(&leaves, kl_nats);
                let range = leaves[2].1 - leaves[0].1;
                assert!(found <= bound + 1e-9, "{leaves:?} at {kl_nats}: {found} > {bound}");
                assert!(bound <= found + 0.006 * range, "{leaves:?} at {kl_nats}: {found} far below {bound}");
            }
        }
    }

    #[test]
    fn the_tilted_prior_reaches_the_bound() {
        let spread = spread(&[(0.4, 2.0), (0.3, 3.0), (0.2, 7.0), (0.1, 11.0)]);
        for t in [1e-3f64, 0.01, 0.1, 0.5, 2.0] {
            let q: Vec<f64> = spread.leaves.iter().map(|(share, cost)| share * (t * cost).exp()).collect();
            let total: f64 = q.iter().sum();
            let mean: f64 = q.iter().zip(&spread.leaves).map(|(q, (_, cost))| q / total * cost).sum();
            let bound = spread.expected_at_most(spread.tilted_distance(t));
            assert!((bound - mean).abs() < 1e-9 * mean, "t = {t}: {bound} for {mean}");
        }
    }

    #[test]
    fn the_ends_are_the_expected_and_the_worst_cost() {
        let leaves = spread(&[(0.5, 1.0), (0.5, 3.0)]);
        assert_eq!(leaves.expected_at_most(0.0), 2.0);
        assert!(leaves.expected_at_most(1e-14) < 2.0 + 1e-6);
        // ln 2 nats allow a q that lies on the expensive half alone.
        assert!((leaves.expected_at_most(LN_2) - 3.0).abs() < 1e-9);
        assert_eq!(leaves.expected_at_most(5.0), 3.0);
        assert_eq!(leaves.expected_at_most(f64::INFINITY), 3.0);
        assert_eq!(spread(&[(1.0, 4.0)]).expected_at_most(1.0), 4.0);
    }

    #[test]
    fn neither_tiny_nor_huge_costs_break_it() {
        let leaves = [(0.7, 1.0), (0.2, 4.0), (0.1, 6.0)];
        let plain = spread(&leaves).expected_at_most(0.1);
        for scale in [1e-9, 1e12] {
            let scaled = spread(&leaves.map(|(share, cost)| (share, cost * scale))).expected_at_most(0.1);
            assert!((scaled / scale - plain).abs() < 1e-9, "{scale}");
        }
        let far = spread(&[(1.0 - 1e-12, 1.0), (1e-12, 1e9)]);
        assert!(far.expected_at_most(0.01) > far.expected && far.expected_at_most(0.01) < 1e9);
    }
}
