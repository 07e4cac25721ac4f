//! Workbooks of spreadsheet programs, and zip archives with the files of a data set.
//!
//! A sheet becomes lines of text with commas, and from there on it is read like any CSV: titles above the header,
//! columns without a name and long tables are found in the same way.

mod archive;
mod excel;
mod grid;
mod merged;
mod ods;
mod values;

use super::super::beside::{SIDES, Side, add};
use super::super::{Notice, Problem, ReadOptions, delimited};
use super::{Files, Found, Kind};
use crate::loss::{Loss, Losses};
use crate::texts::Texts;
use grid::Grid;
use merged::Merged;

/// Most rows of a small sheet about tests, answers or objects.
const MOST_SIDE_ROWS: usize = 200_000;

/// Cells of one row: the column, from 0, and the text.
type Cells = Vec<(u32, String)>;

/// Receiver of the rows of a sheet, from 0; it returns whether more are wanted.
type TakeRow<'a> = &'a mut dyn FnMut(u32, Cells) -> Result<bool, Problem>;

/// What the cells of a sheet hold beside plain values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Cells with an error such as `#N/A`.
    errors: usize,
    /// Formulas whose value is not saved.
    formulas: usize,
}

/// Workbook of any format.
trait Book {
    /// Names of the sheets that are shown, and the number of others.
    fn sheets(&self) -> (Vec<String>, usize);
    /// Merged areas of a sheet.
    fn merged(&mut self, sheet: &str) -> Result<Vec<Merged>, Problem>;
    /// Hands out rows that hold something, in order.
    fn rows(&mut self, sheet: &str, take: TakeRow<'_>) -> Result<Counts, Problem>;
}

/// Reads a workbook, or an archive of other files.
pub(super) fn read(kind: Kind, bytes: Vec<u8>, options: &ReadOptions) -> Result<Found, Problem> {
    match open(kind, bytes, options)? {
        Opened::Book(mut book) => read_book(&mut *book, options),
        Opened::Files(files) => super::read_files(files, options),
    }
}

/// Contents of a file.
enum Opened {
    Book(Box<dyn Book>),
    Files(Files),
}

fn open(kind: Kind, bytes: Vec<u8>, options: &ReadOptions) -> Result<Opened, Problem> {
    if kind == Kind::OldExcel {
        return Ok(Opened::Book(Box::new(excel::Old::open(bytes)?)));
    }
    match archive::look(bytes, options.limits.unpacked as u64)? {
        archive::Archive::Xlsx(bytes) => Ok(Opened::Book(Box::new(excel::Xlsx::open(bytes)?))),
        archive::Archive::Ods(bytes) => Ok(Opened::Book(Box::new(ods::Ods::open(bytes)?))),
        archive::Archive::Files(files) => Ok(Opened::Files(files)),
    }
}

fn read_book(book: &mut dyn Book, options: &ReadOptions) -> Result<Found, Problem> {
    let (sheets, hidden) = book.sheets();
    let mut losses = Losses::default();
    let (mut sides, mut candidates): (Vec<Side>, Vec<String>) = (Vec::new(), Vec::new());
    for sheet in &sheets {
        let name = sheet.trim().to_lowercase();
        let is_side = SIDES.contains(&name.as_str());
        let shape = peek(book, sheet, if is_side { MOST_SIDE_ROWS } else { 2 })?;
        match Side::of_rows(&name, shape.clone()).filter(|_| is_side) {
            Some(side) => sides.push(side),
            None if shape.is_empty() => {}
            None => candidates.push(sheet.clone()),
        }
    }
    let is_table = |book: &mut dyn Book, sheet: &str| {
        peek(book, sheet, 2).map(|rows| rows.len() > 1 && rows.iter().any(|row| row.len() > 1))
    };
    let mut main = None;
    for sheet in &candidates {
        if is_table(book, sheet)? {
            main = Some(sheet.clone());
            break;
        }
    }
    let Some(main) = main.or_else(|| candidates.first().cloned()) else { return Err(Problem::Empty) };
    losses.add(Loss::Sheet, candidates.len() - 1 + hidden);
    let mut notices = Vec::new();
    if candidates.len() > 1 {
        notices.push(Notice::Sheet { name: main.clone() });
    }
    let grid = read_sheet(book, &main, &mut notices, &mut losses)?;
    grid.refuse_large(options.limits.unpacked)?;
    let (mut table, more) = delimited::read(grid.into_csv()?, options)?;
    notices.extend(more);
    let mut texts = Texts::default();
    if !sides.is_empty() {
        for notice in add(sides, &mut table, &mut texts) {
            match notice {
                Notice::Lost(more) => more.iter().for_each(|(loss, count)| losses.add(loss, count)),
                notice => notices.push(notice),
            }
        }
    }
    if !losses.is_empty() {
        notices.push(Notice::Lost(losses));
    }
    Ok((table, texts, notices))
}

/// First rows of a sheet that hold something, as texts.
fn peek(book: &mut dyn Book, sheet: &str, most: usize) -> Result<Vec<Vec<String>>, Problem> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    book.rows(sheet, &mut |_, cells| {
        let mut row = Vec::new();
        for (column, text) in cells {
            // A cell far to the right is no part of a small table.
            if column < 10_000 {
                row.resize(row.len().max(column as usize), String::new());
                row.push(text);
            }
        }
        rows.push(row);
        Ok(rows.len() < most)
    })?;
    Ok(rows)
}

/// The cells of a sheet; merged cells hold the text of their area.
fn read_sheet(
    book: &mut dyn Book,
    sheet: &str,
    notices: &mut Vec<Notice>,
    losses: &mut Losses,
) -> Result<Grid, Problem> {
    let merged = book.merged(sheet)?;
    let filled = merged.len();
    let mut plan = merged::Plan::default();
    if !merged.is_empty() {
        // The header decides what is filled, so it is looked for first.
        let mut sample: Vec<(u32, Cells)> = Vec::new();
        book.rows(sheet, &mut |row, cells| {
            sample.push((row, cells));
            Ok(sample.len() < merged::SAMPLE_ROWS)
        })?;
        plan = merged::Plan::new(merged, &sample)?;
    }
    let mut grid = Grid::default();
    let counts = book.rows(sheet, &mut |row, cells| {
        plan.fill(row, cells, &mut grid)?;
        Ok(true)
    })?;
    losses.add(Loss::ErrorCell, counts.errors);
    losses.add(Loss::Formula, counts.formulas);
    if filled > 0 {
        notices.push(Notice::Merged { areas: filled });
    }
    Ok(grid)
}

/// The rows of a workbook's table as CSV, for readers that take nothing else.
pub(super) fn csv(kind: Kind, bytes: Vec<u8>) -> Result<Vec<u8>, Problem> {
    use std::io::Read;
    let Opened::Book(mut book) = open(kind, bytes, &ReadOptions::default())? else {
        return Err(Problem::NotText { what: "a zip archive" });
    };
    let (sheets, _) = book.sheets();
    for sheet in sheets {
        if !peek(&mut *book, &sheet, 2)?.is_empty() {
            let grid = read_sheet(&mut *book, &sheet, &mut Vec::new(), &mut Losses::default())?;
            let mut text = Vec::new();
            grid.into_csv()?.read_to_end(&mut text)?;
            return Ok(text);
        }
    }
    Err(Problem::Empty)
}
