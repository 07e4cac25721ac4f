//! What a table can and cannot do: the information of each test, and tests that are no use.

use crate::measure::{ChiSquared, chi_squared, entropy_bits, mutual_information_bits};
use fewest_model::{
    Candidates, Codes, Columns, Contingency, Count, Identify, Instance, Sets, Shares, TestId, View, Weighing,
};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What one test says.
#[derive(Clone, Debug, PartialEq)]
pub struct TestReport {
    /// The test.
    pub test: TestId,
    /// How many answers occur.
    pub answers: usize,
    /// What it costs.
    pub cost: f64,
    /// The entropy of its answer.
    pub entropy_bits: f64,
    /// What the answer says of what is to be identified.
    pub information_bits: f64,
    /// Whether answer and group are related by more than chance, from the numbers of objects or, where the priors are
    /// whole numbers, of cases; `None` where every object is its own group and there is nothing to test, and where objects
    /// may give several answers to it.
    pub chi_squared: Option<ChiSquared>,
}

/// The figures of a whole instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// Every test, in order.
    pub tests: Vec<TestReport>,
    /// Tests with one answer only.
    pub useless: Vec<TestId>,
    /// Sets of tests that split all objects alike, each in order.
    pub redundant: Vec<Vec<TestId>>,
}

/// The entropy of the objects' priors and of the groups', in bits.
pub fn entropies(instance: &Instance) -> (f64, f64) {
    let total = instance.total_weight();
    let objects = entropy_bits(instance.weights().units().iter().copied(), total);
    (objects, entropy_bits(instance.group_weights().into_iter(), total))
}

/// Looks at every test of `instance`.
pub fn inspect(instance: &Instance) -> Inspection {
    let all = Candidates::all(instance);
    let tests: Vec<TestReport> = (0..instance.test_count())
        .into_par_iter()
        .map_init(Contingency::default, |table, test| report(instance, &all, TestId::at(test), table))
        .collect();
    let is_useless = |report: &&TestReport| {
        let cells = instance.test(report.test).cells();
        report.answers < 2 || cells.iter().all(|cell| cell == cells.get(0))
    };
    let useless = tests.iter().filter(is_useless).map(|report| report.test).collect();
    Inspection { useless, redundant: redundant(instance), tests }
}

fn report(instance: &Instance, all: &Candidates, test: TestId, table: &mut Contingency) -> TestReport {
    if instance.test(test).sets.is_some() {
        return report_open(instance, test, table);
    }
    let view = |weighing| View { columns: Columns::Groups, weighing, moments: None };
    instance.count(test, all, view(Weighing::Prior), table);
    let entropy_bits = entropy_bits(table.rows().map(|row| row.weight()), table.total());
    let information_bits = mutual_information_bits(table);
    // Whole-number priors are counts of cases; others say nothing about how many were seen.
    let cases = instance.weights().is_exact() && instance.weights().scale() == 1.0;
    if !cases {
        instance.count(test, all, view(Weighing::Uniform), table);
    }
    let weight = if table.is_uniform() && cases { instance.total_weight() / table.total() } else { 1.0 };
    let chi_squared = (instance.identify() == Identify::Groups).then(|| chi_squared_of(table, weight));
    let (answers, cost) = (instance.test(test).arity(), instance.cost(test));
    TestReport { test, answers, cost, entropy_bits, information_bits, chi_squared }
}

/// What a test says that some objects answer in several ways: its answer counts in parts, so there is no number of cases
/// to test by chance.
fn report_open(instance: &Instance, test: TestId, table: &mut Contingency) -> TestReport {
    let view = (Columns::Groups, Weighing::Prior);
    table.count_shares(instance, test, &Shares::all(instance), view, &|_| None);
    let entropy_bits = entropy_bits(table.rows().map(|row| row.weight()), table.total());
    let information_bits = mutual_information_bits(table);
    let (answers, cost) = (instance.test(test).arity(), instance.cost(test));
    TestReport { test, answers, cost, entropy_bits, information_bits, chi_squared: None }
}

/// The test of answers against groups, each object counting `weight`.
fn chi_squared_of(table: &Contingency, weight: f64) -> ChiSquared {
    let row = |cells: &[fewest_model::Cell]| {
        let mut counts = vec![0.0; table.groups().len()];
        cells.iter().for_each(|cell| counts[cell.group as usize] = cell.weight * weight);
        counts
    };
    let rows: Vec<Vec<f64>> = table.rows().map(|answer| row(answer.cells())).collect();
    chi_squared(&rows)
}

/// Tests whose answers are a renaming of another's: with answers numbered by first appearance, the columns are equal.
fn redundant(instance: &Instance) -> Vec<Vec<TestId>> {
    let mut classes: BTreeMap<(&Codes, Option<&Sets>), Vec<TestId>> = BTreeMap::new();
    for test in instance.test_ids().filter(|test| instance.test(*test).arity() >= 2) {
        // Equal first answers say it all where there are no others.
        let test_data = instance.test(test);
        classes.entry((&test_data.codes, test_data.sets.as_ref())).or_default().push(test);
    }
    let mut classes: Vec<Vec<TestId>> = classes.into_values().filter(|class| class.len() > 1).collect();
    classes.sort();
    classes
}
