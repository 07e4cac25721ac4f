//! Cells of a line without quotes, on their way into the columns.

use super::cells::{BadCell, Cells, Columns};
use memchr::memchr;
use std::ops::Range;

/// Mistake in a line.
pub(super) enum Mistake {
    /// A cell that is not text, and its column, from 0.
    Cell(BadCell, usize),
    /// Too few or too many cells.
    Length,
}

/// Adds the cells of a line without quotes to the columns, except the name at `object_at`. Returns whether the narrow
/// columns were as expected.
pub(super) fn add(
    columns: &mut Columns,
    object_at: usize,
    line: &[u8],
    separator: u8,
) -> Result<bool, Mistake> {
    let mut line = Line { columns, object_at, text: line, at: 0, separator, is_expected: false };
    line.add(0..object_at)?;
    let name = line.rest()?;
    line.at += memchr(separator, name).unwrap_or(name.len()) + 1;
    line.add(object_at..line.columns.len())?;
    // The last cell ends where the next separator would be.
    if line.at == line.text.len() + 1 { Ok(line.is_expected) } else { Err(Mistake::Length) }
}

/// Line that is being read into the columns.
struct Line<'a> {
    columns: &'a mut Columns,
    object_at: usize,
    text: &'a [u8],
    /// Index of the next cell in the text.
    at: usize,
    separator: u8,
    /// Whether the narrow columns were as expected.
    is_expected: bool,
}

impl<'a> Line<'a> {
    fn rest(&self) -> Result<&'a [u8], Mistake> {
        self.text.get(self.at..).ok_or(Mistake::Length)
    }

    /// Adds the next cells, one to each column of `range`; narrow columns are added together.
    fn add(&mut self, range: Range<usize>) -> Result<(), Mistake> {
        let narrow =
            self.columns.narrow().filter(|narrow| range.start <= narrow.start && narrow.end <= range.end);
        let Some(narrow) = narrow else { return self.add_one_by_one(range) };
        self.add_one_by_one(range.start..narrow.start)?;
        let rest = self.rest()?;
        if let Some(len) = self.columns.push_narrow(rest, self.separator) {
            self.at += len + 1;
            self.is_expected = true;
            self.add_one_by_one(narrow.end..range.end)
        } else {
            self.add_one_by_one(narrow.start..range.end)
        }
    }

    fn add_one_by_one(&mut self, range: Range<usize>) -> Result<(), Mistake> {
        if !range.is_empty() {
            // The column of the names has no number.
            let first = range.start + usize::from(range.start >= self.object_at);
            self.at = add_cells(self.columns.range_mut(range), self.text, self.at, self.separator, first)?;
        }
        Ok(())
    }
}

/// Adds the cells from byte `at` on, one to each column, and returns the index after the separator of the last.
#[inline]
pub(super) fn add_cells<'a>(
    columns: impl Iterator<Item = Cells<'a>>,
    line: &[u8],
    mut at: usize,
    separator: u8,
    first: usize,
) -> Result<usize, Mistake> {
    for (number, mut column) in columns.enumerate() {
        let rest = line.get(at..).ok_or(Mistake::Length)?;
        // A table of yes and no consists of one byte and one separator after the other. When the processor predicts
        // this, the next cell does not wait for this one. A byte that is itself a separator was never seen as a cell.
        if let &[byte, next, ..] = rest
            && next == separator
            && column.push_recent_byte(byte)
        {
            at += 2;
        } else if let Some(word) = rest.first_chunk()
            && let Some(len) = column.push_recent_before(separator, word)
        {
            at += len + 1;
        } else {
            at += add_cell(column, rest, separator).map_err(|bad| Mistake::Cell(bad, first + number))?;
        }
    }
    Ok(at)
}

/// Adds the cell at the beginning of `rest`, and returns its length with the separator.
#[inline(never)]
fn add_cell(mut column: Cells<'_>, rest: &[u8], separator: u8) -> Result<usize, BadCell> {
    let cell = &rest[..memchr(separator, rest).unwrap_or(rest.len())];
    column.push(cell)?;
    Ok(cell.len() + 1)
}
