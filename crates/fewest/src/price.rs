//! Cost of a test at a node, if costs depend on the path: the set-up of its bundle counts only where the bundle is not
//! open, and a cost by answer counts with the probability of the answer (specification section 3.1).

use fewest_model::{Instance, ObjectId, OpenBundles, Pricing, TestId};

/// Cost of a test at a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeCost {
    /// Mean cost over the answers there, in costs of the table.
    pub(crate) mean: f64,
    /// Cost of the dearest answer there.
    pub(crate) most: f64,
}

impl NodeCost {
    /// Whether the test costs nothing, whatever the answer: asking it can only help.
    pub(crate) fn is_free(self) -> bool {
        self.most == 0.0
    }

    /// Benefit per cost. A free test is better than every other; a test that costs nothing on average is nearly so.
    pub(crate) fn per_cost(self, benefit: f64) -> f64 {
        match () {
            () if self.is_free() => f64::INFINITY,
            () if self.mean > 0.0 => benefit / self.mean,
            () if benefit > 0.0 => f64::MAX,
            () => 0.0,
        }
    }
}

/// Costs at a node of a path.
#[derive(Clone, Copy)]
pub(crate) struct NodePrices<'a> {
    instance: &'a Instance,
    pricing: &'a Pricing,
    open: &'a OpenBundles,
}

impl<'a> NodePrices<'a> {
    /// Costs where the bundles `open` are paid; `None` if no cost depends on the path.
    pub(crate) fn new(instance: &'a Instance, open: &'a OpenBundles) -> Option<Self> {
        Some(Self { instance, pricing: instance.pricing()?, open })
    }

    /// Cost of `test` for these objects and their weights; all objects count alike if they weigh nothing. An object
    /// that may give several answers gives each with an equal share of its weight.
    pub(crate) fn of(
        &self,
        test: TestId,
        members: impl Iterator<Item = (ObjectId, f64)> + Clone,
    ) -> NodeCost {
        let scale = self.instance.costs().scale();
        let setup = self.pricing.setup(test, self.open);
        if !self.pricing.depends_on_answer(test) {
            let cost = (self.pricing.least_own(test) + setup) / scale;
            return NodeCost { mean: cost, most: cost };
        }
        let column = self.instance.test(test);
        let (mut all, mut paid, mut count, mut each, mut most) = (0.0, 0.0, 0.0, 0.0, 0.0f64);
        for (object, weight) in members {
            let possible = column.possible(object);
            let mut own = 0.0;
            for answer in possible.iter() {
                let cost = self.pricing.own(test, *answer);
                own += cost / possible.len() as f64;
                most = most.max(cost);
            }
            (all, paid, count, each) = (all + weight, paid + weight * own, count + 1.0, each + own);
        }
        let mean = if all > 0.0 { paid / all } else { each / f64::max(count, 1.0) };
        NodeCost { mean: (mean + setup) / scale, most: (most + setup) / scale }
    }
}
