//! Tables from batches of typed columns: each value as the text that CSV would hold.

use super::arrow_text::{each_text, texts_of, write_float, write_whole};
use super::assemble::{Assembler, Kind};
use super::cells::{self, BadCell, Cells};
use super::{Problem, ReadError, ReadOptions, ReadWarning, shape};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use fewest_model::Table;
use rayon::prelude::*;
use std::fmt::Display;

/// Row of the first object, since the names of the columns are row 1.
pub(super) const FIRST_ROW: usize = 2;

/// Reads a table from batches of columns, such as those of a data frame; `name` is its name in messages. The row of
/// the first object is 2, as in a file with a header.
///
/// # Errors
/// When the batches hold no table, or one of them is an error; the message says where and what to do.
pub fn read_table_from_batches(
    header: Vec<String>,
    batches: impl IntoIterator<Item = Result<RecordBatch, String>>,
    name: &str,
    options: &ReadOptions,
) -> Result<(Table, Vec<ReadWarning>), ReadError> {
    read(header, batches, name, options).map_err(|problem| {
        let problem = match problem {
            Problem::Parquet { reason } => Problem::Batch { reason },
            other => other,
        };
        ReadError { file: name.to_owned(), problem }
    })
}

fn read(
    header: Vec<String>,
    batches: impl IntoIterator<Item = Result<RecordBatch, String>>,
    name: &str,
    options: &ReadOptions,
) -> Result<(Table, Vec<ReadWarning>), Problem> {
    if header.is_empty() {
        return Err(Problem::Empty);
    }
    let width = header.len();
    let (mut table, unnamed) = shape::begin(header, FIRST_ROW - 1, options)?;
    let mut row = FIRST_ROW;
    for batch in batches {
        let batch = batch.map_err(|reason| Problem::Batch { reason })?;
        if batch.num_columns() != width {
            return Err(Problem::Batch { reason: "the batches differ in their columns".to_owned() });
        }
        add(&mut table, row, &batch).map_err(|problem| table.earlier(usize::MAX, problem))?;
        row += batch.num_rows();
    }
    let mut notices = Vec::new();
    let table = shape::settle(table.finish()?, &unnamed, options, &mut notices)?;
    let warning = |notice| ReadWarning { file: name.to_owned(), notice };
    Ok((table, notices.into_iter().map(warning).collect()))
}

/// Adds the rows of a batch; the first of them is row `row`.
pub(super) fn add(table: &mut Assembler, row: usize, batch: &RecordBatch) -> Result<(), Problem> {
    let object_at = table.object_at();
    let mut kinds = Vec::with_capacity(batch.num_rows());
    each_text(batch.column(object_at), &mut |at, name| {
        cells::text(name.as_bytes()).map_err(|bad| cells::bad_cell(bad, row + at, object_at))?;
        kinds.push(table.begin(row + at, name)?);
        Ok(())
    })?;
    let has_objects_only = kinds.iter().all(|kind| *kind == Kind::Object);
    let others: Vec<usize> = (0..batch.num_columns()).filter(|position| *position != object_at).collect();
    if has_objects_only {
        let push = |(mut column, position): (Cells<'_>, usize)| {
            let pushed = push_column(&mut column, batch.column(position));
            pushed.map_err(|failed| failed.in_column(row, position))
        };
        let columns: Vec<(Cells<'_>, usize)> = table.columns.iter_mut().zip(others).collect();
        // Columns know nothing of each other; the first one in the table reports its mistake.
        return match batch.num_rows() * columns.len() < CELLS_FOR_THREADS {
            true => columns.into_iter().try_for_each(push),
            false => columns.into_par_iter().map(push).collect::<Vec<_>>().into_iter().collect(),
        };
    }
    for (number, position) in others.into_iter().enumerate() {
        let place = |bad: BadCell, at: usize| cells::bad_cell(bad, row + at, position);
        each_text(batch.column(position), &mut |at, text| match kinds[at] {
            Kind::Object => {
                let pushed = table.columns.get(number).push(text.as_bytes());
                pushed.map(|_| ()).map_err(|bad| place(bad, at))
            }
            Kind::About(about) => {
                table.say(about, number, cells::text(text.as_bytes()).map_err(|bad| place(bad, at))?);
                Ok(())
            }
        })?;
    }
    Ok(())
}

/// Cells of a batch from which threads share its columns.
const CELLS_FOR_THREADS: usize = 1 << 16;

/// Reason why a column cannot be added.
enum Failed {
    /// A cell that is no text, with its row in the batch.
    Cell(BadCell, usize),
    /// A column that cannot be written as texts.
    Column(Problem),
}

impl Failed {
    fn in_column(self, row: usize, position: usize) -> Problem {
        match self {
            Self::Cell(bad, at) => cells::bad_cell(bad, row + at, position),
            Self::Column(problem) => problem,
        }
    }
}

/// Adds a column of a batch of objects.
fn push_column(column: &mut Cells<'_>, array: &dyn Array) -> Result<(), Failed> {
    if let DataType::Dictionary(..) = array.data_type() {
        return push_dictionary(column, array);
    }
    if push_repeated(column, array).map_err(|(bad, at)| Failed::Cell(bad, at))? {
        return Ok(());
    }
    let mut failed = None;
    let done = each_text(array, &mut |at, text| {
        column.push(text.as_bytes()).map(|_| ()).map_err(|bad| {
            failed = Some(Failed::Cell(bad, at));
            cells::bad_cell(bad, at, 0)
        })
    });
    done.map_err(|problem| failed.unwrap_or(Failed::Column(problem)))
}

/// Adds a column that numbers its texts: each text is looked up once, when it first comes.
fn push_dictionary(column: &mut Cells<'_>, array: &dyn Array) -> Result<(), Failed> {
    let dictionary = array.as_any_dictionary();
    let texts = texts_of(dictionary.values()).map_err(Failed::Column)?;
    let mut known: Vec<Option<u32>> = vec![None; texts.len() + 1];
    let keys = if texts.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
    for (at, key) in keys.into_iter().enumerate() {
        // The last place stands for a missing value.
        let key = if array.is_null(at) { texts.len() } else { key };
        match known[key] {
            Some(code) => column.push_code(code),
            None => {
                let text = texts.get(key).map_or("", String::as_str);
                let code = column.push(text.as_bytes()).map_err(|bad| Failed::Cell(bad, at))?;
                known[key] = Some(code);
            }
        }
    }
    Ok(())
}

/// Number of values of a column that are remembered at a time.
const REMEMBERED: usize = 8;

/// Adds a column of numbers or truth values, most of which repeat. A value is written as text when it first comes in
/// a batch; after that its number is used. Returns whether the column has such a type.
fn push_repeated(column: &mut Cells<'_>, array: &dyn Array) -> Result<bool, (BadCell, usize)> {
    match array.data_type() {
        DataType::Float32 => {
            let same = |left: f32, right: f32| left.to_bits() == right.to_bits();
            push_each(column, array.as_primitive::<Float32Type>().iter(), same, write_float)
        }
        DataType::Float64 => {
            let same = |left: f64, right: f64| left.to_bits() == right.to_bits();
            push_each(column, array.as_primitive::<Float64Type>().iter(), same, write_float)
        }
        DataType::Boolean => {
            push_each(column, array.as_boolean().iter(), |left, right| left == right, write_whole)
        }
        DataType::Int8 => push_whole::<Int8Type>(column, array),
        DataType::Int16 => push_whole::<Int16Type>(column, array),
        DataType::Int32 => push_whole::<Int32Type>(column, array),
        DataType::Int64 => push_whole::<Int64Type>(column, array),
        DataType::UInt8 => push_whole::<UInt8Type>(column, array),
        DataType::UInt16 => push_whole::<UInt16Type>(column, array),
        DataType::UInt32 => push_whole::<UInt32Type>(column, array),
        DataType::UInt64 => push_whole::<UInt64Type>(column, array),
        _ => return Ok(false),
    }?;
    Ok(true)
}

fn push_whole<T: ArrowPrimitiveType<Native: Display>>(
    column: &mut Cells<'_>,
    array: &dyn Array,
) -> Result<(), (BadCell, usize)> {
    push_each(column, array.as_primitive::<T>().iter(), |left, right| left == right, write_whole)
}

fn push_each<V: Copy>(
    column: &mut Cells<'_>,
    values: impl Iterator<Item = Option<V>>,
    same: impl Fn(V, V) -> bool,
    write: impl Fn(&mut String, V),
) -> Result<(), (BadCell, usize)> {
    let mut known: Vec<(Option<V>, u32)> = Vec::with_capacity(REMEMBERED);
    let mut text = String::new();
    for (at, value) in values.enumerate() {
        let is_it = |(other, _): &&(Option<V>, u32)| match (value, *other) {
            (Some(value), Some(other)) => same(value, other),
            (value, other) => value.is_none() && other.is_none(),
        };
        if let Some(&(_, code)) = known.iter().find(is_it) {
            column.push_code(code);
            continue;
        }
        text.clear();
        value.into_iter().for_each(|value| write(&mut text, value));
        let code = column.push(text.as_bytes()).map_err(|bad| (bad, at))?;
        if known.len() < REMEMBERED {
            known.push((value, code));
        }
    }
    Ok(())
}
