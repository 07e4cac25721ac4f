//! Layout of a text table as people export it: the separator, lines above the header, and cells beyond its columns.
//!
//! Only a file that would be refused otherwise gets a layout of its own: if the header fills its columns and the rows
//! below have as many cells, the first line is the header, and its most frequent separator separates cells.

use super::Problem;
use super::layout::Layout;
use super::sniff;
use super::split::Records;
use std::io::Read;

/// Bytes at the beginning of a file that decide its layout.
const SAMPLE_BYTES: usize = 1 << 20;

/// Records at the beginning of a file that decide its layout.
const SAMPLE_RECORDS: usize = 40;

/// Most lines above a header.
const MOST_TITLES: usize = 20;

/// Separators in the order in which they are tried if that of the first line does not fit.
const SEPARATORS: [u8; 5] = [b',', b';', b'\t', b'|', b' '];

/// Reads the first chunk of a table as people export it, and finds its layout.
pub(super) fn lenient<R: Read>(input: R) -> Result<Records<R>, Problem> {
    let mut records = Records::new(input)?;
    records.set_layout(find);
    Ok(records)
}

/// Lines above the header of a table that begins with `text`.
#[cfg(feature = "sheets")]
pub(super) fn skipped_rows(text: &[u8], is_whole: bool) -> usize {
    find(text, is_whole).skipped_rows
}

/// Finds the layout of a table that begins with `text`; `is_whole` says that the table also ends with it.
fn find(text: &[u8], is_whole: bool) -> Layout {
    let (announced, above) = separator_line(text);
    let sample = &text[above..text.len().min(above + SAMPLE_BYTES)];
    let is_whole = is_whole && above + sample.len() == text.len();
    let first = announced.unwrap_or_else(|| sniff::separator(sample));
    let others = SEPARATORS.into_iter().filter(|&separator| announced.is_none() && separator != first);
    let fitting = std::iter::once(first).chain(others).find_map(|separator| {
        let records = records(sample, separator, is_whole);
        fit(&records, separator)
    });
    let plain = Layout::plain(first);
    let found = fitting.unwrap_or(plain);
    let skipped_rows = found.skipped_rows + usize::from(announced.is_some());
    Layout { skipped_bytes: found.skipped_bytes + above, skipped_rows, ..found }
}

/// Separator that a first line such as `sep=;` announces, and the length of that line.
fn separator_line(text: &[u8]) -> (Option<u8>, usize) {
    let end = memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len());
    let line = &text[..end];
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    match line {
        [word @ .., separator]
            if word.eq_ignore_ascii_case(b"sep=") && separator.is_ascii() && *separator != b'"' =>
        {
            let past = end + 1 + usize::from(text[end..].starts_with(b"\r\n"));
            (Some(*separator), past.min(text.len()))
        }
        _ => (None, 0),
    }
}

/// Record of the sample: where it begins, and which of its cells hold a text.
struct Sampled {
    start: usize,
    row: usize,
    filled: Vec<bool>,
}

impl Sampled {
    /// Number of cells up to the last one with a text.
    fn used(&self) -> usize {
        self.filled.iter().rposition(|filled| *filled).map_or(0, |last| last + 1)
    }

    /// Whether this may be a header: at least two names, and a gap only above the names of the objects.
    fn has_names(&self) -> bool {
        let used = self.used();
        used >= 2 && self.filled[1..used].iter().all(|filled| *filled)
    }
}

/// First records of `text` that are not blank.
fn records(text: &[u8], separator: u8, is_whole: bool) -> Vec<Sampled> {
    let mut found: Vec<Sampled> = Vec::new();
    let mut records = Records::in_memory(text, separator);
    while found.len() < SAMPLE_RECORDS {
        // A record that the end of the sample cuts off may look broken.
        let Ok(Some((row, record))) = records.next() else { break };
        let filled = record.cells(separator).map(|cell| !cell.trim_ascii().is_empty()).collect();
        found.push(Sampled { start: records.record_start(), row, filled });
    }
    if !is_whole && records.is_at_end() {
        found.pop();
    }
    found
}

/// Layout with this separator, if a header and rows below it fit together.
fn fit(records: &[Sampled], separator: u8) -> Option<Layout> {
    let lengths = records.iter().map(|record| record.filled.len());
    let usual = most_frequent(lengths.filter(|length| *length >= 2))?;
    let header_at = records.iter().take(MOST_TITLES + 1).position(|record| {
        record.has_names() && (record.filled.len() == usual || record.filled.len() + 1 == usual)
    })?;
    let (header, rows) = (&records[header_at], &records[header_at + 1..]);
    // A title has one text, or texts in less than half of the columns.
    let is_title = |record: &Sampled| {
        let texts = record.filled.iter().filter(|filled| **filled).count();
        texts <= 1 || 2 * texts < header.used()
    };
    if !records[..header_at].iter().all(is_title) {
        return None;
    }
    let used = rows.iter().map(Sampled::used).chain([header.used()]).max()?;
    // Other lengths stay what they are, mistakes with a place: one row in ten at most, if the table is to be known.
    // Empty cells beyond the last column in use are no mistake.
    let odd = rows.iter().filter(|row| row.filled.len() != usual && row.filled.len() < used).count();
    if odd * 10 > rows.len() || (rows.is_empty() && header_at > 0) {
        return None;
    }
    let longest = records[header_at..].iter().map(|record| record.filled.len()).max()?;
    let is_short = header.filled.len() + 1 == usual && header.used() + 1 == usual;
    let lacks_first_name = is_short && used == usual && header.filled[0] && !rows.is_empty() && odd == 0;
    // Words separated by blanks are too common: a list of names must not become a table.
    let is_list = separator == b' ' && (usual < 3 || header_at > 0);
    if is_list || (is_short && used == usual && !lacks_first_name) {
        return None;
    }
    Some(Layout {
        separator,
        skipped_bytes: if header_at == 0 { 0 } else { header.start },
        skipped_rows: if header_at == 0 { 0 } else { header.row - 1 },
        titles: header_at,
        width: (used < longest).then_some(used),
        lacks_first_name,
    })
}

/// The most frequent of `values`, the first among equally frequent ones.
fn most_frequent(values: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.iter().rev().max_by_key(|(_, count)| *count).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        find(text.as_bytes(), true)
    }

    #[test]
    fn an_ordinary_table_has_the_plain_layout() {
        for text in ["o,t\na,1\nb,2\n", "o,t,u\na,,\nb,2,\n", "o;t\na;1,5\n", "name\na b\nc d\n", ""] {
            assert_eq!(layout(text), Layout::plain(sniff::separator(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn lines_above_the_header_are_skipped() {
        let found = layout("Key to plants, 2019\n\nmade by hand\no;t;u\na;1;2\nb;3;4\n");
        assert_eq!((found.separator, found.skipped_rows, found.titles), (b';', 3, 2));
        assert_eq!(found.skipped_bytes, "Key to plants, 2019\n\nmade by hand\n".len());
        let padded = layout("Key to plants,,\n,,\no,t,u\na,1,2\nb,3,4\n");
        assert_eq!((padded.skipped_rows, padded.titles), (2, 1));
    }

    #[test]
    fn a_first_line_may_announce_the_separator() {
        for (text, separator) in [("sep=;\no;t\na;1\n", b';'), ("\"SEP=|\"\r\no|t\r\na|1\r\n", b'|')] {
            let found = layout(text);
            assert_eq!((found.separator, found.skipped_rows, found.titles), (separator, 1, 0));
            assert!(text[found.skipped_bytes..].starts_with('o'));
        }
    }

    #[test]
    fn bars_and_blanks_separate_only_if_nothing_else_does() {
        assert_eq!(layout("o|t|u\na|1|2\n").separator, b'|');
        assert_eq!(layout("o t u\na 1 2\nb 3 4\n").separator, b' ');
        assert_eq!(layout("o,t\na,x|y\n").separator, b',');
    }

    #[test]
    fn empty_cells_beyond_the_last_column_are_no_columns() {
        assert_eq!(layout("o,t,,\na,1,,\nb,2,,\n").width, Some(2));
        assert_eq!(layout("o,t\na,1,\nb,2,\n").width, Some(2));
        assert_eq!(layout("o,t,\na,1,x\nb,2,\n").width, None);
        assert_eq!(layout("o,t\na,1,\nb,2\nc,3,\n").width, Some(2));
        assert_eq!(layout("o,t\na,1,x\nb,2\nc,3\n").width, None);
    }

    #[test]
    fn rows_may_begin_with_a_name_that_the_header_lacks() {
        let found = layout("\"t\" \"u\"\n\"a\" 1 2\n\"b\" 3 4\n");
        assert!(found.lacks_first_name && found.separator == b' ');
        let found = layout("t\tu\na\t1\t2\nb\t3\t4\n");
        assert!(found.lacks_first_name && found.width.is_none());
        assert!(!layout("o,t\na,1,2\nb,3\n").lacks_first_name);
    }
}
