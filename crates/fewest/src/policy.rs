//! Policies: the choice of the next test, given the objects still possible.

use crate::criterion::{CLAMP, Criterion, separated_pairs};
use crate::limit::Limit;
use crate::price::NodePrices;
use fewest_model::{Candidates, Columns, Contingency, Count, Instance, OpenBundles, TestId, View, Weighing};
use rayon::prelude::*;

/// Relative difference from the best within which scores are equal; the lowest test wins.
pub(crate) const REL: f64 = 1e-9;
/// Number of answers to look at from which a node is worth several threads.
const WORTH_SHARING: usize = 1 << 15;

/// Policy that chooses the next test.
pub trait Policy: Sync {
    /// Returns the test to ask for these candidates, or `None` if nothing is left to find out.
    ///
    /// A single object may still have to be confirmed: that depends on the test asked last, which the candidates do
    /// not know ([`Instance::unconfirmed`]).
    fn next(&self, candidates: &Candidates) -> Option<TestId>;
}

/// Policy that asks the test with the highest score, per unit of cost unless it is blind to costs; of equal scores
/// the first test, or the first that confirms a candidate if confirmation is needed.
pub struct Greedy<'a> {
    instance: &'a Instance,
    criterion: &'a dyn Criterion,
    moments: Option<Vec<f64>>,
    cost_blind: bool,
    limit: Limit,
}

impl<'a> Greedy<'a> {
    /// Makes a policy that follows `criterion`.
    pub fn new(instance: &'a Instance, criterion: &'a dyn Criterion, cost_blind: bool) -> Self {
        let moments = match instance.has_equal_weights() {
            true => None,
            false => instance.objects().map(|object| criterion.moment(instance.prior(object))).collect(),
        };
        Self { instance, criterion, moments, cost_blind, limit: Limit::none() }
    }

    /// Returns a policy that stops comparing tests when `limit` is reached. Its choice is then meaningless, so the
    /// caller checks the limit again.
    pub(crate) fn within(&self, limit: &Limit) -> Self {
        Self { moments: self.moments.clone(), limit: limit.clone(), ..*self }
    }

    /// Instance that the policy is for.
    pub(crate) fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// Criterion that the policy follows.
    pub(crate) fn criterion(&self) -> &'a dyn Criterion {
        self.criterion
    }

    /// Moments of all objects, if the criterion needs their sums.
    pub(crate) fn moments(&self) -> Option<&[f64]> {
        self.moments.as_deref()
    }

    /// Divisor of the benefit of `test`: its cost, or 1 if the policy is blind to costs.
    pub(crate) fn cost(&self, test: TestId) -> f64 {
        if self.cost_blind { 1.0 } else { self.instance.cost(test) }
    }

    /// Score of one test, if it splits the candidates: its benefit per cost.
    pub(crate) fn score_of(
        &self,
        test: TestId,
        candidates: &Candidates,
        table: &mut Contingency,
    ) -> Option<f64> {
        self.instance.count(test, candidates, self.view(), table);
        table.splits().then(|| self.benefit(table) / self.cost(test))
    }

    /// Test to ask for these candidates where the bundles `open` are paid, if costs depend on the path: the first test
    /// that costs nothing and splits them, or the best one per cost there.
    pub(crate) fn next_on_path(&self, candidates: &Candidates, open: &OpenBundles) -> Option<TestId> {
        let Some(prices) = NodePrices::new(self.instance, open).filter(|_| !self.cost_blind) else {
            return self.next(candidates);
        };
        if candidates.is_pure() {
            return None;
        }
        let members = candidates.objects().iter().map(|object| (*object, self.instance.weight(*object)));
        let mut scores = self.benefits(candidates);
        for (test, score) in self.instance.test_ids().zip(&mut scores) {
            *score = score.map(|benefit| prices.of(test, members.clone()).per_cost(benefit));
        }
        self.first_of_best(candidates, &scores)
    }

    /// Lowest of the tests with the best score, or of those among them that confirm a candidate.
    fn first_of_best(&self, candidates: &Candidates, scores: &[Option<f64>]) -> Option<TestId> {
        let best = scores.iter().copied().flatten().max_by(f64::total_cmp)?;
        let is_best = |test: &TestId| scores[test.index()].is_some_and(|score| score >= best * (1.0 - REL));
        self.confirming(candidates, is_best).or_else(|| self.instance.test_ids().find(is_best))
    }

    fn view(&self) -> View<'_> {
        View {
            columns: self.criterion.columns(),
            weighing: self.criterion.weighing(),
            moments: self.moments.as_deref(),
        }
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        let benefit = self.criterion.benefit(node);
        if benefit < CLAMP { 0.0 } else { benefit }
    }

    /// Benefit of every test that splits `candidates`; `None` for the others.
    pub fn benefits(&self, candidates: &Candidates) -> Vec<Option<f64>> {
        let benefits = self.score(candidates, self.view(), |node| self.benefit(node));
        if benefits.iter().flatten().any(|benefit| *benefit > 0.0) {
            return benefits;
        }
        self.separated(candidates)
    }

    /// Share of pairs that every test separates, regardless of weights. It decides if the criterion sees no
    /// difference between tests.
    pub(crate) fn separated(&self, candidates: &Candidates) -> Vec<Option<f64>> {
        let view = View { columns: Columns::Groups, weighing: Weighing::Uniform, moments: None };
        self.score(candidates, view, separated_pairs)
    }

    /// Lowest of the `wanted` tests that confirms a candidate: among equally good tests, such a test may also be a
    /// hit [Knuth1977, the choice among equal guesses]. `None` if objects need no confirmation.
    fn confirming(&self, candidates: &Candidates, wanted: impl Fn(&TestId) -> bool) -> Option<TestId> {
        let tests = candidates.objects().iter().filter_map(|object| self.instance.confirming(*object));
        tests.filter(wanted).min()
    }

    fn score(
        &self,
        candidates: &Candidates,
        view: View<'_>,
        score: impl Fn(&Contingency) -> f64 + Sync,
    ) -> Vec<Option<f64>> {
        let of = |table: &mut Contingency, test: usize| {
            let id = TestId::at(test);
            if self.limit.is_reached() || !self.instance.may_ask_after(id, candidates.objects(), &[]) {
                return None;
            }
            self.instance.count(id, candidates, view, table);
            table.splits().then(|| score(table))
        };
        let tests = 0..self.instance.test_count();
        candidates.prepare(self.instance);
        if tests.len() > 1 && tests.len() * candidates.len() >= WORTH_SHARING {
            tests.into_par_iter().map_init(Contingency::default, of).collect()
        } else {
            let mut table = Contingency::default();
            tests.map(|test| of(&mut table, test)).collect()
        }
    }
}

impl Policy for Greedy<'_> {
    fn next(&self, candidates: &Candidates) -> Option<TestId> {
        if candidates.is_pure() {
            return None;
        }
        let mut scores = self.benefits(candidates);
        for (test, score) in self.instance.test_ids().zip(&mut scores) {
            *score = score.map(|benefit| benefit / self.cost(test));
        }
        self.first_of_best(candidates, &scores)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use fewest_model::{Reading, Table};

    /// Instance from a table as short text: commas and line ends, no quotes.
    pub(crate) fn instance(text: &str) -> Instance {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0
    }

    /// Benefits of all tests at the root, as the criterion returns them.
    pub(crate) fn benefits(instance: &Instance, criterion: &dyn Criterion) -> Vec<f64> {
        let greedy = Greedy::new(instance, criterion, true);
        let all = Candidates::all(instance);
        greedy.score(&all, greedy.view(), |node| criterion.benefit(node)).into_iter().flatten().collect()
    }
}
