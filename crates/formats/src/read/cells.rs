//! The cells of one column, packed as they come.

use fewest_model::{Column, ColumnBuilder};

/// Columns under construction that take bytes.
///
/// What a row touches of every column lies close together, apart from the rest: with both in one place, hundreds of
/// columns would not fit the fastest cache.
#[derive(Default)]
pub(super) struct Columns {
    recent: Vec<Recent>,
    builders: Vec<ColumnBuilder>,
}

/// One of [`Columns`].
///
/// Short texts that were seen lately are found by their bytes instead of a look-up by hash. That they are text at
/// all was checked when they came first, so that most cells cost a comparison and a bit.
pub(super) struct Cells<'a> {
    recent: &'a mut Recent,
    builder: &'a mut ColumnBuilder,
}

/// Texts seen lately, with the numbers they have in the column, in one cache line.
///
/// Each word holds a key in its lower bits and the number in the upper ones.
#[repr(align(64))]
struct Recent([u64; 8]);

/// Bytes that fit a key.
const KEY_BYTES: usize = 6;
/// Bits of a key: the bytes and how many they are.
const KEY_BITS: u32 = 51;
/// A word whose key no text has: seven bytes.
const NOTHING: u64 = 7 << (8 * KEY_BYTES);

/// A cell that is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadCell {
    Nul,
    Encoding,
}

/// The text of a cell, with the blanks around it.
pub(super) fn text(cell: &[u8]) -> Result<&str, BadCell> {
    if memchr::memchr(0, cell).is_some() {
        return Err(BadCell::Nul);
    }
    std::str::from_utf8(cell).map_err(|_| BadCell::Encoding)
}

impl Columns {
    pub(super) fn add(&mut self, name: &str, position: usize) {
        self.recent.push(Recent([NOTHING; 8]));
        self.builders.push(ColumnBuilder::new(name, position));
    }

    pub(super) fn len(&self) -> usize {
        self.builders.len()
    }

    pub(super) fn get(&mut self, number: usize) -> Cells<'_> {
        Cells { recent: &mut self.recent[number], builder: &mut self.builders[number] }
    }

    /// The columns in order.
    #[inline]
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = Cells<'_>> {
        self.recent.iter_mut().zip(&mut self.builders).map(|(recent, builder)| Cells { recent, builder })
    }

    pub(super) fn finish(self) -> Vec<Column> {
        self.builders.into_iter().map(ColumnBuilder::finish).collect()
    }
}

impl Cells<'_> {
    /// Adds the next object's cell.
    #[inline]
    pub(super) fn push(&mut self, cell: &[u8]) -> Result<(), BadCell> {
        if cell.len() > KEY_BYTES {
            return text(cell).map(|text| _ = self.builder.push(text));
        }
        let bytes = cell.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte));
        self.push_short(bytes | (cell.len() as u64) << (8 * KEY_BYTES), cell)
    }

    /// Adds a cell of one byte.
    #[inline]
    pub(super) fn push_byte(&mut self, byte: u8) -> Result<(), BadCell> {
        self.push_short(u64::from(byte) | 1 << (8 * KEY_BYTES), &[byte])
    }

    #[inline]
    fn push_short(&mut self, key: u64, cell: &[u8]) -> Result<(), BadCell> {
        let word = self.recent.0[slot(key)];
        if (word ^ key) << (64 - KEY_BITS) != 0 {
            return self.push_new(key, cell);
        }
        self.builder.push_code((word >> KEY_BITS) as u32);
        Ok(())
    }

    #[cold]
    fn push_new(&mut self, key: u64, cell: &[u8]) -> Result<(), BadCell> {
        let code = self.builder.push(text(cell)?);
        if u64::from(code) < 1 << (64 - KEY_BITS) {
            self.recent.0[slot(key)] = u64::from(code) << KEY_BITS | key;
        }
        Ok(())
    }
}

/// Where a key is remembered; the factor keeps the usual pairs of answers apart.
#[inline]
fn slot(key: u64) -> usize {
    (key.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 61) as usize
}
