//! Target of learning: the words of a column, or whether a number of a column is above a limit.

use super::{ExamplesError, Field, MISSING, Values};
use fewest_model::{Interner, Labels, known_columns};

/// Most different numbers of a column that is taken as a list of classes.
const MOST_NUMBERS: usize = 50;

/// Target of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Name of the column.
    pub column: String,
    /// Comparison of the column with a number; `None`: the word of the column is the class.
    pub test: Option<(Comparison, f64)>,
}

/// Comparison of a number with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Sign `>`.
    Above,
    /// Sign `>=`.
    AtLeast,
    /// Sign `<`.
    Below,
    /// Sign `<=`.
    AtMost,
    /// Sign `=` or `==`.
    Equal,
    /// Sign `!=`.
    Other,
}

/// Signs of comparisons, longer ones first: `>=` begins with `>`.
const SIGNS: [(&str, Comparison); 7] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("==", Comparison::Equal),
    ("!=", Comparison::Other),
    (">", Comparison::Above),
    ("<", Comparison::Below),
    ("=", Comparison::Equal),
];

impl Comparison {
    fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Above => value > limit,
            Self::AtLeast => value >= limit,
            Self::Below => value < limit,
            Self::AtMost => value <= limit,
            Self::Equal => value == limit,
            Self::Other => value != limit,
        }
    }
}

impl Target {
    /// Parses a target: a column of `columns`, or a comparison such as `mpg > 19` with one of them.
    ///
    /// A column whose own name looks like a comparison is still found by its name.
    ///
    /// ```
    /// use fewest::learn::{Comparison, Target};
    /// let target = Target::parse("mpg > 19", &["mpg", "weight"]).unwrap();
    /// assert_eq!((target.column.as_str(), target.test), ("mpg", Some((Comparison::Above, 19.0))));
    /// ```
    ///
    /// # Errors
    /// When there is no such column.
    pub fn parse(text: &str, columns: &[&str]) -> Result<Self, ExamplesError> {
        let text = text.trim();
        if columns.contains(&text) {
            return Ok(Self { column: text.to_owned(), test: None });
        }
        for (sign, comparison) in SIGNS {
            let Some((column, limit)) = text.rsplit_once(sign) else { continue };
            let (column, limit) = (column.trim(), limit.trim().parse().ok().filter(|x: &f64| x.is_finite()));
            if let (true, Some(limit)) = (columns.contains(&column), limit) {
                return Ok(Self { column: column.to_owned(), test: Some((comparison, limit)) });
            }
        }
        Err(ExamplesError::NoSuchTarget { name: text.to_owned(), known: known_columns(text, columns) })
    }

    /// Class of one cell; `None` if it is missing, or not a number if a comparison needs one.
    pub fn class_of(&self, cell: &str) -> Option<String> {
        let number = || cell.parse::<f64>().ok().filter(|value| value.is_finite());
        match (cell, self.test) {
            ("" | "?", _) => None,
            (word, None) => Some(word.to_owned()),
            (_, Some((comparison, limit))) => {
                Some(if comparison.holds(number()?, limit) { "yes" } else { "no" }.to_owned())
            }
        }
    }

    /// Classes of the rows, with their names in order of first appearance.
    pub(super) fn classes(&self, field: &Field) -> Result<(Vec<String>, Vec<u32>), ExamplesError> {
        let name = || self.column.clone();
        let classes = match (&field.values, self.test) {
            (_, Some(_)) if field.stray.is_some() => return Err(ExamplesError::stray(field)),
            (Values::Numbers(values), Some((comparison, limit))) => {
                intern(values.iter().map(|&value| match value.is_nan() {
                    true => None,
                    false => Some(if comparison.holds(value, limit) { "yes" } else { "no" }.to_owned()),
                }))
            }
            (Values::Words { labels, codes }, Some((comparison, limit))) => {
                let number = |label: &str| label.parse::<f64>().ok().filter(|value| value.is_finite());
                let numbers: Option<Vec<f64>> = labels.iter().map(number).collect();
                let numbers = numbers.ok_or_else(|| ExamplesError::TargetWords { name: name() })?;
                intern(codes.iter().map(|&code| {
                    let holds = |value: &f64| comparison.holds(*value, limit);
                    numbers.get(code as usize).map(|value| if holds(value) { "yes" } else { "no" }.to_owned())
                }))
            }
            (Values::Words { labels, codes }, None) => (labels.clone(), codes.clone()),
            (Values::Numbers(values), None) => {
                let classes = intern(values.iter().map(|value| (!value.is_nan()).then(|| value.to_string())));
                if classes.0.len() > MOST_NUMBERS {
                    let middle = median(values);
                    return Err(ExamplesError::TargetNumbers {
                        name: name(),
                        values: classes.0.len(),
                        middle,
                    });
                }
                classes
            }
        };
        Ok((classes.0.iter().map(str::to_owned).collect(), classes.1))
    }
}

fn intern(cells: impl Iterator<Item = Option<String>>) -> (Labels, Vec<u32>) {
    let mut interner = Interner::default();
    let codes = cells.map(|cell| cell.map_or(MISSING, |cell| interner.intern(&cell))).collect();
    (interner.finish(), codes)
}

fn median(values: &[f64]) -> f64 {
    let mut known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    known.sort_by(f64::total_cmp);
    known.get(known.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_win_over_comparisons_and_unknown_ones_are_answered() {
        let columns = ["mpg", "a > 1", "MPG2"];
        assert_eq!(Target::parse(" a > 1 ", &columns).unwrap().test, None);
        assert_eq!(Target::parse("mpg<=19.5", &columns).unwrap().test, Some((Comparison::AtMost, 19.5)));
        assert_eq!(Target::parse("mpg != 4", &columns).unwrap().test, Some((Comparison::Other, 4.0)));
        let message = |text| Target::parse(text, &columns).unwrap_err().to_string();
        assert_eq!(message("mpg2"), "target `mpg2`: there is no such column; did you mean `MPG2`?");
        assert!(message("mpg > many").ends_with("the columns are `mpg`, `a > 1`, `MPG2`"));
    }

    #[test]
    fn a_comparison_makes_yes_and_no() {
        let target = Target::parse("x > 2", &["x"]).unwrap();
        let (classes, codes) = target.classes(&Field::numbers("x", vec![1.0, 2.0, f64::NAN, 3.0])).unwrap();
        assert_eq!((classes, codes), (vec!["no".to_owned(), "yes".to_owned()], vec![0, 0, MISSING, 1]));
        let words = Field::words("x", &["3", "1"]);
        assert_eq!(target.classes(&words).unwrap().0, ["yes", "no"]);
        assert!(target.classes(&Field::words("x", &["red", "1"])).is_err());
    }

    #[test]
    fn numbers_with_many_values_are_no_classes() {
        let field = Field::numbers("x", (0..60).map(f64::from).collect());
        let error = Target::parse("x", &["x"]).unwrap().classes(&field).unwrap_err().to_string();
        assert!(error.contains("60 different numbers") && error.contains("target = 'x > 30'"), "{error}");
    }
}
