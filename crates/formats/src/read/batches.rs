//! The rows of a Parquet file, a batch at a time.

use super::Problem;
use super::arrow_text::each_text;
use super::catch_panic::{attempt, broken};
use super::thrift::{Refused, check_file, check_page};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use std::sync::Arc;

/// The row of the first object, when the names of the columns are row 1.
pub(super) const FIRST_ROW: usize = 2;

/// A file that is being read.
pub(super) struct Batches {
    reader: ParquetRecordBatchReader,
    header: Vec<String>,
    row: usize,
    /// How many bytes of memory what is read may take.
    most_bytes: usize,
}

/// A file may always unfold to this many bytes, and to [`MOST_RATIO`] times its own size.
const USUAL_BYTES: usize = 256 << 20;
/// Tables of truth values that repeat are packed about this well by ordinary writers.
const MOST_RATIO: usize = 64;

impl Batches {
    /// Opens a file; about `cells` of its cells are in memory at a time.
    pub(super) fn open(file: impl ChunkReader + 'static, cells: usize) -> Result<Self, Problem> {
        // Arrow's own notes on types only say how values were kept in memory when they were written.
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

    /// Refuses a file of which what was read takes `bytes` of memory, if that is more than it may.
    pub(super) fn refuse_unfolding(&self, bytes: usize) -> Result<(), Problem> {
        refuse_unfolding(bytes, self.most_bytes)
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

fn refuse_unfolding(bytes: usize, most: usize) -> Result<(), Problem> {
    if bytes > most { Err(Problem::Unfolds { megabytes: most >> 20 }) } else { Ok(()) }
}

const FALSE: &str = "its table of contents is not that of a Parquet file";

/// Refuses a file whose end would keep the library busy for ever; what else is wrong with it the library says.
fn refuse_false_end(file: &impl ChunkReader) -> Result<(), Problem> {
    // The last eight bytes: the length of the end, and a mark.
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

/// About as many bytes as stand before a page.
const PAGE_HEAD: u64 = 512;

/// Does the same for what stands before every page.
fn refuse_false_pages(file: &impl ChunkReader, about: &ParquetMetaData) -> Result<(), Problem> {
    // Columns do not overlap, so all of them together are no longer than the file, and neither is this loop.
    let mut unclaimed = file.len();
    for column in about.row_groups().iter().flat_map(|group| group.columns()) {
        let (mut at, length) = attempt(|| Ok::<_, Problem>(column.byte_range()))?;
        unclaimed = unclaimed.checked_sub(length).ok_or_else(|| broken(FALSE))?;
        let end = at.saturating_add(length).min(file.len());
        while at < end {
            // The library reads on past the end of the column, so what stands before its last page may be longer than the column.
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
                // The library ends here as well.
                Err(Refused::Broken) => break,
            }
        }
    }
    Ok(())
}

/// The bytes that a file takes at least when it is read, by its own table of contents: the largest part that is unpacked at once,
/// and a bit for each cell.
fn least_bytes(file: &ParquetMetaData) -> usize {
    let unpacked = file.row_groups().iter().flat_map(|group| group.columns());
    let unpacked =
        unpacked.map(|column| usize::try_from(column.uncompressed_size()).unwrap_or(usize::MAX)).max();
    let about = file.file_metadata();
    let rows = usize::try_from(about.num_rows()).unwrap_or(usize::MAX);
    let cells = rows.saturating_mul(about.schema_descr().num_columns());
    unpacked.unwrap_or(0).max(cells / 8)
}

/// The same columns, with texts as views: a text that a file holds once and names in every row is then in memory once as well.
fn with_views(schema: &Schema) -> SchemaRef {
    let view = |field: &FieldRef| match field.data_type() {
        DataType::Utf8 => Arc::new(Field::new(field.name(), DataType::Utf8View, field.is_nullable())),
        _ => field.clone(),
    };
    Arc::new(Schema::new(schema.fields().iter().map(view).collect::<Vec<_>>()))
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

    /// A table of contents with one column, of `length` bytes behind the first four.
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
        // A page header of one unknown field, number 100: a list of 2³¹ − 1 truth values. Its column has 3 bytes, of which the last
        // says only that a list begins; the library reads on.
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
