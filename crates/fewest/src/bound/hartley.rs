//! Hartley's bound on the worst cost: `log₂ K / s`.

use super::{Aim, Entry};

pub(super) const ENTRY: Entry = Entry {
    name: "hartley",
    aim: Aim::Worst,
    reason: "K groups need K leaves, and paths of cost W lead to at most 2^(s W) leaves",
    paper: "CicaleseLaberSaettler2014",
    is_quick: true,
    value: |outlook, _| (outlook.weights.len() as f64).log2() / outlook.rate,
};
