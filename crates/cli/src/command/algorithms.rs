//! `fewest algorithms`: the catalogue.

use crate::failure::Failure;
use crate::print::{Printer, columns};
use fewest::{Algorithm, OPTIMAL, algorithms};
use fewest_formats::json::Document;
use serde::Serialize;

#[derive(Serialize)]
struct Line {
    name: &'static str,
    summary: &'static str,
    paper: &'static str,
    guarantee: &'static str,
    lambda: bool,
}

pub(crate) fn run(printer: &Printer) -> Result<(), Failure> {
    if printer.json {
        return printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.list("algorithms", algorithms().iter().chain([&OPTIMAL]).map(line))?;
            document.end()
        });
    }
    let row =
        |entry: &Algorithm| vec![entry.name.to_owned(), entry.summary.to_owned(), entry.paper.to_owned()];
    let rows: Vec<Vec<String>> = algorithms().iter().chain([&OPTIMAL]).map(row).collect();
    let text = columns(&["algorithm", "what it asks next", "paper (see REFERENCES.md)"], &rows);
    printer.text_to_output(&(text + "\nScores are divided by the test's cost unless --cost-blind is given; ties go to the first test.\n"))
}

fn line(entry: &Algorithm) -> Line {
    Line {
        name: entry.name,
        summary: entry.summary,
        paper: entry.paper,
        guarantee: entry.guarantee,
        lambda: entry.uses_lambda,
    }
}
