//! `fewest show`: draw a saved strategy.

use super::{drawing, read_strategy, short};
use crate::args::ShowArgs;
use crate::failure::Failure;
use crate::print::Printer;
use crate::wording;
use fewest_formats::json::{CostPart, Document};

pub(crate) fn run(args: &ShowArgs, printer: &Printer) -> Result<(), Failure> {
    let strategy = read_strategy(&args.strategy, printer)?;
    if printer.json {
        return printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.field("instance", &strategy.instance)?;
            document.field("objective", &strategy.objective)?;
            document.field("algorithm", &strategy.algorithm)?;
            document.field("cost", &strategy.cost)?;
            document.field("lower_bound", &strategy.lower_bound)?;
            document.field("optimal", &strategy.optimal)?;
            document.tree("tree", &strategy.tree)?;
            document.end()
        });
    }
    let CostPart { expected, worst, exponential } = strategy.cost;
    let mut text =
        format!("{}: {}\n\n", short(&args.strategy.display().to_string()), wording::size(&strategy.instance));
    text += &drawing(&strategy.tree, args.drawing, printer);
    text += &format!(
        "\nexpected cost {}, worst {}, exponential {} (λ = {}); by {}\n",
        wording::number(expected.0, 4),
        wording::number(worst.0, 4),
        wording::number(exponential.value.0, 4),
        exponential.lambda.0,
        strategy.algorithm,
    );
    printer.text_to_output(&text)
}
