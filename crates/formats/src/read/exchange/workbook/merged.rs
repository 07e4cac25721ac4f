//! Merged cells: below the header each cell of an area gets its text; above, areas name groups of columns.

use super::super::super::{Problem, find_layout};
use super::Cells;
use super::grid::Grid;
use std::io::Read;

/// Rows at the beginning of a sheet in which the header is looked for.
pub(super) const SAMPLE_ROWS: usize = 60;
/// Most merged areas of a sheet.
const MOST_AREAS: usize = 200_000;
/// Most columns of an area that is filled.
const MOST_COLUMNS: u32 = 1_000;

/// Merged area: first and last row and column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) rows: (u32, u32),
    pub(super) columns: (u32, u32),
}

impl Merged {
    fn holds(&self, row: u32, column: u32) -> bool {
        (self.rows.0..=self.rows.1).contains(&row) && (self.columns.0..=self.columns.1).contains(&column)
    }
}

/// What is filled in which row.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Areas, the first row first.
    areas: Vec<Merged>,
    /// Areas that reach below the last row, with their texts.
    open: Vec<(Merged, String)>,
    next_area: usize,
    next_row: u32,
    header: u32,
    /// Text above each column of the header, where names come twice.
    above: Vec<String>,
}

impl Plan {
    /// Plans the filling of a sheet that begins with these rows.
    pub(super) fn new(mut areas: Vec<Merged>, sample: &[(u32, Cells)]) -> Result<Self, Problem> {
        areas.retain(|area| area.columns.1 - area.columns.0 < MOST_COLUMNS);
        if areas.len() > MOST_AREAS {
            return Err(super::super::broken(
                "workbook",
                format!("it has more than {MOST_AREAS} merged areas"),
            ));
        }
        areas.sort_unstable_by_key(|area| (area.rows.0, area.columns.0));
        let mut grid = Grid::default();
        for (row, cells) in sample {
            grid.push(*row, cells)?;
        }
        let mut text = Vec::new();
        grid.into_csv()?.read_to_end(&mut text)?;
        let skipped = find_layout::skipped_rows(&text, sample.len() < SAMPLE_ROWS);
        let header_at = sample.iter().position(|(row, _)| *row as usize >= skipped).unwrap_or(0);
        let header = sample.get(header_at).map_or(0, |(row, _)| *row);
        let above = names_above(&areas, sample, header_at);
        Ok(Self { areas, header, above, ..Self::default() })
    }

    /// Adds a row to the grid, and the rows before it that only merged cells fill.
    pub(super) fn fill(&mut self, row: u32, cells: Cells, grid: &mut Grid) -> Result<(), Problem> {
        while self.next_row < row && !self.open.is_empty() {
            let between = self.next_row;
            self.fill_one(between, Vec::new(), grid)?;
        }
        self.fill_one(row, cells, grid)
    }

    fn fill_one(&mut self, row: u32, mut cells: Cells, grid: &mut Grid) -> Result<(), Problem> {
        self.next_row = row + 1;
        self.open.retain(|(area, _)| area.rows.1 >= row);
        while let Some(area) = self.areas.get(self.next_area).filter(|area| area.rows.0 <= row) {
            let text = cells.iter().find(|(column, _)| *column == area.columns.0 && area.rows.0 == row);
            self.open.extend(text.map(|(_, text)| (*area, text.clone())));
            self.next_area += 1;
        }
        for (area, text) in &self.open {
            let last = match row.cmp(&self.header) {
                // A title must stay one text.
                std::cmp::Ordering::Less => continue,
                std::cmp::Ordering::Equal => area.columns.0,
                std::cmp::Ordering::Greater => area.columns.1,
            };
            for column in area.columns.0..=last {
                match cells.binary_search_by_key(&column, |(column, _)| *column) {
                    Ok(at) if cells[at].1.is_empty() => cells[at].1.clone_from(text),
                    Ok(_) => {}
                    Err(at) => cells.insert(at, (column, text.clone())),
                }
            }
        }
        if row == self.header {
            for (column, text) in cells.iter_mut().filter(|(_, text)| !text.is_empty()) {
                if let Some(above) = self.above.get(*column as usize).filter(|above| !above.is_empty()) {
                    *text = format!("{above}: {text}");
                }
            }
        }
        if cells.is_empty() { Ok(()) } else { grid.push(row, &cells) }
    }
}

/// Texts above the columns of a header in which some names come twice; none if all names differ.
fn names_above(areas: &[Merged], sample: &[(u32, Cells)], header_at: usize) -> Vec<String> {
    let Some((header_row, header)) = sample.get(header_at) else { return Vec::new() };
    let mut names: Vec<&str> =
        header.iter().map(|(_, text)| text.as_str()).filter(|text| !text.is_empty()).collect();
    names.sort_unstable();
    let differ = names.windows(2).all(|pair| pair[0] != pair[1]);
    let Some((row, cells)) = header_at.checked_sub(1).map(|at| &sample[at]) else { return Vec::new() };
    if differ || row + 1 != *header_row {
        return Vec::new();
    }
    let text_above = |column: u32| {
        let area = areas.iter().find(|area| area.holds(*row, column));
        // An area that reaches into the header is the name of the column itself.
        if area.is_some_and(|area| area.rows.1 > *row) {
            return String::new();
        }
        let from = area.map_or(column, |area| area.columns.0);
        cells.iter().find(|(column, _)| *column == from).map_or_else(String::new, |(_, text)| text.clone())
    };
    let width = header.last().map_or(0, |(column, _)| column + 1).min(MOST_COLUMNS * 16);
    (0..width).map(text_above).collect()
}
