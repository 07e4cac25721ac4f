//! Cost to go: the expected cost of the rest of a session if the rule is followed to the end.

use super::Session;
use super::posterior::Posterior;
use crate::criterion::Criterion;
use crate::policy::{Greedy, REL};
use crate::price::{NodeCost, NodePrices};
use fewest_model::{Candidates, OpenBundles, TestId};

/// Number of cells (possible objects × tests) up to which the rest of a session is unfolded, once for each question
/// that is explained; more would take too long for a user who waits.
const MAX_CELLS: usize = 1 << 16;

/// Possible objects and free tests, from which the rest of the session is unfolded.
pub(super) struct CostToGo<'s> {
    session: &'s Session<'s>,
    criterion: Box<dyn Criterion>,
    candidates: Candidates,
    is_free: Vec<bool>,
}

impl Session<'_> {
    /// Prepares costs to go, if they are cheap and the greedy policy of trees applies.
    pub(super) fn cost_to_go(&self, posterior: &Posterior) -> Option<CostToGo<'_>> {
        let small = posterior.live.len() * self.instance.test_count() <= MAX_CELLS;
        if !small || !self.is_plain() || self.rules.stop_at > 1 || self.rules.certainty() < 1.0 {
            return None;
        }
        let candidates = self.candidate_set(posterior);
        let is_free = self.instance.test_ids().map(|test| self.is_free(test)).collect();
        let criterion = self.plan.rule.make(self.instance);
        (candidates.weight() > 0.0).then_some(CostToGo { session: self, criterion, candidates, is_free })
    }
}

impl CostToGo<'_> {
    /// Expected cost of the rest if `test` is asked now and the rule chooses afterwards.
    pub(super) fn after(&self, test: TestId) -> f64 {
        let instance = self.session.instance;
        let greedy = Greedy::new(instance, self.criterion.as_ref(), self.session.plan.rule.cost_blind);
        let mut sum = 0.0;
        let mut waiting = vec![(self.candidates.clone(), Some(test), None, self.session.open_bundles())];
        while let Some((candidates, test, last, open)) = waiting.pop() {
            let test = test.or_else(|| instance.unconfirmed(candidates.objects(), last));
            let test = test.or_else(|| self.best(&greedy, &candidates, &open));
            let Some(test) = test else { continue };
            sum += candidates.weight() * self.cost(&candidates, test, &open).mean;
            let parts = candidates.split(instance, test);
            let open =
                instance.pricing().map_or_else(OpenBundles::default, |pricing| pricing.after(test, &open));
            waiting.extend(parts.into_iter().map(|(_, part)| (part, None, Some(test), open.clone())));
        }
        sum / self.candidates.weight()
    }

    /// Cost of `test` for these candidates where the bundles `open` are paid.
    fn cost(&self, candidates: &Candidates, test: TestId, open: &OpenBundles) -> NodeCost {
        let instance = self.session.instance;
        match NodePrices::new(instance, open) {
            None => NodeCost { mean: instance.cost(test), most: instance.cost(test) },
            Some(prices) => {
                let objects = candidates.objects().iter();
                prices.of(test, objects.map(|object| (*object, instance.weight(*object))))
            }
        }
    }

    /// Best free test by the rule; `None` if nothing is left to tell apart.
    fn best(&self, greedy: &Greedy<'_>, candidates: &Candidates, open: &OpenBundles) -> Option<TestId> {
        if candidates.is_pure() || candidates.weight() <= 0.0 {
            return None;
        }
        let instance = self.session.instance;
        let benefits = greedy.benefits(candidates);
        let free = || instance.test_ids().filter(|test| self.is_free[test.index()]);
        let is_plain = instance.pricing().is_none() || self.session.plan.rule.cost_blind;
        let score = |test: &TestId| {
            benefits[test.index()].map(|benefit| match is_plain {
                true => benefit / greedy.cost(*test),
                false => self.cost(candidates, *test, open).per_cost(benefit),
            })
        };
        let top = free().filter_map(|test| score(&test)).max_by(f64::total_cmp)?;
        free().find(|test| score(test).is_some_and(|score| score >= top * (1.0 - REL)))
    }
}
