//! States of the search, and the questions that may be asked there.

use super::grid::{Grid, mixed};
use super::summary::SetSummary;

/// State of the search: a set of objects within a grid.
#[derive(Clone, Copy)]
pub(super) struct State<'g> {
    pub(super) grid: &'g Grid,
    pub(super) set: &'g [u64],
    pub(super) summary: SetSummary,
    pub(super) key: u128,
    /// Limit on the cost of any path from here.
    pub(super) budget: f64,
}

impl State<'_> {
    /// Whether the set is far smaller than its grid.
    pub(super) fn is_small(&self) -> bool {
        (self.summary.count as usize).div_ceil(64) * 4 <= self.grid.words
    }

    /// Runs `work` on the set, copied out of a grid that is far larger: the work is then proportional to the set.
    pub(super) fn compact<T>(self, work: impl FnOnce(State<'_>) -> T) -> T {
        if !self.is_small() {
            return work(self);
        }
        let part = self.grid.part(self.set);
        let all = part.all();
        work(State { grid: &part, set: &all, ..self })
    }
}

/// Question that may be asked at a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Column of the question in the grid.
    pub(super) column: u32,
    /// Lower bound on the value of the question.
    pub(super) lower: f64,
    /// Sum of squares of the sizes of the parts; if bounds are equal, a small sum is promising.
    pub(super) imbalance: u64,
    /// Whether the parts have keys.
    pub(super) is_named: bool,
    /// Start of its parts among the children of [`Options`].
    pub(super) first: u32,
    pub(super) count: u32,
}

/// Part of a set that gives one answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) class: u32,
    pub(super) summary: SetSummary,
    pub(super) key: u128,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Child {
    pub(super) fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }
}

/// Questions worth trying at a set.
#[derive(Default)]
pub(super) struct Options {
    pub(super) choices: Vec<Choice>,
    pub(super) children: Vec<Child>,
    /// Least bound of the questions left out.
    pub(super) dropped: f64,
    /// Lower bound for the set itself: from the parts of one test, without that test.
    pub(super) parts: f64,
    /// Column of that test.
    pub(super) best_split: u32,
    /// Lower bound for the set itself: from its majority path.
    pub(super) majority_path: f64,
}

impl Options {
    /// Puts the most promising question first.
    pub(super) fn sort(&mut self) {
        self.choices.sort_unstable_by(|left, right| {
            let ties = (left.imbalance, left.column).cmp(&(right.imbalance, right.column));
            left.lower.total_cmp(&right.lower).then(ties)
        });
    }

    /// Parts that a choice leaves.
    pub(super) fn children(&mut self, choice: &Choice) -> &mut [Child] {
        &mut self.children[choice.first as usize..(choice.first + choice.count) as usize]
    }
}

/// Parts of the current set for one test: their range among the children, and their objects in [`Counter::inside`].
#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) column: u32,
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) largest: u32,
    pub(super) inside: usize,
    /// Hash that tests with equal parts share, and hardly ever others.
    pub(super) hash: u64,
}

impl Split {
    /// Objects of each part, in `words` words; `inside` is [`Counter::inside`].
    pub(super) fn parts<'i>(
        &self,
        inside: &'i [u64],
        words: usize,
    ) -> impl Iterator<Item = &'i [u64]> + use<'i> {
        inside[self.inside..self.inside + self.count as usize * words].chunks_exact(words)
    }
}

/// Part of a set's key that depends on the budget: with another budget it is another problem.
pub(super) fn within(budget: f64) -> u128 {
    if budget == f64::INFINITY { 0 } else { mixed(u128::from(budget.to_bits()) | 1 << 100) }
}
