//! Several threads read plain lines, a part each.
//!
//! Only plain lines are read in this way: without quotes, each with an object, and with the narrow columns as
//! expected. Where anything else occurs, the whole stretch of lines is left to the single thread that knows every
//! case and every message. The parts are joined in their order, and only then texts get their numbers, so that the
//! table is the one that a single thread makes.

use super::assemble::{Assembler, ReadPart};
use super::cells::{self, Columns};
use super::line;
use super::split::Records;
use fewest_model::Labels;
use memchr::memchr2;
use rayon::prelude::*;
use std::io::Read;

/// Most stretches that are skipped after one that was not plain.
const MOST_PASSED: usize = 64;

/// Decision whether to read the next stretch in parts.
pub(super) struct Parts {
    separator: u8,
    threads: usize,
    /// Number of stretches to skip; doubled by each one that was not plain.
    pause: usize,
    passed: usize,
}

impl Parts {
    pub(super) fn new(separator: u8) -> Self {
        Self { separator, threads: rayon::current_num_threads(), pause: 0, passed: 0 }
    }

    /// Adds the lines in memory, if there are several threads and the lines are plain.
    #[inline]
    pub(super) fn add<R: Read>(&mut self, table: &mut Assembler, records: &mut Records<R>) {
        if self.threads > 1 && records.is_fresh() {
            self.add_stretch(table, records);
        }
    }

    fn add_stretch<R: Read>(&mut self, table: &mut Assembler, records: &mut Records<R>) {
        let row = records.row() + 1;
        let stretch = records.stretch();
        if stretch.is_empty() || self.passed < self.pause || table.columns.narrow().is_none() {
            self.passed += 1;
            return;
        }
        self.passed = 0;
        let (template, object_at) = (&table.columns, table.object_at());
        let read = |lines: &&[u8]| ReadPart::read(lines, template, object_at, self.separator);
        let parts: Option<Vec<ReadPart>> = cut(stretch, self.threads).par_iter().map(read).collect();
        match parts.filter(|parts| table.has_room_for(parts)) {
            Some(parts) => {
                let len = stretch.len();
                let rows = parts.iter().map(|part| part.names.len()).sum();
                table.append(row, parts);
                records.skip(len, rows);
                self.pause = 0;
            }
            None => self.pause = (2 * self.pause).clamp(1, MOST_PASSED),
        }
    }
}

/// Cuts `lines` into about equal parts, each of whole lines.
fn cut(mut lines: &[u8], count: usize) -> Vec<&[u8]> {
    let size = lines.len() / count + 1;
    let mut parts = Vec::new();
    while !lines.is_empty() {
        let end = memchr::memchr(b'\n', &lines[size.min(lines.len()) - 1..]);
        let (part, rest) = lines.split_at(end.map_or(lines.len(), |end| size.min(lines.len()) + end));
        parts.push(part);
        lines = rest;
    }
    parts
}

impl ReadPart {
    /// Reads `lines` into columns like those of `template`; `None` if a line is not plain.
    fn read(mut lines: &[u8], template: &Columns, object_at: usize, separator: u8) -> Option<Self> {
        let mut part = Self { names: Labels::default(), columns: template.alike() };
        while let Some(len) = memchr2(b'\n', b'\r', lines) {
            part.add(&lines[..len], object_at, separator)?;
            let is_pair = lines[len..].starts_with(b"\r\n");
            lines = &lines[len + 1 + usize::from(is_pair)..];
        }
        lines.is_empty().then_some(part)
    }

    fn add(&mut self, line: &[u8], object_at: usize, separator: u8) -> Option<()> {
        let name = line.split(|&byte| byte == separator).nth(object_at)?;
        let name = cells::text(name).ok()?.trim();
        if name.is_empty() || name.starts_with('@') {
            return None;
        }
        self.names.push(name);
        line::add(&mut self.columns, object_at, line, separator).ok()?.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_lines_and_make_up_all() {
        let text = b"abc\nd\n\nefghijkl\nm\n";
        for count in 1..25 {
            let parts = cut(text, count);
            assert!(parts.len() <= count && parts.concat() == text, "{count}");
            assert!(parts.iter().all(|part| part.ends_with(b"\n")), "{count}");
        }
        assert!(cut(b"", 2).is_empty());
    }
}
