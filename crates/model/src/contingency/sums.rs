//! What all yes/no tests say at one node, in sums: enough to tell which of them may be the best.
//!
//! A criterion that can be written with sums over cells is estimated for all tests in one pass over the node, which is
//! many times faster than a [`Contingency`](super::Contingency) for each. These sums are rounded in another order than
//! there, so they do not decide: tests that are too close to call are left to the exact count.

use crate::Stretch;
use crate::lanes::{LONGEST_FOLD, Lane, fold_bits};
use crate::logs::information;
use crate::lookup::{Collected, Worth};
use crate::simd::{
    add_each, add_information, add_powers, add_powers_of_rests, add_values, add_worth, count_columns,
    fold_columns,
};
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
/// Up to so many objects are still in the cache when they are looked at again.
const SMALL_NODE: u32 = 4096;

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
}

impl Terms {
    /// Tables for nodes of up to `objects` objects.
    pub fn new(wanted: Wanted, objects: usize) -> Self {
        let table = |term: Term| (0..TABLE.min(objects + 1)).map(|x| term.of(x as f64)).collect();
        let both = |term: Term| {
            let of = |len: usize| {
                std::array::from_fn(|x| term.of(x as f64) + term.of(len.saturating_sub(x) as f64))
            };
            (0..SHORT.min(objects + 1)).map(of).collect()
        };
        Self {
            wanted,
            cells: table(wanted.cells),
            rows: table(wanted.rows),
            both: both(wanted.cells),
            both_rows: both(wanted.rows),
        }
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
    /// What all objects weigh: their number, or 1.
    pub total: f64,
    /// The sum of the weights that the node's objects were packed with; 0 where they do not matter.
    pub mass: f64,
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
    tables: Vec<Worth>,
}

impl Sums {
    /// Sums up `part` for `tests` packed tests.
    pub fn count(&mut self, part: &Stretch<'_>, terms: &Terms, tests: usize) {
        let padded = tests.next_multiple_of(8);
        self.count = (part.rows.len() / part.stride) as u32;
        self.groups = part.runs.len();
        self.mass = part.weights.iter().sum();
        self.uniform = self.mass <= 0.0;
        self.total = if self.uniform { f64::from(self.count) } else { 1.0 };
        self.group_cells = 0.0;
        // What is not wanted is left empty.
        let Wanted { cells, rows, .. } = terms.wanted;
        let is_one_sum = self.uniform && terms.wanted.is_one_sum(self.count);
        let is_counted = if self.uniform { !is_one_sum } else { !terms.wanted.is_difference };
        clear(&mut self.seconds, if is_counted { padded } else { 0 });
        let by_answer = !matches!(cells, Term::Nothing | Term::Information);
        clear(&mut self.cells[0], if cells == Term::Nothing { 0 } else { padded });
        clear(&mut self.cells[1], if by_answer { padded } else { 0 });
        self.rivals.iter_mut().for_each(|sums| clear(sums, if cells == Term::Rivals { padded } else { 0 }));
        clear(&mut self.rows, if rows == Term::Nothing || is_one_sum { 0 } else { padded });
        self.sum_moments(part, padded);
        if self.uniform {
            self.count_uniform(part, terms, padded);
        } else {
            self.count_weighted(part, terms, padded);
        }
        self.whole = terms.wanted.rows.of(self.total);
    }

    /// By how much a formula of these sums may differ from the same formula of a contingency table, where values are
    /// logarithms of numbers of objects or smaller: a rounding error for each number that was added.
    pub fn slack(&self) -> f64 {
        let added = 2 * self.groups + if self.uniform { 64 } else { 64 + self.count as usize };
        f64::EPSILON * added as f64 * (8.0 + f64::from(self.count).log2())
    }

    fn sum_moments(&mut self, part: &Stretch<'_>, padded: usize) {
        clear(&mut self.second_moments, if part.moments.is_empty() { 0 } else { padded });
        add_values(part.rows, part.stride, part.moments, &mut self.scratch.tables, &mut self.second_moments);
        self.moments = part.moments.iter().sum();
    }

    fn count_uniform(&mut self, part: &Stretch<'_>, terms: &Terms, padded: usize) {
        match terms.wanted.cells {
            Term::Nothing => count_columns(part.rows, part.stride, &mut self.seconds),
            Term::Information if self.count <= SMALL_NODE => self.count_folded(part, terms, padded),
            _ => self.count_runs(part, terms, padded),
        }
        self.second_weights.clear();
        if !self.cells[1].is_empty() {
            self.second_weights.extend(self.seconds.iter().map(|count| f64::from(*count)));
        }
        match (terms.both_rows.get(self.count as usize), terms.rows.get(..=self.count as usize)) {
            (Some(both), _) => {
                for (sum, second) in self.rows.iter_mut().zip(&self.seconds) {
                    *sum = both[*second as usize % SHORT];
                }
            }
            (None, Some(rows)) => {
                for (sum, second) in self.rows.iter_mut().zip(&self.seconds) {
                    *sum = rows[*second as usize] + rows[(self.count - second) as usize];
                }
            }
            (None, None) => {
                for (sum, second) in self.rows.iter_mut().zip(&self.seconds) {
                    *sum = terms.row(*second) + terms.row(self.count - second);
                }
            }
        }
    }

    /// As [`count_runs`](Self::count_runs) where only the sum over both answers is wanted, and where objects are so few that a
    /// second look at all of them is cheap: then a run matters by how few of it differ from the others, and a few bits say that.
    /// So does the node itself where its rows need no sum of their own.
    fn count_folded(&mut self, part: &Stretch<'_>, terms: &Terms, padded: usize) {
        let (mut folds, mut counts) =
            (std::mem::take(&mut self.scratch.folds), std::mem::take(&mut self.scratch.counts));
        let mut worth = std::mem::take(&mut self.scratch.values);
        folds.begin(part.stride);
        if terms.wanted.is_one_sum(self.count) {
            let worth = terms.row_folds(part.len(), &mut worth);
            if let Some(room) = folds.push(fold_bits(part.len()), worth) {
                fold_columns(part.rows, part.stride, room);
            }
        } else {
            count_columns(part.rows, part.stride, &mut self.seconds);
        }
        let mut start = 0;
        for run in part.runs {
            let len = run.len as usize;
            let rows = &part.rows[start..start + len * part.stride];
            start += rows.len();
            // Who is alone in a group brings nothing.
            if len == 1 {
                continue;
            }
            if len > LONGEST_FOLD {
                clear(&mut counts, padded);
                count_columns(rows, part.stride, &mut counts);
                self.add_cells(&counts, run.len, terms);
                continue;
            }
            self.group_cells += terms.cells[len];
            let worth = terms.folds(len, &mut worth);
            let mut room = folds.push(fold_bits(len), worth);
            if room.is_none() {
                add_worth(folds.rows(), part.stride, folds.tables(), &mut self.cells[0]);
                folds.begin(part.stride);
                room = folds.push(fold_bits(len), worth);
            }
            fold_columns(rows, part.stride, room.expect("a run fits where nothing is"));
        }
        add_worth(folds.rows(), part.stride, folds.tables(), &mut self.cells[0]);
        (self.scratch.folds, self.scratch.counts, self.scratch.values) = (folds, counts, worth);
    }

    fn count_runs(&mut self, part: &Stretch<'_>, terms: &Terms, padded: usize) {
        let mut singles = std::mem::take(&mut self.scratch.single_rows);
        let mut counts = std::mem::take(&mut self.scratch.counts);
        singles.clear();
        let mut known = for_runs(part, padded, |rows, _, counts| count_columns(rows, part.stride, counts));
        let mut start = 0;
        for (at, run) in part.runs.iter().enumerate() {
            let end = start + run.len as usize * part.stride;
            let rows = &part.rows[start..end];
            start = end;
            if run.len == 1 {
                singles.extend_from_slice(rows);
                continue;
            }
            if let Some(known) = known.get_mut(at) {
                std::mem::swap(&mut counts, known);
            } else {
                clear(&mut counts, padded);
                count_columns(rows, part.stride, &mut counts);
            }
            add_counts(&mut self.seconds, &counts);
            self.add_cells(&counts, run.len, terms);
        }
        let alone = (singles.len() / part.stride) as u32;
        if alone > 0 {
            clear(&mut counts, padded);
            count_columns(&singles, part.stride, &mut counts);
            add_counts(&mut self.seconds, &counts);
            self.add_singles(&counts, alone, terms);
        }
        (self.scratch.single_rows, self.scratch.counts) = (singles, counts);
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

    /// Adds the terms of `alone` groups of one object, of which `counts` give the second answers.
    fn add_singles(&mut self, counts: &[u32], alone: u32, terms: &Terms) {
        if terms.wanted.cells == Term::Rivals {
            let parts = counts.iter().map(|count| (f64::from(alone - count), f64::from(*count)));
            return self.add_single_rivals(parts);
        }
        let one = terms.cell(1);
        self.group_cells += one * f64::from(alone);
        if one == 0.0 {
            return;
        }
        let [first, second] = &mut self.cells;
        for ((first, second), count) in first.iter_mut().zip(second).zip(counts) {
            *first += one * f64::from(alone - count);
            *second += one * f64::from(*count);
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

    fn count_weighted(&mut self, part: &Stretch<'_>, terms: &Terms, padded: usize) {
        let mut shares = std::mem::take(&mut self.scratch.values);
        let scale = 1.0 / self.mass;
        shares.clear();
        shares.extend(part.weights.iter().map(|weight| weight * scale));
        clear(&mut self.second_weights, padded);
        count_columns(part.rows, part.stride, &mut self.seconds);
        if terms.wanted.cells == Term::Nothing {
            add_values(part.rows, part.stride, &shares, &mut self.scratch.tables, &mut self.second_weights);
        } else {
            self.weigh_runs(part, &shares, terms, padded);
        }
        if terms.wanted.rows == Term::Information {
            add_information(&self.second_weights, self.total, &mut self.rows);
        }
        self.scratch.values = shares;
    }

    fn weigh_runs(&mut self, part: &Stretch<'_>, shares: &[f64], terms: &Terms, padded: usize) {
        let Scratch { mut single_rows, mut single_values, mut counts, mut sums, mut tables, values, folds } =
            std::mem::take(&mut self.scratch);
        single_rows.clear();
        single_values.clear();
        let counted = matches!(terms.wanted.cells, Term::Present | Term::Rivals);
        let mut known = for_runs(part, padded, |rows, range, sums| {
            add_values(rows, part.stride, &shares[range], &mut Vec::new(), sums);
        });
        let mut start = 0;
        for (at, run) in part.runs.iter().enumerate() {
            let end = start + run.len as usize;
            let (rows, shares) = (&part.rows[start * part.stride..end * part.stride], &shares[start..end]);
            start = end;
            if run.len == 1 && terms.wanted.cells != Term::Present {
                single_rows.extend_from_slice(rows);
                single_values.extend_from_slice(shares);
                continue;
            }
            if let Some(known) = known.get_mut(at) {
                std::mem::swap(&mut sums, known);
            } else {
                clear(&mut sums, padded);
                add_values(rows, part.stride, shares, &mut tables, &mut sums);
            }
            add_each(&sums, &mut self.second_weights);
            let whole: f64 = shares.iter().sum();
            if counted {
                clear(&mut counts, padded);
                count_columns(rows, part.stride, &mut counts);
                self.add_counted_cells(&counts, &sums, run.len, whole, terms);
            } else {
                self.add_weighed_cells(&sums, whole, terms);
            }
        }
        if terms.wanted.cells == Term::Rivals {
            let all: f64 = single_values.iter().sum();
            clear(&mut sums, padded);
            add_values(&single_rows, part.stride, &single_values, &mut tables, &mut sums);
            add_each(&sums, &mut self.second_weights);
            self.add_single_rivals(sums.iter().map(|sum| ((all - sum).max(0.0), *sum)));
            self.scratch = Scratch { single_rows, single_values, counts, sums, tables, values, folds };
            return;
        }
        add_values(&single_rows, part.stride, &single_values, &mut tables, &mut self.second_weights);
        if let Term::Power(exponent) = terms.wanted.cells {
            clear(&mut sums, single_values.len());
            add_powers(&single_values, exponent, &mut sums);
            std::mem::swap(&mut sums, &mut single_values);
        } else {
            single_values.iter_mut().for_each(|value| *value = terms.wanted.cells.of(*value));
        }
        let all: f64 = single_values.iter().sum();
        self.group_cells += all;
        let [first, second] = &mut self.cells;
        if terms.wanted.cells == Term::Information {
            first.iter_mut().for_each(|sum| *sum += all);
        } else {
            clear(&mut sums, padded);
            add_values(&single_rows, part.stride, &single_values, &mut tables, &mut sums);
            for ((first, second), sum) in first.iter_mut().zip(second).zip(&sums) {
                *first += all - sum;
                *second += sum;
            }
        }
        self.scratch = Scratch { single_rows, single_values, counts, sums, tables, values, folds };
    }

    fn add_weighed_cells(&mut self, sums: &[f64], whole: f64, terms: &Terms) {
        let term = terms.wanted.cells;
        self.group_cells += term.of(whole);
        let [first, second] = &mut self.cells;
        if term == Term::Information {
            return add_information(sums, whole, first);
        }
        if let Term::Power(exponent) = term {
            add_powers_of_rests(whole, sums, exponent, first);
            return add_powers(sums, exponent, second);
        }
        for ((first, second), sum) in first.iter_mut().zip(second).zip(sums) {
            *first += term.of(whole - sum);
            *second += term.of(*sum);
        }
    }

    /// Adds the terms of one group that depend on counts and maybe on weights.
    fn add_counted_cells(&mut self, counts: &[u32], sums: &[f64], len: u32, whole: f64, terms: &Terms) {
        if terms.wanted.cells == Term::Present {
            return self.add_cells(counts, len, terms);
        }
        let [first, second] = &mut self.cells;
        let share = 1.0 / f64::from(self.count - len);
        for (at, (count, sum)) in counts.iter().zip(sums).enumerate() {
            let rest = (whole - sum).max(0.0);
            first[at] += f64::from(len - count) * rest * share;
            second[at] += f64::from(*count) * sum * share;
            self.rivals[0][at] += rest * share;
            self.rivals[1][at] += sum * share;
        }
    }
}

/// From this many lanes on, the runs of a node are worth several threads.
const WORTH_SHARING: usize = 1 << 16;
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

fn add_counts(sums: &mut [u32], counts: &[u32]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}
