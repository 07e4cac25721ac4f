//! Long tables: one line for each answer, as databases export them.

use super::super::notice::LongCells;
use super::super::{Notice, Problem, ReadOptions};
use fewest_model::{Column, ColumnBuilder, Labels, Table};
use hashbrown::HashMap;

/// Headers of a column of tests.
const TESTS: [&str; 18] = [
    "test",
    "character",
    "characteristic",
    "trait",
    "feature",
    "attribute",
    "question",
    "variable",
    "symptom",
    "phenotype",
    "property",
    "parameter",
    "measurement",
    "analyte",
    "descriptor",
    "marker",
    "finding",
    "sign",
];

/// Headers of a column of answers.
const ANSWERS: [&str; 9] =
    ["answer", "value", "state", "score", "result", "response", "reading", "outcome", "status"];

/// Headers of a column of shares.
const SHARES: [&str; 7] = ["probability", "prob", "frequency", "freq", "share", "likelihood", "weight"];

/// Most cells of the wide table: a small file must not unfold to gigabytes.
const MOST_CELLS: usize = 200_000_000;

fn is_one_of(column: &Column, words: &[&str]) -> bool {
    words.iter().any(|word| column.name.trim().eq_ignore_ascii_case(word))
}

/// Meaning of a long table's cells, if the headers are those of a long table.
fn meaning(table: &Table) -> Option<LongCells> {
    let (tests, others) = table.columns.split_first()?;
    if !is_one_of(tests, &TESTS) || tests.missing.is_some() || !table.about.is_empty() {
        return None;
    }
    let shares = |column: &Column| LongCells::Shares { column: column.name.clone() };
    match others {
        [] => Some(LongCells::Listed),
        [answers] if is_one_of(answers, &ANSWERS) => Some(LongCells::Answers),
        [column] if is_one_of(column, &SHARES) => Some(shares(column)),
        _ => None,
    }
}

/// Makes one row per object of a table with one line for each answer; returns the table as it was if it is not long.
pub(super) fn pivot(
    table: Table,
    options: &ReadOptions,
    notices: &mut Vec<Notice>,
) -> Result<Result<Table, Table>, Problem> {
    let Some(cells) = meaning(&table) else { return Ok(Err(table)) };
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut objects = Labels::default();
    let mut lines: Vec<Vec<(u32, &str)>> = vec![Vec::new(); table.columns[0].labels.len()];
    let answers = table.columns.get(1).filter(|_| cells == LongCells::Answers);
    for (row, name) in table.objects.iter().enumerate() {
        let object = *numbers.entry(name).or_insert_with(|| objects.push(name) as u32);
        let answer = answers.map_or("yes", |column| column.labels.get(column.codes.get(row) as usize));
        lines[table.columns[0].codes.get(row) as usize].push((object, answer));
    }
    let (found, limit) = (lines.len() + 1, options.limits.columns);
    if found > limit {
        return Err(Problem::TooManyColumns { found, limit });
    }
    if objects.len().saturating_mul(lines.len()) > MOST_CELLS {
        return Err(Problem::Unfolds { megabytes: MOST_CELLS >> 20 });
    }
    let absent = if answers.is_some() { "" } else { "no" };
    let named = table.columns[0].labels.iter().zip(lines).zip(2..);
    let columns: Vec<Column> =
        named.map(|((name, lines), position)| column(name, position, lines, objects.len(), absent)).collect();
    notices.push(Notice::Long { objects: objects.len(), tests: columns.len(), cells });
    let object_column = table.object_column.clone();
    Ok(Ok(Table { objects, object_column, columns, ..Table::default() }))
}

/// Column of one test from its lines; an object without a line has the text `absent`, one with several lists them.
fn column(name: &str, position: usize, mut lines: Vec<(u32, &str)>, objects: usize, absent: &str) -> Column {
    lines.sort_by_key(|(object, _)| *object);
    let mut column = ColumnBuilder::new(name, position);
    let mut absent_code = None;
    let mut lines = lines.into_iter().peekable();
    for object in 0..objects as u32 {
        let mut texts: Vec<&str> = Vec::new();
        while let Some((_, text)) = lines.next_if(|(other, _)| *other == object) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match (texts.as_slice(), absent_code) {
            ([], Some(code)) => column.push_code(code),
            ([], None) => absent_code = Some(column.push(absent)),
            ([text], _) => _ = column.push(text),
            (texts, _) => _ = column.push(&texts.join("|")),
        }
    }
    column.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(rows: &[&[&str]]) -> Option<(Table, Vec<Notice>)> {
        let mut notices = Vec::new();
        let table = pivot(Table::from_rows(rows), &ReadOptions::default(), &mut notices).unwrap().ok()?;
        Some((table, notices))
    }

    fn cells(table: &Table, column: &str) -> Vec<String> {
        let column = table.column(column).unwrap();
        column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
    }

    #[test]
    fn answers_stand_in_a_column_of_their_own() {
        let (table, notices) = wide(&[
            &["Taxon", "Character", "State"],
            &["rose", "colour", "red"],
            &["ivy", "leaf", "lobed"],
            &["rose", "colour", "white"],
            &["rose", "leaf", "oval"],
        ])
        .unwrap();
        assert!(table.objects.iter().eq(["rose", "ivy"]));
        assert_eq!(cells(&table, "colour"), ["red|white", "?"]);
        assert_eq!(cells(&table, "leaf"), ["oval", "lobed"]);
        assert_eq!(notices, [Notice::Long { objects: 2, tests: 2, cells: LongCells::Answers }]);
    }

    #[test]
    fn what_is_not_listed_is_answered_no() {
        let rows: &[&[&str]] =
            &[&["disease", "symptom"], &["flu", "fever"], &["flu", "cough"], &["cold", "cough"]];
        let (table, _) = wide(rows).unwrap();
        assert_eq!(cells(&table, "fever"), ["yes", "no"]);
        assert_eq!(cells(&table, "cough"), ["yes", "yes"]);
    }

    #[test]
    fn other_headers_are_no_long_table() {
        assert!(wide(&[&["o", "t", "u"], &["a", "1", "2"], &["a", "1", "3"]]).is_none());
        assert!(wide(&[&["o", "test", "u"], &["a", "1", "2"], &["a", "1", "3"]]).is_none());
    }
}
