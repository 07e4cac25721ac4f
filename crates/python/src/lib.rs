//! Data and algorithms of fewest for Python: what a Python programmer reads is in `python/fewest`.

mod command;
mod error;
mod frame;
mod goal;
mod learn;
mod options;
mod run;
mod session;
mod simulate;
mod spell;
mod strategy;
mod table;

use pyo3::prelude::*;

/// Data and algorithms of fewest.
#[pymodule(gil_used = false)]
mod _fewest {
    use super::*;
    #[pymodule_export]
    use crate::command::{command, main};
    #[pymodule_export]
    use crate::learn::{Model, csv_of_arrow, csv_of_columns, fit};
    #[pymodule_export]
    use crate::run::Canceller;
    #[pymodule_export]
    use crate::session::Session;
    #[pymodule_export]
    use crate::simulate::simulate;
    #[pymodule_export]
    use crate::strategy::{Strategy, build};
    #[pymodule_export]
    use crate::table::Table;

    /// Names of the algorithms, with a line about each.
    #[pyfunction]
    fn algorithms() -> Vec<(&'static str, &'static str)> {
        let all = fewest::algorithms().into_iter().chain([fewest::OPTIMAL]);
        all.map(|algorithm| (algorithm.name, algorithm.summary)).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
