//! Bill of each object: what it pays for a test, given the tests it was asked before.

use fewest_model::{AnswerId, Instance, ObjectId, TestId};
use std::collections::BTreeSet;

/// Charges objects for the tests they are asked.
pub(crate) struct Bill<'a> {
    instance: &'a Instance,
    /// Object and number of a bundle, for each set-up that was paid.
    paid: BTreeSet<(ObjectId, usize)>,
}

impl<'a> Bill<'a> {
    pub(crate) fn new(instance: &'a Instance) -> Self {
        Self { instance, paid: BTreeSet::new() }
    }

    /// Cost of `test` in units, if it is the same for every object and on every path.
    pub(crate) fn plain(&self, test: TestId) -> Option<f64> {
        let is_plain = self.instance.pricing().is_none();
        is_plain.then(|| self.instance.costs().units()[test.index()])
    }

    /// Cost of `test` for `object`, which gives one answer: the cost of that answer and, if no test of the bundle
    /// was charged before, the set-up. In units.
    pub(crate) fn charge(&mut self, object: ObjectId, test: TestId) -> f64 {
        let Some(pricing) = self.instance.pricing() else {
            return self.instance.costs().units()[test.index()];
        };
        let own = pricing.own(test, self.instance.answer(object, test));
        let bundle = pricing.bundles().iter().position(|bundle| bundle.tests.contains(&test));
        match bundle {
            Some(number) if self.paid.insert((object, number)) => own + pricing.bundles()[number].setup,
            _ => own,
        }
    }
}

/// Cost of a path on which these tests were given these answers, in units.
pub(crate) fn path(instance: &Instance, asked: &[(TestId, AnswerId)]) -> f64 {
    let Some(pricing) = instance.pricing() else {
        return asked.iter().map(|(test, _)| instance.costs().units()[test.index()]).sum();
    };
    let own: f64 = asked.iter().map(|(test, answer)| pricing.own(*test, *answer)).sum();
    let is_opened = |tests: &[TestId]| asked.iter().any(|(test, _)| tests.contains(test));
    let opened = pricing.bundles().iter().filter(|bundle| is_opened(&bundle.tests));
    own + opened.map(|bundle| bundle.setup).sum::<f64>()
}

/// Least that a test adds to the cost of any path, in units: its cheapest answer, and an equal share of its set-up. A
/// path asks each test of a bundle at most once, so the shares of a path are never more than the set-up.
pub(crate) fn least(instance: &Instance, test: TestId) -> f64 {
    let Some(pricing) = instance.pricing() else {
        return instance.costs().units()[test.index()];
    };
    let answers = (0..instance.test(test).arity()).map(AnswerId::at);
    let own = answers.map(|answer| pricing.own(test, answer)).fold(f64::INFINITY, f64::min);
    let share = pricing.bundles().iter().find(|bundle| bundle.tests.contains(&test)).map_or(0.0, |bundle| {
        let share = bundle.setup / bundle.tests.len() as f64;
        // Units of exact costs are whole, and so is a share that divides the set-up; any other is rounded down.
        let is_whole = share.fract() == 0.0 && share * bundle.tests.len() as f64 == bundle.setup;
        if is_whole { share } else { share * (1.0 - 1e-12) }
    });
    own + share
}
