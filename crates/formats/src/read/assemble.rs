//! Rules of a table, whatever kind of file it comes from: names, duplicates, and rows that begin with `@`.

use super::cells::Columns;
use super::{Place, Problem, ReadOptions};
use fewest_model::{About, Labels, ObjectId, RowRuns, Table, known_columns};
use std::collections::BTreeMap;

/// Names of rows about the tests, without their `@`.
const ABOUT: [&str; 10] =
    ["cost", "bundle", "setup", "question", "if", "needs", "label", "help", "image", "link"];

/// Most objects of a table: their numbers fit 32 bits.
const OBJECT_LIMIT: usize = u32::MAX as usize - 1;

/// A table under construction.
pub(super) struct Assembler {
    /// Names of all columns, in the order of the file.
    header: Vec<String>,
    /// Index of the column that holds the names of the objects.
    object_at: usize,
    /// All other columns.
    pub(super) columns: Columns,
    /// Names of the objects. Duplicates are looked for at the end, or when something else is wrong.
    objects: Labels,
    about: Vec<About>,
    other_rows: RowRuns,
    /// Number of the last row that was begun.
    row: usize,
    limit: usize,
    /// Whether two objects may have one name.
    allows_doubles: bool,
}

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A row of an object: its cells go to [`Assembler::columns`].
    Object,
    /// A row about the tests: its cells go to [`Assembler::say`], with this number.
    About(usize),
}

/// Names and columns of some lines, read by one thread.
pub(super) struct ReadPart {
    pub(super) names: Labels,
    pub(super) columns: Columns,
}

impl Assembler {
    /// Begins a table with this header, which is row `row` of the file.
    pub(super) fn new(header: Vec<String>, row: usize, options: &ReadOptions) -> Result<Self, Problem> {
        let header: Vec<String> = header.into_iter().map(|name| name.trim().to_owned()).collect();
        if header.len() > options.limits.columns {
            return Err(Problem::TooManyColumns { found: header.len(), limit: options.limits.columns });
        }
        let mut positions = BTreeMap::new();
        for (name, position) in header.iter().zip(1..) {
            if name.is_empty() {
                return Err(Problem::UnnamedColumn { row, position });
            }
            if let Some(first) = positions.insert(name.as_str(), position) {
                return Err(Problem::SameColumn { name: name.clone(), first, second: position });
            }
        }
        let object_at = match &options.object {
            None => 0,
            Some(object) => match positions.get(object.trim()) {
                Some(position) => position - 1,
                None => {
                    return Err(Problem::NoSuchColumn {
                        name: object.clone(),
                        known: known_columns(
                            object.trim(),
                            &header.iter().map(String::as_str).collect::<Vec<_>>(),
                        ),
                    });
                }
            },
        };
        let mut columns = Columns::default();
        let others = header.iter().zip(1..).filter(|(_, position)| position - 1 != object_at);
        others.for_each(|(name, position)| columns.add(name, position));
        let mut other_rows = RowRuns::default();
        other_rows.extend(1..row);
        Ok(Self {
            columns,
            object_at,
            objects: Labels::default(),
            about: Vec::new(),
            other_rows,
            row,
            limit: options.limits.rows.min(OBJECT_LIMIT),
            allows_doubles: false,
            header,
        })
    }

    /// Lets two objects have one name; the caller settles such names.
    pub(super) fn allow_doubles(&mut self) {
        self.allows_doubles = true;
    }

    /// Names of all columns, in the order of the file.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// Bytes of memory that names and cells take at least.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet unfolds"))]
    pub(super) fn bytes(&self) -> usize {
        self.objects.text_len() + self.objects.len() * (4 + self.columns.len() / 8)
    }

    /// Number of objects so far.
    pub(super) fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// Index of the column that holds the names of the objects, from 0.
    pub(super) fn object_at(&self) -> usize {
        self.object_at
    }

    /// Begins row `row`; rows that were skipped hold no object.
    pub(super) fn begin(&mut self, row: usize, name: &str) -> Result<Kind, Problem> {
        self.other_rows.extend(self.row + 1..row);
        self.row = row;
        let name = name.trim();
        if name.is_empty() {
            let column = self.header[self.object_at].clone();
            let place = Place { row, position: self.object_at + 1, name: Some(column) };
            return Err(Problem::UnnamedObject { place });
        }
        if name.starts_with('@') {
            return self.begin_about(name);
        }
        if self.objects.len() >= self.limit {
            return Err(Problem::TooManyObjects { row, limit: self.limit });
        }
        self.objects.push(name);
        Ok(Kind::Object)
    }

    /// Whether the objects of `parts` can be numbered as well.
    pub(super) fn has_room_for(&self, parts: &[ReadPart]) -> bool {
        self.objects.len() + parts.iter().map(|part| part.names.len()).sum::<usize>() <= self.limit
    }

    /// Adds rows that other threads read; the first of them is row `row`.
    pub(super) fn append(&mut self, row: usize, parts: Vec<ReadPart>) {
        self.other_rows.extend(self.row + 1..row);
        self.row = row - 1;
        for ReadPart { names, columns } in parts {
            self.row += names.len();
            names.iter().for_each(|name| _ = self.objects.push(name));
            self.columns.append(columns);
        }
    }

    fn begin_about(&mut self, name: &str) -> Result<Kind, Problem> {
        let row = self.row;
        let what = &name[1..];
        if !ABOUT.contains(&what) {
            return Err(Problem::UnknownAbout { row, name: name.to_owned() });
        }
        if let Some(first) = self.about.iter().find(|about| about.what == what) {
            return Err(Problem::SameAbout { name: name.to_owned(), first: first.row, second: row });
        }
        self.other_rows.push(row);
        self.about.push(About { what: what.to_owned(), row, cells: vec![String::new(); self.columns.len()] });
        Ok(Kind::About(self.about.len() - 1))
    }

    /// Stores the cell of column `column` of [`columns`](Self::columns) in row number `about` about the tests.
    pub(super) fn say(&mut self, about: usize, column: usize, text: &str) {
        text.trim().clone_into(&mut self.about[about].cells[column]);
    }

    /// The problem to report for row `row`: a name that came twice in the rows before, else `problem`.
    pub(super) fn earlier(&self, row: usize, problem: Problem) -> Problem {
        self.double(row).unwrap_or_else(|| problem.named(&self.header))
    }

    /// Finds the first object before row `row` that has the name of an earlier object.
    pub(super) fn double(&self, row: usize) -> Option<Problem> {
        if self.allows_doubles {
            return None;
        }
        let (first, second) = self.objects.first_double()?;
        let row_of = |object: usize| self.row_of(object);
        let name = self.objects.get(second).to_owned();
        let double = Problem::SameObject { name, first: row_of(first), second: row_of(second) };
        (row_of(second) < row).then_some(double)
    }

    /// The finished table.
    pub(super) fn finish(mut self) -> Result<Table, Problem> {
        self.objects.shrink_to_fit();
        match self.double(usize::MAX) {
            Some(double) => Err(double),
            None => Ok(Table {
                objects: self.objects,
                object_column: self.header.swap_remove(self.object_at),
                columns: self.columns.finish(),
                about: self.about,
                other_rows: self.other_rows,
                ..Table::default()
            }),
        }
    }

    /// Row of an object in the file, by the rule of [`Table::row_of`].
    fn row_of(&self, object: usize) -> usize {
        let table = Table { other_rows: self.other_rows.clone(), ..Table::default() };
        table.row_of(ObjectId::at(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembler(header: &[&str], object: Option<&str>) -> Result<Assembler, Problem> {
        let header = header.iter().map(|&name| name.to_owned()).collect();
        Assembler::new(
            header,
            1,
            &ReadOptions { object: object.map(str::to_owned), ..ReadOptions::default() },
        )
    }

    /// Message about the first of `names` that is refused; the names are those of row 2 and the rows after it.
    fn refused(names: &[&str]) -> String {
        let mut table = assembler(&["o", "t"], None).unwrap();
        let mut rows = names.iter().zip(2..);
        let refused = rows.find_map(|(name, row)| table.begin(row, name).err());
        refused.or_else(|| table.finish().err()).unwrap().to_string()
    }

    #[test]
    fn columns_have_names_and_each_its_own() {
        let message = |header: &[&str]| assembler(header, None).err().unwrap().to_string();
        assert_eq!(
            message(&["o", "t", " "]),
            "row 1, column 3: the column has no name; name it in the header"
        );
        assert_eq!(
            message(&["o", "t", "u", " t "]),
            "columns 2 and 4 are both called `t`; rename one of them"
        );
        let long = "x".repeat(50);
        assert!(message(&[&long, &long]).contains(&format!("`{}…`", "x".repeat(40))));
    }

    #[test]
    fn an_unknown_column_of_objects_is_answered_with_the_known_ones() {
        let message = |object| assembler(&["Name", "t", "u"], Some(object)).err().unwrap().to_string();
        assert_eq!(message("name"), "object `name`: there is no such column; did you mean `Name`?");
        assert_eq!(message("v"), "object `v`: there is no such column; the columns are `Name`, `t`, `u`");
        let many: Vec<String> = (0..30).map(|number| format!("t{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(assembler(&many, Some("v")).err().unwrap().to_string().ends_with("`t19` and 10 more"));
    }

    #[test]
    fn objects_have_names_and_each_its_own() {
        assert_eq!(
            refused(&["a", " "]),
            "row 3, column `o`: the object has no name; fill the cell, or delete the row"
        );
        assert_eq!(
            refused(&["@cost", "a", "b", " a "]),
            "rows 3 and 5 are both called `a`; give each object its own name"
        );
    }

    #[test]
    fn only_known_rows_speak_of_the_tests_and_each_once() {
        assert_eq!(
            refused(&["a", "@price"]),
            "row 3: `@price` is unknown; rows that begin with @ are `@cost`, `@bundle`, `@setup`, `@question`, `@if`, `@needs`, `@label`, `@help`, `@image` and `@link`, and no object begins with @"
        );
        assert_eq!(
            refused(&["@cost", "@question", "a", "@cost"]),
            "rows 2 and 5 are both `@cost`; keep one of them"
        );
    }

    #[test]
    fn objects_beyond_the_limit_are_refused() {
        let mut table = Assembler { limit: 2, ..assembler(&["o"], None).unwrap() };
        assert_eq!(table.begin(2, "a"), Ok(Kind::Object));
        assert_eq!(table.begin(3, "b"), Ok(Kind::Object));
        assert_eq!(table.begin(4, "c"), Err(Problem::TooManyObjects { row: 4, limit: 2 }));
    }

    #[test]
    fn rows_passed_over_hold_no_object() {
        let mut table = assembler(&["o"], None).unwrap();
        table.begin(3, "a").unwrap();
        table.begin(4, "@cost").unwrap();
        table.begin(7, "b").unwrap();
        assert!(table.finish().unwrap().other_rows.iter().eq([2, 4, 5, 6]));
    }
}
