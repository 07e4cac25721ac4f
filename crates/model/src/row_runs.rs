//! Sets of rows, many of them adjacent.

use std::ops::Range;

/// Rows in rising order, stored as runs of adjacent rows: a million blank lines take as much memory as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowRuns {
    runs: Vec<Range<usize>>,
}

impl RowRuns {
    /// Adds a range of rows after all others; an empty range adds none.
    pub fn extend(&mut self, rows: Range<usize>) {
        debug_assert!(self.runs.last().is_none_or(|last| last.end <= rows.start));
        match self.runs.last_mut() {
            _ if rows.is_empty() => {}
            Some(last) if last.end == rows.start => last.end = rows.end,
            _ => self.runs.push(rows),
        }
    }

    /// Adds one row after all others.
    pub fn push(&mut self, row: usize) {
        self.extend(row..row + 1);
    }

    /// Iterates over the rows one by one.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.runs.iter().cloned().flatten()
    }

    /// Position of `row` after the rows of this set have been inserted: each inserted row at or before it moves it
    /// one further.
    pub(crate) fn skip(&self, row: usize) -> usize {
        self.runs.iter().fold(row, |row, run| if run.start <= row { row + run.len() } else { row })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_run_and_rows_move_behind_them() {
        let mut runs = RowRuns::default();
        runs.push(2);
        runs.extend(3..3);
        runs.extend(3..5);
        runs.push(7);
        assert_eq!(runs.iter().collect::<Vec<_>>(), [2, 3, 4, 7]);
        assert_eq!(runs.runs.len(), 2);
        // Objects stand in rows 2, 3, 4 … except the rows of this set.
        assert_eq!((2..6).map(|row| runs.skip(row)).collect::<Vec<_>>(), [5, 6, 8, 9]);
    }
}
