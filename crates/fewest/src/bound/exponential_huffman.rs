//! The bound on the exponential cost by the best code for it. [Campbell1965], [Parker1980].

use super::{Aim, Entry, depth, huffman};
use crate::measure::exponential_huffman_lengths;
use fewest_model::{Lambda, log_mean_exp};

pub(super) const ENTRY: Entry = Entry {
    name: "exponential-huffman",
    aim: Aim::Exponential,
    reason: "the paths to one leaf of each group are a prefix code, and no prefix code has a lower exponential mean",
    paper: "Parker1980",
    is_quick: true,
    value: |outlook, lambda| {
        if lambda.value() == 1.0 {
            return (huffman::ENTRY.value)(outlook, lambda);
        }
        if lambda == Lambda::INFINITY {
            return (depth::ENTRY.value)(outlook, lambda);
        }
        // A path of d questions costs at least d times the cheapest.
        let lengths = exponential_huffman_lengths(&outlook.weights, outlook.radix, lambda, outlook.cheapest);
        let pairs = outlook.weights.iter().zip(&lengths);
        let pairs =
            pairs.map(|(weight, length)| (weight / outlook.total, f64::from(*length) * outlook.cheapest));
        log_mean_exp(lambda, pairs)
    },
};
