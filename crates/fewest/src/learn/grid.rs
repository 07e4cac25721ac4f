//! Columns prepared for counting: words as small numbers, and numbers in ranges if there are many rows.

use super::{Bins, Examples, MISSING, Values};

/// Number of rows above which numbers are counted in ranges and words asked for in sets, unless the user says
/// otherwise.
pub(super) const MANY_ROWS: usize = 50_000;
/// Most ranges of a column, so that with the missing cells they fit a byte.
const MOST_RANGES: usize = 255;

/// Search method of one column.
pub(super) enum Prepared {
    /// Numbers, sorted at every node.
    Sorted,
    /// Numbers in ranges: the range of each row ([`Ranges::missing`] if the cell is missing).
    Ranges(Ranges),
    /// Words: the number of each row's word, `arity` if the cell is missing.
    Words { codes: Vec<u16>, arity: usize },
}

/// Numbers in ranges.
pub(super) struct Ranges {
    pub(super) codes: Vec<u8>,
    /// Least and greatest number of each range.
    pub(super) ends: Vec<(f64, f64)>,
}

impl Prepared {
    /// Lines of the table that is counted for this column, the last for missing cells; 0 if none is counted.
    pub(super) fn lines(&self) -> usize {
        match self {
            Self::Sorted => 0,
            Self::Ranges(ranges) => ranges.ends.len() + 1,
            Self::Words { arity, .. } => arity + 1,
        }
    }
}

/// Prepares all columns of `examples`.
pub(super) fn prepare(examples: &Examples, bins: Bins) -> Vec<Prepared> {
    let ranges = match bins {
        Bins::Auto if examples.len() > MANY_ROWS => Some(MOST_RANGES),
        Bins::Auto | Bins::Exact => None,
        Bins::Ranges(count) => Some(usize::from(count).clamp(2, MOST_RANGES)),
    };
    let prepare = |values: &Values| match (values, ranges) {
        (Values::Numbers(_), None) => Prepared::Sorted,
        (Values::Numbers(values), Some(count)) => Prepared::Ranges(Ranges::of(values, count)),
        (Values::Words { labels, codes }, _) => {
            let arity = labels.len();
            let code = |code: &u32| if *code == MISSING { arity as u16 } else { *code as u16 };
            Prepared::Words { codes: codes.iter().map(code).collect(), arity }
        }
    };
    examples.fields().iter().map(|field| prepare(&field.values)).collect()
}

impl Ranges {
    /// Makes at most `count` ranges with about the same number of values; equal values share a range.
    fn of(values: &[f64], count: usize) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut ends: Vec<(f64, f64)> = Vec::with_capacity(count);
        let mut start = 0;
        while start < sorted.len() {
            let left = count - ends.len();
            let fair = start + (sorted.len() - start).div_ceil(left).max(1);
            // The range takes all numbers that are equal to its last.
            let last = sorted[fair.min(sorted.len()) - 1];
            let end = start + sorted[start..].partition_point(|value| *value <= last);
            ends.push((sorted[start], sorted[end - 1]));
            start = end;
        }
        let missing = ends.len() as u8;
        let tops: Vec<f64> = ends.iter().map(|(_, high)| *high).collect();
        let code = |value: &f64| match value.is_nan() {
            true => missing,
            false => tops.partition_point(|top| top < value) as u8,
        };
        Self { codes: values.iter().map(code).collect(), ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_lies_between_the_ends_of_its_range(
            cells in prop::collection::vec(prop_oneof![Just(f64::NAN), (-20..20i32).prop_map(f64::from)], 1..80),
            count in 2..9usize,
        ) {
            let ranges = Ranges::of(&cells, count);
            prop_assert!(ranges.ends.len() <= count);
            prop_assert!(ranges.ends.windows(2).all(|pair| pair[0].1 < pair[1].0));
            for (value, code) in cells.iter().zip(&ranges.codes) {
                match ranges.ends.get(usize::from(*code)) {
                    Some((low, high)) => prop_assert!(low <= value && value <= high),
                    None => prop_assert!(value.is_nan() && usize::from(*code) == ranges.ends.len()),
                }
            }
        }
    }

    #[test]
    fn ranges_hold_about_as_many_each() {
        let ranges = Ranges::of(&(0..1000).map(f64::from).collect::<Vec<_>>(), 10);
        assert_eq!(ranges.ends.len(), 10);
        assert_eq!(ranges.ends[3], (300.0, 399.0));
    }
}
