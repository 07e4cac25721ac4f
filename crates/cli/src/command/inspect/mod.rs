//! `fewest inspect`: limits of the data, and the information in each test.

mod target;

use super::short;
use crate::args::InspectArgs;
use crate::failure::Failure;
use crate::load::load_rows;
use crate::print::{Printer, columns};
use crate::wording;
use fewest::Instance;
use fewest::bound::coarse_groups;
use fewest::inspect::{Inspection, entropies, inspect};
use fewest_formats::json::{Document, InstancePart, TestPart};
use fewest_formats::text::{count, one_line};

/// Sets and tests that are listed before the rest is counted.
const LISTED: usize = 10;
/// Tests in the ranking before the rest is counted.
const RANKED: usize = 40;
/// Letters of a name before it is cut.
const NAME: usize = 60;
/// Columns of the longest bar.
const BAR: f64 = 20.0;

pub(crate) fn run(args: &InspectArgs, printer: &Printer) -> Result<(), Failure> {
    if target::is_asked_for(args) {
        return target::run(args, printer);
    }
    let loaded = load_rows(&args.table, &args.reading, printer)?;
    let instance = &loaded.instance;
    let inspection = inspect(instance);
    let name = |test: &fewest::TestId| instance.test(*test).name.as_str();
    let part = InstancePart::new(instance);
    if printer.json {
        return printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.field("instance", &part)?;
            document.list("tests", inspection.tests.iter().map(|report| TestPart::new(report, instance)))?;
            document.list("inseparable", instance.inseparable())?;
            document.list("useless", inspection.useless.iter().map(name))?;
            let sets = inspection.redundant.iter().map(|set| set.iter().map(name).collect::<Vec<_>>());
            document.list("redundant", sets)?;
            document.end()
        });
    }
    let mut text = format!("{}: {}\n", short(&loaded.name), wording::size(&part));
    let (objects, groups) = entropies(instance);
    text += &format!("entropy: {} bits over objects", wording::number(objects, 4));
    if part.identify == "groups" {
        text += &format!(", {} bits over groups", wording::number(groups, 4));
    }
    text += "\n\n";
    text += &ranking(instance, &inspection);
    text += &findings(instance, &inspection);
    printer.text_to_output(&text)
}

/// Table of tests, most information first, with a bar each.
fn ranking(instance: &Instance, inspection: &Inspection) -> String {
    let mut reports: Vec<_> = inspection.tests.iter().collect();
    reports.sort_by(|left, right| {
        right.information_bits.total_cmp(&left.information_bits).then(left.test.cmp(&right.test))
    });
    let most = reports.first().map_or(0.0, |report| report.information_bits);
    let rows: Vec<Vec<String>> = reports
        .iter()
        .take(RANKED)
        .map(|report| {
            let bar = if most > 0.0 {
                "█".repeat((report.information_bits / most * BAR).round() as usize)
            } else {
                String::new()
            };
            vec![
                one_line(&instance.test(report.test).name, NAME),
                report.answers.to_string(),
                wording::number(report.cost, 4),
                wording::number(report.entropy_bits, 4),
                wording::number(report.information_bits, 4),
                report.chi_squared.map_or("–".to_owned(), |chi2| format!("{:.2e}", chi2.p_value)),
                bar,
            ]
        })
        .collect();
    let mut text =
        columns(&["test", "answers", "cost", "entropy", "information", "p-value", "information"], &rows);
    if reports.len() > RANKED {
        text += &format!("  … and {} (all in --json)\n", count(reports.len() - RANKED, "more test"));
    }
    text
}

/// Findings: constant tests, redundant tests, inseparable objects.
fn findings(instance: &Instance, inspection: &Inspection) -> String {
    let name = |test: &fewest::TestId| instance.test(*test).name.as_str();
    let mut text = String::new();
    if !inspection.useless.is_empty() {
        let names: Vec<&str> = inspection.useless.iter().map(name).collect();
        text += &format!("\n{} with one answer only: {}\n", count(names.len(), "test"), listed(&names));
    }
    if !inspection.redundant.is_empty() {
        text += &format!(
            "\n{} of tests that split all objects alike:\n",
            count(inspection.redundant.len(), "set")
        );
        let sets: Vec<Vec<&str>> =
            inspection.redundant.iter().map(|set| set.iter().map(name).collect()).collect();
        text += &listed_sets(&sets);
    }
    if instance.has_several() {
        let coarse = coarse_groups(instance).into_iter().max().map_or(0, |last| last + 1);
        text += &format!(
            "\nSome cells leave the answer open. Told apart for certain are {}, whatever is asked.\n",
            match coarse {
                1 => "no sets of objects".to_owned(),
                coarse => format!("{coarse} sets of objects"),
            },
        );
    }
    let sets: Vec<Vec<&str>> = instance.inseparable().collect();
    if sets.is_empty() {
        text += "\nEvery two objects that should be told apart differ in some test.\n";
    } else {
        text += &format!("\n{} of objects that no test tells apart:\n", count(sets.len(), "set"));
        text += &listed_sets(&sets);
    }
    text
}

fn listed_sets(sets: &[Vec<&str>]) -> String {
    let mut text: String = sets.iter().take(LISTED).map(|set| format!("  {}\n", listed(set))).collect();
    if sets.len() > LISTED {
        text += &format!("  … and {} (all in --json)\n", count(sets.len() - LISTED, "more set"));
    }
    text
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| one_line(name, NAME)).collect();
    let more =
        if names.len() > LISTED { format!(" and {} more", names.len() - LISTED) } else { String::new() };
    shown.join(", ") + &more
}
