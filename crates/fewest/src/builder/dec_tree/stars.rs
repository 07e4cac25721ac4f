//! For each test the answer class of a set with the most pairs, which the path follows.

use super::least_share;
use super::tally::Tally;
use crate::criterion::pairs_between;
use fewest_model::{AnswerId, Candidates, Columns, Contingency, Count, Instance, TestId, View, Weighing};
use rayon::prelude::*;

/// Masses closer than this are equal.
const MASS: f64 = 1e-12;

/// `P(A) = Σ_{k<l} |A_k||A_l|`: the pairs of objects in different groups, prior set aside.
pub(super) fn pairs(set: &Candidates) -> f64 {
    pairs_between(set.runs().iter().map(|run| run.count()))
}

/// The answer classes `S*_t` of a set `S`; `σ_t` is the rest of `S`.
pub(super) struct Stars<'a> {
    pub(super) instance: &'a Instance,
    /// `P(S)`.
    pub(super) pairs: f64,
    stars: Vec<AnswerId>,
    /// `P(S*_t)` for each test.
    star_pairs: Vec<f64>,
}

impl<'a> Stars<'a> {
    pub(super) fn new(instance: &'a Instance, set: &Candidates) -> Self {
        let view = View { columns: Columns::Groups, weighing: Weighing::Prior, moments: None };
        let tally = Tally::new(set);
        let found: Vec<(AnswerId, f64)> = (0..instance.test_count())
            .into_par_iter()
            .with_min_len(least_share(set.len()))
            .map_init(Contingency::default, |table, test| {
                let test = TestId::at(test);
                clear_star(instance, &tally, test).unwrap_or_else(|| {
                    instance.count(test, set, view, table);
                    star(table, set.weight() / instance.total_weight())
                })
            })
            .collect();
        let (stars, star_pairs) = found.into_iter().unzip();
        Self { instance, pairs: pairs(set), stars, star_pairs }
    }

    /// The answer of `S*_t`.
    pub(super) fn star(&self, test: TestId) -> AnswerId {
        self.stars[test.index()]
    }

    /// `cov({t}) = P(S) − P(S*_t)`.
    pub(super) fn cover(&self, test: TestId) -> f64 {
        self.pairs - self.star_pairs[test.index()]
    }
}

/// The answer with the most pairs and these pairs, where a test has two answers and the pairs decide between them.
fn clear_star(instance: &Instance, tally: &Tally, test: TestId) -> Option<(AnswerId, f64)> {
    let pairs = tally.pairs(instance, test)?;
    let best = usize::from(pairs[1] > pairs[0]);
    (pairs[0] != pairs[1]).then_some((AnswerId::at(best), pairs[best]))
}

/// The row with the most pairs; among those the least mass, then the first. `mass` is the probability of the set.
fn star(table: &Contingency, mass: f64) -> (AnswerId, f64) {
    // Where all weigh nothing, or alike, the table counts objects; shares of nothing are nothing.
    let mut best: Option<(AnswerId, f64, f64)> = None;
    for row in table.rows() {
        let (pairs, mass) = (pairs_between(row.cells().iter().map(|cell| cell.count)), row.share() * mass);
        let better =
            best.is_none_or(|(_, most, least)| pairs > most || (pairs == most && mass < least - MASS));
        if better {
            best = Some((row.answer(), pairs, mass));
        }
    }
    let (answer, pairs, _) = best.expect("a set has objects, and they have answers");
    (answer, pairs)
}
