//! Table as it was read: texts by row and column, before they get a meaning.

use crate::packed_codes::CodesBuilder;
use crate::{Codes, Interner, Labels, ObjectId, RowRuns};

/// One row per object and one column per test, prior or group, as it stood in the file.
///
/// Cells are numbers into each column's own list of texts, so each text is stored once per column.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Names of the objects, one per row, all different.
    pub objects: Labels,
    /// Header of the column that holds the names.
    pub object_column: String,
    /// All other columns.
    pub columns: Vec<Column>,
    /// Rows about the tests (`@cost`, `@question`, `@if`, `@needs`).
    pub about: Vec<About>,
    /// Rows of the file, counted from 1 for the header, that hold no object.
    pub other_rows: RowRuns,
    /// Whether cells are written with the marks of identification keys, in every column: `-` where a test does not
    /// apply, `*` where any answer may be given, and ranges such as `3-5`. Without this, `-` and `*` have that meaning
    /// only where a premise shows that it is meant.
    pub marked: bool,
}

/// Column of the table: its name, the texts that occur in it, and the text of each object.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The header.
    pub name: String,
    /// Position in the file, counted from 1.
    pub position: usize,
    /// Texts that occur, trimmed, in order of first appearance.
    pub labels: Labels,
    /// Number of each object's text.
    pub codes: Codes,
    /// Cells that are empty or `?`, if any.
    pub missing: Option<Missing>,
}

/// Cells without a value; all of them share one label, `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Number of the label.
    pub code: u32,
    /// Number of missing cells.
    pub count: usize,
    /// Object of the first missing cell.
    pub first: ObjectId,
}

/// Row that begins with `@` and holds one text about each test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Name of the row without the `@`: `cost` or `question`.
    pub what: String,
    /// Row of the file, counted from 1 for the header.
    pub row: usize,
    /// One text for each of [`Table::columns`], trimmed; may be empty.
    pub cells: Vec<String>,
}

impl Table {
    /// Row of the file that holds `object`, counted from 1 for the header.
    pub fn row_of(&self, object: ObjectId) -> usize {
        self.other_rows.skip(object.index() + 2)
    }

    /// Returns the column called `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Makes a table from rows of text, for tests and examples: the first row is the header, the first column the
    /// names. Names and headers are not checked here; the reader in `formats` does that.
    ///
    /// ```
    /// let table = fewest_model::Table::from_rows(&[&["object", "legs"], &["bear", "4"], &["hen", "2"]]);
    /// assert_eq!(table.columns[0].labels.iter().collect::<Vec<_>>(), ["4", "2"]);
    /// ```
    pub fn from_rows(rows: &[&[&str]]) -> Self {
        let (header, body) = rows.split_first().expect("a table has a header");
        let columns = (1..header.len()).map(|at| {
            let mut builder = ColumnBuilder::new(header[at], at + 1);
            for row in body {
                builder.push(row[at]);
            }
            builder.finish()
        });
        Self {
            objects: body.iter().map(|row| row[0]).collect(),
            object_column: header[0].to_owned(),
            columns: columns.collect(),
            ..Self::default()
        }
    }
}

/// A [`Column`] under construction, cell by cell.
#[derive(Debug, Default)]
pub struct ColumnBuilder {
    name: String,
    position: usize,
    interner: Interner,
    codes: CodesBuilder,
}

impl ColumnBuilder {
    /// Starts an empty column called `name` at `position` of the file, counted from 1.
    pub fn new(name: &str, position: usize) -> Self {
        Self { name: name.to_owned(), position, ..Self::default() }
    }

    /// Adds the next object's cell and returns the number of its text. An empty cell or `?` is missing.
    pub fn push(&mut self, cell: &str) -> u32 {
        let cell = cell.trim();
        let code = self.interner.intern(if cell.is_empty() { "?" } else { cell });
        self.codes.push(code);
        code
    }

    /// Adds a cell by the number of its text, which [`push`](Self::push) returned before.
    #[inline]
    pub fn push_code(&mut self, code: u32) {
        self.codes.push(code);
    }

    /// Adds `count` cells, at most 64, with text 0 or 1: the lowest bit of `bits` first; the bits above `count` must
    /// be 0.
    #[inline]
    pub fn push_bits(&mut self, bits: u64, count: u32) {
        self.codes.push_bits(bits, count);
    }

    /// Adds all cells of `later`. If `later` has no texts of its own, its cells are 0 or 1 and number the texts of
    /// this column.
    pub fn append(&mut self, later: Self) {
        let codes = later.codes.finish();
        if later.interner.labels().is_empty() {
            return self.codes.append_bits(&codes);
        }
        let numbers: Vec<u32> =
            later.interner.labels().iter().map(|text| self.interner.intern(text)).collect();
        codes.iter().for_each(|code| self.codes.push(numbers[code as usize]));
    }

    /// Texts so far, by number.
    pub fn labels(&self) -> &Labels {
        self.interner.labels()
    }

    /// Returns the finished column.
    pub fn finish(self) -> Column {
        let Self { name, position, interner, codes } = self;
        let mut codes = codes.finish();
        codes.shrink_to_fit();
        let missing = interner.get("?").map(|code| {
            let mut places = codes.iter().enumerate().filter(|(_, other)| *other == code).map(|(at, _)| at);
            let first = ObjectId::at(places.next().unwrap_or(0));
            Missing { code, count: 1 + places.count(), first }
        });
        Column { name, position, labels: interner.finish(), codes, missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_trimmed_and_missing_ones_counted() {
        let table = Table::from_rows(&[&["o", "t"], &["a", " x "], &["b", ""], &["c", "x"], &["d", "?"]]);
        let column = table.column("t").unwrap();
        assert_eq!(column.labels.iter().collect::<Vec<_>>(), ["x", "?"]);
        assert_eq!(column.codes.iter().collect::<Vec<_>>(), [0, 1, 0, 1]);
        assert_eq!(column.missing, Some(Missing { code: 1, count: 2, first: ObjectId(1) }));
    }

    #[test]
    fn a_later_part_of_a_column_gets_the_numbers_of_the_column() {
        let mut column = ColumnBuilder::new("t", 2);
        ["x", "y"].iter().for_each(|cell| _ = column.push(cell));
        let (mut later, mut bits) = (ColumnBuilder::default(), ColumnBuilder::default());
        ["z", "y", "", "x", "z"].iter().for_each(|cell| _ = later.push(cell));
        column.append(later);
        bits.push_bits(0b01, 2);
        column.append(bits);
        let column = column.finish();
        assert_eq!(column.labels.iter().collect::<Vec<_>>(), ["x", "y", "z", "?"]);
        assert_eq!(column.codes.iter().collect::<Vec<_>>(), [0, 1, 2, 1, 3, 0, 2, 1, 0]);
    }

    #[test]
    fn rows_are_counted_as_a_spreadsheet_does() {
        let mut other_rows = RowRuns::default();
        [2..3, 5..6].into_iter().for_each(|rows| other_rows.extend(rows));
        let table = Table { other_rows, ..Table::default() };
        let rows: Vec<usize> = (0..4).map(|object| table.row_of(ObjectId(object))).collect();
        assert_eq!(rows, [3, 4, 6, 7]);
    }
}
