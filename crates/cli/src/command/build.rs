//! `fewest build`: the best strategy that can be found in the time.

use super::{drawing, goal, layout_of_file, limit, short};
use crate::args::BuildArgs;
use crate::endings::{Kind, refuse_other_kinds};
use crate::failure::{Failure, printable};
use crate::load::{Loaded, load, refuse_several};
use crate::print::Printer;
use crate::progress::ProgressLine;
use crate::publish;
use crate::spell::flag;
use crate::tree_file::save_tree;
use crate::wording;
use fewest::bound::{self, ObjectiveKind};
use fewest::loss::{self, Losses};
use fewest::robustness::{Shift, robustness};
use fewest::{Goal, Instance, Node, NodeId, Objective, Outcome, StopReason, Tree, build_watched};
use fewest_formats::export::{Block, Report, leaves_csv};
use fewest_formats::json::InstancePart;
use fewest_formats::picture::Sketch;
use fewest_formats::text::{count, draw, percent};
use fewest_formats::wording::{GAP_BRANCH, gap_branches};
use fewest_formats::{NamedTree, write_certificate, write_outcome};
use std::path::Path;

/// Most questions listed in the report, largest loss first.
const POINTED_AT: usize = 8;

pub(crate) fn run(args: &BuildArgs, printer: &Printer) -> Result<(), Failure> {
    if let Some(path) = &args.certificate {
        printer.writes("--certificate", path)?;
    }
    let loaded = load(&args.table, &args.reading, printer)?;
    // After all files are read: that an input would be overwritten is the graver mistake, and named first.
    if let Some(path) = &args.certificate {
        refuse_other_kinds("--certificate", path, &[Kind::Json])?;
    }
    let algorithm = args.algorithm.only();
    refuse_where_several(args, &loaded)?;
    let proof = args.certificate.is_some() || printer.output.is_some();
    let cap = args.max_worst.unwrap_or_default();
    let goal = goal(&args.goal).with_algorithm(algorithm).with_cap(cap).with_proof(proof);
    let limit = limit(args.goal.time, args.goal.memory);
    let outcome = {
        let mut line = ProgressLine::new(printer.quiet, Some(args.goal.time));
        build_watched(&loaded.instance, &goal, &limit, |progress| line.show(progress))
    };
    if outcome.costs.worst > outcome.cap * (1.0 + 1e-12) {
        return Err(beyond_the_cap(&outcome));
    }
    let tree = NamedTree::new(&outcome.tree, &loaded.instance);
    warn_of_strategy(args, &loaded, &tree, printer);
    let shifts = args.report.then(|| robustness(&outcome.tree, &loaded.instance));
    let shifts = shifts.as_deref();
    let report = report_of(args, &loaded, &goal, &outcome, &tree, shifts, printer);
    let mut text = publish::text(&report);
    if let Some(path) = &printer.output {
        match printer.kind {
            None | Some(Kind::Json) => printer.save(path, |out| {
                write_outcome(out, &loaded.instance, &goal, &outcome, &tree, Some(&loaded.reading), shifts)
            })?,
            Some(Kind::Text) => printer.text_to_output(&text)?,
            Some(Kind::Csv) => printer.save(path, |out| leaves_csv(out, &tree))?,
            Some(kind) => {
                let sketch = sketch(&loaded, &goal, &outcome, &tree);
                save_tree(path, kind, &sketch, report, args.drawing, printer)?;
            }
        }
    }
    if let Some(path) = &args.certificate {
        save_certificate(path, &loaded, &goal, &outcome, printer)?;
    }
    if printer.json {
        return printer
            .bytes(|out| write_outcome(out, &loaded.instance, &goal, &outcome, &tree, None, shifts));
    }
    match (&printer.output, printer.kind) {
        (Some(path), None | Some(Kind::Json)) => text += &next_command(args, &loaded, &outcome, path),
        (Some(path), Some(_)) => text += &format!("\nSaved {}.\n", path.display()),
        (None, _) => (),
    }
    printer.text(&text)
}

/// Warns of what a reader of the strategy might not expect.
fn warn_of_strategy(args: &BuildArgs, loaded: &Loaded, tree: &NamedTree, printer: &Printer) {
    if args.algorithm.only().is_some_and(|algorithm| algorithm.needs_groups)
        && loaded.instance.identify() == fewest::Identify::Objects
        && !loaded.instance.has_several()
    {
        printer.warn("gain-ratio scores every test alike where every object is its own group, so it asks them in order");
    }
    if let Some(text) = gap_branches(&tree.gap_branches(GAP_BRANCH), flag) {
        printer.warn(&text);
    }
}

/// Refuses options that need one answer in every cell where a table has several.
fn refuse_where_several(args: &BuildArgs, loaded: &Loaded) -> Result<(), Failure> {
    if let Some(algorithm) = args.algorithm.only().filter(|algorithm| !algorithm.takes_several()) {
        let what = format!("--algorithm {}", algorithm.name);
        refuse_several(loaded, &what, "name a greedy one such as ggbs, or leave --algorithm out")?;
    }
    if args.certificate.is_some() {
        refuse_several(loaded, "--certificate", "leave it out: `fewest check` verifies the bound without")?;
    }
    Ok(())
}

/// Saves the proof of the bound for `fewest check`.
fn save_certificate(
    path: &Path,
    loaded: &Loaded,
    goal: &Goal,
    outcome: &Outcome,
    printer: &Printer,
) -> Result<(), Failure> {
    // Where the search left no proof, the checker's own bound has one.
    let own;
    let proof = match &outcome.proof {
        Some(proof) => proof,
        None => {
            own = fewest_check::own_proof(&loaded.instance, goal.objective, outcome.cap);
            &own
        }
    };
    if proof.value < outcome.bound.value * (1.0 - 1e-9) {
        printer.warn(&format!(
            "the proof of {} fits neither the time nor the memory; the certificate proves {}",
            wording::at_least(outcome.bound.value, 4),
            wording::at_least(proof.value, 4),
        ));
    }
    printer.save(path, |out| write_certificate(out, &loaded.instance, proof, Some(&loaded.reading)))
}

/// Strategy for a reader: the tree, its verdict, costs beside bounds and, with `--report`, its losses.
fn report_of(
    args: &BuildArgs,
    loaded: &Loaded,
    goal: &Goal,
    outcome: &Outcome,
    tree: &NamedTree,
    shifts: Option<&[Shift]>,
    printer: &Printer,
) -> Report {
    let name = short(&loaded.name);
    let size = wording::size(&InstancePart::new(&loaded.instance));
    let mut report = Report { title: name.clone(), blocks: Vec::new() };
    report.words(format!("{name}: {size}\n\n"));
    report.blocks.push(Block::Drawn(match printer.kind {
        Some(Kind::Markdown) => draw(tree, layout_of_file()),
        _ => drawing(tree, args.drawing, printer),
    }));
    if outcome.tree.leaf_count() == 1 && loaded.instance.inseparable().next().is_some() {
        report.words(
            "\n\x1b[1mNo questions: these tests cannot tell the groups apart.\x1b[0m `fewest inspect` shows why.\n",
        );
        return report;
    }
    report.words(format!("\n\x1b[1m{}\x1b[0m\n", wording::verdict(&loaded.instance, goal, outcome)));
    report.words(explanation(goal, outcome));
    report.words(what_is_open(outcome));
    report.words("\n");
    costs_against_bounds(goal, outcome, &mut report);
    if let Some(shifts) = shifts {
        losses(loaded, goal, outcome, &mut report);
        if_the_prior_is_off(shifts, &mut report);
    }
    report
}

/// Strategy as it is drawn, with its verdict.
fn sketch(loaded: &Loaded, goal: &Goal, outcome: &Outcome, tree: &NamedTree) -> Sketch {
    let size = wording::size(&InstancePart::new(&loaded.instance));
    let about = format!("{size}. {}.", wording::verdict(&loaded.instance, goal, outcome));
    Sketch::of_strategy(&short(&loaded.name), &about, tree)
}

/// Message that the strategy is saved, with the command that checks it.
fn next_command(args: &BuildArgs, loaded: &Loaded, outcome: &Outcome, path: &Path) -> String {
    // A bound without a proof in the file makes the check fail.
    let tree_only =
        if outcome.whole_proof().is_some() || loaded.instance.has_several() { "" } else { " --tree-only" };
    // Plain costs never come from the file.
    let plain = args.reading.costs.as_ref().filter(|_| loaded.instance.pricing().is_none());
    let costs = plain.map(|costs| format!(" --costs {}", costs.display()));
    let costs = costs.unwrap_or_default();
    format!(
        "\nSaved {0}. Next: fewest check {1} {0}{costs}{tree_only}\n",
        path.display(),
        args.table.display()
    )
}

/// Refusal where no strategy within the cap exists, or none was found.
fn beyond_the_cap(outcome: &Outcome) -> Failure {
    let Outcome { costs, cap, .. } = outcome;
    let none =
        if outcome.stop == StopReason::Proved { "there is no strategy" } else { "no strategy was found" };
    Failure::Refused(format!(
        "{none} whose worst cost is at most {}; the least found is {}; try a higher --max-worst or a longer --time",
        wording::number(*cap, 4),
        wording::number(costs.worst, 4),
    ))
}

/// Note on leaves that were cut off because the whole tree would be too large, with ways to avoid that.
fn what_is_open(outcome: &Outcome) -> String {
    let Some(open) = outcome.unfinished else { return String::new() };
    format!(
        "\n\x1b[1mNot finished\x1b[0m: unknown cells send their objects into every branch, and the complete tree is too large.\n\
         {} of {} ({} of the probability) could be asked further; the likeliest group there is wrong with probability\n\
         {} in all. Costs and bounds are those of strategies that leave as much open. For a complete tree, leave out\n\
         tests that are mostly unknown (--ignore), or use --missing answer.\n",
        count(open.leaves, "leaf"),
        count(outcome.tree.leaf_count(), "leaf"),
        percent(open.weight),
        percent(open.error),
    )
}

/// Algorithm of the strategy, and its distance from the optimum.
fn explanation(goal: &Goal, outcome: &Outcome) -> String {
    let lambda = outcome.lambda.map_or(String::new(), |lambda| format!(" (λ = {})", lambda.value()));
    let blind = if outcome.cost_blind && !goal.cost_blind { ", blind to costs" } else { "" };
    let tried = if goal.algorithm.is_some() { "" } else { ", the best of all algorithms" };
    let by = match outcome.origin.is_search() {
        true => "Found by search".to_owned(),
        false => format!("Found by {}{lambda}{blind}{tried}", outcome.origin.name()),
    };
    let gap = match (outcome.optimal, wording::above_best(outcome.gap)) {
        (true, _) => "; no strategy is better.".to_owned(),
        (false, Some(above)) => format!("; at most {above} above the best possible."),
        (false, None) => "; the bound is too weak to say how near this is to the best possible.".to_owned(),
    };
    let ended = match outcome.stop {
        StopReason::Time if outcome.unranked > 0 => {
            return format!("{by}{gap} {}\n", unranked(outcome));
        }
        StopReason::Time => " The time ended the search; --time 1m searches longer.",
        StopReason::Nodes if outcome.unfinished.is_none() => " Other trees were too large to finish.",
        StopReason::Nodes => "",
        StopReason::Interrupted => " Stopped on request.",
        StopReason::Complete | StopReason::Proved => "",
    };
    format!("{by}{gap}{ended}\n")
}

/// Note on the number of questions that were not compared with others before the time was up.
fn unranked(outcome: &Outcome) -> String {
    format!(
        "The time ended before the tree was complete: {} of {} were chosen without a comparison. --time 1m takes longer.",
        outcome.unranked,
        count(outcome.tree.nodes().len() - outcome.tree.leaf_count(), "question"),
    )
}

fn costs_against_bounds(goal: &Goal, outcome: &Outcome, report: &mut Report) {
    let row = |name: String, cost: f64, kind: ObjectiveKind| {
        let bound = bound::best(&outcome.bounds, kind);
        vec![name, wording::number(cost, 4), wording::at_least(bound.value, 4), bound.name.to_owned()]
    };
    let costs = &outcome.costs;
    let rows = [
        row("expected".to_owned(), costs.expected, ObjectiveKind::Expected),
        row("worst".to_owned(), costs.worst, ObjectiveKind::Worst),
        row(
            format!("exponential, λ = {}", goal.lambda().value()),
            costs.exponential,
            ObjectiveKind::Exponential,
        ),
    ];
    report.table(&["cost", "this strategy", "best possible: at least", "by"], rows.to_vec());
}

/// Losses of the strategy against the entropy bound, the worst questions first.
fn losses(loaded: &Loaded, goal: &Goal, outcome: &Outcome, page: &mut Report) {
    let (losses, unit): (Losses, &str) = match goal.objective {
        Objective::Worst => {
            page.words("\nThe worst case is a single path, so losses are not shared among questions.\n");
            return;
        }
        Objective::Exponential(lambda) if lambda.value() > 1.0 && lambda.value() < f64::INFINITY => {
            (loss::exponential(&outcome.tree, &loaded.instance, lambda), "share of Σ p λ^cost")
        }
        _ => (loss::expected(&outcome.tree, &loaded.instance), "loss"),
    };
    let mut worst = losses.nodes.clone();
    worst.sort_by(|left, right| right.value.total_cmp(&left.value).then(left.node.cmp(&right.node)));
    let rows: Vec<Vec<String>> = worst
        .iter()
        .take(POINTED_AT)
        .filter(|loss| loss.value > 1e-12)
        .map(|loss| vec![place(&outcome.tree, &loaded.instance, loss.node), wording::number(loss.value, 4)])
        .collect();
    let total: f64 = losses.nodes.iter().map(|loss| loss.value).sum();
    page.words(format!(
        "\nLoss against the entropy bound of {} ({} in all, over {}):\n",
        wording::at_least(losses.bound, 4),
        wording::number(total, 4),
        count(losses.nodes.len(), "question"),
    ));
    page.table(&["question", unit], rows);
}

/// Table of upper bounds on the expected cost under other priors.
fn if_the_prior_is_off(shifts: &[Shift], report: &mut Report) {
    let row = |shift: &Shift| {
        // Rounded up: the number shown is still an upper bound.
        let cost = (shift.expected_at_most * 1e4 * (1.0 - 1e-12)).ceil() / 1e4;
        vec![
            wording::number(shift.kl_nats, 2),
            wording::number(cost, 4),
            wording::number(shift.excess_bits(), 4),
        ]
    };
    let rows: Vec<Vec<String>> = shifts.iter().map(row).collect();
    report.words("\nIf the true prior q is not the table's p:\n");
    report.table(&["KL(q‖p) in nats up to", "expected cost at most", "excess bits of a code for p"], rows);
}

/// Question of a node, with the answers that lead there.
fn place(tree: &Tree, instance: &Instance, node: NodeId) -> String {
    let parents = tree.parents();
    let asked = |node: NodeId| match tree.node(node) {
        Node::Ask { test, .. } => instance.test(*test),
        Node::Leaf { .. } => unreachable!("only questions lose"),
    };
    let mut path = Vec::new();
    let mut at = node;
    while let Some((parent, answer)) = parents[at.index()] {
        path.push(format!("{} = {}", asked(parent).name, asked(parent).answers.get(answer.index())));
        at = parent;
    }
    path.reverse();
    let after =
        if path.is_empty() { "at the start".to_owned() } else { format!("after {}", path.join(", ")) };
    let line = printable(&format!("{}? {after}", asked(node).name));
    if line.chars().count() > 90 { line.chars().take(89).chain(['…']).collect() } else { line }
}
