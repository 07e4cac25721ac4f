//! Tables as CSV.

use fewest_model::Table;
use std::borrow::Cow;
use std::io::{Result, Write};

/// Writes `table` as CSV, the names first; rows that speak of the tests follow the header.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_csv(mut out: impl Write, table: &Table) -> Result<()> {
    let header = table.columns.iter().map(|column| column.name.as_str());
    write_row(&mut out, &table.object_column, header)?;
    for about in &table.about {
        write_row(&mut out, &format!("@{}", about.what), about.cells.iter().map(String::as_str))?;
    }
    for (row, name) in table.objects.iter().enumerate() {
        let cells = table.columns.iter().map(|column| column.labels.get(column.codes.get(row) as usize));
        write_row(&mut out, name, cells)?;
    }
    out.flush()
}

fn write_row<'a>(out: &mut impl Write, name: &str, cells: impl Iterator<Item = &'a str>) -> Result<()> {
    out.write_all(quoted(name).as_bytes())?;
    for cell in cells {
        out.write_all(b",")?;
        out.write_all(quoted(cell).as_bytes())?;
    }
    out.write_all(b"\n")
}

/// The cell, in quotes if it could be taken for something else.
pub fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains([',', '"', '\n', '\r', ';', '\t']) || cell.trim() != cell {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}
