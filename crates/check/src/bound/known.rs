//! What earlier claims proved, by set and budget.

use super::budget::Budgets;
use fewest_model::Claim;
#[allow(clippy::disallowed_types, reason = "only looked up in, never walked through")]
use std::collections::HashMap;

/// The claims that were verified so far.
#[allow(clippy::disallowed_types, reason = "only looked up in, never walked through")]
pub(crate) struct Known<'a> {
    claims: &'a [Claim],
    /// By the sum of a set's marks the newest entry with this sum; equal sums of different sets are rare.
    newest: HashMap<u64, usize>,
    entries: Vec<Entry>,
}

/// One verified claim.
struct Entry {
    claim: usize,
    kinds: u32,
    budget: f64,
    value: f64,
    older: Option<usize>,
}

impl<'a> Known<'a> {
    #[allow(clippy::disallowed_types, reason = "only looked up in, never walked through")]
    pub(crate) fn new(claims: &'a [Claim]) -> Self {
        Self { claims, newest: HashMap::new(), entries: Vec::new() }
    }

    fn chain(&self, mark: u64) -> impl Iterator<Item = usize> {
        let newest = self.newest.get(&mark).copied();
        std::iter::successors(newest, |at| self.entries[*at].older)
    }

    /// The best value proved for the set of so many kinds with these marks that `is_it` knows by its bits, for all
    /// trees within `budget`.
    pub(crate) fn best(
        &self,
        (mark, kinds): (u64, u32),
        budget: f64,
        budgets: Budgets,
        is_it: impl Fn(&[u64]) -> bool,
    ) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for entry in self.chain(mark).map(|at| &self.entries[at]) {
            let helps = entry.value > best && entry.kinds == kinds && budgets.covers(entry.budget, budget);
            if helps && is_it(&self.claims[entry.claim].objects) {
                best = entry.value;
            }
        }
        best
    }

    /// Remembers that `claim` was verified, unless something stronger is known.
    pub(crate) fn add(&mut self, claim: usize, (mark, kinds): (u64, u32), budget: f64, value: f64) {
        let is_it = |entry: &Entry| self.claims[entry.claim].objects == self.claims[claim].objects;
        let same: Vec<usize> = self.chain(mark).filter(|at| is_it(&self.entries[*at])).collect();
        for at in same {
            let entry = &mut self.entries[at];
            if entry.budget >= budget && entry.value >= value {
                return;
            }
            if entry.budget <= budget && entry.value <= value {
                (entry.budget, entry.value) = (budget, value);
                return;
            }
        }
        let older = self.newest.insert(mark, self.entries.len());
        self.entries.push(Entry { claim, kinds, budget, value, older });
    }
}
