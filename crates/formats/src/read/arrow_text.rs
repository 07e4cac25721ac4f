//! Values of an Arrow column as texts.

use super::Problem;
use super::error::one_line;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;
use std::fmt::{Display, LowerExp, Write};

/// Receiver of the texts of a column: the row, counted from 0, and the text.
pub(super) type Take<'a> = &'a mut dyn FnMut(usize, &str) -> Result<(), Problem>;

/// Problem of a Parquet file that the library reports; batches from memory rename it.
pub(super) fn broken(error: impl Display) -> Problem {
    Problem::Parquet { reason: one_line(&error.to_string()) }
}

/// Hands out the values of a column as texts; null is the empty text.
pub(super) fn each_text(array: &dyn Array, take: Take<'_>) -> Result<(), Problem> {
    match array.data_type() {
        DataType::Utf8 => {
            let mut texts = array.as_string::<i32>().iter().enumerate();
            texts.try_for_each(|(at, text)| take(at, text.unwrap_or_default()))
        }
        DataType::LargeUtf8 => {
            let mut texts = array.as_string::<i64>().iter().enumerate();
            texts.try_for_each(|(at, text)| take(at, text.unwrap_or_default()))
        }
        DataType::Utf8View => {
            let mut texts = array.as_string_view().iter().enumerate();
            texts.try_for_each(|(at, text)| take(at, text.unwrap_or_default()))
        }
        DataType::Float32 => each_written(array.as_primitive::<Float32Type>().iter(), write_float, take),
        DataType::Float64 => each_written(array.as_primitive::<Float64Type>().iter(), write_float, take),
        DataType::Boolean => each_written(array.as_boolean().iter(), write_whole, take),
        DataType::Int8 => each_whole::<Int8Type>(array, take),
        DataType::Int16 => each_whole::<Int16Type>(array, take),
        DataType::Int32 => each_whole::<Int32Type>(array, take),
        DataType::Int64 => each_whole::<Int64Type>(array, take),
        DataType::UInt8 => each_whole::<UInt8Type>(array, take),
        DataType::UInt16 => each_whole::<UInt16Type>(array, take),
        DataType::UInt32 => each_whole::<UInt32Type>(array, take),
        DataType::UInt64 => each_whole::<UInt64Type>(array, take),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let texts = texts_of(dictionary.values())?;
            let keys = if texts.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
            let text = |at: usize, key: usize| if array.is_null(at) { "" } else { texts[key].as_str() };
            keys.into_iter().enumerate().try_for_each(|(at, key)| take(at, text(at, key)))
        }
        _ => each_formatted(array, take),
    }
}

/// Values of a column as texts; null is the empty text.
pub(super) fn texts_of(array: &dyn Array) -> Result<Vec<String>, Problem> {
    let mut texts = Vec::with_capacity(array.len());
    each_text(array, &mut |_, text| {
        texts.push(text.to_owned());
        Ok(())
    })?;
    Ok(texts)
}

/// Hands out whole numbers, in the form that Arrow writes too.
fn each_whole<T: ArrowPrimitiveType<Native: Display>>(
    array: &dyn Array,
    take: Take<'_>,
) -> Result<(), Problem> {
    each_written(array.as_primitive::<T>().iter(), write_whole, take)
}

fn each_written<V>(
    values: impl Iterator<Item = Option<V>>,
    write: impl Fn(&mut String, V),
    take: Take<'_>,
) -> Result<(), Problem> {
    let mut text = String::new();
    for (at, value) in values.enumerate() {
        text.clear();
        value.into_iter().for_each(|value| write(&mut text, value));
        take(at, &text)?;
    }
    Ok(())
}

pub(super) fn write_whole(text: &mut String, value: impl Display) {
    write!(text, "{value}").expect("a string takes all that is written to it");
}

/// Writes the shortest text that reads back equal, with an exponent only where there would be many zeros.
pub(super) fn write_float<F: Into<f64> + Display + LowerExp + Copy>(text: &mut String, value: F) {
    let size: f64 = value.into().abs();
    let is_plain = size == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size);
    let written = if is_plain { write!(text, "{value}") } else { write!(text, "{value:e}") };
    written.expect("a string takes all that is written to it");
}

/// Hands out dates and all other types, in the form that Arrow writes.
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
