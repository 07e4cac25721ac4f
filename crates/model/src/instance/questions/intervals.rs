//! Intervals such as `3..5` and `3-5` in columns of measured numbers: the object has any number of the interval.

use crate::number::{Spelling, parse};
use crate::{Numeric, Reading};
use std::collections::BTreeMap;

/// Forms in which a column may write intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intervals {
    /// None: every text is taken as it stands.
    None,
    /// `3..5` only: `3-5` may be a name, such as that of an age group.
    Dots,
    /// `3..5` and `3-5`.
    DotsAndDashes,
}

impl Intervals {
    /// Forms under `reading`; `marks` says whether the table uses the marks of identification keys.
    pub(super) fn of(reading: &Reading, marks: bool) -> Self {
        match reading.numeric {
            _ if reading.verbatim => Self::None,
            Numeric::Exact => Self::None,
            Numeric::Auto if !marks => Self::Dots,
            _ => Self::DotsAndDashes,
        }
    }

    /// The two ends of an interval, as texts.
    fn ends(self, text: &str) -> Option<(&str, &str)> {
        if self == Self::None {
            return None;
        }
        let (low, high) = match (text.split_once(".."), self) {
            (Some(ends), _) => ends,
            (None, Self::DotsAndDashes) => {
                let ends = |(at, dash): (usize, &str)| (&text[..at], &text[at + dash.len()..]);
                let is_interval = |(low, high): &(&str, &str)| begins_a_number(low) && begins_a_number(high);
                text.match_indices(['-', '–']).map(ends).find(is_interval)?
            }
            (None, _) => return None,
        };
        Some((low.trim(), high.trim()))
    }

    /// The text itself, or the upper end of an interval: the end that has the unit.
    pub(super) fn last(self, text: &str) -> &str {
        self.ends(text).map_or(text, |(_, high)| high)
    }

    /// Ends of the interval that `text` writes in this spelling.
    pub(super) fn parse(self, text: &str, spelling: Spelling<'_>) -> Option<(f64, f64)> {
        let (low, high) = self.ends(text)?;
        let low = spelling.parse(low).or_else(|| parse(low))? + 0.0;
        let high = spelling.parse(high)? + 0.0;
        (low <= high).then_some((low, high))
    }
}

fn begins_a_number(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
}

/// Pairs of neighbouring values, among `sorted` ones, that a useful cut lies between: not all the objects at the two
/// values are of one group. `known` holds the interval and the group of each object.
pub(super) fn useful(sorted: &[f64], mut known: Vec<((f64, f64), u32)>) -> Vec<(f64, f64)> {
    known.sort_by(|left, right| left.0.0.total_cmp(&right.0.0));
    let mut ends: Vec<(f64, u32)> = known.iter().map(|((_, high), group)| (*high, *group)).collect();
    ends.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (mut starts, mut ends) = (known.into_iter().peekable(), ends.into_iter().peekable());
    // Number of objects of each group at the value.
    let mut here: BTreeMap<u32, usize> = BTreeMap::new();
    let mut of_value: Vec<Option<u32>> = Vec::with_capacity(sorted.len());
    for value in sorted {
        while let Some((_, group)) = starts.next_if(|((low, _), _)| low <= value) {
            *here.entry(group).or_default() += 1;
        }
        let mut groups = here.keys();
        of_value.push(groups.next().copied().filter(|_| groups.next().is_none()));
        while let Some((_, group)) = ends.next_if(|(high, _)| high <= value) {
            if let Some(count) = here.get_mut(&group) {
                *count -= 1;
            }
            here.retain(|_, count| *count > 0);
        }
    }
    let pairs = sorted.windows(2).zip(of_value.windows(2));
    let differ = |groups: &[Option<u32>]| groups[0].is_none() || groups[0] != groups[1];
    pairs.filter(|(_, groups)| differ(groups)).map(|(values, _)| (values[0], values[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_told_from_numbers_and_names() {
        let of = |intervals: Intervals, text| intervals.parse(text, Spelling::Plain);
        for (text, ends) in [
            ("3..5", (3.0, 5.0)),
            ("-2 .. 1.5", (-2.0, 1.5)),
            ("0..0", (0.0, 0.0)),
            ("1e-3..1e3", (1e-3, 1e3)),
        ] {
            assert_eq!(of(Intervals::Dots, text), Some(ends), "{text}");
            assert_eq!(of(Intervals::DotsAndDashes, text), Some(ends), "{text}");
            assert_eq!(of(Intervals::None, text), None, "{text}");
        }
        for (text, ends) in
            [("3-5", (3.0, 5.0)), ("-4--2", (-4.0, -2.0)), ("1.5 – 2", (1.5, 2.0)), ("-1-1", (-1.0, 1.0))]
        {
            assert_eq!(of(Intervals::DotsAndDashes, text), Some(ends), "{text}");
            assert_eq!(of(Intervals::Dots, text), None, "{text}");
        }
        for text in ["5..3", "..", "3..", "..5", "-", "5-3", "a-b", "2020-01-05", "1...2", "3-", "-3"] {
            assert_eq!(of(Intervals::DotsAndDashes, text), None, "{text}");
        }
        assert_eq!(Intervals::DotsAndDashes.parse("3-5 mm", Spelling::Unit("mm")), Some((3.0, 5.0)));
    }

    #[test]
    fn a_cut_is_useful_unless_one_group_holds_both_sides() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let known = vec![((1.0, 3.0), 0), ((2.0, 2.0), 0), ((4.0, 5.0), 1)];
        assert_eq!(useful(&values, known), [(3.0, 4.0)]);
        let known = vec![((1.0, 4.0), 0), ((3.0, 5.0), 1)];
        assert_eq!(useful(&values, known), [(2.0, 3.0), (3.0, 4.0), (4.0, 5.0)]);
    }
}
