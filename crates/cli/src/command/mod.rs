//! Commands, one file each: read, run the library, print.

pub(crate) mod algorithms;
pub(crate) mod ask;
pub(crate) mod bounds;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod export;
pub(crate) mod front;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod learn;
pub(crate) mod man;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod predict;
pub(crate) mod reproduce;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod simulate;

use crate::args::{DrawingArgs, GoalArgs};
use crate::failure::{Failure, printable};
use crate::interrupt;
use crate::print::Printer;
use crate::spell::saved_by;
use fewest::{Goal, Limit};
use fewest_formats::read::{Problem, is_other_format};
use fewest_formats::text::{Depth, Layout, draw};
use fewest_formats::{NamedTree, Saved, Strategy, StrategyError};
use std::path::Path;
use std::time::Duration;

/// Lines of a tree drawn by default: about one screen.
const PAGE: usize = 48;
/// Columns of a drawing of letters in a file.
const PAGE_WIDTH: usize = 100;

/// Goal from the options.
fn goal(args: &GoalArgs) -> Goal {
    Goal::default()
        .with_objective(args.objective.with(args.lambda))
        .with_lambda(args.lambda)
        .with_cost_blind(args.cost_blind)
}

/// Limit from the options, with Ctrl-C as interrupt.
fn limit(time: Duration, memory: usize) -> Limit {
    Limit::time(time).with_memory(memory).with_interrupt(interrupt::flag())
}

/// Layout of a drawn tree from the options.
fn layout(args: DrawingArgs, printer: &Printer) -> Layout {
    let depth = match (args.full, args.depth) {
        (true, _) => Depth::Full,
        (false, Some(questions)) => Depth::Questions(questions),
        (false, None) => Depth::Lines(PAGE),
    };
    Layout { width: printer.width(), depth }
}

/// Layout of a whole tree in a file.
fn layout_of_file() -> Layout {
    Layout { width: PAGE_WIDTH, depth: Depth::Full }
}

/// Tree as text, with a hint at `--full` where it was folded.
fn drawing(tree: &NamedTree, args: DrawingArgs, printer: &Printer) -> String {
    with_hint(draw(tree, layout(args, printer)), args)
}

/// Adds a hint at `--full` to a drawing that was folded.
fn with_hint(text: String, args: DrawingArgs) -> String {
    let folded = text.contains("\u{1b}[1m… ") && !args.full;
    if folded { text + "\x1b[2m(folded; --full draws all, --depth N more or less)\x1b[0m\n" } else { text }
}

/// Reads a saved strategy.
fn read_strategy(path: &Path, printer: &Printer) -> Result<Strategy, Failure> {
    read_as(path, Strategy::read, printer)
}

/// Reads a saved strategy, or a certificate.
fn read_saved(path: &Path, printer: &Printer) -> Result<Saved, Failure> {
    read_as(path, Saved::read, printer)
}

fn read_as<T>(
    path: &Path,
    read: fn(&[u8]) -> Result<T, StrategyError>,
    printer: &Printer,
) -> Result<T, Failure> {
    let (name, bytes) = bytes_of(path, printer)?;
    read(&bytes).map_err(|error| Failure::wrong(format!("{name}: {}", error.words(saved_by))))
}

/// Bytes of a file or of standard input, and the name for messages.
fn bytes_of(path: &Path, printer: &Printer) -> Result<(String, Vec<u8>), Failure> {
    printer.reads(path)?;
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let done = std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes);
        ("standard input".to_owned(), done.map(|_| bytes))
    } else {
        (path.display().to_string(), std::fs::read(path))
    };
    let bytes = bytes.map_err(|error| Failure::wrong(format!("{name}: {}", Problem::from(error))))?;
    Ok((name, bytes))
}

/// Whether a file is the JSON of a strategy and not a table.
fn is_strategy(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 4096];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    head[..read].trim_ascii_start().starts_with(b"{") && !is_other_format(&head[..read])
}

/// Name of a file without its folders.
fn short(name: &str) -> String {
    printable(Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name))
}
