//! Instance in the form that the checker of bounds uses: whole numbers of its own, copied from the table once.

use crate::bill;
use fewest_model::{Instance, ObjectId, TestId};

/// Table with equal rows merged.
///
/// Objects of one group with equal rows are separated by no tree, so they are one object with their weights added up,
/// a *kind*. Kinds are numbered group by group, so that the members of a group in any set are adjacent.
pub(crate) struct Problem {
    /// Kind of each object.
    pub(crate) kind_of: Vec<u32>,
    /// All kinds, by number.
    pub(crate) kinds: Vec<Kind>,
    /// All tests, by number.
    pub(crate) tests: Vec<Test>,
    /// Total weight of all objects.
    pub(crate) mass: f64,
    /// Largest absolute logarithm (base 2) of a positive mass of any set.
    pub(crate) largest_log: f64,
    /// Common divisor of the weights, if they are exact.
    pub(crate) weight_step: Option<f64>,
    /// Common divisor of the costs, if they are exact.
    pub(crate) cost_step: Option<f64>,
    /// Units per cost.
    pub(crate) cost_scale: f64,
    /// Whether every object must be confirmed by a test of its own.
    pub(crate) confirm: bool,
}

/// Objects of one group with equal rows.
pub(crate) struct Kind {
    /// First object of the kind.
    pub(crate) first: ObjectId,
    /// Number of objects.
    pub(crate) size: u32,
    pub(crate) group: u32,
    /// Total weight of these objects.
    pub(crate) weight: f64,
    /// Test that must be asked last before the kind is identified, if there is one.
    pub(crate) confirming: Option<usize>,
}

/// Test with its answers by kind.
pub(crate) struct Test {
    pub(crate) cost: f64,
    pub(crate) codes: Vec<u32>,
    pub(crate) arity: usize,
}

impl Problem {
    /// Whether products of masses, costs and logarithms stay so far from the limits of floats that an infinite value
    /// means that there is no tree, never an overflow.
    pub(crate) fn is_moderate(&self, growth: f64) -> bool {
        const RANGE: std::ops::Range<f64> = 1e-280..1e280;
        let costs: f64 = self.tests.iter().map(|test| test.cost).sum();
        let cheapest = self.tests.iter().map(|test| test.cost).fold(f64::INFINITY, f64::min);
        let lightest = self
            .kinds
            .iter()
            .map(|kind| kind.weight)
            .filter(|weight| *weight > 0.0)
            .fold(self.mass, f64::min);
        let products = [self.mass * self.largest_log, self.mass * costs, lightest * cheapest, lightest];
        let powers = [growth * costs, growth * cheapest];
        self.tests.is_empty()
            || products.iter().all(|product| RANGE.contains(product))
                && powers.iter().all(|power| *power == 0.0 || RANGE.contains(power))
    }

    /// Weight of each group.
    pub(crate) fn group_weights(&self) -> Vec<f64> {
        let groups = self.kinds.iter().map(|kind| kind.group as usize + 1).max().unwrap_or(0);
        let mut weights = vec![0.0; groups];
        self.kinds.iter().for_each(|kind| weights[kind.group as usize] += kind.weight);
        weights
    }

    pub(crate) fn new(instance: &Instance) -> Self {
        let row = |object: ObjectId| instance.test_ids().map(move |test| instance.answer(object, test));
        let mut order: Vec<ObjectId> = instance.objects().collect();
        let by_group = |object: &ObjectId| instance.group_of(*object);
        order.sort_by(|left, right| {
            by_group(left)
                .cmp(&by_group(right))
                .then_with(|| row(*left).cmp(row(*right)))
                .then(left.cmp(right))
        });
        let twins = |left: &ObjectId, right: &ObjectId| {
            by_group(left) == by_group(right) && row(*left).eq(row(*right))
        };
        let mut kind_of = vec![0; order.len()];
        let mut kinds = Vec::new();
        for twins in order.chunk_by(twins) {
            twins.iter().for_each(|object| kind_of[object.index()] = kinds.len() as u32);
            kinds.push(Kind {
                first: twins[0],
                size: twins.len() as u32,
                group: by_group(&twins[0]).0,
                weight: twins.iter().map(|object| instance.weight(*object)).sum(),
                confirming: instance.confirming(twins[0]).map(TestId::index),
            });
        }
        let test = |test: TestId| Test {
            cost: bill::least(instance, test),
            codes: kinds.iter().map(|kind| instance.answer(kind.first, test).0).collect(),
            arity: instance.test(test).arity(),
        };
        let tests: Vec<Test> = instance.test_ids().map(test).collect();
        let costs = tests.iter().map(|test| test.cost);
        let mass = kinds.iter().map(|kind| kind.weight).sum();
        let masses = kinds.iter().map(|kind| kind.weight).chain([mass]).filter(|mass| *mass > 0.0);
        Self {
            kind_of,
            cost_step: common_step(costs, instance.costs().is_exact()),
            tests,
            mass,
            largest_log: masses.map(|mass| mass.log2().abs()).fold(1.0, f64::max),
            kinds,
            weight_step: common_step(
                instance.weights().units().iter().copied(),
                instance.weights().is_exact(),
            ),
            cost_scale: instance.costs().scale(),
            confirm: instance.needs_confirmation(),
        }
    }
}

/// Greatest common divisor of units, if they are exact.
fn common_step(units: impl Iterator<Item = f64> + Clone, is_exact: bool) -> Option<f64> {
    // Exact units are whole numbers below 2^53.
    let is_whole = is_exact && units.clone().all(|unit| unit.fract() == 0.0);
    let step = units.fold(0, |step, unit| gcd(step, unit as u64));
    (is_whole && step > 0).then_some(step as f64)
}

fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Problem with these weights and costs; nothing else of it is looked at.
    fn problem(weights: &[f64], costs: &[f64]) -> Problem {
        let kind =
            |weight: &f64| Kind { first: ObjectId(0), size: 1, group: 0, weight: *weight, confirming: None };
        let mass: f64 = weights.iter().sum();
        let logs = weights.iter().chain([&mass]).filter(|mass| **mass > 0.0).map(|mass| mass.log2().abs());
        Problem {
            kind_of: Vec::new(),
            kinds: weights.iter().map(kind).collect(),
            tests: costs.iter().map(|cost| Test { cost: *cost, codes: Vec::new(), arity: 2 }).collect(),
            mass,
            largest_log: logs.fold(1.0, f64::max),
            weight_step: None,
            cost_step: None,
            cost_scale: 1.0,
            confirm: false,
        }
    }

    #[test]
    fn one_product_beyond_floats_is_enough_to_be_refused() {
        let plain = [1.0, 2.0];
        for (weights, costs, growth, is_moderate) in [
            (plain, plain, 0.0, true),
            (plain, plain, 0.7, true),
            ([0.0, 1.0], plain, 0.7, true),
            // A mass of 1e279 has 927 bits: together 1e282, while neither is beyond.
            ([1e279, 0.0], [1e-3, 1e-3], 0.0, false),
            ([1e150, 1e150], [1e-10, 1e120], 0.0, true),
            // Mass times costs is 1e300.
            ([1e150, 0.0], [1e-10, 1e150], 0.0, false),
            // The lightest object times the cheapest test is 1e-300, and the lightest alone 1e-290.
            ([1.0, 1e-150], [1.0, 1e-150], 0.0, false),
            ([1.0, 1e-290], [1e20, 1e20], 0.0, false),
            // Growth times all costs is 1e300, times the cheapest cost 1e-300.
            (plain, [1e-10, 1e150], 1e150, false),
            (plain, [1.0, 1e-150], 1e-150, false),
        ] {
            let found = problem(&weights, &costs).is_moderate(growth);
            assert_eq!(found, is_moderate, "{weights:?} {costs:?} {growth}");
        }
        assert!(problem(&[1e300], &[]).is_moderate(0.0));
    }
}
