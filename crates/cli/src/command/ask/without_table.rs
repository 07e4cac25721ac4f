//! `fewest ask` on a saved strategy without its table: it can only follow the tree.

use super::{Ended, short};
use crate::args::AskArgs;
use crate::failure::{Failure, printable};
use crate::print::Printer;
use crate::wording;
use fewest_formats::json::{Document, Number};
use fewest_formats::text::{count, percent};
use fewest_formats::{NamedNode, NamedTree, ShownAnswers, Strategy};
use serde::Serialize;
use std::io::{self, BufRead, IsTerminal};

/// Names listed before the rest is counted.
const MAX_LISTED: usize = 20;

pub(super) fn run(args: &AskArgs, strategy: &Strategy, printer: &Printer) -> Result<(), Failure> {
    let wants_table = !args.given.is_empty()
        || args.resume.is_some()
        || args.log.is_some()
        || args.save.is_some()
        || args.session.noise.is_some()
        || args.session.errors.is_some()
        || args.reading.without.is_some()
        || args.session.first.is_some();
    if wants_table {
        return Err(Failure::wrong(format!(
            "{} knows its own questions only; name its table as well: --table TABLE",
            args.source.display()
        )));
    }
    let interactive = io::stdin().is_terminal();
    let mut walk = Walk { tree: &strategy.tree, path: vec![0], printer, interactive };
    walk.say(&format!(
        "{}: {}\nAnswer by number, name or first letters; ? don't know, w why, c candidates, b back, q stop. With --table TABLE any answer can be left out or mended.\n",
        short(&args.source.display().to_string()),
        wording::size(&strategy.instance)
    ))?;
    let (ended, leaf) = walk.run_loop()?;
    if printer.json || printer.output.is_some() {
        walk.report()?;
    }
    match (ended, leaf, interactive) {
        (Ended::Input, false, false) => {
            Err(Failure::Refused("the answers ended before anything was identified".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Walk from the root of the tree to a leaf.
struct Walk<'a> {
    tree: &'a NamedTree,
    /// Nodes passed so far, the root first.
    path: Vec<usize>,
    printer: &'a Printer,
    interactive: bool,
}

impl Walk<'_> {
    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.printer.json {
            self.printer.note(text.trim_end());
            return Ok(());
        }
        self.printer.text(text)
    }

    fn node(&self) -> &NamedNode {
        &self.tree.nodes[self.path.last().copied().unwrap_or(0)]
    }

    /// Asks and reads answers to the end; returns the reason for the end, and whether a leaf was reached.
    fn run_loop(&mut self) -> Result<(Ended, bool), Failure> {
        let mut lines = io::stdin().lock().lines();
        let mut told = false;
        loop {
            let leaf = matches!(self.node(), NamedNode::Leaf { .. });
            if !(leaf && told) {
                self.say(&self.question())?;
            }
            told = leaf;
            if leaf && !self.interactive {
                return Ok((Ended::Input, true));
            }
            let Some(line) = lines.next() else { return Ok((Ended::Input, leaf)) };
            let line = line.map_err(|error| Failure::wrong(format!("standard input: {error}")))?;
            let line = line.trim();
            if !self.interactive {
                self.say(&format!("{}\n", printable(line)))?;
            }
            match line {
                "q" | "quit" => return Ok((Ended::Quit, leaf)),
                "" if leaf => return Ok((Ended::Quit, leaf)),
                "" => {}
                "b" | "back" | "u" | "undo" => {
                    self.path.truncate(self.path.len().saturating_sub(1).max(1));
                    told = false;
                }
                "c" | "candidates" => self.say(&self.candidates())?,
                "w" | "why" => self.say(&self.why())?,
                "?" => {
                    let text = format!(
                        "  The strategy alone cannot go on without this answer; --table TABLE could. Still possible:\n{}",
                        self.candidates()
                    );
                    self.say(&text)?;
                }
                _ => match self.child(line) {
                    Ok(child) => self.path.push(child),
                    Err(message) => self.say(&format!("  {}\n", printable(&message)))?,
                },
            }
        }
    }

    fn question(&self) -> String {
        match self.node() {
            NamedNode::Leaf { groups, objects, .. } => {
                let groups = printable(&groups.join(" or "));
                let number = self.path.len() - 1;
                let names = if objects.len() == 1 && objects[0] == groups {
                    String::new()
                } else {
                    format!(" ({})", list(objects))
                };
                format!("\nIt is {groups}{names}. {} asked.\n", count(number, "question"))
            }
            NamedNode::Ask { test, question, answers, .. } => {
                let question = printable(&question.clone().unwrap_or_else(|| format!("{test}?")));
                let own_names = answers.iter().any(|(answer, _)| answer.parse::<f64>().is_ok());
                let choice = |(number, (answer, _)): (usize, (&str, usize))| match own_names {
                    true => printable(answer),
                    false => format!("{number}) {}", printable(answer)),
                };
                let shown = ShownAnswers::of(self.tree);
                let choices: Vec<String> = (1..).zip(shown.in_order(test, answers)).map(choice).collect();
                format!("\n{}. {question}\n   {}\n> ", self.path.len(), choices.join("   "))
            }
        }
    }

    /// Leaves below the current node, likeliest first.
    fn leaves(&self) -> Vec<(&[String], &[String], f64)> {
        let mut waiting = vec![self.path.last().copied().unwrap_or(0)];
        let mut leaves = Vec::new();
        while let Some(at) = waiting.pop() {
            match &self.tree.nodes[at] {
                NamedNode::Leaf { groups, objects, weight } => {
                    leaves.push((&groups[..], &objects[..], *weight))
                }
                node => waiting.extend(node.children()),
            }
        }
        leaves.sort_by(|left, right| right.2.total_cmp(&left.2).then(left.1.cmp(right.1)));
        leaves
    }

    fn candidates(&self) -> String {
        let leaves = self.leaves();
        let total: f64 = leaves.iter().map(|(_, _, weight)| weight).sum();
        let line = |(groups, objects, weight): &(&[String], &[String], f64)| {
            let share = if total > 0.0 { weight / total } else { 1.0 / leaves.len() as f64 };
            let names = if *groups == *objects { String::new() } else { format!(" ({})", list(objects)) };
            format!("  {:>6}  {}{names}\n", percent(share), printable(&groups.join(" or ")))
        };
        let mut text: String = leaves.iter().take(MAX_LISTED).map(line).collect();
        if leaves.len() > MAX_LISTED {
            text += &format!("          and {} more leaves\n", leaves.len() - MAX_LISTED);
        }
        text
    }

    fn why(&self) -> String {
        let NamedNode::Ask { cost, weight, answers, .. } = self.node() else {
            return "  Nothing is asked any more.\n".to_owned();
        };
        let mut text =
            format!("  It is the strategy's next question; it costs {}.\n", wording::number(*cost, 2));
        for (answer, child) in answers {
            let share = if *weight > 0.0 { self.tree.nodes[*child].weight() / weight } else { 0.0 };
            text += &format!("    {}: {} likely\n", printable(answer), percent(share));
        }
        text
    }

    fn child(&self, line: &str) -> Result<usize, String> {
        let NamedNode::Ask { test, answers, .. } = self.node() else {
            return Err("nothing is asked any more; b goes back".to_owned());
        };
        let own_names = answers.iter().any(|(answer, _)| answer.parse::<f64>().is_ok());
        let exact = answers.iter().find(|(answer, _)| answer == line).map(|(_, child)| *child);
        let shown = ShownAnswers::of(self.tree).in_order(test, answers);
        let number = line.parse::<usize>().ok().filter(|number| !own_names && *number >= 1);
        let by_number = number.and_then(|number| shown.get(number - 1)).map(|(_, child)| *child);
        let lower = line.to_lowercase();
        let mut begins = shown.iter().filter(|(answer, _)| answer.to_lowercase().starts_with(&lower));
        let by_beginning = begins.next().filter(|_| begins.next().is_none()).map(|(_, child)| *child);
        match exact.or(by_number).or(by_beginning) {
            Some(child) => Ok(child),
            None => {
                let names: Vec<String> = shown.iter().map(|(answer, _)| format!("`{answer}`")).collect();
                Err(format!("test `{test}` has no answer `{line}` here; it has {}", names.join(", ")))
            }
        }
    }

    /// Prints the state as JSON: the leaves that are still possible.
    fn report(&self) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Leaf<'a> {
            groups: &'a [String],
            objects: &'a [String],
            weight: Number,
        }
        let done = matches!(self.node(), NamedNode::Leaf { .. });
        let leaves = self.leaves();
        self.printer.bytes_to_output(|out| {
            let mut document = Document::begin(out)?;
            document.field("done", &done)?;
            document.field("questions", &(self.path.len() - 1))?;
            document.list(
                "candidates",
                leaves.iter().map(|(groups, objects, weight)| Leaf {
                    groups,
                    objects,
                    weight: Number(*weight),
                }),
            )?;
            document.end()
        })
    }
}

fn list(objects: &[String]) -> String {
    const MAX_SHOWN: usize = 3;
    let shown: Vec<String> = objects.iter().take(MAX_SHOWN).map(|name| printable(name)).collect();
    let more = if objects.len() > MAX_SHOWN {
        format!(" and {} more", objects.len() - MAX_SHOWN)
    } else {
        String::new()
    };
    shown.join(", ") + &more
}
