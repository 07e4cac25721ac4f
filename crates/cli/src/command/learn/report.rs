//! What `fewest learn` shows and draws: the tree, its size, its evaluation, its pictures.

use super::super::{layout_of_file, with_hint};
use crate::args::{DrawingArgs, LearnArgs};
use crate::endings::{Kind, kind_of_picture};
use crate::failure::Failure;
use crate::print::Printer;
use crate::tree_file::save_tree;
use crate::wording;
use fewest::learn::{CrossValidation, Evaluation, Model, Pruned, Pruning};
use fewest_formats::export::{Block, Report, learned_leaves_csv};
use fewest_formats::learned::{Learned, draw_learned, path_svg, sketch, table_svg, write_learned};
use fewest_formats::text::{Layout, count, one_line};
use std::path::Path;

/// Classes up to which the confusion matrix is printed: more columns do not fit a terminal.
const MAX_CONFUSION_CLASSES: usize = 12;

/// Learned tree for a reader, with its size, its evaluation and the confusion matrix.
pub(super) fn report(name: &str, learned: &Learned<'_>, layout: Layout, drawing: DrawingArgs) -> Report {
    let mut report = Report { title: picture_title(name, learned.model), blocks: Vec::new() };
    report.words(headline(name, learned));
    let drawn = with_hint(draw_learned(learned.model, learned.tests, layout), drawing);
    report.blocks.push(Block::Drawn(drawn));
    report.words(format!("\n\x1b[1m{}\x1b[0m\n", size(learned)));
    figures(learned, &mut report);
    let cross_validated = learned.cross_validation.map(|found| &found.evaluation);
    if let Some(evaluation) = learned.held_out.or(cross_validated) {
        confusion(learned.model, evaluation, &mut report);
    }
    report
}

pub(super) fn picture_title(name: &str, model: &Model) -> String {
    format!("{name}: {}", model.target)
}

/// Saves the model as JSON, or the tree as what the ending names.
pub(super) fn save(
    path: &Path,
    name: &str,
    learned: &Learned<'_>,
    text: &str,
    drawing: DrawingArgs,
    printer: &Printer,
) -> Result<(), Failure> {
    match printer.kind {
        None | Some(Kind::Json) => printer.save(path, |out| write_learned(out, learned)),
        Some(Kind::Text) => printer.text_to_output(text),
        Some(Kind::Csv) => printer.save(path, |out| learned_leaves_csv(out, learned.model)),
        Some(kind) => {
            let sketch = sketch(&picture_title(name, learned.model), learned.model);
            let report = report(name, learned, layout_of_file(), DrawingArgs { depth: None, full: true });
            save_tree(path, kind, &sketch, report, drawing, printer)
        }
    }
}

/// Saves the pictures that the options name.
pub(super) fn draw_pictures(
    args: &LearnArgs,
    name: &str,
    learned: &Learned<'_>,
    printer: &Printer,
) -> Result<(), Failure> {
    let pictures = &args.pictures;
    let model = learned.model;
    if let Some(path) = &pictures.tree_plot {
        let kind = kind_of_picture("--tree-plot", path)?;
        let sketch = sketch(&picture_title(name, model), model);
        save_tree(path, kind, &sketch, Report::default(), args.drawing, printer)?;
    }
    if let Some(path) = &pictures.path_plot {
        let title = format!("{name}: pruning of the tree for {}", model.target);
        let svg = path_svg(&title, learned.pruned).ok_or_else(|| {
            Failure::wrong("--path-plot: nothing was tried; use --alpha cv, or --prune cost-complexity")
        })?;
        printer.save_picture(path, &svg)?;
    }
    if let Some(path) = &pictures.table_plot {
        let at = node_at(model, pictures.node.as_deref().unwrap_or_default())?;
        let svg = table_svg(&format!("{name}: {}", model.target), model, at).ok_or_else(|| {
            Failure::wrong("--table-plot: this is a leaf, where nothing is asked; see --node")
        })?;
        printer.save_picture(path, &svg)?;
    }
    Ok(())
}

/// Index of the node that answers such as `sunny/high` lead to.
fn node_at(model: &Model, path: &str) -> Result<usize, Failure> {
    let mut at = 0;
    for answer in path.split('/').map(str::trim).filter(|answer| !answer.is_empty()) {
        let split = model.tree.nodes[at].split.as_ref();
        let labels = split.and_then(|split| model.fields[split.question.field()].words.as_ref());
        let answers = split.into_iter().flat_map(|split| {
            split
                .answers
                .iter()
                .map(move |(answer, child)| (split.question.answer_text(*answer, labels), *child))
        });
        let answers: Vec<(&str, usize)> = answers.collect();
        let next = answers.iter().find(|(text, _)| *text == answer);
        at = next.map(|(_, child)| *child).ok_or_else(|| {
            let known: Vec<&str> = answers.iter().map(|(text, _)| *text).take(12).collect();
            Failure::wrong(format!(
                "--node: there is no answer `{answer}` there; the answers are `{}`",
                known.join("`, `")
            ))
        })?;
    }
    Ok(at)
}

fn headline(name: &str, learned: &Learned<'_>) -> String {
    let part = learned.instance();
    format!(
        "{name}: {}, {}, {} of `{}` ({} bits)\n\n",
        count(part.rows, "row"),
        count(part.tests, "column"),
        format_args!("{} classes", part.groups),
        one_line(&learned.model.target, 60),
        wording::number(part.entropy_bits.0, 4),
    )
}

/// Number of leaves, and the pruning that led to it.
fn size(learned: &Learned<'_>) -> String {
    let Pruned { leaves_before, parameter, .. } = learned.pruned;
    let leaves = count(learned.model.tree.leaves(), "leaf");
    let chosen = if learned.pruned.path.is_empty() { "" } else { ", chosen by cross-validation" };
    let how = match (learned.pruning, parameter) {
        (Pruning::None, _) => return format!("{leaves}, not pruned"),
        (Pruning::ChiSquared { .. }, Some(alpha)) if *alpha > 0.0 && *alpha < 1e-3 => {
            format!("χ² pruning at α = {alpha:e}{chosen}")
        }
        (Pruning::ChiSquared { .. }, Some(alpha)) => format!("χ² pruning at α = {alpha}{chosen}"),
        (Pruning::CostComplexity { .. }, Some(price)) => {
            format!("cost-complexity pruning at {} errors a leaf{chosen}", wording::number(*price, 4))
        }
        _ => "reduced-error pruning".to_owned(),
    };
    format!("{leaves} of {leaves_before} after {how}")
}

/// Table of accuracy, log loss and cost: training rows, cross-validation, held-out rows.
fn figures(learned: &Learned<'_>, report: &mut Report) {
    let row = |name: String, evaluation: &Evaluation| {
        let (low, high) = evaluation.accuracy_interval();
        let mut row = vec![
            name,
            wording::number(evaluation.accuracy() * 100.0, 1) + " %",
            format!("{:.1}–{:.1} %", low * 100.0, high * 100.0),
            wording::number(evaluation.errors(), 1),
            wording::number(evaluation.mean_log_loss(), 4),
            wording::number(evaluation.calibration_error(), 3),
        ];
        if !learned.examples.has_unit_costs() {
            row.push(wording::number(evaluation.mean_cost(), 3));
        }
        row
    };
    let mut rows = vec![row("the rows it was made from".to_owned(), learned.training)];
    if let Some(CrossValidation { evaluation, accuracies, .. }) = learned.cross_validation {
        rows.push(row(format!("{}-fold cross-validation", accuracies.len()), evaluation));
    }
    if let Some(evaluation) = learned.held_out {
        rows.push(row("rows held out".to_owned(), evaluation));
    }
    let mut header = vec!["judged on", "accuracy", "95 % interval", "errors", "log loss", "calibration"];
    if !learned.examples.has_unit_costs() {
        header.push("cost of asking");
    }
    report.table(&header, rows);
    report.words(format!(
        "  log loss of all rows, leaf frequencies as probabilities: {} nats\n",
        wording::number(learned.model.tree.log_loss(), 4)
    ));
}

/// Confusion matrix: true classes against predicted classes.
fn confusion(model: &Model, evaluation: &Evaluation, report: &mut Report) {
    if model.classes.len() > MAX_CONFUSION_CLASSES {
        return;
    }
    let names: Vec<String> = model.classes.iter().map(|class| one_line(class, 20)).collect();
    let mut header = vec!["is \\ predicted"];
    header.extend(names.iter().map(String::as_str));
    let line = |(name, line): (&String, &Vec<f64>)| {
        let mut cells = vec![name.clone()];
        cells.extend(line.iter().map(|weight| wording::number(*weight, 1)));
        cells
    };
    let rows: Vec<Vec<String>> = names.iter().zip(&evaluation.confusion).map(line).collect();
    report.words("\n");
    report.table(&header, rows);
}
