//! Studies as files: tables, pictures and pages, one report of all, and the cells that are finished.

mod examples;
mod figures;
mod page;
mod real;
mod store;

pub use examples::{densities, dfep, toy};
pub use figures::{figure6, figure7, prior};
pub use page::report;
pub(crate) use page::with_own_ids;
pub use real::real;
pub use store::{Store, StoreError};

use crate::write::quoted;
use fewest_lab::study::{Estimate, Study, Value};

/// Exhibit of a study: everything that is written about it.
#[derive(Clone, Debug)]
pub struct Exhibit {
    /// Name of the files.
    pub name: &'static str,
    /// Title.
    pub title: String,
    /// Command that makes the exhibit.
    pub command: String,
    /// Text, paragraph by paragraph.
    pub says: Vec<String>,
    /// Pictures.
    pub pictures: Vec<Picture>,
    /// Tables as CSV: the name of the file without its ending, and the text.
    pub tables: Vec<(String, String)>,
    /// Most important numbers, for the page.
    pub summary: Option<Summary>,
}

/// A picture of an exhibit.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Name of the files without their ending.
    pub stem: String,
    /// Description in words, for readers who cannot see the picture.
    pub alt: String,
    /// Picture as SVG.
    pub svg: String,
}

/// A small table.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// Results of a study, cell by cell.
pub struct Measured<'a> {
    /// Study that was run.
    pub study: &'a dyn Study,
    /// Values of each of its cells.
    pub values: Vec<Vec<Value>>,
}

impl Measured<'_> {
    /// Estimate of a series in a cell, at a position of the inner axis.
    pub fn get(&self, cell: usize, series: &str, at: Option<f64>) -> Option<Estimate> {
        let values = self.values.get(cell)?.iter();
        values.clone().find(|value| value.series == series && value.at == at).map(|value| value.estimate)
    }

    /// Mean of a series over all cells and positions.
    fn mean(&self, series: &str) -> f64 {
        let all = self.values.iter().flatten().filter(|value| value.series == series);
        let (sum, count) =
            all.fold((0.0, 0.0), |(sum, count), value| (sum + value.estimate.mean, count + 1.0));
        sum / count
    }

    /// All values as CSV: axes, series, mean, standard error, number of data sets, least and most.
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

/// Excess of `cost` over `best`, in percent.
fn above(cost: f64, best: f64) -> String {
    format!("{:.1} %", (cost / best - 1.0) * 100.0)
}
