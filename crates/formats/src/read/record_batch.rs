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
use arrow_array::{Array, BooleanArray, RecordBatch};
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
        DataType::Boolean => push_truths(column, array.as_boolean()),
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
    let numbers = array.as_primitive::<T>();
    let done = if numbers.null_count() == 0 { push_pair(column, numbers.values())? } else { 0 };
    push_each(column, numbers.iter().skip(done), |left, right| left == right, write_whole)
}

/// Adds the first cells of a column as long as they hold two different values, 64 at a time, and returns their number.
/// A third value, or texts from an earlier batch that are not these two, end it.
fn push_pair<V: Copy + PartialEq + Display>(
    column: &mut Cells<'_>,
    values: &[V],
) -> Result<usize, (BadCell, usize)> {
    let Some((&first, rest)) = values.split_first() else { return Ok(0) };
    let Some(second) = rest.iter().position(|value| *value != first).map(|at| at + 1) else { return Ok(0) };
    let mut text = String::new();
    write_whole(&mut text, first);
    let code = column.push(text.as_bytes()).map_err(|bad| (bad, 0))?;
    (1..second).for_each(|_| column.push_code(code));
    text.clear();
    write_whole(&mut text, values[second]);
    let other = column.push(text.as_bytes()).map_err(|bad| (bad, second))?;
    let (zero, one) = match (code, other) {
        (0, 1) => (first, values[second]),
        (1, 0) => (values[second], first),
        _ => return Ok(second + 1),
    };
    let mut done = second + 1;
    for part in values[done..].chunks(BITS) {
        let (mut bits, mut is_other) = (0, false);
        for (at, value) in part.iter().enumerate() {
            bits |= u64::from(*value == one) << at;
            is_other |= *value != one && *value != zero;
        }
        if is_other {
            break;
        }
        column.push_bits(bits, part.len() as u32);
        done += part.len();
    }
    Ok(done)
}

/// Cells that are added at once.
const BITS: usize = 64;

/// Adds a column of truth values.
fn push_truths(column: &mut Cells<'_>, truths: &BooleanArray) -> Result<(), (BadCell, usize)> {
    let all = || truths.iter();
    let seen = |wanted: bool| all().position(|value| value == Some(wanted));
    let (Some(yes), Some(no), 0) = (seen(true), seen(false), truths.null_count()) else {
        return push_each(column, all(), |left, right| left == right, write_whole);
    };
    let second = yes.max(no);
    for at in 0..=second {
        let text: &[u8] = if truths.value(at) { b"true" } else { b"false" };
        let code = column.push(text).map_err(|bad| (bad, at))?;
        if code > 1 {
            let rest = all().skip(at + 1);
            return push_each(column, rest, |left, right| left == right, write_whole);
        }
    }
    // The number of `true`: the other text that the column has is `false`.
    let flip = if column.code_of(b"true") == Some(1) { 0 } else { u64::MAX };
    let rest = truths.values().slice(second + 1, truths.len() - second - 1);
    let chunks = rest.bit_chunks();
    chunks.iter().for_each(|bits| column.push_bits(bits ^ flip, 64));
    let left = chunks.remainder_len() as u32;
    if left > 0 {
        column.push_bits((chunks.remainder_bits() ^ flip) & ((1 << left) - 1), left);
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int64Array, LargeStringArray, StringArray};
    use std::sync::Arc;

    /// The table of columns that come in batches of these lengths.
    fn table(columns: &[ArrayRef], lengths: &[usize]) -> Table {
        let names = StringArray::from_iter_values((0..columns[0].len()).map(|row| format!("o{row}")));
        let header = (0..=columns.len()).map(|at| format!("c{at}")).collect();
        let all: Vec<ArrayRef> =
            std::iter::once(Arc::new(names) as ArrayRef).chain(columns.iter().cloned()).collect();
        let numbered = all.iter().enumerate().map(|(at, column)| (at.to_string(), Arc::clone(column)));
        let whole = RecordBatch::try_from_iter(numbered).unwrap();
        let mut start = 0;
        let batches = lengths.iter().map(|length| {
            start += length;
            Ok(whole.slice(start - length, *length))
        });
        let options = ReadOptions { lenient: false, ..ReadOptions::default() };
        read_table_from_batches(header, batches.collect::<Vec<_>>(), "frame", &options).unwrap().0
    }

    /// The same columns as texts, which take no short cut.
    fn as_texts(columns: &[ArrayRef]) -> Vec<ArrayRef> {
        let text = |column: &ArrayRef| {
            let texts = texts_of(column).unwrap();
            Arc::new(StringArray::from_iter_values(texts)) as ArrayRef
        };
        columns.iter().map(text).collect()
    }

    #[test]
    fn typed_columns_are_read_as_their_texts_would_be() {
        const ROWS: usize = 300;
        let whole = |value: fn(usize) -> Option<i64>| {
            Arc::new((0..ROWS).map(value).collect::<Int64Array>()) as ArrayRef
        };
        let truth = |value: fn(usize) -> Option<bool>| {
            Arc::new((0..ROWS).map(value).collect::<BooleanArray>()) as ArrayRef
        };
        let columns = [
            whole(|row| Some((row % 3 == 0).into())),
            whole(|row| Some((row % 7 != 0).into())),
            whole(|_| Some(1)),
            whole(|row| Some(if row == 250 { 9 } else { (row % 2) as i64 })),
            whole(|row| Some(if row < 100 { 5 } else { (row % 5) as i64 })),
            whole(|row| (row % 11 != 0).then_some((row % 2) as i64)),
            whole(|row| Some(row as i64)),
            truth(|row| Some(row % 3 == 0)),
            truth(|row| Some(row % 3 != 0)),
            truth(|row| Some(row > 200)),
            truth(|_| Some(false)),
            truth(|row| (row % 13 != 0).then_some(row % 2 == 0)),
            Arc::new((0..ROWS).map(|row| Some((row % 4) as f64 / 2.0)).collect::<Float64Array>()),
            Arc::new(LargeStringArray::from_iter((0..ROWS).map(|row| (row % 5 != 0).then_some("large")))),
            Arc::new((0..ROWS).map(|row| ["x", "y", "z"][row % 3]).collect::<DictionaryArray<Int8Type>>()),
            Arc::new(
                (0..ROWS).map(|row| (row % 4 != 0).then_some("x")).collect::<DictionaryArray<Int8Type>>(),
            ),
        ];
        let texts = as_texts(&columns);
        for lengths in [&[300][..], &[1, 299], &[64, 64, 172], &[100, 63, 1, 136], &[0, 150, 150]] {
            let (found, expected) = (table(&columns, lengths), table(&texts, lengths));
            for (found, expected) in found.columns.iter().zip(&expected.columns) {
                let text = |column: &fewest_model::Column| -> Vec<String> {
                    column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
                };
                assert_eq!(text(found), text(expected), "{} {lengths:?}", found.name);
                assert_eq!(found.missing, expected.missing, "{} {lengths:?}", found.name);
            }
        }
    }

    #[test]
    fn batches_that_are_no_table_are_refused() {
        let header = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let refuse = |names: &[&str], batch: Result<RecordBatch, String>| {
            let read = read_table_from_batches(header(names), [batch], "frame", &ReadOptions::default());
            read.unwrap_err().to_string()
        };
        let one =
            RecordBatch::try_from_iter([("o", Arc::new(StringArray::from(vec!["a"])) as ArrayRef)]).unwrap();
        assert!(refuse(&[], Ok(one.clone())).starts_with("frame: the file is empty"));
        assert!(refuse(&["o", "t"], Ok(one)).contains("differ in their columns"));
        assert!(refuse(&["o"], Err("the stream broke".to_owned())).contains("the stream broke; convert"));
        let bad = Arc::new(StringArray::from(vec!["x", "a\0b"])) as ArrayRef;
        let names = Arc::new(StringArray::from(vec!["a", "b"])) as ArrayRef;
        let bad = RecordBatch::try_from_iter([("o", names), ("t", bad)]).unwrap();
        assert!(refuse(&["o", "t"], Ok(bad)).starts_with("frame: row 3, column `t`: a NUL byte"));
    }
}
