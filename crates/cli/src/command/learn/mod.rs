//! `fewest learn`: a tree that predicts a column, with its statistics.

mod data;
mod report;

use self::data::{load, refuse_no_columns, words};
use self::report::{draw_pictures, report, save};
use super::{layout, short};
use crate::args::{DataArgs, GrowthArgs, LearnArgs, LearnMissingArg, PruneArg, PruningArgs, SmallCountsArg};
use crate::endings::Kind;
use crate::failure::Failure;
use crate::print::Printer;
use crate::progress::Clock;
use crate::publish;
use crate::spell::flag;
use fewest::learn::{
    DEEPEST, Evaluation, Examples, FitOptions, Grower, MissingAnswer, Model, Pruning, Smoothing, Testing,
    Validation, cross_validate_within, grow_and_prune, model, significances, stratified_holdout,
};
use fewest::{Limit, StopReason};
use fewest_formats::learned::{Learned, Prediction, Predictor, SavedModel, write_learned};
use fewest_formats::read::Rows;
use std::path::Path;

/// Cells (rows × columns) up to which cross-validation is done by default: it takes about ten times as long as the fit.
const QUICK_CELLS: usize = 1_000_000;

pub(crate) fn run(args: &LearnArgs, printer: &Printer) -> Result<(), Failure> {
    announce_files(args, printer)?;
    let source = printer.source(&args.data)?;
    let (examples, target, notices) = load(args, source, printer)?;
    notices.iter().for_each(|notice| printer.warn(&format!("{source}: {}", words(notice, &args.reading))));
    refuse_no_columns(&examples, source)?;
    let options = options(&args.growth, &args.reading);
    let pruning = pruning(&args.pruning, printer.seed);
    let smoothing = args.validation.smoothing;
    let validation = Validation {
        folds: args.validation.folds.filter(|folds| *folds >= 2).unwrap_or(10),
        seed: printer.seed,
        smoothing,
    };
    let (rows, kept_out) = held_out_rows(args, &examples, printer.seed);
    let limit = Limit::none().with_interrupt(crate::interrupt::flag());
    let clock = Clock::start(printer.quiet, "learn", None);
    let grower = Grower::new(&examples, &options).within(&limit);
    let mut pruned = grow_and_prune(&grower, &examples, &rows, &options, &pruning, &validation);
    let tree = std::mem::replace(&mut pruned.tree, fewest::learn::LearnedTree { nodes: Vec::new() });
    let model = model(&examples, &target, &options, tree);
    let tests = significances(&model.tree, testing(&args.pruning, printer.seed));
    let training = Evaluation::of_training(&model.tree, &examples, smoothing);
    let cross_validation = wants_cross_validation(args, &examples)
        .then(|| cross_validate_within(&examples, &options, &pruning, &validation, &limit))
        .flatten();
    drop(clock);
    let stop = if limit.is_reached() { StopReason::Interrupted } else { StopReason::Complete };
    if stop == StopReason::Interrupted {
        printer
            .warn("stopped on request: the tree is what was grown by then, and it was not cross-validated");
    }
    let held_out = judge_held_out(args, &examples, &model, smoothing, &kept_out, printer)?;
    let learned = Learned {
        model: &model,
        examples: &examples,
        notices: &notices,
        pruning: &pruning,
        pruned: &pruned,
        tests: &tests,
        smoothing,
        training: &training,
        cross_validation: cross_validation.as_ref(),
        held_out: held_out.as_ref(),
        stop,
    };
    let name = short(&source.to_string());
    draw_pictures(args, &name, &learned, printer)?;
    let report = report(&name, &learned, layout(args.drawing, printer), args.drawing);
    let text = publish::text(&report);
    if let Some(path) = &printer.output {
        save(path, &name, &learned, &text, args.drawing, printer)?;
    }
    if printer.json {
        return printer.bytes(|out| write_learned(out, &learned));
    }
    printer.text(&(text + &next_command(printer)))
}

/// Message that the model or the tree is saved; after a model, with the command that uses it.
fn next_command(printer: &Printer) -> String {
    match (&printer.output, printer.kind) {
        (Some(path), None | Some(Kind::Json)) => {
            format!("\nSaved {0}. Next: fewest predict {0} NEW.csv\n", path.display())
        }
        (Some(path), Some(_)) => format!("\nSaved {}.\n", path.display()),
        (None, _) => String::new(),
    }
}

/// Whether to cross-validate: if `--folds` says so, or else if it is quick and no rows are held out.
fn wants_cross_validation(args: &LearnArgs, examples: &Examples) -> bool {
    let is_quick =
        examples.len() * examples.fields().len() <= QUICK_CELLS && args.validation.holdout.is_none();
    args.validation.folds.map_or(is_quick, |folds| folds > 0)
}

/// Registers the pictures that will be written, and the file of `--holdout`, which is read last.
fn announce_files(args: &LearnArgs, printer: &Printer) -> Result<(), Failure> {
    let pictures = &args.pictures;
    if let Some(path) = args.validation.holdout.as_deref().map(Path::new).filter(|path| path.is_file()) {
        printer.reads(path)?;
    }
    let asked = [
        ("--tree-plot", &pictures.tree_plot),
        ("--path-plot", &pictures.path_plot),
        ("--table-plot", &pictures.table_plot),
    ];
    for (option, path) in asked {
        let Some(path) = path else { continue };
        printer.draws(option, path)?;
    }
    Ok(())
}

fn options(growth: &GrowthArgs, reading: &DataArgs) -> FitOptions {
    FitOptions {
        score: growth.score,
        categories: growth.categories,
        missing: match reading.missing {
            LearnMissingArg::Likelier => MissingAnswer::Likelier,
            LearnMissingArg::Answer | LearnMissingArg::Error => MissingAnswer::Own,
        },
        max_depth: growth.max_depth.unwrap_or(DEEPEST),
        min_leaf: growth.min_leaf,
        bins: growth.bins,
        cost_blind: growth.cost_blind,
    }
}

fn testing(args: &PruningArgs, seed: u64) -> Testing {
    Testing { always_chi_squared: args.small_counts == SmallCountsArg::Chi2, correction: args.correct, seed }
}

fn pruning(args: &PruningArgs, seed: u64) -> Pruning {
    match args.prune {
        PruneArg::None => Pruning::None,
        PruneArg::ReducedError => Pruning::ReducedError,
        PruneArg::CostComplexity => Pruning::CostComplexity { price: args.price },
        PruneArg::Chi2 => {
            Pruning::ChiSquared { alpha: args.alpha, order: args.order, testing: testing(args, seed) }
        }
    }
}

/// Rows to learn from, and rows that `--holdout` keeps out.
fn held_out_rows(args: &LearnArgs, examples: &Examples, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let rows = examples.rows();
    match args.validation.holdout.as_deref().and_then(share) {
        Some(share) => stratified_holdout(examples, &rows, share, seed),
        None => (rows, Vec::new()),
    }
}

/// Parses a share of the rows from 0.01 to 0.9.
fn share(text: &str) -> Option<f64> {
    text.parse().ok().filter(|share: &f64| (0.01..=0.9).contains(share))
}

/// Evaluation of the model on held-out rows, or on the rows of a file.
fn judge_held_out(
    args: &LearnArgs,
    examples: &Examples,
    model: &Model,
    smoothing: Smoothing,
    kept_out: &[u32],
    printer: &Printer,
) -> Result<Option<Evaluation>, Failure> {
    let Some(holdout) = &args.validation.holdout else { return Ok(None) };
    let mut evaluation = Evaluation::new(model.classes.len());
    if share(holdout).is_some() {
        evaluation.add(&model.tree, examples, kept_out, model.missing, smoothing);
        return Ok(Some(evaluation).filter(|evaluation| evaluation.weight > 0.0));
    }
    if holdout.parse::<f64>().is_ok() && !Path::new(holdout).exists() {
        return Err(Failure::wrong(format!(
            "--holdout {holdout}: a share lies between 0.01 and 0.9; or name a file"
        )));
    }
    let source = printer.source(Path::new(holdout))?;
    let mut rows = Rows::open(source).map_err(Failure::wrong)?;
    let saved = SavedModel { model: model.clone(), smoothing };
    let wrong =
        |error: fewest::learn::ExamplesError| Failure::wrong(format!("{source}: {}", error.words(flag)));
    let (mut predictor, outline) = Predictor::new(&saved, rows.header()).map_err(wrong)?;
    if !predictor.has_truth() {
        return Err(Failure::wrong(format!("{source}: there is no column `{}` to judge by", model.target)));
    }
    warn_of_absent(&source.to_string(), &outline.absent, printer);
    while let Some((_, cells)) = rows.next().map_err(Failure::wrong)? {
        if let Some(truth) = predictor.truth(&cells) {
            let Prediction { node, probabilities, asked } = predictor.predict(&cells);
            let cost = asked.iter().map(|field| examples.cost(*field)).sum();
            evaluation.add_one(truth, node.class(), probabilities, 1.0, cost);
        }
    }
    match evaluation.weight > 0.0 {
        true => Ok(Some(evaluation)),
        false => Err(Failure::wrong(format!("{source}: no row has a class that the model knows"))),
    }
}

pub(super) fn warn_of_absent(source: &str, absent: &[String], printer: &Printer) {
    if !absent.is_empty() {
        let names = absent.iter().take(5).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        printer.warn(&format!(
            "{source}: the model asks for {names}, which is not there; its cells count as missing"
        ));
    }
}
