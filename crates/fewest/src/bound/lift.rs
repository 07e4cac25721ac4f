//! Bounds by looking one question ahead: the best first question, with a simple bound for the rest.
//!
//! A tree for `S` first asks some test `t` that splits `S` and continues as a tree for each answer's part `C`, where
//! only the tests that still split `C` are of use. So `E(S) ≥ min_t [ c_t + Σ_C p(C) LB(C) ]`; the worst cost has the
//! largest `LB(C)` and the exponential cost their exponential mean, where `p` are shares of the mass of `S`.
//! Specification section 11.7.

use super::{BoundInput, Entry, ObjectiveKind, depth, exponential_huffman, hartley, huffman, renyi, shannon};
use fewest_model::{Candidates, Lambda, compensated_sum, log_mean_exp};
use rayon::prelude::*;

const REASON: &str =
    "some question comes first, and after each of its answers the simpler bounds hold for the objects left";

pub(super) const EXPECTED: Entry = Entry {
    name: "lift",
    kind: ObjectiveKind::Expected,
    reason: REASON,
    paper: "folklore",
    is_quick: false,
    value: |input, lambda| {
        lift(input, lambda, |node| {
            let shares = node.parts.iter().map(|(share, part)| share * node.bound(part, EXPECTED_PARTS));
            compensated_sum(shares)
        })
    },
};

pub(super) const WORST: Entry = Entry {
    kind: ObjectiveKind::Worst,
    value: |input, lambda| {
        let value = lift(input, lambda, |node| {
            node.parts.iter().map(|(_, part)| node.bound(part, WORST_PARTS)).fold(0.0, f64::max)
        });
        input.steps().ceil(value)
    },
    ..EXPECTED
};

pub(super) const EXPONENTIAL: Entry = Entry {
    kind: ObjectiveKind::Exponential,
    value: |input, lambda| {
        if lambda == Lambda::INFINITY {
            // Parts without mass count as well.
            return (WORST.value)(input, lambda);
        }
        lift(input, lambda, |node| {
            let values: Vec<(f64, f64)> = node
                .parts
                .iter()
                .map(|(share, part)| (*share, node.bound(part, EXPONENTIAL_PARTS)))
                .collect();
            log_mean_exp(lambda, values.into_iter())
        })
    },
    ..EXPECTED
};

const EXPECTED_PARTS: &[Entry] = &[shannon::ENTRY, huffman::ENTRY];
const WORST_PARTS: &[Entry] = &[hartley::ENTRY, depth::ENTRY];
const EXPONENTIAL_PARTS: &[Entry] = &[renyi::ENTRY, exponential_huffman::ENTRY];

/// Most answers that are looked at.
const MAX_LOOKS: usize = 200_000_000;

/// Parts that a first question leaves.
struct After<'a> {
    input: &'a BoundInput<'a>,
    lambda: Lambda,
    /// Position of the question among the tests that split.
    asked: usize,
    /// Each part with its share of the mass.
    parts: Vec<(f64, Candidates)>,
}

impl After<'_> {
    /// Best of `bounds` for a part.
    fn bound(&self, part: &Candidates, bounds: &[Entry]) -> f64 {
        if part.is_pure() {
            return 0.0;
        }
        let input = self.input.below(part, self.asked);
        bounds.iter().map(|entry| (entry.value)(&input, self.lambda)).fold(0.0, f64::max)
    }
}

/// Least, over the first questions, of the cost plus the value that `rest` returns for the parts.
fn lift(input: &BoundInput<'_>, lambda: Lambda, rest: impl Fn(&After<'_>) -> f64 + Sync) -> f64 {
    let (splits, objects) = (input.splits(), &input.candidates);
    // If all tests have the same cost and arity, the first that splits a part has the limits of all others.
    let alike = splits.windows(2).all(|pair| (pair[0].cost, pair[0].arity) == (pair[1].cost, pair[1].arity));
    let looks = if alike { 10 } else { splits.len() } * splits.len();
    if objects.is_pure() || looks.saturating_mul(objects.len()) > MAX_LOOKS {
        return 0.0;
    }
    let massless = objects.weight() == 0.0;
    let values = splits.par_iter().enumerate().map(|(asked, split)| {
        if input.limit.is_reached() {
            // The least over only some of the first questions is no bound: 0 claims nothing.
            return 0.0;
        }
        let parts = objects.split(input.instance, split.test).into_iter().map(|(_, part)| {
            let weight = if massless { part.len() as f64 } else { part.weight() };
            (weight / input.total, part)
        });
        split.cost + rest(&After { input, lambda, asked, parts: parts.collect() })
    });
    values.reduce(|| f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::{instance, value};

    #[test]
    fn no_first_question_parts_four_objects_evenly() {
        // Entropy says two questions, but each first question leaves three objects together, whose best code takes
        // 5/3 on average and 2 at worst.
        let text = "object t u v\n a 1 0 0\n b 0 1 0\n c 0 0 1\n d 0 0 0";
        let instance = instance(text, &[]);
        assert!((value(&instance, EXPECTED) - (1.0 + 0.75 * 5.0 / 3.0)).abs() < 1e-12);
        assert_eq!(value(&instance, WORST), 3.0);
        assert_eq!((value(&instance, shannon::ENTRY), value(&instance, depth::ENTRY)), (2.0, 2.0));
    }

    #[test]
    fn what_the_cheap_test_cannot_do_must_be_paid() {
        // After the cheap t, only the expensive u is left for a and b.
        let text = "object t u\n a 0 0\n b 0 1\n c 1 0";
        let instance = instance(text, &[("u", 9.0)]);
        assert!((value(&instance, EXPECTED) - (1.0 + 9.0 * 2.0 / 3.0)).abs() < 1e-12);
        assert_eq!(value(&instance, WORST), 10.0);
    }
}
