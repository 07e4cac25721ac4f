//! Lines of very many columns, added to the columns tile by tile.
//!
//! Each column keeps a few kilobytes of texts and hashes. Thousands of columns do not fit the processor's caches, so
//! that a line added by itself waits for memory at every cell. Here some lines are kept back, and then a few columns at
//! a time take their cells of all these lines.

use super::cells::Columns;
use super::line::{self, Mistake, add_cells};
use memchr::{memchr, memchr_iter};
use std::ops::Range;

/// Columns of a tile: with a few kilobytes each, they fit the second cache.
const TILE: usize = 32;

/// Lines of a block: enough that a tile is fetched from memory rarely, and few enough that their text stays in a cache.
const LINES: usize = 64;

/// Bytes of a block above which it is added although it has fewer lines.
const BYTES: usize = 4 << 20;

/// Fewest columns for which tiles are faster.
const LEAST_COLUMNS: usize = 1024;

/// Lines that are kept back.
#[derive(Default)]
pub(super) struct Block {
    text: Vec<u8>,
    lines: Vec<Waiting>,
}

/// Line of a block.
struct Waiting {
    /// Row of the file.
    row: usize,
    /// Place in the text.
    text: Range<usize>,
    /// Index of the next cell in the line.
    at: usize,
}

/// Mistake in a line of a block.
pub(super) struct Fault {
    /// Row of the line.
    pub(super) row: usize,
    /// Number of its cells.
    pub(super) cells: usize,
    pub(super) mistake: Mistake,
}

impl Block {
    /// Whether tiles are faster for these columns: there are many, and most of them are not read together anyway.
    pub(super) fn suits(columns: &Columns) -> bool {
        columns.len() >= LEAST_COLUMNS
            && columns.narrow().is_none_or(|narrow| narrow.len() * 2 < columns.len())
    }

    /// Keeps a line back. Returns whether the block is full and must be added.
    pub(super) fn push(&mut self, row: usize, line: &[u8]) -> bool {
        let start = self.text.len();
        self.text.extend_from_slice(line);
        self.lines.push(Waiting { row, text: start..self.text.len(), at: 0 });
        self.lines.len() >= LINES || self.text.len() >= BYTES
    }

    /// Adds all lines that were kept back. An error is that of the first line with a mistake, with its row.
    pub(super) fn flush(
        &mut self,
        columns: &mut Columns,
        object_at: usize,
        separator: u8,
    ) -> Result<(), Fault> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let added = self.add(columns, object_at, separator);
        // The mistake that was met first need not be in the first line that has one.
        let first = added.map_err(|(at, mistake)| {
            let (at, mistake) = self.first_mistake(columns, object_at, separator).unwrap_or((at, mistake));
            let Waiting { row, text, .. } = &self.lines[at];
            Fault { row: *row, cells: 1 + memchr_iter(separator, &self.text[text.clone()]).count(), mistake }
        });
        self.text.clear();
        self.lines.clear();
        first
    }

    fn add(
        &mut self,
        columns: &mut Columns,
        object_at: usize,
        separator: u8,
    ) -> Result<(), (usize, Mistake)> {
        for range in tiles(0..object_at) {
            self.add_tile(columns, range, separator)?;
        }
        for (number, line) in self.lines.iter_mut().enumerate() {
            let text = &self.text[line.text.clone()];
            let name = text.get(line.at..).ok_or((number, Mistake::Length))?;
            line.at += memchr(separator, name).unwrap_or(name.len()) + 1;
        }
        for range in tiles(object_at..columns.len()) {
            self.add_tile(columns, range, separator)?;
        }
        match self.lines.iter().position(|line| line.at != line.text.len() + 1) {
            Some(number) => Err((number, Mistake::Length)),
            None => Ok(()),
        }
    }

    fn add_tile(
        &mut self,
        columns: &mut Columns,
        range: Range<usize>,
        separator: u8,
    ) -> Result<(), (usize, Mistake)> {
        for (number, line) in self.lines.iter_mut().enumerate() {
            let cells = columns.range_mut(range.clone());
            let text = &self.text[line.text.clone()];
            line.at = add_cells(cells, text, line.at, separator, range.start).map_err(|bad| (number, bad))?;
        }
        Ok(())
    }

    /// The first line with a mistake, found by adding line after line to other columns.
    fn first_mistake(&self, columns: &Columns, object_at: usize, separator: u8) -> Option<(usize, Mistake)> {
        let mut others = columns.alike();
        self.lines.iter().enumerate().find_map(|(number, line)| {
            let text = &self.text[line.text.clone()];
            line::add(&mut others, object_at, text, separator).err().map(|mistake| (number, mistake))
        })
    }
}

/// Tiles of a range of columns.
fn tiles(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(TILE).map(move |start| start..end.min(start + TILE))
}
