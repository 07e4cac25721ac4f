//! Contingency table of one test at one node: weights and counts per answer and group. Counting only, no scores.

mod count;
mod given;
mod shares;

use crate::{AnswerId, Candidates, Run, TestId};
use std::ops::Range;

/// Source of [`Contingency`] tables: criteria and builders use it without knowing where the rows are stored.
pub trait Count: Sync {
    /// Number of tests that can be counted.
    fn test_count(&self) -> usize;

    /// Fills `table` with the counts of `candidates` by their answer to `test`, as detailed as `view` asks.
    fn count(&self, test: TestId, candidates: &Candidates, view: View<'_>, table: &mut Contingency);
}

/// Details that a criterion needs counted at a node: the fewer, the faster.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Whether answers are counted by group.
    pub columns: Columns,
    /// Weight of each object.
    pub weighing: Weighing,
    /// Number of each object to be summed by answer, such as a power of its probability.
    pub moments: Option<&'a [f64]>,
}

/// Columns of the table; its rows are the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// One column for all candidates.
    Whole,
    /// One column for each group.
    Groups,
}

/// Weight of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighing {
    /// Prior of the object; 1 each if all candidates have prior 0.
    Prior,
    /// 1 each.
    Uniform,
}

/// Counts and weights of the candidates by their answer to one test; answers that do not occur are left out.
#[derive(Clone, Debug, Default)]
pub struct Contingency {
    rows: Vec<RowData>,
    cells: Vec<Cell>,
    groups: Vec<Cell>,
    total: f64,
    count: u32,
    uniform: bool,
    prior_scale: f64,
    /// Sum of the candidates' own moments, if it differs from that of the rows.
    moment: Option<f64>,
    scratch: count::Scratch,
}

#[derive(Clone, Debug, Default)]
struct RowData {
    answer: u32,
    count: u32,
    weight: f64,
    moment: f64,
    cells: Range<u32>,
}

/// Objects of one group with one answer: their number and weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    /// Group, as a position in [`Candidates::runs`] and [`Contingency::groups`].
    pub group: u32,
    /// Number of objects.
    pub count: u32,
    /// Weight of these objects.
    pub weight: f64,
}

/// Row of a [`Contingency`]: the candidates with one answer.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    table: &'a Contingency,
    data: &'a RowData,
}

impl<'a> Row<'a> {
    /// Answer of this row.
    pub fn answer(self) -> AnswerId {
        AnswerId(self.data.answer)
    }

    /// Number of candidates with this answer.
    pub fn count(self) -> u32 {
        self.data.count
    }

    /// Weight of the candidates with this answer.
    pub fn weight(self) -> f64 {
        self.data.weight
    }

    /// Share of this answer in the whole weight, from 0 to 1.
    pub fn share(self) -> f64 {
        self.data.weight / self.table.total
    }

    /// Sum of the moments of this answer; 0 if the view asked for none.
    pub fn moment(self) -> f64 {
        self.data.moment
    }

    /// Groups of the candidates with this answer, in order; empty if the view asked for the whole only.
    pub fn cells(self) -> &'a [Cell] {
        &self.table.cells[self.data.cells.start as usize..self.data.cells.end as usize]
    }
}

impl Contingency {
    /// Rows of the answers that occur, in order of answers.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> + Clone {
        self.rows.iter().map(|data| Row { table: self, data })
    }

    /// Whether at least two answers occur.
    pub fn splits(&self) -> bool {
        self.rows.len() >= 2
    }

    /// Groups of the node, each with all its candidates.
    pub fn groups(&self) -> &[Cell] {
        &self.groups
    }

    /// Weight of all candidates, always above 0.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Number of candidates.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Sum of the candidates' moments; 0 if the view asked for none.
    pub fn moment(&self) -> f64 {
        self.moment.unwrap_or_else(|| self.rows.iter().map(|row| row.moment).sum())
    }

    /// Whether every object weighs 1 here: because the view asks for it, or because all priors are equal, possibly 0.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// Factor from a weight to a prior probability, if [`is_uniform`](Self::is_uniform) is false.
    pub fn prior_scale(&self) -> f64 {
        self.prior_scale
    }

    fn set_groups(&mut self, runs: &[Run]) {
        self.groups.clear();
        let uniform = self.uniform;
        self.groups.extend((0u32..).zip(runs).map(|(group, run)| {
            let weight = if uniform { f64::from(run.count()) } else { run.weight };
            Cell { group, count: run.count(), weight }
        }));
    }
}
