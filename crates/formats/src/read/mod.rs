//! Reading tables, costs and lists of names.
//!
//! A table is read from CSV, TSV or Parquet into a [`Table`]; [`Instance`](fewest_model::Instance) decides what its
//! columns mean. The path of the bytes, one file for each step:
//!
//! ```text
//! bytes ─decode→ UTF-8 ─split→ records ─delimited→ cells ┐
//! bytes ───────────────────────parquet→ cells ───────────┴assemble→ Table
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

#[cfg(feature = "arrow")]
mod arrow_text;
mod assemble;
#[cfg(feature = "parquet")]
mod batches;
#[cfg(feature = "parquet")]
mod catch_panic;
mod cells;
mod costs;
mod decode;
mod delimited;
mod error;
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

pub use costs::{CostList, read_bundles, read_bundles_from, read_costs, read_costs_from};
pub use error::{Place, Problem, ReadError};
pub use labelled::{Data, Rows, read_data, read_data_from};
pub use lists::{read_names, read_names_from};
pub use notice::{LongCells, Notice, ReadWarning};
#[cfg(feature = "arrow")]
pub use record_batch::read_table_from_batches;
pub use source::Source;

use fewest_model::{Role, Table};
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
}

impl Default for ReadLimits {
    /// Returns limits of as many rows as objects can be numbered, and of a million columns.
    fn default() -> Self {
        Self { rows: usize::MAX, columns: 1_000_000 }
    }
}

/// Reads a table from a file or from standard input.
///
/// # Errors
/// When there is no such file, or it holds no table; the error says where and what to do.
pub fn read_table(source: Source<'_>, options: &ReadOptions) -> Result<(Table, Vec<ReadWarning>), ReadError> {
    let file = source.to_string();
    let read = source.open().and_then(|input| table(input, &file, options));
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
    let read = Input::of_stream(input).and_then(|input| table(input, file, options));
    read.map_err(|problem| ReadError { file: file.to_owned(), problem })
}

fn table<R: Read>(
    input: Input<R>,
    file: &str,
    options: &ReadOptions,
) -> Result<(Table, Vec<ReadWarning>), Problem> {
    let (table, notices) = match input {
        Input::Text(text) => delimited::read(text, options)?,
        #[cfg(feature = "parquet")]
        Input::ParquetFile(file) => parquet::read(file, options)?,
        #[cfg(feature = "parquet")]
        Input::ParquetBytes(bytes) => parquet::read(bytes, options)?,
    };
    let warning = |notice| ReadWarning { file: file.to_owned(), notice };
    Ok((table, notices.into_iter().map(warning).collect()))
}
