//! Errors as the exceptions of `fewest.exceptions`.

use crate::spell::python;
use fewest::session::{SessionError, parse::ParseError};
use fewest::{InstanceError, learn::ExamplesError};
use fewest_formats::read::{Place, Problem, ReadError};
use pyo3::exceptions::{PyFileNotFoundError, PyIsADirectoryError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What went wrong, with the data that the exception carries.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Contents of a table, or options that do not fit it.
    Table { message: String, row: Option<usize>, column: Option<String>, object: Option<String> },
    /// A file.
    Read { message: String, row: Option<usize>, column: Option<String>, path: String },
    /// There is no such file.
    NoFile(String),
    /// A directory where a file should be.
    Directory(String),
    /// Rules or answers of a session.
    Session(String),
    /// A name that does not exist, with the nearest one.
    Name { message: String, nearest: Option<String> },
    /// A check that refused.
    Refused(String),
    /// Anything else.
    Other(String),
}

impl Fault {
    /// Fault of a table, without a place.
    pub(crate) fn table(message: impl Into<String>) -> Self {
        Self::Table { message: message.into(), row: None, column: None, object: None }
    }

    /// Fault of a file called `path`, or of data if there is no path.
    pub(crate) fn reading(error: &ReadError, path: Option<&str>) -> Self {
        let message = error.words(python);
        let (row, column) = place_of(&error.problem);
        match (path, &error.problem) {
            (Some(_), Problem::Missing) => Self::NoFile(format!("{}: there is no such file", error.file)),
            (Some(_), Problem::Directory) => Self::Directory(message),
            (Some(path), _) => Self::Read { message, row, column, path: path.to_owned() },
            (None, _) => Self::Table { message, row, column, object: None },
        }
    }

    /// Fault of the table called `name`.
    pub(crate) fn instance(error: &InstanceError, name: &str) -> Self {
        let message = format!("{name}: {}", error.words(python));
        let (mut row, mut column, mut object) = (None, None, None);
        match error {
            InstanceError::EmptyGroup { row: at, column: name, object: of }
            | InstanceError::Prior { row: at, column: name, object: of, .. }
            | InstanceError::MissingCells { row: at, column: name, object: of, .. }
            | InstanceError::EmptyPart { row: at, column: name, object: of, .. }
            | InstanceError::RepeatedPart { row: at, column: name, object: of, .. } => {
                (row, column, object) = (Some(*at), Some(name.clone()), Some(of.clone()));
            }
            InstanceError::Cost { row: at, test, .. }
            | InstanceError::Setup { row: at, test, .. }
            | InstanceError::SetupAlone { row: at, test } => {
                (row, column) = (Some(*at), Some(test.clone()));
            }
            InstanceError::NoSuchColumn { known, .. } => {
                return Self::Name { message, nearest: meant(known) };
            }
            InstanceError::NoWeight { column: name } => column = Some(name.clone()),
            _ => (),
        }
        Self::Table { message, row, column, object }
    }

    /// Fault of labelled examples.
    pub(crate) fn examples(error: &ExamplesError) -> Self {
        Self::table(error.words(python))
    }

    fn into_err(self, py: Python<'_>) -> PyResult<PyErr> {
        let kwargs = PyDict::new(py);
        let (class, message) = match self {
            Self::Table { message, row, column, object } => {
                kwargs.set_item("row", row)?;
                kwargs.set_item("column", column)?;
                kwargs.set_item("object", object)?;
                ("TableError", message)
            }
            Self::Read { message, row, column, path } => {
                kwargs.set_item("row", row)?;
                kwargs.set_item("column", column)?;
                kwargs.set_item("path", path)?;
                ("ReadError", message)
            }
            Self::NoFile(message) => return Ok(PyFileNotFoundError::new_err(message)),
            Self::Directory(message) => return Ok(PyIsADirectoryError::new_err(message)),
            Self::Session(message) => ("SessionError", message),
            Self::Name { message, nearest } => {
                kwargs.set_item("nearest", nearest)?;
                ("UnknownName", message)
            }
            Self::Refused(message) => ("CheckFailed", message),
            Self::Other(message) => ("FewestError", message),
        };
        let class = py.import("fewest.exceptions")?.getattr(class)?;
        Ok(PyErr::from_value(class.call((message,), Some(&kwargs))?))
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        Python::attach(|py| fault.into_err(py).unwrap_or_else(|error| error))
    }
}

impl From<SessionError> for Fault {
    fn from(error: SessionError) -> Self {
        Self::Session(error.to_string())
    }
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Self {
        let message = error.to_string();
        match error {
            ParseError::NoTest { nearest, .. }
            | ParseError::NoAnswer { nearest, .. }
            | ParseError::NoObject { nearest, .. } => Self::Name { message, nearest },
            ParseError::NoFact { .. } => Self::Session(message),
        }
    }
}

/// The name between the quotes of `did you mean ...?`.
fn meant(known: &str) -> Option<String> {
    let rest = known.strip_prefix("did you mean `")?;
    rest.strip_suffix("`?").map(str::to_owned)
}

/// Row and column of a problem, where it has a place.
fn place_of(problem: &Problem) -> (Option<usize>, Option<String>) {
    let of = |place: &Place| (Some(place.row), place.name.clone());
    match problem {
        Problem::Encoding { place }
        | Problem::Nul { place }
        | Problem::Unclosed { place }
        | Problem::AfterQuote { place }
        | Problem::UnnamedObject { place } => of(place),
        Problem::SameObject { second, .. } | Problem::SameAbout { second, .. } => (Some(*second), None),
        Problem::LongRow { row, .. }
        | Problem::Ragged { row, .. }
        | Problem::UnknownAbout { row, .. }
        | Problem::UnnamedColumn { row, .. }
        | Problem::TooManyObjects { row, .. } => (Some(*row), None),
        Problem::Cost { row, test, .. } | Problem::Setup { row, test, .. } => {
            (Some(*row), Some(test.clone()))
        }
        Problem::SameColumn { name, .. } | Problem::NoSuchColumn { name, .. } => (None, Some(name.clone())),
        _ => (None, None),
    }
}
