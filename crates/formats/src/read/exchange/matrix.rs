//! Objects, tests and cells that a reader finds, made into a table.

use super::super::{Notice, Problem, ReadOptions};
use crate::loss::{Loss, Losses};
use crate::texts::{Texts, Words};
use fewest_model::{About, Column, ColumnBuilder, Labels, Table, known_columns};
use hashbrown::{HashMap, HashSet};

/// Most cells of a table from an exchange format: a small file must not unfold to gigabytes.
const MOST_CELLS: usize = 50_000_000;

/// Column of groups, as it is found without an option.
const GROUP: &str = "group";
/// Column of priors, as it is found without an option.
const PRIOR: &str = "prior";

/// Object of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    /// Its name; the table makes it unique.
    pub(super) name: String,
    pub(super) group: Option<String>,
    pub(super) prior: Option<f64>,
}

/// Test of a file, with one cell for each object.
#[derive(Clone, Debug, Default)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) question: String,
    pub(super) cost: Option<f64>,
    /// Premises, as a row `@if` holds them.
    pub(super) premise: String,
    /// Tools, as a row `@needs` holds them.
    pub(super) needs: String,
    /// Texts that occur, and for each object the number of its text.
    pub(super) cells: Cells,
}

/// Cells of one test.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    texts: Labels,
    numbers: HashMap<String, u32>,
    codes: Vec<u32>,
}

impl Cells {
    /// Adds the cell of the next object.
    pub(super) fn push(&mut self, text: &str) {
        let code = match self.numbers.get(text) {
            Some(code) => *code,
            None => {
                let code = self.texts.push(text) as u32;
                self.numbers.insert(text.to_owned(), code);
                code
            }
        };
        self.codes.push(code);
    }

    /// Whether no cell says anything.
    fn says_nothing(&self) -> bool {
        self.texts.iter().all(|text| text == "?" || text == "-" || text.is_empty())
    }
}

/// What a reader found in a file.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    /// Name of the format.
    pub(super) format: &'static str,
    /// Header of the column of objects.
    pub(super) object_column: String,
    pub(super) objects: Vec<Object>,
    pub(super) tests: Vec<Test>,
    pub(super) texts: Texts,
    pub(super) losses: Losses,
}

/// Refuses a table with too many cells before it takes memory.
pub(super) fn refuse_large(objects: usize, tests: usize, options: &ReadOptions) -> Result<(), Problem> {
    let limits = options.limits;
    if tests >= limits.columns {
        return Err(Problem::TooManyColumns { found: tests + 1, limit: limits.columns });
    }
    if objects > limits.rows {
        return Err(Problem::TooManyObjects { row: limits.rows + 2, limit: limits.rows });
    }
    match objects.saturating_mul(tests) > MOST_CELLS {
        true => Err(Problem::Unfolds { megabytes: (MOST_CELLS >> 20) * 4 }),
        false => Ok(()),
    }
}

impl Matrix {
    /// The table, its texts, and what is to be said about the file.
    pub(super) fn finish(mut self, options: &ReadOptions) -> Result<(Table, Texts, Vec<Notice>), Problem> {
        refuse_large(self.objects.len(), self.tests.len(), options)?;
        let is_known =
            |name: &String| *name == self.object_column || self.tests.iter().any(|test| test.name == *name);
        if let Some(name) = options.object.as_ref().filter(|name| !is_known(name)) {
            let names: Vec<&str> = self.tests.iter().map(|test| test.name.as_str()).collect();
            return Err(Problem::NoSuchColumn { name: name.clone(), known: known_columns(name, &names) });
        }
        let mut notices = vec![Notice::Exchange {
            format: self.format,
            objects: self.objects.len(),
            tests: self.tests.len(),
        }];
        let silent = |test: &Test| test.cells.says_nothing();
        let nothing: Vec<String> =
            self.tests.iter().filter(|test| silent(test)).map(|test| test.name.clone()).collect();
        if !nothing.is_empty() && nothing.len() < self.tests.len() {
            self.tests.retain(|test| !silent(test));
            notices.push(Notice::NothingKnown { tests: nothing });
        }
        self.forget_texts_of_nothing();
        if !self.losses.is_empty() {
            notices.push(Notice::Lost(self.losses.clone()));
        }
        let texts = std::mem::take(&mut self.texts);
        Ok((self.into_table(), texts, notices))
    }

    /// Forgets texts of objects and tests that are not in the table.
    fn forget_texts_of_nothing(&mut self) {
        let objects: HashSet<&str> = self.objects.iter().map(|object| object.name.as_str()).collect();
        let tests: HashSet<&str> = self.tests.iter().map(|test| test.name.as_str()).collect();
        self.texts.objects.retain(|name, _| objects.contains(name.as_str()));
        self.texts.tests.retain(|name, _| tests.contains(name.as_str()));
        self.texts.answers.retain(|name, _| tests.contains(name.as_str()));
        self.texts.tidy();
    }

    fn into_table(self) -> Table {
        let mut columns: Vec<Column> = Vec::new();
        let mut extra = 0;
        let of_objects = |name: &str, text: &dyn Fn(&Object) -> Option<String>, position: usize| {
            let texts: Vec<Option<String>> = self.objects.iter().map(text).collect();
            texts.iter().any(Option::is_some).then(|| {
                let mut column = ColumnBuilder::new(name, position);
                texts.iter().for_each(|text| _ = column.push(text.as_deref().unwrap_or_default()));
                column.finish()
            })
        };
        let group = of_objects(GROUP, &|object| object.group.clone(), 2);
        let prior = of_objects(PRIOR, &|object| object.prior.map(|prior| prior.to_string()), 3);
        for column in [group, prior].into_iter().flatten() {
            columns.push(column);
            extra += 1;
        }
        for test in &self.tests {
            let mut column = ColumnBuilder::new(&test.name, columns.len() + 2);
            test.cells.codes.iter().for_each(|code| _ = column.push(test.cells.texts.get(*code as usize)));
            columns.push(column.finish());
        }
        let mut about = Vec::new();
        let mut say = |what: &str, text: &dyn Fn(&Test) -> String| {
            let cells: Vec<String> = self.tests.iter().map(text).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                let cells = std::iter::repeat_n(String::new(), extra).chain(cells).collect();
                about.push(About { what: what.to_owned(), row: 2 + about.len(), cells });
            }
        };
        say("question", &|test| test.question.clone());
        say("cost", &|test| test.cost.map(|cost| cost.to_string()).unwrap_or_default());
        say("if", &|test| test.premise.clone());
        say("needs", &|test| test.needs.clone());
        let mut other_rows = fewest_model::RowRuns::default();
        other_rows.extend(2..2 + about.len());
        Table {
            objects: self.objects.iter().map(|object| object.name.as_str()).collect(),
            object_column: self.object_column,
            columns,
            about,
            other_rows,
            marked: true,
        }
    }

    /// Gives every object a name of its own.
    pub(super) fn name_objects(&mut self) {
        let names = self.objects.iter().map(|object| object.name.as_str());
        let names = unique(names, "object", &[]);
        self.objects.iter_mut().zip(names).for_each(|(object, name)| object.name = name);
    }
}

/// Names for tests: each one different, none taken for a column with another meaning.
pub(super) fn test_names<'a>(names: impl Iterator<Item = &'a str>, object_column: &str) -> Vec<String> {
    unique(names, "character", &[object_column, GROUP, PRIOR])
}

/// Names for answers of one test: none is read as a gap, a list or a range.
pub(super) fn answer_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let plain: Vec<String> = names.map(answer).collect();
    unique(plain.iter().map(String::as_str), "state", &[])
}

/// Text of an answer that is read as one answer.
fn answer(name: &str) -> String {
    let name = clean(name).replace('|', "/");
    match name.as_str() {
        "?" | "-" | "*" => format!("`{name}`"),
        _ if name.contains("..") && name.starts_with(|letter: char| letter.is_ascii_digit()) => {
            name.replace("..", "–")
        }
        _ => name,
    }
}

/// Names that differ, also without regard to case; a name that comes again gets a number, an empty one becomes `what`.
fn unique<'a>(names: impl Iterator<Item = &'a str>, what: &str, reserved: &[&str]) -> Vec<String> {
    let mut taken: HashSet<String> = reserved.iter().map(|name| name.to_lowercase()).collect();
    let mut next: HashMap<String, usize> = HashMap::new();
    let plain: Vec<String> = names.map(clean).collect();
    // A name that is given is never made for another.
    let given: HashSet<String> = plain.iter().map(|name| name.to_lowercase()).collect();
    let mut unique = Vec::with_capacity(plain.len());
    for (at, name) in plain.iter().enumerate() {
        let name = match name.as_str() {
            "" => format!("{what} {}", at + 1),
            name if name.starts_with('@') => format!("_{name}"),
            name => name.to_owned(),
        };
        let mut text = name.clone();
        while taken.contains(&text.to_lowercase()) || (text != name && given.contains(&text.to_lowercase())) {
            let number = next.entry(name.to_lowercase()).or_insert(1);
            *number += 1;
            text = format!("{name} ({number})");
        }
        taken.insert(text.to_lowercase());
        unique.push(text);
    }
    unique
}

/// Text on one line, without letters that no terminal shows.
pub(super) fn clean(text: &str) -> String {
    let shown: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cleaned text as words.
pub(super) fn words(text: &str) -> Words {
    Words::plain(clean(text))
}

/// Cell of a range: one number if both ends are the same.
pub(super) fn range(low: f64, high: f64) -> String {
    match low == high {
        true => low.to_string(),
        false => format!("{}..{}", low.min(high), low.max(high)),
    }
}

/// Cell of several answers; none of them: the cell is unknown.
pub(super) fn list(answers: &[&str]) -> String {
    match answers {
        [] => "?".to_owned(),
        answers => answers.join("|"),
    }
}

/// Premise `test=a|b`; several are joined by ` & `. `None`: a name cannot be written in a premise.
pub(super) fn premise(test: &str, answers: &[&str]) -> Option<String> {
    let is_plain = |text: &str| !text.contains(" & ") && !text.contains('|');
    let can = !answers.is_empty()
        && !test.contains('=')
        && is_plain(test)
        && answers.iter().all(|text| is_plain(text));
    can.then(|| format!("{test}={}", answers.join("|")))
}

/// Joins premises that all have to hold.
pub(super) fn join_premises(first: &mut String, second: &str) {
    if !first.is_empty() {
        first.push_str(" & ");
    }
    first.push_str(second);
}

/// Counts texts that a table cannot show, in the losses.
pub(super) fn count_further_pictures(losses: &mut Losses, pictures: usize) {
    losses.add(Loss::Picture, pictures.saturating_sub(1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_come_again_get_numbers() {
        let names = ["a", "A", "", "a (2)", "@x", "group", " b\tc ", "a"];
        let found = test_names(names.into_iter(), "taxon");
        assert_eq!(found, ["a", "A (3)", "character 3", "a (2)", "_@x", "group (2)", "b c", "a (4)"]);
    }

    #[test]
    fn answers_are_never_read_as_something_else() {
        assert_eq!(
            answer_names(["?", "a|b", "1..2", "-", "x.."].into_iter()),
            ["`?`", "a/b", "1–2", "`-`", "x.."]
        );
    }

    #[test]
    fn ranges_lists_and_premises_are_written_as_cells() {
        assert_eq!([range(1.0, 1.0), range(2.5, 1.0)], ["1", "1..2.5"]);
        assert_eq!([list(&[]), list(&["a", "b"])], ["?", "a|b"]);
        assert_eq!(premise("t", &["a", "b"]).as_deref(), Some("t=a|b"));
        assert_eq!(premise("t=u", &["a"]), None);
        let mut all = String::new();
        ["t=a", "u=b"].iter().for_each(|one| join_premises(&mut all, one));
        assert_eq!(all, "t=a & u=b");
    }

    #[test]
    fn a_matrix_becomes_a_table() {
        let mut matrix = Matrix { format: "X", object_column: "taxon".into(), ..Matrix::default() };
        for name in ["a", "b", "a"] {
            matrix.objects.push(Object { name: name.into(), group: Some("g".into()), prior: None });
        }
        matrix.name_objects();
        for (name, cells) in [("t", ["1", "?", "1|2"]), ("u", ["?", "?", "-"])] {
            let mut test = Test { name: name.into(), cost: Some(2.0), ..Test::default() };
            cells.iter().for_each(|cell| test.cells.push(cell));
            matrix.tests.push(test);
        }
        let (table, _, notices) = matrix.finish(&ReadOptions::default()).unwrap();
        assert!(table.objects.iter().eq(["a", "b", "a (2)"]));
        assert_eq!(table.columns.len(), 2, "a test of which nothing is known is left out");
        assert_eq!(table.about[0].cells, ["", "2"]);
        assert_eq!(table.row_of(fewest_model::ObjectId(0)), 3);
        assert_eq!(notices.len(), 2);
    }
}
