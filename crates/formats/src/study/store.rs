//! Finished cells of studies, kept so that they need not be run again.

use crate::json::Number;
use fewest_lab::study::{Estimate, Study, Value};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use thiserror::Error;

/// File of finished cells, one line of JSON each, with all that their numbers depend on.
///
/// Lines of other seeds, sizes or versions are kept but not used. An incomplete last line, left by a program that was
/// stopped, is ignored.
#[derive(Debug)]
pub struct Store {
    file: File,
    lines: Vec<Line>,
}

/// Reason why finished cells cannot be kept.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line that is not a finished cell.
    #[error("line {line} is no finished cell ({error}); delete the file to start over")]
    Line {
        /// Number of the line.
        line: usize,
        /// Error of the JSON reader.
        error: serde_json::Error,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Key {
    version: String,
    study: String,
    parameters: String,
    seed: u64,
    datasets: u32,
    cell: Vec<(String, String)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    key: Key,
    values: Vec<Kept>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    series: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Number>,
    mean: Number,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    standard_error: Option<Number>,
    least: Number,
    most: Number,
    n: u32,
}

impl Store {
    /// Opens the file at `path`, or creates it.
    ///
    /// # Errors
    /// When the file cannot be read or written, or holds something else.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // Text after the last line end is an incomplete line.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = Vec::new();
        for (at, line) in bytes[..whole].split(|byte| *byte == b'\n').enumerate() {
            if !line.is_empty() {
                let line =
                    serde_json::from_slice(line).map_err(|error| StoreError::Line { line: at + 1, error })?;
                lines.push(line);
            }
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, lines })
    }

    /// Finds the values of a cell, if it is finished.
    pub fn find(&self, study: &dyn Study, cell: usize, seed: u64) -> Option<Vec<Value>> {
        let key = Key::of(study, cell, seed);
        let line = self.lines.iter().rev().find(|line| line.key == key)?;
        let quantities = study.quantities();
        let same = |kept: &Kept, series: &str, at: Option<f64>| {
            kept.series == series && kept.at.map(|at| at.0) == at && kept.n == study.datasets()
        };
        let mut pairs = line.values.iter().zip(&quantities);
        let fits = line.values.len() == quantities.len()
            && pairs.all(|(kept, quantity)| same(kept, &quantity.series, quantity.at));
        fits.then(|| line.values.iter().map(Value::from).collect())
    }

    /// Appends the values of a cell.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&mut self, study: &dyn Study, cell: usize, seed: u64, values: &[Value]) -> io::Result<()> {
        let line = Line { key: Key::of(study, cell, seed), values: values.iter().map(Kept::from).collect() };
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        // One write, so that only the last line of the file can be incomplete.
        self.file.write_all(&bytes)?;
        self.file.flush()?;
        self.lines.push(line);
        Ok(())
    }
}

impl Key {
    fn of(study: &dyn Study, cell: usize, seed: u64) -> Self {
        let place = &study.cells()[cell];
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            study: study.name().to_owned(),
            parameters: study.cell_parameters(cell),
            seed,
            datasets: study.datasets(),
            cell: place.iter().map(|(axis, place)| ((*axis).to_owned(), place.clone())).collect(),
        }
    }
}

impl From<&Value> for Kept {
    fn from(value: &Value) -> Self {
        let Estimate { mean, standard_error, least, most, n } = value.estimate;
        Self {
            series: value.series.clone(),
            at: value.at.map(Number),
            mean: Number(mean),
            standard_error: standard_error.map(Number),
            least: Number(least),
            most: Number(most),
            n,
        }
    }
}

impl From<&Kept> for Value {
    fn from(kept: &Kept) -> Self {
        let estimate = Estimate {
            mean: kept.mean.0,
            standard_error: kept.standard_error.map(|error| error.0),
            least: kept.least.0,
            most: kept.most.0,
            n: kept.n,
        };
        Self { series: kept.series.clone(), at: kept.at.map(|at| at.0), estimate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_lab::study::{DecTreeStudy, measure};
    use std::fs;

    #[test]
    fn a_cell_is_found_again_with_all_its_digits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cells.jsonl");
        let study = DecTreeStudy { datasets: 3 };
        let (cell, values) = (0, measure(&study, 0, 5).unwrap());
        let mut store = Store::open(&path).unwrap();
        assert_eq!(store.find(&study, cell, 5), None);
        store.keep(&study, cell, 5, &values).unwrap();
        assert_eq!(store.find(&study, cell, 5).as_ref(), Some(&values));
        let store = Store::open(&path).unwrap();
        assert_eq!(store.find(&study, cell, 5), Some(values));
        // Another seed, another number of data sets or another cell is not found.
        assert_eq!(store.find(&study, cell, 6), None);
        assert_eq!(store.find(&DecTreeStudy { datasets: 4 }, cell, 5), None);
        assert_eq!(store.find(&study, 1, 5), None);
    }

    #[test]
    fn a_line_that_was_cut_off_is_as_if_it_were_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cells.jsonl");
        let study = DecTreeStudy { datasets: 2 };
        let values = measure(&study, 0, 1).unwrap();
        let mut store = Store::open(&path).unwrap();
        store.keep(&study, 0, 1, &values).unwrap();
        store.keep(&study, 1, 1, &values).unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
        let mut store = Store::open(&path).unwrap();
        assert!(store.find(&study, 0, 1).is_some() && store.find(&study, 1, 1).is_none());
        store.keep(&study, 1, 1, &values).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn a_file_of_something_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cells.jsonl");
        fs::write(&path, "{}\nhello\n").unwrap();
        assert!(Store::open(&path).unwrap_err().to_string().starts_with("line 1 is no finished cell"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}\nhello\n");
    }
}
