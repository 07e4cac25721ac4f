//! Costs that depend on the path, as saved strategies hold them.

use super::number::Number;
use fewest::{AnswerId, Instance, TestId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Tests that share a set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BundlePart {
    /// Set-up: the first of the tests on a path pays it beside its own cost.
    pub setup: Number,
    /// Names of the tests.
    pub tests: Vec<String>,
}

/// Own cost of `test` for `answer`, in costs of the table.
fn own(instance: &Instance, test: TestId, answer: AnswerId) -> f64 {
    let units = instance.pricing().map(|pricing| pricing.own(test, answer));
    units.map_or_else(|| instance.cost(test), |units| units / instance.costs().scale())
}

fn by_answer(instance: &Instance, test: TestId) -> bool {
    instance.pricing().is_some_and(|pricing| pricing.depends_on_answer(test))
}

/// Cost of each test that does not cost 1 and does not depend on the answer, without its set-up.
pub(super) fn own_costs(instance: &Instance) -> BTreeMap<String, Number> {
    let tests = instance.test_ids().filter(|test| !by_answer(instance, *test));
    let costs = tests.map(|test| (instance.test(test).name.clone(), own(instance, test, AnswerId(0))));
    costs.filter(|(_, cost)| *cost != 1.0).map(|(test, cost)| (test, Number(cost))).collect()
}

/// Cost of each test that depends on the answer, without its set-up, by answer.
pub(super) fn answer_costs(instance: &Instance) -> BTreeMap<String, BTreeMap<String, Number>> {
    let tests = instance.test_ids().filter(|test| by_answer(instance, *test));
    let costs = |test: TestId| {
        let answers = instance.test(test).answers.iter().enumerate();
        answers.map(|(at, text)| (text.to_owned(), Number(own(instance, test, AnswerId::at(at))))).collect()
    };
    tests.map(|test| (instance.test(test).name.clone(), costs(test))).collect()
}

/// Bundles of the instance, by name.
pub(super) fn bundles(instance: &Instance) -> BTreeMap<String, BundlePart> {
    let Some(pricing) = instance.pricing() else { return BTreeMap::new() };
    let part = |bundle: &fewest::Bundle| BundlePart {
        setup: Number(bundle.setup / instance.costs().scale()),
        tests: bundle.tests.iter().map(|test| instance.test(*test).name.clone()).collect(),
    };
    pricing.bundles().iter().map(|bundle| (bundle.name.clone(), part(bundle))).collect()
}
