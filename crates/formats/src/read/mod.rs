//! Reading tables, costs and lists of names.
//!
//! A table is read from CSV, TSV, Parquet, a workbook or an exchange format into a [`Table`]; [`Instance`](fewest_model::Instance) decides what its
//! columns mean. The path of the bytes, one file for each step:
//!
//! ```text
//! bytes ─decode→ UTF-8 ─split→ records ─delimited→ cells ┐
//! bytes ───────────────────────parquet→ cells ───────────┴assemble→ Table
//! bytes ──────────exchange→ objects, tests, cells, texts ──matrix→ Table, Texts
//! ```
//!
//! ```
//! use fewest_formats::read::{ReadOptions, read_table_from};
//!
//! let text = "animal,legs\nbear,4\nhen,2\n";
//! let (table, warnings) = read_table_from(text.as_bytes(), "animals.csv", &ReadOptions::default())?;
//! assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["bear", "hen"]);
//! assert!(warnings.is_empty());
//! # Ok::<(), fewest_formats::read::ReadError>(())
//! ```

#[cfg(feature = "parquet")]
mod arrow_file;
#[cfg(feature = "arrow")]
mod arrow_text;
mod assemble;
#[cfg(feature = "parquet")]
mod batches;
mod beside;
#[cfg(any(feature = "parquet", feature = "sheets"))]
mod catch_panic;
mod cells;
mod costs;
mod decode;
mod delimited;
mod error;
mod exchange;
mod find_layout;
mod header;
mod labelled;
mod layout;
mod line;
mod lists;
mod notice;
mod one_byte;
mod parallel;
#[cfg(feature = "parquet")]
mod parquet;
mod plain_lines;
#[cfg(feature = "arrow")]
mod record_batch;
mod shape;
mod sniff;
mod source;
mod split;
#[cfg(feature = "parquet")]
mod thrift;
mod wide;

pub use crate::loss::{Loss, Losses};
pub use beside::{SIDES, side_path};
pub use costs::{CostList, read_bundles, read_bundles_from, read_costs, read_costs_from};
pub use error::{Place, Problem, ReadError};
pub use labelled::{Data, Rows, read_data, read_data_from};
pub use lists::{read_names, read_names_from};
pub use notice::{LongCells, Notice, ReadWarning};
#[cfg(feature = "arrow")]
pub use record_batch::read_table_from_batches;
pub use source::Source;

use crate::texts::Texts;
use fewest_model::{MissingCells, Reading, Role, Table};
use source::Input;
use std::io::Read;

/// Options for reading a table; the defaults take a file as it stands and refuse what is unusual.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Column that names the objects; `None`: the first column.
    pub object: Option<String>,
    /// Column of groups: rows of one name form a group only in a table without another.
    pub group: Role,
    /// Whether a file as people export it is understood: lines above the header, empty cells beyond the last column,
    /// columns without a name, names that come more than once, one line for each answer.
    pub lenient: bool,
    /// Whether rows and columns are exchanged: the file has one row per test.
    pub transpose: bool,
    /// Largest table that is read.
    pub limits: ReadLimits,
}

/// Limits on the size of a table, checked while it is read: a larger table is refused before it takes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Most rows that hold an object.
    pub rows: usize,
    /// Most columns, including the one with the names.
    pub columns: usize,
    /// Most bytes to which a packed file, such as a workbook, may unfold.
    pub unpacked: usize,
}

impl Default for ReadLimits {
    /// Returns limits of as many rows as objects can be numbered, a million columns, and two gigabytes.
    fn default() -> Self {
        Self { rows: usize::MAX, columns: 1_000_000, unpacked: 2 << 30 }
    }
}

/// Table with what belongs to it.
#[derive(Debug)]
pub struct ReadTable {
    /// The table.
    pub table: Table,
    /// Texts for display.
    pub texts: Texts,
    /// Mark between the answers of one cell, if the format is known to list answers.
    pub several: Option<&'static str>,
    /// What is to be said about the file.
    pub warnings: Vec<ReadWarning>,
}

/// Whether these bytes are a file in a format of others, such as a workbook, and no text with cells.
pub fn is_other_format(bytes: &[u8]) -> bool {
    exchange::kind_of(&bytes[..bytes.len().min(exchange::HEAD)]).is_some()
}

impl ReadTable {
    /// Gives tests the questions that the texts hold, so that everything that asks shows them.
    pub fn show_questions(&mut self) {
        beside::questions(&mut self.table, &self.texts);
    }

    /// Completes a reading by what the format says of its cells: lists of answers, and gaps that allow any answer.
    pub fn suit(&self, reading: &mut Reading) {
        if let Some(mark) = self.several {
            reading.several.get_or_insert_with(|| mark.to_owned());
            if reading.missing == MissingCells::Auto {
                reading.missing = MissingCells::Any;
            }
        }
    }
}

/// Reads a table from a file or from standard input.
///
/// # Errors
/// When there is no such file, or it holds no table; the error says where and what to do.
pub fn read_table(source: Source<'_>, options: &ReadOptions) -> Result<(Table, Vec<ReadWarning>), ReadError> {
    read_with_texts(source, options).map(|read| (read.table, read.warnings))
}

/// Reads a table with its texts from a file, from files beside it, or from standard input.
///
/// # Errors
/// As [`read_table`].
pub fn read_with_texts(source: Source<'_>, options: &ReadOptions) -> Result<ReadTable, ReadError> {
    let file = source.to_string();
    let read = source.open().and_then(|input| {
        let is_plain = matches!(input, Input::Text(_));
        let mut read = table(input, &file, options)?;
        if let (Source::Path(path), true) = (source, is_plain) {
            beside::add_files(path, &mut read)?;
        }
        Ok(read)
    });
    read.map_err(|problem| ReadError { file, problem })
}

/// Reads a table from any stream of bytes; `file` is its name in messages.
///
/// # Errors
/// When the stream breaks, or holds no table; the error says where and what to do.
pub fn read_table_from(
    input: impl Read,
    file: &str,
    options: &ReadOptions,
) -> Result<(Table, Vec<ReadWarning>), ReadError> {
    read_with_texts_from(input, file, options).map(|read| (read.table, read.warnings))
}

/// Reads a table with its texts from any stream of bytes; `file` is its name in messages.
///
/// # Errors
/// As [`read_table_from`].
pub fn read_with_texts_from(
    input: impl Read,
    file: &str,
    options: &ReadOptions,
) -> Result<ReadTable, ReadError> {
    let read = Input::of_stream(input).and_then(|input| table(input, file, options));
    read.map_err(|problem| ReadError { file: file.to_owned(), problem })
}

fn table<R: Read>(input: Input<R>, file: &str, options: &ReadOptions) -> Result<ReadTable, Problem> {
    let plain = |(table, notices)| (table, Texts::default(), notices);
    let mut several = None;
    let (table, mut texts, notices) = match input {
        Input::Text(text) => plain(delimited::read(text, options)?),
        Input::Other(kind, input) => {
            several = kind.lists_answers().then_some("|");
            exchange::read(kind, source::whole(input)?, options)?
        }
        Input::Files(files) => {
            several = Some("|");
            exchange::read_files(files, options)?
        }
        #[cfg(feature = "parquet")]
        Input::ParquetFile(file) => plain(parquet::read(file, options)?),
        #[cfg(feature = "parquet")]
        Input::ParquetBytes(bytes) => plain(parquet::read(bytes, options)?),
    };
    beside::texts_of_rows(&table, &mut texts);
    let warning = |notice| ReadWarning { file: file.to_owned(), notice };
    Ok(ReadTable { table, texts, several, warnings: notices.into_iter().map(warning).collect() })
}
