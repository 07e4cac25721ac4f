//! Tests from columns of measured numbers: cuts and ranges.

use super::Question;
use super::cells::{Cells, PartAnswers};
use super::intervals::{self, Intervals};
use crate::number::{Spelling, shortest_between};
use crate::{AnswerId, Labels, Numeric, Tolerance};

/// Number of different values from which on a column of numbers may count as measured; a 0/1 column does not.
const FEWEST_VALUES: usize = 3;

/// Number of different whole numbers above which a column counts as measured by itself.
const MOST_WHOLE_VALUES: usize = 12;

/// Share of the texts of a measured column that must be numbers; the others become answers of their own.
const NUMBERS_SHARE: f64 = 0.9;

/// Bits of all tests that one column may become: a column of a million different numbers is cut at about a thousand.
const COLUMN_BITS: usize = 1 << 30;

/// Measured column that a test asks about: a value is answered by the range that it lies in.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Name of the column.
    pub column: String,
    /// Cuts between the ranges, in rising order; a value equal to a cut lies below it.
    pub cuts: Vec<f64>,
    /// Answer of each range, one more than there are cuts.
    pub answers: Vec<AnswerId>,
    /// Distance within which values are not told apart for certain.
    pub tolerance: Option<Tolerance>,
}

impl Measure {
    /// Returns the answers that a measured `value` may stand for, in order; one, unless a cut is within the tolerance.
    pub fn answers_to(&self, value: f64) -> Vec<AnswerId> {
        self.answers_between(value, value)
    }

    /// Returns the answers that some value from `low` to `high` may stand for, in order.
    pub fn answers_between(&self, low: f64, high: f64) -> Vec<AnswerId> {
        let mut answers: Vec<AnswerId> =
            ranges(&self.cuts, (low, high), self.tolerance).map(|range| self.answers[range]).collect();
        answers.sort_unstable();
        answers.dedup();
        answers
    }
}

/// Ranges between `cuts` that a value from `low` to `high` may lie in.
fn ranges(
    cuts: &[f64],
    (low, high): (f64, f64),
    tolerance: Option<Tolerance>,
) -> std::ops::RangeInclusive<usize> {
    let radius = |value: f64| tolerance.map_or(0.0, |tolerance| tolerance.radius(value));
    let range = |value: f64| cuts.partition_point(|cut| *cut < value);
    range(low - radius(low))..=range(high + radius(high))
}

/// Column of which all or nearly all texts are numbers.
pub(super) struct Measured {
    /// Least and greatest number of each part, equal unless it is an interval; `None` for gaps and words.
    values: Vec<Option<(f64, f64)>>,
    /// Different numbers, in rising order.
    sorted: Vec<f64>,
    is_whole: bool,
    has_intervals: bool,
}

impl Measured {
    /// Reads the numbers among `parts`; `None` if `numeric` does not take such a column for measured.
    pub(super) fn of(
        parts: &Labels,
        gap: Option<u32>,
        numeric: Numeric,
        intervals: Intervals,
    ) -> Option<Self> {
        if numeric == Numeric::Exact {
            return None;
        }
        let texts =
            || (0u32..).zip(parts.iter()).filter(|(part, _)| Some(*part) != gap).map(|(_, text)| text);
        let spelling = Spelling::of(|| texts().map(|text| intervals.last(text))).unwrap_or(Spelling::Plain);
        let value = |(part, text): (u32, &str)| match Some(part) == gap {
            true => None,
            false => spelling
                .parse(text)
                .map(|value| (value + 0.0, value + 0.0))
                .or_else(|| intervals.parse(text, spelling)),
        };
        let values: Vec<Option<(f64, f64)>> = (0u32..).zip(parts.iter()).map(value).collect();
        let known = || values.iter().copied().flatten();
        let words = texts().count() - known().count();
        let has_intervals = known().any(|(low, high)| low < high);
        let mut sorted: Vec<f64> = known().flat_map(|(low, high)| [low, high]).collect();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        let is_whole = sorted.iter().all(|value| value.fract() == 0.0);
        let has_many = sorted.len() > MOST_WHOLE_VALUES;
        let most_are_numbers =
            has_many && sorted.len() as f64 >= NUMBERS_SHARE * (sorted.len() + words) as f64;
        let is_measured = sorted.len() >= FEWEST_VALUES
            && (words == 0 || most_are_numbers)
            && (numeric != Numeric::Auto || !is_whole || has_many);
        let is_of_intervals = has_intervals && words == 0;
        (is_measured || is_of_intervals).then_some(Self { values, sorted, is_whole, has_intervals })
    }

    /// Different numbers.
    pub(super) fn different(&self) -> usize {
        self.sorted.len()
    }

    /// Greatest number of cuts in a table of this many rows.
    pub(super) fn most_cuts(&self, rows: usize) -> usize {
        (self.sorted.len() - 1).min(most_cuts(rows))
    }

    /// Makes the tests that the column stands for. `group_of` is the group of each object; `None` if each object is
    /// its own group.
    pub(super) fn questions(
        &self,
        column: &str,
        parts: &Labels,
        cells: &Cells<'_>,
        numeric: Numeric,
        group_of: Option<&dyn Fn(usize) -> u32>,
        tolerance: Option<Tolerance>,
    ) -> Vec<Question> {
        let asked = Asked { column, parts, cells, tolerance };
        match numeric {
            Numeric::Auto | Numeric::Thresholds => {
                let cuts = thin(self.useful_cuts(cells, group_of), cells.rows());
                cuts.into_iter().map(|cut| self.threshold(&asked, cut)).collect()
            }
            Numeric::Bins(bins) => vec![self.ranges(&asked, self.even_cuts(cells, bins))],
            Numeric::Measure | Numeric::Exact => {
                vec![self.ranges(&asked, self.useful_cuts(cells, group_of))]
            }
        }
    }

    /// Cuts between neighbouring values at which some object below and some above differ in group.
    fn useful_cuts(&self, cells: &Cells<'_>, group_of: Option<&dyn Fn(usize) -> u32>) -> Vec<f64> {
        let cut = |pair: &[f64]| shortest_between(pair[0], pair[1]);
        let Some(group_of) = group_of else { return self.sorted.windows(2).map(cut).collect() };
        if self.has_intervals {
            let mut known = Vec::new();
            cells.for_each_part(|row, part| {
                known.extend(self.values[part as usize].map(|ends| (ends, group_of(row))));
            });
            return intervals::useful(&self.sorted, known)
                .into_iter()
                .map(|(low, high)| cut(&[low, high]))
                .collect();
        }
        // Of each value: its only group, or `None` where there are several.
        let mut groups: Vec<Option<Option<u32>>> = vec![None; self.sorted.len()];
        cells.for_each_part(|row, part| {
            if let Some((value, _)) = self.values[part as usize] {
                let known = &mut groups[self.sorted.partition_point(|other| *other < value)];
                let group = group_of(row);
                *known = Some(match known {
                    None => Some(group),
                    Some(one) => one.filter(|one| *one == group),
                });
            }
        });
        let same = |below: Option<Option<u32>>, above: Option<Option<u32>>| matches!((below, above), (Some(Some(below)), Some(Some(above))) if below == above);
        let pairs = self.sorted.windows(2).zip(groups.windows(2));
        pairs.filter(|(_, groups)| !same(groups[0], groups[1])).map(|(pair, _)| cut(pair)).collect()
    }

    /// Cuts into at most `bins` ranges, each of about the same number of objects.
    fn even_cuts(&self, cells: &Cells<'_>, bins: u32) -> Vec<f64> {
        let mut objects: Vec<f64> = Vec::new();
        cells.for_each_part(|_, part| {
            if let Some((low, high)) = self.values[part as usize] {
                objects.push(low);
                objects.extend((low < high).then_some(high));
            }
        });
        objects.sort_by(f64::total_cmp);
        let mut cuts: Vec<f64> = Vec::new();
        for bin in 1..bins as usize {
            let at = objects.len() * bin / bins as usize;
            // A cut between equal values would separate nothing: move it below the run of equals.
            let upper = objects[at];
            let lower = self.sorted.partition_point(|value| *value < upper);
            if lower > 0 {
                cuts.push(shortest_between(self.sorted[lower - 1], upper));
            }
        }
        cuts.dedup();
        cuts
    }

    /// Makes the yes/no test `column > cut`.
    fn threshold(&self, asked: &Asked<'_>, cut: f64) -> Question {
        let name = format!("{} > {cut}", asked.column);
        self.question(asked, name, vec![cut], &["no".to_owned(), "yes".to_owned()])
    }

    /// Makes one test whose answers are the ranges between `cuts`.
    fn ranges(&self, asked: &Asked<'_>, cuts: Vec<f64>) -> Question {
        let names: Vec<String> =
            (0..=cuts.len()).map(|range| range_name(&cuts, range, self.is_whole)).collect();
        self.question(asked, asked.column.to_owned(), cuts, &names)
    }

    fn question(&self, asked: &Asked<'_>, name: String, cuts: Vec<f64>, names: &[String]) -> Question {
        let mut answers: Labels = names.iter().map(String::as_str).collect();
        let mut of_parts = PartAnswers::default();
        for (part, text) in asked.parts.iter().enumerate() {
            match self.values[part] {
                Some(value) => {
                    let ranges = ranges(&cuts, value, asked.tolerance);
                    of_parts.push(ranges.map(|range| range as u32));
                }
                // Gaps and words are answers of their own, also a word such as `yes`.
                None if answers.find(text).is_some() => {
                    of_parts.push([answers.push(&format!("{text} (text)")) as u32]);
                }
                None => of_parts.push([answers.push(text) as u32]),
            }
        }
        let measure = Measure {
            column: asked.column.to_owned(),
            answers: (0..=cuts.len()).map(AnswerId::at).collect(),
            cuts,
            tolerance: asked.tolerance,
        };
        let (codes, sets) = asked.cells.spread(&of_parts, answers.len());
        Question { name, answers, codes, sets, measure: Some(measure) }
    }
}

/// Column that tests are made from.
struct Asked<'a> {
    column: &'a str,
    parts: &'a Labels,
    cells: &'a Cells<'a>,
    tolerance: Option<Tolerance>,
}

/// Number of cuts of one column that memory allows for this many rows.
fn most_cuts(rows: usize) -> usize {
    (COLUMN_BITS / rows.max(1)).max(1)
}

/// Keeps as many cuts, evenly chosen, as the memory for a column allows.
fn thin(cuts: Vec<f64>, rows: usize) -> Vec<f64> {
    let most = most_cuts(rows);
    if cuts.len() <= most {
        return cuts;
    }
    (0..most).map(|at| cuts[at * cuts.len() / most]).collect()
}

/// Text for range number `range` between `cuts`; whole numbers stay whole.
fn range_name(cuts: &[f64], range: usize, is_whole: bool) -> String {
    let low =
        range.checked_sub(1).map(|below| if is_whole { cuts[below].floor() + 1.0 } else { cuts[below] });
    let high = cuts.get(range).map(|cut| if is_whole { cut.floor() } else { *cut });
    match (low, high) {
        (None, None) => "any".to_owned(),
        (None, Some(high)) => format!("≤ {high}"),
        (Some(low), None) if is_whole => format!("≥ {low}"),
        (Some(low), None) => format!("> {low}"),
        (Some(low), Some(high)) if low == high => format!("{low}"),
        (Some(low), Some(high)) if low < 0.0 => format!("{low} to {high}"),
        (Some(low), Some(high)) => format!("{low}–{high}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::{AnswerId, Instance, Numeric, ObjectId, Reading, Table, Tolerance};

    /// Instance of one column, whose objects are in `groups`; each its own group if there are none.
    fn read(cells: &[&str], groups: &[&str], reading: &Reading) -> Instance {
        let names: Vec<String> = (0..cells.len()).map(|at| format!("o{at}")).collect();
        let header: &[&str] = if groups.is_empty() { &["object", "h"] } else { &["object", "h", "group"] };
        let rows: Vec<Vec<&str>> = (0..cells.len())
            .map(|at| [names[at].as_str(), cells[at]].into_iter().chain(groups.get(at).copied()).collect())
            .collect();
        let table: Vec<&[&str]> = [header].into_iter().chain(rows.iter().map(|row| &row[..])).collect();
        Instance::new(Table::from_rows(&table), reading).unwrap().0
    }

    fn numeric(numeric: Numeric) -> Reading {
        Reading { numeric, ..Reading::default() }
    }

    fn names(instance: &Instance) -> Vec<&str> {
        instance.test_ids().map(|test| instance.test(test).name.as_str()).collect()
    }

    /// Possible answers of every object to the first test.
    fn answers(instance: &Instance) -> Vec<String> {
        let test = instance.test(crate::TestId(0));
        let text = |object: ObjectId| {
            let texts: Vec<&str> =
                test.possible(object).iter().map(|answer| test.answer_text(*answer)).collect();
            texts.join("+")
        };
        instance.objects().map(text).collect()
    }

    #[test]
    fn each_gap_between_values_is_a_threshold() {
        let instance = read(&["3", "1", "2.5", "1.0"], &["a", "b", "c", "b"], &numeric(Numeric::Thresholds));
        assert_eq!(names(&instance), ["h > 2", "h > 2.8"]);
        assert_eq!(answers(&instance), ["yes", "no", "yes", "no"]);
    }

    #[test]
    fn cuts_within_one_group_are_left_out() {
        let cells = ["1.5", "2", "3", "4", "5"];
        let instance = read(&cells, &["a", "a", "b", "b", "a"], &numeric(Numeric::Thresholds));
        assert_eq!(names(&instance), ["h > 2.5", "h > 4.5"]);
        let instance = read(&cells, &[], &numeric(Numeric::Thresholds));
        assert_eq!(instance.test_count(), 4);
        let instance = read(&cells, &["a", "a", "b", "b", "a"], &numeric(Numeric::Measure));
        assert_eq!(answers(&instance), ["≤ 2.5", "≤ 2.5", "2.5–4.5", "2.5–4.5", "> 4.5"]);
    }

    #[test]
    fn only_measured_columns_are_cut_by_themselves() {
        let auto = |cells: &[&str]| read(cells, &[], &Reading::default()).test_count();
        assert_eq!(auto(&["0", "2", "4", "5", "6", "8"]), 1, "few whole numbers are answers");
        assert_eq!(auto(&["0.5", "2", "4"]), 2, "numbers that are not whole are measured");
        let many: Vec<String> = (0..13).map(|at| (at * 3).to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(auto(&many), 12, "many whole numbers are measured");
        assert_eq!(auto(&["0.5", "red", "2.5", "3.5"]), 1, "a word among few numbers makes them words");
        assert_eq!(auto(&["001", "002", "003"]), 1, "codes are no numbers");
        assert_eq!(auto(&["1,5", "2,25", "3"]), 2, "decimal commas");
    }

    #[test]
    fn a_word_among_many_numbers_is_an_answer() {
        let cells: Vec<String> =
            (0..12).map(|at| format!("{at}.5")).chain(["12".into(), "trace".into()]).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let instance = read(&cells, &[], &Reading::default());
        assert_eq!(names(&instance)[0], "h > 1");
        let all = answers(&instance);
        assert_eq!((all[0].as_str(), all[1].as_str(), all[13].as_str()), ("no", "yes", "trace"));
    }

    #[test]
    fn bins_hold_about_as_many_objects_each() {
        let bins = Reading { missing: crate::MissingCells::Answer, ..numeric(Numeric::Bins(3)) };
        let instance =
            read(&["1", "2", "3", "4", "5", "6", "?"], &["a", "b", "c", "d", "e", "f", "g"], &bins);
        // The objects of one range stay together, under the names of all of them.
        assert_eq!(answers(&instance), ["≤ 2", "3–4", "≥ 5", "not recorded"]);
    }

    #[test]
    fn values_within_the_tolerance_of_a_cut_answer_both_ways() {
        let tolerance = vec![(None, Tolerance::Absolute(0.2))];
        let reading = Reading { tolerance, ..numeric(Numeric::Measure) };
        let instance = read(&["1.0", "1.3", "2.5"], &[], &reading);
        // The first two are joined: they can give the same answers.
        assert_eq!(answers(&instance), ["≤ 1.1+1.1–2", "> 2"]);
        let measure = instance.test(crate::TestId(0)).measure.as_ref().unwrap();
        assert_eq!(measure.cuts, [1.1, 2.0]);
        assert_eq!(measure.answers_to(0.5), [AnswerId(0)]);
        assert_eq!(measure.answers_to(1.25), [AnswerId(0), AnswerId(1)]);
        assert_eq!(measure.answers_to(7.0), [AnswerId(2)]);
    }

    #[test]
    fn a_typed_number_answers_with_its_range() {
        let instance = read(&["1", "2", "4", "8"], &[], &numeric(Numeric::Measure));
        let test = instance.test(crate::TestId(0));
        assert_eq!(test.answers.iter().collect::<Vec<_>>(), ["≤ 1", "2–3", "4–6", "≥ 7"]);
        let answer = |value: f64| test.measure.as_ref().unwrap().answers_to(value)[0];
        assert_eq!([0.0, 1.0, 2.0, 3.5, 6.0, 100.0].map(answer).map(|answer| answer.0), [0, 0, 1, 2, 2, 3]);
    }
}
