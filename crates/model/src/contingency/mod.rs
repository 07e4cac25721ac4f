//! What one test would say at one node: weights and counts per answer and group. Counting only, no scores.

mod count;
mod given;
mod shares;

use crate::{AnswerId, Candidates, Run, TestId};
use std::ops::Range;

/// Who counts. Criteria and builders see [`Contingency`] tables and never ask where the rows are.
pub trait Count: Sync {
    /// How many tests can be counted.
    fn test_count(&self) -> usize;

    /// Fills `table` with what `test` says about `candidates`, seen as `view` asks.
    fn count(&self, test: TestId, candidates: &Candidates, view: View<'_>, table: &mut Contingency);
}

/// How much of a node a criterion wants counted: the less, the faster.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Whether answers are broken down by group.
    pub columns: Columns,
    /// What each object weighs.
    pub weighing: Weighing,
    /// A number for each object to be summed by answer, such as a power of its probability.
    pub moments: Option<&'a [f64]>,
}

/// The columns of the table beside the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// One column for all candidates.
    Whole,
    /// One column for each group.
    Groups,
}

/// What an object weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighing {
    /// Its prior; 1 each where all candidates have prior 0.
    Prior,
    /// 1 each.
    Uniform,
}

/// The answers of one test among the candidates, with what weighs for each; answers that do not occur are left out.
#[derive(Clone, Debug, Default)]
pub struct Contingency {
    rows: Vec<RowData>,
    cells: Vec<Cell>,
    groups: Vec<Cell>,
    total: f64,
    count: u32,
    uniform: bool,
    prior_scale: f64,
    /// The sum of the candidates' own moments, where it is not that of the rows.
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

/// How many objects of one group, and what they weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    /// The group, as a position in [`Candidates::runs`] and [`Contingency::groups`].
    pub group: u32,
    /// How many objects.
    pub count: u32,
    /// What they weigh.
    pub weight: f64,
}

/// One answer's part of a [`Contingency`].
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    table: &'a Contingency,
    data: &'a RowData,
}

impl<'a> Row<'a> {
    /// The answer.
    pub fn answer(self) -> AnswerId {
        AnswerId(self.data.answer)
    }

    /// How many candidates give it.
    pub fn count(self) -> u32 {
        self.data.count
    }

    /// What they weigh.
    pub fn weight(self) -> f64 {
        self.data.weight
    }

    /// Their part of the whole weight, from 0 to 1.
    pub fn share(self) -> f64 {
        self.data.weight / self.table.total
    }

    /// The sum of their moments, 0 if the view asked for none.
    pub fn moment(self) -> f64 {
        self.data.moment
    }

    /// The groups among them, in order; empty if the view asked for the whole only.
    pub fn cells(self) -> &'a [Cell] {
        &self.table.cells[self.data.cells.start as usize..self.data.cells.end as usize]
    }
}

impl Contingency {
    /// The answers that occur, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> + Clone {
        self.rows.iter().map(|data| Row { table: self, data })
    }

    /// Whether at least two answers occur.
    pub fn splits(&self) -> bool {
        self.rows.len() >= 2
    }

    /// The groups of the node, each with all its candidates.
    pub fn groups(&self) -> &[Cell] {
        &self.groups
    }

    /// The weight of all candidates, always above 0.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// How many candidates there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The sum of the candidates' moments, 0 if the view asked for none.
    pub fn moment(&self) -> f64 {
        self.moment.unwrap_or_else(|| self.rows.iter().map(|row| row.moment).sum())
    }

    /// Whether every object weighs 1 here: by wish, or because all priors are equal, maybe 0.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// What a weight is multiplied by to become a prior probability, where [`is_uniform`](Self::is_uniform) is false.
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
