//! A column of labelled data: numbers or words, before and after it is known what they are good for.

use fewest_model::Labels;

/// The code of a cell that says nothing.
pub const MISSING: u32 = u32::MAX;

/// One column of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The header.
    pub name: String,
    /// What its cells hold.
    pub values: Values,
    /// Words among the numbers, if the column seems to be one of numbers all the same.
    pub stray: Option<Stray>,
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Measured numbers; a missing one is NaN.
    Numbers(Vec<f64>),
    /// Words by number; a missing one is [`MISSING`].
    Words {
        /// The different words, in order of first appearance.
        labels: Labels,
        /// For each row, the number of its word.
        codes: Vec<u32>,
    },
}

/// A word where all but a few cells are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The first such word.
    pub text: String,
    /// Its row in the file.
    pub row: usize,
    /// How many such cells there are.
    pub count: usize,
}

impl Field {
    /// A column of numbers; NaN is missing.
    pub fn numbers(name: &str, values: Vec<f64>) -> Self {
        Self { name: name.to_owned(), values: Values::Numbers(values), stray: None }
    }

    /// A column of words; `?` and empty cells are missing.
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

    /// How many rows there are.
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

    /// How many cells are missing.
    pub fn missing(&self) -> usize {
        match &self.values {
            Values::Numbers(values) => values.iter().filter(|value| value.is_nan()).count(),
            Values::Words { codes, .. } => codes.iter().filter(|code| **code == MISSING).count(),
        }
    }

    /// The column without the rows for which `keep` says no.
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

/// What one cell says, when it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Missing,
    /// A number.
    Number(f64),
    /// The word of this number in the column's list.
    Word(u32),
    /// A word that is not in the list.
    Unknown,
}

impl Field {
    /// What row `row` says.
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
