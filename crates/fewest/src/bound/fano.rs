//! Fano's bound: strategies that may name a wrong group.

use super::BoundInput;
use fewest_model::Instance;

/// Lower bound on the expected, worst and exponential cost of strategies that name a wrong coarse group with probability
/// `error` at most: `(H(q) − h(e) − e log₂(K − 1)) / s`, by Fano's inequality [folklore]; the worst and the exponential cost
/// are not below the expected one.
pub(crate) fn fano(instance: &Instance, error: f64) -> f64 {
    let input = BoundInput::of(instance);
    let entropy = |weights: &[f64], total| crate::measure::entropy_bits(weights.iter().copied(), total);
    // Guessing the likeliest of K without a question is wrong with probability 1 − 1/K at most, where the term is log₂ K.
    let others = input.weights.len().saturating_sub(1) as f64;
    let error = error.clamp(0.0, others / (others + 1.0));
    let doubt = entropy(&[error, 1.0 - error], 1.0) + if others > 1.0 { error * others.log2() } else { 0.0 };
    ((entropy(&input.weights, input.total) - doubt) / input.rate).max(0.0)
}
