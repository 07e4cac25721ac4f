//! `fewest learn`: a tree that predicts a column, with its statistics.

use super::{layout, layout_of_file, short, with_hint};
use crate::args::{
    DataArgs, DrawingArgs, GrowthArgs, LearnArgs, LearnMissingArg, PruneArg, PruningArgs, SmallCountsArg,
};
use crate::endings::{Kind, kind_of_picture};
use crate::failure::Failure;
use crate::load::names;
use crate::print::Printer;
use crate::progress::Clock;
use crate::publish;
use crate::spell::flag;
use crate::tree_file::save_tree;
use crate::wording;
use fewest::learn::{
    CrossValidation, DEEPEST, Evaluation, Examples, FitOptions, Grower, MissingAnswer, Model, Notice,
    Preparation, Pruned, Pruning, Smoothing, Target, Testing, Validation, cross_validate_within,
    grow_and_prune, model, significances, stratified_holdout,
};
use fewest::{Limit, StopReason};
use fewest_formats::export::{Block, Report, learned_leaves_csv};
use fewest_formats::learned::{
    Learned, Prediction, Predictor, SavedModel, draw_learned, path_svg, sketch, table_svg, write_learned,
};
use fewest_formats::read::{Rows, Source, read_costs, read_data};
use fewest_formats::text::{Layout, count, one_line};
use std::path::Path;

/// Cells (rows × columns) up to which cross-validation is done by default: it takes about ten times as long as the fit.
const QUICK_CELLS: usize = 1_000_000;
/// Classes up to which the confusion matrix is printed: more columns do not fit a terminal.
const MAX_CONFUSION_CLASSES: usize = 12;

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

/// Saves the model as JSON, or the tree as what the ending names.
fn save(
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

fn picture_title(name: &str, model: &Model) -> String {
    format!("{name}: {}", model.target)
}

/// Refuses data of which every column is left out.
fn refuse_no_columns(examples: &Examples, source: Source<'_>) -> Result<(), Failure> {
    match examples.fields().is_empty() {
        false => Ok(()),
        true => Err(Failure::wrong(format!(
            "{source}: no column is left to ask for; see the columns that --ignore, --tests or the warnings leave out"
        ))),
    }
}

/// Whether to cross-validate: if `--folds` says so, or else if it is quick and no rows are held out.
fn wants_cross_validation(args: &LearnArgs, examples: &Examples) -> bool {
    let is_quick =
        examples.len() * examples.fields().len() <= QUICK_CELLS && args.validation.holdout.is_none();
    args.validation.folds.map_or(is_quick, |folds| folds > 0)
}

/// Learned tree for a reader, with its size, its evaluation and the confusion matrix.
fn report(name: &str, learned: &Learned<'_>, layout: Layout, drawing: DrawingArgs) -> Report {
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

/// Saves the pictures that the options name.
fn draw_pictures(
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

/// Reads the data as labelled examples; also returns the name of the target and notices about left-out columns.
fn load(
    args: &LearnArgs,
    source: Source<'_>,
    printer: &Printer,
) -> Result<(Examples, String, Vec<Notice>), Failure> {
    let reading = &args.reading;
    let wrong =
        |error: fewest::learn::ExamplesError| Failure::wrong(format!("{source}: {}", error.words(flag)));
    // The column to predict is never the names of the rows, whatever it is called.
    let is_target = |name: &&str| args.target.as_deref().is_none_or(|target| target.trim() != *name);
    let object = Some(reading.object.as_deref().unwrap_or("object")).filter(is_target).unwrap_or_default();
    let data = read_data(source, object, &[]).map_err(|error| Failure::wrong(error.words(flag)))?;
    let header: Vec<&str> = data.header.iter().map(String::as_str).collect();
    let target = match &args.target {
        Some(target) => Target::parse(target, &header).map_err(wrong)?,
        None if header.contains(&"group") => Target { column: "group".to_owned(), test: None },
        None => {
            return Err(Failure::wrong(format!(
                "{source}: what is to be predicted? name a column with --target, such as --target '{}'",
                header.last().copied().unwrap_or("class"),
            )));
        }
    };
    let name = args.target.clone().unwrap_or_else(|| target.column.clone());
    let mut costs = data.costs;
    if let Some(path) = &reading.costs {
        let listed = plain_costs(path, printer)?;
        costs.retain(|(name, _)| listed.iter().all(|(other, _)| other != name));
        costs.extend(listed);
    }
    // The column of names is not part of the data any more.
    let known = |name: &String| name != object;
    if reading.object.as_ref().is_some_and(|object| !data.header.contains(object)) {
        let name = object.to_owned();
        let known = format!("the columns are `{}`", header.join("`, `"));
        return Err(wrong(fewest::learn::ExamplesError::NoSuchColumn {
            option: fewest::Choice::Object,
            name,
            known,
        }));
    }
    let tests = reading.tests.as_deref().map(|text| names(text, printer)).transpose()?;
    let preparation = Preparation {
        object: None,
        prior: reading.prior.clone(),
        ignore: reading.ignore.iter().filter(|name| known(name)).cloned().collect(),
        tests,
        costs,
        class_weights: args.growth.class_weights.clone().unwrap_or_default(),
        refuse_missing: reading.missing == LearnMissingArg::Error,
    };
    let (examples, notices) = Examples::new(data.fields, &target, &preparation).map_err(wrong)?;
    Ok((examples, name.trim().to_owned(), notices))
}

/// Costs of a file that gives one for each test.
fn plain_costs(path: &Path, printer: &Printer) -> Result<Vec<(String, f64)>, Failure> {
    let source = printer.source(path)?;
    let listed = read_costs(source).map_err(Failure::wrong)?;
    match listed.depends_on_path() {
        false => Ok(listed.costs),
        true => Err(Failure::wrong(format!(
            "{source}: `fewest learn` knows one cost for each test; leave out the columns `answer`, `bundle` and `setup`"
        ))),
    }
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

fn words(notice: &Notice, reading: &DataArgs) -> String {
    match notice {
        Notice::Constant { column } => format!("column `{column}` has one value only and is left out"),
        Notice::AllMissing { column } => format!("column `{column}` has no values and is left out"),
        Notice::Identifier { column, values } => {
            format!("column `{column}` seems to name the rows ({values} different values) and is left out")
        }
        Notice::ManyWords { column, values } => format!(
            "column `{column}` has {values} different words, more than {}, and is left out; join rare words to keep it",
            fewest::learn::MAX_WORDS
        ),
        Notice::NoClass { rows } => format!("{} without a class left out", count(*rows, "row")),
        Notice::MissingCells { cells, columns } => {
            let meaning = match reading.missing {
                LearnMissingArg::Likelier => "go where most rows go",
                _ => "are an answer of their own, `?`",
            };
            format!(
                "{} in {} {meaning}; see --missing",
                count(*cells, "missing cell"),
                count(*columns, "column")
            )
        }
    }
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
