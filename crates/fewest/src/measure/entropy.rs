//! Shannon's entropy.

use fewest_model::compensated_sum;

/// `H(q) = −Σ q log₂ q` in bits, for the shares `q` that `weights` have in `total`; zero weights count nothing.
///
/// ```
/// assert_eq!(fewest::measure::entropy_bits([2.0, 1.0, 1.0].into_iter(), 4.0), 1.5);
/// ```
pub fn entropy_bits(weights: impl Iterator<Item = f64>, total: f64) -> f64 {
    let surprise = |weight: f64| weight / total * (total / weight).log2();
    compensated_sum(weights.filter(|weight| *weight > 0.0).map(surprise)).max(0.0)
}
