//! Workbooks of LibreOffice and others, in ODS.
//!
//! Read by hand, event by event: a row or a cell may be repeated a million times, and is counted before it is kept.

use super::super::super::Problem;
use super::super::super::catch_panic::attempt_as;
use super::super::broken;
use super::merged::Merged;
use super::values::{iso_date, iso_duration, number};
use super::{Book, Cells, Counts, TakeRow};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::io::{BufReader, Cursor};
use zip::ZipArchive;

const FORMAT: &str = "ODS";
/// Rows and columns of the largest sheet.
const MOST_ROWS: u32 = 1 << 20;
const MOST_COLUMNS: u32 = 1 << 14;
/// Deepest nesting of elements.
const MOST_DEPTH: usize = 200;
/// Most letters of one cell.
const MOST_LETTERS: usize = 1 << 20;

/// A workbook, whose parts are unpacked whenever they are read.
pub(super) struct Ods {
    bytes: Vec<u8>,
    sheets: Vec<String>,
    merged: Vec<(String, Merged)>,
}

impl Ods {
    pub(super) fn open(bytes: Vec<u8>) -> Result<Self, Problem> {
        let mut book = Self { bytes, sheets: Vec::new(), merged: Vec::new() };
        let (mut sheets, mut merged) = (Vec::new(), Vec::new());
        book.walk(&mut |found| {
            match found {
                Found::Sheet(name) => sheets.push(name.to_owned()),
                Found::Merged(area) => {
                    if let Some(sheet) = sheets.last() {
                        merged.push((sheet.clone(), area));
                    }
                }
                Found::Row(..) => {}
            }
            Ok(true)
        })?;
        (book.sheets, book.merged) = (sheets, merged);
        Ok(book)
    }

    /// Walks through the contents; `take` returns whether more is wanted.
    fn walk(&self, take: &mut dyn FnMut(Found<'_>) -> Result<bool, Problem>) -> Result<Counts, Problem> {
        let mut archive = attempt_as(FORMAT, || ZipArchive::new(Cursor::new(&self.bytes[..])))?;
        let mut names = archive.file_names().flatten().map(String::from);
        let name = names.find(|name| name.eq_ignore_ascii_case("content.xml"));
        drop(names);
        let name = name.ok_or_else(|| broken(FORMAT, "it has no content.xml"))?;
        let part = attempt_as(FORMAT, || archive.by_name(&name))?;
        let mut reader = Reader::from_reader(BufReader::new(part));
        let mut walker = Walker::default();
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            let event =
                reader.read_event_into(&mut buffer).map_err(|error| broken(FORMAT, error.to_string()))?;
            if !walker.step(event, take)? {
                return Ok(walker.counts);
            }
        }
    }
}

/// What a walk comes across.
enum Found<'a> {
    Sheet(&'a str),
    Merged(Merged),
    Row(u32, &'a Cells),
}

impl Book for Ods {
    fn sheets(&self) -> (Vec<String>, usize) {
        (self.sheets.clone(), 0)
    }

    fn merged(&mut self, sheet: &str) -> Result<Vec<Merged>, Problem> {
        Ok(self.merged.iter().filter(|(name, _)| name == sheet).map(|(_, area)| *area).collect())
    }

    fn rows(&mut self, sheet: &str, take: TakeRow<'_>) -> Result<Counts, Problem> {
        let mut is_here = false;
        self.walk(&mut |found| match found {
            Found::Sheet(name) => {
                let was_here = is_here;
                is_here = name == sheet;
                Ok(!was_here)
            }
            Found::Row(row, cells) if is_here => take(row, cells.clone()),
            Found::Row(..) | Found::Merged(_) => Ok(true),
        })
    }
}

/// State of a walk through the contents.
#[derive(Default)]
struct Walker {
    depth: usize,
    row: u32,
    row_repeats: u32,
    column: u32,
    cells: Cells,
    cell: Option<Cell>,
    counts: Counts,
    /// Depth of a note or of another part whose text is no value.
    ignored: Option<usize>,
    is_in_row: bool,
}

/// Cell under construction.
#[derive(Default)]
struct Cell {
    repeats: u32,
    value: Option<String>,
    text: String,
    paragraphs: usize,
    is_error: bool,
    has_formula: bool,
}

impl Walker {
    /// Takes one event; returns whether more are wanted.
    fn step(
        &mut self,
        event: Event<'_>,
        take: &mut dyn FnMut(Found<'_>) -> Result<bool, Problem>,
    ) -> Result<bool, Problem> {
        match event {
            Event::Start(tag) => {
                self.depth += 1;
                if self.depth > MOST_DEPTH {
                    return Err(broken(FORMAT, format!("elements lie more than {MOST_DEPTH} deep")));
                }
                self.begin(&tag, take)
            }
            Event::Empty(tag) => {
                self.depth += 1;
                let goes_on = self.begin(&tag, take)? && self.end(tag.local_name().as_ref(), take)?;
                self.depth -= 1;
                Ok(goes_on)
            }
            Event::End(tag) => {
                let goes_on = self.end(tag.local_name().as_ref(), take)?;
                self.depth = self.depth.saturating_sub(1);
                Ok(goes_on)
            }
            Event::Text(text) => {
                self.write(&text);
                Ok(true)
            }
            Event::CData(text) => {
                self.write(&text);
                Ok(true)
            }
            Event::GeneralRef(entity) => {
                let letter = entity.resolve_char_ref().ok().flatten().map(String::from);
                let named = quick_xml::escape::resolve_predefined_entity(&entity).map(str::to_owned);
                match letter.or(named) {
                    Some(text) => self.write(&text),
                    None => return Err(broken(FORMAT, "it has an entity of its own")),
                }
                Ok(true)
            }
            Event::DocType(words) if words.contains('[') => {
                Err(broken(FORMAT, "it defines entities of its own"))
            }
            Event::Eof if self.depth > 0 => Err(broken(FORMAT, "it ends before its elements do")),
            Event::Eof => Ok(false),
            _ => Ok(true),
        }
    }

    fn write(&mut self, text: &str) {
        if let (Some(cell), None) = (&mut self.cell, self.ignored)
            && cell.paragraphs > 0
            && cell.text.len() < MOST_LETTERS
        {
            cell.text.push_str(text);
        }
    }

    fn begin(
        &mut self,
        tag: &BytesStart<'_>,
        take: &mut dyn FnMut(Found<'_>) -> Result<bool, Problem>,
    ) -> Result<bool, Problem> {
        match tag.local_name().as_ref() {
            "table" if !self.is_in_row => {
                self.row = 0;
                return take(Found::Sheet(&attribute(tag, "name")));
            }
            "table-row" => {
                self.row_repeats = repeats(tag, "number-rows-repeated", MOST_ROWS);
                (self.column, self.is_in_row) = (0, true);
                self.cells.clear();
            }
            "table-cell" | "covered-table-cell" if self.cell.is_none() => {
                self.cell = Some(Cell {
                    repeats: repeats(tag, "number-columns-repeated", MOST_COLUMNS),
                    value: value(tag),
                    is_error: attribute(tag, "value-type") == "error" || has_error(tag),
                    has_formula: !attribute(tag, "formula").is_empty(),
                    ..Cell::default()
                });
                return self.merge(tag, take);
            }
            "annotation" | "shapes" | "frame" if self.ignored.is_none() => self.ignored = Some(self.depth),
            "p" => {
                if let (Some(cell), None) = (&mut self.cell, self.ignored) {
                    if cell.paragraphs > 0 {
                        cell.text.push('\n');
                    }
                    cell.paragraphs += 1;
                }
            }
            "s" | "tab" | "line-break" => self.write(" "),
            _ => {}
        }
        Ok(true)
    }

    fn merge(
        &mut self,
        tag: &BytesStart<'_>,
        take: &mut dyn FnMut(Found<'_>) -> Result<bool, Problem>,
    ) -> Result<bool, Problem> {
        let (rows, columns) = (
            repeats(tag, "number-rows-spanned", MOST_ROWS),
            repeats(tag, "number-columns-spanned", MOST_COLUMNS),
        );
        if rows == 1 && columns == 1 {
            return Ok(true);
        }
        take(Found::Merged(Merged {
            rows: (self.row, self.row.saturating_add(rows - 1)),
            columns: (self.column, self.column.saturating_add(columns - 1)),
        }))
    }

    fn end(
        &mut self,
        name: &str,
        take: &mut dyn FnMut(Found<'_>) -> Result<bool, Problem>,
    ) -> Result<bool, Problem> {
        if self.ignored == Some(self.depth) {
            self.ignored = None;
        }
        match name {
            "table-cell" | "covered-table-cell" => {
                if let Some(cell) = self.cell.take() {
                    self.add(cell)?;
                }
            }
            "table-row" => {
                self.is_in_row = false;
                let repeats = self.row_repeats.min(MOST_ROWS.saturating_sub(self.row));
                let cells = std::mem::take(&mut self.cells);
                if cells.is_empty() {
                    self.row += repeats;
                    return Ok(true);
                }
                for _ in 0..repeats {
                    if !take(Found::Row(self.row, &cells))? {
                        return Ok(false);
                    }
                    self.row += 1;
                }
            }
            _ => {}
        }
        Ok(true)
    }

    fn add(&mut self, cell: Cell) -> Result<(), Problem> {
        let text = match (&cell.value, cell.is_error) {
            (_, true) => {
                self.counts.errors += 1;
                "?".to_owned()
            }
            (Some(value), _) => value.clone(),
            (None, _) => cell.text.trim().to_owned(),
        };
        self.counts.formulas += usize::from(cell.has_formula && text.is_empty());
        if text.is_empty() {
            self.column = self.column.saturating_add(cell.repeats);
            return Ok(());
        }
        if self.column + cell.repeats > MOST_COLUMNS {
            return Err(broken(FORMAT, format!("row {} has more than {MOST_COLUMNS} cells", self.row + 1)));
        }
        for _ in 0..cell.repeats {
            self.cells.push((self.column, text.clone()));
            self.column += 1;
        }
        Ok(())
    }
}

/// Value of an attribute, whatever its prefix.
fn attribute(tag: &BytesStart<'_>, name: &str) -> String {
    let found =
        tag.attributes().with_checks(false).flatten().find(|one| one.key.local_name().as_ref() == name);
    found
        .and_then(|one| one.normalized_value(XmlVersion::Implicit1_0).ok().map(String::from))
        .unwrap_or_default()
}

/// Number of times that something is repeated or spans, at least 1.
fn repeats(tag: &BytesStart<'_>, name: &str, most: u32) -> u32 {
    attribute(tag, name).parse().map_or(1, |count: u64| count.clamp(1, u64::from(most)) as u32)
}

/// Whether a type of the cell says that it holds an error.
fn has_error(tag: &BytesStart<'_>) -> bool {
    tag.attributes().with_checks(false).flatten().any(|one| {
        one.key.local_name().as_ref() == "value-type"
            && one.normalized_value(XmlVersion::Implicit1_0).is_ok_and(|value| value == "error")
    })
}

/// Value of a cell that is no plain text.
fn value(tag: &BytesStart<'_>) -> Option<String> {
    let of = |name: &str| Some(attribute(tag, name)).filter(|text| !text.is_empty());
    match attribute(tag, "value-type").as_str() {
        "float" | "percentage" | "currency" => {
            let text = of("value")?;
            Some(text.parse().map_or(text, number))
        }
        "date" => of("date-value").map(|text| iso_date(&text)),
        "time" => of("time-value").map(|text| iso_duration(&text)),
        "boolean" => of("boolean-value"),
        _ => of("string-value"),
    }
}
