//! The rows of a Parquet file, a batch at a time.

use super::Problem;
use super::parquet::{attempt, each_text};
use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::reader::ChunkReader;

/// The row of the first object, when the names of the columns are row 1.
pub(super) const FIRST_ROW: usize = 2;

/// A file that is being read.
pub(super) struct Batches {
    reader: ParquetRecordBatchReader,
    header: Vec<String>,
    row: usize,
}

impl Batches {
    /// Opens a file; about `cells` of its cells are in memory at a time.
    pub(super) fn open(file: impl ChunkReader + 'static, cells: usize) -> Result<Self, Problem> {
        // Arrow's own notes on types only say how values were kept in memory when they were written.
        let as_stored = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder = attempt(|| ParquetRecordBatchReaderBuilder::try_new_with_options(file, as_stored))?;
        let names = builder.schema().fields().iter();
        let header: Vec<String> = names.map(|field| field.name().clone()).collect();
        if header.is_empty() {
            return Err(Problem::Empty);
        }
        let batch_rows = (cells / header.len()).clamp(64, 8192);
        let reader = attempt(|| builder.with_batch_size(batch_rows).build())?;
        Ok(Self { reader, header, row: FIRST_ROW })
    }

    /// The names of the columns, as they are.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// The next batch, with the row of its first line.
    pub(super) fn next(&mut self) -> Result<Option<(usize, RecordBatch)>, Problem> {
        let reader = &mut self.reader;
        let batch = attempt(|| reader.next().transpose())?;
        Ok(batch.map(|batch| {
            let row = self.row;
            self.row += batch.num_rows();
            (row, batch)
        }))
    }
}

/// About how many cells of texts are in memory at a time.
const TEXT_CELLS: usize = 1 << 16;

/// A file handed out row by row, as texts.
pub(super) struct TextRows {
    batches: Batches,
    /// The texts of the batch, column after column.
    columns: Vec<Vec<String>>,
    row: usize,
    at: usize,
    len: usize,
}

impl TextRows {
    /// Opens a file.
    pub(super) fn open(file: impl ChunkReader + 'static) -> Result<Self, Problem> {
        let batches = Batches::open(file, TEXT_CELLS)?;
        let columns = vec![Vec::new(); batches.header().len()];
        Ok(Self { batches, columns, row: 0, at: 0, len: 0 })
    }

    /// The names of the columns, as they are.
    pub(super) fn header(&self) -> &[String] {
        self.batches.header()
    }

    /// The next row, with its number; the cells are trimmed.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Vec<&str>)>, Problem> {
        while self.at == self.len {
            let Some((row, batch)) = self.batches.next()? else { return Ok(None) };
            for (texts, array) in self.columns.iter_mut().zip(batch.columns()) {
                texts.clear();
                each_text(array, &mut |_, text| {
                    texts.push(text.to_owned());
                    Ok(())
                })?;
            }
            (self.row, self.at, self.len) = (row, 0, batch.num_rows());
        }
        let at = self.at;
        self.at += 1;
        Ok(Some((self.row + at, self.columns.iter().map(|texts| texts[at].trim()).collect())))
    }
}
