//! The optimum by trying everything, and the proof that writes all of it down.

use fewest_model::{Claim, Instance, ObjectId, Objective, Proof, Reason, TestId};
use std::collections::BTreeMap;

/// Optimum of every set, directly from specification section 8, in the units of claims. Sets are bit masks.
pub(crate) struct Oracle<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) objective: Objective,
    known: BTreeMap<(u64, u64), f64>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(instance: &'a Instance, objective: Objective) -> Self {
        assert!(instance.object_count() <= 64);
        Self { instance, objective, known: BTreeMap::new() }
    }

    pub(crate) fn all(&self) -> u64 {
        u64::MAX >> (64 - self.instance.object_count())
    }

    fn objects(&self, set: u64) -> impl Iterator<Item = ObjectId> + use<> {
        (0..64).filter(move |at| set >> at & 1 == 1).map(ObjectId::at)
    }

    pub(crate) fn mass(&self, set: u64) -> f64 {
        self.objects(set).map(|object| self.instance.weight(object)).sum()
    }

    pub(crate) fn is_pure(&self, set: u64) -> bool {
        let mut groups = self.objects(set).map(|object| self.instance.group_of(object));
        let first = groups.next();
        groups.all(|group| Some(group) == first)
    }

    /// The parts that a test makes of a set.
    pub(crate) fn parts(&self, set: u64, test: TestId) -> Vec<u64> {
        let mut parts = BTreeMap::new();
        for object in self.objects(set) {
            *parts.entry(self.instance.answer(object, test)).or_insert(0) |= 1 << object.index();
        }
        parts.into_values().collect()
    }

    /// `ln λ` per unit of cost; `None` for the mean, infinite for the worst case.
    fn growth(&self) -> Option<f64> {
        match self.objective {
            Objective::Expected => None,
            Objective::Worst => Some(f64::INFINITY),
            Objective::Exponential(lambda) if lambda.value() == 1.0 => None,
            Objective::Exponential(lambda) => Some(lambda.ln() / self.instance.costs().scale()),
        }
    }

    fn leaf(&self, set: u64) -> f64 {
        match self.growth() {
            None | Some(f64::INFINITY) => 0.0,
            Some(_) => self.mass(set).ln(),
        }
    }

    fn ask(&self, set: u64, cost: f64, parts: &[f64]) -> f64 {
        let largest = parts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match self.growth() {
            None => cost * self.mass(set) + parts.iter().sum::<f64>(),
            Some(f64::INFINITY) => cost + largest,
            Some(_) if largest.is_infinite() => largest,
            Some(growth) => {
                growth * cost + largest + parts.iter().map(|part| (part - largest).exp()).sum::<f64>().ln()
            }
        }
    }

    /// Value of the best tree for `set` below a question; an object may still have to be confirmed there.
    fn below(&mut self, set: u64, budget: f64, last: Option<TestId>) -> f64 {
        if !self.is_pure(set) {
            return self.best(set, budget);
        }
        let objects: Vec<ObjectId> = self.objects(set).collect();
        match self
            .instance
            .unconfirmed(&objects, last)
            .map(|test| self.instance.costs().units()[test.index()])
        {
            None => self.leaf(set),
            Some(cost) if cost > budget => f64::INFINITY,
            Some(cost) => self.ask(set, cost, &[self.leaf(set)]),
        }
    }

    /// Value of the best tree for `set` within `budget`; infinite if there is none.
    pub(crate) fn best(&mut self, set: u64, budget: f64) -> f64 {
        if self.is_pure(set) {
            return self.below(set, budget, None);
        }
        if let Some(known) = self.known.get(&(set, budget.to_bits())) {
            return *known;
        }
        let mut best = f64::INFINITY;
        for test in self.instance.test_ids() {
            let (cost, parts) = (self.instance.costs().units()[test.index()], self.parts(set, test));
            if parts.len() > 1 && cost <= budget {
                let below = |part: &u64| self.below(*part, budget - cost, Some(test));
                let parts: Vec<f64> = parts.iter().map(below).collect();
                best = best.min(self.ask(set, cost, &parts));
            }
        }
        self.known.insert((set, budget.to_bits()), best);
        best
    }

    /// Optimum of all objects in costs of the table, over trees of worst cost at most `cap`.
    pub(crate) fn optimum(&mut self, cap: f64) -> f64 {
        let scale = self.instance.costs().scale();
        let best = self.best(self.all(), cap * scale);
        let total = self.mass(self.all());
        match self.growth() {
            None => best / total / scale,
            Some(f64::INFINITY) => best / scale,
            Some(growth) => (best - total.ln()) / growth / scale,
        }
    }

    /// Proof of the optimum, with a claim for every set that any tree meets, parts before wholes.
    pub(crate) fn proof(&mut self, cap: f64) -> Proof {
        let value = self.optimum(cap);
        // Subsets have smaller masks, and the budget left is smaller further down.
        let known = self.known.iter().map(|((set, budget), value)| Claim {
            objects: vec![*set],
            budget: f64::from_bits(*budget),
            value: *value,
            reason: Reason::EveryTest,
            open: None,
        });
        let claims = if self.is_pure(self.all()) { Vec::new() } else { known.collect() };
        Proof { objective: self.objective, cap, value, prices: Vec::new(), claims }
    }
}
