//! Tests from columns: what each cell answers, and to which questions.
//!
//! A column goes through four steps: texts that mean the same are merged ([`normalize`]), lists are split into parts
//! ([`several`]), measured numbers become cuts or ranges ([`measured`]), and the answers of the parts become the answers
//! of the objects ([`cells`]).

mod cells;
mod intervals;
mod measured;
mod normalize;
mod several;

pub use measured::Measure;
pub(super) use normalize::is_gap;

use super::InstanceError;
use super::sets::Sets;
use crate::{Codes, Column, Labels, MissingCells, Numeric, ObjectId, Reading, Respelled, Tolerance};
use cells::{Cells, PartAnswers};
use intervals::Intervals;
use measured::Measured;
use normalize::Changes;
use several::Parts;

/// Text of a cell that stands for any answer, in tables with such marks.
const ANY: &str = "*";

/// Test made from a column.
pub(super) struct Question {
    pub(super) name: String,
    pub(super) answers: Labels,
    pub(super) codes: Codes,
    /// Sets of possible answers; `None` if every object has one answer.
    pub(super) sets: Option<Sets>,
    /// Cuts that the answers stand for, if the column is measured.
    pub(super) measure: Option<Measure>,
}

/// Facts about the table that the tests of a column depend on.
pub(super) struct Context<'a> {
    pub(super) reading: &'a Reading,
    /// Meaning of a gap, decided for the whole table.
    pub(super) missing: MissingCells,
    /// Group of each object, if groups are identified.
    pub(super) groups: Option<&'a Codes>,
    /// Whether `*` stands for any answer, and ranges may be written `3-5`.
    pub(super) marks: bool,
}

/// Normalises the texts of a column of answers.
pub(super) fn normalize(column: Column, reading: &Reading) -> (Column, Vec<String>, Vec<Respelled>) {
    let (column, Changes { gap_words, respelled }) = normalize::normalize(column, reading);
    (column, gap_words, respelled)
}

/// Names of the columns whose cells list answers between `|`, unless the reading says what lists are.
pub(super) fn columns_of_lists<'a>(
    columns: impl Iterator<Item = &'a Column>,
    reading: &Reading,
) -> Vec<String> {
    if reading.verbatim || reading.several.is_some() || reading.confirm {
        return Vec::new();
    }
    columns.filter(|column| several::has_lists(column)).map(|column| column.name.clone()).collect()
}

/// Number of different values of a column that would be measured, were it not taken value by value.
pub(super) fn measured_values(column: &Column) -> Option<usize> {
    let gap = column.missing.map(|missing| missing.code);
    Measured::of(&column.labels, gap, Numeric::Thresholds, Intervals::Dots)
        .map(|measured| measured.different())
}

impl Column {
    /// Returns at most how many tests the column becomes under `numeric`.
    pub fn most_tests(&self, numeric: Numeric) -> usize {
        let gap = self.missing.map(|missing| missing.code);
        match (numeric, Measured::of(&self.labels, gap, numeric, Intervals::Dots)) {
            (Numeric::Auto | Numeric::Thresholds, Some(measured)) => measured.most_cuts(self.codes.len()),
            _ => 1,
        }
    }
}

/// Makes the tests that `column` stands for; `place` returns the row and the name of an object, for messages.
pub(super) fn questions(
    column: Column,
    context: &Context<'_>,
    place: impl Fn(ObjectId) -> (usize, String),
) -> Result<Vec<Question>, InstanceError> {
    let Context { reading, missing, groups, marks } = context;
    let intervals = Intervals::of(reading, *marks);
    let gap = column.missing.map(|missing| missing.code);
    let group_of = groups.map(|groups| move |row: usize| groups.get(row));
    let group_of: Option<&dyn Fn(usize) -> u32> =
        group_of.as_ref().map(|group_of| group_of as &dyn Fn(usize) -> u32);
    let tolerance = tolerance_of(&column.name, reading);
    let any = column.labels.find(ANY).filter(|_| *marks);
    let has_open = any.is_some() || (*missing == MissingCells::Any && gap.is_some());
    if reading.several.is_none() && !has_open {
        let Some(measured) = Measured::of(&column.labels, gap, reading.numeric, intervals) else {
            let Column { name, labels: answers, codes, .. } = column;
            return Ok(vec![Question { name, answers, codes, sets: None, measure: None }]);
        };
        let cells = Cells { codes: &column.codes, parts_of: None };
        return Ok(measured.questions(
            &column.name,
            &column.labels,
            &cells,
            reading.numeric,
            group_of,
            tolerance,
        ));
    }
    let Parts { labels, of_label } = Parts::of(&column, reading, (*missing, any), place)?;
    if labels.is_empty() {
        // No object has a known answer: a test with one answer, useless but harmless.
        let codes = (0..column.codes.len()).map(|_| 0).collect();
        let answers = ["?"].into_iter().collect();
        return Ok(vec![Question { name: column.name, answers, codes, sets: None, measure: None }]);
    }
    let cells = Cells { codes: &column.codes, parts_of: Some(&of_label) };
    let gap = labels.find("?").map(|gap| gap as u32);
    if let Some(measured) = Measured::of(&labels, gap, reading.numeric, intervals) {
        return Ok(measured.questions(&column.name, &labels, &cells, reading.numeric, group_of, tolerance));
    }
    let mut of_parts = PartAnswers::default();
    (0..labels.len() as u32).for_each(|part| of_parts.push([part]));
    let (codes, sets) = cells.spread(&of_parts, labels.len());
    Ok(vec![Question { name: column.name, answers: labels, codes, sets, measure: None }])
}

/// Tolerance of the column called `name`: its own, or the one for all columns.
fn tolerance_of(name: &str, reading: &Reading) -> Option<Tolerance> {
    let of = |wanted: Option<&str>| {
        reading.tolerance.iter().rev().find(|(column, _)| column.as_deref() == wanted).map(|(_, own)| *own)
    };
    of(Some(name)).or_else(|| of(None))
}
