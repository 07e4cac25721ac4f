//! `fewest show`: draw a saved strategy.

use super::{drawing, layout_of_file, read_strategy, short};
use crate::args::{DrawingArgs, ShowArgs};
use crate::endings::Kind;
use crate::failure::Failure;
use crate::print::Printer;
use crate::tree_file::save_tree;
use crate::wording;
use fewest_formats::Strategy;
use fewest_formats::export::{Block, Report, leaves_csv};
use fewest_formats::json::{CostPart, Document};
use fewest_formats::picture::Sketch;
use fewest_formats::text::draw;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &ShowArgs, printer: &Printer) -> Result<(), Failure> {
    let strategy = read_strategy(&args.strategy, printer)?;
    let name = short(&args.strategy.display().to_string());
    let drawn = |printer: &Printer| text(&name, &strategy, args.drawing, printer);
    let Some((path, kind)) = printer.output.as_deref().zip(printer.kind) else {
        return match printer.json {
            true => printer.bytes_to_output(|out| json(out, &strategy)),
            false => printer.text_to_output(&drawn(printer)),
        };
    };
    match kind {
        Kind::Json => return printer.bytes_to_output(|out| json(out, &strategy)),
        Kind::Text => printer.text_to_output(&drawn(printer))?,
        Kind::Csv => printer.save(path, |out| leaves_csv(out, &strategy.tree))?,
        _ => draw_file(path, kind, &name, &strategy, args.drawing, printer)?,
    }
    match printer.json {
        true => printer.bytes(|out| json(out, &strategy)),
        false => printer.text(&format!("Saved {}.\n", path.display())),
    }
}

/// Saves a picture, a page or a graph.
pub(super) fn draw_file(
    path: &Path,
    kind: Kind,
    name: &str,
    strategy: &Strategy,
    drawing: DrawingArgs,
    printer: &Printer,
) -> Result<(), Failure> {
    let CostPart { expected, worst, exponential } = strategy.cost;
    let bound = match strategy.optimal {
        true => "the best possible".to_owned(),
        false => format!("no strategy is below {}", wording::at_least(strategy.lower_bound.value.0, 4)),
    };
    let about = format!(
        "Expected cost {}, worst {}; {bound}, for {} cost. By {}.",
        wording::number(expected.0, 4),
        wording::number(worst.0, 4),
        strategy.objective.name,
        strategy.algorithm,
    );
    let size = wording::size(&strategy.instance);
    let sketch = Sketch::of_strategy(name, &format!("{size}. {about}"), &strategy.tree);
    let mut report = Report { title: name.to_owned(), blocks: Vec::new() };
    report.words(format!("{size}.\n\n{about}"));
    if kind == Kind::Markdown {
        report.blocks.push(Block::Drawn(draw(&strategy.tree, layout_of_file())));
    }
    let row = |name: String, cost: f64| vec![name, wording::number(cost, 4)];
    let rows = vec![
        row("expected".to_owned(), expected.0),
        row("worst".to_owned(), worst.0),
        row(format!("exponential, λ = {}", exponential.lambda.0), exponential.value.0),
    ];
    report.table(&["cost", "this strategy"], rows);
    save_tree(path, kind, &sketch, report, drawing, printer)
}

fn json(out: &mut dyn Write, strategy: &Strategy) -> io::Result<()> {
    let mut document = Document::begin(out)?;
    document.field("instance", &strategy.instance)?;
    document.field("objective", &strategy.objective)?;
    document.field("algorithm", &strategy.algorithm)?;
    document.field("cost", &strategy.cost)?;
    document.field("lower_bound", &strategy.lower_bound)?;
    document.field("optimal", &strategy.optimal)?;
    document.tree("tree", &strategy.tree)?;
    document.end()
}

fn text(name: &str, strategy: &Strategy, args: DrawingArgs, printer: &Printer) -> String {
    let CostPart { expected, worst, exponential } = strategy.cost;
    let mut text = format!("{name}: {}\n\n", wording::size(&strategy.instance));
    text += &drawing(&strategy.tree, args, printer);
    text += &format!(
        "\nexpected cost {}, worst {}, exponential {} (λ = {}); by {}\n",
        wording::number(expected.0, 4),
        wording::number(worst.0, 4),
        wording::number(exponential.value.0, 4),
        exponential.lambda.0,
        strategy.algorithm,
    );
    text
}
