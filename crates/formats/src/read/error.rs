//! Reasons why a file cannot be read.

use fewest_model::{Choice, Spell, spell_plainly};
use std::fmt;
use std::io;
use thiserror::Error;

/// Error of reading a file, in one line: where it is, and what to do about it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}: {problem}")]
pub struct ReadError {
    /// Name of the file, or `standard input`.
    pub file: String,
    /// Problem of the file.
    pub problem: Problem,
}

impl ReadError {
    /// Returns the message, with options spelled by `spell`.
    pub fn words(&self, spell: Spell) -> String {
        match &self.problem {
            Problem::NoSuchColumn { name, known } => {
                format!("{}: {}", self.file, no_such_column(name, known, spell))
            }
            _ => self.to_string(),
        }
    }
}

fn no_such_column(name: &str, known: &str, spell: Spell) -> String {
    format!("{} `{}`: there is no such column; {known}", spell(Choice::Object, ""), short(name))
}

/// Place of a cell in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Row, as a spreadsheet counts: 1 for the header.
    pub row: usize,
    /// Column, from 1.
    pub position: usize,
    /// Header of the column, where it is known.
    pub name: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "row {}, column `{}`", self.row, short(name)),
            None => write!(f, "row {}, column {}", self.row, self.position),
        }
    }
}

/// Problem of a file that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// No such file.
    #[error("there is no such file; check the name, or use - for standard input")]
    Missing,
    /// A directory where a file should be.
    #[error("this is a directory; name a file in it")]
    Directory,
    /// An error of the system.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// Message of the system.
        reason: String,
    },
    /// An empty file.
    #[error("the file is empty; a table has a header and a row for each object")]
    Empty,
    /// A file that is not a table, such as a PDF.
    #[error("this is {what}; save the table as CSV")]
    NotText {
        /// Kind of the file, in words.
        what: &'static str,
    },
    /// A Parquet file, in a build without the feature `parquet`.
    #[error(
        "this is a Parquet file, and this build of fewest reads none; save the table as CSV, or build fewest with \
         `--features parquet`"
    )]
    NoParquet,
    /// A broken file beside the table.
    #[error("{file}, which lies beside the table: {reason}")]
    Beside {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that has to be kept in memory and is too long for that.
    #[error(
        "the file is longer than {megabytes} MB, the most that is read of this format; save the table as CSV"
    )]
    LongFile {
        /// Longest file that is read, in MB.
        megabytes: usize,
    },
    /// A file of a kind that this build does not read.
    #[error(
        "this is {what}, and this build of fewest reads none; save the table as CSV, or build fewest with \
         `--features {feature}`"
    )]
    NoFeature {
        /// Kind of the file, in words.
        what: &'static str,
        /// Feature that reads it.
        feature: &'static str,
    },
    /// A file in an exchange format that is broken, or holds no table.
    #[error("this {format} file cannot be read as a table: {reason}")]
    Format {
        /// Name of the format.
        format: &'static str,
        /// The reason, with the place if it is known.
        reason: String,
    },
    /// Text with bytes of several encodings, in a file without rows.
    #[error(
        "byte {byte} and others are neither UTF-8 nor Windows-1252, or a mixture; save the file as UTF-8"
    )]
    MixedEncoding {
        /// The first byte that does not fit, from 1.
        byte: usize,
    },
    /// Bytes of another encoding.
    #[error(
        "{place}: the bytes here are neither UTF-8 nor Windows-1252, or a mixture; save the file as UTF-8"
    )]
    Encoding {
        /// The cell.
        place: Place,
    },
    /// A NUL byte.
    #[error("{place}: a NUL byte, which no text holds; save the file as plain text in UTF-8")]
    Nul {
        /// The cell.
        place: Place,
    },
    /// A quote that is never closed.
    #[error(
        "{place}: the quote that opens here is never closed; add the closing quote, or write \"\" for a quote in a cell"
    )]
    Unclosed {
        /// The cell where the quote opens.
        place: Place,
    },
    /// Text after a closing quote.
    #[error("{place}: text follows the closing quote; write \"\" for a quote inside a quoted cell")]
    AfterQuote {
        /// The cell.
        place: Place,
    },
    /// A row that is too long.
    #[error("row {row} is longer than {megabytes} MB; a closing quote or the line breaks may be missing")]
    LongRow {
        /// The row.
        row: usize,
        /// Longest row that is read, in MB.
        megabytes: usize,
    },
    /// A column without a name.
    #[error("row {row}, column {position}: the column has no name; name it in the header")]
    UnnamedColumn {
        /// The row of the header.
        row: usize,
        /// Number of the column, from 1.
        position: usize,
    },
    /// Two columns of one name.
    #[error("columns {first} and {second} are both called `{name}`; rename one of them", name = short(name))]
    SameColumn {
        /// The name.
        name: String,
        /// Number of the first column, from 1.
        first: usize,
        /// Number of the second column.
        second: usize,
    },
    /// The column of the objects is missing.
    #[error("{}", no_such_column(name, known, spell_plainly))]
    NoSuchColumn {
        /// Name that was asked for.
        name: String,
        /// Columns of the file, in words.
        known: String,
    },
    /// A row with too few or too many cells.
    #[error(
        "row {row} has {found} {cells} where the header has {expected}; {way_out}",
        cells = if *found == 1 { "cell" } else { "cells" },
        way_out = if found > expected { "put quotes around a cell that holds the separator, as in \"a, b\"" }
            else { "fill up the row (an empty cell is missing), or put quotes around a cell that holds a line break" },
    )]
    Ragged {
        /// The row.
        row: usize,
        /// Number of cells in the header.
        expected: usize,
        /// Number of cells in the row.
        found: usize,
    },
    /// An object without a name.
    #[error("{place}: the object has no name; fill the cell, or delete the row")]
    UnnamedObject {
        /// The cell.
        place: Place,
    },
    /// Two objects of one name.
    #[error("rows {first} and {second} are both called `{name}`; give each object its own name", name = short(name))]
    SameObject {
        /// The name.
        name: String,
        /// Row of the first.
        first: usize,
        /// Row of the second.
        second: usize,
    },
    /// A row about the tests with an unknown name.
    #[error(
        "row {row}: `{name}` is unknown; rows that begin with @ are `@cost`, `@bundle`, `@setup`, `@question`, `@if`, `@needs`, `@label`, `@help`, `@image` and `@link`, and no object begins with @",
        name = short(name),
    )]
    UnknownAbout {
        /// The row.
        row: usize,
        /// Name of the row.
        name: String,
    },
    /// Two rows of one name about the tests.
    #[error("rows {first} and {second} are both `{name}`; keep one of them")]
    SameAbout {
        /// The name.
        name: String,
        /// The first row.
        first: usize,
        /// The second row.
        second: usize,
    },
    /// More objects than can be numbered.
    #[error("row {row}: more than {limit} objects; split the table")]
    TooManyObjects {
        /// The row.
        row: usize,
        /// Most objects that a table may have.
        limit: usize,
    },
    /// Too many columns.
    #[error(
        "the table has {found} columns where at most {limit} are taken; leave some out, or check the separator and the quotes"
    )]
    TooManyColumns {
        /// Number of columns in the table.
        found: usize,
        /// Most columns that are read.
        limit: usize,
    },
    /// A small file that takes much memory.
    #[error(
        "the file unfolds to more than {megabytes} MB, many times its own size; save the table as CSV if that is right"
    )]
    Unfolds {
        /// Most memory that the file may take, in MB.
        megabytes: usize,
    },
    /// A Parquet file that is broken or not supported.
    #[error("the Parquet file cannot be read: {reason}; write it anew, or save the table as CSV")]
    Parquet {
        /// Message of the Parquet reader.
        reason: String,
    },
    /// A batch of columns that cannot be read.
    #[error("the columns cannot be read: {reason}; convert them to texts or numbers")]
    Batch {
        /// Message of the library that reads them.
        reason: String,
    },
    /// A file of costs with another header.
    #[error("the header is `{found}`; a file of costs has the header `test,cost` and a row for each test, such as `fever,2.5` (more columns: `answer` for costs that depend on the answer, `bundle` and `setup` for a set-up that tests share)", found = short(found))]
    CostHeader {
        /// Header of the file.
        found: String,
    },
    /// A cost that is not a number above 0.
    #[error("row {row}: test `{test}` has cost `{text}`; a cost is a number > 0, such as 1 or 2.5", test = short(test), text = short(text))]
    Cost {
        /// The row.
        row: usize,
        /// The test.
        test: String,
        /// Text of the cell.
        text: String,
    },
    /// A file of bundles with another header.
    #[error("the header is `{found}`; a file of bundles has the header `test,bundle,setup` or `test,bundle,cost_if_not_first_in_bundle`", found = short(found))]
    BundleHeader {
        /// Header of the file.
        found: String,
    },
    /// A set-up, or a cost after another test of the bundle, that is not a number of at least 0.
    #[error("row {row}: test `{test}` has the set-up or later cost `{text}`; it is a number ≥ 0, such as 0 or 2.5", test = short(test), text = short(text))]
    Setup {
        /// The row.
        row: usize,
        /// The test.
        test: String,
        /// Text of the cell.
        text: String,
    },
    /// A set-up without a bundle.
    #[error("row {row}: test `{test}` has no bundle; name one, or leave the row out", test = short(test))]
    NoBundle {
        /// The row.
        row: usize,
        /// The test.
        test: String,
    },
    /// Two set-ups for one bundle.
    #[error("rows {first} and {second} give bundle `{bundle}` two set-ups; the tests of a bundle share one", bundle = short(bundle))]
    TwoSetups {
        /// The bundle.
        bundle: String,
        /// The first row.
        first: usize,
        /// The second row.
        second: usize,
    },
    /// A test in two bundles.
    #[error("rows {first} and {second} put test `{test}` into different bundles; a test has one bundle at most", test = short(test))]
    TwoBundles {
        /// The test.
        test: String,
        /// The first row.
        first: usize,
        /// The second row.
        second: usize,
    },
    /// Two costs for one answer.
    #[error("rows {first} and {second} both give a cost of answer `{answer}` to test `{test}`; keep one of them", test = short(test), answer = short(answer))]
    SameAnswer {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
        /// The first row.
        first: usize,
        /// The second row.
        second: usize,
    },
    /// A cost without a test.
    #[error("row {row}: the test has no name; fill the cell, or delete the row")]
    UnnamedTest {
        /// The row.
        row: usize,
    },
    /// Two costs for one test.
    #[error("rows {first} and {second} both give a cost of test `{test}`; keep one of them", test = short(test))]
    SameTest {
        /// The test.
        test: String,
        /// The first row.
        first: usize,
        /// The second row.
        second: usize,
    },
    /// A list of names that is empty.
    #[error("no names; write the name of one test on each line")]
    NoNames,
}

impl Problem {
    /// Adds the name of the column, where the problem is in a cell.
    pub(super) fn named(mut self, header: &[String]) -> Self {
        if let Self::Encoding { place }
        | Self::Nul { place }
        | Self::Unclosed { place }
        | Self::AfterQuote { place } = &mut self
        {
            place.name = header.get(place.position - 1).cloned();
        }
        self
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::IsADirectory => Self::Directory,
            _ => Self::Unreadable { reason: one_line(&error.to_string()) },
        }
    }
}

/// At most 40 letters of `text`, on one line: a message quotes, it does not repeat a file.
pub(super) fn short(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut shown: String = letters.by_ref().take(SHOWN).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// At most 200 letters of a reason that another library gives.
pub(super) fn short_reason(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// `text` without line breaks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
