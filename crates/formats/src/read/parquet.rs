//! Tables as Parquet files: columns of typed values, each written out as the text a CSV would hold.

use super::assemble::{Assembler, Kind};
use super::cells::{self, BadCell};
use super::error::one_line;
use super::{Problem, ReadOptions, delimited};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;
use fewest_model::Table;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;
use std::fmt::{Display, LowerExp, Write};

/// About how many cells are in memory at a time.
const BATCH_CELLS: usize = 1 << 20;

/// The row of the first object, when the names of the columns are row 1.
const FIRST_ROW: usize = 2;

/// Reads a table.
pub(super) fn read(file: impl ChunkReader + 'static, options: &ReadOptions) -> Result<Table, Problem> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(broken)?;
    let header: Vec<String> = builder.schema().fields().iter().map(|field| field.name().clone()).collect();
    if header.is_empty() {
        return Err(Problem::Empty);
    }
    let batch_rows = (BATCH_CELLS / header.len()).clamp(64, 8192);
    let mut table = Assembler::new(header, FIRST_ROW - 1, options)?;
    let mut row = FIRST_ROW;
    for batch in builder.with_batch_size(batch_rows).build().map_err(broken)? {
        let batch = batch.map_err(broken)?;
        add(&mut table, row, &batch).map_err(|problem| problem.named(table.header()))?;
        row += batch.num_rows();
    }
    Ok(table.finish())
}

/// Adds the rows of a batch, the first of which is row `row`.
fn add(table: &mut Assembler, row: usize, batch: &RecordBatch) -> Result<(), Problem> {
    let object_at = table.object_at();
    let mut kinds = Vec::with_capacity(batch.num_rows());
    each_text(batch.column(object_at), &mut |at, name| {
        cells::text(name.as_bytes()).map_err(|bad| delimited::bad_cell(bad, row + at, object_at))?;
        kinds.push(table.begin(row + at, name)?);
        Ok(())
    })?;
    let others = (0..batch.num_columns()).filter(|position| *position != object_at);
    for (number, position) in others.enumerate() {
        let place = |bad: BadCell, at: usize| delimited::bad_cell(bad, row + at, position);
        each_text(batch.column(position), &mut |at, text| match kinds[at] {
            Kind::Object => table.columns.get(number).push(text.as_bytes()).map_err(|bad| place(bad, at)),
            Kind::About(about) => {
                table.say(about, number, cells::text(text.as_bytes()).map_err(|bad| place(bad, at))?);
                Ok(())
            }
        })?;
    }
    Ok(())
}

/// Whoever takes the texts of a column: the place, counted from 0, and the text.
type Take<'a> = &'a mut dyn FnMut(usize, &str) -> Result<(), Problem>;

/// Hands out the values of a column as texts; what is null is the empty text.
fn each_text(array: &dyn Array, take: Take<'_>) -> Result<(), Problem> {
    match array.data_type() {
        DataType::Utf8 => each_string(array.as_string::<i32>().iter(), take),
        DataType::LargeUtf8 => each_string(array.as_string::<i64>().iter(), take),
        DataType::Utf8View => each_string(array.as_string_view().iter(), take),
        DataType::Float32 => each_float(array.as_primitive::<Float32Type>().iter(), take),
        DataType::Float64 => each_float(array.as_primitive::<Float64Type>().iter(), take),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let mut texts = Vec::with_capacity(dictionary.values().len());
            each_text(dictionary.values(), &mut |_, text| {
                texts.push(text.to_owned());
                Ok(())
            })?;
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            let text =
                |(at, key): (usize, usize)| if array.is_null(at) { None } else { Some(texts[key].as_str()) };
            each_string(keys.map(text), take)
        }
        _ => each_formatted(array, take),
    }
}

fn each_string<'a>(texts: impl Iterator<Item = Option<&'a str>>, take: Take<'_>) -> Result<(), Problem> {
    texts.enumerate().try_for_each(|(at, text)| take(at, text.unwrap_or_default()))
}

/// The shortest text that reads back equal, with an exponent only where there would be many zeros.
fn each_float<F: Into<f64> + Display + LowerExp + Copy>(
    values: impl Iterator<Item = Option<F>>,
    take: Take<'_>,
) -> Result<(), Problem> {
    let mut text = String::new();
    for (at, value) in values.enumerate() {
        text.clear();
        if let Some(value) = value {
            let size: f64 = value.into().abs();
            let is_plain = size == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size);
            let written = if is_plain { write!(text, "{value}") } else { write!(text, "{value:e}") };
            written.expect("a string takes all that is written to it");
        }
        take(at, &text)?;
    }
    Ok(())
}

/// Whole numbers, booleans, dates and whatever else there is, as Arrow writes them.
fn each_formatted(array: &dyn Array, take: Take<'_>) -> Result<(), Problem> {
    let options = FormatOptions::new().with_display_error(false);
    let formatter = ArrayFormatter::try_new(array, &options).map_err(broken)?;
    let mut text = String::new();
    for at in 0..array.len() {
        text.clear();
        formatter.value(at).write(&mut text).map_err(broken)?;
        take(at, &text)?;
    }
    Ok(())
}

fn broken(error: impl Display) -> Problem {
    Problem::Parquet { reason: one_line(&error.to_string()) }
}
