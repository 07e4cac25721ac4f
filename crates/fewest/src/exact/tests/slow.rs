//! Values of best trees by trying everything, on sets of a few objects.

use crate::exact::extract::ReducedProblem;
use fewest_model::{ObjectId, TestId};
use std::collections::BTreeMap;

/// Objective of a slow value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Expected,
    Worst,
    /// With the growth `ln λ` per unit of cost.
    Exponential(f64),
}

/// Some objects of a grid, at most 16, with what the instance says of them.
pub(super) struct Slow {
    kind: Kind,
    weights: Vec<f64>,
    groups: Vec<u32>,
    /// Answers by test and object.
    answers: Vec<Vec<u32>>,
    costs: Vec<f64>,
    /// Test that confirms each object.
    confirming: Vec<Option<usize>>,
    memo: BTreeMap<(u32, u64), f64>,
}

impl Slow {
    /// Takes the objects at `places` of the grid; bit `i` of a set is the object at `places[i]`.
    pub(super) fn new(problem: &ReducedProblem<'_>, places: &[usize], kind: Kind) -> Self {
        let instance = problem.instance;
        let members = |place: &usize| {
            let bits = problem.bits([*place].into_iter());
            let object = |object: &ObjectId| bits[object.index() / 64] >> (object.index() % 64) & 1 == 1;
            instance.objects().filter(object).collect::<Vec<ObjectId>>()
        };
        let members: Vec<Vec<ObjectId>> = places.iter().map(members).collect();
        let answer = |test: TestId| members.iter().map(|of| instance.answer(of[0], test).0).collect();
        Self {
            kind,
            weights: members
                .iter()
                .map(|of| of.iter().map(|object| instance.weight(*object)).sum())
                .collect(),
            groups: members.iter().map(|of| instance.group_of(of[0]).0).collect(),
            answers: instance.test_ids().map(answer).collect(),
            costs: instance.costs().units().to_vec(),
            confirming: members.iter().map(|of| Some(instance.confirming(of[0])?.index())).collect(),
            memo: BTreeMap::new(),
        }
    }

    pub(super) fn members(&self, set: u32) -> impl Iterator<Item = usize> + use<> {
        (0..self.weights.len()).filter(move |object| set >> object & 1 == 1)
    }

    pub(super) fn mass(&self, set: u32) -> f64 {
        self.members(set).map(|object| self.weights[object]).sum()
    }

    /// Mass of each group that occurs.
    pub(super) fn groups(&self, set: u32) -> Vec<f64> {
        let mut groups = BTreeMap::new();
        self.members(set)
            .for_each(|object| *groups.entry(self.groups[object]).or_insert(0.0) += self.weights[object]);
        groups.into_values().collect()
    }

    /// Number of objects of each group that occurs.
    pub(super) fn group_sizes(&self, set: u32) -> Vec<f64> {
        let mut groups = BTreeMap::new();
        self.members(set).for_each(|object| *groups.entry(self.groups[object]).or_insert(0.0) += 1.0);
        groups.into_values().collect()
    }

    pub(super) fn tests(&self) -> std::ops::Range<usize> {
        0..self.costs.len()
    }

    pub(super) fn cost(&self, test: usize) -> f64 {
        self.costs[test]
    }

    /// Object that a test confirms, if it is in the set.
    pub(super) fn confirmed_by(&self, set: u32, test: usize) -> Option<usize> {
        self.members(set).find(|object| self.confirming[*object] == Some(test))
    }

    /// Parts of a set, by the answer to a test.
    pub(super) fn parts(&self, set: u32, test: usize) -> Vec<u32> {
        let mut parts = BTreeMap::new();
        for object in self.members(set) {
            *parts.entry(self.answers[test][object]).or_insert(0) |= 1 << object;
        }
        parts.into_values().collect()
    }

    /// Value of several subtrees together.
    fn join(&self, values: &[f64]) -> f64 {
        match self.kind {
            Kind::Expected => values.iter().sum(),
            Kind::Worst => values.iter().copied().fold(0.0, f64::max),
            Kind::Exponential(_) => {
                let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                match most.is_infinite() {
                    true => most,
                    false => most + values.iter().map(|value| (value - most).exp()).sum::<f64>().ln(),
                }
            }
        }
    }

    /// Value of a question that costs `cost` above subtrees of value `below`.
    fn ask(&self, cost: f64, mass: f64, below: f64) -> f64 {
        match self.kind {
            Kind::Expected => cost * mass + below,
            Kind::Worst => cost + below,
            Kind::Exponential(growth) => growth * cost + below,
        }
    }

    fn leaf(&self, mass: f64) -> f64 {
        if matches!(self.kind, Kind::Exponential(_)) { mass.ln() } else { 0.0 }
    }

    /// Value of the best tree for a part of a set that was asked `test`, which may have confirmed its only object.
    pub(super) fn after(&mut self, part: u32, test: usize, budget: f64) -> f64 {
        let object = part.trailing_zeros() as usize;
        match part.is_power_of_two() && self.confirming[object] == Some(test) {
            true => self.leaf(self.weights[object]),
            false => self.least(part, budget),
        }
    }

    /// Value of the best tree that asks `test` first; `None` if it does not split the set.
    pub(super) fn asking(&mut self, set: u32, test: usize, budget: f64) -> Option<f64> {
        let parts = self.parts(set, test);
        if parts.len() < 2 {
            return None;
        }
        if self.costs[test] > budget {
            return Some(f64::INFINITY);
        }
        let left = budget - self.costs[test];
        let below: Vec<f64> = parts.into_iter().map(|part| self.after(part, test, left)).collect();
        if below.contains(&f64::INFINITY) {
            return Some(f64::INFINITY);
        }
        Some(self.ask(self.costs[test], self.mass(set), self.join(&below)))
    }

    /// Value of the best tree for a set within a budget for every path; infinite if there is none.
    pub(super) fn least(&mut self, set: u32, budget: f64) -> f64 {
        if let Some(known) = self.memo.get(&(set, budget.to_bits())) {
            return *known;
        }
        let value = if self.groups(set).len() == 1 {
            let (mass, object) = (self.mass(set), set.trailing_zeros() as usize);
            match self.confirming[object].map(|test| self.costs[test]) {
                Some(cost) if cost > budget => f64::INFINITY,
                Some(cost) => self.ask(cost, mass, self.leaf(mass)),
                None => self.leaf(mass),
            }
        } else {
            let values = self.tests().filter_map(|test| self.asking(set, test, budget));
            values.collect::<Vec<f64>>().into_iter().fold(f64::INFINITY, f64::min)
        };
        self.memo.insert((set, budget.to_bits()), value);
        value
    }
}
