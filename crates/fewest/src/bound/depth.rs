//! Bound on the worst cost by counting leaves in whole questions.

use super::{Entry, ObjectiveKind};
use crate::measure::least_depth;

pub(super) const ENTRY: Entry = Entry {
    name: "depth",
    kind: ObjectiveKind::Worst,
    reason: "a tree with r answers per question and d questions at worst has at most r^d leaves, each question at the cheapest cost or more",
    paper: "folklore",
    is_quick: true,
    value: |input, _| input.cheapest * f64::from(least_depth(input.weights.len(), input.radix)),
};
