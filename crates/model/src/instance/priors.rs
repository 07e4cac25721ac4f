//! Objects without a prior of their own.

use super::questions::is_gap;
use crate::{Column, Reading, Warning};

/// Gives the gaps in a column of priors the median of the other priors; `values` holds the prior of each label.
///
/// A table of known frequencies often lacks some of them. The median says neither that such an object is frequent nor
/// that it is impossible.
pub(super) fn fill_gaps(column: &Column, reading: &Reading, values: &mut [Option<f64>]) -> Option<Warning> {
    let missing = column.missing.map(|missing| missing.code as usize);
    let is_gap = |code: usize| missing == Some(code) || is_gap(column.labels.get(code), reading);
    let mut known: Vec<(f64, usize)> = Vec::new();
    let mut count = 0;
    for code in column.codes.iter().map(|code| code as usize) {
        match values[code] {
            Some(value) => known.push((value, code)),
            None if is_gap(code) => count += 1,
            None => return None,
        }
    }
    if count == 0 || known.is_empty() {
        return None;
    }
    let middle = (known.len() - 1) / 2;
    let (_, (median, code), _) =
        known.select_nth_unstable_by(middle, |left, right| left.0.total_cmp(&right.0));
    let (median, code) = (*median, *code);
    (0..values.len()).filter(|&code| is_gap(code)).for_each(|code| values[code] = Some(median));
    let median = column.labels.get(code).to_owned();
    Some(Warning::PriorGaps { column: column.name.clone(), count, median })
}
