//! `fewest compare`: every algorithm side by side.

use super::{goal, limit, short};
use crate::args::CompareArgs;
use crate::failure::Failure;
use crate::load::load;
use crate::print::Printer;
use crate::progress::ProgressLine;
use crate::wording;
use fewest::bound::{self, Bound, ObjectiveKind};
use fewest::{Costs, Goal, Objective, Outcome, Trial, algorithms, compare};
use fewest_formats::export::Report;
use fewest_formats::json::{BoundsPart, Document, InstancePart, RowPart};
use fewest_formats::plot::{Bar, bars_svg};

pub(crate) fn run(args: &CompareArgs, printer: &Printer) -> Result<(), Failure> {
    let loaded = load(&args.table, &args.reading, printer)?;
    let goal = goal(&args.goal);
    let (mut trials, outcome) = {
        let mut line = ProgressLine::new(printer.quiet, Some(args.goal.time));
        let limit = limit(args.goal.time, args.goal.memory);
        compare(&loaded.instance, &goal, &limit, |progress| line.show(progress))
    };
    let bounds = outcome.bounds;
    let left_out = algorithms().len() - trials.len();
    if left_out > 0 && !loaded.instance.has_several() {
        printer.warn(&format!(
            "the time ended before {left_out} of the algorithms could finish; --time 1m takes longer"
        ));
    }
    let open = trials.iter().filter(|trial| trial.unfinished.is_some()).count();
    if open > 0 {
        printer.warn(&format!(
            "{open} of the trees are too large to finish (marked +): their costs are those of the finished part; \
             try --time 1m, or --ignore for tests that are mostly unknown"
        ));
    }
    trials.extend(outcome.searched());
    let part = InstancePart::new(&loaded.instance);
    let json = |out: &mut dyn std::io::Write| {
        let mut document = Document::begin(out)?;
        document.field("instance", &part)?;
        document.field("bounds", &BoundsPart::new(&bounds))?;
        document.list("rows", trials.iter().map(RowPart::from))?;
        document.end()
    };
    let exponential = format!("exponential (λ = {})", goal.lambda().value());
    let above = if outcome.optimal { "above the best" } else { "above at most" };
    let header = ["algorithm", "expected", "worst", exponential.as_str(), above, "leaves", "depth"];
    let name = short(&loaded.name);
    let mut report = Report { title: format!("{name}: every algorithm"), blocks: Vec::new() };
    report.words(format!("{name}: {}\n\n", wording::size(&part)));
    report.table(&header, rows(&trials, &bounds, &goal, &outcome));
    printer.publish(report, json, Some(&|| picture(&name, &trials, &bounds, &goal)))
}

/// Bars of the costs of all finished trees, the best first, and of the bound.
fn picture(name: &str, trials: &[Trial], bounds: &[Bound], goal: &Goal) -> String {
    let mut finished: Vec<&Trial> = trials.iter().filter(|trial| trial.unfinished.is_none()).collect();
    let cost = |trial: &Trial| trial.costs.get(goal.objective);
    finished.sort_by(|left, right| cost(left).total_cmp(&cost(right)));
    let bound = bound::best(bounds, goal.objective.kind());
    let mut bars = vec![Bar { name: "no strategy below", value: bound.value }];
    bars.extend(finished.iter().map(|trial| Bar { name: trial.origin.name(), value: cost(trial) }));
    bars_svg(&format!("{name}: {} of every algorithm", cost_name(goal)), "", &bars)
}

/// Name of the cost that is minimised.
fn cost_name(goal: &Goal) -> String {
    match goal.objective {
        Objective::Expected => "expected cost".to_owned(),
        Objective::Worst => "worst cost".to_owned(),
        Objective::Exponential(lambda) => format!("exponential cost (λ = {})", lambda.value()),
    }
}

fn rows(trials: &[Trial], bounds: &[Bound], goal: &Goal, outcome: &Outcome) -> Vec<Vec<String>> {
    let above = |trial: &Trial| match fewest::gap(trial.costs.get(goal.objective), outcome.bound.value) {
        _ if trial.unfinished.is_some() => "–".to_owned(),
        gap if gap <= 1e-12 => "0 %".to_owned(),
        gap => wording::above_best(gap).unwrap_or_else(|| "–".to_owned()),
    };
    let costs: [fn(&Costs) -> f64; 3] =
        [|costs| costs.expected, |costs| costs.worst, |costs| costs.exponential];
    let finished = || trials.iter().filter(|trial| trial.unfinished.is_none());
    let least = costs.map(|cost| finished().map(|trial| cost(&trial.costs)).fold(f64::INFINITY, f64::min));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for trial in trials {
        let open = if trial.unfinished.is_some() { "+" } else { "" };
        let mut row = vec![format!("{}{open}", trial.origin.name())];
        for (cost, least) in costs.iter().zip(least) {
            let value = cost(&trial.costs);
            let text = wording::number(value, 4);
            // The least value of a column is marked by bold type and a star, never by colour alone.
            row.push(if trial.unfinished.is_none() && value <= least * (1.0 + 1e-12) {
                format!("\x1b[1m{text}*\x1b[0m")
            } else {
                format!("{text} ")
            });
        }
        row.extend([above(trial), trial.tree.leaf_count().to_string(), trial.tree.depth().to_string()]);
        rows.push(row);
    }
    let best = [ObjectiveKind::Expected, ObjectiveKind::Worst, ObjectiveKind::Exponential]
        .map(|kind| bound::best(bounds, kind));
    let mut row = vec!["best possible: at least".to_owned()];
    row.extend(best.iter().map(|bound| format!("{} ", wording::at_least(bound.value, 4))));
    rows.push(row);
    rows
}
