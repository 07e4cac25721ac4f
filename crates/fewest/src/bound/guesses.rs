//! The bounds where objects must be confirmed: every object is finished by a question of its own.
//!
//! Object `i` is finished by asking `t(i)`, the test of its name, and no question finishes two objects. With `b` the most
//! answers of any test that lead on, which are all but the one that confirms, there are at most `b^d` questions after `d`
//! others, so of any `k` objects one has at least `d_k` questions on its path, where `d_k` is the least number with
//! `1 + b + … + b^(d_k − 1) ≥ k`. The last of them costs `c_i = c_t(i)` and the others at least the cheapest cost `c`:
//! the costs are at least `c_i + c (d − 1)`, with the numbers `d_1 ≤ d_2 ≤ …` dealt out in some order. The expected cost
//! is least when the likeliest object gets the first, the exponential cost when that of the largest `p_i λ^c_i` does
//! (rearrangement), and the worst cost is at least `c_(k) + c (d_k − 1)` for every `k`, `c_(k)` being the `k`-th
//! largest. Folklore for Mastermind, where `c = 1` and all `c_i` are equal.

use super::{Aim, Entry, Outlook};
use fewest_model::{Lambda, compensated_sum, log_mean_exp};

const REASON: &str = "each object needs a question of its own to confirm it, and after few questions few different ones can be asked";

pub(super) const EXPECTED: Entry = Entry {
    name: "guesses",
    aim: Aim::Expected,
    reason: REASON,
    paper: "folklore",
    is_quick: true,
    value: |outlook, _| {
        let costs = costs(outlook, |guess| guess.share);
        compensated_sum(costs.into_iter().map(|(share, cost)| share * cost))
    },
};

pub(super) const WORST: Entry = Entry {
    aim: Aim::Worst,
    value: |outlook, _| {
        let costs = costs(outlook, |guess| guess.cost);
        outlook.steps().up(costs.into_iter().map(|(_, cost)| cost).fold(0.0, f64::max))
    },
    ..EXPECTED
};

pub(super) const EXPONENTIAL: Entry = Entry {
    aim: Aim::Exponential,
    value: |outlook, lambda| match lambda == Lambda::INFINITY {
        true => (WORST.value)(outlook, lambda),
        false => {
            let costs = costs(outlook, |guess| guess.share.ln() + lambda.ln() * guess.cost);
            log_mean_exp(lambda, costs.into_iter())
        }
    },
    ..EXPECTED
};

/// What finishes an object.
#[derive(Clone, Copy)]
struct Guess {
    /// The object's share of the mass.
    share: f64,
    /// What the test of its name costs.
    cost: f64,
}

/// The objects' shares and least costs, if those of the largest `key` are finished first.
///
/// Nothing is said of an object that is alone, because it may have been confirmed just before, unless there never was
/// another.
fn costs(outlook: &Outlook<'_>, key: impl Fn(&Guess) -> f64) -> Vec<(f64, f64)> {
    let (instance, objects) = (outlook.instance, outlook.candidates.objects());
    if objects.len() == 1 && instance.object_count() > 1 {
        return Vec::new();
    }
    let guess = |object| {
        let test = instance.confirming(object)?;
        Some(Guess { share: outlook.share(object), cost: instance.cost(test) })
    };
    let mut guesses: Vec<Guess> = objects.iter().filter_map(|object| guess(*object)).collect();
    guesses.sort_by(|left, right| key(right).total_cmp(&key(left)));
    let before = |(guess, asked)| (guess, asked as f64 * outlook.cheapest);
    let dealt = guesses.into_iter().zip(asked_before(branches(outlook))).map(before);
    dealt.map(|(guess, before)| (guess.share, guess.cost + before)).collect()
}

/// `b`: the most answers of a question that lead on.
fn branches(outlook: &Outlook<'_>) -> usize {
    let mut confirms = vec![false; outlook.instance.test_count()];
    for object in outlook.candidates.objects() {
        if let Some(test) = outlook.instance.confirming(*object) {
            confirms[test.index()] = true;
        }
    }
    let leading_on = |split: &super::Split| split.arity - usize::from(confirms[split.test.index()]);
    outlook.splits().iter().map(leading_on).max().unwrap_or(1)
}

/// `d_k − 1` for `k = 1, 2, …`: once 0, `b` times 1, `b²` times 2 and so on.
fn asked_before(branches: usize) -> impl Iterator<Item = usize> {
    let level = std::iter::successors(Some(1usize), move |width| Some(width.saturating_mul(branches)));
    level.enumerate().flat_map(|(depth, width)| std::iter::repeat_n(depth, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Mastermind, Prior, Singletons, TestCosts};
    use fewest_model::{Instance, Reading, Table};

    fn confirmed(table: Table) -> Instance {
        let reading = Reading { confirm: true, ..Reading::default() };
        Instance::new(table, &reading).expect("a sound table").0
    }

    #[test]
    fn four_pegs_of_six_colors_take_almost_four_guesses() {
        // Thirteen answers lead on: 1 code in one guess, 13 in two, 169 in three and the other 1113 in four.
        let instance = confirmed(Mastermind::default().generate().unwrap());
        let outlook = Outlook::of(&instance);
        let mean = f64::from(1 + 13 * 2 + 169 * 3 + 1113 * 4) / 1296.0;
        assert!(((EXPECTED.value)(&outlook, Lambda::TWO) - mean).abs() < 1e-12);
        assert_eq!((WORST.value)(&outlook, Lambda::TWO), 4.0);
    }

    #[test]
    fn one_test_an_object_leaves_no_choice_but_the_order() {
        let prior = Prior::Weights(vec![1.0, 5.0, 4.0]);
        let instance = confirmed(Singletons { objects: 3, prior, costs: None, seed: 0 }.generate().unwrap());
        let outlook = Outlook::of(&instance);
        assert!(((EXPECTED.value)(&outlook, Lambda::TWO) - (0.5 + 0.4 * 2.0 + 0.1 * 3.0)).abs() < 1e-12);
        assert_eq!((WORST.value)(&outlook, Lambda::TWO), 3.0);
        // Powers of 2: 0.5 · 2 + 0.4 · 4 + 0.1 · 8.
        assert!(((EXPONENTIAL.value)(&outlook, Lambda::TWO) - 3.4f64.log2()).abs() < 1e-12);
    }

    #[test]
    fn the_own_test_must_be_paid() {
        let costs = Some(TestCosts::List(vec![2.0, 7.0]));
        let table = Singletons { objects: 2, prior: Prior::default(), costs, seed: 0 }.generate().unwrap();
        let instance = confirmed(table);
        // 2 and 7, and one of them after another of 2 at least: (2 + 9)/2 on average, 9 at worst when asked in order.
        let outlook = Outlook::of(&instance);
        assert!(((EXPECTED.value)(&outlook, Lambda::TWO) - 5.5).abs() < 1e-12);
        assert_eq!((WORST.value)(&outlook, Lambda::TWO), 7.0);
    }

    #[test]
    fn one_object_is_asked_once_and_nothing_is_said_without_confirmation() {
        let table = || Singletons { objects: 1, ..Singletons::default() }.generate().unwrap();
        let instance = confirmed(table());
        let cost = instance.cost(fewest_model::TestId(0));
        assert_eq!((EXPECTED.value)(&Outlook::of(&instance), Lambda::TWO), cost);
        assert_eq!((WORST.value)(&Outlook::of(&instance), Lambda::TWO), cost);
        let plain = Instance::new(table(), &Reading::default()).unwrap().0;
        assert_eq!((EXPECTED.value)(&Outlook::of(&plain), Lambda::TWO), 0.0);
    }
}
