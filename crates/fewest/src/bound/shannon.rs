//! Shannon's bound on the expected cost: `H(q) / s`. [BellalaBhavnaniScott2010, Theorem 2], here for any costs.

use super::{Entry, ObjectiveKind};
use crate::measure::entropy_bits;

pub(super) const ENTRY: Entry = Entry {
    name: "shannon",
    kind: ObjectiveKind::Expected,
    reason: "the answers must carry the entropy of the groups, and a unit of cost buys at most s bits of answer",
    paper: "BellalaBhavnaniScott2010",
    is_quick: true,
    value: |input, _| entropy_bits(input.weights.iter().copied(), input.total) / input.rate,
};
