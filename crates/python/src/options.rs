//! Options of a table as Python gives them, as the library's.

use crate::error::Fault;
use fewest::{
    AnswerCost, BundlePrice, Identify, InBundle, Inseparable, MissingCells, Named, Numeric, Reading,
    Tolerance,
};
use fewest_formats::json::parse_tolerance;
use fewest_formats::read::{CostList, ReadOptions, Source, read_bundles, read_costs};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// Options of reading a table.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct TableOptions {
    object: Option<String>,
    transpose: bool,
    group: Option<String>,
    prior: Option<String>,
    ignore: Vec<String>,
    tests: Option<Vec<String>>,
    /// Cost by test.
    costs: Vec<(String, f64)>,
    /// Cost by test and answer.
    answer_costs: Vec<(String, String, f64)>,
    /// Test, bundle, and its set-up.
    bundles: Vec<(String, String, f64)>,
    costs_file: Option<PathBuf>,
    bundles_file: Option<PathBuf>,
    pub(crate) questions: Vec<(String, String)>,
    identify: Option<String>,
    missing: Option<String>,
    na: Option<Vec<String>>,
    verbatim: bool,
    tolerance: Vec<String>,
    several: Option<String>,
    numeric: Option<String>,
    inseparable: Option<String>,
    confirm: bool,
}

impl TableOptions {
    pub(crate) fn is_verbatim(&self) -> bool {
        self.verbatim
    }

    /// Options of the reader.
    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            object: self.object.clone(),
            group: self.group.clone().into(),
            lenient: !self.verbatim,
            transpose: self.transpose,
            ..ReadOptions::default()
        }
    }

    /// Meaning of the columns and cells.
    pub(crate) fn reading(&self) -> PyResult<Reading> {
        let mut reading = Reading {
            group: self.group.clone().into(),
            prior: self.prior.clone().into(),
            ignore: self.ignore.clone(),
            tests: self.tests.clone(),
            identify: self
                .identify
                .as_deref()
                .map(|text| choice::<Identify>("identify", text))
                .transpose()?,
            missing: self
                .missing
                .as_deref()
                .map_or(Ok(MissingCells::default()), |text| choice("missing", text))?,
            gap_words: self.na.clone(),
            verbatim: self.verbatim,
            tolerance: self.tolerances()?,
            several: self.several.clone(),
            numeric: match &self.numeric {
                None => Numeric::default(),
                Some(text) => {
                    text.parse().map_err(|error| PyValueError::new_err(format!("numeric: {error}")))?
                }
            },
            inseparable: self
                .inseparable
                .as_deref()
                .map_or(Ok(Inseparable::default()), |text| choice("inseparable", text))?,
            confirm: self.confirm,
            // Costs are added below; options that Python does not have yet keep their usual values.
            ..Reading::default()
        };
        self.cost_list()?.add_to(&mut reading);
        Ok(reading)
    }

    fn tolerances(&self) -> PyResult<Vec<(Option<String>, Tolerance)>> {
        let one = |text: &String| {
            let message = format!("tolerance: `{text}` is none; give 0.2, \"5%\" or {{column: 0.2}}");
            parse_tolerance(text).ok_or_else(|| PyValueError::new_err(message))
        };
        self.tolerance.iter().map(one).collect()
    }

    fn cost_list(&self) -> PyResult<CostList> {
        let read =
            |path: &Path, read: fn(Source<'_>) -> Result<CostList, fewest_formats::read::ReadError>| {
                let name = path.display().to_string();
                read(Source::Path(path)).map_err(|error| PyErr::from(Fault::reading(&error, Some(&name))))
            };
        let mut list = match &self.costs_file {
            Some(path) => read(path, read_costs)?,
            None => CostList::default(),
        };
        if let Some(path) = &self.bundles_file {
            list.bundles.extend(read(path, read_bundles)?.bundles);
        }
        list.costs.extend(self.costs.iter().cloned());
        let answer = |(test, answer, cost): &(String, String, f64)| AnswerCost {
            test: test.clone(),
            answer: answer.clone(),
            cost: *cost,
        };
        list.answers.extend(self.answer_costs.iter().map(answer));
        let bundle = |(test, bundle, setup): &(String, String, f64)| InBundle {
            test: test.clone(),
            bundle: bundle.clone(),
            price: BundlePrice::Setup(*setup),
        };
        list.bundles.extend(self.bundles.iter().map(bundle));
        let bad = |cost: &f64| !(cost.is_finite() && *cost >= 0.0);
        if let Some((test, cost)) = list.costs.iter().find(|(_, cost)| bad(cost)) {
            let message = format!("the cost of `{test}` is {cost}; a cost is a number > 0, such as 1 or 2.5");
            return Err(Fault::table(message).into());
        }
        if let Some(entry) = list.answers.iter().find(|entry| bad(&entry.cost)) {
            let AnswerCost { test, answer, cost } = entry;
            let message =
                format!("the cost of `{test}` for answer `{answer}` is {cost}; a cost is a number > 0");
            return Err(Fault::table(message).into());
        }
        Ok(list)
    }
}

/// Value of an option that is one of several words.
pub(crate) fn choice<T: Named>(option: &str, text: &str) -> PyResult<T> {
    T::named(text).ok_or_else(|| {
        PyValueError::new_err(format!("{option}: there is no `{text}`; choose {}", T::names()))
    })
}
