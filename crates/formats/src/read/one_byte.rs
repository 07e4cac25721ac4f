//! Cells of one byte in many columns side by side, as in `0,1,1,0`: read eight rows at a time, sixteen bytes at a stroke.
//!
//! Where every column so far holds one or two texts of one byte, a row is expected to look like the rows before it:
//! each byte is compared with the two it may be, without a branch, and a row that differs anywhere is left to the general
//! way. What comes first in a column never does, so that numbers of texts are given there alone.
//!
//! A row becomes one bit in a byte for every byte of text; after eight rows these bytes are the columns' next eight cells.

use fewest_model::{ColumnBuilder, Labels};
use std::ops::Range;

/// A shorter run of columns is not worth the trouble.
const LEAST_COLUMNS: usize = 4;

/// Rows that are kept before the columns get them.
const ROWS: u32 = u8::BITS;

/// Neighbouring columns whose cells have one byte.
pub(super) struct OneByte {
    /// Which columns.
    pub(super) columns: Range<usize>,
    /// The first text of each column, with separators in between.
    zeros: Vec<u8>,
    /// The second text, or the first where there is but one.
    ones: Vec<u8>,
    /// For every byte of text whether it was the second text, in the lowest bit for the first row that is kept.
    kept: Vec<u8>,
    /// How many rows are kept.
    rows: u32,
}

impl OneByte {
    /// The longest run of columns of one byte that lie side by side in the file; `split` is the number of the first after
    /// the names of the objects, which part the columns before from those after.
    pub(super) fn find(columns: &[ColumnBuilder], split: usize, separator: u8) -> Option<Self> {
        let texts: Vec<Option<[u8; 2]>> =
            columns.iter().map(|column| bytes(column.labels(), separator)).collect();
        let mut longest = 0..0;
        for side in [0..split, split..columns.len()] {
            let mut start = side.start;
            for at in side {
                if texts[at].is_none() {
                    start = at + 1;
                } else if at + 1 - start > longest.len() {
                    longest = start..at + 1;
                }
            }
        }
        let texts = texts[longest.clone()].iter().flatten();
        let line = |which: usize| -> Vec<u8> {
            let with_separators = texts.clone().flat_map(|text| [text[which], separator]);
            with_separators.take((2 * longest.len()).saturating_sub(1)).collect()
        };
        let (zeros, ones) = (line(0), line(1));
        let kept = vec![0; zeros.len()];
        (longest.len() >= LEAST_COLUMNS).then_some(Self { columns: longest, zeros, ones, kept, rows: 0 })
    }

    /// The same without any rows.
    pub(super) fn emptied(&self) -> Self {
        let (columns, zeros, ones) = (self.columns.clone(), self.zeros.clone(), self.ones.clone());
        Self { columns, zeros, ones, kept: vec![0; self.kept.len()], rows: 0 }
    }

    /// Takes the cells that `text` begins with, if all of them are as expected, and gives their length.
    /// The receiver has to see to it that [`settle`](Self::settle) comes before the next row when [`is_full`](Self::is_full).
    #[inline]
    pub(super) fn take(&mut self, text: &[u8], separator: u8) -> Option<usize> {
        let cells = text.get(..self.zeros.len())?;
        if text.get(cells.len()).is_some_and(|&next| next != separator) {
            return None;
        }
        let row = 1 << self.rows;
        if self.compare(cells, row) {
            self.rows += 1;
            return Some(cells.len());
        }
        self.kept.iter_mut().for_each(|kept| *kept &= !row);
        None
    }

    /// Whether `cells` are as expected; the bit `row` of what is kept then says which text each is.
    fn compare(&mut self, cells: &[u8], row: u8) -> bool {
        let mut strange = 0;
        // Plain loops over bytes, which compilers turn into vectors of them.
        for (((&byte, &zero), &one), kept) in
            cells.iter().zip(&self.zeros).zip(&self.ones).zip(&mut self.kept)
        {
            strange |= u8::from(byte != zero) & u8::from(byte != one);
            *kept |= u8::from(byte != zero).wrapping_neg() & row;
        }
        strange == 0
    }

    /// Whether no more rows fit.
    pub(super) fn is_full(&self) -> bool {
        self.rows == ROWS
    }

    /// Hands what is kept to the columns.
    pub(super) fn settle(&mut self, columns: &mut [ColumnBuilder]) {
        if self.rows == 0 {
            return;
        }
        for (column, kept) in columns[self.columns.clone()].iter_mut().zip(self.kept.iter().step_by(2)) {
            column.push_bits(u64::from(*kept), self.rows);
        }
        self.kept.fill(0);
        self.rows = 0;
    }
}

/// The one or two texts of a column, if they have one byte each and are no separator.
fn bytes(labels: &Labels, separator: u8) -> Option<[u8; 2]> {
    let byte = |at: usize| match labels.get(at).as_bytes() {
        &[byte] if byte != separator => Some(byte),
        _ => None,
    };
    match labels.len() {
        1 => Some([byte(0)?; 2]),
        2 => Some([byte(0)?, byte(1)?]),
        _ => None,
    }
}
