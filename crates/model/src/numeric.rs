//! Questions from columns of measured numbers: thresholds and ranges.

use crate::{Codes, Column, Interner, Numeric, Table};

/// From this many different values on, a column of numbers is one of measurements; a 0/1 column is not.
const FEWEST_VALUES: usize = 3;

/// The tests that `column` stands for under `numeric`: itself, unless it holds measured numbers.
pub fn make_questions(column: Column, numeric: Numeric) -> Vec<Column> {
    let questions = match numeric {
        Numeric::Exact => None,
        Numeric::Thresholds => Measured::of(&column).map(|measured| measured.thresholds().collect()),
        Numeric::Bins(bins) => Measured::of(&column).map(|measured| vec![measured.bins(bins)]),
    };
    questions.unwrap_or_else(|| vec![column])
}

/// A column all of whose labels but the missing one are numbers.
pub(crate) struct Measured<'a> {
    column: &'a Column,
    /// The number of each label; `None` for the missing one.
    values: Vec<Option<f64>>,
    /// The different numbers, rising.
    sorted: Vec<f64>,
}

impl<'a> Measured<'a> {
    /// The numbers of `column`, if it is one of measurements.
    pub(crate) fn of(column: &'a Column) -> Option<Self> {
        let missing = column.missing.map(|missing| missing.code as usize);
        let mut values = Vec::with_capacity(column.labels.len());
        for (code, label) in column.labels.iter().enumerate() {
            let value = if Some(code) == missing { None } else { Some(parse(label)?) };
            values.push(value);
        }
        let mut sorted: Vec<f64> = values.iter().copied().flatten().collect();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        (sorted.len() >= FEWEST_VALUES).then_some(Self { column, values, sorted })
    }

    /// How many different numbers there are.
    pub(crate) fn different(&self) -> usize {
        self.sorted.len()
    }

    /// One test `column > x` for each cut halfway between neighbouring values.
    fn thresholds(&self) -> impl Iterator<Item = Column> {
        self.sorted.windows(2).map(|pair| {
            let cut = midpoint(pair[0], pair[1]);
            self.relabel(
                format!("{} > {cut}", self.column.name),
                |value| if value > cut { "yes" } else { "no" },
            )
        })
    }

    /// One test with at most `bins` ranges, cut where the objects fall into parts of about equal size.
    fn bins(&self, bins: u32) -> Column {
        let mut objects: Vec<f64> =
            self.column.codes.iter().filter_map(|code| self.values[code as usize]).collect();
        objects.sort_by(f64::total_cmp);
        let mut cuts: Vec<f64> = Vec::new();
        for part in 1..bins as usize {
            let at = objects.len() * part / bins as usize;
            // A cut between equal values would separate nothing: move it below the run of equals.
            let upper = objects[at];
            let lower = self.sorted.partition_point(|value| *value < upper);
            if lower > 0 {
                cuts.push(midpoint(self.sorted[lower - 1], upper));
            }
        }
        cuts.dedup();
        let names: Vec<String> = (0..=cuts.len()).map(|bin| range_name(&cuts, bin)).collect();
        self.relabel(self.column.name.clone(), |value| &names[cuts.partition_point(|cut| *cut < value)])
    }

    /// The column with each number replaced by the text that `answer` gives for it.
    fn relabel<'t>(&self, name: String, answer: impl Fn(f64) -> &'t str) -> Column {
        let texts: Vec<&str> = self.values.iter().map(|value| value.map_or("?", &answer)).collect();
        let mut interner = Interner::default();
        let codes: Codes =
            self.column.codes.iter().map(|code| interner.intern(texts[code as usize])).collect();
        let missing = self
            .column
            .missing
            .and_then(|missing| Some(crate::Missing { code: interner.get("?")?, ..missing }));
        Column { name, position: self.column.position, labels: interner.finish(), codes, missing }
    }
}

/// A finite number, or nothing: `nan` and `inf` are words here.
fn parse(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A number not below `low` and below `high`, halfway where the digits allow it and with as few digits as say it: the
/// cut of `x > cut` between two neighbouring values.
pub fn midpoint(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    // Neighbouring floats have none between them: `x > low` is the cut then.
    if middle > low && middle < high { shorten(middle, low, high) } else { low }
}

/// The decimal with the fewest digits that rounds from `middle` and still lies between the two: people read it.
fn shorten(middle: f64, low: f64, high: f64) -> f64 {
    let exact = |digits: usize| format!("{middle:.digits$e}").parse::<f64>().unwrap_or(middle);
    let close = |value: &f64| (value - middle).abs() <= (high - low) * 1e-9 && *value > low && *value < high;
    (0..17).map(exact).find(close).unwrap_or(middle)
}

/// How range number `bin` between `cuts` is written.
fn range_name(cuts: &[f64], bin: usize) -> String {
    match (bin.checked_sub(1).map(|below| cuts[below]), cuts.get(bin)) {
        (None, None) => "any".to_owned(),
        (None, Some(high)) => format!("≤ {high}"),
        (Some(low), None) => format!("> {low}"),
        (Some(low), Some(high)) => format!("{low} to {high}"),
    }
}

impl Table {
    /// The columns among `columns` that hold more than `limit` different numbers, with how many.
    pub(crate) fn crowded<'a>(
        columns: impl Iterator<Item = &'a Column>,
        limit: usize,
    ) -> Vec<(String, usize)> {
        let crowded = columns.filter(|column| column.labels.len() > limit).filter_map(|column| {
            let different = Measured::of(column)?.different();
            (different > limit).then(|| (column.name.clone(), different))
        });
        crowded.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> Column {
        let rows: Vec<[&str; 2]> = cells.iter().map(|cell| ["x", *cell]).collect();
        let mut table: Vec<&[&str]> = vec![&["object", "h"]];
        table.extend(rows.iter().map(|row| &row[..]));
        Table::from_rows(&table).columns.remove(0)
    }

    fn answers(column: &Column) -> Vec<&str> {
        column.codes.iter().map(|code| column.labels.get(code as usize)).collect()
    }

    #[test]
    fn each_gap_between_values_is_a_threshold() {
        let questions = make_questions(column(&["3", "1", "2.5", "1.0"]), Numeric::Thresholds);
        let names: Vec<&str> = questions.iter().map(|question| question.name.as_str()).collect();
        assert_eq!(names, ["h > 1.75", "h > 2.75"]);
        assert_eq!(answers(&questions[0]), ["yes", "no", "yes", "no"]);
    }

    #[test]
    fn yes_no_columns_and_texts_stay_as_they_are() {
        for cells in [&["0", "1", "0"][..], &["1", "2", "red"], &["nan", "1", "2"]] {
            assert_eq!(make_questions(column(cells), Numeric::Thresholds).len(), 1);
            assert_eq!(make_questions(column(cells), Numeric::Bins(2))[0].name, "h");
        }
    }

    #[test]
    fn bins_hold_about_as_many_objects_each() {
        let questions = make_questions(column(&["1", "2", "3", "4", "5", "6", "?"]), Numeric::Bins(3));
        assert_eq!(
            answers(&questions[0]),
            ["≤ 2.5", "≤ 2.5", "2.5 to 4.5", "2.5 to 4.5", "> 4.5", "> 4.5", "?"]
        );
    }

    #[test]
    fn cuts_are_written_with_as_few_digits_as_say_it() {
        assert_eq!(midpoint(0.1, 0.2), 0.15);
        assert_eq!(midpoint(2790.0, 2791.0), 2790.5);
        assert_eq!(midpoint(1.0, 1.0 + f64::EPSILON), 1.0);
        assert!(midpoint(f64::MAX / 2.0, f64::MAX).is_finite());
    }
}
