//! Hartley's bound on the worst cost: `log₂ K / s`.

use super::{Entry, ObjectiveKind};

pub(super) const ENTRY: Entry = Entry {
    name: "hartley",
    kind: ObjectiveKind::Worst,
    reason: "K groups need K leaves, and paths of cost W lead to at most 2^(s W) leaves",
    paper: "CicaleseLaberSaettler2014",
    is_quick: true,
    value: |input, _| (input.weights.len() as f64).log2() / input.rate,
};
