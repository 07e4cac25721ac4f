//! Rényi's bound on the exponential cost: `H_α(q) / s` with `α = s / (s + log₂ λ)`. [Campbell1965];
//! [BellalaBhavnaniScott2010, Theorems 3 and 4], here for any costs.

use super::{Entry, ObjectiveKind};
use crate::measure::{Order, renyi_bits};

pub(super) const ENTRY: Entry = Entry {
    name: "renyi",
    kind: ObjectiveKind::Exponential,
    reason: "Campbell's form of the coding theorem: word lengths l with Kraft's inequality have log_λ Σ q λ^l ≥ H_α(q)",
    paper: "Campbell1965",
    is_quick: true,
    value: |input, lambda| {
        let order = Order::new(lambda, input.rate);
        if order.alpha() == 0.0 {
            // The limit is the worst cost, which groups of prior 0 can reach as well.
            return (input.weights.len() as f64).log2() / input.rate;
        }
        renyi_bits(input.weights.iter().copied(), input.total, order) / input.rate
    },
};
