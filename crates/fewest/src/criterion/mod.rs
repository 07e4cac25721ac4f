//! Greedy criteria: each scores one test at one node; larger is better.
//!
//! A new criterion is a file here plus its line in [`CATALOGUE`]; the help, the list of algorithms, JSON and the law
//! tests all read the catalogue. Dividing by cost, breaking ties and choosing happen once, in
//! [`Greedy`](crate::Greedy).

mod asr;
mod ec2;
mod gain_ratio;
mod gbs;
mod gbs_uniform;
mod group_gbs;
mod lambda_gbs;
mod lambda_group_gbs;
mod pairs;

pub use asr::Asr;
pub use ec2::Ec2;
pub use gain_ratio::GainRatio;
pub use gbs::Gbs;
pub use gbs_uniform::GbsUniform;
pub use group_gbs::GroupGbs;
pub use lambda_gbs::LambdaGbs;
pub use lambda_group_gbs::LambdaGroupGbs;
pub use pairs::Pairs;

use fewest_kernel::{NodeSums, SumsNeeded, Term, shift_and_scale};
use fewest_model::{Columns, Contingency, Identify, Lambda, Weighing};

/// Benefit in bits (or shares) below which it is rounding residue and counts as none.
pub(crate) const CLAMP: f64 = 1e-12;

/// Greedy preference for tests.
pub trait Criterion: Send + Sync {
    /// Columns that must be counted at a node.
    fn columns(&self) -> Columns;

    /// Weight of an object.
    fn weighing(&self) -> Weighing {
        Weighing::Prior
    }

    /// Returns a number for an object of prior probability `p`, to be summed by answer; `None` if it is not needed.
    fn moment(&self, _p: f64) -> Option<f64> {
        None
    }

    /// Computes the benefit of a test that splits the node: never negative, and comparable within one node only.
    fn benefit(&self, node: &Contingency) -> f64;

    /// Sums that [`estimate`](Self::estimate) needs; `None` if there is no estimate.
    fn sums_needed(&self) -> Option<SumsNeeded> {
        None
    }

    /// Estimates the benefits of all yes/no tests that split the node, up to rounding; NaN if a benefit is unknown.
    ///
    /// Returns the factor from a rounding error of the sums to one of the benefits.
    fn estimate(&self, _node: &NodeSums, _benefits: &mut [f64]) -> f64 {
        f64::NAN
    }
}

/// Sums needed by criteria of the answers alone: `x log₂ x` over the answers.
const ANSWERS: SumsNeeded = SumsNeeded::new(Term::Nothing, Term::Information);
/// Sums needed for mutual information: `x log₂ x` over answers and over cells.
const INFORMATION: SumsNeeded = SumsNeeded::new(Term::Information, Term::Information);
/// Sums needed for pairs between groups: `x²` over cells.
const SQUARES: SumsNeeded = SumsNeeded::new(Term::Power(2.0), Term::Nothing);

/// Estimates the mutual information of answer and group for all tests, in bits.
fn estimate_information(node: &NodeSums, benefits: &mut [f64]) {
    let (before, scale) = (node.whole - node.group_cells, 1.0 / node.total);
    if node.rows.is_empty() {
        return shift_and_scale(&node.cells[0], before, scale, benefits);
    }
    for ((benefit, cells), rows) in benefits.iter_mut().zip(&node.cells[0]).zip(&node.rows) {
        *benefit = (cells - rows + before) * scale;
    }
}

/// Pairs between groups for each answer of a test, the first and the second: `(w² − Σ w_k²) / 2`.
fn estimate_pairs(node: &NodeSums, test: usize) -> [f64; 2] {
    let second = node.second_weights[test];
    let first = node.total - second;
    [(first * first - node.cells[0][test]) / 2.0, (second * second - node.cells[1][test]) / 2.0]
}

/// Settings for making a criterion.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Base λ, for criteria that aim at exponential cost.
    pub lambda: Lambda,
    /// Target of the identification: groups or objects.
    pub identify: Identify,
}

/// Entry of the catalogue of criteria.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name of the criterion for users.
    pub name: &'static str,
    /// Summary of the criterion, in one line.
    pub summary: &'static str,
    /// Key of the paper in REFERENCES.md.
    pub paper: &'static str,
    /// Guarantee that is proved for its trees, in one line.
    pub guarantee: &'static str,
    /// Whether the criterion depends on λ.
    pub uses_lambda: bool,
    /// Whether the benefit is the mutual information of answer and group.
    pub is_information: bool,
    /// Whether the criterion needs groups: if every object is its own group, it scores all tests alike.
    pub needs_groups: bool,
    /// Makes the criterion.
    pub make: fn(Settings) -> Box<dyn Criterion>,
}

/// Every greedy criterion, in the order in which they are shown and tried.
pub const CATALOGUE: &[Entry] = &[
    gbs::ENTRY,
    gbs_uniform::ENTRY,
    group_gbs::ENTRY,
    lambda_gbs::ENTRY,
    lambda_group_gbs::ENTRY,
    ec2::ENTRY,
    gain_ratio::ENTRY,
    asr::ENTRY,
    pairs::ENTRY,
];

/// Criterion to use if none is named.
pub const DEFAULT: Entry = group_gbs::ENTRY;

/// Finds the entry called `name`.
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}

/// Number of pairs between groups of these sizes: `P = Σ_{k<l} |A_k||A_l| = (|A|² − Σ_k |A_k|²) / 2`, ignoring the
/// prior.
pub(crate) fn pairs_between(sizes: impl Iterator<Item = u32>) -> f64 {
    // Whole numbers, because one addition takes one step and one of floats takes four; a set has fewer than 2^32
    // objects.
    let (mut all, mut squares) = (0, 0);
    for size in sizes.map(u64::from) {
        all += size;
        squares += size * size;
    }
    ((all * all - squares) / 2) as f64
}

/// Share of pairs from different groups that the test separates: `(P(A) − Σ_C P(C)) / P(A)`, ignoring the prior.
///
/// It decides if a criterion sees no difference between tests. The table must have been counted by group.
pub(crate) fn separated_pairs(node: &Contingency) -> f64 {
    let before = pairs_between(node.groups().iter().map(|cell| cell.count));
    let left = node.rows().map(|row| pairs_between(row.cells().iter().map(|cell| cell.count)));
    let after: f64 = left.sum();
    // Within one group there is nothing to separate.
    if before == 0.0 { 0.0 } else { (before - after) / before }
}
