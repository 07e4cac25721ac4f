//! Cells without a value, and what they mean for the whole table.

use crate::{Column, Identify, MissingCells, Reading, Table, Warning};

/// Most objects of a table whose gaps may mean "not recorded": an object with a gap goes down every branch, so that trees
/// of large tables would grow out of bounds.
const MOST_OBJECTS: usize = 5_000;

/// Gaps of the columns of tests.
#[derive(Default)]
pub(super) struct Gaps {
    /// Number of gaps of each column that has some.
    columns: Vec<(String, usize)>,
    /// Number of all cells.
    cells: usize,
    /// Words that were taken for gaps.
    words: Vec<String>,
}

impl Gaps {
    /// Counts the gaps in the columns at positions `tests`; `words` were taken for gaps.
    pub(super) fn of(table: &Table, tests: &[usize], words: Vec<String>) -> Self {
        let columns = || tests.iter().map(|&at| &table.columns[at]);
        let count = |column: &Column| Some((column.name.clone(), column.missing?.count));
        Self {
            columns: columns().filter_map(count).collect(),
            cells: columns().map(|column| column.codes.len()).sum(),
            words,
        }
    }

    fn count(&self) -> usize {
        self.columns.iter().map(|(_, count)| count).sum()
    }

    /// Meaning of a gap in this table: what the reading says, or the one that suits the table.
    ///
    /// A table is like a key if each object is to be found by itself, or groups hold fewer than two objects on average:
    /// then a gap says that nothing was looked up. Tables of many cases record gaps for a reason, such as a test that was not
    /// ordered.
    pub(super) fn meaning(
        &self,
        reading: &Reading,
        identify: Identify,
        objects: usize,
        groups: usize,
    ) -> MissingCells {
        if reading.missing != MissingCells::Auto {
            return reading.missing;
        }
        let is_key = identify == Identify::Objects || groups * 2 > objects;
        match is_key && objects <= MOST_OBJECTS && !reading.confirm {
            true => MissingCells::Any,
            false => MissingCells::Answer,
        }
    }

    /// Says how many gaps there are and how they were read.
    pub(super) fn warning(mut self, read_as: MissingCells) -> Option<Warning> {
        let count = self.count();
        self.columns.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let Self { columns, cells, words } = self;
        (count > 0).then_some(Warning::Gaps { count, cells, columns, words, read_as })
    }
}
