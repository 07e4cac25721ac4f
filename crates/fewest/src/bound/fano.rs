//! Fano's bound, for strategies that may name a wrong group.

use super::BoundInput;
use fewest_model::Instance;

/// Lower bound on the expected, worst and exponential cost of strategies that name a wrong coarse group with
/// probability at most `error`: `(H(q) − h(e) − e log₂(K − 1)) / s`, by Fano's inequality (folklore). The worst and
/// the exponential cost are not below the expected one.
pub(crate) fn fano(instance: &Instance, error: f64) -> f64 {
    let input = BoundInput::of(instance);
    let entropy = |weights: &[f64], total| crate::measure::entropy_bits(weights.iter().copied(), total);
    // Guessing the likeliest of K without a question is wrong with probability at most 1 − 1/K, where the term is
    // log₂ K.
    let others = input.weights.len().saturating_sub(1) as f64;
    let error = error.clamp(0.0, others / (others + 1.0));
    let doubt = entropy(&[error, 1.0 - error], 1.0) + if others > 1.0 { error * others.log2() } else { 0.0 };
    ((entropy(&input.weights, input.total) - doubt) / input.rate).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::instance;

    #[test]
    fn what_may_be_wrong_need_not_be_asked() {
        // Four groups, 2 bits, at 1 bit for half a unit. A quarter wrong: h(1/4) = 2 − (3/4) log₂ 3, and 1/4 log₂ 3
        // to say which.
        let four = instance("object t u\n a 0 0\n b 0 1\n c 1 0\n d 1 1", &[("t", 0.5), ("u", 0.5)]);
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        close(fano(&four, 0.0), 1.0);
        close(fano(&four, 0.25), 0.5 * (0.5 * 3f64.log2()));
        // Guessing is never wrong more often than that.
        close(fano(&four, 0.75), 0.0);
        close(fano(&four, 0.9), 0.0);
        // Of two groups the other is known: 1 − h(1/4).
        let two = instance("object t\n a 0\n b 1", &[]);
        close(fano(&two, 0.25), 0.75 * 3f64.log2() - 1.0);
        // Three groups of 1/2, 1/4, 1/4: 1.5 bits less h(1/4) and 1/4.
        let three = instance("object prior t u\n a 2 0 0\n b 1 1 0\n c 1 1 1", &[]);
        close(fano(&three, 0.25), 1.5 - (2.0 - 0.75 * 3f64.log2()) - 0.25);
    }
}
