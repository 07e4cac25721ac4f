//! Greedy criteria: each a score of what one test would say at one node, larger is better.
//!
//! A new criterion is a file here plus its line in [`CATALOGUE`]; the help, the list of algorithms, JSON and the law
//! tests all read the catalogue. Dividing by cost, breaking ties and choosing happen once, in [`Greedy`](crate::Greedy).

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

/// A benefit below this many bits (or shares) is rounding residue and counts as none.
pub(crate) const CLAMP: f64 = 1e-12;

/// A greedy preference for tests.
pub trait Criterion: Send + Sync {
    /// How much of a node must be counted.
    fn columns(&self) -> Columns;

    /// What an object weighs.
    fn weighing(&self) -> Weighing {
        Weighing::Prior
    }

    /// A number for an object of prior probability `p`, to be summed by answer; `None` if there is no need.
    fn moment(&self, _p: f64) -> Option<f64> {
        None
    }

    /// The benefit of a test that splits the node: never negative, and comparable within one node only.
    fn benefit(&self, node: &Contingency) -> f64;

    /// What [`estimate`](Self::estimate) needs; `None` if there is no estimate.
    fn sums_needed(&self) -> Option<SumsNeeded> {
        None
    }

    /// The benefits of all yes/no tests that split the node, but for rounding; NaN for what is not known.
    ///
    /// Gives what a rounding error of the sums must be multiplied by to be one of the benefits.
    fn estimate(&self, _node: &NodeSums, _benefits: &mut [f64]) -> f64 {
        f64::NAN
    }
}

/// Only the sum over the answers of `x log₂ x`.
const ANSWERS: SumsNeeded = SumsNeeded::new(Term::Nothing, Term::Information);
/// The sums over answers and cells of `x log₂ x`.
const INFORMATION: SumsNeeded = SumsNeeded::new(Term::Information, Term::Information);
/// The sum over cells of `x²`.
const SQUARES: SumsNeeded = SumsNeeded::new(Term::Power(2.0), Term::Nothing);

/// The information that the answers of all tests give about the group, in bits.
fn estimate_information(node: &NodeSums, benefits: &mut [f64]) {
    let (before, scale) = (node.whole - node.group_cells, 1.0 / node.total);
    if node.rows.is_empty() {
        return shift_and_scale(&node.cells[0], before, scale, benefits);
    }
    for ((benefit, cells), rows) in benefits.iter_mut().zip(&node.cells[0]).zip(&node.rows) {
        *benefit = (cells - rows + before) * scale;
    }
}

/// The pairs between groups of each answer of a test, the first and the second: `(w² − Σ w_k²) / 2`.
fn estimate_pairs(node: &NodeSums, test: usize) -> [f64; 2] {
    let second = node.second_weights[test];
    let first = node.total - second;
    [(first * first - node.cells[0][test]) / 2.0, (second * second - node.cells[1][test]) / 2.0]
}

/// What a criterion may need to know to be made.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// For the criteria that aim at exponential cost.
    pub lambda: Lambda,
    /// What is to be found.
    pub identify: Identify,
}

/// A line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What users call it.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Its key in REFERENCES.md.
    pub paper: &'static str,
    /// What is proved of its trees, in one line.
    pub guarantee: &'static str,
    /// Whether it depends on λ.
    pub uses_lambda: bool,
    /// Whether its benefit is the mutual information of answer and group.
    pub is_information: bool,
    /// Whether it scores all tests alike where every object is its own group.
    pub needs_groups: bool,
    /// Makes it.
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

/// The criterion to use where none is named.
pub const DEFAULT: Entry = group_gbs::ENTRY;

/// The entry called `name`.
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}

/// The pairs between groups of these sizes: `P = Σ_{k<l} |A_k||A_l| = (|A|² − Σ_k |A_k|²) / 2`, prior set aside.
pub(crate) fn pairs_between(sizes: impl Iterator<Item = u32>) -> f64 {
    // Whole numbers, which add in one step where fractions take four; a set has fewer than 2^32 objects.
    let (mut all, mut squares) = (0, 0);
    for size in sizes.map(u64::from) {
        all += size;
        squares += size * size;
    }
    ((all * all - squares) / 2) as f64
}

/// The share of pairs from different groups that the test separates: `(P(A) − Σ_C P(C)) / P(A)`, prior set aside.
///
/// What counts where a criterion sees no difference between tests. The table must have been counted by group.
pub(crate) fn separated_pairs(node: &Contingency) -> f64 {
    let before = pairs_between(node.groups().iter().map(|cell| cell.count));
    let left = node.rows().map(|row| pairs_between(row.cells().iter().map(|cell| cell.count)));
    let after: f64 = left.sum();
    // Nothing is to be separated within one group.
    if before == 0.0 { 0.0 } else { (before - after) / before }
}
