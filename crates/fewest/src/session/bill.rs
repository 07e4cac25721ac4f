//! What a session has paid, and what the next test would cost in it.
//!
//! If tests share a set-up, the first of them that is asked pays it. A volunteered fact was not paid for, so it opens
//! no bundle.

use super::posterior::Posterior;
use super::{Given, Reply, Session};
use crate::price::{NodeCost, NodePrices};
use fewest_model::{AnswerId, OpenBundles, TestId};

impl Session<'_> {
    /// Cost of the questions asked so far, in units.
    pub(super) fn spent(&self) -> f64 {
        if self.instance.pricing().is_none() {
            let units = self.asked().into_iter().map(|test| self.instance.costs().units()[test.index()]);
            return units.fold(0.0, |sum, unit| sum + unit);
        }
        let mut asked: Vec<&Given> = self.answers.iter().filter(|given| !given.volunteered).collect();
        asked.sort_by_key(|given| given.test);
        let own = asked.iter().map(|given| self.own_cost(given.test, &given.reply));
        own.fold(0.0, |sum, unit| sum + unit) + self.setups()
    }

    /// Set-ups that were paid, in units.
    pub(super) fn setups(&self) -> f64 {
        let Some(pricing) = self.instance.pricing() else { return 0.0 };
        self.open_bundles()
            .iter()
            .map(|bundle| pricing.bundles()[bundle].setup)
            .fold(0.0, |sum, unit| sum + unit)
    }

    /// Set-up that `test` would pay now, in costs of the table; `None` if it is in no bundle or its bundle is open.
    pub(super) fn setup_now(&self, test: TestId, open: &OpenBundles) -> Option<f64> {
        let setup = self.instance.pricing()?.setup(test, open);
        (setup > 0.0).then_some(setup / self.instance.costs().scale())
    }

    /// Cost of `test` without its set-up if it was answered so, in units. Where the answer is not known, the dearest
    /// of the answers that it leaves possible counts.
    pub(super) fn own_cost(&self, test: TestId, reply: &Reply) -> f64 {
        let Some(pricing) = self.instance.pricing() else {
            return self.instance.costs().units()[test.index()];
        };
        let dearest = |answers: &mut dyn Iterator<Item = AnswerId>| {
            answers.map(|answer| pricing.own(test, answer)).fold(0.0, f64::max)
        };
        match reply {
            Reply::OneOf(answers) => dearest(&mut answers.iter().copied()),
            Reply::Unknown => dearest(&mut (0..self.instance.test(test).arity()).map(AnswerId::at)),
        }
    }

    /// Bundles whose set-up was paid.
    pub(super) fn open_bundles(&self) -> OpenBundles {
        let Some(pricing) = self.instance.pricing() else { return OpenBundles::default() };
        self.asked().into_iter().filter_map(|test| pricing.bundle_of(test)).collect()
    }

    /// Cost of asking `test` now, in costs of the table: on average over its answers, and at most.
    pub(super) fn cost_now(&self, test: TestId, open: &OpenBundles, posterior: &Posterior) -> NodeCost {
        match NodePrices::new(self.instance, open) {
            None => NodeCost { mean: self.instance.cost(test), most: self.instance.cost(test) },
            Some(prices) => {
                let members = posterior.live.iter().copied().zip(posterior.weights.iter().copied());
                prices.of(test, members)
            }
        }
    }

    /// Most that `test` may cost now, whatever the answer.
    pub(super) fn most_cost(&self, test: TestId) -> f64 {
        let Some(pricing) = self.instance.pricing() else { return self.instance.cost(test) };
        let setup = pricing.setup(test, &self.open_bundles());
        (self.own_cost(test, &Reply::Unknown) + setup) / self.instance.costs().scale()
    }
}
