//! Studies as files: tables, pictures and pages, one report of all, and the cells that are done already.

mod examples;
mod figures;
mod page;
mod real;
mod store;

pub use examples::{densities, dfep, toy};
pub use figures::{figure6, figure7, prior};
pub use page::report;
pub use real::real;
pub use store::{Store, StoreError};

use crate::write::quoted;
use fewest_lab::study::{Estimate, Study, Value};

/// What a study shows: everything that is written of it.
#[derive(Clone, Debug)]
pub struct Exhibit {
    /// The name of its files.
    pub name: &'static str,
    /// What it is about.
    pub title: String,
    /// The command that makes it.
    pub command: String,
    /// What there is to see, paragraph by paragraph.
    pub says: Vec<String>,
    /// Its pictures.
    pub pictures: Vec<Picture>,
    /// Its tables as CSV: the name of the file without its ending, and the text.
    pub tables: Vec<(String, String)>,
    /// The numbers that matter, for the page.
    pub summary: Option<Summary>,
}

/// A picture of an exhibit.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of its files without their ending.
    pub stem: String,
    /// What it shows, for those who cannot see it.
    pub alt: String,
    /// The picture.
    pub svg: String,
}

/// A small table.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The names of its columns.
    pub header: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// What a study found, cell by cell.
pub struct Measured<'a> {
    /// The study.
    pub study: &'a dyn Study,
    /// The values of each of its cells.
    pub values: Vec<Vec<Value>>,
}

impl Measured<'_> {
    /// The estimate of a series in a cell, at a place of the inner axis.
    pub fn get(&self, cell: usize, series: &str, at: Option<f64>) -> Option<Estimate> {
        let values = self.values.get(cell)?.iter();
        values.clone().find(|value| value.series == series && value.at == at).map(|value| value.estimate)
    }

    /// The mean of a series over all cells and places.
    fn mean(&self, series: &str) -> f64 {
        let all = self.values.iter().flatten().filter(|value| value.series == series);
        let (sum, count) =
            all.fold((0.0, 0.0), |(sum, count), value| (sum + value.estimate.mean, count + 1.0));
        sum / count
    }

    /// All values as CSV: the axes, the series, mean, standard error, how many data sets, least and most.
    pub fn csv(&self) -> String {
        let cells = self.study.cells();
        let axes = cells.first().into_iter().flatten().map(|(axis, _)| *axis);
        let header: Vec<&str> = axes.chain(self.study.inner_axis()).collect();
        let mut csv = format!("{},series,mean,standard_error,n,least,most\n", header.join(","));
        for (cell, values) in cells.iter().zip(&self.values) {
            for value in values {
                let places = cell.iter().map(|(_, place)| quoted(place).into_owned());
                let places: Vec<String> = places.chain(value.at.map(|at| at.to_string())).collect();
                let Estimate { mean, standard_error, n, least, most } = value.estimate;
                let error = standard_error.map_or(String::new(), |error| error.to_string());
                csv += &format!("{},{},{mean},{error},{n},{least},{most}\n", places.join(","), value.series);
            }
        }
        csv
    }
}

/// A number with two digits after the point.
fn two(value: f64) -> String {
    format!("{value:.2}")
}

/// By how much `cost` is above `best`, in percent.
fn above(cost: f64, best: f64) -> String {
    format!("{:.1} %", (cost / best - 1.0) * 100.0)
}
