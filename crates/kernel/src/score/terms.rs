//! Terms that a criterion sums, and tables of them for whole numbers.

use crate::count::MAX_MINORITY_ROWS;
use crate::math::information;

/// Function of a weight, summed over the cells or the rows of a contingency table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// No sum.
    Nothing,
    /// `x log₂ x`, summed over both answers.
    Information,
    /// Power `x^a`.
    Power(f64),
    /// 1 for every cell with objects, regardless of their weight.
    Present,
    /// Value `n x / (N − n_g)` for a cell of `n` objects that weigh `x`, if the node has `N` objects and the group
    /// `n_g`; and in [`NodeSums::rivals`](super::NodeSums::rivals) the same without `n`.
    Rivals,
}

/// Sums that a criterion needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SumsNeeded {
    /// Term summed over the groups of each answer.
    pub cells: Term,
    /// Term summed over the answers: [`Term::Information`], or any function of counts if all objects weigh 1.
    pub rows: Term,
    /// Whether only the first sum minus the second matters: then they need not be kept apart.
    pub only_difference: bool,
}

impl SumsNeeded {
    /// Needs two separate sums.
    pub const fn new(cells: Term, rows: Term) -> Self {
        Self { cells, rows, only_difference: false }
    }

    /// Whether one sum suffices at a node of `count` objects, if all weigh the same.
    pub(super) fn is_one_sum(self, count: u32) -> bool {
        self.only_difference && self.cells == Term::Information && count as usize <= MAX_MINORITY_ROWS
    }
}

/// Size of the table of terms of whole numbers; terms of larger numbers are computed.
const TABLE: usize = 4096;
/// Length below which runs have a table of the terms of both answers together.
pub(super) const SHORT: usize = 64;

/// Terms that are needed, as tables if weights are counts.
#[derive(Debug)]
pub struct TermTables {
    pub(super) needed: SumsNeeded,
    pub(super) cells: Vec<f64>,
    pub(super) rows: Vec<f64>,
    /// Terms of both cells together, by length of the run and number of objects with the second answer.
    pub(super) both: Vec<[f64; SHORT]>,
    /// Terms of both rows together, for short nodes.
    pub(super) both_rows: Vec<[f64; SHORT]>,
}

impl Term {
    /// Value of the term at `x`, for the terms that depend on a weight alone.
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

    /// Whether the term is steep at 0: then weights keep all their digits, and none is computed as the complement of
    /// others.
    pub(super) fn is_steep(self) -> bool {
        matches!(self, Self::Power(exponent) if exponent < 1.0)
    }
}

impl TermTables {
    /// Makes tables for nodes of up to `objects` objects.
    pub fn new(needed: SumsNeeded, objects: usize) -> Self {
        let table =
            |term: Term| -> Vec<f64> { (0..TABLE.min(objects + 1)).map(|x| term.of(x as f64)).collect() };
        let both = |terms: &[f64]| {
            // A run of `len` objects has at most `len` with one answer.
            let of = |len: usize| std::array::from_fn(|x| terms[x.min(len)] + terms[len.saturating_sub(x)]);
            (0..SHORT.min(objects + 1)).map(of).collect()
        };
        let cells = table(needed.cells);
        let rows = if needed.rows == needed.cells { cells.clone() } else { table(needed.rows) };
        Self { needed, both: both(&cells), both_rows: both(&rows), cells, rows }
    }

    pub(super) fn cell(&self, count: u32) -> f64 {
        let beyond = || self.needed.cells.of(f64::from(count));
        self.cells.get(count as usize).copied().unwrap_or_else(beyond)
    }

    /// Terms of both cells of a run together, by its minority count.
    pub(super) fn minorities<'a>(&'a self, len: usize, scratch: &'a mut Vec<f64>) -> &'a [f64] {
        if let Some(both) = self.both.get(len) {
            return &both[..=len / 2];
        }
        let cells = &self.cells[..=len];
        scratch.clear();
        scratch
            .extend(cells.iter().zip(cells.iter().rev()).take(len / 2 + 1).map(|(few, others)| few + others));
        scratch
    }

    /// Terms of both rows of a node of `len` objects together, by its minority count.
    pub(super) fn row_minorities<'a>(&self, len: usize, scratch: &'a mut Vec<f64>) -> &'a [f64] {
        let rows = &self.rows[..=len];
        scratch.clear();
        scratch.extend(
            rows.iter().zip(rows.iter().rev()).take(len / 2 + 1).map(|(few, others)| -(few + others)),
        );
        scratch
    }

    pub(super) fn row(&self, count: u32) -> f64 {
        let beyond = || self.needed.rows.of(f64::from(count));
        self.rows.get(count as usize).copied().unwrap_or_else(beyond)
    }
}
