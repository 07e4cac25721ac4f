//! Cells of a sheet as CSV, kept without the commas that fill up short rows.

use super::super::super::Problem;
use crate::write::quoted;
use std::io::{self, Read};

/// Most bytes of the cells of a sheet.
const MOST_BYTES: usize = 600 << 20;
/// Most cells of a sheet, empty ones among them.
const MOST_CELLS: usize = 200_000_000;

/// Cells of a sheet, row by row.
#[derive(Debug, Default)]
pub(super) struct Grid {
    text: Vec<u8>,
    /// For each row the end of its text and the number of its cells.
    rows: Vec<(usize, u32)>,
    width: u32,
}

impl Grid {
    /// Adds row `row`, from 0; rows between it and the one before it are empty.
    pub(super) fn push(&mut self, row: u32, cells: &[(u32, String)]) -> Result<(), Problem> {
        while self.rows.len() < row as usize {
            self.rows.push((self.text.len(), 0));
        }
        let mut count = 0;
        for (column, text) in cells.iter().filter(|(_, text)| !text.is_empty()) {
            if *column < count {
                continue;
            }
            // A comma before every cell but the first one.
            let commas = column - count + u32::from(count > 0);
            self.text.extend(std::iter::repeat_n(b',', commas as usize));
            self.text.extend_from_slice(quoted(text).as_bytes());
            count = column + 1;
            if self.text.len() > MOST_BYTES {
                return Err(Problem::Unfolds { megabytes: MOST_BYTES >> 20 });
            }
        }
        self.rows.push((self.text.len(), count));
        self.width = self.width.max(count);
        Ok(())
    }

    /// Refuses more than this many bytes.
    pub(super) fn refuse_large(&self, most: usize) -> Result<(), Problem> {
        match self.text.len() > most {
            true => Err(Problem::Unfolds { megabytes: most >> 20 }),
            false => Ok(()),
        }
    }

    /// The cells as CSV, with as many cells in each row.
    pub(super) fn into_csv(self) -> Result<Csv, Problem> {
        if self.rows.len().saturating_mul(self.width as usize) > MOST_CELLS {
            return Err(Problem::Unfolds { megabytes: MOST_CELLS >> 20 });
        }
        Ok(Csv { grid: self, row: 0, at: 0, pending: Vec::new(), sent: 0 })
    }
}

/// Lines of a sheet, made while they are read.
pub(super) struct Csv {
    grid: Grid,
    row: usize,
    at: usize,
    pending: Vec<u8>,
    sent: usize,
}

impl Csv {
    /// Makes the next lines; returns whether there were any.
    fn fill(&mut self) -> bool {
        /// Bytes that are made at a time, about.
        const CHUNK: usize = 1 << 16;
        self.pending.clear();
        self.sent = 0;
        while self.pending.len() < CHUNK {
            let Some((end, count)) = self.grid.rows.get(self.row).copied() else { break };
            self.pending.extend_from_slice(&self.grid.text[self.at..end]);
            if count > 0 {
                let missing = (self.grid.width - count) as usize;
                self.pending.extend(std::iter::repeat_n(b',', missing));
            }
            self.pending.push(b'\n');
            (self.row, self.at) = (self.row + 1, end);
        }
        !self.pending.is_empty()
    }
}

impl Read for Csv {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.sent == self.pending.len() && !self.fill() {
            return Ok(0);
        }
        let count = buffer.len().min(self.pending.len() - self.sent);
        buffer[..count].copy_from_slice(&self.pending[self.sent..self.sent + count]);
        self.sent += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_filled_up_to_the_widest() {
        let mut grid = Grid::default();
        let cells = |cells: &[(u32, &str)]| {
            cells.iter().map(|(at, text)| (*at, (*text).to_owned())).collect::<Vec<_>>()
        };
        grid.push(1, &cells(&[(0, "o"), (2, "t,u")])).unwrap();
        grid.push(2, &cells(&[(1, "x")])).unwrap();
        grid.push(4, &cells(&[(0, ""), (3, "y")])).unwrap();
        let mut text = String::new();
        grid.into_csv().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "\no,,\"t,u\",\n,x,,\n\n,,,y\n");
    }

    #[test]
    fn a_sheet_of_far_corners_is_refused() {
        let mut grid = Grid::default();
        grid.push(0, &[(16_000, "x".to_owned())]).unwrap();
        grid.push(1_000_000, &[(0, "y".to_owned())]).unwrap();
        assert!(matches!(grid.into_csv().map(|_| ()), Err(Problem::Unfolds { .. })));
    }
}
