//! Tables as workbooks: a sheet with the table, and sheets with its texts.

use super::sides::side_tables;
use crate::texts::Texts;
use fewest_model::Table;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, Worksheet, XlsxError};
use std::io::{Error, Result, Write};

/// Rows, columns and letters of a cell that a sheet may have.
const MOST_ROWS: usize = 1 << 20;
const MOST_COLUMNS: usize = 1 << 14;
const MOST_LETTERS: usize = 32_767;

/// Writes a table with its texts as a workbook.
///
/// # Errors
/// When `out` cannot be written, or the table is too large for a sheet.
pub fn write_xlsx(out: &mut dyn Write, table: &Table, texts: &Texts) -> Result<()> {
    let (rows, columns) = (1 + table.about.len() + table.objects.len(), 1 + table.columns.len());
    if rows > MOST_ROWS || columns > MOST_COLUMNS {
        return Err(Error::other(format!(
            "a sheet has at most {MOST_ROWS} rows and {MOST_COLUMNS} columns, and the table has {rows} and {columns}; write CSV"
        )));
    }
    let mut book = Workbook::new();
    // Nothing in a file depends on when it was written.
    let date = ExcelDateTime::from_ymd(2000, 1, 1).map_err(wrong)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&date));
    fill(book.add_worksheet(), table).map_err(wrong)?;
    for (name, rows) in side_tables(texts) {
        let sheet = book.add_worksheet();
        sheet.set_name(name).map_err(wrong)?;
        for (row, cells) in (0..).zip(&rows) {
            for (column, text) in (0..).zip(cells) {
                write(sheet, row, column, text, false).map_err(wrong)?;
            }
        }
    }
    out.write_all(&book.save_to_buffer().map_err(wrong)?)
}

fn wrong(error: XlsxError) -> Error {
    Error::other(error.to_string())
}

fn fill(sheet: &mut Worksheet, table: &Table) -> std::result::Result<(), XlsxError> {
    sheet.set_name("table")?;
    sheet.set_freeze_panes(1, 1)?;
    let mut row = 0;
    let header = std::iter::once(table.object_column.as_str())
        .chain(table.columns.iter().map(|column| column.name.as_str()));
    for (column, name) in (0..).zip(header) {
        write(sheet, row, column, name, false)?;
    }
    for about in &table.about {
        row += 1;
        write(sheet, row, 0, &format!("@{}", about.what), false)?;
        for (column, text) in (1..).zip(&about.cells) {
            write(sheet, row, column, text, true)?;
        }
    }
    for (object, name) in table.objects.iter().enumerate() {
        row += 1;
        write(sheet, row, 0, name, false)?;
        for (column, cells) in (1..).zip(&table.columns) {
            write(sheet, row, column, cells.labels.get(cells.codes.get(object) as usize), true)?;
        }
    }
    Ok(())
}

/// Writes a cell; a number that a spreadsheet shows as it stands is written as a number.
fn write(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    text: &str,
    may_be_number: bool,
) -> std::result::Result<(), XlsxError> {
    if text.is_empty() {
        return Ok(());
    }
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|number| may_be_number && number.to_string() == text && number.abs() < 1e15);
    match number {
        Some(number) => sheet.write_number(row, column, number)?,
        None if text.encode_utf16().count() > MOST_LETTERS => {
            return Err(XlsxError::MaxStringLengthExceeded);
        }
        None => sheet.write_string(row, column, text)?,
    };
    Ok(())
}
