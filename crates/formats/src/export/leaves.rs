//! Leaves of a tree as CSV: one row each, with the answers that lead there.

use crate::write::quoted;
use crate::{NamedNode, NamedTree};
use fewest::learn::Model;
use std::io::{Result, Write};

/// Writes the leaves of a strategy, in the order of the drawing. The columns: `path` (`test=answer` with `; ` between),
/// `groups` and `objects` (names with `|` between), `weight`, `questions` and `cost` (both of the path).
///
/// # Errors
/// When `out` cannot be written.
pub fn leaves_csv(mut out: impl Write, tree: &NamedTree) -> Result<()> {
    writeln!(out, "path,groups,objects,weight,questions,cost")?;
    let mut path: Vec<(String, f64)> = Vec::new();
    let mut waiting = vec![(0usize, None::<(String, f64)>, 0usize)];
    while let Some((at, step, depth)) = waiting.pop() {
        path.truncate(depth.saturating_sub(1));
        path.extend(step);
        match &tree.nodes[at] {
            NamedNode::Ask { test, cost, answers, .. } => {
                waiting.extend(
                    answers.iter().rev().map(|(answer, child)| {
                        (*child, Some((format!("{test}={answer}"), *cost)), depth + 1)
                    }),
                );
            }
            NamedNode::Leaf { groups, objects, weight } => {
                let cost: f64 = path.iter().map(|(_, cost)| cost).sum();
                let steps: Vec<&str> = path.iter().map(|(step, _)| step.as_str()).collect();
                let names = |names: &[String]| quoted(&names.join("|")).into_owned();
                writeln!(
                    out,
                    "{},{},{},{weight},{},{cost}",
                    quoted(&steps.join("; ")),
                    names(groups),
                    names(objects),
                    path.len(),
                )?;
            }
        }
    }
    out.flush()
}

/// Writes the leaves of a learned tree. The columns: `path`, `class`, `rows` (their weight), `questions`, and `n(class)`
/// for each class.
///
/// # Errors
/// When `out` cannot be written.
pub fn learned_leaves_csv(mut out: impl Write, model: &Model) -> Result<()> {
    let classes: Vec<String> =
        model.classes.iter().map(|class| quoted(&format!("n({class})")).into_owned()).collect();
    writeln!(out, "path,class,rows,questions,{}", classes.join(","))?;
    let mut path: Vec<String> = Vec::new();
    let mut waiting = vec![(0usize, None::<String>, 0usize)];
    while let Some((at, step, depth)) = waiting.pop() {
        path.truncate(depth.saturating_sub(1));
        path.extend(step);
        let node = &model.tree.nodes[at];
        if let Some(split) = &node.split {
            let field = &model.fields[split.question.field()];
            let question = split.question.text(&field.name, field.words.as_ref());
            for &(answer, child) in split.answers.iter().rev() {
                let answer = split.question.answer_text(answer, field.words.as_ref());
                waiting.push((child, Some(format!("{question}={answer}")), depth + 1));
            }
            continue;
        }
        let counts: Vec<String> = node.classes.iter().map(f64::to_string).collect();
        writeln!(
            out,
            "{},{},{},{},{}",
            quoted(&path.join("; ")),
            quoted(&model.classes[node.class()]),
            node.weight(),
            path.len(),
            counts.join(","),
        )?;
    }
    out.flush()
}
