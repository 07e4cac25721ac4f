//! Experiments of the papers, and further studies over many made or given tables.
//!
//! A study has cells, a cell has repetitions, and every repetition has a random stream of its own. So no result
//! depends on the number of threads or on the cells that were run before. Studies have no side effects: the caller
//! stores and shows the results.
//!
//! ```
//! use fewest_lab::study::{GroupStudy, Study, measure};
//!
//! let study = GroupStudy { objects: 40, tests: 20, groups: 4, datasets: 3, ..GroupStudy::default() };
//! let values = measure(&study, 0, 7)?;
//! let of = |series: &str| values.iter().find(|value| value.series == series).unwrap().estimate;
//! assert!(of("ggbs").mean >= of("entropy").mean);
//! # Ok::<(), fewest_lab::study::StudyError>(())
//! ```

mod dec_tree;
mod density;
mod estimate;
mod example;
mod exponential;
mod group;
mod prior;
mod real;

pub use dec_tree::{DecTreeStudy, worst_guarantee};
pub use density::{BETAS, beta_density};
pub use estimate::Estimate;
pub use example::{Example, Shown, examples};
pub use exponential::ExponentialStudy;
pub use group::GroupStudy;
pub use prior::PriorStudy;
pub use real::{OBJECTIVES, RealStudy, RealTable, objective_name};

use crate::generate::GenerateError;
use fewest::bound::{self, BoundInput, Entry, ObjectiveKind};
use fewest::exact::{self, Switches, Task};
use fewest_model::{Costs, Instance, InstanceError, Lambda, Objective, Reading, Table, Tree};
use rayon::prelude::*;
use thiserror::Error;

/// Position of a cell: the names of the study's axes, and the position on each.
pub type Cell = Vec<(&'static str, String)>;

/// Quantity that is measured: the series, and the position on the study's inner axis, if it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Name of the algorithm or the bound.
    pub series: String,
    /// Position on the inner axis.
    pub at: Option<f64>,
}

/// Estimate of a quantity in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Name of the algorithm or the bound.
    pub series: String,
    /// Position on the inner axis.
    pub at: Option<f64>,
    /// Mean, standard error and range.
    pub estimate: Estimate,
}

/// Reason why a study cannot be run.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StudyError {
    /// A data set that cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A data set that is not an instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// Experiment with cells, and in each a number of data sets of which the same quantities are measured.
pub trait Study: Sync {
    /// Name of the study.
    fn name(&self) -> &'static str;

    /// Parameters that its numbers depend on, besides the cell and the seed.
    fn parameters(&self) -> String;

    /// Parameters that the numbers of one cell depend on.
    fn cell_parameters(&self, _cell: usize) -> String {
        self.parameters()
    }

    /// Cells of the study.
    fn cells(&self) -> Vec<Cell>;

    /// Name of the inner axis, if one run measures several positions.
    fn inner_axis(&self) -> Option<&'static str> {
        None
    }

    /// Quantities that are measured in every cell.
    fn quantities(&self) -> Vec<Quantity>;

    /// Number of data sets of a cell.
    fn datasets(&self) -> u32;

    /// Measures the quantities of one data set of a cell, drawn from `seed`.
    ///
    /// # Errors
    /// When the data set cannot be made.
    fn sample(&self, cell: usize, seed: u64) -> Result<Vec<f64>, StudyError>;
}

/// Runs all data sets of a cell, on all threads, and summarises them.
///
/// # Errors
/// When a data set cannot be made.
pub fn measure(study: &dyn Study, cell: usize, seed: u64) -> Result<Vec<Value>, StudyError> {
    let place = &study.cells()[cell];
    let samples: Result<Vec<Vec<f64>>, StudyError> = (0..study.datasets())
        .into_par_iter()
        .map(|repetition| study.sample(cell, stream(seed, study.name(), place, repetition)))
        .collect();
    let samples = samples?;
    let value = |(at, quantity): (usize, Quantity)| {
        let numbers: Vec<f64> = samples.iter().map(|sample| sample[at]).collect();
        Value { series: quantity.series, at: quantity.at, estimate: Estimate::of(&numbers) }
    };
    Ok(study.quantities().into_iter().enumerate().map(value).collect())
}

/// Seed of one data set: a hash of everything that identifies it.
fn stream(seed: u64, study: &str, cell: &Cell, repetition: u32) -> u64 {
    let mut state = mix(seed);
    let mut add = |bytes: &[u8]| {
        bytes.iter().for_each(|byte| state = mix(state ^ u64::from(*byte)));
        state = mix(state ^ 0x100);
    };
    add(study.as_bytes());
    for (axis, place) in cell {
        add(axis.as_bytes());
        add(place.as_bytes());
    }
    add(&repetition.to_le_bytes());
    state
}

/// Bijection of 64-bit words in which every bit affects every other (the finaliser of SplitMix64).
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn instance_of(table: Table) -> Result<Instance, StudyError> {
    Ok(Instance::new(table, &Reading::default())?.0)
}

/// Bytes that the search may use for known sets; small tables need a fraction of it.
const MEMORY: usize = 1 << 28;

/// Least possible cost, found by search without a time limit: only for small tables.
fn optimum(instance: &Instance, objective: Objective, known: Vec<&Tree>) -> f64 {
    let task = Task {
        instance,
        objective,
        cap: f64::INFINITY,
        trees: known,
        deadline: None,
        memory: MEMORY,
        // The data sets are already shared among the threads.
        threads: 1,
        switches: Switches::ALL,
        proof: false,
    };
    let solution = exact::solve(&task, |_| true);
    let lambda = match objective {
        Objective::Exponential(lambda) => lambda,
        Objective::Expected | Objective::Worst => Lambda::TWO,
    };
    // The tree's own cost, because the bound may differ from it by rounding.
    solution.tree.map_or(solution.bound, |tree| Costs::of(&tree, instance, lambda).get(objective))
}

/// Best bound for `kind` without those that solve linear programs, which are too slow for thousands of tables.
fn affordable_bound(instance: &Instance, lambda: Lambda, kind: ObjectiveKind) -> f64 {
    let outlook = BoundInput::of(instance);
    let affordable =
        |entry: &&Entry| entry.kind == kind && !matches!(entry.name, "separation" | "certificate");
    bound::entries(instance)
        .filter(affordable)
        .map(|entry| (entry.value)(&outlook, lambda))
        .fold(0.0, f64::max)
}

/// Number as axes show it.
fn text(value: f64) -> String {
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_set_has_a_stream_of_its_own() {
        let cell = |place: &str| vec![("beta_w", place.to_owned()), ("beta_b", "1".to_owned())];
        let mut streams = vec![
            stream(0, "figure6", &cell("1"), 0),
            stream(0, "figure6", &cell("1"), 1),
            stream(0, "figure6", &cell("2"), 0),
            stream(0, "figure7", &cell("1"), 0),
            stream(1, "figure6", &cell("1"), 0),
            stream(0, "figure6", &vec![("beta_w", "11".to_owned())], 0),
            stream(0, "figure6", &vec![("beta_w1", "1".to_owned())], 0),
        ];
        assert_eq!(streams[0], stream(0, "figure6", &cell("1"), 0));
        streams.sort_unstable();
        streams.dedup();
        assert_eq!(streams.len(), 7);
    }
}
