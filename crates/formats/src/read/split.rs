//! Text becomes records, chunk by chunk.
//!
//! Most lines hold no quote. These are handed out unchanged, so that the receiver of the cells reads every byte once;
//! a record with quotes is first written out cell by cell. Speed is the reason for a splitter of our own: on
//! 1,000,000 × 200 cells of one byte each (408 MB) the `csv` crate did 220–310 MB/s without looking at a cell; all of
//! this reader, including names and packing, does about 900.

use super::decode::Decode;
use super::layout::Layout;
use super::plain_lines::plain_lines;
use super::{Place, Problem, sniff};
use memchr::{memchr, memchr2, memchr3};
use std::io::Read;

/// Bytes that are read at a time: they fit a fast cache.
const CHUNK: usize = 1 << 18;

/// Bytes that are read at a time for each of several threads: less would not pay for sharing the work.
const SHARED_CHUNK: usize = 1 << 20;

/// Most bytes of a record. Without a limit, one missing quote would need as much memory as the file.
pub(super) const RECORD_LIMIT: usize = 64 << 20;

fn chunk_for(threads: usize) -> usize {
    if threads > 1 { SHARED_CHUNK * threads.min(8) } else { CHUNK }
}

/// Records of a text.
pub(super) struct Records<R> {
    input: Decode<R>,
    text: Vec<u8>,
    /// Index in `text` of the first record that was not handed out yet.
    next: usize,
    /// Whether `text` holds the end of the input.
    is_last: bool,
    /// Whether [`stretch`](Self::stretch) was not called since the last chunk was read.
    is_fresh: bool,
    layout: Layout,
    /// Whether rows of empty cells are blank, and empty cells beyond the last column are cut off.
    is_lenient: bool,
    row: usize,
    /// Index in `text` of the record that was found last.
    start: usize,
    chunk: usize,
    limit: usize,
    /// Cells of the current record, if it has quotes.
    cells: Unquoted,
}

/// Record, as a line or as cells.
pub(super) enum Record<'a> {
    /// A line without quotes.
    Line(&'a [u8]),
    /// Cells without their quotes.
    Cells(&'a Unquoted),
}

impl<'a> Record<'a> {
    /// Cells in order; `separator` stands between them.
    pub(super) fn cells(&self, separator: u8) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (line, cells) = match *self {
            Self::Line(line) => (Some(line), None),
            Self::Cells(cells) => (None, Some(cells)),
        };
        let split = move |line: &'a [u8]| line.split(move |&byte| byte == separator);
        line.into_iter().flat_map(split).chain(cells.into_iter().flat_map(Unquoted::iter))
    }

    /// Number of cells.
    pub(super) fn count(&self, separator: u8) -> usize {
        match self {
            Self::Line(_) => self.cells(separator).count(),
            Self::Cells(cells) => cells.ends.len(),
        }
    }
}

/// Cells of a record, one after the other.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Unquoted {
    text: Vec<u8>,
    ends: Vec<usize>,
}

/// Position of the current record.
enum Found {
    Line { start: usize, len: usize },
    Cells,
}

impl<R: Read> Records<R> {
    /// Reads the first chunk and finds the separator of the header.
    pub(super) fn new(input: R) -> Result<Self, Problem> {
        Self::with_sizes(input, chunk_for(rayon::current_num_threads()), RECORD_LIMIT)
    }

    /// Takes the text as a table that people exported, in the layout that `find` finds: it gets the text so far, and whether
    /// that is all.
    pub(super) fn set_layout(&mut self, find: impl FnOnce(&[u8], bool) -> Layout) {
        self.layout = find(&self.text, self.is_last);
        self.is_lenient = true;
        self.next = self.layout.skipped_bytes;
        self.row = self.layout.skipped_rows;
    }

    pub(super) fn with_sizes(input: R, chunk: usize, limit: usize) -> Result<Self, Problem> {
        let mut input = Decode::new(input);
        let mut text = Vec::new();
        let is_last = !input.fill(&mut text, chunk)?;
        let layout = Layout::plain(sniff::separator(&text));
        Ok(Self {
            input,
            text,
            next: 0,
            is_last,
            is_fresh: true,
            layout,
            is_lenient: false,
            row: 0,
            start: 0,
            chunk,
            limit,
            cells: Unquoted::default(),
        })
    }

    /// Layout of the text.
    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// Separator of cells.
    pub(super) fn separator(&self) -> u8 {
        self.layout.separator
    }

    pub(super) fn is_windows_1252(&self) -> bool {
        self.input.is_windows_1252()
    }

    /// Returns the next record that is not blank, with its row as a spreadsheet counts it: from 1, blank lines too.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Record<'_>)>, Problem> {
        let found = loop {
            match self.find()? {
                None => return Ok(None),
                Some(Found::Line { start, len }) if self.is_blank(start, len) => {}
                Some(Found::Cells) if self.is_lenient && self.cells.are_blank() => {}
                Some(found) => break found,
            }
        };
        let found = match self.layout.width {
            Some(width) if self.is_lenient => self.cut_to(width, found),
            _ => found,
        };
        let record = match found {
            Found::Line { start, len } => Record::Line(&self.text[start..start + len]),
            Found::Cells => Record::Cells(&self.cells),
        };
        Ok(Some((self.row, record)))
    }

    fn is_blank(&self, start: usize, len: usize) -> bool {
        let separator = self.layout.separator;
        let mut line = self.text[start..start + len].iter();
        line.all(|&byte| {
            byte == b' ' || (byte == b'\t' && separator != b'\t') || (self.is_lenient && byte == separator)
        })
    }

    /// Cuts off empty cells beyond the first `width` ones.
    fn cut_to(&mut self, width: usize, found: Found) -> Found {
        let separator = self.layout.separator;
        match found {
            Found::Line { start, len } => {
                let line = &self.text[start..start + len];
                let end = line.iter().enumerate().filter(|(_, byte)| **byte == separator).nth(width - 1);
                let cut = end.map_or(len, |(at, _)| at);
                let is_empty = line[cut..].iter().all(|&byte| byte == separator || byte == b' ');
                Found::Line { start, len: if is_empty { cut } else { len } }
            }
            Found::Cells => {
                self.cells.cut_to(width);
                Found::Cells
            }
        }
    }

    /// Index in the text of the record that was handed out last.
    pub(super) fn record_start(&self) -> usize {
        self.start
    }

    /// Whether all of the text was handed out.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_last && self.next == self.text.len()
    }

    /// Finds the next record, blank or not; reads on until its end is known.
    fn find(&mut self) -> Result<Option<Found>, Problem> {
        loop {
            let rest = &self.text[self.next..];
            if rest.is_empty() && self.is_last {
                return Ok(None);
            }
            let line = match memchr2(b'\n', b'\r', rest) {
                None if self.is_last => Some((rest.len(), rest.len())),
                None => None,
                Some(len) => past_break(rest, len, self.is_last).map(|past| (len, past)),
            };
            if let Some((len, past)) = line {
                self.start = self.next;
                if memchr(b'"', &rest[..len]).is_none() {
                    let start = self.next;
                    self.next += past;
                    self.row += 1;
                    return Ok(Some(Found::Line { start, len }));
                }
                match self.cells.take(rest, self.layout.separator, self.is_last) {
                    Ok(Some(past)) => {
                        self.next += past;
                        self.row += 1;
                        return Ok(Some(Found::Cells));
                    }
                    Ok(None) => {}
                    Err(mistake) => {
                        let place =
                            Place { row: self.row + 1, position: self.cells.ends.len() + 1, name: None };
                        return Err(match mistake {
                            Mistake::Unclosed => Problem::Unclosed { place },
                            Mistake::AfterQuote => Problem::AfterQuote { place },
                        });
                    }
                }
            }
            self.read_on()?;
        }
    }

    /// Drops the records that were handed out, and reads as much again as is left. So scanning the beginning of a
    /// long record again costs no more than reading it.
    fn read_on(&mut self) -> Result<(), Problem> {
        self.text.drain(..self.next);
        self.next = 0;
        if self.text.len() >= self.limit {
            return Err(Problem::LongRow { row: self.row + 1, megabytes: self.limit >> 20 });
        }
        let size = self.chunk.max(self.text.len());
        self.is_last = !self.input.fill(&mut self.text, size)?;
        self.is_fresh = true;
        Ok(())
    }

    /// Whether more was read since the last call of [`stretch`](Self::stretch).
    #[inline]
    pub(super) fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Next lines in memory; empty if there is a quote among them. They stay until they are skipped.
    pub(super) fn stretch(&mut self) -> &[u8] {
        self.is_fresh = false;
        plain_lines(&self.text[self.next..])
    }

    /// Skips `len` bytes that hold `rows` rows, none of them blank.
    pub(super) fn skip(&mut self, len: usize, rows: usize) {
        self.next += len;
        self.row += rows;
    }

    /// Row of the record that was handed out last.
    pub(super) fn row(&self) -> usize {
        self.row
    }
}

impl Records<&[u8]> {
    /// Records of a decoded text in memory with this separator, for a look at its layout.
    pub(super) fn in_memory(text: &[u8], separator: u8) -> Self {
        Self {
            input: Decode::new(&[]),
            text: text.to_vec(),
            next: 0,
            is_last: true,
            is_fresh: true,
            layout: Layout::plain(separator),
            is_lenient: true,
            row: 0,
            start: 0,
            chunk: CHUNK,
            limit: RECORD_LIMIT,
            cells: Unquoted::default(),
        }
    }
}

/// Mistake in quotes.
#[derive(Debug, PartialEq, Eq)]
enum Mistake {
    Unclosed,
    AfterQuote,
}

impl Unquoted {
    /// Cells in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }

    /// Whether no cell holds a text.
    fn are_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    /// Cuts off empty cells beyond the first `width` ones.
    fn cut_to(&mut self, width: usize) {
        let text_end = self.ends.get(width - 1).copied().unwrap_or(self.text.len());
        if self.text[text_end..].trim_ascii().is_empty() {
            self.ends.truncate(width);
        }
    }

    /// Takes the cells of the record at the beginning of `text` and returns its length with the line break, or `None`
    /// when its end is not in `text`. A quote opens a cell only at its beginning, after blanks.
    fn take(&mut self, text: &[u8], separator: u8, is_last: bool) -> Result<Option<usize>, Mistake> {
        self.text.clear();
        self.ends.clear();
        let blanks = |from: usize| {
            let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t') && **byte != separator;
            from + text[from..].iter().take_while(is_blank).count()
        };
        let mut at = 0;
        loop {
            let opening = blanks(at);
            let end = if text.get(opening) == Some(&b'"') {
                let Some(closed) = self.take_quoted(text, opening + 1, is_last)? else { return Ok(None) };
                blanks(closed)
            } else {
                let len = memchr3(separator, b'\n', b'\r', &text[at..]).unwrap_or(text.len() - at);
                self.text.extend_from_slice(&text[at..at + len]);
                at + len
            };
            match text.get(end) {
                None if !is_last => return Ok(None),
                None | Some(b'\n' | b'\r') => {
                    self.ends.push(self.text.len());
                    return Ok(past_break(text, end, is_last));
                }
                Some(&byte) if byte == separator => {
                    self.ends.push(self.text.len());
                    at = end + 1;
                }
                Some(_) => return Err(Mistake::AfterQuote),
            }
        }
    }

    /// Takes text from between quotes, from `at` on, after the opening quote; returns the index after the closing
    /// quote.
    fn take_quoted(&mut self, text: &[u8], mut at: usize, is_last: bool) -> Result<Option<usize>, Mistake> {
        loop {
            let Some(len) = memchr(b'"', &text[at..]) else {
                return if is_last { Err(Mistake::Unclosed) } else { Ok(None) };
            };
            self.text.extend_from_slice(&text[at..at + len]);
            at += len + 1;
            match text.get(at) {
                Some(b'"') => {
                    self.text.push(b'"');
                    at += 1;
                }
                None if !is_last => return Ok(None),
                _ => return Ok(Some(at)),
            }
        }
    }
}

/// Index after the line break at `at`, or the end of the text; `None` when the second half of a break may come.
fn past_break(text: &[u8], at: usize, is_last: bool) -> Option<usize> {
    match (text.get(at), text.get(at + 1)) {
        (None, _) => Some(at),
        (Some(b'\r'), Some(b'\n')) => Some(at + 2),
        (Some(b'\r'), None) if !is_last => None,
        _ => Some(at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and cells, read in chunks of several sizes, which must all agree.
    fn records(text: &str) -> Result<Vec<(usize, Vec<String>)>, Problem> {
        let by_chunks = |chunk: usize| {
            let mut records = Records::with_sizes(text.as_bytes(), chunk, RECORD_LIMIT)?;
            let separator = records.separator();
            let mut all = Vec::new();
            while let Some((row, record)) = records.next()? {
                let cells = record.cells(separator).map(|cell| String::from_utf8_lossy(cell).into_owned());
                all.push((row, cells.collect()));
            }
            Ok(all)
        };
        // The first chunk has to contain the header, or the separator is unknown.
        let header = text.find(['\n', '\r']).unwrap_or(text.len());
        let whole = by_chunks(1 << 10);
        (header.max(4)..text.len()).for_each(|size| assert_eq!(by_chunks(size), whole, "chunks of {size}"));
        whole
    }

    fn cells(text: &str) -> Vec<Vec<String>> {
        records(text).unwrap().into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn all_line_breaks_end_a_record_and_the_last_may_be_missing() {
        let expected = [["a", "b"], ["c", "d"], ["e", "f"]];
        for line_break in ["\n", "\r\n", "\r"] {
            let text = ["a,b", "c,d", "e,f"].join(line_break);
            assert_eq!(cells(&text), expected);
            assert_eq!(cells(&(text + line_break)), expected);
        }
    }

    #[test]
    fn quotes_hold_separators_line_breaks_and_doubled_quotes() {
        let text = "a,b\n\"x, \"\"y\"\"\",\"1\r\n2\n\"\r\n\"\",\"\"\"\"\n";
        assert_eq!(cells(text), [["a", "b"], ["x, \"y\"", "1\r\n2\n"], ["", "\""]]);
    }

    #[test]
    fn blanks_around_quotes_are_set_aside() {
        assert_eq!(cells("a,b\n \"x,y\" , \t\"z\"\n"), [["a", "b"], ["x,y", "z"]]);
    }

    #[test]
    fn a_quote_inside_a_plain_cell_is_a_letter() {
        assert_eq!(cells("a;b\n5\" pipe;6\"\"\n"), [["a", "b"], ["5\" pipe", "6\"\""]]);
    }

    #[test]
    fn blank_lines_are_passed_over_and_counted() {
        let text = "\n a,b\n\n  \t\n\"c\nc\",d\n\r\n\ne,f\n\n";
        let rows: Vec<usize> = records(text).unwrap().into_iter().map(|(row, _)| row).collect();
        assert_eq!(rows, [2, 5, 8]);
    }

    #[test]
    fn a_line_of_tabs_is_a_row_of_empty_cells_where_tabs_separate() {
        assert_eq!(cells("a\tb\n\t\n"), [["a", "b"], ["", ""]]);
    }

    #[test]
    fn an_unclosed_quote_is_reported_where_it_opens() {
        let place = Place { row: 3, position: 2, name: None };
        assert_eq!(records("a,b\nc,d\ne,\"f\ng,h\n"), Err(Problem::Unclosed { place }));
    }

    #[test]
    fn text_after_a_closing_quote_is_refused() {
        let place = Place { row: 2, position: 1, name: None };
        assert_eq!(records("a,b\n\"c\"d,e\n"), Err(Problem::AfterQuote { place }));
    }

    #[test]
    fn a_record_beyond_the_limit_is_refused() {
        let text = format!("a,b\nc,\"{}", "d\n".repeat(1 << 20));
        let mut records = Records::with_sizes(text.as_bytes(), CHUNK, 1 << 20).unwrap();
        assert!(records.next().unwrap().is_some());
        assert_eq!(records.next().err(), Some(Problem::LongRow { row: 2, megabytes: 1 }));
    }
}
