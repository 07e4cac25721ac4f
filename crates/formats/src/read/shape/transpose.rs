//! Tables with one row per test.

use super::super::assemble::{Assembler, Kind};
use super::super::cells::{BadCell, bad_cell};
use super::super::{Problem, ReadOptions};
use fewest_model::{ObjectId, Table};

/// Most cells of a table that is looked at.
const MOST_CELLS: usize = 1_000_000;

/// Exchanges rows and columns: each column of `table` becomes an object, and each row a column.
pub(super) fn transposed(table: &Table, options: &ReadOptions) -> Result<Table, Problem> {
    let header = std::iter::once(table.object_column.as_str()).chain(table.objects.iter());
    let mut new = Assembler::new(header.map(str::to_owned).collect(), 1, options)?;
    let object_at = new.object_at();
    for (column, row) in table.columns.iter().zip(2..) {
        let texts = column.codes.iter().map(|code| column.labels.get(code as usize));
        let cells: Vec<&str> = std::iter::once(column.name.as_str()).chain(texts).collect();
        let others = || cells.iter().enumerate().filter(|(at, _)| *at != object_at);
        match new.begin(row, cells[object_at])? {
            Kind::Object => {
                let mut places = new.columns.iter_mut().zip(others());
                let bad = |bad: BadCell, at: usize| bad_cell(bad, row, at);
                places.try_for_each(|(mut place, (at, text))| {
                    place.push(text.as_bytes()).map(|_| ()).map_err(|error| bad(error, at))
                })?;
            }
            Kind::About(about) => {
                // An empty cell has become a gap by now.
                others().enumerate().for_each(|(column, (_, text))| {
                    new.say(about, column, if *text == "?" { "" } else { text });
                });
            }
        }
    }
    new.finish()
}

/// Whether rows hold texts of one kind, and columns mix words and numbers, as if each row were a test.
pub(super) fn looks_transposed(table: &Table) -> bool {
    let (columns, rows) = (table.columns.len(), table.objects.len());
    if columns < 3 || rows < 3 || columns.saturating_mul(rows) > MOST_CELLS {
        return false;
    }
    let kinds: Vec<Vec<Option<bool>>> = table
        .columns
        .iter()
        .map(|column| {
            let is_gap = |code: usize| column.missing.is_some_and(|missing| missing.code as usize == code);
            let texts = column.labels.iter().enumerate();
            texts.map(|(code, text)| (!is_gap(code)).then(|| text.parse::<f64>().is_ok())).collect()
        })
        .collect();
    let mixed_columns = kinds.iter().filter(|kinds| is_mixed(kinds.iter().copied().flatten())).count();
    if 3 * mixed_columns < 2 * columns {
        return false;
    }
    let kind =
        |row: usize, at: usize| kinds[at][table.columns[at].codes.get(ObjectId::at(row).index()) as usize];
    let mixed_rows = (0..rows).filter(|&row| is_mixed((0..columns).filter_map(|at| kind(row, at)))).count();
    10 * mixed_rows <= rows
}

/// Whether two of the values differ.
fn is_mixed(mut values: impl Iterator<Item = bool>) -> bool {
    let first = values.next();
    first.is_some_and(|first| values.any(|value| value != first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_model::Table;

    fn table() -> Table {
        Table::from_rows(&[
            &["plant", "rose", "ivy", "fern"],
            &["colour", "red", "green", "green"],
            &["petals", "5", "4", "0"],
            &["leaf", "oval", "lobed", "divided"],
        ])
    }

    #[test]
    fn rows_become_columns() {
        let turned = transposed(&table(), &ReadOptions::default()).unwrap();
        assert!(turned.objects.iter().eq(["rose", "ivy", "fern"]));
        let names: Vec<&str> = turned.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["colour", "petals", "leaf"]);
        assert!(turned.columns[1].labels.iter().eq(["5", "4", "0"]));
    }

    #[test]
    fn a_column_about_the_tests_becomes_a_row_about_them() {
        let table =
            Table::from_rows(&[&["plant", "rose", "@cost"], &["colour", "red", "1"], &["leaf", "oval", "2"]]);
        let turned = transposed(&table, &ReadOptions::default()).unwrap();
        assert_eq!((turned.objects.len(), turned.about[0].what.as_str()), (1, "cost"));
        assert_eq!(turned.about[0].cells, ["1", "2"]);
    }

    #[test]
    fn rows_of_one_kind_look_transposed() {
        let table = table();
        assert!(looks_transposed(&table));
        assert!(!looks_transposed(&transposed(&table, &ReadOptions::default()).unwrap()));
    }

    #[test]
    fn a_name_that_comes_twice_is_refused() {
        let table = Table::from_rows(&[&["t", "a", "b"], &["x", "1", "2"], &["x", "3", "4"]]);
        let refused = transposed(&table, &ReadOptions::default()).unwrap_err().to_string();
        assert_eq!(refused, "columns 2 and 3 are both called `x`; rename one of them");
    }
}
