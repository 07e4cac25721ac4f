//! Bounds if objects must be confirmed: every object is finished by a question of its own.
//!
//! Object `i` is finished by asking `t(i)`, the test of its name, and no question finishes two objects. Let `b` be
//! the most answers of any test that lead on, which are all but the one that confirms. Then at most `b^d` questions
//! come after `d` others, so of any `k` objects one has at least `d_k` questions on its path, where `d_k` is the
//! least number with `1 + b + … + b^(d_k − 1) ≥ k`. The last of them costs `c_i = c_t(i)` and the others at least the
//! cheapest cost `c`: the costs are at least `c_i + c (d − 1)`, with the numbers `d_1 ≤ d_2 ≤ …` assigned in some
//! order. The expected cost is least if the likeliest object gets the first number, the exponential cost if the
//! object with the largest `p_i λ^c_i` does (rearrangement). The worst cost is at least `c_(k) + c (d_k − 1)` for
//! every `k`, where `c_(k)` is the `k`-th largest. Folklore for Mastermind, where `c = 1` and all `c_i` are equal.

use super::{BoundInput, Entry, ObjectiveKind};
use fewest_model::{Lambda, compensated_sum, log_mean_exp};

const REASON: &str = "each object needs a question of its own to confirm it, and after few questions few different ones can be asked";

pub(super) const EXPECTED: Entry = Entry {
    name: "guesses",
    kind: ObjectiveKind::Expected,
    reason: REASON,
    paper: "folklore",
    is_quick: true,
    value: |input, _| {
        let costs = costs(input, |guess| guess.share);
        compensated_sum(costs.into_iter().map(|(share, cost)| share * cost))
    },
};

pub(super) const WORST: Entry = Entry {
    kind: ObjectiveKind::Worst,
    value: |input, _| {
        let costs = costs(input, |guess| guess.cost);
        input.steps().ceil(costs.into_iter().map(|(_, cost)| cost).fold(0.0, f64::max))
    },
    ..EXPECTED
};

pub(super) const EXPONENTIAL: Entry = Entry {
    kind: ObjectiveKind::Exponential,
    value: |input, lambda| match lambda == Lambda::INFINITY {
        true => (WORST.value)(input, lambda),
        false => {
            let costs = costs(input, |guess| guess.share.ln() + lambda.ln() * guess.cost);
            log_mean_exp(lambda, costs.into_iter())
        }
    },
    ..EXPECTED
};

/// Question that confirms an object.
#[derive(Clone, Copy)]
struct Guess {
    /// Share of the object in the mass.
    share: f64,
    /// Cost of the test that confirms the object.
    cost: f64,
}

/// Shares and least costs of the objects, if those with the largest `key` are finished first.
///
/// Claims nothing for a single object, because it may have been confirmed just before, unless it was always alone.
fn costs(input: &BoundInput<'_>, key: impl Fn(&Guess) -> f64) -> Vec<(f64, f64)> {
    let (instance, objects) = (input.instance, input.candidates.objects());
    if objects.len() == 1 && instance.object_count() > 1 {
        return Vec::new();
    }
    let guess = |object| {
        let test = instance.confirming(object)?;
        Some(Guess { share: input.share(object), cost: instance.cost(test) })
    };
    let mut guesses: Vec<Guess> = objects.iter().filter_map(|object| guess(*object)).collect();
    guesses.sort_by(|left, right| key(right).total_cmp(&key(left)));
    let before = |(guess, asked)| (guess, asked as f64 * input.cheapest);
    let dealt = guesses.into_iter().zip(asked_before(branches(input))).map(before);
    dealt.map(|(guess, before)| (guess.share, guess.cost + before)).collect()
}

/// Number `b`: the most answers of a question that lead on.
fn branches(input: &BoundInput<'_>) -> usize {
    let mut confirms = vec![false; input.instance.test_count()];
    for object in input.candidates.objects() {
        if let Some(test) = input.instance.confirming(*object) {
            confirms[test.index()] = true;
        }
    }
    let leading_on = |split: &super::Split| split.arity - usize::from(confirms[split.test.index()]);
    input.splits().iter().map(leading_on).max().unwrap_or(1)
}

/// Values of `d_k − 1` for `k = 1, 2, …`: once 0, `b` times 1, `b²` times 2 and so on.
fn asked_before(branches: usize) -> impl Iterator<Item = usize> {
    let level = std::iter::successors(Some(1usize), move |width| Some(width.saturating_mul(branches)));
    level.enumerate().flat_map(|(depth, width)| std::iter::repeat_n(depth, width))
}
