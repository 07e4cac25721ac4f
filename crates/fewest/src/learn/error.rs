//! Why there is nothing to learn from labelled data.

use super::field::Field;
use super::sizes::MAX_CLASSES;
use fewest_model::{Choice, Spell, spell_plainly};
use std::fmt;

/// Why there is nothing to learn from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExamplesError {
    /// No rows at all.
    NoRows,
    /// The target is not there.
    NoSuchTarget {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Some other column is not there.
    NoSuchColumn {
        /// The option that names it.
        option: Choice,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No column that a model asks for is there.
    NoModelColumn {
        /// The first of them.
        name: String,
        /// What there is.
        known: String,
    },
    /// A target of many numbers.
    TargetNumbers {
        /// The column.
        name: String,
        /// How many.
        values: usize,
        /// A number in the middle.
        middle: f64,
    },
    /// A comparison with words.
    TargetWords {
        /// The column.
        name: String,
    },
    /// More classes than can be learned.
    ManyClasses {
        /// The column.
        name: String,
        /// How many.
        classes: usize,
    },
    /// Nothing to tell apart.
    OneClass {
        /// The column.
        name: String,
        /// The class.
        class: String,
    },
    /// A target without any value.
    EmptyTarget {
        /// The column.
        name: String,
    },
    /// Words among numbers.
    Stray {
        /// The column.
        name: String,
        /// The row of the first.
        row: usize,
        /// The word.
        text: String,
        /// How many cells hold words.
        count: usize,
    },
    /// Missing cells where none are allowed.
    Missing {
        /// The first such column.
        name: String,
        /// How many cells it lacks.
        cells: usize,
        /// How many are missing in all columns.
        total: usize,
    },
    /// A weight that is none.
    Weight {
        /// The column.
        name: String,
        /// The example, counted from 1.
        row: usize,
        /// What stands there.
        text: String,
    },
    /// Weights without a sum.
    NoWeight {
        /// The column.
        name: String,
    },
    /// A weight for a class that does not occur.
    NoSuchClass {
        /// What was named.
        name: String,
        /// The classes that occur.
        classes: Vec<String>,
    },
    /// A class weight that is not a number above 0.
    ClassWeight {
        /// The class.
        name: String,
        /// Its weight.
        weight: f64,
    },
}

impl ExamplesError {
    /// The error for a column of numbers with words in it.
    pub(super) fn stray(field: &Field) -> Self {
        let stray = field.stray.clone().expect("called for a column with stray words");
        Self::Stray { name: field.name.clone(), row: stray.row, text: stray.text, count: stray.count }
    }

    /// The message, with options spelled by `spell`.
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
                    "row {row}, column `{name}`: `{text}` is no number, but all but {count} of the column's cells are; \
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
