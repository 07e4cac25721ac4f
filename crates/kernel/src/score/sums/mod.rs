//! Sums for all yes/no tests at one node: enough to tell which tests may be the best.
//!
//! A criterion that can be written with sums over cells is estimated for all tests in one pass over the node, which
//! is many times faster than a `Contingency` for each. These sums are rounded in another order than a contingency
//! table, so they do not decide: tests too close to call are counted exactly.

mod counted;
mod weighted;

use super::Prefilter;
use super::terms::{SHORT, SumsNeeded, Term, TermTables};
use crate::count::MIN_SHARED_LANES;
use crate::lane::Lane;
use crate::rows::NodeView;
use crate::sum::{PendingTables, Precision, Tables, add_values, sum};
use rayon::prelude::*;
use std::ops::Range;

/// Sums for every yes/no test at one node: shares of the node's weight if weights differ, otherwise counts.
#[derive(Debug, Default)]
pub struct NodeSums {
    /// Number of objects at the node.
    pub count: u32,
    /// Number of groups.
    pub groups: usize,
    /// Whether every object weighs 1.
    pub uniform: bool,
    /// Total weight: the number of objects, or 1 up to rounding.
    pub total: f64,
    /// Sum of the weights that the node's objects were packed with; 0 if weights do not matter.
    pub mass: f64,
    /// Columns of the tests that the lists are for; empty if they are for all.
    pub chosen: Vec<u32>,
    /// Number of objects with the second answer, by test. Empty if [only the difference](SumsNeeded::only_difference)
    /// is needed and no count is needed for it.
    pub second_counts: Vec<u32>,
    /// Weight of the objects with the second answer, by test.
    pub second_weights: Vec<f64>,
    /// Sum of the moments of the objects with the second answer, by test.
    pub second_moments: Vec<f64>,
    /// Sum of all moments.
    pub moments: f64,
    /// Sum of the cells' terms, by answer and test. [`Term::Information`] is in the first list, for both answers.
    pub cells: [Vec<f64>; 2],
    /// Sums for [`Term::Rivals`], by answer and test.
    pub rivals: [Vec<f64>; 2],
    /// Sum of the rows' terms, by test. Empty if [only the difference](SumsNeeded::only_difference) is needed and was
    /// summed directly: then it is in the cells.
    pub rows: Vec<f64>,
    /// Sum of the terms of whole groups.
    pub group_cells: f64,
    /// Row term of the whole node.
    pub whole: f64,
    is_information: bool,
    precision: Precision,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    counts: Vec<u32>,
    sums: Vec<f64>,
    values: Vec<f64>,
    /// Rows of objects that are alone in their group.
    single_rows: Vec<Lane>,
    single_values: Vec<f64>,
    minorities: PendingTables,
    tables: Tables,
    prefilter_state: Prefilter,
}

impl NodeSums {
    /// Sums up the node `part` for `tests` packed tests; the shares of many objects [coarsely](Self::is_coarse) if
    /// that suffices.
    pub fn count(&mut self, part: &NodeView<'_>, terms: &TermTables, tests: usize) {
        let only_difference = terms.needed.only_difference;
        let precision =
            if only_difference { Precision::for_information(part.len()) } else { Precision::Fine };
        self.count_in(precision, part, terms, tests);
    }

    /// Sums up with fine shares in any case.
    pub fn count_finely(&mut self, part: &NodeView<'_>, terms: &TermTables, tests: usize) {
        self.count_in(Precision::Fine, part, terms, tests);
    }

    fn count_in(&mut self, precision: Precision, part: &NodeView<'_>, terms: &TermTables, tests: usize) {
        let padded = tests.next_multiple_of(8);
        self.begin(precision, part, terms, padded);
        self.sum_moments(part, padded);
        if self.uniform {
            self.count_uniform(part, terms, padded);
        } else {
            self.count_weighted(part, terms, padded);
        }
        self.whole = terms.needed.rows.of(self.total);
    }

    /// Sets the sums of `part` that depend on no test, and clears the lists for `padded` tests.
    fn begin(&mut self, precision: Precision, part: &NodeView<'_>, terms: &TermTables, padded: usize) {
        self.count = part.len() as u32;
        self.groups = part.runs.len();
        self.mass = sum(part.weights);
        self.uniform = self.mass <= 0.0;
        self.total = f64::from(self.count);
        self.precision = if self.uniform { Precision::Fine } else { precision };
        self.group_cells = 0.0;
        // Lists that are not needed stay empty.
        let SumsNeeded { cells, rows, .. } = terms.needed;
        self.is_information = [cells, rows].contains(&Term::Information);
        let is_one_sum = self.uniform && terms.needed.is_one_sum(self.count);
        let is_counted = if self.uniform { !is_one_sum } else { !terms.needed.only_difference };
        self.chosen.clear();
        clear(&mut self.second_counts, if is_counted { padded } else { 0 });
        let by_answer = !matches!(cells, Term::Nothing | Term::Information);
        clear(&mut self.cells[0], if cells == Term::Nothing { 0 } else { padded });
        clear(&mut self.cells[1], if by_answer { padded } else { 0 });
        self.rivals.iter_mut().for_each(|sums| clear(sums, if cells == Term::Rivals { padded } else { 0 }));
        clear(&mut self.rows, if rows == Term::Nothing || is_one_sum { 0 } else { padded });
    }

    /// Whether shares were rounded coarsely: then the [slack](Self::slack) is larger.
    pub fn is_coarse(&self) -> bool {
        self.precision == Precision::Coarse
    }

    /// Largest difference between a formula of these sums and the same formula of a contingency table, if values are
    /// logarithms of numbers of objects or smaller: a rounding error for each number that was added.
    ///
    /// Shares are rounded by half a unit at most, and `x log₂ x` changes with `x` by at most the logarithm of a unit,
    /// which is 51 or less. Information has no more bits than a group has, so dividing it by a total with that error
    /// changes it by less than the rest up to 64.
    pub fn slack(&self) -> f64 {
        let added = 2 * self.groups + if self.uniform { 64 } else { 64 + self.count as usize };
        let is_rounded = !self.uniform && self.is_information;
        let logarithm = if is_rounded { 64.0 } else { 8.0 + f64::from(self.count).log2() };
        self.precision.unit() / 2.0 * added as f64 * logarithm
    }

    fn sum_moments(&mut self, part: &NodeView<'_>, padded: usize) {
        clear(&mut self.second_moments, if part.moments.is_empty() { 0 } else { padded });
        add_values(part.rows, part.stride, part.moments, &mut self.scratch.tables, &mut self.second_moments);
        self.moments = sum(part.moments);
    }

    /// Adds the terms of one group of `len` objects; `counts` holds the number of second answers, by test.
    fn add_cells(&mut self, counts: &[u32], len: u32, terms: &TermTables) {
        let [first, second] = &mut self.cells;
        self.group_cells += terms.cell(len);
        match (terms.needed.cells, terms.both.get(len as usize)) {
            (Term::Information, Some(both)) => {
                for (sum, count) in first.iter_mut().zip(counts) {
                    *sum += both[*count as usize % SHORT];
                }
            }
            (Term::Information, None) if (len as usize) < terms.cells.len() => {
                let cells = &terms.cells[..=len as usize];
                for (sum, count) in first.iter_mut().zip(counts) {
                    *sum += cells[*count as usize] + cells[(len - count) as usize];
                }
            }
            (Term::Rivals, _) => {
                let share = 1.0 / f64::from(self.count - len);
                for (at, count) in counts.iter().enumerate() {
                    let (n, rest) = (f64::from(*count), f64::from(len - count));
                    first[at] += rest * rest * share;
                    second[at] += n * n * share;
                    self.rivals[0][at] += rest * share;
                    self.rivals[1][at] += n * share;
                }
            }
            (term, _) => {
                let second = if term == Term::Information { None } else { Some(second) };
                for (sum, count) in first.iter_mut().zip(counts) {
                    *sum += terms.cell(len - count);
                }
                let sums = second.unwrap_or(first);
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum += terms.cell(*count);
                }
            }
        }
    }

    /// Adds to [`Term::Rivals`] the weights of objects that are alone in their groups, by their answers.
    fn add_single_rivals(&mut self, weights: impl Iterator<Item = (f64, f64)>) {
        let share = 1.0 / f64::from(self.count - 1);
        let ([first, second], [first_rivals, second_rivals]) = (&mut self.cells, &mut self.rivals);
        for (at, (rest, weight)) in weights.enumerate() {
            first[at] += rest * share;
            second[at] += weight * share;
            first_rivals[at] += rest * share;
            second_rivals[at] += weight * share;
        }
    }
}

/// Most runs that are counted ahead of being summed.
const MAX_RUNS_AHEAD: usize = 1024;

/// Runs `count` on the rows of each run by several threads; returns an empty list if that does not pay. Every run is
/// counted by one thread, so its sums do not depend on the number of threads.
fn for_runs<T: Clone + Default + Send>(
    part: &NodeView<'_>,
    padded: usize,
    count: impl Fn(&[Lane], Range<usize>, &mut [T]) + Sync,
) -> Vec<Vec<T>> {
    if part.rows.len() < MIN_SHARED_LANES
        || part.runs.len() > MAX_RUNS_AHEAD
        || rayon::current_num_threads() < 2
    {
        return Vec::new();
    }
    let ranges = part.runs.iter().scan(0, |start, run| {
        let range = *start..*start + run.len as usize;
        *start = range.end;
        Some(range)
    });
    let of = |range: Range<usize>| {
        let mut sums = vec![T::default(); padded];
        count(&part.rows[range.start * part.stride..range.end * part.stride], range, &mut sums);
        sums
    };
    ranges.collect::<Vec<_>>().into_par_iter().map(of).collect()
}

fn clear<T: Clone + Default>(numbers: &mut Vec<T>, len: usize) {
    numbers.clear();
    numbers.resize(len, T::default());
}
