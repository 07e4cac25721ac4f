//! Texts beside a table: rows that begin with `@`, and small tables of tests, answers and objects.
//!
//! Such a table is a file beside that of the table (`zoo.tests.csv` beside `zoo.csv`) or a sheet of the workbook. Its
//! header begins with `test`, `test,answer` or `object`; each further column is a text for display (`label`,
//! `question`, `help`, `image`, `link`; `label@nb` in another language) or a fact about a test (`cost`, `if`, `needs`).

use super::delimited::texts;
use super::split::Records;
use super::{Notice, Problem, ReadTable, ReadWarning};
use crate::loss::{Loss, Losses};
use crate::texts::{Text, Texts};
use fewest_model::{About, Table};
use hashbrown::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Names of the small tables beside a table.
pub const SIDES: [&str; 3] = ["tests", "answers", "objects"];

/// Facts about tests that are no texts for display.
const FACTS: [&str; 3] = ["cost", "if", "needs"];

/// Most rows of a small table.
const MOST_ROWS: usize = 2_000_000;

/// Name of a small table beside that at `path`.
pub fn side_path(path: &Path, side: &str) -> PathBuf {
    let ending =
        path.extension().map_or_else(|| "csv".to_owned(), |ending| ending.to_string_lossy().into_owned());
    path.with_extension(format!("{side}.{ending}"))
}

/// Adds what the files beside a table say of it.
pub(super) fn add_files(path: &Path, read: &mut ReadTable) -> Result<(), Problem> {
    let mut sides = Vec::new();
    for side in SIDES {
        let beside = side_path(path, side);
        if beside != path && beside.is_file() {
            let rows = rows_of(&beside)?;
            if let Some(side) = Side::of_rows(side, rows) {
                sides.push((beside.file_name().unwrap_or_default().to_string_lossy().into_owned(), side));
            }
        }
    }
    if sides.is_empty() {
        return Ok(());
    }
    let file = path.display().to_string();
    let (names, sides): (Vec<String>, Vec<Side>) = sides.into_iter().unzip();
    let notices = add(sides, &mut read.table, &mut read.texts);
    let notices = std::iter::once(Notice::Beside { names }).chain(notices);
    read.warnings.extend(notices.map(|notice| ReadWarning { file: file.clone(), notice }));
    Ok(())
}

fn rows_of(path: &Path) -> Result<Vec<Vec<String>>, Problem> {
    let mut records = Records::new(File::open(path)?)?;
    let separator = records.separator();
    let mut rows = Vec::new();
    while let Some((row, record)) = records.next()? {
        let cells = texts(row, &record, separator).map_err(|problem| Problem::Beside {
            file: path.display().to_string(),
            reason: problem.to_string(),
        })?;
        rows.push(cells.into_iter().map(|cell| cell.trim().to_owned()).collect());
        if rows.len() > MOST_ROWS {
            return Err(Problem::TooManyObjects { row, limit: MOST_ROWS });
        }
    }
    Ok(rows)
}

/// Small table about tests, answers or objects.
pub(super) struct Side {
    /// Number of columns that name what a row is about.
    keys: usize,
    is_object: bool,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Side {
    /// The small table in these rows, if the header is that of `side`.
    pub(super) fn of_rows(side: &str, mut rows: Vec<Vec<String>>) -> Option<Self> {
        rows.retain(|row| row.iter().any(|cell| !cell.trim().is_empty()));
        let keys: &[&str] = match side {
            "tests" => &["test"],
            "answers" => &["test", "answer"],
            "objects" => &["object"],
            _ => return None,
        };
        let first = rows.first()?;
        let header: Vec<String> = first.iter().map(|name| name.trim().to_lowercase()).collect();
        let is_field = |name: &String| {
            let plain = name.split('@').next().unwrap_or_default();
            field(&mut Text::default(), plain).is_some()
                || plain == "url"
                || (side == "tests" && FACTS.contains(&plain))
        };
        let fits = header.len() > keys.len() && header.iter().zip(keys).all(|(name, key)| name == key);
        let has_field = header.iter().skip(keys.len()).any(is_field);
        (fits && has_field).then(|| Self {
            keys: keys.len(),
            is_object: side == "objects",
            header,
            rows: rows.split_off(1),
        })
    }
}

/// Adds small tables to a table and its texts.
pub(super) fn add(sides: Vec<Side>, table: &mut Table, texts: &mut Texts) -> Vec<Notice> {
    let mut losses = Losses::default();
    let objects: HashSet<&str> = table.objects.iter().collect();
    let columns: HashSet<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let mut facts: Vec<(String, String, String)> = Vec::new();
    for side in &sides {
        for row in &side.rows {
            let key = row.first().map_or("", String::as_str);
            let is_known = if side.is_object { objects.contains(key) } else { columns.contains(key) };
            if !is_known {
                losses.add(Loss::TextOfNothing, 1);
                continue;
            }
            for (name, cell) in
                side.header.iter().zip(row).skip(side.keys).filter(|(_, cell)| !cell.is_empty())
            {
                let (plain, language) = name.split_once('@').unwrap_or((name, ""));
                if FACTS.contains(&plain) && side.keys == 1 && !side.is_object {
                    facts.push((plain.to_owned(), key.to_owned(), cell.clone()));
                    continue;
                }
                let text = match (side.is_object, side.keys) {
                    (true, _) => texts.object_mut(key),
                    (false, 1) => texts.test_mut(key),
                    _ => texts.answer_mut(key, &row[1]),
                };
                set(text, plain, language, cell);
            }
        }
    }
    drop((objects, columns));
    texts.tidy();
    add_facts(&facts, table);
    if losses.is_empty() { Vec::new() } else { vec![Notice::Lost(losses)] }
}

/// Adds facts about tests as rows of the table; those that the table states itself stay.
fn add_facts(facts: &[(String, String, String)], table: &mut Table) {
    for what in FACTS {
        if table.about.iter().any(|about| about.what == what) {
            continue;
        }
        let mut cells = vec![String::new(); table.columns.len()];
        for (_, test, cell) in facts.iter().filter(|(name, ..)| name == what) {
            if let Some(at) = table.columns.iter().position(|column| column.name == *test) {
                cells[at].clone_from(cell);
            }
        }
        if cells.iter().any(|cell| !cell.is_empty()) {
            table.about.push(About { what: what.to_owned(), row: 1, cells });
        }
    }
}

/// The field of this name.
fn field<'a>(text: &'a mut Text, name: &str) -> Option<Field<'a>> {
    Some(match name {
        "label" => Field::Words(&mut text.label),
        "question" => Field::Words(&mut text.question),
        "help" => Field::Words(&mut text.help),
        "image" => Field::Plain(&mut text.image),
        "link" => Field::Plain(&mut text.link),
        _ => return None,
    })
}

/// Field of a text.
enum Field<'a> {
    Words(&'a mut crate::texts::Words),
    Plain(&'a mut String),
}

fn set(text: &mut Text, name: &str, language: &str, cell: &str) {
    match field(text, if name == "url" { "link" } else { name }) {
        Some(Field::Words(words)) => words.set(language, cell),
        Some(Field::Plain(place)) => cell.clone_into(place),
        None => {}
    }
}

/// Takes texts from rows such as `@help`.
pub(super) fn texts_of_rows(table: &Table, texts: &mut Texts) {
    for about in &table.about {
        for (column, cell) in table.columns.iter().zip(&about.cells).filter(|(_, cell)| !cell.is_empty()) {
            let mut text = Text::default();
            if field(&mut text, &about.what).is_some() {
                set(&mut text, &about.what, "", cell);
                texts.test_mut(&column.name).complete(&text);
            }
        }
    }
}

/// Fills the row `@question` from texts: the question of a test, else its label.
pub(super) fn questions(table: &mut Table, texts: &Texts) {
    let text = |test: &str| {
        let text = texts.test(test)?;
        let label =
            text.label.iter().find(|(language, _)| language.is_empty()).map(|(_, label)| format!("{label}?"));
        text.question.get("").map(str::to_owned).or(label)
    };
    let found: Vec<Option<String>> = table.columns.iter().map(|column| text(&column.name)).collect();
    if found.iter().all(Option::is_none) {
        return;
    }
    let at = table.about.iter().position(|about| about.what == "question").unwrap_or_else(|| {
        table.about.push(About {
            what: "question".to_owned(),
            row: 1,
            cells: vec![String::new(); table.columns.len()],
        });
        table.about.len() - 1
    });
    for (cell, text) in table.about[at].cells.iter_mut().zip(found) {
        if cell.is_empty() {
            *cell = text.unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn small_tables_tell_about_tests_answers_and_objects() {
        let mut table = Table::from_rows(&[&["o", "t", "u"], &["a", "1", "2"], &["b", "2", "2"]]);
        let mut texts = Texts::default();
        let sides = [
            ("tests", "test,question,question@nb,cost,if\nt,T?,Te?,3,\nu,,,,t=1\nv,V?,,,\n"),
            ("answers", "test,answer,label,image\nt,1,one,1.png\n"),
            ("objects", "object,label,url\na,Aah,https://a\n"),
        ];
        let sides: Vec<Side> =
            sides.iter().map(|(side, text)| Side::of_rows(side, rows(text)).unwrap()).collect();
        let notices = add(sides, &mut table, &mut texts);
        assert_eq!(texts.test("t").unwrap().question.get("nb"), Some("Te?"));
        assert_eq!(texts.answer("t", "1").unwrap().image, "1.png");
        assert_eq!(texts.object("a").unwrap().link, "https://a");
        let about: Vec<(&str, Vec<String>)> =
            table.about.iter().map(|about| (about.what.as_str(), about.cells.clone())).collect();
        assert_eq!(
            about,
            [("cost", vec!["3".into(), String::new()]), ("if", vec![String::new(), "t=1".into()])]
        );
        assert_eq!(notices.len(), 1, "nothing is said of `v`");
    }

    #[test]
    fn other_tables_are_no_small_tables() {
        for (side, text) in [
            ("tests", "t\nx\n"),
            ("tests", "test,weather\nx,y\n"),
            ("answers", "test,label\nx,y\n"),
            ("tests", ""),
        ] {
            assert!(Side::of_rows(side, rows(text)).is_none(), "{side}: {text}");
        }
    }

    #[test]
    fn a_small_table_lies_beside_its_table() {
        assert_eq!(side_path(Path::new("a/zoo.csv"), "tests"), Path::new("a/zoo.tests.csv"));
        assert_eq!(side_path(Path::new("zoo.tsv"), "answers"), Path::new("zoo.answers.tsv"));
        assert_eq!(side_path(Path::new("zoo"), "objects"), Path::new("zoo.objects.csv"));
    }
}
