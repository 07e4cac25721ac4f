//! What all yes/no tests say at one node, in sums: enough to tell which of them may be the best.
//!
//! A criterion that can be written with sums over cells is estimated for all tests in one pass over the node, which is
//! many times faster than a [`Contingency`](super::Contingency) for each. These sums are rounded in another order than
//! there, so they do not decide: tests that are too close to call are left to the exact count.

mod uniform;
mod weighted;

use crate::Stretch;
use crate::grain::Grain;
use crate::lanes::{LONGEST_FOLD, Lane};
use crate::logs::information;
use crate::lookup::Collected;
use crate::simd::{Sieve, Tables, add_values, sum};
use rayon::prelude::*;
use std::ops::Range;

/// A function of a weight, to be summed over the cells or the rows of a contingency table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// Nothing is summed.
    Nothing,
    /// `x log₂ x`, summed over both answers.
    Information,
    /// `x^a`.
    Power(f64),
    /// 1 for every cell that has objects, whatever they weigh.
    Present,
    /// `n x / (N − n_g)` for a cell of `n` objects that weigh `x`, where the node has `N` objects and the group `n_g`; and in
    /// [`Sums::rivals`] the same without `n`.
    Rivals,
}

/// What a criterion wants to be summed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Over the groups of each answer.
    pub cells: Term,
    /// Over the answers: [`Term::Information`], or any function of counts where all objects weigh 1.
    pub rows: Term,
    /// Whether nothing else matters than what the first sum is more than the second: then they need not be told apart.
    pub is_difference: bool,
}

impl Wanted {
    /// Two sums.
    pub const fn new(cells: Term, rows: Term) -> Self {
        Self { cells, rows, is_difference: false }
    }

    /// Whether only one sum is made at a node of so many objects, if they all weigh the same.
    fn is_one_sum(self, count: u32) -> bool {
        self.is_difference && self.cells == Term::Information && count as usize <= LONGEST_FOLD
    }
}

/// The terms of whole numbers, worked out once: up to here from a table.
const TABLE: usize = 4096;
/// For runs below this length also the sum of the terms of both answers.
const SHORT: usize = 64;

/// The terms that are wanted, as tables where weights are counts.
#[derive(Debug)]
pub struct Terms {
    wanted: Wanted,
    cells: Vec<f64>,
    rows: Vec<f64>,
    /// By length of the run and objects with the second answer: what both cells bring together.
    both: Vec<[f64; SHORT]>,
    /// The same for the rows of short nodes.
    both_rows: Vec<[f64; SHORT]>,
}

impl Term {
    /// Its value at `x`, for the terms that depend on a weight alone.
    #[inline]
    pub fn of(self, x: f64) -> f64 {
        match self {
            Self::Nothing | Self::Rivals => 0.0,
            Self::Information => information(x),
            Self::Power(2.0) => x * x,
            Self::Power(0.5) => x.max(0.0).sqrt(),
            Self::Power(exponent) => x.max(0.0).powf(exponent),
            Self::Present => f64::from(x > 0.0),
        }
    }

    /// Whether a little more of next to nothing makes it much more: then weights keep all their digits, and none is what others
    /// leave of the whole.
    fn is_steep(self) -> bool {
        matches!(self, Self::Power(exponent) if exponent < 1.0)
    }
}

impl Terms {
    /// Tables for nodes of up to `objects` objects.
    pub fn new(wanted: Wanted, objects: usize) -> Self {
        let table =
            |term: Term| -> Vec<f64> { (0..TABLE.min(objects + 1)).map(|x| term.of(x as f64)).collect() };
        let both = |terms: &[f64]| {
            // Of a run of `len` objects no more than these have an answer.
            let of = |len: usize| std::array::from_fn(|x| terms[x.min(len)] + terms[len.saturating_sub(x)]);
            (0..SHORT.min(objects + 1)).map(of).collect()
        };
        let cells = table(wanted.cells);
        let rows = if wanted.rows == wanted.cells { cells.clone() } else { table(wanted.rows) };
        Self { wanted, both: both(&cells), both_rows: both(&rows), cells, rows }
    }

    fn cell(&self, count: u32) -> f64 {
        let beyond = || self.wanted.cells.of(f64::from(count));
        self.cells.get(count as usize).copied().unwrap_or_else(beyond)
    }

    /// What both cells of a run bring together, by how few of its `len` objects differ from the others.
    fn folds<'a>(&'a self, len: usize, room: &'a mut Vec<f64>) -> &'a [f64] {
        if let Some(both) = self.both.get(len) {
            return &both[..=len / 2];
        }
        let cells = &self.cells[..=len];
        room.clear();
        room.extend(cells.iter().zip(cells.iter().rev()).take(len / 2 + 1).map(|(few, others)| few + others));
        room
    }

    /// What both rows of a node of `len` objects take away together, by how few differ from the others.
    fn row_folds<'a>(&self, len: usize, room: &'a mut Vec<f64>) -> &'a [f64] {
        let rows = &self.rows[..=len];
        room.clear();
        room.extend(
            rows.iter().zip(rows.iter().rev()).take(len / 2 + 1).map(|(few, others)| -(few + others)),
        );
        room
    }

    fn row(&self, count: u32) -> f64 {
        let beyond = || self.wanted.rows.of(f64::from(count));
        self.rows.get(count as usize).copied().unwrap_or_else(beyond)
    }
}

/// Sums for every yes/no test at one node. Where weights differ they are shares of the node's weight, else counts.
#[derive(Debug, Default)]
pub struct Sums {
    /// How many objects the node has.
    pub count: u32,
    /// How many groups.
    pub groups: usize,
    /// Whether every object weighs 1.
    pub uniform: bool,
    /// What all objects weigh: their number, or 1 but for rounding.
    pub total: f64,
    /// The sum of the weights that the node's objects were packed with; 0 where they do not matter.
    pub mass: f64,
    /// Which tests the lists are for, by column; nothing where they are for all.
    pub chosen: Vec<u32>,
    /// By test: how many objects give the second answer. Nothing where [only the difference](Wanted::is_difference) is wanted and
    /// no count is needed for it.
    pub seconds: Vec<u32>,
    /// By test: what they weigh.
    pub second_weights: Vec<f64>,
    /// By test: the sum of their moments.
    pub second_moments: Vec<f64>,
    /// The sum of all moments.
    pub moments: f64,
    /// By answer and test: the sum of the cells' terms. [`Term::Information`] is the first for both answers.
    pub cells: [Vec<f64>; 2],
    /// By answer and test, for [`Term::Rivals`].
    pub rivals: [Vec<f64>; 2],
    /// By test: the sum of the rows' terms. Nothing where [only the difference](Wanted::is_difference) is wanted and was made
    /// at once: then the sum of the cells is what is left of it.
    pub rows: Vec<f64>,
    /// The sum of the terms of whole groups.
    pub group_cells: f64,
    /// The rows' term of the whole node.
    pub whole: f64,
    is_information: bool,
    grain: Grain,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    counts: Vec<u32>,
    sums: Vec<f64>,
    values: Vec<f64>,
    /// Objects that are alone in their group.
    single_rows: Vec<Lane>,
    single_values: Vec<f64>,
    folds: Collected,
    tables: Tables,
    sieve: Sieve,
}

impl Sums {
    /// Sums up `part` for `tests` packed tests; shares of many objects [coarsely](Self::is_coarse) where that does.
    pub fn count(&mut self, part: &Stretch<'_>, terms: &Terms, tests: usize) {
        let is_difference = terms.wanted.is_difference;
        let grain = if is_difference { Grain::for_information(part.len()) } else { Grain::Fine };
        self.count_in(grain, part, terms, tests);
    }

    /// The same as finely as can be.
    pub fn count_finely(&mut self, part: &Stretch<'_>, terms: &Terms, tests: usize) {
        self.count_in(Grain::Fine, part, terms, tests);
    }

    fn count_in(&mut self, grain: Grain, part: &Stretch<'_>, terms: &Terms, tests: usize) {
        let padded = tests.next_multiple_of(8);
        self.begin(grain, part, terms, padded);
        self.sum_moments(part, padded);
        if self.uniform {
            self.count_uniform(part, terms, padded);
        } else {
            self.count_weighted(part, terms, padded);
        }
        self.whole = terms.wanted.rows.of(self.total);
    }

    /// What is known of `part` before any test is looked at, and room for so many tests.
    fn begin(&mut self, grain: Grain, part: &Stretch<'_>, terms: &Terms, padded: usize) {
        self.count = part.len() as u32;
        self.groups = part.runs.len();
        self.mass = sum(part.weights);
        self.uniform = self.mass <= 0.0;
        self.total = f64::from(self.count);
        self.grain = if self.uniform { Grain::Fine } else { grain };
        self.group_cells = 0.0;
        // What is not wanted is left empty.
        let Wanted { cells, rows, .. } = terms.wanted;
        self.is_information = [cells, rows].contains(&Term::Information);
        let is_one_sum = self.uniform && terms.wanted.is_one_sum(self.count);
        let is_counted = if self.uniform { !is_one_sum } else { !terms.wanted.is_difference };
        self.chosen.clear();
        clear(&mut self.seconds, if is_counted { padded } else { 0 });
        let by_answer = !matches!(cells, Term::Nothing | Term::Information);
        clear(&mut self.cells[0], if cells == Term::Nothing { 0 } else { padded });
        clear(&mut self.cells[1], if by_answer { padded } else { 0 });
        self.rivals.iter_mut().for_each(|sums| clear(sums, if cells == Term::Rivals { padded } else { 0 }));
        clear(&mut self.rows, if rows == Term::Nothing || is_one_sum { 0 } else { padded });
    }

    /// Whether shares were rounded more than they need be: then there is [more](Self::slack) that nobody can tell.
    pub fn is_coarse(&self) -> bool {
        self.grain == Grain::Coarse
    }

    /// By how much a formula of these sums may differ from the same formula of a contingency table, where values are
    /// logarithms of numbers of objects or smaller: a rounding error for each number that was added.
    ///
    /// Shares are rounded to whole units, each by half a unit at most, and `x log₂ x` changes with `x` by at most the logarithm of a
    /// unit, which is 51 or less. Information has no more bits than a group has, so to divide it by a total that is off by as much
    /// changes it by less than the rest up to 64.
    pub fn slack(&self) -> f64 {
        let added = 2 * self.groups + if self.uniform { 64 } else { 64 + self.count as usize };
        let is_rounded = !self.uniform && self.is_information;
        let logarithm = if is_rounded { 64.0 } else { 8.0 + f64::from(self.count).log2() };
        self.grain.unit() / 2.0 * added as f64 * logarithm
    }

    fn sum_moments(&mut self, part: &Stretch<'_>, padded: usize) {
        clear(&mut self.second_moments, if part.moments.is_empty() { 0 } else { padded });
        add_values(part.rows, part.stride, part.moments, &mut self.scratch.tables, &mut self.second_moments);
        self.moments = sum(part.moments);
    }

    /// Adds the terms of one group of `len` objects, of whom `counts` give the second answers.
    fn add_cells(&mut self, counts: &[u32], len: u32, terms: &Terms) {
        let [first, second] = &mut self.cells;
        self.group_cells += terms.cell(len);
        match (terms.wanted.cells, terms.both.get(len as usize)) {
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

    /// Adds to [`Term::Rivals`] what objects weigh that are alone in their groups, by their answers.
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

/// From this many lanes on, the runs of a node are worth several threads.
pub(super) const WORTH_SHARING: usize = 1 << 16;
/// So many runs may be looked at before their sums are wanted.
const MOST_AHEAD: usize = 1024;

/// What `count` finds of each run, from its rows and their places, by several threads; nothing where that is not worth
/// their while. Every run is one thread's, so its sums are the same as ever.
fn for_runs<T: Clone + Default + Send>(
    part: &Stretch<'_>,
    padded: usize,
    count: impl Fn(&[Lane], Range<usize>, &mut [T]) + Sync,
) -> Vec<Vec<T>> {
    if part.rows.len() < WORTH_SHARING || part.runs.len() > MOST_AHEAD || rayon::current_num_threads() < 2 {
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
