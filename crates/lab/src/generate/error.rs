//! Reasons why a table cannot be made.

use thiserror::Error;

/// Most objects of a made table.
const MOST_OBJECTS: u32 = 100_000_000;
/// Most cells of a made table.
const MOST_CELLS: u64 = 10_000_000_000;

/// Reason why a table cannot be made, with advice what to change.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GenerateError {
    /// A number outside the model.
    #[error("{name} is {value}; it must be {expected}")]
    Parameter {
        /// Name of the parameter, in words.
        name: &'static str,
        /// Value that was given.
        value: f64,
        /// Allowed values, in words.
        expected: &'static str,
    },
    /// A table that would not fit into memory.
    #[error(
        "{objects} objects × {tests} tests is too large; at most {MOST_OBJECTS} objects and {MOST_CELLS} cells can be made"
    )]
    TooLarge {
        /// Number of objects that was asked for.
        objects: u32,
        /// Number of tests that was asked for.
        tests: u32,
    },
    /// Objects of different groups always got equal answers.
    #[error(
        "no table in which {tests} tests tell {objects} objects apart was found in {tries} tries; use more tests, \
         fewer objects or fewer groups, or make answers vary more"
    )]
    Inseparable {
        /// Number of objects.
        objects: u32,
        /// Number of tests.
        tests: u32,
        /// Number of tables that were drawn; 0 when there are fewer possible rows than objects.
        tries: u32,
    },
}

/// Refuses `value` unless it `fits`.
pub(super) fn require(
    fits: bool,
    name: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<(), GenerateError> {
    if fits { Ok(()) } else { Err(GenerateError::Parameter { name, value, expected }) }
}

/// Refuses a table of no objects or of too many cells.
pub(super) fn require_size(objects: u32, tests: u32) -> Result<(), GenerateError> {
    require(objects > 0, "the number of objects", f64::from(objects), "at least 1")?;
    if objects > MOST_OBJECTS || u64::from(objects) * u64::from(tests) > MOST_CELLS {
        return Err(GenerateError::TooLarge { objects, tests });
    }
    Ok(())
}

/// Refuses more objects than there are different rows, when all must differ.
pub(super) fn require_enough_rows(objects: u32, tests: u32, answers: u32) -> Result<(), GenerateError> {
    // A power beyond u32 is enough for any number of objects.
    match answers.checked_pow(tests) {
        Some(rows) if rows < objects => Err(GenerateError::Inseparable { objects, tests, tries: 0 }),
        _ => Ok(()),
    }
}
