//! Cells of the columns, packed as they come.

use super::one_byte::OneByte;
use super::{Place, Problem};
use fewest_model::{Column, ColumnBuilder};
use std::ops::Range;

/// Columns under construction that take bytes.
///
/// The data that every row touches lies close together, apart from the rest. With both in one place, hundreds of
/// columns would not fit the fastest cache.
#[derive(Default)]
pub(super) struct Columns {
    recent: Vec<Recent>,
    builders: Vec<ColumnBuilder>,
    /// Columns of one-byte cells that are read together. Its buffered rows are older than what comes to [`Cells`], so
    /// it is settled before any of its columns is handed out.
    narrow: Option<OneByte>,
    /// Number of rows that did not match `narrow`, or came when there was none.
    misses: usize,
}

/// One column of [`Columns`].
///
/// Short texts that were seen lately are found by their bytes instead of a look-up by hash. They were checked to be
/// text when they came first, so that most cells cost one comparison and one bit.
pub(super) struct Cells<'a> {
    recent: &'a mut Recent,
    builder: &'a mut ColumnBuilder,
}

/// Texts seen lately, with their numbers in the column, in two cache lines.
///
/// Each word holds a key in its lower bits and the number in the upper ones.
#[repr(align(64))]
struct Recent([u64; 16]);

/// Bytes that fit a key.
const KEY_BYTES: usize = 6;
/// Bits of a key: the bytes and their number.
const KEY_BITS: u32 = 51;
/// Word for an empty slot: its key says seven bytes, which no text has.
const NOTHING: u64 = 7 << (8 * KEY_BYTES);

/// Reason why a cell is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadCell {
    Nul,
    Encoding,
}

/// Text of a cell, with the blanks around it.
pub(super) fn text(cell: &[u8]) -> Result<&str, BadCell> {
    if memchr::memchr(0, cell).is_some() {
        return Err(BadCell::Nul);
    }
    std::str::from_utf8(cell).map_err(|_| BadCell::Encoding)
}

/// Problem of a cell that is not text, with its place; `at` counts columns from 0.
pub(super) fn bad_cell(bad: BadCell, row: usize, at: usize) -> Problem {
    let place = Place { row, position: at + 1, name: None };
    match bad {
        BadCell::Nul => Problem::Nul { place },
        BadCell::Encoding => Problem::Encoding { place },
    }
}

impl Columns {
    pub(super) fn add(&mut self, name: &str, position: usize) {
        self.recent.push(Recent([NOTHING; 16]));
        self.builders.push(ColumnBuilder::new(name, position));
    }

    pub(super) fn len(&self) -> usize {
        self.builders.len()
    }

    /// Column number `number`.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code, reason = "only typed columns come column by column"))]
    pub(super) fn get(&mut self, number: usize) -> Cells<'_> {
        self.settle();
        Cells { recent: &mut self.recent[number], builder: &mut self.builders[number] }
    }

    /// All columns, in order.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = Cells<'_>> {
        self.range_mut(0..self.len())
    }

    /// Columns of `range`, in order.
    #[inline]
    pub(super) fn range_mut(&mut self, range: Range<usize>) -> impl Iterator<Item = Cells<'_>> {
        if let Some(narrow) = &mut self.narrow
            && narrow.columns.start < range.end
            && range.start < narrow.columns.end
        {
            narrow.settle(&mut self.builders);
        }
        let (recent, builders) = (&mut self.recent[range.clone()], &mut self.builders[range]);
        recent.iter_mut().zip(builders).map(|(recent, builder)| Cells { recent, builder })
    }

    /// Columns that [`push_narrow`](Self::push_narrow) adds to, if any.
    #[inline]
    pub(super) fn narrow(&self) -> Option<Range<usize>> {
        self.narrow.as_ref().map(|narrow| narrow.columns.clone())
    }

    /// Adds a cell to each column of [`narrow`](Self::narrow) and returns the length of all these cells; `None` if
    /// `text` does not begin with the expected texts.
    #[inline]
    pub(super) fn push_narrow(&mut self, text: &[u8], separator: u8) -> Option<usize> {
        let narrow = self.narrow.as_mut()?;
        let len = narrow.take(text, separator)?;
        if narrow.is_full() {
            narrow.settle(&mut self.builders);
        }
        Some(len)
    }

    /// Counts a row that was read the general way. After 1, 2, 4, 8 … such rows, finds the narrow columns again.
    /// `split` is the number of the first column after the names of the objects.
    #[inline(never)]
    pub(super) fn miss(&mut self, split: usize, separator: u8) {
        self.misses += 1;
        if self.misses.is_power_of_two() {
            self.settle();
            self.narrow = OneByte::find(&self.builders, split, separator);
        }
    }

    /// Empty columns, as many as these and with the same narrow columns.
    pub(super) fn alike(&self) -> Self {
        let mut alike = Self { narrow: self.narrow.as_ref().map(OneByte::emptied), ..Self::default() };
        (0..self.len()).for_each(|_| alike.add("", 0));
        alike
    }

    /// Adds all cells of `later`, columns from [`alike`](Self::alike) that hold only expected texts.
    pub(super) fn append(&mut self, mut later: Self) {
        self.settle();
        later.settle();
        let all = self.builders.iter_mut().zip(later.builders);
        all.for_each(|(builder, later)| builder.append(later));
    }

    fn settle(&mut self) {
        if let Some(narrow) = &mut self.narrow {
            narrow.settle(&mut self.builders);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Column> {
        self.settle();
        self.builders.into_iter().map(ColumnBuilder::finish).collect()
    }
}

impl Cells<'_> {
    /// Adds the next object's cell and returns the number of its text.
    pub(super) fn push(&mut self, cell: &[u8]) -> Result<u32, BadCell> {
        let Some(key) = key(cell) else {
            return text(cell).map(|text| self.builder.push(text));
        };
        if let Some(code) = self.recent.find(key) {
            self.builder.push_code(code);
            return Ok(code);
        }
        let code = self.builder.push(text(cell)?);
        self.recent.remember(key, code);
        Ok(code)
    }

    /// Adds a cell whose text has number `code`, as [`push`](Self::push) returned it before.
    #[cfg_attr(
        not(feature = "arrow"),
        allow(dead_code, reason = "only typed columns know values without their texts")
    )]
    #[inline]
    pub(super) fn push_code(&mut self, code: u32) {
        self.builder.push_code(code);
    }

    /// Adds `count` cells, at most 64, whose texts have number 0 or 1: the lowest bit of `bits` first.
    #[cfg_attr(
        not(feature = "arrow"),
        allow(dead_code, reason = "only typed columns know values without their texts")
    )]
    #[inline]
    pub(super) fn push_bits(&mut self, bits: u64, count: u32) {
        self.builder.push_bits(bits, count);
    }

    /// Number of a text that the column has, by its bytes.
    #[cfg_attr(
        not(feature = "arrow"),
        allow(dead_code, reason = "only typed columns know values without their texts")
    )]
    pub(super) fn code_of(&self, text: &[u8]) -> Option<u32> {
        let labels = self.builder.labels().iter();
        labels.zip(0..).find(|(label, _)| label.as_bytes() == text).map(|(_, code)| code)
    }

    /// Adds the cell before the first `separator` in `text` and returns its length, if it was seen lately.
    #[inline]
    pub(super) fn push_recent_before(&mut self, separator: u8, text: &[u8; 8]) -> Option<usize> {
        let word = u64::from_le_bytes(*text);
        let len = position(separator, word);
        let is_recent =
            len <= KEY_BYTES && self.push_recent(word & !(u64::MAX << (8 * len)) | key_of_len(len));
        is_recent.then_some(len)
    }

    /// Adds a cell of one byte, if it was seen lately.
    #[inline]
    pub(super) fn push_recent_byte(&mut self, byte: u8) -> bool {
        self.push_recent(u64::from(byte) | key_of_len(1))
    }

    #[inline]
    fn push_recent(&mut self, key: u64) -> bool {
        let code = self.recent.find(key);
        code.map(|code| self.builder.push_code(code)).is_some()
    }
}

impl Recent {
    #[inline]
    fn find(&self, key: u64) -> Option<u32> {
        let word = self.0[slot(key)];
        ((word ^ key) << (64 - KEY_BITS) == 0).then_some((word >> KEY_BITS) as u32)
    }

    fn remember(&mut self, key: u64, code: u32) {
        if u64::from(code) < 1 << (64 - KEY_BITS) {
            self.0[slot(key)] = u64::from(code) << KEY_BITS | key;
        }
    }
}

/// Key of a short text: its bytes and their number; `None` if it is too long.
fn key(cell: &[u8]) -> Option<u64> {
    let bytes = |cell: &[u8]| cell.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte));
    (cell.len() <= KEY_BYTES).then(|| bytes(cell) | key_of_len(cell.len()))
}

#[inline]
fn key_of_len(len: usize) -> u64 {
    (len as u64) << (8 * KEY_BYTES)
}

/// Number of bytes of `word`, from the lowest, before the first `separator`; 8 if there is none.
///
/// After xor with the separator, a byte is 0 only where it was the separator. Subtracting 1 from each byte borrows
/// from its top bit first at that byte; the bytes above do not matter (folklore).
#[inline]
fn position(separator: u8, word: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let difference = word ^ (u64::from(separator) * ONES);
    let marks = difference.wrapping_sub(ONES) & !difference & (ONES << 7);
    marks.trailing_zeros() as usize / 8
}

/// Index of the slot of a key. The factor was found by search: it keeps digits and the usual pairs of answers in
/// different slots, and most of these pairs in one cache line.
#[inline]
fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x1B81_2767_769E_FA07) >> 60) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes_of(cells: &[&[u8]]) -> (Vec<u32>, Vec<String>) {
        let mut columns = Columns::default();
        columns.add("t", 2);
        for cell in cells {
            let is_recent = cell.len() == 1 && columns.get(0).push_recent_byte(cell[0]);
            if !is_recent {
                columns.get(0).push(cell).unwrap();
            }
        }
        let column = columns.finish().remove(0);
        (column.codes.iter().collect(), column.labels.iter().map(str::to_owned).collect())
    }

    #[test]
    fn texts_are_numbered_by_first_appearance_whatever_their_length() {
        let cells: [&[u8]; 9] =
            [b"1", b"sometimes", b" 1 ", b"1", b"always", b"sometimes", b"alwayss", b"1", b"always"];
        let (codes, labels) = codes_of(&cells);
        assert_eq!(codes, [0, 1, 0, 0, 2, 1, 3, 0, 2]);
        assert_eq!(labels, ["1", "sometimes", "always", "alwayss"]);
    }

    #[test]
    fn more_texts_than_are_remembered_are_still_told_apart() {
        let texts: Vec<String> = (0..20_000).chain(0..20_000).map(|number: u32| number.to_string()).collect();
        let cells: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let (codes, labels) = codes_of(&cells);
        assert!(codes.iter().zip(&texts).all(|(code, text)| labels[*code as usize] == *text));
        assert_eq!(labels.len(), 20_000);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_also_beside_a_text_like_them() {
        let mut columns = Columns::default();
        columns.add("t", 2);
        columns.get(0).push(b"1").unwrap();
        assert_eq!(columns.get(0).push(b"1\0"), Err(BadCell::Nul));
        assert_eq!(columns.get(0).push(b"\xFF"), Err(BadCell::Encoding));
        assert_eq!(columns.get(0).push(b"a long text \xE4 with a letter"), Err(BadCell::Encoding));
        assert!(!columns.get(0).push_recent_byte(0));
    }

    #[test]
    fn digits_and_the_usual_pairs_of_answers_are_remembered_side_by_side() {
        let pairs =
            [("0", "1"), ("yes", "no"), ("true", "false"), ("TRUE", "FALSE"), ("y", "n"), ("male", "female")];
        for (left, right) in pairs {
            let slot = |text: &str| slot(key(text.as_bytes()).unwrap());
            assert_ne!(slot(left), slot(right), "{left} and {right}");
        }
        let digits = (0..10).map(|digit: u8| slot(key(digit.to_string().as_bytes()).unwrap()));
        assert_eq!(digits.collect::<std::collections::BTreeSet<_>>().len(), 10);
    }

    #[test]
    fn the_first_separator_of_a_word_is_found() {
        let found = |text: &[u8; 8]| position(b',', u64::from_le_bytes(*text));
        assert_eq!(found(b",bcdefgh"), 0);
        assert_eq!(found(b"a,,-,-,h"), 1);
        assert_eq!(found(b"abcdefg,"), 7);
        assert_eq!(found(b"ab-d\xAC+\0\xFF"), 8);
    }
}
