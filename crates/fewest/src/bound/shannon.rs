//! Shannon's bound on the expected cost: `H(q) / s`. [BellalaBhavnaniScott2010, Theorem 2], here for any costs.

use super::{Aim, Entry};
use crate::measure::entropy_bits;

pub(super) const ENTRY: Entry = Entry {
    name: "shannon",
    aim: Aim::Expected,
    reason: "the answers must carry the entropy of the groups, and a unit of cost buys at most s bits of answer",
    paper: "BellalaBhavnaniScott2010",
    is_quick: true,
    value: |outlook, _| entropy_bits(outlook.weights.iter().copied(), outlook.total) / outlook.rate,
};
