//! `fewest algorithms`: the catalogue.

use crate::failure::Failure;
use crate::print::Printer;
use fewest::{Algorithm, OPTIMAL, algorithms};
use fewest_formats::export::Report;
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
    let json = |out: &mut dyn std::io::Write| {
        let mut document = Document::begin(out)?;
        document.list("algorithms", algorithms().iter().chain([&OPTIMAL]).map(line))?;
        document.end()
    };
    let row =
        |entry: &Algorithm| vec![entry.name.to_owned(), entry.summary.to_owned(), entry.paper.to_owned()];
    let rows: Vec<Vec<String>> = algorithms().iter().chain([&OPTIMAL]).map(row).collect();
    let mut report = Report { title: "Algorithms of fewest".to_owned(), blocks: Vec::new() };
    report.table(&["algorithm", "what it asks next", "paper (see REFERENCES.md)"], rows);
    report.words(
        "\nScores are divided by the test's cost unless --cost-blind is given; ties go to the first test.\nGuarantees are proved for one cost per test; where tests share a set-up or costs depend on the answer, only the search\n(`optimal`) proves how good a strategy is. There, dectree, pairs and asr are rules without a guarantee.\n",
    );
    printer.publish(report, json, None)
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
