//! Workbooks of Excel: XLSX row by row, the old binary format as a whole.

use super::super::super::Problem;
use super::super::super::catch_panic::attempt_as;
use super::merged::Merged;
use super::values::{Moment, duration, iso_date, iso_duration, moment, number};
use super::{Book, Cells, Counts, TakeRow};
use calamine::{Data, DataRef, ExcelDateTime, Reader, Sheet, SheetType, SheetVisible};
use std::io::Cursor;

/// Text of an empty or broken cell.
const UNKNOWN: &str = "?";

/// Workbook in XLSX.
pub(super) struct Xlsx(calamine::Xlsx<Cursor<Vec<u8>>>);

impl Xlsx {
    pub(super) fn open(bytes: Vec<u8>) -> Result<Self, Problem> {
        attempt_as("XLSX", || calamine::Xlsx::new(Cursor::new(bytes))).map(Self)
    }
}

/// Names of sheets that are shown, and the number of others.
fn shown(sheets: &[Sheet]) -> (Vec<String>, usize) {
    let is_shown =
        |sheet: &&Sheet| sheet.visible == SheetVisible::Visible && sheet.typ == SheetType::WorkSheet;
    let names: Vec<String> = sheets.iter().filter(is_shown).map(|sheet| sheet.name.clone()).collect();
    let hidden = sheets.len() - names.len();
    (names, hidden)
}

impl Book for Xlsx {
    fn sheets(&self) -> (Vec<String>, usize) {
        shown(self.0.sheets_metadata())
    }

    fn merged(&mut self, sheet: &str) -> Result<Vec<Merged>, Problem> {
        let areas = attempt_as("XLSX", || self.0.merge_cells_by_sheet_name(sheet))?;
        let area = |area: &calamine::Dimensions| Merged {
            rows: (area.start.0, area.end.0),
            columns: (area.start.1, area.end.1),
        };
        Ok(areas
            .iter()
            .map(area)
            .filter(|area| area.rows.0 <= area.rows.1 && area.columns.0 <= area.columns.1)
            .collect())
    }

    fn rows(&mut self, sheet: &str, take: TakeRow<'_>) -> Result<Counts, Problem> {
        let mut counts = Counts::default();
        let mut reader = attempt_as("XLSX", || self.0.worksheet_cells_reader(sheet))?;
        let (mut row, mut cells): (u32, Cells) = (0, Vec::new());
        while let Some(cell) = attempt_as("XLSX", || reader.next_cell_with_formula_metadata())? {
            let (here, column) = cell.pos;
            if here != row {
                if here < row {
                    return Err(super::super::broken(
                        "XLSX",
                        format!("row {} follows row {}", here + 1, row + 1),
                    ));
                }
                if !cells.is_empty() && !take(row, std::mem::take(&mut cells))? {
                    return Ok(counts);
                }
                row = here;
            }
            let text = text_of_ref(&cell.value, &mut counts);
            counts.formulas += usize::from(cell.formula.is_some() && cell.value == DataRef::Empty);
            if !text.is_empty() && cells.last().is_none_or(|(last, _)| *last < column) {
                cells.push((column, text));
            }
        }
        if !cells.is_empty() {
            take(row, cells)?;
        }
        Ok(counts)
    }
}

fn text_of_ref(value: &DataRef<'_>, counts: &mut Counts) -> String {
    match value {
        DataRef::String(text) => text.trim().to_owned(),
        DataRef::SharedString(text) => text.trim().to_owned(),
        DataRef::Int(value) => value.to_string(),
        DataRef::Float(value) => number(*value),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(value) => date(*value),
        DataRef::DateTimeIso(text) => iso_date(text),
        DataRef::DurationIso(text) => iso_duration(text),
        DataRef::Error(_) => {
            counts.errors += 1;
            UNKNOWN.to_owned()
        }
        DataRef::Empty => String::new(),
    }
}

/// A date, a time of day or a duration.
fn date(value: ExcelDateTime) -> String {
    let days = value.as_f64();
    if value.is_duration() || (0.0..1.0).contains(&days) {
        return duration(days);
    }
    let (year, month, day, hour, minute, second, _) = value.to_ymd_hms_milli();
    moment(Moment { date: (year, month, day), time: (hour, minute, second) })
}

/// Workbook in the old binary format.
pub(super) struct Old(calamine::Xls<Cursor<Vec<u8>>>);

/// Most bytes of such a workbook, which is kept in memory as a whole.
const MOST_OLD_BYTES: usize = 64 << 20;

impl Old {
    pub(super) fn open(bytes: Vec<u8>) -> Result<Self, Problem> {
        if bytes.len() > MOST_OLD_BYTES {
            return Err(Problem::LongFile { megabytes: MOST_OLD_BYTES >> 20 });
        }
        attempt_as("XLS", || calamine::Xls::new(Cursor::new(bytes))).map(Self)
    }
}

impl Book for Old {
    fn sheets(&self) -> (Vec<String>, usize) {
        shown(self.0.sheets_metadata())
    }

    fn merged(&mut self, _: &str) -> Result<Vec<Merged>, Problem> {
        Ok(Vec::new())
    }

    fn rows(&mut self, sheet: &str, take: TakeRow<'_>) -> Result<Counts, Problem> {
        let mut counts = Counts::default();
        let range = attempt_as("XLS", || self.0.worksheet_range(sheet))?;
        let Some((first_row, first_column)) = range.start() else { return Ok(counts) };
        for (row, values) in (first_row..).zip(range.rows()) {
            let texts =
                (first_column..).zip(values).map(|(column, value)| (column, text_of(value, &mut counts)));
            let cells: Cells = texts.filter(|(_, text)| !text.is_empty()).collect();
            if !cells.is_empty() && !take(row, cells)? {
                break;
            }
        }
        Ok(counts)
    }
}

fn text_of(value: &Data, counts: &mut Counts) -> String {
    match value {
        Data::String(text) => text.trim().to_owned(),
        Data::Int(value) => value.to_string(),
        Data::Float(value) => number(*value),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(value) => date(*value),
        Data::DateTimeIso(text) => iso_date(text),
        Data::DurationIso(text) => iso_duration(text),
        Data::Error(_) => {
            counts.errors += 1;
            UNKNOWN.to_owned()
        }
        Data::Empty => String::new(),
    }
}
