//! Parts of JSON documents that several commands share.

use super::Number;
use super::prices::{BundlePart, answer_costs, bundles, own_costs};
use crate::read::{CostList, ReadOptions};
use fewest::bound::{self, Bound, ObjectiveKind};
use fewest::builder::{Call, Unfinished};
use fewest::robustness::Shift;
use fewest::{
    AnswerCost, BundlePrice, Costs, InBundle, Instance, Lambda, Named, Objective, Reading, Role, StopReason,
    Tolerance, Trial,
    inspect::{self, TestReport},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Size of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstancePart {
    /// Number of objects that differ in some answer.
    pub objects: usize,
    /// Number of rows of the table.
    pub rows: usize,
    /// Number of tests.
    pub tests: usize,
    /// Number of groups to tell apart; the number of objects where each object is its own group.
    pub groups: usize,
    /// Kind of the things to identify: `groups` or `objects`.
    pub identify: String,
    /// Whether an object is identified only after the test with its name was asked; left out of the file if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// Number of tests that may not be asked of every object; left out of the file if there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub conditional: usize,
    /// Entropy of the groups, or of the objects where these are identified.
    pub entropy_bits: Number,
}

impl InstancePart {
    /// The size of `instance`.
    pub fn new(instance: &Instance) -> Self {
        let identify = instance.identify().name();
        Self {
            objects: instance.distinct_count(),
            rows: instance.row_count(),
            tests: instance.test_count(),
            groups: instance.group_count(),
            identify: identify.to_owned(),
            confirm: instance.needs_confirmation(),
            conditional: conditional(instance),
            entropy_bits: Number(inspect::entropies(instance).1),
        }
    }
}

/// Number of tests that may not be asked of every object.
fn conditional(instance: &Instance) -> usize {
    let tests = instance.test_ids().map(|test| instance.test(test));
    tests.filter(|test| test.inapplicable.is_some() || !test.premises.is_empty()).count()
}

/// Objective to minimise.
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
        let lambda = match objective {
            Objective::Exponential(lambda) => Some(Number(lambda.value())),
            Objective::Expected | Objective::Worst => None,
        };
        Self { name: objective.kind().name().to_owned(), lambda }
    }
}

/// Costs of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostPart {
    /// Expected cost.
    pub expected: Number,
    /// Worst cost.
    pub worst: Number,
    /// Exponential cost, in which long paths weigh more.
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
    /// Converts to the library's costs; `None` if λ is out of range.
    pub fn to_costs(self) -> Option<Costs> {
        Some(Costs {
            expected: self.expected.0,
            worst: self.worst.0,
            exponential: self.exponential.value.0,
            lambda: Lambda::new(self.exponential.lambda.0).ok()?,
        })
    }
}

/// Lower bound and its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundPart {
    /// Number that no strategy can cost less than.
    pub value: Number,
    /// Name of the bound.
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
    /// Picks the best of `bounds` for each objective.
    pub fn new(bounds: &[Bound]) -> Self {
        let best = |kind| BoundPart::from(bound::best(bounds, kind));
        Self {
            expected: best(ObjectiveKind::Expected),
            worst: best(ObjectiveKind::Worst),
            exponential: best(ObjectiveKind::Exponential),
        }
    }
}

/// Largest expected cost if the true prior is this far from the assumed one.
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

/// Leaves of a strategy that are unfinished, because the tree would have been too large.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnfinishedPart {
    /// Number of leaves at which more could be asked.
    pub leaves: usize,
    /// Probability of ending in one of them.
    pub weight: Number,
    /// Probability of ending in one of them with a group other than the likeliest there.
    pub error: Number,
}

impl From<Unfinished> for UnfinishedPart {
    fn from(unfinished: Unfinished) -> Self {
        let Unfinished { leaves, weight, error } = unfinished;
        Self { leaves, weight: Number(weight), error: Number(error) }
    }
}

/// Row of one algorithm in a comparison.
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

/// Row of one test in an inspection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestPart<'a> {
    name: &'a str,
    answers: usize,
    #[serde(skip_serializing_if = "is_zero")]
    gaps: usize,
    #[serde(skip_serializing_if = "is_zero")]
    inapplicable: usize,
    cost: Number,
    entropy_bits: Number,
    information_bits: Number,
    chi2: Option<Number>,
    dof: Option<u64>,
    p_value: Option<Number>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl<'a> TestPart<'a> {
    /// Converts `report`, with the name of the test.
    pub fn new(report: &TestReport, instance: &'a Instance) -> Self {
        Self {
            name: &instance.test(report.test).name,
            answers: report.answers,
            gaps: report.gaps,
            inapplicable: report.inapplicable,
            cost: Number(report.cost),
            entropy_bits: Number(report.entropy_bits),
            information_bits: Number(report.information_bits),
            chi2: report.chi_squared.map(|chi2| Number(chi2.statistic)),
            dof: report.chi_squared.map(|chi2| chi2.degrees_of_freedom),
            p_value: report.chi_squared.map(|chi2| Number(chi2.p_value)),
        }
    }
}

/// Evidence of one call of DecTree: its budget, its path and what it covered.
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
    /// Converts `call`, with the names of its tests.
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

/// Options with which a table was read, so that a saved strategy can be checked without repeating them.
///
/// Costs are here to be compared, not to be used: they come from the table and from `--costs`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadingPart {
    /// `--object`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// `--transpose`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub transpose: bool,
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
    /// `--missing`; a file without it was read with `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// `--na`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub na: Option<Vec<String>>,
    /// `--verbatim`; a file without it was read verbatim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbatim: Option<bool>,
    /// `--numeric`; a file without it was read with `exact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numeric: Option<String>,
    /// `--tolerance`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerance: Vec<String>,
    /// `--identify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identify: Option<String>,
    /// `--confirm`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// Cost of each test that does not cost 1; without its set-up, if it is in a bundle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costs: Option<BTreeMap<String, Number>>,
    /// Cost of each test whose cost depends on the answer, by answer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub answer_costs: BTreeMap<String, BTreeMap<String, Number>>,
    /// Tests that share a set-up, by name of their bundle.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bundles: BTreeMap<String, BundlePart>,
    /// `--group-rank`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_rank: Option<String>,
    /// `--without`, as far as it names tools.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Premises that a file beside the table gives, by test.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub premises: BTreeMap<String, String>,
    /// Tools that a file beside the table gives, by test.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub needs: BTreeMap<String, String>,
}

impl ReadingPart {
    /// Value of an option in a file: as it says, or `before` in a file that was saved when there was no choice, or
    /// `usual` if the file says nothing of its reading.
    pub fn said<'a>(&'a self, own: Option<&'a str>, before: &'a str, usual: &'a str) -> &'a str {
        own.unwrap_or(if self.identify.is_some() { before } else { usual })
    }

    /// Whether texts were taken as they stand.
    pub fn is_verbatim(&self) -> bool {
        self.verbatim.unwrap_or(self.identify.is_some())
    }

    /// Keeps the options of `reading` that differ from the defaults.
    pub fn new(options: &ReadOptions, reading: &Reading, instance: &Instance) -> Self {
        Self {
            object: options.object.clone(),
            transpose: options.transpose,
            group: role_text(&reading.group),
            prior: role_text(&reading.prior),
            ignore: reading.ignore.clone(),
            tests: reading.tests.clone(),
            several: reading.several.clone(),
            missing: Some(reading.missing.name().to_owned()),
            na: reading.gap_words.clone(),
            verbatim: Some(reading.verbatim),
            numeric: Some(reading.numeric.to_string()),
            tolerance: reading.tolerance.iter().map(tolerance_text).collect(),
            identify: Some(InstancePart::new(instance).identify),
            confirm: instance.needs_confirmation(),
            costs: (!instance.has_unit_costs()).then(|| own_costs(instance)),
            answer_costs: answer_costs(instance),
            bundles: bundles(instance),
            group_rank: reading.group_rank.clone(),
            without: reading.without.clone(),
            premises: reading.premises.iter().cloned().collect(),
            needs: reading.needs.iter().cloned().collect(),
        }
    }
}

impl ReadingPart {
    /// The costs, if some depend on the path: tests that are not listed cost 1.
    pub fn path_costs(&self) -> Option<CostList> {
        if self.bundles.is_empty() && self.answer_costs.is_empty() {
            return None;
        }
        let costs = self.costs.iter().flatten().map(|(test, cost)| (test.clone(), cost.0));
        let answers = self.answer_costs.iter().flat_map(|(test, costs)| {
            let entry = move |(answer, cost): (&String, &Number)| AnswerCost {
                test: test.clone(),
                answer: answer.clone(),
                cost: cost.0,
            };
            costs.iter().map(entry)
        });
        let bundles = self.bundles.iter().flat_map(|(name, bundle)| {
            let price = BundlePrice::Setup(bundle.setup.0);
            bundle.tests.iter().map(move |test| InBundle { test: test.clone(), bundle: name.clone(), price })
        });
        let (costs, answers, bundles) = (costs.collect(), answers.collect(), bundles.collect());
        Some(CostList { costs, answers, bundles, ..CostList::default() })
    }

    /// Words for the costs that depend on the path; `None` if none does.
    pub fn path_costs_text(&self) -> Option<String> {
        let number = |number: &Number| super::text(number).unwrap_or_default();
        let bundle = |(name, bundle): (&String, &BundlePart)| {
            format!("bundle {name} (set-up {}: {})", number(&bundle.setup), some_names(&bundle.tests))
        };
        let answers = |(test, costs): (&String, &BTreeMap<String, Number>)| {
            let costs = costs.iter().map(|(answer, cost)| format!("{answer} {}", number(cost)));
            format!("{test} by answer ({})", costs.collect::<Vec<_>>().join(", "))
        };
        let parts: Vec<String> =
            self.bundles.iter().map(bundle).chain(self.answer_costs.iter().map(answers)).collect();
        (!parts.is_empty()).then(|| format!("costs of {}", parts.join(", ")))
    }
}

/// Names by comma; of many, the first few and the number of the others.
fn some_names(names: &[String]) -> String {
    const SHOWN: usize = 5;
    match names.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

/// Choice for a role as it is typed; `None` for the usual column.
fn role_text(role: &Role) -> Option<String> {
    match role {
        Role::Usual => None,
        Role::Column(name) => Some(name.clone()),
        Role::None => Some("none".to_owned()),
    }
}

/// Tolerance as it is typed: `0.2`, `5%`, `column=0.2`.
pub fn tolerance_text((column, tolerance): &(Option<String>, Tolerance)) -> String {
    let value = match tolerance {
        Tolerance::Absolute(distance) => distance.to_string(),
        Tolerance::Relative(share) => format!("{}%", share * 100.0),
    };
    column.as_ref().map_or_else(|| value.clone(), |column| format!("{column}={value}"))
}

/// Parses what [`tolerance_text`] writes; `None` if it is no tolerance.
pub fn parse_tolerance(text: &str) -> Option<(Option<String>, Tolerance)> {
    let (column, value) = match text.rsplit_once('=') {
        Some((column, value)) => (Some(column.trim().to_owned()), value.trim()),
        None => (None, text.trim()),
    };
    let number =
        |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    let tolerance = match value.strip_suffix('%') {
        Some(percent) => Tolerance::Relative(number(percent)? / 100.0),
        None => Tolerance::Absolute(number(value)?),
    };
    Some((column, tolerance))
}

/// Word for a stop reason.
pub fn stop_word(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Complete => "complete",
        StopReason::Proved => "proved",
        StopReason::Time => "time",
        StopReason::Nodes => "nodes",
        StopReason::Interrupted => "interrupted",
    }
}
