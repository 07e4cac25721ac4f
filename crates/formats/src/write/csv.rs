//! Tables as CSV.

use fewest_model::Table;
use std::borrow::Cow;
use std::io::{Result, Write};

/// Writes `table` as CSV, the names first. Rows about the tests, such as `@cost`, follow the header.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_csv(out: impl Write, table: &Table) -> Result<()> {
    write_table(out, table, ",")
}

/// Writes `table` as [`write_csv`] does, with tabs between the cells.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_tsv(out: impl Write, table: &Table) -> Result<()> {
    write_table(out, table, "\t")
}

fn write_table(mut out: impl Write, table: &Table, separator: &str) -> Result<()> {
    let header = table.columns.iter().map(|column| column.name.as_str());
    write_row(&mut out, separator, &table.object_column, header)?;
    for about in &table.about {
        write_row(&mut out, separator, &format!("@{}", about.what), about.cells.iter().map(String::as_str))?;
    }
    for (row, name) in table.objects.iter().enumerate() {
        let cells = table.columns.iter().map(|column| column.labels.get(column.codes.get(row) as usize));
        write_row(&mut out, separator, name, cells)?;
    }
    out.flush()
}

fn write_row<'a>(
    out: &mut impl Write,
    separator: &str,
    name: &str,
    cells: impl Iterator<Item = &'a str>,
) -> Result<()> {
    out.write_all(quoted(name).as_bytes())?;
    for cell in cells {
        out.write_all(separator.as_bytes())?;
        out.write_all(quoted(cell).as_bytes())?;
    }
    out.write_all(b"\n")
}

/// First bytes of other kinds of file; a header that begins with them is quoted, so that it is read as CSV.
const OTHER_KINDS: [&str; 4] = ["PAR1", "%PDF", "PK\u{3}\u{4}", "\u{FEFF}"];

/// The cell, in quotes if it could be read as something else.
pub fn quoted(cell: &str) -> Cow<'_, str> {
    let looks_odd = OTHER_KINDS.iter().any(|start| cell.starts_with(start));
    if looks_odd || cell.contains([',', '"', '\n', '\r', ';', '\t']) || cell.trim() != cell {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{ReadOptions, read_table_from};

    #[test]
    fn a_header_that_looks_like_another_kind_of_file_is_read_again() {
        for name in ["PAR1 of 2", "%PDF", "PK\u{3}\u{4}", "\u{FEFF}x"] {
            let table = Table::from_rows(&[&[name, "t"], &["a", "1"]]);
            let mut text = Vec::new();
            write_csv(&mut text, &table).unwrap();
            let (again, _) = read_table_from(&text[..], "again", &ReadOptions::default()).unwrap();
            assert_eq!(again.object_column, name);
        }
    }

    #[test]
    fn a_table_with_tabs_is_read_again() {
        let table = Table::from_rows(&[&["o", "a, b", "c"], &["x", "1\t2", "\"y\""], &["z", "", "=1"]]);
        let mut text = Vec::new();
        write_tsv(&mut text, &table).unwrap();
        assert!(text.starts_with(b"o\t"));
        let (again, _) = read_table_from(&text[..], "again.tsv", &ReadOptions::default()).unwrap();
        let mut csv = [Vec::new(), Vec::new()];
        write_csv(&mut csv[0], &table).unwrap();
        write_csv(&mut csv[1], &again).unwrap();
        assert_eq!(csv[0], csv[1]);
    }
}
