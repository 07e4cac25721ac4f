//! Values that the checker finds without an earlier claim, against the formulas written out over lists of objects.
//!
//! Other tests verify that no bound is above the optimum; here each must be as strong as its formula says. Numbers
//! are in the units of claims.

mod arithmetic;
mod laws;
mod path;

use arithmetic::{depths, ends, huffman, lifted, phi, questions, step};
use fewest_model::{Instance, ObjectId, Objective, Reason, TestId};
use std::collections::BTreeMap;

/// Slow and obvious version of the checker. Sets are lists of objects.
struct Slow<'a> {
    instance: &'a Instance,
    objective: Objective,
    prices: Vec<Vec<u8>>,
}

/// Limits of the tests that split a set.
struct Best {
    /// `log₂(answers) / cost`.
    rate: f64,
    cheapest: f64,
    answers: usize,
    /// Answers that do not confirm an object of the set.
    leads: usize,
}

impl Slow<'_> {
    pub(super) fn weight(&self, set: &[ObjectId]) -> f64 {
        set.iter().map(|object| self.instance.weight(*object)).sum()
    }

    pub(super) fn cost(&self, test: TestId) -> f64 {
        self.instance.costs().units()[test.index()]
    }

    pub(super) fn by<K: Ord>(&self, set: &[ObjectId], key: impl Fn(ObjectId) -> K) -> Vec<Vec<ObjectId>> {
        let mut parts: BTreeMap<K, Vec<ObjectId>> = BTreeMap::new();
        set.iter().for_each(|object| parts.entry(key(*object)).or_default().push(*object));
        parts.into_values().collect()
    }

    pub(super) fn parts(&self, set: &[ObjectId], test: TestId) -> Vec<Vec<ObjectId>> {
        self.by(set, |object| self.instance.answer(object, test))
    }

    pub(super) fn groups(&self, set: &[ObjectId]) -> Vec<Vec<ObjectId>> {
        self.by(set, |object| self.instance.group_of(object))
    }

    pub(super) fn row(&self, object: ObjectId) -> Vec<u32> {
        self.instance.test_ids().map(|test| self.instance.answer(object, test).0).collect()
    }

    /// Kinds of a set: objects of one group with equal rows count as one.
    pub(super) fn kinds(&self, set: &[ObjectId]) -> Vec<Vec<ObjectId>> {
        self.by(set, |object| (self.instance.group_of(object), self.row(object)))
    }

    pub(super) fn splitting(&self, set: &[ObjectId]) -> Vec<TestId> {
        self.instance.test_ids().filter(|test| self.parts(set, *test).len() > 1).collect()
    }

    pub(super) fn best(&self, set: &[ObjectId]) -> Best {
        let tests = self.splitting(set);
        let answers = |test: TestId| self.parts(set, test).len();
        let confirms =
            |test: TestId| set.iter().any(|object| self.instance.confirming(*object) == Some(test));
        Best {
            rate: tests
                .iter()
                .map(|test| (answers(*test) as f64).log2() / self.cost(*test))
                .fold(0.0, f64::max),
            cheapest: tests.iter().map(|test| self.cost(*test)).fold(f64::INFINITY, f64::min),
            answers: tests.iter().map(|test| answers(*test)).fold(2, usize::max),
            leads: tests.iter().map(|test| answers(*test) - usize::from(confirms(*test))).fold(1, usize::max),
        }
    }

    /// `ln λ` per unit of cost.
    pub(super) fn growth(&self) -> Option<f64> {
        match self.objective {
            Objective::Exponential(lambda) if lambda.value() > 1.0 && lambda.value().is_finite() => {
                Some(lambda.ln() / self.instance.costs().scale())
            }
            _ => None,
        }
    }

    pub(super) fn is_worst(&self) -> bool {
        match self.objective {
            Objective::Exponential(lambda) => lambda.value().is_infinite(),
            objective => objective == Objective::Worst,
        }
    }

    pub(super) fn leaf(&self, set: &[ObjectId]) -> f64 {
        if self.growth().is_some() { self.weight(set).ln() } else { 0.0 }
    }

    pub(super) fn together(&self, parts: &[f64]) -> f64 {
        match self.growth() {
            _ if self.is_worst() => parts.iter().copied().fold(0.0, f64::max),
            None => parts.iter().sum(),
            Some(_) => parts.iter().map(|part| part.exp()).sum::<f64>().ln(),
        }
    }

    pub(super) fn asked(&self, set: &[ObjectId], test: TestId, parts: &[f64]) -> f64 {
        self.together(parts)
            + self.cost(test)
                * match self.growth() {
                    _ if self.is_worst() => 1.0,
                    None => self.weight(set),
                    Some(growth) => growth,
                }
    }

    pub(super) fn cost_step(&self) -> Option<f64> {
        step(self.instance.costs())
    }

    pub(super) fn product_step(&self) -> Option<f64> {
        step(self.instance.weights()).zip(self.cost_step()).map(|(weight, cost)| weight * cost)
    }

    /// The weight of every kind, where all weigh the same and are groups of their own.
    pub(super) fn plain(&self, set: &[ObjectId]) -> Option<f64> {
        let kinds = self.kinds(set);
        let first = self.weight(&kinds[0]);
        (kinds.len() == self.groups(set).len() && kinds.iter().all(|kind| self.weight(kind) == first))
            .then_some(first)
    }

    pub(super) fn obvious_worst(&self, part: &[ObjectId], best: &Best) -> f64 {
        let groups = self.groups(part).len();
        let deep = match self.instance.needs_confirmation() {
            true => ends(groups, best.leads).into_iter().fold(0.0, f64::max),
            false => questions(groups, best.answers) as f64,
        };
        (deep * best.cheapest).max(lifted((groups as f64).log2() / best.rate, self.cost_step()))
    }

    /// Obvious bound of a part of a set whose tests have the limits `best`.
    pub(super) fn obvious(&self, part: &[ObjectId], best: &Best, budget: f64, last: Option<TestId>) -> f64 {
        if self.groups(part).len() == 1 {
            return match self.instance.confirming(part[0]) {
                Some(test) if self.kinds(part).len() == 1 && last != Some(test) => {
                    if self.cost(test) > budget {
                        return f64::INFINITY;
                    }
                    self.asked(part, test, &[self.leaf(part)])
                }
                _ => self.leaf(part),
            };
        }
        if self.obvious_worst(part, best) > budget {
            return f64::INFINITY;
        }
        let weight = self.weight(part);
        let groups = self.groups(part);
        match self.growth() {
            _ if self.is_worst() => self.obvious_worst(part, best),
            None => {
                let bits = phi(weight) - groups.iter().map(|group| phi(self.weight(group))).sum::<f64>();
                let kinds = self.kinds(part).len();
                let sum = || match self.instance.needs_confirmation() {
                    true => ends(kinds, best.leads).into_iter().sum::<f64>(),
                    false => depths(kinds, best.answers),
                };
                let depths = self.plain(part).map_or(0.0, |each| each * sum() * best.cheapest);
                lifted(bits / best.rate, self.product_step()).max(best.cheapest * weight).max(depths)
            }
            Some(growth) => {
                let all: Vec<ObjectId> = self.instance.objects().collect();
                let rate = self.best(&all).rate;
                let alpha = rate / (rate + growth / std::f64::consts::LN_2);
                let powers: f64 = groups
                    .iter()
                    .map(|group| self.weight(group))
                    .map(|w| if w > 0.0 { w.powf(alpha) } else { 0.0 })
                    .sum();
                (powers.ln() / alpha).max(weight.ln() + growth * best.cheapest)
            }
        }
    }

    /// Least value of a set over the parts of every test.
    pub(super) fn every_test(&self, set: &[ObjectId], budget: f64) -> f64 {
        let best = self.best(set);
        let value = |test: &TestId| {
            let rest = (budget - self.cost(*test)).max(0.0);
            let parts: Vec<f64> = self
                .parts(set, *test)
                .iter()
                .map(|part| self.obvious(part, &best, rest, Some(*test)))
                .collect();
            self.asked(set, *test, &parts)
        };
        let tests = self.splitting(set);
        tests.iter().filter(|test| self.cost(**test) <= budget).map(value).fold(f64::INFINITY, f64::min)
    }

    /// Value of a set by a reason.
    pub(super) fn shows(&self, set: &[ObjectId], budget: f64, reason: Reason) -> f64 {
        let best = self.best(set);
        let obvious = self.obvious(set, &best, budget, None);
        if self.groups(set).len() == 1 {
            return obvious;
        }
        obvious.max(match reason {
            Reason::EveryTest => self.every_test(set, budget),
            Reason::Parts(test) if self.parts(set, test).len() > 1 => {
                let parts: Vec<f64> = self
                    .parts(set, test)
                    .iter()
                    .map(|part| self.obvious(part, &best, budget, None))
                    .collect();
                self.together(&parts)
            }
            Reason::Parts(_) => f64::NEG_INFINITY,
            Reason::MajorityPath if self.is_worst() => self.path_worst(set),
            Reason::MajorityPath => self.path_expected(set),
        })
    }

    pub(super) fn has_even_costs(&self, set: &[ObjectId]) -> bool {
        let costs: Vec<f64> = self.splitting(set).iter().map(|test| self.cost(*test)).collect();
        costs.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Bound of all objects without any claim, in costs of the table.
    pub(super) fn own(&self) -> f64 {
        let set: Vec<ObjectId> = self.instance.objects().collect();
        let mut value = self.shows(&set, f64::INFINITY, Reason::EveryTest);
        if self.groups(&set).len() > 1 && self.growth().is_none() {
            if self.has_even_costs(&set) {
                value = value.max(self.shows(&set, f64::INFINITY, Reason::MajorityPath));
            }
            if !self.is_worst() {
                value = value.max(self.by_codes(&set));
            }
        }
        let (mass, scale) = (self.weight(&set), self.instance.costs().scale());
        match self.growth() {
            _ if self.is_worst() => value / scale,
            None => value / mass / scale,
            Some(growth) => ((value - mass.ln()) / growth / scale).max(0.0),
        }
    }

    /// Cost of the best code for the groups, and of the best code after one question.
    pub(super) fn by_codes(&self, set: &[ObjectId]) -> f64 {
        let best = self.best(set);
        let code = |part: &[ObjectId]| {
            let weights = self.groups(part).iter().map(|group| self.weight(group)).collect();
            huffman(weights, best.answers) * best.cheapest
        };
        let after = |test: &TestId| {
            let parts = self.parts(set, *test);
            let part =
                |part: &Vec<ObjectId>| self.obvious(part, &best, f64::INFINITY, Some(*test)).max(code(part));
            self.cost(*test) * self.weight(set) + parts.iter().map(part).sum::<f64>()
        };
        let after = self.splitting(set).iter().map(after).fold(f64::INFINITY, f64::min);
        lifted(code(set), self.product_step()).max(lifted(after, self.product_step()))
    }
}
