//! Commands of the command line, in this process.

use crate::error::Fault;
use crate::run::{Ended, RunOptions, ended, run};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::sync::Arc;

/// Run a command line as the program does, and return its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| fewest_cli::run(arguments))
}

/// Run a command for its files; what goes wrong is an exception.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>, options: RunOptions) -> PyResult<Ended<()>> {
    let finished =
        run(py, &options, move |context| fewest_cli::try_run(arguments, Arc::clone(&context.flag)))?;
    let (done, error) = ended(py, finished);
    match done {
        Ok(()) => Ok(((), error)),
        Err(fewest_cli::Wrong::Refused(message)) => Err(Fault::Refused(message).into()),
        Err(fewest_cli::Wrong::Data(message)) => Err(Fault::table(message).into()),
        Err(fewest_cli::Wrong::Usage(message)) => Err(pyo3::exceptions::PyTypeError::new_err(message)),
    }
}
