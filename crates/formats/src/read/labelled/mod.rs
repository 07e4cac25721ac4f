//! Labelled data: rows that need no names, columns of numbers kept as numbers.
//!
//! A [`Table`](fewest_model::Table) keeps every text once per column, which suits answers. A million measured numbers
//! would be a million texts, so here a column becomes one of numbers as soon as it has shown enough of them.

mod column;
mod rows;

pub use rows::Rows;

#[cfg(feature = "parquet")]
use crate::read::arrow_text::each_text;
#[cfg(feature = "parquet")]
use crate::read::batches::Batches;
use crate::read::cells::bad_cell;
use crate::read::delimited::texts;
use crate::read::find_layout;
use crate::read::header::name_unnamed;
use crate::read::source::Input;
use crate::read::split::{Record, Records};
use crate::read::{Problem, ReadError, Source};
use column::Builder;
use fewest::learn::Field;
use memchr::memchr;
use std::collections::BTreeMap;
use std::io::Read;

/// Contents of a file of labelled data.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Columns that were asked for, in the order of the file.
    pub fields: Vec<Field>,
    /// Names of all columns.
    pub header: Vec<String>,
    /// Costs of columns, from the row `@cost`.
    pub costs: Vec<(String, f64)>,
}

/// Reads labelled data from CSV, TSV or Parquet, without the columns `skip`. In the column `object`, a name that
/// begins with `@` marks a row about the columns.
///
/// # Errors
/// When there is no such file, or it holds no table; the error says where and what to do.
pub fn read_data(source: Source<'_>, object: &str, skip: &[String]) -> Result<Data, ReadError> {
    let read = source.open().and_then(|input| match input.csv()? {
        Ok(text) => of_text(text, object, skip),
        Err(Input::Text(text)) => of_text(text, object, skip),
        #[cfg(feature = "parquet")]
        Err(Input::ParquetFile(file)) => of_batches(Batches::open(file, BATCH_CELLS)?, object, skip),
        #[cfg(feature = "parquet")]
        Err(Input::ParquetBytes(bytes)) => of_batches(Batches::open(bytes, BATCH_CELLS)?, object, skip),
        Err(Input::Other(kind, _)) => Err(Problem::NotText { what: kind.words() }),
        Err(Input::Files(_)) => Err(Problem::Directory),
    });
    read.map_err(|problem| ReadError { file: source.to_string(), problem })
}

/// Reads labelled data from any stream of text, like [`read_data`].
///
/// # Errors
/// When the stream breaks, or holds no table.
pub fn read_data_from(
    input: impl Read,
    file: &str,
    object: &str,
    skip: &[String],
) -> Result<Data, ReadError> {
    of_text(input, object, skip).map_err(|problem| ReadError { file: file.to_owned(), problem })
}

fn header<R: Read>(records: &mut Records<R>) -> Result<Vec<String>, Problem> {
    let separator = records.separator();
    let layout = records.layout();
    let (row, header) = records.next()?.ok_or(Problem::Empty)?;
    let mut names: Vec<String> = texts(row, &header, separator)?.into_iter().map(str::to_owned).collect();
    if layout.lacks_first_name {
        names.insert(0, String::new());
    }
    name_unnamed(&mut names);
    checked(row, names.iter().map(String::as_str))
}

/// Trimmed names of the columns; an error if one is empty or comes twice.
fn checked<'a>(row: usize, names: impl Iterator<Item = &'a str>) -> Result<Vec<String>, Problem> {
    let header: Vec<String> = names.map(|name| name.trim().to_owned()).collect();
    let mut positions = BTreeMap::new();
    for (name, position) in header.iter().zip(1..) {
        if name.is_empty() {
            return Err(Problem::UnnamedColumn { row, position });
        }
        if let Some(first) = positions.insert(name.clone(), position) {
            return Err(Problem::SameColumn { name: name.clone(), first, second: position });
        }
    }
    Ok(header)
}

fn of_text(input: impl Read, object: &str, skip: &[String]) -> Result<Data, Problem> {
    let mut records = find_layout::lenient(input)?;
    let separator = records.separator();
    let header = header(&mut records)?;
    let mut builders = builders(&header, object, skip);
    let object_at = header.iter().position(|name| name == object);
    let mut costs = Vec::new();
    while let Some((row, record)) = records.next().map_err(|problem| problem.named(&header))? {
        if let Some(at) = object_at
            && let Some(name) = record.cells(separator).nth(at)
            && name.trim_ascii_start().starts_with(b"@")
        {
            about(row, &record, separator, at, &header, &mut costs)?;
            continue;
        }
        add(&mut builders, row, &record, separator).map_err(|problem| problem.named(&header))?;
    }
    Ok(finished(header, builders, costs))
}

/// Builders, one for each column that is wanted.
fn builders(header: &[String], object: &str, skip: &[String]) -> Vec<Option<Builder>> {
    let is_wanted = |name: &String| !skip.contains(name) && name != object;
    header.iter().map(|name| is_wanted(name).then(Builder::default)).collect()
}

fn finished(header: Vec<String>, builders: Vec<Option<Builder>>, costs: Vec<(String, f64)>) -> Data {
    let named = header.iter().zip(builders);
    let fields = named.filter_map(|(name, builder)| builder.map(|builder| builder.finish(name))).collect();
    Data { fields, header, costs }
}

/// Adds the cells of a record to their columns.
fn add(
    builders: &mut [Option<Builder>],
    row: usize,
    record: &Record<'_>,
    separator: u8,
) -> Result<(), Problem> {
    let expected = builders.len();
    let ragged = || Problem::Ragged { row, expected, found: record.count(separator) };
    let mut push = |at: usize, cell: &[u8]| match builders.get_mut(at) {
        Some(Some(builder)) => builder.push(cell, row).map_err(|bad| bad_cell(bad, row, at)),
        Some(None) => Ok(()),
        None => Err(ragged()),
    };
    let mut count = 0;
    match record {
        Record::Line(line) => {
            let mut rest = *line;
            loop {
                let end = memchr(separator, rest).unwrap_or(rest.len());
                push(count, &rest[..end])?;
                count += 1;
                match rest.get(end + 1..) {
                    Some(more) => rest = more,
                    None => break,
                }
            }
        }
        Record::Cells(_) => {
            for cell in record.cells(separator) {
                push(count, cell)?;
                count += 1;
            }
        }
    }
    if count == expected { Ok(()) } else { Err(ragged()) }
}

/// Reads a row about the columns.
fn about(
    row: usize,
    record: &Record<'_>,
    separator: u8,
    object_at: usize,
    header: &[String],
    costs: &mut Vec<(String, f64)>,
) -> Result<(), Problem> {
    let cells = texts(row, record, separator)?;
    if cells.len() != header.len() {
        return Err(Problem::Ragged { row, expected: header.len(), found: cells.len() });
    }
    take_about(row, &cells, object_at, header, costs)
}

fn take_about(
    row: usize,
    cells: &[impl AsRef<str>],
    object_at: usize,
    header: &[String],
    costs: &mut Vec<(String, f64)>,
) -> Result<(), Problem> {
    match cells[object_at].as_ref().trim() {
        "@question" | "@if" | "@needs" => return Ok(()),
        "@cost" => (),
        name => return Err(Problem::UnknownAbout { row, name: name.to_owned() }),
    }
    for ((at, cell), test) in cells.iter().enumerate().zip(header) {
        let text = cell.as_ref().trim();
        if at == object_at || text.is_empty() {
            continue;
        }
        let cost = text.parse().ok().filter(|cost: &f64| cost.is_finite() && *cost > 0.0);
        let wrong = || Problem::Cost { row, test: test.clone(), text: text.to_owned() };
        costs.push((test.clone(), cost.ok_or_else(wrong)?));
    }
    Ok(())
}

/// About the number of cells in memory at a time, besides what is kept of them.
#[cfg(feature = "parquet")]
const BATCH_CELLS: usize = 1 << 18;

/// Reads labelled data from a Parquet file.
#[cfg(feature = "parquet")]
fn of_batches(mut batches: Batches, object: &str, skip: &[String]) -> Result<Data, Problem> {
    let header = checked(1, batches.header().iter().map(String::as_str))?;
    let mut builders = builders(&header, object, skip);
    let object_at = header.iter().position(|name| name == object);
    let mut costs = Vec::new();
    while let Some((first, batch)) = batches.next().map_err(|problem| problem.named(&header))? {
        // Rows about the columns are rare: their cells are kept separately.
        let mut abouts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        if let Some(at) = object_at {
            each_text(batch.column(at), &mut |row, name| {
                if name.trim_start().starts_with('@') {
                    abouts.insert(row, vec![String::new(); header.len()]);
                }
                Ok(())
            })?;
        }
        for (position, array) in batch.columns().iter().enumerate() {
            if builders[position].is_none() && abouts.is_empty() {
                continue;
            }
            let pushed = each_text(array, &mut |row, text| {
                if let Some(cells) = abouts.get_mut(&row) {
                    text.clone_into(&mut cells[position]);
                } else if let Some(builder) = &mut builders[position] {
                    let pushed = builder.push(text.as_bytes(), first + row);
                    pushed.map_err(|bad| bad_cell(bad, first + row, position))?;
                }
                Ok(())
            });
            pushed.map_err(|problem| problem.named(&header))?;
        }
        for (row, cells) in &abouts {
            take_about(first + row, cells, object_at.unwrap_or(0), &header, &mut costs)?;
        }
    }
    Ok(finished(header, builders, costs))
}

#[cfg(test)]
mod tests {
    use super::rows::of_lines;
    #[cfg(feature = "parquet")]
    use super::rows::of_rows;
    use super::*;
    #[cfg(feature = "parquet")]
    use crate::read::batches::TextRows;
    use fewest::learn::{MISSING, Stray, Values};

    fn data(text: &str) -> Result<Data, Problem> {
        of_text(text.as_bytes(), "object", &[])
    }

    fn message(text: &str) -> String {
        data(text).unwrap_err().to_string()
    }

    #[test]
    fn columns_are_numbers_or_words() {
        let data = data(
            "object,x,flag,word,mixed\na,1,0,red,1\nb,2.5,1,\"blue, dark\",x\nb,,0,?,2\nb,-3e2,1,red,3\n",
        )
        .unwrap();
        let names: Vec<&str> = data.fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["x", "flag", "word", "mixed"]);
        let Values::Numbers(x) = &data.fields[0].values else { panic!("numbers") };
        assert_eq!((&x[..2], x[2].is_nan(), x[3]), (&[1.0, 2.5][..], true, -300.0));
        let Values::Words { labels, codes } = &data.fields[2].values else { panic!("words") };
        assert_eq!((labels.get(1), &codes[..]), ("blue, dark", &[0, 1, MISSING, 0][..]));
        assert!(matches!(data.fields[1].values, Values::Words { .. }));
        assert!(matches!(data.fields[3].values, Values::Words { .. }));
    }

    #[test]
    fn a_word_in_a_column_of_numbers_is_remembered_with_its_place() {
        for rows in [40, 6000] {
            let mut text = "x,y\n".to_owned();
            (0..rows).for_each(|row| text += &format!("{row}.5,a\n"));
            text += "12.5 kg,b\n7,a\nheavy,b\n";
            let data = data(&text).unwrap();
            let Values::Numbers(values) = &data.fields[0].values else { panic!("numbers") };
            assert_eq!((values.len(), values[rows].is_nan(), values[rows + 1]), (rows + 3, true, 7.0));
            let stray = Stray { text: "12.5 kg".to_owned(), row: rows + 2, count: 2 };
            assert_eq!(data.fields[0].stray, Some(stray), "{rows}");
        }
    }

    #[test]
    fn costs_may_stand_in_a_row() {
        let data = data("object,x,y\n@cost,2.5,\n@question,how much?,\na,1,yes\n").unwrap();
        assert_eq!(data.costs, [("x".to_owned(), 2.5)]);
        assert_eq!(data.fields[0].len(), 1);
        assert!(message("object,x\n@cost,-1\n").contains("a cost is a number > 0"));
        assert!(message("object,x\n@price,1\n").contains("`@price` is unknown"));
    }

    #[test]
    fn broken_files_are_refused_with_the_place() {
        assert!(message("").starts_with("the file is empty"));
        assert!(message("a,a\n").contains("both called `a`"));
        assert!(message("a,b\n1,2\n3\n").starts_with("row 3 has 1 cell where the header has 2"));
        assert!(message("a,b\n1,2,3\n").starts_with("row 2 has 3 cells where the header has 2"));
        assert!(message("a,b\n1,x\0\n").starts_with("row 2, column `b`: a NUL byte"));
    }

    #[test]
    fn rows_come_one_by_one() {
        let (header, lines) = of_lines(Box::new(&b"a;b\n 1 ;\"x; y\"\n\n2;\n3\n"[..])).unwrap();
        let mut rows = Rows::new(header, lines, String::new());
        assert_eq!(rows.header(), ["a", "b"]);
        assert_eq!(rows.next().unwrap(), Some((2, vec!["1", "x; y"])));
        assert_eq!(rows.next().unwrap(), Some((4, vec!["2", ""])));
        assert!(rows.next().unwrap_err().to_string().contains("row 5 has 1 cell"));
    }

    /// A Parquet file of texts with the cells of `text`.
    #[cfg(feature = "parquet")]
    fn parquet(text: &str) -> bytes::Bytes {
        use arrow_array::{ArrayRef, RecordBatch, StringArray};
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let rows: Vec<Vec<&str>> = lines.collect();
        let column = |at: usize| -> ArrayRef {
            let cells = rows.iter().map(|row| (!row[at].is_empty()).then_some(row[at]));
            std::sync::Arc::new(cells.collect::<StringArray>())
        };
        let columns = header.iter().enumerate().map(|(at, name)| (*name, column(at), true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        let mut bytes = Vec::new();
        let mut writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        bytes.into()
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn a_parquet_file_holds_what_a_csv_does() {
        let mut text = "object,size,colour,y\n@cost,2,,\n".to_owned();
        for row in 0..9000 {
            let size = if row % 7 == 0 { "?".to_owned() } else { format!("{}.5", row % 50) };
            text.push_str(&format!("o,{size},{},{}\n", ["red", "", "blue"][row % 3], row % 2));
        }
        let skip = ["colour".to_owned()];
        for skip in [&skip[..], &[]] {
            let read =
                of_batches(Batches::open(parquet(&text), BATCH_CELLS).unwrap(), "object", skip).unwrap();
            let expected = of_text(text.as_bytes(), "object", skip).unwrap();
            // Compared as texts, since missing numbers are NaN, which equals nothing.
            assert_eq!(format!("{read:?}"), format!("{expected:?}"));
            assert_eq!(read.costs, [("size".to_owned(), 2.0)]);
        }
        let (header, lines) = of_rows(TextRows::open(parquet(&text)).unwrap()).unwrap();
        let mut rows = Rows::new(header, lines, String::new());
        let (header, lines) = of_lines(Box::new(std::io::Cursor::new(text.into_bytes()))).unwrap();
        let mut expected = Rows::new(header, lines, String::new());
        loop {
            let (row, other) = (rows.next().unwrap(), expected.next().unwrap());
            assert_eq!(row, other);
            if row.is_none() {
                break;
            }
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn mistakes_in_a_parquet_file_have_a_place() {
        let message = |text: &str| {
            let read = of_batches(Batches::open(parquet(text), BATCH_CELLS).unwrap(), "object", &[]);
            read.unwrap_err().to_string()
        };
        assert!(message("object,x\n@cost,0\na,1\n").contains("row 2"));
        assert!(message("object,x\n@what,0\na,1\n").starts_with("row 2: `@what` is unknown"));
        assert!(message("x,y\n1,x\0\n").starts_with("row 2, column `y`: a NUL byte"));
    }
}
