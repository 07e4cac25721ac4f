//! Column of labelled data: numbers or words, with or without a role.

use fewest_model::Labels;

/// Code of a missing cell.
pub const MISSING: u32 = u32::MAX;

/// Column of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name of the column.
    pub name: String,
    /// Cells of the column.
    pub values: Values,
    /// Words among the numbers, if the column seems to hold numbers nevertheless.
    pub stray: Option<Stray>,
}

/// Cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Measured numbers; a missing one is NaN.
    Numbers(Vec<f64>),
    /// Words by number; a missing one is [`MISSING`].
    Words {
        /// Different words, in order of first appearance.
        labels: Labels,
        /// Number of each row's word.
        codes: Vec<u32>,
    },
}

/// Words in a column whose other cells are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// First such word.
    pub text: String,
    /// Row of that word in the file.
    pub row: usize,
    /// Number of such cells.
    pub count: usize,
}

impl Field {
    /// Makes a column of numbers; NaN is missing.
    pub fn numbers(name: &str, values: Vec<f64>) -> Self {
        Self { name: name.to_owned(), values: Values::Numbers(values), stray: None }
    }

    /// Makes a column of words; `?` and empty cells are missing.
    ///
    /// ```
    /// use fewest::learn::{Field, MISSING, Values};
    /// let Values::Words { codes, .. } = Field::words("wind", &["weak", "strong", "?", "weak"]).values else { panic!() };
    /// assert_eq!(codes, [0, 1, MISSING, 0]);
    /// ```
    pub fn words(name: &str, cells: &[&str]) -> Self {
        let mut interner = fewest_model::Interner::default();
        let code = |cell: &&str| match cell.trim() {
            "" | "?" => MISSING,
            word => interner.intern(word),
        };
        let codes = cells.iter().map(code).collect();
        let values = Values::Words { labels: interner.finish(), codes };
        Self { name: name.to_owned(), values, stray: None }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Numbers(values) => values.len(),
            Values::Words { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of missing cells.
    pub fn missing(&self) -> usize {
        match &self.values {
            Values::Numbers(values) => values.iter().filter(|value| value.is_nan()).count(),
            Values::Words { codes, .. } => codes.iter().filter(|code| **code == MISSING).count(),
        }
    }

    /// Returns the column without the rows for which `keep` is false.
    #[must_use]
    pub fn filtered(self, keep: &[bool]) -> Self {
        fn kept<T: Copy>(cells: &[T], keep: &[bool]) -> Vec<T> {
            cells.iter().zip(keep).filter(|(_, keep)| **keep).map(|(cell, _)| *cell).collect()
        }
        let values = match self.values {
            Values::Numbers(values) => Values::Numbers(kept(&values, keep)),
            Values::Words { labels, codes } => Values::Words { labels, codes: kept(&codes, keep) },
        };
        Self { values, ..self }
    }
}

/// Value of one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The cell is missing.
    Missing,
    /// A number.
    Number(f64),
    /// The word with this number in the column's list.
    Word(u32),
    /// A word that is not in the list.
    Unknown,
}

impl Field {
    /// Value of the cell in row `row`.
    #[inline]
    pub fn value(&self, row: usize) -> Value {
        match &self.values {
            Values::Numbers(values) if values[row].is_nan() => Value::Missing,
            Values::Numbers(values) => Value::Number(values[row]),
            Values::Words { codes, .. } if codes[row] == MISSING => Value::Missing,
            Values::Words { codes, .. } => Value::Word(codes[row]),
        }
    }
}
