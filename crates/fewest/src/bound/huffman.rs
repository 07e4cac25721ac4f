//! Huffman's bound on the expected cost: the cheapest cost times the mean length of the best code. [Huffman1952].

use super::{Entry, ObjectiveKind};
use crate::measure::{huffman_lengths, mean_length};

pub(super) const ENTRY: Entry = Entry {
    name: "huffman",
    kind: ObjectiveKind::Expected,
    reason: "the paths to one leaf of each group are a prefix code, and no prefix code is shorter than Huffman's",
    paper: "Huffman1952",
    is_quick: true,
    value: |input, _| {
        let lengths = huffman_lengths(&input.weights, input.radix);
        input.cheapest * mean_length(&input.weights, &lengths, input.total)
    },
};
