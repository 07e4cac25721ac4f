//! `fewest inspect`: limits of the data, and the information in each test.

mod target;

use super::short;
use crate::args::InspectArgs;
use crate::failure::Failure;
use crate::load::load_rows;
use crate::print::Printer;
use crate::wording;
use fewest::Instance;
use fewest::bound::coarse_groups;
use fewest::inspect::{Inspection, TestReport, entropies, inspect};
use fewest_formats::export::Report;
use fewest_formats::json::{Document, InstancePart, TestPart};
use fewest_formats::plot::{Bar, bars_svg};
use fewest_formats::text::{count, one_line};
use std::collections::BTreeMap;

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
    let json = |out: &mut dyn std::io::Write| {
        let mut document = Document::begin(out)?;
        document.field("instance", &part)?;
        document.list("tests", inspection.tests.iter().map(|report| TestPart::new(report, instance)))?;
        document.list("inseparable", instance.inseparable())?;
        document.list("useless", inspection.useless.iter().map(name))?;
        let sets = inspection.redundant.iter().map(|set| set.iter().map(name).collect::<Vec<_>>());
        document.list("redundant", sets)?;
        document.end()
    };
    let title = short(&loaded.name);
    let mut report = Report { title: format!("{title}: what each test says"), blocks: Vec::new() };
    let mut text = format!("{title}: {}\n", wording::size(&part));
    let (objects, groups) = entropies(instance);
    text += &format!("entropy: {} bits over objects", wording::number(objects, 4));
    if part.identify == "groups" {
        text += &format!(", {} bits over groups", wording::number(groups, 4));
    }
    text += "\n\n";
    report.words(text);
    ranking(instance, &inspection, printer.is_short(), &mut report);
    report.words(findings(instance, &inspection));
    printer.publish(report, json, Some(&|| picture(&title, instance, &inspection)))
}

/// Reports of all tests, most information first.
fn ranked(inspection: &Inspection) -> Vec<&TestReport> {
    let mut reports: Vec<_> = inspection.tests.iter().collect();
    reports.sort_by(|left, right| {
        right.information_bits.total_cmp(&left.information_bits).then(left.test.cmp(&right.test))
    });
    reports
}

/// Bars of the information in each test.
fn picture(title: &str, instance: &Instance, inspection: &Inspection) -> String {
    let reports = ranked(inspection);
    let bar = |report: &&TestReport| Bar {
        name: instance.test(report.test).name.as_str(),
        value: report.information_bits,
    };
    let bars: Vec<Bar<'_>> = reports.iter().map(bar).collect();
    bars_svg(&format!("{title}: information in each test"), "bits", &bars)
}

/// Table of tests, most information first, with a bar each.
fn ranking(instance: &Instance, inspection: &Inspection, is_short: bool, page: &mut Report) {
    let mut reports = ranked(inspection);
    let cuts = only_best_cuts(instance, &mut reports);
    let has_gaps = reports.iter().any(|report| report.gaps > 0);
    let has_premises = reports.iter().any(|report| report.inapplicable > 0);
    let most = reports.first().map_or(0.0, |report| report.information_bits);
    let rows: Vec<Vec<String>> = reports
        .iter()
        .take(if is_short { RANKED } else { usize::MAX })
        .map(|report| {
            let bar = if most > 0.0 {
                "█".repeat((report.information_bits / most * BAR).round() as usize)
            } else {
                String::new()
            };
            let gaps = has_gaps.then(|| report.gaps.to_string());
            let test = instance.test(report.test);
            let column = test.measure.as_ref().map(|measure| measure.column.as_str());
            let cuts = column.and_then(|column| cuts.get(column)).copied().unwrap_or(1);
            let best = if cuts > 1 { format!(" (best of {cuts} cuts)") } else { String::new() };
            let mut row = vec![one_line(&test.name, NAME) + &best, report.answers.to_string()];
            row.extend(gaps);
            let applies = instance.object_count() - report.inapplicable;
            row.extend(has_premises.then(|| applies.to_string()));
            row.extend([
                wording::number(report.cost, 4),
                wording::number(report.entropy_bits, 4),
                wording::number(report.information_bits, 4),
                report.chi_squared.map_or("–".to_owned(), |chi2| format!("{:.2e}", chi2.p_value)),
                bar,
            ]);
            row
        })
        .collect();
    let gaps = has_gaps.then_some("gaps");
    let header: Vec<&str> = ["test", "answers"]
        .into_iter()
        .chain(gaps)
        .chain(has_premises.then_some("applies to"))
        .chain(["cost", "entropy", "information", "p-value", "information"])
        .collect();
    page.table(&header, rows);
    if is_short && reports.len() > RANKED {
        page.words(format!("  … and {} (all in --json)\n", count(reports.len() - RANKED, "more test")));
    }
}

/// Keeps of each measured column only its best cut, and returns how many cuts each such column has.
fn only_best_cuts<'i>(instance: &'i Instance, reports: &mut Vec<&TestReport>) -> BTreeMap<&'i str, usize> {
    let mut cuts: BTreeMap<&str, usize> = BTreeMap::new();
    reports.retain(|report| match &instance.test(report.test).measure {
        None => true,
        Some(measure) => {
            let count = cuts.entry(&measure.column).or_default();
            *count += 1;
            *count == 1
        }
    });
    cuts
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
            "\n{} of tests that split the objects in the same way:\n",
            count(inspection.redundant.len(), "set")
        );
        let sets: Vec<Vec<&str>> =
            inspection.redundant.iter().map(|set| set.iter().map(name).collect()).collect();
        text += &listed_sets(&sets);
    }
    if instance.has_several() {
        let coarse = coarse_groups(instance).into_iter().max().map_or(0, |last| last + 1);
        text += &format!(
            "\nSome cells allow several answers. {}\n",
            match coarse {
                1 => "No two objects can be told apart with certainty.".to_owned(),
                coarse =>
                    format!("With all tests, {coarse} sets of objects can be told apart with certainty."),
            },
        );
    }
    let sets: Vec<Vec<&str>> = instance.inseparable().collect();
    if sets.is_empty() {
        text += "\nThe tests can tell apart all objects that should be told apart.\n";
    } else {
        text += &format!("\n{} of objects that the tests cannot tell apart:\n", count(sets.len(), "set"));
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
