//! `fewest bounds`: every lower bound by name.

use super::short;
use crate::args::BoundsArgs;
use crate::failure::Failure;
use crate::load::load;
use crate::print::Printer;
use crate::wording;
use fewest::bound::{self, Bound, Entry, ObjectiveKind};
use fewest::measure::{Order, renyi_bits};
use fewest::{Instance, Limit, inspect::entropies};
use fewest_formats::export::Report;
use fewest_formats::json::{BoundsPart, Document, InstancePart, Number};
use fewest_formats::text::wrap_indented as wrap;
use serde::Serialize;

#[derive(Serialize)]
struct Bits {
    objects: Number,
    groups: Number,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    objective: &'static str,
    value: Number,
}

pub(crate) fn run(args: &BoundsArgs, printer: &Printer) -> Result<(), Failure> {
    let loaded = load(&args.table, &args.reading, printer)?;
    // Ctrl-C prints the bounds found so far.
    let limit = Limit::none().with_interrupt(crate::interrupt::flag());
    let bounds = bound::all_within(&loaded.instance, args.lambda, &limit);
    let part = InstancePart::new(&loaded.instance);
    let json = |out: &mut dyn std::io::Write| {
        let mut document = Document::begin(out)?;
        document.field("instance", &part)?;
        document.field("lambda", &Number(args.lambda.value()))?;
        let (objects, groups) = entropies(&loaded.instance);
        document.field("entropy_bits", &Bits { objects: Number(objects), groups: Number(groups) })?;
        document.field("renyi_bits", &renyi(&loaded.instance, Order::new(args.lambda, 1.0)))?;
        document.list("bounds", bounds.iter().map(line))?;
        document.field("best", &BoundsPart::new(&bounds))?;
        document.end()
    };
    let best = [ObjectiveKind::Expected, ObjectiveKind::Worst, ObjectiveKind::Exponential]
        .map(|kind| bound::best(&bounds, kind));
    let row = |bound: &Bound| {
        let mark = if best.contains(bound) { "best" } else { "" };
        vec![
            word(bound.kind).to_owned(),
            bound.name.to_owned(),
            wording::at_least(bound.value, 4),
            mark.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = bounds.iter().map(row).collect();
    let name = short(&loaded.name);
    let mut report = Report { title: format!("{name}: lower bounds"), blocks: Vec::new() };
    report.words(format!("{name}: {}; λ = {}\n\n", wording::size(&part), args.lambda.value()));
    report.table(&["cost", "bound", "at least", ""], rows);
    if loaded.instance.pricing().is_some() {
        report.words(wrap(PLAIN_COSTS, printer.width()));
    }
    let mut text = "\nWhy no strategy beats them:\n".to_owned();
    // One idea may bound several costs; its reason is printed once.
    let entries = bound::entries(&loaded.instance);
    let is_first =
        |(at, entry): &(usize, &Entry)| entries.clone().take(*at).all(|other| other.name != entry.name);
    let reasons = entries.clone().enumerate().filter(is_first);
    text.extend(
        reasons.map(|(_, entry)| wrap(&format!("{}: {}", entry.name, entry.reason), printer.width())),
    );
    report.words(text);
    printer.publish(report, json, None)
}

/// Reason why the bounds hold where costs depend on the path.
const PLAIN_COSTS: &str = "Costs depend on the path here. The bounds price each test at its cheapest answer and an equal share of its \
    set-up among the tests of its bundle; no path costs less than its tests do at these prices.";

fn renyi(instance: &Instance, order: Order) -> Bits {
    let total = instance.total_weight();
    Bits {
        objects: Number(renyi_bits(instance.weights().units().iter().copied(), total, order)),
        groups: Number(renyi_bits(instance.group_weights().into_iter(), total, order)),
    }
}

fn line(bound: &Bound) -> Line {
    Line { name: bound.name, objective: word(bound.kind), value: Number(bound.value) }
}

fn word(kind: ObjectiveKind) -> &'static str {
    match kind {
        ObjectiveKind::Expected => "expected",
        ObjectiveKind::Worst => "worst",
        ObjectiveKind::Exponential => "exponential",
    }
}
