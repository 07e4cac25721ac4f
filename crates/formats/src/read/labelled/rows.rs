//! Rows of labelled data, one at a time: for predictions on files of any length.

#[cfg(feature = "parquet")]
use super::checked;
use super::header;
#[cfg(feature = "parquet")]
use crate::read::batches::TextRows;
use crate::read::delimited::texts;
use crate::read::find_layout;
use crate::read::source::Input;
use crate::read::split::Records;
use crate::read::{Problem, ReadError, Source};
use std::io::Read;

/// Rows of a file, one at a time: for predictions on files of any length.
pub struct Rows {
    lines: Lines,
    header: Vec<String>,
    file: String,
}

pub(super) enum Lines {
    Text(Box<Records<Box<dyn Read>>>),
    #[cfg(feature = "parquet")]
    Batches(Box<TextRows>),
}

impl Rows {
    pub(super) fn new(header: Vec<String>, lines: Lines, file: String) -> Self {
        Self { lines, header, file }
    }

    /// Opens a file: CSV, TSV or Parquet.
    ///
    /// # Errors
    /// When there is no such file, or it has no header.
    pub fn open(source: Source<'_>) -> Result<Self, ReadError> {
        let file = source.to_string();
        let opened = source.open().and_then(|input| match input.csv()? {
            Ok(text) => of_lines(Box::new(text)),
            Err(Input::Text(text)) => of_lines(Box::new(text)),
            #[cfg(feature = "parquet")]
            Err(Input::ParquetFile(file)) => of_rows(TextRows::open(file)?),
            #[cfg(feature = "parquet")]
            Err(Input::ParquetBytes(bytes)) => of_rows(TextRows::open(bytes)?),
            Err(Input::Other(kind, _)) => Err(Problem::NotText { what: kind.words() }),
            Err(Input::Files(_)) => Err(Problem::Directory),
        });
        let (header, lines) = opened.map_err(|problem| ReadError { file: file.clone(), problem })?;
        Ok(Self::new(header, lines, file))
    }

    /// Names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Returns the next row, with its number in the file; the cells are trimmed.
    ///
    /// # Errors
    /// When the row is broken or has another length than the header.
    #[expect(clippy::should_implement_trait, reason = "the cells are lent, which no iterator can")]
    pub fn next(&mut self) -> Result<Option<(usize, Vec<&str>)>, ReadError> {
        let Self { lines, header, file } = self;
        let wrong = |problem: Problem| ReadError { file: file.clone(), problem: problem.named(header) };
        #[cfg_attr(
            not(feature = "parquet"),
            allow(clippy::infallible_destructuring_match, reason = "the other variant is a feature")
        )]
        let records = match lines {
            Lines::Text(records) => records,
            #[cfg(feature = "parquet")]
            Lines::Batches(rows) => return rows.next().map_err(wrong),
        };
        let separator = records.separator();
        let Some((row, record)) = records.next().map_err(wrong)? else { return Ok(None) };
        let mut cells = texts(row, &record, separator).map_err(wrong)?;
        if cells.len() != header.len() {
            return Err(wrong(Problem::Ragged { row, expected: header.len(), found: cells.len() }));
        }
        cells.iter_mut().for_each(|cell| *cell = cell.trim());
        Ok(Some((row, cells)))
    }
}

pub(super) fn of_lines(text: Box<dyn Read>) -> Result<(Vec<String>, Lines), Problem> {
    let mut records = find_layout::lenient(text)?;
    Ok((header(&mut records)?, Lines::Text(Box::new(records))))
}

#[cfg(feature = "parquet")]
pub(super) fn of_rows(rows: TextRows) -> Result<(Vec<String>, Lines), Problem> {
    Ok((checked(1, rows.header().iter().map(String::as_str))?, Lines::Batches(Box::new(rows))))
}
