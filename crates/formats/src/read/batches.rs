//! Rows of a Parquet file, a batch at a time.

use super::Problem;
use super::arrow_text::{broken, each_text};
use super::catch_panic::attempt;
use super::record_batch::FIRST_ROW;
use super::thrift::{Refused, check_file, check_page};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use std::sync::Arc;

/// A file that is being read.
pub(super) struct Batches {
    reader: ParquetRecordBatchReader,
    header: Vec<String>,
    row: usize,
    /// Most bytes of memory that the file's contents may take.
    most_bytes: usize,
}

/// Bytes to which any file may unfold. A large file may unfold to [`MOST_RATIO`] times its own size.
const USUAL_BYTES: usize = 256 << 20;
/// Most bytes in memory for each byte of the file: ordinary writers pack repeated truth values about this well.
const MOST_RATIO: usize = 64;

impl Batches {
    /// Opens a file; about `cells` of its cells are in memory at a time.
    pub(super) fn open(file: impl ChunkReader + 'static, cells: usize) -> Result<Self, Problem> {
        // Arrow's own notes on types only tell how the writer kept the values in memory.
        let as_stored = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        refuse_false_end(&file)?;
        let stored = attempt(|| ArrowReaderMetadata::load(&file, as_stored))?;
        refuse_false_pages(&file, stored.metadata())?;
        let most_bytes = USUAL_BYTES.max((file.len() as usize).saturating_mul(MOST_RATIO));
        refuse_unfolding(least_bytes(stored.metadata()), most_bytes)?;
        let as_views = ArrowReaderOptions::new().with_schema(with_views(stored.schema()));
        let viewed = attempt(|| ArrowReaderMetadata::try_new(stored.metadata().clone(), as_views))?;
        let builder =
            attempt(|| Ok::<_, Problem>(ParquetRecordBatchReaderBuilder::new_with_metadata(file, viewed)))?;
        let names = builder.schema().fields().iter();
        let header: Vec<String> = names.map(|field| field.name().clone()).collect();
        if header.is_empty() {
            return Err(Problem::Empty);
        }
        let batch_rows = (cells / header.len()).clamp(64, 8192);
        let reader = attempt(|| builder.with_batch_size(batch_rows).build())?;
        Ok(Self { reader, header, row: FIRST_ROW, most_bytes })
    }

    /// Refuses a file whose contents, as far as they were read, take `bytes` of memory, if that is more than allowed.
    pub(super) fn refuse_unfolding(&self, bytes: usize) -> Result<(), Problem> {
        refuse_unfolding(bytes, self.most_bytes)
    }

    /// Names of the columns, not trimmed.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// Returns the next batch, with the row of its first line.
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

fn refuse_unfolding(bytes: usize, most: usize) -> Result<(), Problem> {
    if bytes > most { Err(Problem::Unfolds { megabytes: most >> 20 }) } else { Ok(()) }
}

const FALSE: &str = "its table of contents is not that of a Parquet file";

/// Refuses a file whose metadata would keep the library busy for ever; other mistakes are left to the library to
/// report.
fn refuse_false_end(file: &impl ChunkReader) -> Result<(), Problem> {
    // The last eight bytes: the length of the metadata, and a mark.
    let Some(before_tail) = file.len().checked_sub(8) else { return Ok(()) };
    let tail = attempt(|| file.get_bytes(before_tail, 8))?;
    let length = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    let Some(start) = before_tail.checked_sub(length) else { return Ok(()) };
    let end = attempt(|| file.get_bytes(start, length as usize))?;
    match check_file(&end) {
        Err(Refused::False) => Err(broken(FALSE)),
        Err(Refused::Broken) | Ok(()) => Ok(()),
    }
}

/// About as many bytes as a page header takes.
const PAGE_HEAD: u64 = 512;

/// Refuses a file with a page header that would keep the library busy for ever.
fn refuse_false_pages(file: &impl ChunkReader, about: &ParquetMetaData) -> Result<(), Problem> {
    // Columns do not overlap, so all of them together are no longer than the file, and this loop is no longer either.
    let mut unclaimed = file.len();
    for column in about.row_groups().iter().flat_map(|group| group.columns()) {
        let (mut at, length) = attempt(|| Ok::<_, Problem>(column.byte_range()))?;
        unclaimed = unclaimed.checked_sub(length).ok_or_else(|| broken(FALSE))?;
        let end = at.saturating_add(length).min(file.len());
        while at < end {
            // The library reads past the end of the column, so the header of its last page may be longer than the
            // column.
            let left = file.len() - at;
            let mut looked = PAGE_HEAD.min(left);
            let found = loop {
                let head = attempt(|| file.get_bytes(at, looked as usize))?;
                match check_page(&head, left as usize) {
                    Err(Refused::Broken) if looked < left => looked = looked.saturating_mul(16).min(left),
                    found => break found,
                }
            };
            match found {
                Ok((head, page)) => {
                    let Ok(page) = u64::try_from(page) else { break };
                    at = at.saturating_add(head as u64).saturating_add(page);
                }
                Err(Refused::False) => return Err(broken(FALSE)),
                // The library stops here as well.
                Err(Refused::Broken) => break,
            }
        }
    }
    Ok(())
}

/// Least number of bytes that a file takes when it is read, by its own metadata: the largest part that is unpacked at
/// once, and a bit for each cell.
fn least_bytes(file: &ParquetMetaData) -> usize {
    let unpacked = file.row_groups().iter().flat_map(|group| group.columns());
    let unpacked =
        unpacked.map(|column| usize::try_from(column.uncompressed_size()).unwrap_or(usize::MAX)).max();
    let about = file.file_metadata();
    let rows = usize::try_from(about.num_rows()).unwrap_or(usize::MAX);
    let cells = rows.saturating_mul(about.schema_descr().num_columns());
    unpacked.unwrap_or(0).max(cells / 8)
}

/// The same schema, with text columns as views: a text that the file holds once is then in memory once, too.
fn with_views(schema: &Schema) -> SchemaRef {
    let view = |field: &FieldRef| match field.data_type() {
        DataType::Utf8 => Arc::new(Field::new(field.name(), DataType::Utf8View, field.is_nullable())),
        _ => field.clone(),
    };
    Arc::new(Schema::new(schema.fields().iter().map(view).collect::<Vec<_>>()))
}

/// About the number of text cells in memory at a time.
const TEXT_CELLS: usize = 1 << 16;

/// Rows of a file, one by one, as texts.
pub(super) struct TextRows {
    batches: Batches,
    /// Texts of the current batch, column after column.
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

    /// Names of the columns, not trimmed.
    pub(super) fn header(&self) -> &[String] {
        self.batches.header()
    }

    /// Returns the next row, with its number; the cells are trimmed.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Vec<&str>)>, Problem> {
        while self.at == self.len {
            let Some((row, batch)) = self.batches.next()? else { return Ok(None) };
            let mut bytes = 0;
            for (texts, array) in self.columns.iter_mut().zip(batch.columns()) {
                texts.clear();
                each_text(array, &mut |_, text| {
                    bytes += text.len();
                    self.batches.refuse_unfolding(bytes)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::metadata::{ColumnChunkMetaData, FileMetaData, RowGroupMetaData};
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::SchemaDescriptor;

    #[test]
    fn a_file_that_would_be_read_for_hours_is_refused_at_once() {
        let mut file = b"PAR1".to_vec();
        // A hundred unknown lists of 2³¹ − 1 truth values each.
        (0..100).for_each(|_| file.extend([0x09, 0xc8, 0x01, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07]));
        file.extend([0x00, 0x85, 0x03, 0x00, 0x00]);
        file.extend(b"PAR1");
        let refused = Batches::open(bytes::Bytes::from(file), 1).err();
        assert!(matches!(&refused, Some(Problem::Parquet { reason }) if reason == FALSE), "{refused:?}");
    }

    /// Metadata of one column, of `length` bytes after the first four.
    fn one_column(length: i64) -> ParquetMetaData {
        let message = Arc::new(parse_message_type("message table { required boolean asked; }").unwrap());
        let schema = Arc::new(SchemaDescriptor::new(message));
        let column = ColumnChunkMetaData::builder(schema.column(0))
            .set_data_page_offset(4)
            .set_total_compressed_size(length)
            .build()
            .unwrap();
        let group = RowGroupMetaData::builder(schema.clone()).add_column_metadata(column).build().unwrap();
        let file = FileMetaData::new(1, 1, None, None, schema, None);
        ParquetMetaData::new(file, vec![group])
    }

    #[test]
    fn a_page_header_that_ends_behind_its_column_is_looked_at_too() {
        // A page header of one unknown field, number 100: a list of 2³¹ − 1 truth values. Its column has 3 bytes, of
        // which the last says only that a list begins; the library reads on.
        let mut file = b"PAR1".to_vec();
        file.extend([0x09, 0xc8, 0x01, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00]);
        let file = bytes::Bytes::from(file);
        for length in [3, 10] {
            let refused = refuse_false_pages(&file, &one_column(length)).err();
            assert!(
                matches!(&refused, Some(Problem::Parquet { reason }) if reason == FALSE),
                "{length}: {refused:?}"
            );
        }
        // Type 0, 10 bytes unpacked, 6 packed: a header of which 3 bytes lie in the column does no harm by itself.
        let file = bytes::Bytes::from(
            [b"PAR1".as_slice(), &[0x15, 0x00, 0x15, 0x14, 0x15, 0x0c, 0x00, 1, 2, 3, 4, 5, 6]].concat(),
        );
        assert!(refuse_false_pages(&file, &one_column(3)).is_ok());
    }
}
