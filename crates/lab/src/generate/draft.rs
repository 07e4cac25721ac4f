//! A table under construction, with its names and columns in order.

use fewest_model::{About, Column, ColumnBuilder, Labels, Table};

/// Position of a column that is in no table yet.
pub(super) const UNPLACED: usize = 0;

/// Names `o1`, `o2`, …, with `prefix` instead of `o`.
pub(super) fn numbered(prefix: &str, count: u32) -> Labels {
    let mut names = Labels::default();
    (1..=count).for_each(|number| {
        names.push(&format!("{prefix}{number}"));
    });
    names.shrink_to_fit();
    names
}

/// Column whose cells are given as small numbers, each with its text.
pub(super) struct Cells<'a> {
    builder: ColumnBuilder,
    texts: &'a [String],
    codes: Vec<Option<u32>>,
}

impl<'a> Cells<'a> {
    /// Empty column called `name`; cell `n` reads `texts[n]`.
    pub(super) fn new(name: &str, texts: &'a [String]) -> Self {
        let codes = vec![None; texts.len()];
        Self { builder: ColumnBuilder::new(name, UNPLACED), texts, codes }
    }

    /// Adds the next object's cell. Codes are numbered by first appearance, so a text gets its code when it first
    /// comes.
    #[inline]
    pub(super) fn push(&mut self, number: u32) {
        match self.codes[number as usize] {
            Some(code) => self.builder.push_code(code),
            None => self.codes[number as usize] = Some(self.builder.push(&self.texts[number as usize])),
        }
    }

    /// Adds all cells and returns the column.
    pub(super) fn fill(mut self, numbers: impl Iterator<Item = u32>) -> Column {
        numbers.for_each(|number| self.push(number));
        self.finish()
    }

    /// Returns the column; the table will set its position.
    pub(super) fn finish(self) -> Column {
        self.builder.finish()
    }
}

/// Texts `0`, `1`, … of a test with `count` answers.
pub(super) fn digits(count: u32) -> Vec<String> {
    (0..count).map(|answer| answer.to_string()).collect()
}

/// Test that each object answers by `yes` or `no`.
pub(super) fn yes_no(name: &str, objects: u32, is_yes: impl Fn(u32) -> bool) -> Column {
    let texts = ["no", "yes"].map(str::to_owned);
    Cells::new(name, &texts).fill((0..objects).map(|object| u32::from(is_yes(object))))
}

/// Shortest text of `number` that reads back equal.
pub(super) fn number_text(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Table of these columns; groups and priors come before the tests, where people look first.
pub(super) fn table(
    objects: Labels,
    group: Option<Column>,
    prior: Option<Column>,
    tests: Vec<Column>,
) -> Table {
    let mut columns: Vec<Column> = group.into_iter().chain(prior).chain(tests).collect();
    // The names are column 1.
    columns.iter_mut().zip(2..).for_each(|(column, position)| column.position = position);
    Table { objects, object_column: "object".to_owned(), columns, ..Table::default() }
}

/// Adds a row `@cost` below the header, with `costs` for the last columns.
pub(super) fn add_costs(table: &mut Table, costs: &[f64]) {
    const ROW: usize = 2;
    let silent = table.columns.len() - costs.len();
    let cells = std::iter::repeat_n(String::new(), silent).chain(costs.iter().map(|cost| number_text(*cost)));
    table.about.push(About { what: "cost".to_owned(), row: ROW, cells: cells.collect() });
    table.other_rows.push(ROW);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbered_by_first_appearance() {
        let column = Cells::new("t", &digits(3)).fill([2, 0, 2, 0].into_iter());
        assert_eq!(column.labels.iter().collect::<Vec<_>>(), ["2", "0"]);
        assert_eq!(column.codes.iter().collect::<Vec<_>>(), [0, 1, 0, 1]);
    }

    #[test]
    fn columns_know_their_places() {
        let column = |name| Cells::new(name, &digits(2)).fill([0, 1].into_iter());
        let table = table(numbered("o", 2), Some(column("group")), None, vec![column("q1"), column("q2")]);
        assert_eq!(table.columns.iter().map(|column| column.position).collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["o1", "o2"]);
    }
}
