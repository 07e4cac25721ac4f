//! Tables as Arrow IPC files (Feather) and streams.

use super::arrow_text::each_text;
use super::assemble::Kind;
use super::catch_panic::attempt_as;
use super::cells::{self, BadCell};
use super::{Notice, Problem, ReadOptions, shape};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use fewest_model::Table;
use std::io::Cursor;

/// Row of the first object, since the names of the columns are row 1.
const FIRST_ROW: usize = 2;

/// Most bytes in memory of one batch: a file with compressed parts must not unfold without end.
const MOST_BYTES: usize = 1 << 30;

/// Reads the bytes of a file or a stream.
pub(super) fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<(Table, Vec<Notice>), Problem> {
    let is_file = bytes.starts_with(b"ARROW1");
    let input = Cursor::new(bytes);
    if is_file {
        let mut reader = attempt_as("Arrow", || FileReader::try_new(input, None))?;
        let schema = reader.schema();
        rows(&schema, options, || attempt_as("Arrow", || reader.next().transpose()))
    } else {
        let mut reader = attempt_as("Arrow", || StreamReader::try_new(input, None))?;
        let schema = reader.schema();
        rows(&schema, options, || attempt_as("Arrow", || reader.next().transpose()))
    }
}

fn rows(
    schema: &Schema,
    options: &ReadOptions,
    mut next: impl FnMut() -> Result<Option<RecordBatch>, Problem>,
) -> Result<(Table, Vec<Notice>), Problem> {
    let header: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    if header.is_empty() {
        return Err(Problem::Empty);
    }
    if let Some(field) = schema.fields().iter().find(|field| field.data_type().is_nested()) {
        return Err(super::catch_panic::broken_as(
            "Arrow",
            format!("column `{}` holds lists or structures", super::error::short(field.name())),
        ));
    }
    let (mut table, unnamed) = shape::begin(header, FIRST_ROW - 1, options)?;
    let mut row = FIRST_ROW;
    while let Some(batch) = next()? {
        if batch.get_array_memory_size() > MOST_BYTES {
            return Err(Problem::Unfolds { megabytes: MOST_BYTES >> 20 });
        }
        add(&mut table, row, &batch).map_err(|problem| table.earlier(usize::MAX, problem))?;
        row += batch.num_rows();
    }
    let mut notices = Vec::new();
    let table = shape::settle(table.finish()?, &unnamed, options, &mut notices)?;
    Ok((table, notices))
}

/// Adds the rows of a batch; the first of them is row `row`.
fn add(table: &mut super::assemble::Assembler, row: usize, batch: &RecordBatch) -> Result<(), Problem> {
    let object_at = table.object_at();
    let plain = |at: usize| attempt_as("Arrow", || unpacked(batch.column(at)));
    let mut kinds = Vec::with_capacity(batch.num_rows());
    each_text(&*plain(object_at)?, &mut |at, name| {
        cells::text(name.as_bytes()).map_err(|bad| cells::bad_cell(bad, row + at, object_at))?;
        kinds.push(table.begin(row + at, name)?);
        Ok(())
    })?;
    let others: Vec<usize> = (0..batch.num_columns()).filter(|position| *position != object_at).collect();
    let mut about: Vec<(usize, usize, String)> = Vec::new();
    let mut columns = table.columns.iter_mut();
    for (number, position) in others.into_iter().enumerate() {
        let Some(mut column) = columns.next() else { break };
        let place = |bad: BadCell, at: usize| cells::bad_cell(bad, row + at, position);
        each_text(&*plain(position)?, &mut |at, text| {
            match kinds[at] {
                Kind::Object => _ = column.push(text.as_bytes()).map_err(|bad| place(bad, at))?,
                Kind::About(which) => about.push((which, number, text.to_owned())),
            }
            Ok(())
        })?;
    }
    drop(columns);
    about.into_iter().for_each(|(which, number, text)| table.say(which, number, &text));
    Ok(())
}

/// The column without dictionaries and run lengths.
fn unpacked(column: &arrow_array::ArrayRef) -> Result<arrow_array::ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Dictionary(_, value) => arrow_cast::cast(column, value),
        DataType::RunEndEncoded(_, value) => arrow_cast::cast(column, value.data_type()),
        DataType::LargeUtf8 => arrow_cast::cast(column, &DataType::Utf8),
        _ => Ok(std::sync::Arc::clone(column)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Float64Array, StringArray};
    use arrow_ipc::writer::{FileWriter, StreamWriter};
    use arrow_schema::Field;
    use std::sync::Arc;

    fn batch() -> RecordBatch {
        let fields = vec![Field::new("o", DataType::Utf8, false), Field::new("t", DataType::Float64, true)];
        let names = StringArray::from(vec!["a", "b", "@cost"]);
        let values = Float64Array::from(vec![Some(1.0), None, Some(2.5)]);
        RecordBatch::try_new(Arc::new(Schema::new(fields)), vec![Arc::new(names), Arc::new(values)]).unwrap()
    }

    #[test]
    fn files_and_streams_are_read_and_broken_ones_refused() {
        let batch = batch();
        let mut file = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        file.write(&batch).unwrap();
        let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        stream.write(&batch).unwrap();
        for bytes in [file.into_inner().unwrap(), stream.into_inner().unwrap()] {
            let (table, _) = read(bytes.clone(), &ReadOptions::default()).unwrap();
            assert!(table.objects.iter().eq(["a", "b"]));
            assert!(table.columns[0].labels.iter().eq(["1", "?"]));
            assert_eq!(table.about[0].cells, ["2.5"]);
            for cut in [9, 40, bytes.len() / 2] {
                assert!(read(bytes[..cut].to_vec(), &ReadOptions::default()).is_err());
            }
        }
    }
}
