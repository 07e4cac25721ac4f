//! Kullback and Leibler's divergence: the cost of a wrong prior.

use fewest_model::compensated_sum;

/// Computes `KL(p‖q) = Σ p log₂(p/q)` in bits, for the shares `p` and `q` of two lists of weights in their sums;
/// infinite if `q` excludes a value that `p` does not.
///
/// A code made for `q` spends this much more per symbol than one made for the true `p`, and so do questions if every
/// split may be asked. [CoverThomas2006, Theorem 5.4.3]
///
/// ```
/// let excess = fewest::measure::divergence_bits(&[5.0, 3.0, 2.0], &[4.0, 4.0, 2.0]);
/// assert!((excess - 0.0364527977).abs() < 1e-10);
/// ```
///
/// # Panics
/// When the lists differ in length.
pub fn divergence_bits(p: &[f64], q: &[f64]) -> f64 {
    assert_eq!(p.len(), q.len(), "both speak of the same symbols");
    let (p_total, q_total) = (compensated_sum(p.iter().copied()), compensated_sum(q.iter().copied()));
    let terms = p.iter().zip(q).map(|(p, q)| match (p / p_total, q / q_total) {
        (0.0, _) => 0.0,
        (_, 0.0) => f64::INFINITY,
        (p, q) => p * (p.log2() - q.log2()),
    });
    let terms: Vec<f64> = terms.collect();
    match terms.contains(&f64::INFINITY) {
        true => f64::INFINITY,
        // Gibbs' inequality; rounding must not break it.
        false => compensated_sum(terms).max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{huffman_lengths, mean_length};

    #[test]
    fn the_specification_s_example() {
        assert!((divergence_bits(&[0.5, 0.3, 0.2], &[0.4, 0.4, 0.2]) - 0.0364527977).abs() <= 5e-11);
    }

    #[test]
    fn the_right_prior_costs_nothing_and_an_excluded_symbol_everything() {
        assert_eq!(divergence_bits(&[1.0, 2.0, 0.0], &[10.0, 20.0, 0.0]), 0.0);
        assert_eq!(divergence_bits(&[1.0, 1.0], &[1.0, 0.0]), f64::INFINITY);
        assert_eq!(divergence_bits(&[1.0, 0.0], &[1.0, 1.0]), 1.0);
    }

    #[test]
    fn it_is_the_excess_of_a_code_for_the_wrong_dyadic_prior() {
        // Dyadic priors have codes that meet their entropy, so the excess is all divergence.
        let (p, q) = ([0.5, 0.25, 0.125, 0.125], [0.125, 0.5, 0.25, 0.125]);
        let spent = |prior: &[f64]| mean_length(&p, &huffman_lengths(prior, 2), 1.0);
        assert!((spent(&q) - spent(&p) - divergence_bits(&p, &q)).abs() < 1e-12);
    }
}
