//! `fewest export` and `fewest key`: a strategy as code, as a printed key, as a model or form of another program.

use super::show::draw_file;
use super::{goal, is_strategy, limit, read_strategy, short};
use crate::args::{DrawingArgs, ExportArgs, GoalArgs, PrintedKeyArgs, TableArgs};
use crate::failure::Failure;
use crate::kinds::{Kind, kind_of_tree, kinds_of_tree};
use crate::load::load;
use crate::print::Printer;
use crate::progress::ProgressLine;
use crate::wording;
use fewest::build_watched;
use fewest_export::{Export, ExportError, FORMATS, Format, KeyOptions, format_of_ending, format_of_name};
use fewest_formats::export::{Report, leaves_csv};
use fewest_formats::json::{CostPart, Document};
use fewest_formats::{NamedNode, NamedTree, Strategy, write_outcome};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// What a strategy is written as.
enum Target {
    Format(&'static Format),
    /// A picture, page or table that `fewest show` draws as well.
    Drawn(Kind),
}

pub(crate) fn run(args: &ExportArgs, printer: &Printer) -> Result<(), Failure> {
    let source = match &args.source {
        Some(source) if !args.list => source,
        _ => return list(printer),
    };
    if printer.json {
        return Err(Failure::wrong("--json goes with --list; name a format with --to, or a file with -o"));
    }
    let target = target(args.to.as_deref(), printer)?;
    let strategy = strategy(source, &args.goal, &args.reading, printer)?;
    let name = title(source);
    match target {
        Target::Format(format) => {
            write(format, &name, &strategy, args.self_test, args.key.options(), printer)?;
        }
        Target::Drawn(kind) => draw(kind, &name, &strategy, args.drawing, printer)?,
    }
    told(printer)
}

/// Runs `fewest key`.
pub(crate) fn run_key(args: &PrintedKeyArgs, printer: &Printer) -> Result<(), Failure> {
    let key = |format: &&Format| format.name.starts_with("key");
    let format = match printer.output.as_deref() {
        None => format_of_name("key"),
        Some(path) => format_of_ending(path).filter(key),
    };
    let Some(format) = format else {
        return Err(Failure::wrong("`key` writes .txt, .html, .tex; choose one of these endings"));
    };
    if printer.json {
        return Err(Failure::wrong("a key is no JSON; `fewest build --json` prints the strategy"));
    }
    let strategy = strategy(&args.source, &args.goal, &args.reading, printer)?;
    let name = title(&args.source);
    write(format, &name, &strategy, false, args.key.options(), printer)?;
    told(printer)
}

/// Name of a strategy: that of its file, without endings such as `.csv`, so that a table and its strategy have one name.
fn title(source: &Path) -> String {
    let name = short(&source.display().to_string());
    let stem = ["csv", "tsv", "json", "parquet", "txt", "plan", "strategy"].iter().fold(
        name.as_str(),
        |name, ending| {
            name.strip_suffix(ending)
                .and_then(|rest| rest.strip_suffix('.'))
                .filter(|rest| !rest.is_empty())
                .unwrap_or(name)
        },
    );
    stem.to_owned()
}

/// The target that `--to` names, or else the ending of the file.
fn target(to: Option<&str>, printer: &Printer) -> Result<Target, Failure> {
    let Some(name) = to else {
        let Some(path) = printer.output.as_deref() else {
            return Err(Failure::wrong(
                "name the format with --to, or a file with -o; `fewest export --list` lists the formats",
            ));
        };
        // `.html` is a page with the picture, as everywhere; `--to key-html` is the key.
        let drawn = || kind_of_tree(path).map(Target::Drawn);
        let found = drawn().or_else(|| format_of_ending(path).map(Target::Format));
        return found.ok_or_else(|| {
            Failure::wrong(format!(
                "`{}`: no format has this ending; name one with --to, see `fewest export --list`",
                path.display()
            ))
        });
    };
    let drawn = kinds_of_tree().into_iter().find(|(ending, _)| *ending == name);
    let drawn = drawn.map(|(_, kind)| Target::Drawn(kind));
    let found = format_of_name(name).map(Target::Format).or(drawn);
    found.ok_or_else(|| Failure::wrong(format!("there is no format `{name}`")))
}

/// Reads a strategy, or builds the best one for a table.
fn strategy(
    source: &Path,
    goal_args: &GoalArgs,
    reading: &TableArgs,
    printer: &Printer,
) -> Result<Strategy, Failure> {
    if is_strategy(source) {
        return read_strategy(source, printer);
    }
    let loaded = load(source, reading, printer)?;
    let goal = goal(goal_args);
    let outcome = {
        let mut line = ProgressLine::new(printer.quiet, Some(goal_args.time));
        let limit = limit(goal_args.time, goal_args.memory);
        build_watched(&loaded.instance, &goal, &limit, |progress| line.show(progress))
    };
    // By way of the file that `build` would save, so that both ways give the same bytes.
    let tree = NamedTree::new(&outcome.tree, &loaded.instance);
    let mut saved = Vec::new();
    let reading = Some(&loaded.reading);
    write_outcome(&mut saved, &loaded.instance, &goal, &outcome, &tree, reading, None)
        .map_err(|error| Failure::writing("the strategy", &error))?;
    Strategy::read(&saved).map_err(Failure::wrong)
}

fn write(
    format: &Format,
    name: &str,
    strategy: &Strategy,
    with_self_test: bool,
    key: KeyOptions,
    printer: &Printer,
) -> Result<(), Failure> {
    let facts = facts(strategy);
    let export = Export { name, tree: &strategy.tree, facts: &facts, with_self_test, key };
    // First in memory: a format that refuses the strategy leaves no part of a file.
    let mut bytes = Vec::new();
    (format.write)(&mut bytes, &export).map_err(|error| match error {
        ExportError::Write(error) => Failure::writing(format.name, &error),
        refused @ (ExportError::TooLarge { .. } | ExportError::NothingAsked { .. }) => {
            Failure::Refused(refused.to_string())
        }
    })?;
    printer.bytes_to_output(|out| out.write_all(&bytes))
}

fn draw(
    kind: Kind,
    name: &str,
    strategy: &Strategy,
    drawing: DrawingArgs,
    printer: &Printer,
) -> Result<(), Failure> {
    match (printer.output.as_deref(), kind) {
        (_, Kind::Csv) => printer.bytes_to_output(|out| leaves_csv(out, &strategy.tree)),
        (Some(path), kind) => draw_file(path, kind, name, strategy, drawing, printer),
        (None, kind) => Err(Failure::wrong(format!(
            "{} needs a file: add -o {name}{}",
            kind.ending().trim_start_matches('.'),
            kind.ending(),
        ))),
    }
}

/// Lines about a strategy: the size of its table, its cost, how good it is.
fn facts(strategy: &Strategy) -> Vec<String> {
    let CostPart { expected, worst, .. } = strategy.cost;
    let is_unit = |node: &NamedNode| !matches!(node, NamedNode::Ask { cost, .. } if *cost != 1.0);
    let average = wording::number(expected.0, 2);
    let cost = match strategy.tree.nodes.iter().all(is_unit) {
        true if average == "1" => "1 question on average".to_owned(),
        true => format!("{average} questions on average"),
        false => format!("cost {average} on average"),
    };
    let bound = match strategy.optimal {
        true => "the best possible".to_owned(),
        false => format!("best possible: at least {}", wording::at_least(strategy.lower_bound.value.0, 4)),
    };
    let of = match strategy.objective.name.as_str() {
        "expected" => String::new(),
        other => format!(" ({other} cost)"),
    };
    vec![
        wording::size(&strategy.instance),
        format!("{cost}, {} at worst; {bound}{of}", wording::number(worst.0, 2)),
    ]
}

/// Says what was saved.
fn told(printer: &Printer) -> Result<(), Failure> {
    match &printer.output {
        Some(path) => printer.text(&format!("Saved {}.\n", path.display())),
        None => Ok(()),
    }
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    ending: String,
    about: &'static str,
    /// What the format is made of.
    needs: &'static str,
    lossless: bool,
}

/// Prints the catalogue.
fn list(printer: &Printer) -> Result<(), Failure> {
    let own = FORMATS.iter().map(|format| Line {
        name: format.name,
        ending: format!(".{}", format.ending),
        about: format.about,
        needs: "strategy",
        lossless: format.is_lossless,
    });
    let drawn = kinds_of_tree().into_iter().map(|(name, kind)| Line {
        name,
        ending: kind.ending(),
        about: about_drawn(kind),
        needs: "strategy",
        lossless: matches!(kind, Kind::Dot | Kind::Html | Kind::Csv),
    });
    let lines: Vec<Line> = own.chain(drawn).collect();
    let json = |out: &mut dyn Write| {
        let mut document = Document::begin(out)?;
        document.list("formats", lines.iter())?;
        document.end()
    };
    let row = |line: &Line| {
        let whole = if line.lossless { "whole" } else { "a part" };
        vec![line.name.to_owned(), line.ending.clone(), whole.to_owned(), line.about.to_owned()]
    };
    let mut report = Report { title: "Formats for strategies".to_owned(), blocks: Vec::new() };
    report.table(&["format", "ending", "tree", "what it is"], lines.iter().map(row).collect());
    report.words(
        "\nfewest export PLAN.json --to FORMAT [-o FILE]; a table in place of PLAN.json is built first\n",
    );
    printer.publish(report, json, None)
}

fn about_drawn(kind: Kind) -> &'static str {
    match kind {
        Kind::Svg => "picture that stays sharp",
        Kind::Png => "picture of pixels",
        Kind::Pdf => "picture on pages",
        Kind::Dot => "graph for Graphviz",
        Kind::Html => "page with the picture and all questions",
        Kind::Markdown => "page in Markdown",
        _ => "table with a row for each leaf",
    }
}
