//! Inspection of a table: the information of each test, and the tests that are useless.

use crate::measure::{ChiSquared, chi_squared, entropy_bits, mutual_information_bits};
use fewest_model::{
    Candidates, Codes, Columns, Contingency, Count, Identify, Instance, ObjectSet, Sets, Shares, TestId,
    View, Weighing,
};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Statistics of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestReport {
    /// Test of this report.
    pub test: TestId,
    /// Number of answers that occur.
    pub answers: usize,
    /// Number of objects without a recorded answer.
    pub gaps: usize,
    /// Number of objects that the test does not apply to; entropy, information and χ² are those of the others.
    pub inapplicable: usize,
    /// Cost of the test.
    pub cost: f64,
    /// Entropy of the answer, in bits.
    pub entropy_bits: f64,
    /// Mutual information of the answer and the object or group to be identified, in bits.
    pub information_bits: f64,
    /// Test whether answer and group are related by more than chance, from the numbers of objects or, if the priors
    /// are whole numbers, of cases. `None` if every object is its own group, so that there is nothing to test, and if
    /// objects may give several answers to the test.
    pub chi_squared: Option<ChiSquared>,
}

/// Statistics of a whole instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// Reports of all tests, in order.
    pub tests: Vec<TestReport>,
    /// Tests with one answer only.
    pub useless: Vec<TestId>,
    /// Sets of tests that split all objects in the same way, each in order.
    pub redundant: Vec<Vec<TestId>>,
}

/// Entropies of the objects' priors and of the groups' priors, in bits.
pub fn entropies(instance: &Instance) -> (f64, f64) {
    let total = instance.total_weight();
    let objects = entropy_bits(instance.weights().units().iter().copied(), total);
    (objects, entropy_bits(instance.group_weights().into_iter(), total))
}

/// Inspects every test of `instance`.
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
    let inapplicable = inapplicable(instance, test);
    if inapplicable == all.len() {
        return report_nothing(instance, test);
    }
    if instance.test(test).sets.is_some() {
        return report_open(instance, test, table);
    }
    let kept;
    let all = match inapplicable {
        0 => all,
        _ => {
            kept = all.clone().keep(instance, |object| instance.test(test).applies_to(object));
            &kept
        }
    };
    let view = |weighing| View { columns: Columns::Groups, weighing, moments: None };
    instance.count(test, all, view(Weighing::Prior), table);
    let entropy_bits = entropy_bits(table.rows().map(|row| row.weight()), table.total());
    let information_bits = mutual_information_bits(table);
    // Whole-number priors are counts of cases; others do not tell how many cases were seen.
    let cases = instance.weights().is_exact() && instance.weights().scale() == 1.0;
    if !cases {
        instance.count(test, all, view(Weighing::Uniform), table);
    }
    let weight = if table.is_uniform() && cases { instance.total_weight() / table.total() } else { 1.0 };
    let chi_squared = (instance.identify() == Identify::Groups).then(|| chi_squared_of(table, weight));
    let (answers, cost) = (instance.test(test).arity(), instance.first_cost(test));
    let gaps = instance.test(test).gap_count();
    TestReport { test, answers, gaps, inapplicable, cost, entropy_bits, information_bits, chi_squared }
}

/// Number of objects that `test` does not apply to.
fn inapplicable(instance: &Instance, test: TestId) -> usize {
    instance.test(test).inapplicable.as_ref().map_or(0, ObjectSet::len)
}

/// Statistics of a test that applies to no object.
fn report_nothing(instance: &Instance, test: TestId) -> TestReport {
    TestReport {
        test,
        answers: instance.test(test).arity(),
        gaps: 0,
        inapplicable: instance.object_count(),
        cost: instance.first_cost(test),
        entropy_bits: 0.0,
        information_bits: 0.0,
        chi_squared: None,
    }
}

/// Statistics of a test to which some objects give several answers: answers count in fractions, so there is no number
/// of cases for a test against chance.
fn report_open(instance: &Instance, test: TestId, table: &mut Contingency) -> TestReport {
    let view = (Columns::Groups, Weighing::Prior);
    let shares = Shares::all(instance).keep(instance, |object| instance.test(test).applies_to(object));
    table.count_shares(instance, test, &shares, view, &|_| None);
    let entropy_bits = entropy_bits(table.rows().map(|row| row.weight()), table.total());
    let information_bits = mutual_information_bits(table);
    let (answers, cost) = (instance.test(test).arity(), instance.first_cost(test));
    let gaps = instance.test(test).gap_count();
    let inapplicable = inapplicable(instance, test);
    TestReport { test, answers, gaps, inapplicable, cost, entropy_bits, information_bits, chi_squared: None }
}

/// Chi-squared test of answers against groups; each object counts `weight`.
fn chi_squared_of(table: &Contingency, weight: f64) -> ChiSquared {
    let row = |cells: &[fewest_model::Cell]| {
        let mut counts = vec![0.0; table.groups().len()];
        cells.iter().for_each(|cell| counts[cell.group as usize] = cell.weight * weight);
        counts
    };
    let rows: Vec<Vec<f64>> = table.rows().map(|answer| row(answer.cells())).collect();
    chi_squared(&rows)
}

/// Answers of a test: the first ones, all of them if there are several, and the objects without one.
type Cells<'a> = (&'a Codes, Option<&'a Sets>, Option<&'a ObjectSet>);

/// Finds tests whose answers are a renaming of another's: with answers numbered by first appearance, the columns are
/// equal.
fn redundant(instance: &Instance) -> Vec<Vec<TestId>> {
    let mut classes: BTreeMap<Cells<'_>, Vec<TestId>> = BTreeMap::new();
    for test in instance.test_ids().filter(|test| instance.test(*test).arity() >= 2) {
        // Equal first answers suffice if there are no others.
        let test_data = instance.test(test);
        let cells = (&test_data.codes, test_data.sets.as_ref(), test_data.inapplicable.as_ref());
        classes.entry(cells).or_default().push(test);
    }
    let mut classes: Vec<Vec<TestId>> = classes.into_values().filter(|class| class.len() > 1).collect();
    classes.sort();
    classes
}
