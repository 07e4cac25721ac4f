//! Tables as CSV, TSV and the like.

use super::assemble::{Assembler, Kind};
use super::cells::{self, bad_cell};
use super::line::{self, Mistake};
use super::parallel::Parts;
use super::split::{Record, Records};
use super::wide::{Block, Fault};
use super::{Notice, Problem, ReadOptions, find_layout, shape};
use fewest_model::Table;
use std::io::Read;

/// Reads a table, with what is to be said about the file.
pub(super) fn read(input: impl Read, options: &ReadOptions) -> Result<(Table, Vec<Notice>), Problem> {
    let records = if options.lenient { find_layout::lenient(input)? } else { Records::new(input)? };
    read_records(records, options)
}

fn read_records<R: Read>(
    mut records: Records<R>,
    options: &ReadOptions,
) -> Result<(Table, Vec<Notice>), Problem> {
    let (separator, layout) = (records.separator(), records.layout());
    let mut notices = Vec::new();
    if layout.titles > 0 {
        notices.push(Notice::Titles { lines: layout.titles, header: layout.skipped_rows + 1 });
    }
    let (row, header) = records.next()?.ok_or(Problem::Empty)?;
    // Checked before each cell of the header gets a text of its own.
    let (found, limit) = (header.count(separator), options.limits.columns);
    if found > limit {
        return Err(Problem::TooManyColumns { found, limit });
    }
    let mut header: Vec<String> = texts(row, &header, separator)?.into_iter().map(str::to_owned).collect();
    if layout.lacks_first_name {
        header.insert(0, String::new());
    }
    let (mut table, unnamed) = shape::begin(header, row, options)?;
    let mut parts = Parts::new(separator);
    let mut block = Block::default();
    loop {
        let next = records.next();
        if !matches!(next, Ok(Some(_))) {
            flush(&mut table, &mut block, separator)?;
        }
        let Some((row, record)) = next.map_err(|problem| table.earlier(usize::MAX, problem))? else { break };
        if !keep_back(&mut table, &mut block, row, &record, separator)? {
            flush(&mut table, &mut block, separator)?;
            add(&mut table, row, &record, separator).map_err(|problem| table.earlier(row, problem))?;
            parts.add(&mut table, &mut records);
        }
    }
    if records.is_windows_1252() {
        notices.push(Notice::Windows1252);
    }
    let table = shape::settle(table.finish()?, &unnamed, options, &mut notices)?;
    Ok((table, notices))
}

/// Rows that are read one by one first, so that the columns show what they hold.
const FIRST_ROWS: usize = 16;

/// Keeps a plain line of very many columns back until its block is full; returns whether it did.
fn keep_back(
    table: &mut Assembler,
    block: &mut Block,
    row: usize,
    record: &Record<'_>,
    separator: u8,
) -> Result<bool, Problem> {
    let Record::Line(line) = record else { return Ok(false) };
    if table.object_count() < FIRST_ROWS || !Block::suits(&table.columns) {
        return Ok(false);
    }
    let name = line.split(|&byte| byte == separator).nth(table.object_at()).map(cells::text);
    // What is odd about a name is told by the usual way.
    let Some(Ok(name)) =
        name.filter(|name| name.is_ok_and(|name| !name.trim().is_empty() && !name.trim().starts_with('@')))
    else {
        return Ok(false);
    };
    if let Err(problem) = table.begin(row, name) {
        flush(table, block, separator)?;
        return Err(table.earlier(row, problem));
    }
    if block.push(row, line) {
        flush(table, block, separator)?;
    }
    Ok(true)
}

/// Adds the lines that were kept back.
fn flush(table: &mut Assembler, block: &mut Block, separator: u8) -> Result<(), Problem> {
    let (expected, object_at) = (table.header().len(), table.object_at());
    block.flush(&mut table.columns, object_at, separator).map_err(|Fault { row, cells, mistake }| {
        let ragged = Problem::Ragged { row, expected, found: cells };
        // The same order of importance as for a row that is added by itself.
        let problem = match (mistake, table.double(row + 1)) {
            (_, Some(_)) if cells != expected => ragged,
            (_, Some(double)) => double,
            (Mistake::Cell(bad, at), None) => bad_cell(bad, row, at),
            (Mistake::Length, None) => ragged,
        };
        table.earlier(row, problem)
    })
}

/// Cells of a record as texts.
pub(super) fn texts<'a>(row: usize, record: &Record<'a>, separator: u8) -> Result<Vec<&'a str>, Problem> {
    let cells = record.cells(separator).enumerate();
    cells.map(|(at, cell)| cells::text(cell).map_err(|bad| bad_cell(bad, row, at))).collect()
}

/// Adds one row to the table.
fn add(table: &mut Assembler, row: usize, record: &Record<'_>, separator: u8) -> Result<(), Problem> {
    let expected = table.header().len();
    let object_at = table.object_at();
    // A row of the wrong length is reported first: it explains a wrong name.
    let ragged = || {
        let found = record.count(separator);
        (found != expected).then_some(Problem::Ragged { row, expected, found })
    };
    let name = record.cells(separator).nth(object_at).unwrap_or_default();
    let name = cells::text(name).map_err(|bad| bad_cell(bad, row, object_at))?;
    let kind = table.begin(row, name).map_err(|problem| ragged().unwrap_or(problem))?;
    let others = |at: &usize| *at != object_at;
    let added = match (kind, record) {
        (Kind::Object, Record::Line(line)) => {
            let columns = &mut table.columns;
            let added = line::add(columns, object_at, line, separator).map_err(|mistake| match mistake {
                Mistake::Cell(bad, at) => bad_cell(bad, row, at),
                Mistake::Length => ragged().expect("a line of the right length fills the columns"),
            });
            added.map(|as_expected| {
                if !as_expected {
                    columns.miss(object_at, separator);
                }
            })
        }
        _ if let Some(ragged) = ragged() => Err(ragged),
        (Kind::Object, Record::Cells(cells)) => {
            let cells = cells.iter().enumerate().filter(|(at, _)| others(at));
            let mut columns = table.columns.iter_mut().zip(cells);
            columns.try_for_each(|(mut column, (at, cell))| {
                column.push(cell).map(|_| ()).map_err(|bad| bad_cell(bad, row, at))
            })
        }
        (Kind::About(about), _) => texts(row, record, separator).map(|texts| {
            let texts = texts.into_iter().enumerate().filter(|(at, _)| others(at));
            texts.enumerate().for_each(|(column, (_, text))| table.say(about, column, text));
        }),
    };
    // A duplicate name is reported before other mistakes of the row.
    added.map_err(|problem| table.double(row + 1).map_or(problem, |double| ragged().unwrap_or(double)))
}

#[cfg(test)]
mod tests {
    use super::super::split::RECORD_LIMIT;
    use super::*;
    use proptest::prelude::*;

    fn table(text: &str) -> Result<Table, Problem> {
        bytes(text.as_bytes()).map(|(table, _)| table)
    }

    fn bytes(bytes: &[u8]) -> Result<(Table, Vec<Notice>), Problem> {
        read(bytes, &ReadOptions::default())
    }

    fn cells(table: &Table, column: &str) -> Vec<String> {
        let column = table.column(column).unwrap();
        column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
    }

    fn message(text: impl AsRef<[u8]>) -> String {
        bytes(text.as_ref()).unwrap_err().to_string()
    }

    #[test]
    fn a_table_is_read_cell_by_cell() {
        let table = table("name,legs,colour\nbear,4,\"brown, or black\"\nhen, 2 ,\nowl,2,?").unwrap();
        assert_eq!(table.object_column, "name");
        assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["bear", "hen", "owl"]);
        assert_eq!(cells(&table, "legs"), ["4", "2", "2"]);
        assert_eq!(cells(&table, "colour"), ["brown, or black", "?", "?"]);
        assert_eq!(table.column("colour").unwrap().missing.unwrap().count, 2);
        assert_eq!(table.columns.iter().map(|column| column.position).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn the_names_may_stand_in_any_column() {
        for (object, others) in [("a", ["b", "c"]), ("b", ["a", "c"]), ("c", ["a", "b"])] {
            let options = ReadOptions { object: Some(object.to_owned()), ..ReadOptions::default() };
            for text in ["a,b,c\na1,b1,c1\na2,b2,c2\n", "a,b,c\n\"a1\",b1,c1\na2,b2,\"c2\"\n"] {
                let (table, _) = read(text.as_bytes(), &options).unwrap();
                assert_eq!(table.object_column, object);
                assert!(table.objects.iter().eq([format!("{object}1"), format!("{object}2")]));
                for other in others {
                    assert_eq!(cells(&table, other), [format!("{other}1"), format!("{other}2")]);
                }
            }
        }
    }

    #[test]
    fn rows_about_the_tests_are_no_objects() {
        let table = table("o,t,u\n@cost, 2 ,\na,x,y\n\n@question,\"is it, t?\",\nb,x,y\n").unwrap();
        assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["a", "b"]);
        assert!(table.other_rows.iter().eq([2, 4, 5]));
        let about: Vec<_> =
            table.about.iter().map(|about| (about.what.as_str(), about.row, &about.cells)).collect();
        let (costs, questions) =
            (vec!["2".to_owned(), String::new()], vec!["is it, t?".to_owned(), String::new()]);
        assert_eq!(about, [("cost", 2, &costs), ("question", 5, &questions)]);
        assert_eq!(table.row_of(fewest_model::ObjectId(1)), 6);
    }

    #[test]
    fn a_header_alone_is_a_table_without_objects() {
        let table = table("o,t\n").unwrap();
        assert!(table.objects.is_empty() && table.columns.len() == 1);
    }

    #[test]
    fn one_column_is_a_table_of_names() {
        let table = table("o\na\n\nb c\n").unwrap();
        assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["a", "b c"]);
        assert!(table.columns.is_empty());
    }

    #[test]
    fn issue_21_item_12_blank_lines_take_no_memory_each() {
        let blank = std::io::repeat(b'\n').take(20_000_000);
        let text = (&b"o,t\na,1\n"[..]).chain(blank).chain(&b"b,2\n"[..]);
        let (table, _) = read(text, &ReadOptions::default()).unwrap();
        assert_eq!(table.row_of(fewest_model::ObjectId(1)), 20_000_003);
        assert_eq!(table.other_rows.iter().count(), 20_000_000);
        assert!(format!("{:?}", table.other_rows).len() < 100, "one run");
    }

    #[test]
    fn nothing_or_blank_lines_are_an_empty_file() {
        for text in ["", "\n", "\r\n  \n", "\u{FEFF}"] {
            assert_eq!(table(text).unwrap_err(), Problem::Empty);
        }
    }

    #[test]
    fn rows_out_of_step_are_reported_before_what_they_seem_to_say() {
        assert_eq!(
            message("o,t\na,1\nb,2,3\n"),
            "row 3 has 3 cells where the header has 2; put quotes around a cell that holds the separator, as in \"a, b\""
        );
        let few = "row 3 has 1 cell where the header has 3; fill up the row (an empty cell is missing), or put quotes around \
                   a cell that holds a line break";
        assert_eq!(message("o,t,u\na,1,2\nb\n"), few);
        assert_eq!(message("o,t,u\na,1,2\na\n"), few);
        assert_eq!(message("o,t,u\na,1,2\n\"a\"\n"), few);
        assert!(message("o,t\n,a,1\n").starts_with("row 2 has 3 cells"));
        assert!(message("o,t\n@cost,1,2\n").starts_with("row 2 has 3 cells"));
        assert!(message("o,t\na,1,\n").starts_with("row 2 has 3 cells"));
    }

    #[test]
    fn a_nul_byte_is_refused_wherever_it_stands() {
        let way_out = "a NUL byte, which no text holds; save the file as plain text in UTF-8";
        assert_eq!(message("o\0,t\n"), format!("row 1, column 1: {way_out}"));
        assert_eq!(message("o,t\na\0,1\n"), format!("row 2, column `o`: {way_out}"));
        assert_eq!(message("o,t\na,1\nb,1\0\n"), format!("row 3, column `t`: {way_out}"));
        assert_eq!(message("o,t\na,1\nb,\"1\0\"\n"), format!("row 3, column `t`: {way_out}"));
        assert_eq!(message("o,t,u\na,1,1\nb,\0,1\n"), format!("row 3, column `t`: {way_out}"));
    }

    /// Table of 1,100 columns with words of several lengths, as lines; cell (`row`, `column`) may be replaced.
    fn wide_lines(rows: usize, replaced: &[(usize, usize, &str)], separator: char) -> Vec<String> {
        let cell = |row: usize, column: usize| {
            let other = replaced
                .iter()
                .find(|(r, c, _)| (*r, *c) == (row, column))
                .map(|(_, _, text)| (*text).to_owned());
            other.unwrap_or_else(|| "x".repeat(1 + (row * 7 + column * 3 + row * column) % 11))
        };
        let line = |row: usize| {
            let cells: Vec<String> = (0..1100).map(|column| cell(row, column)).collect();
            let (left, right) = cells.split_at(40);
            [left, &[format!("o{row}")], right].concat().join(&separator.to_string())
        };
        let names: Vec<String> = (0..1100).map(|column| format!("t{column}")).collect();
        let (left, right) = names.split_at(40);
        let header = [left, &["name".to_owned()], right].concat().join(&separator.to_string());
        std::iter::once(header).chain((0..rows).map(line)).collect()
    }

    fn wide_table(lines: &[String]) -> Result<Table, Problem> {
        let options = ReadOptions { object: Some("name".to_owned()), ..ReadOptions::default() };
        read((lines.join("\n") + "\n").as_bytes(), &options).map(|(table, _)| table)
    }

    #[test]
    fn many_columns_are_read_like_few() {
        for rows in [3, 16, 17, 80, 81, 150] {
            let lines = wide_lines(rows, &[(rows / 2, 500, "\"quo,ted\"")], ',');
            let table = wide_table(&lines).unwrap();
            assert_eq!(table.objects.len(), rows);
            for (row, line) in lines[1..].iter().enumerate() {
                let cells: Vec<&str> = line.split(',').collect();
                assert_eq!(table.objects.get(row), cells[40], "{rows}");
                if row != rows / 2 {
                    for (column, cell) in cells[..40].iter().chain(&cells[41..]).enumerate() {
                        assert_eq!(cells_of(&table, column, row), *cell, "{rows} {row} {column}");
                    }
                }
            }
            assert_eq!(cells_of(&table, 500, rows / 2), "quo,ted");
        }
    }

    fn cells_of(table: &Table, column: usize, row: usize) -> &str {
        table.columns[column].labels.get(table.columns[column].codes.get(row) as usize)
    }

    #[test]
    fn the_first_mistake_of_many_columns_is_told() {
        let mistakes: [(usize, usize, &str); 2] = [(60, 3, "a\0b"), (40, 900, "a\0b")];
        let told = |lines: &[String]| wide_table(lines).unwrap_err().to_string();
        assert!(
            told(&wide_lines(100, &mistakes, ',')).contains("row 42"),
            "{}",
            told(&wide_lines(100, &mistakes, ','))
        );
        let mut lines = wide_lines(100, &mistakes, ',');
        lines[30] += ",more";
        assert!(
            told(&lines).starts_with("row 31 has 1102 cells where the header has 1101; "),
            "{}",
            told(&lines)
        );
        let mut lines = wide_lines(100, &[], ',');
        lines[70] = lines[70].replace(",o69,", ",o20,");
        lines[90] += ",more";
        assert!(told(&lines).contains("`o20`"), "{}", told(&lines));
    }

    #[test]
    fn windows_1252_is_read_and_said_to_be() {
        let (table, notices) = bytes(b"o;Gr\xF6\xDFe\nB\xE4r;gro\xDF\n").unwrap();
        assert_eq!(notices, [Notice::Windows1252]);
        assert_eq!((table.objects.get(0), table.columns[0].name.as_str()), ("Bär", "Größe"));
        assert!(bytes("o;Größe\n".as_bytes()).unwrap().1.is_empty());
    }

    #[test]
    fn bytes_of_no_encoding_are_refused_with_their_place() {
        let way_out =
            "the bytes here are neither UTF-8 nor Windows-1252, or a mixture; save the file as UTF-8";
        assert_eq!(message(b"o,t\na,\xC3\xA9\nb,caf\xE9\n"), format!("row 3, column `t`: {way_out}"));
        assert_eq!(message(b"o,t\n\xE9,1\nb,\xC3\xA9\n"), format!("row 3, column `t`: {way_out}"));
        assert_eq!(message(b"o,t\n\xE9,1\nb\x81,1\n"), format!("row 3, column `o`: {way_out}"));
        assert_eq!(message(b"o,\x9D\n"), format!("row 1, column 2: {way_out}"));
    }

    #[test]
    fn mistakes_with_quotes_name_the_column() {
        assert!(
            message("o,t\na,\"1\nb,2\n")
                .starts_with("row 2, column `t`: the quote that opens here is never closed")
        );
        assert!(message("o,t\na,\"1\"2\n").starts_with("row 2, column `t`: text follows the closing quote"));
    }

    #[test]
    fn a_cell_of_a_million_letters_and_ten_thousand_columns_are_fine() {
        let long = "x".repeat(1_000_000);
        assert_eq!(cells(&table(&format!("o,t\na,{long}\nb,\"{long}\"\n")).unwrap(), "t"), [&*long, &*long]);
        let header: String = (0..10_000).map(|number| format!(",t{number}")).collect();
        let wide = table(&format!("o{header}\na{}\n", ",1".repeat(10_000))).unwrap();
        assert_eq!(wide.columns.len(), 10_000);
    }

    #[test]
    fn a_name_that_came_twice_goes_before_all_that_is_wrong_after_it() {
        let double = "rows 2 and 4 are both called `a`; give each object its own name";
        for after in ["", "c\n", "c,\0\n", ",1\n", "@x,1\n", "c,\"1\n", "a,1\nb,1\n"] {
            assert_eq!(message(format!("o,t\na,1\nb,1\na,1\n{after}")), double);
        }
        assert_eq!(message("o,t\na,1\nb,1\na,\0\n"), double);
        assert!(message("o,t\na,1\nb,1\na,\0,\n").starts_with("row 4 has 3 cells"));
        assert!(message("o,t\na,1\nb,\0\na,1\n").starts_with("row 3, column `t`: a NUL byte"));
    }

    /// Texts that a column may hold: mostly of one or two bytes, shared by many rows.
    const POOLS: [&[&str]; 10] = [
        &["0", "1"],
        &["1", "0"],
        &["y", "n"],
        &["x"],
        &["0", "1", "2"],
        &["0", " 1", "1"],
        &["", "?", "1"],
        &[",", "a", "\""],
        &["é", "e", "\n"],
        &["yes", "no", "a text of some length"],
    ];

    /// Cells by row, the header first, and the column of the names. About one row in `odds` has the name of another
    /// row, and about one has the wrong length or is not text.
    fn rows(most: usize, odds: usize) -> impl Strategy<Value = (Vec<Vec<String>>, usize)> {
        let columns =
            prop::collection::vec(prop_oneof![8 => Just(0), 2 => 1..4_usize, 1 => 4..POOLS.len()], 0..30);
        (columns, 0..most, any::<u64>(), 0..31_usize).prop_map(move |(columns, rows, seed, object_at)| {
            let object_at = object_at.min(columns.len());
            let mut random = seed;
            let mut next = move |below: usize| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as usize % below
            };
            let mut all = vec![(0..=columns.len()).map(|at| format!("t{at}")).collect::<Vec<_>>()];
            for row in 0..rows {
                let mut cell = |pool: &[&str]| {
                    let usual = pool.len().min(2);
                    let texts = if next(9) == 0 { pool.len() } else { usual };
                    pool[next(texts)].to_owned()
                };
                let mut cells: Vec<String> = columns.iter().map(|&pool| cell(POOLS[pool])).collect();
                cells.insert(object_at, if next(odds) == 0 { "o0".to_owned() } else { format!("o{row}") });
                match next(3 * odds) {
                    0 => _ = cells.pop(),
                    1 => cells.push("0".to_owned()),
                    2 => cells[0].push('\0'),
                    _ => {}
                }
                all.push(cells);
            }
            (all, object_at)
        })
    }

    fn quoted(cell: &str) -> String {
        format!("\"{}\"", cell.replace('"', "\"\""))
    }

    /// The cell, quoted only where that is needed.
    fn plain(cell: &str) -> String {
        if cell.contains(['"', ',', '\n', '\r']) { quoted(cell) } else { cell.to_owned() }
    }

    fn written(rows: &[Vec<String>], cell: fn(&str) -> String, line_break: &str) -> String {
        let line = |cells: &Vec<String>| cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(",");
        rows.iter().map(line).collect::<Vec<_>>().join(line_break)
    }

    /// Quoted cells are read one by one; cells without quotes by all short cuts. Both must return the same table.
    fn quotes_change_nothing(rows: &[Vec<String>], object_at: usize, line_break: &str, chunk: usize) {
        let options = ReadOptions { object: Some(format!("t{object_at}")), ..ReadOptions::default() };
        let one_by_one = written(rows, quoted, line_break);
        let expected = read(one_by_one.as_bytes(), &options).map(|(table, _)| format!("{table:?}"));
        for end in ["", line_break] {
            let text = written(rows, plain, line_break) + end;
            let records = Records::with_sizes(text.as_bytes(), chunk, RECORD_LIMIT).unwrap();
            let found = read_records(records, &options).map(|(table, _)| format!("{table:?}"));
            assert_eq!(found, expected);
        }
    }

    proptest! {
        #[test]
        fn quotes_that_are_not_needed_change_nothing(
            (rows, object_at) in rows(30, 130), line_break in prop_oneof!["\n", "\r\n", "\r"], chunk in 300..2000_usize,
        ) {
            // A line without any text is blank, and is not a row.
            prop_assume!(rows[0].len() > 1);
            quotes_change_nothing(&rows, object_at, &line_break, chunk);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Enough rows that threads share the lines.
        #[test]
        fn quotes_that_are_not_needed_change_nothing_in_long_tables(
            (rows, object_at) in rows(1500, 3000), line_break in prop_oneof!["\n", "\r\n"], chunk in 300..4000_usize,
        ) {
            prop_assume!(rows[0].len() > 1);
            quotes_change_nothing(&rows, object_at, &line_break, chunk);
        }
    }
}
