//! Tables as CSV, TSV and the like.

use super::assemble::{Assembler, Kind};
use super::cells::{self, BadCell, Cells, Columns};
use super::split::{Record, Records};
use super::{Place, Problem, ReadOptions};
use fewest_model::Table;
use memchr::memchr;
use std::io::Read;

/// Reads a table; the flag says whether it was read as Windows-1252.
pub(super) fn read(input: impl Read, options: &ReadOptions) -> Result<(Table, bool), Problem> {
    let mut records = Records::new(input)?;
    let separator = records.separator();
    let (row, header) = records.next()?.ok_or(Problem::Empty)?;
    let header = texts(row, &header, separator)?.into_iter().map(str::to_owned).collect();
    let mut table = Assembler::new(header, row, options)?;
    while let Some((row, record)) = records.next().map_err(|problem| problem.named(table.header()))? {
        add(&mut table, row, &record, separator).map_err(|problem| problem.named(table.header()))?;
    }
    Ok((table.finish(), records.is_windows_1252()))
}

/// The cells of a record as texts.
pub(super) fn texts<'a>(row: usize, record: &Record<'a>, separator: u8) -> Result<Vec<&'a str>, Problem> {
    let cells = record.cells(separator).enumerate();
    cells.map(|(at, cell)| cells::text(cell).map_err(|bad| bad_cell(bad, row, at))).collect()
}

/// Adds one row.
fn add(table: &mut Assembler, row: usize, record: &Record<'_>, separator: u8) -> Result<(), Problem> {
    let expected = table.header().len();
    let object_at = table.object_at();
    // A row that is out of step explains most other mistakes in it.
    let ragged = || {
        let found = record.cells(separator).count();
        (found != expected).then_some(Problem::Ragged { row, expected, found })
    };
    let name = record.cells(separator).nth(object_at).unwrap_or_default();
    let name = cells::text(name).map_err(|bad| bad_cell(bad, row, object_at));
    let kind = name.and_then(|name| table.begin(row, name)).map_err(|problem| ragged().unwrap_or(problem))?;
    let others = |at: &usize| *at != object_at;
    match (kind, record) {
        (Kind::Object, Record::Line(line)) => {
            let columns = &mut table.columns;
            add_line(columns, object_at, line, separator).map_err(|mistake| match mistake {
                Mistake::Cell(bad, at) => ragged().unwrap_or_else(|| bad_cell(bad, row, at)),
                Mistake::Length => ragged().expect("a line of the right length fills the columns"),
            })
        }
        (Kind::Object, Record::Cells(_)) => {
            ragged().map_or(Ok(()), Err)?;
            let cells = record.cells(separator).enumerate().filter(|(at, _)| others(at));
            for (mut column, (at, cell)) in table.columns.iter_mut().zip(cells) {
                column.push(cell).map_err(|bad| bad_cell(bad, row, at))?;
            }
            Ok(())
        }
        (Kind::About(about), _) => {
            ragged().map_or(Ok(()), Err)?;
            let texts = texts(row, record, separator)?.into_iter().enumerate().filter(|(at, _)| others(at));
            texts.enumerate().for_each(|(column, (_, text))| table.say(about, column, text));
            Ok(())
        }
    }
}

/// What can be wrong with a line.
enum Mistake {
    /// The cell at this place, counted from 0.
    Cell(BadCell, usize),
    /// Too few or too many cells.
    Length,
}

fn add_line(columns: &mut Columns, object_at: usize, line: &[u8], separator: u8) -> Result<(), Mistake> {
    let mut columns = columns.iter_mut();
    let mut at = 0;
    if object_at > 0 {
        at = add_cells(columns.by_ref().take(object_at), line, at, separator, 0)?;
    }
    let name = line.get(at..).ok_or(Mistake::Length)?;
    at += memchr(separator, name).unwrap_or(name.len()) + 1;
    at = add_cells(columns, line, at, separator, object_at + 1)?;
    // The last cell ends where a separator would stand next.
    if at == line.len() + 1 { Ok(()) } else { Err(Mistake::Length) }
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
        let pushed = match line.get(at..) {
            // One byte and a separator: what a table of yes and no is made of.
            Some(&[byte, next, ..]) if next == separator && byte != separator => {
                at += 2;
                column.push_byte(byte)
            }
            Some(rest) => {
                let cell = &rest[..memchr(separator, rest).unwrap_or(rest.len())];
                at += cell.len() + 1;
                column.push(cell)
            }
            None => return Err(Mistake::Length),
        };
        pushed.map_err(|bad| Mistake::Cell(bad, first + number))?;
    }
    Ok(at)
}

/// Says where a cell is that is no text; `at` counts columns from 0.
pub(super) fn bad_cell(bad: BadCell, row: usize, at: usize) -> Problem {
    let place = Place { row, position: at + 1, name: None };
    match bad {
        BadCell::Nul => Problem::Nul { place },
        BadCell::Encoding => Problem::Encoding { place },
    }
}
