//! Tables as CSV or TSV: what is written reads back equal, and no bytes make the reader panic.

use fewest_formats::read::{
    Notice, ReadOptions, ReadWarning, Source, read_costs, read_names, read_table, read_table_from,
};
use fewest_model::{Column, Table};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::Write;

/// Cells with characters that are special in CSV.
fn awkward_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\"".to_owned()),
        Just("\"\"".to_owned()),
        Just(",".to_owned()),
        Just(";".to_owned()),
        Just("\t".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        Just(" ".to_owned()),
        Just("?".to_owned()),
        Just("ä€🦉\u{A0}".to_owned()),
        "[a-z0-9]{1,9}",
        any::<char>().prop_filter("no text holds NUL", |letter| *letter != '\0').prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// Style in which a table is written.
#[derive(Clone, Copy, Debug)]
struct Style {
    separator: char,
    line_break: &'static str,
    quote_all: bool,
    last_break: bool,
    mark: bool,
}

fn style() -> impl Strategy<Value = Style> {
    let separator = prop::sample::select(vec![',', '\t', ';']);
    let line_break = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    (separator, line_break, any::<[bool; 3]>()).prop_map(
        |(separator, line_break, [quote_all, last_break, mark])| Style {
            separator,
            line_break,
            quote_all,
            last_break,
            mark,
        },
    )
}

fn write(rows: &[Vec<String>], style: Style) -> Vec<u8> {
    let cell = |text: &String| {
        let must = text.contains(['"', ',', '\t', ';', '\n', '\r']) || text.is_empty();
        if must || style.quote_all { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() }
    };
    let separator = style.separator.to_string();
    let lines = rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(&separator));
    let mut text = lines.collect::<Vec<_>>().join(style.line_break);
    if style.last_break {
        text.push_str(style.line_break);
    }
    let mark = if style.mark { "\u{FEFF}" } else { "" };
    format!("{mark}{text}").into_bytes()
}

/// Rows of a table: names of columns, then a name and cells for each object.
fn rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    (2..6_usize, 0..8_usize).prop_flat_map(|(columns, objects)| {
        prop::collection::vec(prop::collection::vec(awkward_text(), columns), objects + 1)
    })
}

/// Rows whose names are not empty, all different, and none of them about the tests.
fn with_names(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for (number, name) in rows[0].iter_mut().enumerate() {
        *name = format!("c{number}{name}");
    }
    for (number, row) in rows.iter_mut().enumerate().skip(1) {
        row[0] = format!("o{number}{}", row[0]);
    }
    rows
}

fn texts(column: &Column) -> Vec<&str> {
    column.codes.iter().map(|code| column.labels.get(code as usize)).collect()
}

fn check_equal(table: &Table, rows: &[Vec<String>]) -> Result<(), TestCaseError> {
    let (header, body) = rows.split_first().expect("a header");
    prop_assert_eq!(&table.object_column, header[0].trim());
    prop_assert_eq!(
        table.objects.iter().collect::<Vec<_>>(),
        body.iter().map(|row| row[0].trim()).collect::<Vec<_>>()
    );
    for (at, column) in (1..).zip(&table.columns) {
        prop_assert_eq!(&column.name, header[at].trim());
        let expected = body.iter().map(|row| match row[at].trim() {
            "" => "?",
            text => text,
        });
        prop_assert_eq!(texts(column), expected.collect::<Vec<_>>());
        let distinct: BTreeSet<&str> = texts(column).into_iter().collect();
        prop_assert_eq!(column.labels.len(), distinct.len());
    }
    prop_assert_eq!(table.columns.len(), header.len() - 1);
    Ok(())
}

/// Stream that returns a few bytes at a time, as a pipe may.
struct Dribble<'a>(&'a [u8], usize);

impl std::io::Read for Dribble<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = bytes.len().min(self.1);
        self.0.read(&mut bytes[..count])
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn what_is_written_reads_back_equal(rows in rows().prop_map(with_names), style in style(), few in 1..9_usize) {
        let bytes = write(&rows, style);
        let (table, warnings) = read_table_from(Dribble(&bytes, few), "test", &ReadOptions::default()).unwrap();
        prop_assert!(warnings.is_empty());
        check_equal(&table, &rows)?;
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(is_one_line(&bytes));
    }

    #[test]
    fn no_text_full_of_traps_makes_the_reader_panic(
        pieces in prop::collection::vec(prop_oneof![awkward_text(), Just("\n".to_owned()), Just("@cost,".to_owned())], 0..20),
        mark in prop::sample::select(vec![&b""[..], &b"\xEF\xBB\xBF"[..], &b"\xFF\xFE"[..], &b"\xE9"[..]]),
    ) {
        prop_assert!(is_one_line(&[mark, pieces.concat().as_bytes()].concat()));
    }
}

/// Whether `bytes` are read, or refused with a message of one line.
fn is_one_line(bytes: &[u8]) -> bool {
    let read = read_table_from(bytes, "test", &ReadOptions::default());
    read.err()
        .is_none_or(|error| error.to_string().starts_with("test: ") && !error.to_string().contains('\n'))
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for a few bytes");
    file
}

#[test]
fn files_are_read_by_path_and_named_in_messages() {
    let good = file(b"o,t\na,1\nb,\xE9\n");
    let (table, warnings) = read_table(Source::Path(good.path()), &ReadOptions::default()).unwrap();
    assert_eq!(texts(&table.columns[0]), ["1", "é"]);
    let name = good.path().display().to_string();
    assert_eq!(warnings, [ReadWarning { file: name.clone(), notice: Notice::Windows1252 }]);
    assert!(
        warnings[0].to_string().starts_with(&format!("{name}: not UTF-8, so it is read as Windows-1252"))
    );

    let bad = file(b"o,t\na,1\na,2\n");
    let error = read_table(Source::Path(bad.path()), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: {}", bad.path().display(), error.problem));
}

#[test]
fn costs_and_names_are_read_by_path() {
    let costs = file(b"\xEF\xBB\xBFtest,cost\r\na,2\r\nb,0.5\r\n");
    let source = Source::Path(costs.path());
    assert_eq!(read_costs(source).unwrap().costs, [("a".to_owned(), 2.0), ("b".to_owned(), 0.5)]);
    assert_eq!(read_names(source).unwrap(), ["a", "b"]);
    assert!(read_costs(Source::Path(file(b"a\n").path())).unwrap_err().to_string().contains("`test,cost`"));
}

#[cfg(unix)]
#[test]
fn what_the_system_refuses_to_read_is_an_error() {
    // A system file that opens but cannot be read from its beginning.
    let error = read_table(Source::Path(std::path::Path::new("/proc/self/mem")), &ReadOptions::default());
    assert!(error.unwrap_err().to_string().starts_with("/proc/self/mem: "));
}
