//! Why a file cannot be read.

use fewest_model::{Choice, Spell, spell_plainly};
use std::fmt;
use std::io;
use thiserror::Error;

/// Why a file cannot be read, where, and what to do about it; one line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}: {problem}")]
pub struct ReadError {
    /// The file, or `standard input`.
    pub file: String,
    /// What is wrong.
    pub problem: Problem,
}

impl ReadError {
    /// The message, with options spelled by `spell`.
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

/// A cell of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The row, as a spreadsheet counts: 1 for the header.
    pub row: usize,
    /// The column, counted from 1.
    pub position: usize,
    /// The header of the column, where it is known.
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

/// What is wrong with a file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// There is no such file.
    #[error("there is no such file; check the name, or use - for standard input")]
    Missing,
    /// A directory where a file should be.
    #[error("this is a directory; name a file in it")]
    Directory,
    /// The system refuses.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What the system says.
        reason: String,
    },
    /// Nothing to read.
    #[error("the file is empty; a table has a header and a row for each object")]
    Empty,
    /// Some other kind of file.
    #[error("this is {what}; save the table as CSV")]
    NotText {
        /// What it is.
        what: &'static str,
    },
    /// A Parquet file, in a build without the feature `parquet`.
    #[error(
        "this is a Parquet file, and this build of fewest reads none; save the table as CSV, or build fewest with \
         `--features parquet`"
    )]
    NoParquet,
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
    /// A row without end.
    #[error("row {row} is longer than {megabytes} MB; a closing quote or the line breaks may be missing")]
    LongRow {
        /// The row.
        row: usize,
        /// The limit.
        megabytes: usize,
    },
    /// A column without a name.
    #[error("row {row}, column {position}: the column has no name; name it in the header")]
    UnnamedColumn {
        /// The row of the header.
        row: usize,
        /// Where it stands, counted from 1.
        position: usize,
    },
    /// Two columns of one name.
    #[error("columns {first} and {second} are both called `{name}`; rename one of them", name = short(name))]
    SameColumn {
        /// The name.
        name: String,
        /// Where the first stands, counted from 1.
        first: usize,
        /// Where the second stands.
        second: usize,
    },
    /// The column of the objects is not there.
    #[error("{}", no_such_column(name, known, spell_plainly))]
    NoSuchColumn {
        /// The name given.
        name: String,
        /// What there is instead.
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
        /// How many cells the header has.
        expected: usize,
        /// How many the row has.
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
        /// The row of the first.
        first: usize,
        /// The row of the second.
        second: usize,
    },
    /// A row that speaks of the tests in an unknown way.
    #[error(
        "row {row}: `{name}` is unknown; rows that begin with @ are `@cost` and `@question`, and no object begins with @",
        name = short(name),
    )]
    UnknownAbout {
        /// The row.
        row: usize,
        /// Its name.
        name: String,
    },
    /// Two rows that say the same of the tests.
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
        /// How many there may be.
        limit: usize,
    },
    /// More columns than may be.
    #[error(
        "the table has {found} columns where at most {limit} are taken; leave some out, or check the separator and the quotes"
    )]
    TooManyColumns {
        /// The columns there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A small file that takes a large memory.
    #[error(
        "the file unfolds to more than {megabytes} MB, many times its own size; save the table as CSV if that is right"
    )]
    Unfolds {
        /// The limit.
        megabytes: usize,
    },
    /// A Parquet file that is broken or too strange.
    #[error("the Parquet file cannot be read: {reason}; write it anew, or save the table as CSV")]
    Parquet {
        /// What the reader of Parquet says.
        reason: String,
    },
    /// A file of costs with another header.
    #[error("the header is `{found}`; a file of costs has the header `test,cost` and a row for each test, such as `fever,2.5`", found = short(found))]
    CostHeader {
        /// What stands there.
        found: String,
    },
    /// A cost that is none.
    #[error("row {row}: test `{test}` has cost `{text}`; a cost is a number > 0, such as 1 or 2.5", test = short(test), text = short(text))]
    Cost {
        /// The row.
        row: usize,
        /// The test.
        test: String,
        /// What stands there.
        text: String,
    },
    /// A cost of no test.
    #[error("row {row}: the test has no name; fill the cell, or delete the row")]
    UnnamedTest {
        /// The row.
        row: usize,
    },
    /// Two costs of one test.
    #[error("rows {first} and {second} both give a cost of test `{test}`; keep one of them", test = short(test))]
    SameTest {
        /// The test.
        test: String,
        /// The first row.
        first: usize,
        /// The second row.
        second: usize,
    },
    /// A list of names without a name.
    #[error("no names; write the name of one test on each line")]
    NoNames,
}

impl Problem {
    /// The same with the column called by its name, where the problem has a place in a column.
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

/// At most 40 letters of `text` on one line: a message quotes, it does not repeat a file.
pub(super) fn short(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut shown: String = letters.by_ref().take(SHOWN).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// `text` without line breaks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
