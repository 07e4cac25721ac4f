//! `fewest compare`: every algorithm side by side.

use super::{goal, limit, short};
use crate::args::CompareArgs;
use crate::failure::Failure;
use crate::load::load;
use crate::phrase;
use crate::print::{Printer, columns};
use fewest::bound::{self, Aim, Bound};
use fewest::{Costs, Trial, algorithms, trials};
use fewest_formats::json::{BoundsPart, Document, InstancePart, RowPart};

pub(crate) fn run(args: &CompareArgs, printer: &Printer) -> Result<(), Failure> {
    let loaded = load(&args.table, &args.reading, printer)?;
    let goal = goal(&args.goal);
    let trials = trials(&loaded.instance, &goal, &limit(args.goal.time, args.goal.memory));
    let bounds = bound::all(&loaded.instance, goal.lambda());
    let left_out = algorithms().len() - trials.len();
    if left_out > 0 {
        printer
            .warn(&format!("the time was up before {left_out} of the algorithms could finish: see --time"));
    }
    let part = InstancePart::new(&loaded.instance);
    if printer.json {
        return printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.field("instance", &part)?;
            document.field("bounds", &BoundsPart::new(&bounds))?;
            document.list("rows", trials.iter().map(RowPart::from))?;
            document.end()
        });
    }
    let exponential = format!("exponential (λ = {})", goal.lambda().value());
    let header = ["algorithm", "expected", "worst", exponential.as_str(), "leaves", "depth"];
    let text = format!(
        "{}: {}\n\n{}",
        short(&loaded.name),
        phrase::size(&part),
        columns(&header, &rows(&trials, &bounds))
    );
    printer.text_to_output(&text)
}

fn rows(trials: &[Trial], bounds: &[Bound]) -> Vec<Vec<String>> {
    let costs: [fn(&Costs) -> f64; 3] =
        [|costs| costs.expected, |costs| costs.worst, |costs| costs.exponential];
    let least = costs.map(|cost| trials.iter().map(|trial| cost(&trial.costs)).fold(f64::INFINITY, f64::min));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for trial in trials {
        let mut row = vec![trial.algorithm.to_owned()];
        for (cost, least) in costs.iter().zip(least) {
            let value = cost(&trial.costs);
            let text = phrase::number(value, 4);
            // The least of a column is marked by weight and a star: never by colour alone.
            row.push(if value <= least * (1.0 + 1e-12) {
                format!("\x1b[1m{text}*\x1b[0m")
            } else {
                format!("{text} ")
            });
        }
        row.extend([trial.tree.leaf_count().to_string(), trial.tree.depth().to_string()]);
        rows.push(row);
    }
    let best = [Aim::Expected, Aim::Worst, Aim::Exponential].map(|aim| bound::best(bounds, aim));
    let mut row = vec!["no strategy below".to_owned()];
    row.extend(best.iter().map(|bound| format!("{} ", phrase::at_least(bound.value, 4))));
    rows.push(row);
    rows
}
