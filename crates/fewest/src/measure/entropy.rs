//! Shannon's entropy.

use fewest_model::compensated_sum;
use std::f64::consts::LN_2;

/// Computes `H(q) = −Σ q log₂ q` in bits, for the shares `q` of `weights` in `total`; zero weights count nothing.
///
/// ```
/// assert_eq!(fewest::measure::entropy_bits([2.0, 1.0, 1.0].into_iter(), 4.0), 1.5);
/// ```
pub fn entropy_bits(weights: impl Iterator<Item = f64>, total: f64) -> f64 {
    // Shares before logarithms: total / weight may overflow where weight / total does not.
    let surprise = |weight: f64| {
        let share = weight / total;
        if share > 0.0 { -share * share.log2() } else { 0.0 }
    };
    let (mut heaviest, mut others) = (0.0f64, 0.0f64);
    let all_but_heaviest = compensated_sum(weights.map(|weight| {
        let lighter = weight.min(heaviest);
        heaviest = heaviest.max(weight);
        others += lighter;
        surprise(lighter)
    }));
    // A share next to 1 has lost the digits of its complement; the other shares still have them.
    let last = match others < heaviest / 2.0 {
        true => heaviest / total * (others / heaviest).ln_1p() / LN_2,
        false => surprise(heaviest),
    };
    all_but_heaviest + last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_doubt_keeps_its_digits() {
        // w log₂(1/w) + (1 − w) log₂(1/(1 − w)) = w (log₂(1/w) + 1/ln 2) up to w²
        for w in [1e-6f64, 1e-9, 1e-12, 1e-15] {
            let wanted = w * ((1.0 / w).log2() + (1.0 - w / 2.0) / LN_2);
            assert!((entropy_bits([1.0 - w, w].into_iter(), 1.0) / wanted - 1.0).abs() < 1e-12, "{w}");
            assert!((entropy_bits([w, 1.0 - w].into_iter(), 1.0) / wanted - 1.0).abs() < 1e-12, "{w}");
        }
    }

    #[test]
    fn no_ratio_of_weights_is_too_large() {
        assert_eq!(entropy_bits([1e300, 1e-300].into_iter(), 1e300), 0.0);
        assert!(entropy_bits([1.0, 1e-310].into_iter(), 1.0) < 1e-300);
    }
}
