//! Bounds that earlier claims proved, by set and budget.

use super::budget::Budgets;
#[allow(clippy::disallowed_types, reason = "only looked up in, never walked through")]
use std::collections::HashMap;

/// Claims verified so far.
#[allow(clippy::disallowed_types, reason = "only looked up in, never walked through")]
pub(crate) struct Proved {
    /// Newest entry with each hash of a set; equal hashes of different sets are rare.
    newest: HashMap<u64, usize>,
    entries: Vec<Entry>,
    /// Sets of the entries, one after the other, and the length of each.
    sets: Vec<u64>,
    words: usize,
}

/// One verified claim.
struct Entry {
    kinds: u32,
    budget: f64,
    value: f64,
    older: Option<usize>,
}

impl Proved {
    #[allow(clippy::disallowed_types, reason = "only looked up in, never walked through")]
    pub(crate) fn new(words: usize) -> Self {
        Self { newest: HashMap::new(), entries: Vec::new(), sets: Vec::new(), words }
    }

    fn set(&self, entry: usize) -> &[u64] {
        &self.sets[entry * self.words..(entry + 1) * self.words]
    }

    fn chain(&self, hash: u64) -> impl Iterator<Item = usize> {
        let newest = self.newest.get(&hash).copied();
        std::iter::successors(newest, |at| self.entries[*at].older)
    }

    /// Best value proved for the set with this hash and number of kinds that `is_it` recognises by its bits, for all
    /// trees within `budget`.
    pub(crate) fn best(
        &self,
        (hash, kinds): (u64, u32),
        budget: f64,
        budgets: Budgets,
        is_it: impl Fn(&[u64]) -> bool,
    ) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for at in self.chain(hash) {
            let entry = &self.entries[at];
            let helps = entry.value > best && entry.kinds == kinds && budgets.covers(entry.budget, budget);
            if helps && is_it(self.set(at)) {
                best = entry.value;
            }
        }
        best
    }

    /// Stores the value verified for `set`, unless a stronger one is stored.
    pub(crate) fn add(&mut self, set: &[u64], (hash, kinds): (u64, u32), budget: f64, value: f64) {
        let same: Vec<usize> = self.chain(hash).filter(|at| self.set(*at) == set).collect();
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
        let older = self.newest.insert(hash, self.entries.len());
        self.sets.extend_from_slice(set);
        self.entries.push(Entry { kinds, budget, value, older });
    }
}
