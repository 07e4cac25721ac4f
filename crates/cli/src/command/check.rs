//! `fewest check`: verify a saved strategy against its table.

use super::{read_strategy, short};
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::load::{as_before, load};
use crate::phrase;
use crate::print::Printer;
use fewest::{Certificate, Verified, check};
use fewest_formats::json::{CostPart, Document, InstancePart};
use fewest_formats::text::count;

pub(crate) fn run(args: &CheckArgs, printer: &Printer) -> Result<(), Failure> {
    printer.refuse_overwriting(&args.strategy)?;
    let strategy = read_strategy(&args.strategy)?;
    let reading = as_before(&args.reading, &strategy.reading)?;
    let loaded = load(&args.table, &reading, printer)?;
    let verdict = judge(&strategy, &loaded.instance);
    let part = InstancePart::new(&loaded.instance);
    if printer.json {
        printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.field("instance", &part)?;
            document.field("verified", &verdict.is_ok())?;
            match &verdict {
                Ok(verified) => document.field("cost", &CostPart::from(verified.costs))?,
                Err(reason) => document.field("reason", reason)?,
            }
            document.end()
        })?;
    }
    let file = args.strategy.display();
    let Verified { costs, leaves, depth, .. } =
        verdict.map_err(|reason| Failure::Refused(format!("{file}: refused: {reason}")))?;
    if printer.json {
        return Ok(());
    }
    let text = format!(
        "{}: verified against {}\n\
         every one of {} reaches a leaf that names it; {}, at most {}\n\
         costs re-added from each object's own path: expected {}, worst {}, exponential {} (λ = {})\n\
         the lower bound ({}, {}) is not part of this release's certificate\n",
        short(&file.to_string()),
        short(&loaded.name),
        count(part.rows, "object"),
        if leaves == 1 { "1 leaf".to_owned() } else { format!("{leaves} leaves") },
        count(depth, "question"),
        phrase::number(costs.expected, 6),
        phrase::number(costs.worst, 6),
        phrase::number(costs.exponential, 6),
        costs.lambda.value(),
        phrase::at_least(strategy.lower_bound.value.0, 6),
        strategy.lower_bound.by,
    );
    printer.text_to_output(&text)
}

/// What the judge says of the tree and the costs that the file claims.
fn judge(strategy: &fewest_formats::Strategy, instance: &fewest::Instance) -> Result<Verified, String> {
    let tree = strategy.tree.to_tree(instance).map_err(|error| error.to_string())?;
    let costs = strategy.cost.to_costs().ok_or("the λ of its exponential cost is none")?;
    check(instance, &tree, &Certificate { costs: Some(costs), bound: None }).map_err(|error| error.to_string())
}
