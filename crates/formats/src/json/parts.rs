//! The parts that the documents of several commands share.

use super::Number;
use fewest::bound::{self, Bound, ObjectiveKind};
use fewest::builder::{Call, Unfinished};
use fewest::robustness::Shift;
use fewest::{
    Costs, Identify, Instance, Lambda, MissingCells, Numeric, Objective, Reading, StopReason, Trial,
    inspect::{self, TestReport},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The size of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstancePart {
    /// Objects that differ in some answer.
    pub objects: usize,
    /// Rows of the table.
    pub rows: usize,
    /// Tests.
    pub tests: usize,
    /// Groups to tell apart; the objects, where every object is its own.
    pub groups: usize,
    /// `groups` or `objects`.
    pub identify: String,
    /// Whether an object counts as identified only once the test with its name was asked; left out where it does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// The entropy of what is to be identified.
    pub entropy_bits: Number,
}

impl InstancePart {
    /// The size of `instance`.
    pub fn new(instance: &Instance) -> Self {
        let identify = match instance.identify() {
            Identify::Groups => "groups",
            Identify::Objects => "objects",
        };
        Self {
            objects: instance.distinct_count(),
            rows: instance.row_count(),
            tests: instance.test_count(),
            groups: instance.group_count(),
            identify: identify.to_owned(),
            confirm: instance.needs_confirmation(),
            entropy_bits: Number(inspect::entropies(instance).1),
        }
    }
}

/// What is minimised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectivePart {
    /// `expected`, `worst` or `exponential`.
    pub name: String,
    /// The λ of the exponential cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lambda: Option<Number>,
}

impl From<Objective> for ObjectivePart {
    fn from(objective: Objective) -> Self {
        let (name, lambda) = match objective {
            Objective::Expected => ("expected", None),
            Objective::Worst => ("worst", None),
            Objective::Exponential(lambda) => ("exponential", Some(Number(lambda.value()))),
        };
        Self { name: name.to_owned(), lambda }
    }
}

/// What a tree costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostPart {
    /// On average.
    pub expected: Number,
    /// At worst.
    pub worst: Number,
    /// With long paths punished.
    pub exponential: ExponentialPart,
}

/// An exponential cost and its λ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExponentialPart {
    /// The λ.
    pub lambda: Number,
    /// The cost.
    pub value: Number,
}

impl From<Costs> for CostPart {
    fn from(costs: Costs) -> Self {
        Self {
            expected: Number(costs.expected),
            worst: Number(costs.worst),
            exponential: ExponentialPart {
                lambda: Number(costs.lambda.value()),
                value: Number(costs.exponential),
            },
        }
    }
}

impl CostPart {
    /// The costs that are claimed, if their λ is one.
    pub fn to_costs(self) -> Option<Costs> {
        Some(Costs {
            expected: self.expected.0,
            worst: self.worst.0,
            exponential: self.exponential.value.0,
            lambda: Lambda::new(self.exponential.lambda.0).ok()?,
        })
    }
}

/// A lower bound and whose it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundPart {
    /// The number that no strategy can beat.
    pub value: Number,
    /// The name of the bound.
    pub by: String,
}

impl From<Bound> for BoundPart {
    fn from(bound: Bound) -> Self {
        Self { value: Number(bound.value), by: bound.name.to_owned() }
    }
}

/// The best bound for each objective.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundsPart {
    expected: BoundPart,
    worst: BoundPart,
    exponential: BoundPart,
}

impl BoundsPart {
    /// The best of `bounds`.
    pub fn new(bounds: &[Bound]) -> Self {
        let best = |kind| BoundPart::from(bound::best(bounds, kind));
        Self {
            expected: best(ObjectiveKind::Expected),
            worst: best(ObjectiveKind::Worst),
            exponential: best(ObjectiveKind::Exponential),
        }
    }
}

/// What a wrong prior costs at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShiftPart {
    kl_nats: Number,
    expected_at_most: Number,
    excess_bits: Number,
}

impl From<Shift> for ShiftPart {
    fn from(shift: Shift) -> Self {
        Self {
            kl_nats: Number(shift.kl_nats),
            expected_at_most: Number(shift.expected_at_most),
            excess_bits: Number(shift.excess_bits()),
        }
    }
}

/// What a strategy leaves open because it would have been too large.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnfinishedPart {
    /// The leaves at which more could be asked.
    pub leaves: usize,
    /// The probability of ending in one of them.
    pub weight: Number,
    /// The probability of ending in one of them with another group than the likeliest there.
    pub error: Number,
}

impl From<Unfinished> for UnfinishedPart {
    fn from(unfinished: Unfinished) -> Self {
        let Unfinished { leaves, weight, error } = unfinished;
        Self { leaves, weight: Number(weight), error: Number(error) }
    }
}

/// One algorithm's line in a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowPart {
    algorithm: &'static str,
    cost: CostPart,
    leaves: usize,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<UnfinishedPart>,
    elapsed_ms: Number,
}

impl From<&Trial> for RowPart {
    fn from(trial: &Trial) -> Self {
        Self {
            algorithm: trial.origin.name(),
            cost: trial.costs.into(),
            leaves: trial.tree.leaf_count(),
            depth: trial.tree.depth(),
            unfinished: trial.unfinished.map(UnfinishedPart::from),
            elapsed_ms: Number(trial.elapsed.as_secs_f64() * 1e3),
        }
    }
}

/// One test's line in an inspection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestPart<'a> {
    name: &'a str,
    answers: usize,
    cost: Number,
    entropy_bits: Number,
    information_bits: Number,
    chi2: Option<Number>,
    dof: Option<u64>,
    p_value: Option<Number>,
}

impl<'a> TestPart<'a> {
    /// What `report` says, with the test's name.
    pub fn new(report: &TestReport, instance: &'a Instance) -> Self {
        Self {
            name: &instance.test(report.test).name,
            answers: report.answers,
            cost: Number(report.cost),
            entropy_bits: Number(report.entropy_bits),
            information_bits: Number(report.information_bits),
            chi2: report.chi_squared.map(|chi2| Number(chi2.statistic)),
            dof: report.chi_squared.map(|chi2| chi2.degrees_of_freedom),
            p_value: report.chi_squared.map(|chi2| Number(chi2.p_value)),
        }
    }
}

/// What one call of DecTree promised and kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CallPart<'a> {
    objects: usize,
    pairs: Number,
    budget: Number,
    path: Vec<&'a str>,
    spent_on_probability: Number,
    spent_on_pairs: Number,
    covered: Number,
    left: Number,
}

impl<'a> CallPart<'a> {
    /// The call, with the names of its tests.
    pub fn new(call: &Call, instance: &'a Instance) -> Self {
        Self {
            objects: call.objects,
            pairs: Number(call.pairs),
            budget: Number(call.budget),
            path: call.path.iter().map(|test| instance.test(*test).name.as_str()).collect(),
            spent_on_probability: Number(call.spent_on_probability),
            spent_on_pairs: Number(call.spent_on_pairs),
            covered: Number(call.covered),
            left: Number(call.left),
        }
    }
}

/// How a table was read, so that a saved strategy can be checked against it without repeating every option.
///
/// Costs are here to be compared, not to be used: they are those of the table and of `--costs`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadingPart {
    /// `--object`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// `--group`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// `--prior`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<String>,
    /// `--ignore`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// `--tests`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Vec<String>>,
    /// `--several`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub several: Option<String>,
    /// `--missing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// `--numeric`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numeric: Option<String>,
    /// `--identify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identify: Option<String>,
    /// `--confirm`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// What each test cost that did not cost 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costs: Option<BTreeMap<String, Number>>,
}

impl ReadingPart {
    /// What differs from the defaults in `reading`.
    pub fn new(object: Option<&str>, reading: &Reading, instance: &Instance) -> Self {
        Self {
            object: object.map(str::to_owned),
            group: reading.group.column().map(str::to_owned),
            prior: reading.prior.column().map(str::to_owned),
            ignore: reading.ignore.clone(),
            tests: reading.tests.clone(),
            several: reading.several.clone(),
            missing: match reading.missing {
                MissingCells::Error => None,
                MissingCells::Answer => Some("answer".to_owned()),
                MissingCells::Any => Some("any".to_owned()),
            },
            numeric: match reading.numeric {
                Numeric::Exact => None,
                Numeric::Thresholds => Some("thresholds".to_owned()),
                Numeric::Bins(bins) => Some(format!("bins:{bins}")),
            },
            identify: Some(InstancePart::new(instance).identify),
            confirm: instance.needs_confirmation(),
            costs: (!instance.has_unit_costs()).then(|| {
                let tests = instance.test_ids().filter(|test| instance.cost(*test) != 1.0);
                tests.map(|test| (instance.test(test).name.clone(), Number(instance.cost(test)))).collect()
            }),
        }
    }
}

/// The word for a stop reason.
pub fn stop_word(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Complete => "complete",
        StopReason::Proved => "proved",
        StopReason::Time => "time",
        StopReason::Nodes => "nodes",
        StopReason::Interrupted => "interrupted",
    }
}
