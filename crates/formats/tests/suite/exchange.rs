//! Formats of others: what is written is read back as the same table, keys follow their schema, and broken files get
//! a message.

use fewest_formats::read::{Loss, Notice, ReadOptions, ReadTable, read_with_texts_from};
use fewest_formats::write::{write_clavis, write_csv, write_nexus, write_sdd, write_xlsx};
use fewest_formats::{Texts, Words};
use fewest_model::{About, Column, Instance, Reading, Table};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

const CLAVIS: &[u8] = include_bytes!("../data/dragonflies-norway.json");
const SCHEMA: &str = include_str!("../data/Clavis.schema.json");

/// Format that can be written and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv,
    Xlsx,
    Clavis,
    Sdd,
    Nexus,
}

const ALL: [Format; 5] = [Format::Csv, Format::Xlsx, Format::Clavis, Format::Sdd, Format::Nexus];

fn written(format: Format, table: &Table, texts: &Texts) -> Vec<u8> {
    let mut out = Vec::new();
    match format {
        Format::Csv => write_csv(&mut out, table).unwrap(),
        Format::Xlsx => write_xlsx(&mut out, table, texts).unwrap(),
        Format::Clavis => _ = write_clavis(&mut out, table, texts, true, "t", "2024-01-31 00:00:00").unwrap(),
        Format::Sdd => _ = write_sdd(&mut out, table, texts, true, "t", "2024-01-31T00:00:00").unwrap(),
        Format::Nexus => _ = write_nexus(&mut out, table, texts, true).unwrap(),
    }
    out
}

fn read(bytes: &[u8]) -> ReadTable {
    read_with_texts_from(bytes, "file", &ReadOptions { lenient: true, ..ReadOptions::default() }).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    read_with_texts_from(bytes, "file", &options)
        .err()
        .map_or_else(|| "it was read".to_owned(), |error| error.to_string())
}

fn cell(column: &Column, row: usize) -> &str {
    column.labels.get(column.codes.get(row) as usize)
}

/// What a table says: the answers that each object may give to each test. `*` is all of them.
fn meaning(table: &Table) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for column in table.columns.iter().filter(|column| column.name != "group") {
        let parts =
            |text: &str| -> BTreeSet<String> { text.split('|').map(|part| part.trim().to_owned()).collect() };
        let special = |text: &str| ["?", "-", "*"].contains(&text);
        let all: BTreeSet<String> =
            column.labels.iter().filter(|text| !special(text)).flat_map(parts).collect();
        if all.is_empty() {
            continue;
        }
        for (row, object) in table.objects.iter().enumerate() {
            let text = cell(column, row);
            let answers = if text == "*" { all.clone() } else { parts(text) };
            found.insert((object.to_owned(), column.name.clone()), answers);
        }
    }
    found
}

fn groups(table: &Table) -> BTreeMap<String, String> {
    let groups = table.column("group").into_iter();
    let pairs = groups.flat_map(|column| {
        table.objects.iter().enumerate().map(|(row, name)| (name.to_owned(), cell(column, row).to_owned()))
    });
    pairs.collect()
}

fn name() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,6}",
        Just("ä€🦉".to_owned()),
        Just("<i> & \"x\"; 'y'".to_owned()),
        Just("a/b, (c) [d]".to_owned())
    ];
    prop::collection::vec(piece, 1..3).prop_map(|pieces| pieces.join(" "))
}

/// A table with states, lists and gaps.
fn table() -> impl Strategy<Value = Table> {
    (2_usize..6, 1_usize..5).prop_flat_map(|(rows, columns)| {
        let cells = prop::sample::select(vec!["p", "q q", "r'r", "p|q q", "r'r|q q", "?", "-", "*", "p"]);
        let grid = prop::collection::vec(prop::collection::vec(cells, rows), columns);
        let names = prop::collection::vec(name(), rows + columns);
        let groups = prop::option::of(prop::collection::vec(prop::sample::select(vec!["g", "h & h"]), rows));
        (names, grid, groups).prop_map(move |(names, grid, groups)| {
            let named = |at: usize| format!("{} {at}", names[at]);
            let mut lines: Vec<Vec<String>> = vec![vec!["taxon".to_owned()]];
            lines[0].extend(groups.iter().map(|_| "group".to_owned()));
            lines[0].extend((0..columns).map(|column| named(rows + column)));
            for row in 0..rows {
                let mut line = vec![named(row)];
                line.extend(groups.iter().map(|groups| groups[row].to_owned()));
                line.extend(grid.iter().map(|column| if row == 0 { "p" } else { column[row] }.to_owned()));
                lines.push(line);
            }
            let lines: Vec<Vec<&str>> =
                lines.iter().map(|line| line.iter().map(String::as_str).collect()).collect();
            Table::from_rows(&lines.iter().map(Vec::as_slice).collect::<Vec<_>>())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_format_gives_the_table_back(table in table()) {
        for format in ALL {
            let bytes = written(format, &table, &Texts::default());
            let again = read(&bytes);
            // A key lists the objects of a group together.
            let names = |table: &Table| table.objects.iter().map(str::to_owned).collect::<BTreeSet<_>>();
            prop_assert_eq!(names(&again.table), names(&table), "{:?}", format);
            prop_assert_eq!(meaning(&again.table), meaning(&table), "{:?}", format);
            if ![Format::Sdd, Format::Nexus].contains(&format) {
                prop_assert_eq!(groups(&again.table), groups(&table), "{:?}", format);
            }
        }
    }

    #[test]
    fn bytes_cut_off_or_changed_never_break_a_reader(table in table(), cut in 0.0..1.0_f64, at in 0.0..1.0_f64, byte: u8) {
        for format in ALL {
            let mut bytes = written(format, &table, &Texts::default());
            let place = (at * bytes.len() as f64) as usize;
            bytes[place] = byte;
            for bytes in [&bytes[..], &bytes[..(cut * bytes.len() as f64) as usize]] {
                let options = ReadOptions { lenient: true, ..ReadOptions::default() };
                _ = read_with_texts_from(bytes, "file", &options);
            }
        }
    }
}

/// A table with everything that texts and rules can say.
fn full() -> (Table, Texts) {
    let mut table = Table::from_rows(&[
        &["taxon", "wings", "wing length", "colour"],
        &["ant", "no", "-", "red"],
        &["bee", "yes", "3..5", "brown|black"],
        &["fly", "yes", "4.5", "?"],
    ]);
    let row = |what: &str, cells: [&str; 3]| About {
        what: what.into(),
        row: 2,
        cells: cells.map(str::to_owned).into(),
    };
    table.about = vec![row("if", ["", "wings=yes", ""]), row("needs", ["", "lens; ruler", ""])];
    let mut texts = Texts { title: Words::plain("Insects"), language: "en".into(), ..Texts::default() };
    texts.test_mut("colour").help = Words::plain("of the body");
    texts.test_mut("colour").label.set("nb", "farge");
    texts.answer_mut("colour", "red").image = "https://example.org/red.png".into();
    texts.object_mut("bee").help = Words::plain("hums");
    (table, texts)
}

fn about<'a>(table: &'a Table, what: &str, test: &str) -> &'a str {
    let at = table.columns.iter().position(|column| column.name == test).unwrap();
    table.about.iter().find(|about| about.what == what).map_or("", |about| about.cells[at].as_str())
}

#[test]
fn rules_texts_and_ranges_survive_where_a_format_has_them() {
    let (table, texts) = full();
    for format in [Format::Xlsx, Format::Clavis, Format::Sdd] {
        let again = read(&written(format, &table, &texts));
        assert_eq!(about(&again.table, "if", "wing length"), "wings=yes", "{format:?}");
        assert_eq!(cell(again.table.column("wing length").unwrap(), 1), "3..5", "{format:?}");
        assert_eq!(again.texts.test("colour").unwrap().help.get(""), Some("of the body"), "{format:?}");
        assert_eq!(again.texts.test("colour").unwrap().label.get("nb"), Some("farge"), "{format:?}");
        assert_eq!(again.texts.answer("colour", "red").unwrap().image, "https://example.org/red.png");
        assert_eq!(again.texts.object("bee").unwrap().help.get(""), Some("hums"), "{format:?}");
        if format != Format::Sdd {
            assert_eq!(about(&again.table, "needs", "wing length"), "lens; ruler", "{format:?}");
        }
    }
    let losses = write_nexus(&mut Vec::new(), &table, &texts, true).unwrap();
    let kinds: Vec<Loss> = losses.iter().map(|(loss, _)| loss).collect();
    assert_eq!(kinds, [Loss::Rule, Loss::Value, Loss::About, Loss::Text]);
}

#[test]
fn a_written_key_follows_the_published_schema() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let dragonflies = read(CLAVIS);
    let (table, texts) = full();
    let short =
        Table::from_rows(&[&["o", "group", "t"], &["a", "g", "1"], &["b", "g", "2"], &["c", "c", "1"]]);
    for (table, texts) in
        [(&table, &texts), (&dragonflies.table, &dragonflies.texts), (&short, &Texts::default())]
    {
        let key: serde_json::Value = serde_json::from_slice(&written(Format::Clavis, table, texts)).unwrap();
        let faults: Vec<String> = validator.iter_errors(&key).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new());
    }
    assert!(!validator.is_valid(&serde_json::json!({ "title": "x" })), "the schema refuses something");
}

#[test]
fn a_published_key_is_read_with_all_that_is_lost() {
    let read = read(CLAVIS);
    assert_eq!((read.table.objects.len(), read.table.columns.len()), (110, 66));
    assert_eq!(read.table.objects.get(0), "Calopteryx virgo ♂");
    assert_eq!(groups(&read.table)["Calopteryx virgo ♂"], "Calopteryx virgo");
    let label = &read.texts.object("Calopteryx virgo ♂").unwrap().label;
    assert_eq!(label.get(""), Some("Calopteryx virgo ♂ (blåpraktvannymfe)"));
    let lost = read.warnings.iter().find_map(|warning| match &warning.notice {
        Notice::Lost(losses) => Some(losses.words()),
        _ => None,
    });
    let lost = lost.unwrap();
    assert!(lost.contains("238 answer frequencies") && lost.contains("pictures of other services"), "{lost}");
    let mut reading = Reading::default();
    read.suit(&mut reading);
    let (instance, _) = Instance::new(read.table, &reading).unwrap();
    assert_eq!(instance.group_count(), 55);
    // Written and read again, it is the same.
    let first = self::read(CLAVIS);
    // Some states of this key are longer than a label of SDD may be.
    for format in ALL.into_iter().filter(|format| *format != Format::Sdd) {
        let again = self::read(&written(format, &first.table, &first.texts));
        assert_eq!(meaning(&again.table), meaning(&first.table), "{format:?}");
    }
}

fn zip_of(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn archives_that_unfold_without_measure_are_refused() {
    let zeros = vec![b' '; 66 << 20];
    for name in ["xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"] {
        let bomb = zip_of(&[("xl/workbook.xml", b"<workbook/>"), (name, &zeros)]);
        assert!(bomb.len() < 1 << 20);
        assert!(refused(&bomb).contains("unfolds to more than"), "{}", refused(&bomb));
    }
    let bomb = zip_of(&[("content.xml", &zeros)]);
    assert!(refused(&bomb).contains("unfolds"), "{}", refused(&bomb));
    assert!(refused(&zip_of(&[("a.txt", b"hello")])).contains("a zip archive without a workbook"));
    assert!(refused(b"PK\x03\x04 and nothing else").contains("zip file cannot be read"));
}

/// A sheet of an ODS with these rows.
fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\" \
         xmlns:calcext=\"c\"><office:body><office:spreadsheet><table:table table:name=\"S\">{rows}</table:table>\
         </office:spreadsheet></office:body></office:document-content>"
    );
    zip_of(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
    ])
}

fn ods_row(cells: &[&str]) -> String {
    let cell = |text: &&str| match text.strip_prefix('<') {
        Some(_) => (*text).to_owned(),
        None => format!(
            "<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
        ),
    };
    format!("<table:table-row>{}</table:table-row>", cells.iter().map(cell).collect::<String>())
}

#[test]
fn an_ods_is_read_with_its_kinds_of_cells() {
    let merged = "<table:table-cell table:number-rows-spanned=\"2\" office:value-type=\"string\"><text:p>g</text:p></table:table-cell>";
    let covered = "<table:covered-table-cell/>";
    let rows = [
        ods_row(&["Key to things"]),
        ods_row(&["thing", "group", "weight", "day", "ok", "odd"]),
        ods_row(&[
            "a",
            merged,
            "<table:table-cell office:value-type=\"float\" office:value=\"1.0\"><text:p>1,0</text:p></table:table-cell>",
            "<table:table-cell office:value-type=\"date\" office:date-value=\"2024-03-01\"><text:p>1 March</text:p></table:table-cell>",
            "<table:table-cell office:value-type=\"boolean\" office:boolean-value=\"true\"><text:p>WAHR</text:p></table:table-cell>",
            "<table:table-cell table:formula=\"of:=1/0\" office:value-type=\"string\" calcext:value-type=\"error\"><text:p>#DIV/0!</text:p></table:table-cell>",
        ]),
        ods_row(&[
            "b",
            covered,
            "<table:table-cell office:value-type=\"float\" office:value=\"2.5\"/>",
            "<table:table-cell/>",
            "no",
            "<table:table-cell office:value-type=\"string\"><office:annotation><text:p>note</text:p></office:annotation><text:p>x</text:p></table:table-cell>",
        ]),
        "<table:table-row table:number-rows-repeated=\"1048570\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>".to_owned(),
    ];
    let read = read(&ods(&rows.concat()));
    let cells: Vec<Vec<&str>> =
        read.table.columns.iter().map(|column| (0..2).map(|row| cell(column, row)).collect()).collect();
    assert_eq!(cells, [["g", "g"], ["1", "2.5"], ["2024-03-01", "?"], ["true", "no"], ["?", "x"]]);
    let notices: Vec<&Notice> = read.warnings.iter().map(|warning| &warning.notice).collect();
    assert!(
        notices.contains(&&Notice::Merged { areas: 1 })
            && notices.contains(&&Notice::Titles { lines: 1, header: 2 }),
        "{notices:?}"
    );
}

#[test]
fn an_ods_of_repeated_cells_is_refused_before_it_takes_memory() {
    let cell = "<table:table-cell table:number-columns-repeated=\"16000\" office:value-type=\"string\"><text:p>xxxxxxxx</text:p></table:table-cell>";
    let row = format!("<table:table-row table:number-rows-repeated=\"1000000\">{cell}</table:table-row>");
    assert!(refused(&ods(&row)).contains("unfolds"), "{}", refused(&ods(&row)));
    let deep = "<text:span>".repeat(1000);
    assert!(refused(&ods(&deep)).contains("deep"), "{}", refused(&ods(&deep)));
}

#[test]
fn a_workbook_is_read_with_titles_formulas_dates_and_merged_cells() {
    use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
    let mut book = Workbook::new();
    let notes = book.add_worksheet();
    notes.set_name("notes").unwrap();
    notes.write(0, 0, "made by hand").unwrap();
    let sheet = book.add_worksheet();
    let plain = Format::new();
    sheet.merge_range(0, 0, 0, 4, "Key to things", &plain).unwrap();
    sheet.merge_range(1, 1, 1, 2, "leaf", &plain).unwrap();
    sheet.merge_range(1, 3, 1, 4, "flower", &plain).unwrap();
    for (column, name) in (0..).zip(["thing", "colour", "size", "colour", "seen"]) {
        sheet.write(2, column, name).unwrap();
    }
    sheet.write(3, 0, "a").unwrap();
    sheet.merge_range(3, 1, 4, 1, "green", &plain).unwrap();
    sheet.write(3, 2, 1.0).unwrap();
    sheet.write(3, 3, true).unwrap();
    let day = ExcelDateTime::from_ymd(2024, 3, 1).unwrap();
    sheet.write_with_format(3, 4, &day, &Format::new().set_num_format("yyyy-mm-dd")).unwrap();
    sheet.write(4, 0, "b").unwrap();
    sheet.write(4, 2, Formula::new("=1+1.5").set_result("2.5")).unwrap();
    sheet.write(4, 3, "false").unwrap();
    sheet.write(4, 4, "never").unwrap();
    let read = read(&book.save_to_buffer().unwrap());
    let cells: Vec<(&str, Vec<&str>)> = read
        .table
        .columns
        .iter()
        .map(|column| (column.name.as_str(), (0..2).map(|row| cell(column, row)).collect()))
        .collect();
    let expected = [
        ("leaf: colour", vec!["green", "green"]),
        ("leaf: size", vec!["1", "2.5"]),
        ("flower: colour", vec!["true", "false"]),
        ("flower: seen", vec!["2024-03-01", "never"]),
    ];
    assert_eq!(cells, expected);
    let words: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    assert!(words.iter().any(|line| line.contains("the sheet `Sheet2`")), "{words:?}");
    assert!(words.iter().any(|line| line.contains("1 other sheet")), "{words:?}");
}

#[test]
fn wrong_bytes_get_one_clear_message() {
    for (bytes, message) in [
        (&b"#NEXUS\nbegin data; dimensions ntax=1 nchar=2; matrix a 01"[..], "this NEXUS file"),
        (b"#NEXUS\nbegin data; dimensions ntax=1 nchar=2; matrix a 0 b 01;end;", "taxon `01` has 0 states"),
        (b"#NEXUS\nbegin data; dimensions nchar=99999999; matrix a 01; end;", "column"),
        (b"#NEXUS\n[never closed", "line 2 is never closed"),
        (b"#NEXUS\nbegin trees; tree a = 1; end;", "no block DATA or CHARACTERS"),
        (b"{\"$schema\": \"Clavis\", \"taxa\": [", "this Clavis file"),
        (b"{\"$schema\": \"Clavis\"}", "there is no list `taxa`"),
        (
            b"<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"b\">]><Datasets>&a;</Datasets>",
            "entities of its own",
        ),
        (
            b"<?xml version=\"1.0\"?><Datasets xmlns=\"http://rs.tdwg.org/UBIF/2006/\"><Dataset/></Datasets>",
            "no CodedDescriptions",
        ),
        (b"<?xml version=\"1.0\"?><Datasets><Dataset>", "ends before its elements do"),
        (b"*SHOW x\n*CHARACTER LIST\n#1. a/\n", "there is no ITEM DESCRIPTIONS"),
        (b"*ITEM DESCRIPTIONS\n# a/ 1,1\n", "there is no CHARACTER LIST"),
        (b"*SHOW x\n*NUMBER OF CHARACTERS 0\n", "NUMBER OF CHARACTERS is `0`"),
        (b"ARROW1\0\0broken", "this Arrow file"),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1broken", "this XLS file"),
    ] {
        let found = refused(bytes);
        assert!(found.contains(message) && found.lines().count() == 1, "{found}\nshould contain: {message}");
    }
    let deep = format!("{{\"$schema\": \"Clavis\", \"taxa\": {}", "[".repeat(100_000));
    assert!(refused(deep.as_bytes()).contains("recursion limit"), "{}", refused(deep.as_bytes()));
}
