//! The cells of a line without quotes, on their way into the columns.

use super::cells::{BadCell, Cells, Columns};
use memchr::memchr;
use std::ops::Range;

/// What can be wrong with a line.
pub(super) enum Mistake {
    /// The cell at this place, counted from 0.
    Cell(BadCell, usize),
    /// Too few or too many cells.
    Length,
}

/// Adds the cells of a line without quotes to the columns, all but the name at `object_at`; says whether the narrow columns
/// were as expected.
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
    // The last cell ends where a separator would stand next.
    if line.at == line.text.len() + 1 { Ok(line.is_expected) } else { Err(Mistake::Length) }
}

/// A line on its way into the columns.
struct Line<'a> {
    columns: &'a mut Columns,
    object_at: usize,
    text: &'a [u8],
    /// Where the next cell begins.
    at: usize,
    separator: u8,
    /// Whether the narrow columns were as expected.
    is_expected: bool,
}

impl<'a> Line<'a> {
    fn rest(&self) -> Result<&'a [u8], Mistake> {
        self.text.get(self.at..).ok_or(Mistake::Length)
    }

    /// Adds the next cells, one to each column of `range`, at a stroke where that can be done.
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

/// Adds the cells from byte `at` on, one to each column, and gives the place after the separator of the last.
#[inline]
fn add_cells<'a>(
    columns: impl Iterator<Item = Cells<'a>>,
    line: &[u8],
    mut at: usize,
    separator: u8,
    first: usize,
) -> Result<usize, Mistake> {
    for (number, mut column) in columns.enumerate() {
        let rest = line.get(at..).ok_or(Mistake::Length)?;
        // One byte and a separator is what a table of yes and no is made of; when they are foreseen, the next cell
        // need not wait for this one. A byte that is itself a separator was never seen as a cell.
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

/// Adds the cell that `rest` begins with, and gives its length with the separator.
#[inline(never)]
fn add_cell(mut column: Cells<'_>, rest: &[u8], separator: u8) -> Result<usize, BadCell> {
    let cell = &rest[..memchr(separator, rest).unwrap_or(rest.len())];
    column.push(cell)?;
    Ok(cell.len() + 1)
}
