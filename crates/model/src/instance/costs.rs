//! Costs of the tests of an instance.

use super::{Instance, OpenBundles, Pricing};
use crate::{AnswerId, Scaled, TestId};

impl Instance {
    /// Cost of asking `test`. If costs depend on the path ([`pricing`](Self::pricing)), a cost such that no path costs
    /// less than these add up to: the least own cost of the test, and an equal share of its set-up.
    pub fn cost(&self, test: TestId) -> f64 {
        self.costs.units()[test.index()] / self.costs.scale()
    }

    /// Scaled costs, as [`cost`](Self::cost) returns them.
    pub fn costs(&self) -> &Scaled {
        &self.costs
    }

    /// Costs that depend on the path, if there are any: set-ups that tests share, or costs by answer.
    pub fn pricing(&self) -> Option<&Pricing> {
        self.pricing.as_deref()
    }

    /// Cost of asking `test` where the bundles `open` are paid and each answer has the weight `weight` says; the mean
    /// over the answers if it depends on them.
    pub fn cost_here(&self, test: TestId, open: &OpenBundles, weight: impl Fn(AnswerId) -> f64) -> f64 {
        let Some(pricing) = self.pricing() else { return self.cost(test) };
        let own = if pricing.depends_on_answer(test) {
            let answers = || (0..self.test(test).arity()).map(AnswerId::at);
            let total = crate::compensated_sum(answers().map(&weight));
            crate::compensated_sum(answers().map(|answer| weight(answer) * pricing.own(test, answer))) / total
        } else {
            pricing.least_own(test)
        };
        (own + pricing.setup(test, open)) / self.costs.scale()
    }

    /// Cost of asking `test` first: with its set-up, and the mean over its answers if it depends on them.
    pub fn first_cost(&self, test: TestId) -> f64 {
        let Some(_) = self.pricing() else { return self.cost(test) };
        let mut weights = vec![0.0; self.test(test).arity()];
        for object in self.objects() {
            let possible = self.test(test).possible(object);
            let share = self.weight(object) / possible.len() as f64;
            possible.iter().for_each(|answer| weights[answer.index()] += share);
        }
        self.cost_here(test, &OpenBundles::default(), |answer| weights[answer.index()])
    }

    /// Whether all tests cost the same; then costs are proportional to numbers of questions.
    pub fn has_equal_costs(&self) -> bool {
        self.pricing.is_none() && self.costs.are_equal()
    }

    /// Whether every test costs 1: then costs are numbers of questions.
    pub fn has_unit_costs(&self) -> bool {
        self.pricing.is_none() && self.costs.units().iter().all(|unit| *unit == self.costs.scale())
    }
}
