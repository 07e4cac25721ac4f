//! Cells of one byte in many neighbouring columns, as in `0,1,1,0`: read eight rows at a time, sixteen bytes at once.
//!
//! Where every column so far holds one or two texts of one byte, a row is expected to look like the rows before it.
//! Each byte is compared with the two bytes that are expected, without a branch. A row that differs anywhere is read
//! the general way. So the first occurrence of a text is always read the general way, and only there texts get their
//! numbers.
//!
//! A row becomes one bit in a byte for every byte of text; after eight rows these bytes are the columns' next eight
//! cells.

use fewest_model::{ColumnBuilder, Labels};
use std::ops::Range;

/// Fewest neighbouring columns for which this way is faster.
const LEAST_COLUMNS: usize = 4;

/// Rows that are buffered before the columns get them.
const ROWS: u32 = u8::BITS;

/// Neighbouring columns whose cells have one byte.
pub(super) struct OneByte {
    /// Range of these columns.
    pub(super) columns: Range<usize>,
    /// First text of each column, with separators in between.
    zeros: Vec<u8>,
    /// Second text of each column, or the first where there is only one.
    ones: Vec<u8>,
    /// Bits of the buffered rows, for every byte of text: bit `i` says whether row `i` held the second text.
    kept: Vec<u8>,
    /// Number of buffered rows.
    rows: u32,
}

impl OneByte {
    /// Finds the longest run of one-byte columns that are neighbours in the file. `split` is the number of the first
    /// column after the names of the objects: a run does not cross it.
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

    /// A copy without buffered rows.
    pub(super) fn emptied(&self) -> Self {
        let (columns, zeros, ones) = (self.columns.clone(), self.zeros.clone(), self.ones.clone());
        Self { columns, zeros, ones, kept: vec![0; self.kept.len()], rows: 0 }
    }

    /// Takes the cells at the beginning of `text`, if all of them are as expected, and returns their length. When it
    /// [`is_full`](Self::is_full), the caller must call [`settle`](Self::settle) before the next row.
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

    /// Whether `cells` are as expected. If so, bit `row` of `kept` says which text each cell is.
    fn compare(&mut self, cells: &[u8], row: u8) -> bool {
        let mut strange = 0;
        // Plain loops over bytes, which compilers vectorise.
        for (((&byte, &zero), &one), kept) in
            cells.iter().zip(&self.zeros).zip(&self.ones).zip(&mut self.kept)
        {
            strange |= u8::from(byte != zero) & u8::from(byte != one);
            *kept |= u8::from(byte != zero).wrapping_neg() & row;
        }
        strange == 0
    }

    /// Whether the buffer is full.
    pub(super) fn is_full(&self) -> bool {
        self.rows == ROWS
    }

    /// Moves the buffered rows to the columns.
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

/// The one or two texts of a column, if each has one byte and is not the separator.
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
