//! What a criterion wants to be summed, and tables of it for whole numbers.

use crate::count::MAX_MINORITY_ROWS;
use crate::math::information;

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
    /// [`NodeSums::rivals`](super::NodeSums::rivals) the same without `n`.
    Rivals,
}

/// What a criterion wants to be summed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SumsNeeded {
    /// Over the groups of each answer.
    pub cells: Term,
    /// Over the answers: [`Term::Information`], or any function of counts where all objects weigh 1.
    pub rows: Term,
    /// Whether nothing else matters than what the first sum is more than the second: then they need not be told apart.
    pub only_difference: bool,
}

impl SumsNeeded {
    /// Two sums.
    pub const fn new(cells: Term, rows: Term) -> Self {
        Self { cells, rows, only_difference: false }
    }

    /// Whether only one sum is made at a node of so many objects, if they all weigh the same.
    pub(super) fn is_one_sum(self, count: u32) -> bool {
        self.only_difference && self.cells == Term::Information && count as usize <= MAX_MINORITY_ROWS
    }
}

/// The terms of whole numbers, worked out once: up to here from a table.
const TABLE: usize = 4096;
/// For runs below this length also the sum of the terms of both answers.
pub(super) const SHORT: usize = 64;

/// The terms that are wanted, as tables where weights are counts.
#[derive(Debug)]
pub struct TermTables {
    pub(super) wanted: SumsNeeded,
    pub(super) cells: Vec<f64>,
    pub(super) rows: Vec<f64>,
    /// By length of the run and objects with the second answer: what both cells bring together.
    pub(super) both: Vec<[f64; SHORT]>,
    /// The same for the rows of short nodes.
    pub(super) both_rows: Vec<[f64; SHORT]>,
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
    pub(super) fn is_steep(self) -> bool {
        matches!(self, Self::Power(exponent) if exponent < 1.0)
    }
}

impl TermTables {
    /// Tables for nodes of up to `objects` objects.
    pub fn new(wanted: SumsNeeded, objects: usize) -> Self {
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

    pub(super) fn cell(&self, count: u32) -> f64 {
        let beyond = || self.wanted.cells.of(f64::from(count));
        self.cells.get(count as usize).copied().unwrap_or_else(beyond)
    }

    /// What both cells of a run bring together, by how few of its `len` objects differ from the others.
    pub(super) fn folds<'a>(&'a self, len: usize, room: &'a mut Vec<f64>) -> &'a [f64] {
        if let Some(both) = self.both.get(len) {
            return &both[..=len / 2];
        }
        let cells = &self.cells[..=len];
        room.clear();
        room.extend(cells.iter().zip(cells.iter().rev()).take(len / 2 + 1).map(|(few, others)| few + others));
        room
    }

    /// What both rows of a node of `len` objects take away together, by how few differ from the others.
    pub(super) fn row_folds<'a>(&self, len: usize, room: &'a mut Vec<f64>) -> &'a [f64] {
        let rows = &self.rows[..=len];
        room.clear();
        room.extend(
            rows.iter().zip(rows.iter().rev()).take(len / 2 + 1).map(|(few, others)| -(few + others)),
        );
        room
    }

    pub(super) fn row(&self, count: u32) -> f64 {
        let beyond = || self.wanted.rows.of(f64::from(count));
        self.rows.get(count as usize).copied().unwrap_or_else(beyond)
    }
}
