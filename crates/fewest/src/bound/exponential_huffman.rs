//! Bound on the exponential cost by the best code for it. [Campbell1965], [Parker1980].

use super::{Entry, ObjectiveKind, depth, huffman};
use crate::measure::exponential_huffman_lengths;
use fewest_model::{Lambda, log_mean_exp};

pub(super) const ENTRY: Entry = Entry {
    name: "exponential-huffman",
    kind: ObjectiveKind::Exponential,
    reason: "the paths to one leaf of each group are a prefix code, and no prefix code has a lower exponential mean",
    paper: "Parker1980",
    is_quick: true,
    value: |input, lambda| {
        if lambda.value() == 1.0 {
            return (huffman::ENTRY.value)(input, lambda);
        }
        if lambda == Lambda::INFINITY {
            return (depth::ENTRY.value)(input, lambda);
        }
        // A path of d questions costs at least d times the cheapest.
        let lengths = exponential_huffman_lengths(&input.weights, input.radix, lambda, input.cheapest);
        let pairs = input.weights.iter().zip(&lengths);
        let pairs = pairs.map(|(weight, length)| (weight / input.total, f64::from(*length) * input.cheapest));
        log_mean_exp(lambda, pairs)
    },
};
