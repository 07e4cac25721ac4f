//! Data frames and columns of Python as batches of typed columns.

use crate::error::Fault;
use arrow_array::builder::{BooleanBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, PrimitiveArray, RecordBatch, RecordBatchReader, StringArray,
};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};
use pyo3_arrow::input::AnyRecordBatch;
use std::sync::Arc;

/// Names of the columns, and their batches.
pub(crate) struct Frame {
    pub(crate) header: Vec<String>,
    pub(crate) batches: Box<dyn Iterator<Item = Result<RecordBatch, String>> + Send>,
}

impl Frame {
    /// Frame of an object with `__arrow_c_stream__` or `__arrow_c_array__`.
    pub(crate) fn of_arrow(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reader = data.extract::<AnyRecordBatch>()?.into_reader()?;
        let header = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        let batches =
            reader.map(|batch| batch.map(|batch| without_nan(&batch)).map_err(|error| error.to_string()));
        Ok(Self { header, batches: Box::new(batches) })
    }

    /// Frame of columns: name, kind, data and, for categories, their names.
    pub(crate) fn of_columns(columns: &Bound<'_, PyList>) -> PyResult<Self> {
        let mut header = Vec::with_capacity(columns.len());
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
        for column in columns {
            let (name, kind, data, more) =
                column.extract::<(String, String, Bound<'_, PyAny>, Option<Bound<'_, PyAny>>)>()?;
            let array = array(&kind, &data, more.as_ref())?;
            if let Some(first) = arrays.first().filter(|first| first.len() != array.len()) {
                let (found, expected) = (array.len(), first.len());
                let first = &header[0];
                let message = format!("column `{name}` has {found} values where `{first}` has {expected}");
                let column = Some(name);
                return Err(Fault::Table { message, row: None, column, object: None }.into());
            }
            header.push(name);
            arrays.push(array);
        }
        if arrays.is_empty() {
            return Ok(Self { header, batches: Box::new(std::iter::empty()) });
        }
        let numbered = arrays.into_iter().enumerate().map(|(at, array)| (at.to_string(), array));
        let batch =
            RecordBatch::try_from_iter(numbered).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { header, batches: Box::new(std::iter::once(Ok(without_nan(&batch)))) })
    }
}

/// The batch with null for NaN: both mean that there is no value.
fn without_nan(batch: &RecordBatch) -> RecordBatch {
    let plain = |column: &ArrayRef| match column.data_type() {
        DataType::Float32 => nulled::<Float32Type>(column),
        DataType::Float64 => nulled::<Float64Type>(column),
        _ => Arc::clone(column),
    };
    let columns: Vec<ArrayRef> = batch.columns().iter().map(plain).collect();
    let nullable: Vec<_> = batch
        .schema()
        .fields()
        .iter()
        .map(|field| Arc::new(field.as_ref().clone().with_nullable(true)))
        .collect();
    let schema = Arc::new(arrow_schema::Schema::new(nullable));
    RecordBatch::try_new(schema, columns).unwrap_or_else(|_| batch.clone())
}

fn nulled<T: ArrowPrimitiveType>(column: &ArrayRef) -> ArrayRef {
    let numbers = column.as_primitive::<T>();
    if !numbers.values().iter().any(|value| nan(*value)) {
        return Arc::clone(column);
    }
    let kept: PrimitiveArray<T> = numbers.iter().map(|value| value.filter(|value| !nan(*value))).collect();
    Arc::new(kept)
}

/// Whether a number is NaN: it then differs from itself. Arrow's own comparison calls it equal.
#[expect(clippy::eq_op, reason = "only NaN differs from itself")]
fn nan<V: PartialEq + Copy>(value: V) -> bool {
    value != value
}

fn array(kind: &str, data: &Bound<'_, PyAny>, more: Option<&Bound<'_, PyAny>>) -> PyResult<ArrayRef> {
    Ok(match kind {
        "list" => Arc::new(texts(data)?),
        "bool" => {
            let bytes = data.extract::<PyBackedBytes>()?;
            let mut column = BooleanBuilder::with_capacity(bytes.len());
            bytes.iter().for_each(|byte| column.append_value(*byte != 0));
            Arc::new(column.finish())
        }
        "bits" => {
            let bytes = data.extract::<PyBackedBytes>()?;
            let rows =
                more.ok_or_else(|| PyTypeError::new_err("bits need their number"))?.extract::<usize>()?;
            let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
            Arc::new((0..rows).map(|at| Some(i8::from(bit(at)))).collect::<PrimitiveArray<Int8Type>>())
        }
        "codes" => {
            let codes = numbers::<Int32Type, 4>(data, i32::from_ne_bytes)?;
            let names = more.ok_or_else(|| PyTypeError::new_err("codes need their categories"))?;
            let names = texts(names)?;
            let count = i32::try_from(names.len()).unwrap_or(i32::MAX);
            let codes: PrimitiveArray<Int32Type> =
                codes.iter().map(|code| code.filter(|code| (0..count).contains(code))).collect();
            let made = DictionaryArray::try_new(codes, Arc::new(names));
            Arc::new(made.map_err(|error| PyValueError::new_err(error.to_string()))?)
        }
        "f4" => Arc::new(numbers::<Float32Type, 4>(data, f32::from_ne_bytes)?),
        "f8" => Arc::new(numbers::<Float64Type, 8>(data, f64::from_ne_bytes)?),
        "i1" => Arc::new(numbers::<Int8Type, 1>(data, i8::from_ne_bytes)?),
        "i2" => Arc::new(numbers::<Int16Type, 2>(data, i16::from_ne_bytes)?),
        "i4" => Arc::new(numbers::<Int32Type, 4>(data, i32::from_ne_bytes)?),
        "i8" => Arc::new(numbers::<Int64Type, 8>(data, i64::from_ne_bytes)?),
        "u1" => Arc::new(numbers::<UInt8Type, 1>(data, u8::from_ne_bytes)?),
        "u2" => Arc::new(numbers::<UInt16Type, 2>(data, u16::from_ne_bytes)?),
        "u4" => Arc::new(numbers::<UInt32Type, 4>(data, u32::from_ne_bytes)?),
        "u8" => Arc::new(numbers::<UInt64Type, 8>(data, u64::from_ne_bytes)?),
        other => return Err(PyTypeError::new_err(format!("no kind of column is called `{other}`"))),
    })
}

/// Numbers of `N` bytes each, one after the other.
pub(crate) fn numbers<T: ArrowPrimitiveType, const N: usize>(
    data: &Bound<'_, PyAny>,
    read: fn([u8; N]) -> T::Native,
) -> PyResult<PrimitiveArray<T>> {
    let bytes = data.extract::<PyBackedBytes>()?;
    let (parts, rest) = bytes.as_chunks::<N>();
    if !rest.is_empty() {
        return Err(PyValueError::new_err(format!("{} bytes hold no numbers of {N} bytes", bytes.len())));
    }
    Ok(PrimitiveArray::from_iter_values(parts.iter().map(|part| read(*part))))
}

/// Values of any kind as texts; `None` and NaN are missing.
fn texts(data: &Bound<'_, PyAny>) -> PyResult<StringArray> {
    let mut column = StringBuilder::new();
    for value in data.try_iter()? {
        column.append_option(text(&value?)?);
    }
    Ok(column.finish())
}

/// Value as text, by the rules of CSV; `None` if it is missing.
pub(crate) fn text(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(text) = value.cast::<PyString>() {
        return match text.extract::<String>() {
            Ok(text) => Ok(Some(text)),
            Err(_) => {
                Err(PyValueError::new_err("a text holds half of a surrogate pair, which UTF-8 cannot hold"))
            }
        };
    }
    if value.is_none() {
        return Ok(None);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Some(if value.is_truthy()? { "true" } else { "false" }.to_owned()));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(float(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Some(value.str()?.extract()?));
    }
    other(value)
}

/// Text of a value that is no plain one: of numpy, pandas or any other library.
fn other(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let class = value.get_type();
    let name: String = class.name()?.extract()?;
    match name.as_str() {
        "NAType" | "NaTType" => return Ok(None),
        "bool" | "bool_" if class.module()? == "numpy" => {
            return Ok(Some(if value.is_truthy()? { "true" } else { "false" }.to_owned()));
        }
        _ => (),
    }
    let text: String = value.str()?.extract()?;
    // Short floats of numpy write themselves in their shortest form, with `.0` where they are whole.
    if name.starts_with("float") || name == "Decimal" {
        return Ok(match text.parse::<f64>() {
            Ok(number) => float(number),
            Err(_) => Some(text),
        });
    }
    Ok(if text == "NaT" { None } else { Some(text) })
}

/// Shortest text that reads back equal, with an exponent only where there would be many zeros; none for NaN.
fn float(value: f64) -> Option<String> {
    if value.is_nan() {
        return None;
    }
    let size = value.abs();
    let is_plain = size == 0.0 || size.is_infinite() || (1e-5..1e16).contains(&size);
    Some(if is_plain { value.to_string() } else { format!("{value:e}") })
}
