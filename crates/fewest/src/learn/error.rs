//! Errors of labelled data from which nothing can be learned.

use super::field::Field;
use super::sizes::MAX_CLASSES;
use fewest_model::{Choice, Spell, spell_plainly};
use std::fmt;

/// Reason why nothing can be learned from the data.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExamplesError {
    /// The data have no rows.
    NoRows,
    /// The target column does not exist.
    NoSuchTarget {
        /// Name that was given.
        name: String,
        /// Hint with the columns that exist.
        known: String,
    },
    /// Another column that an option names does not exist.
    NoSuchColumn {
        /// Option that names the column.
        option: Choice,
        /// Name that was given.
        name: String,
        /// Hint with the columns that exist.
        known: String,
    },
    /// None of the columns that a model asks for exists.
    NoModelColumn {
        /// First of these columns.
        name: String,
        /// Hint with the columns that exist.
        known: String,
    },
    /// The target is a column of many different numbers.
    TargetNumbers {
        /// The column.
        name: String,
        /// Number of different values.
        values: usize,
        /// Number in the middle, to suggest a comparison.
        middle: f64,
    },
    /// A comparison has a target column of words.
    TargetWords {
        /// The column.
        name: String,
    },
    /// The target has too many classes.
    ManyClasses {
        /// The column.
        name: String,
        /// Number of classes.
        classes: usize,
    },
    /// The target has only one class, so there is nothing to tell apart.
    OneClass {
        /// The column.
        name: String,
        /// The class.
        class: String,
    },
    /// The target column has no value at all.
    EmptyTarget {
        /// The column.
        name: String,
    },
    /// A column of numbers holds words.
    Stray {
        /// The column.
        name: String,
        /// Row of the first word.
        row: usize,
        /// First word.
        text: String,
        /// Number of cells that hold words.
        count: usize,
    },
    /// Cells are missing where none are allowed.
    Missing {
        /// The first such column.
        name: String,
        /// Number of missing cells in this column.
        cells: usize,
        /// Number of missing cells in all columns.
        total: usize,
    },
    /// A weight is not a finite number of at least 0.
    Weight {
        /// The column.
        name: String,
        /// Number of the example, from 1.
        row: usize,
        /// Text of the cell.
        text: String,
    },
    /// The weights have no positive sum.
    NoWeight {
        /// The column.
        name: String,
    },
    /// A weight is given for a class that does not occur.
    NoSuchClass {
        /// Name that was given.
        name: String,
        /// The classes that occur.
        classes: Vec<String>,
    },
    /// A class weight is not a number above 0.
    ClassWeight {
        /// The class.
        name: String,
        /// Weight of the class.
        weight: f64,
    },
}

impl ExamplesError {
    /// Makes the error for a column of numbers that holds words.
    pub(super) fn stray(field: &Field) -> Self {
        let stray = field.stray.clone().expect("called for a column with stray words");
        Self::Stray { name: field.name.clone(), row: stray.row, text: stray.text, count: stray.count }
    }

    /// Returns the message, with options spelled by `spell`.
    pub fn words(&self, spell: Spell) -> String {
        match self {
            Self::NoRows => "there are no rows; the data have a header and a row for each example".to_owned(),
            Self::NoSuchTarget { .. }
            | Self::TargetNumbers { .. }
            | Self::TargetWords { .. }
            | Self::ManyClasses { .. }
            | Self::OneClass { .. }
            | Self::EmptyTarget { .. } => self.words_on_target(spell),
            Self::NoSuchColumn { option, name, known } => {
                format!("{} `{name}`: there is no such column; {known}", spell(*option, ""))
            }
            Self::NoModelColumn { name, known } => {
                format!("the model's column `{name}`: there is no such column; {known}")
            }
            Self::Stray { name, row, text, count } => {
                let cells = if *count == 1 { "the cell" } else { "the cells" };
                format!(
                    "row {row}, column `{name}`: `{text}` is not a number, but all but {count} of the column's cells are; \
                     mend or empty {cells}, or leave the column out with {}",
                    spell(Choice::Ignore, &format!("'{name}'")),
                )
            }
            Self::Missing { name, cells, total } => format!(
                "column `{name}` has {cells} missing cells, {total} in all; use {} (missing is an answer of its own) or {} \
                 (it goes where most rows go)",
                spell(Choice::Missing, "answer"),
                spell(Choice::Missing, "likelier"),
            ),
            Self::Weight { name, row, text } => {
                format!("column `{name}`: `{text}` in example {row} is no weight; a weight is a number ≥ 0")
            }
            Self::NoWeight { name } => {
                format!("column `{name}`: all weights are 0; at least one row must count")
            }
            Self::NoSuchClass { name, classes } => format!(
                "{}: there is no class `{name}`; the classes are `{}`",
                spell(Choice::ClassWeights, ""),
                classes.join("`, `"),
            ),
            Self::ClassWeight { name, weight } => format!(
                "{}: class `{name}` has weight {weight}; a weight is a number > 0",
                spell(Choice::ClassWeights, ""),
            ),
        }
    }

    fn words_on_target(&self, spell: Spell) -> String {
        let target = |value: &str| spell(Choice::Target, value);
        match self {
            Self::NoSuchTarget { name, known } => {
                format!("{} `{name}`: there is no such column; {known}", target(""))
            }
            Self::TargetNumbers { name, values, middle } => format!(
                "column `{name}` has {values} different numbers, too many to be classes; make a question of it, such as {}",
                target(&format!("'{name} > {middle}'")),
            ),
            Self::TargetWords { name } => format!(
                "column `{name}` holds words, which are not above or below a number; use {}",
                target(&format!("'{name}'")),
            ),
            Self::ManyClasses { name, classes } => format!(
                "column `{name}` has {classes} classes, more than {MAX_CLASSES}; choose a column that groups the rows, or \
                 {} for numbers",
                target(&format!("'{name} > x'")),
            ),
            Self::OneClass { name, class } => format!(
                "column `{name}` has one class only, `{class}`; there is nothing to learn: choose another {}",
                target(""),
            ),
            Self::EmptyTarget { name } => {
                format!("column `{name}` is empty in every row; choose another {}", target(""))
            }
            _ => String::new(),
        }
    }
}

impl fmt::Display for ExamplesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(spell_plainly))
    }
}

impl std::error::Error for ExamplesError {}
