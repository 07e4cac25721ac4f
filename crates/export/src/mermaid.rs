//! A strategy as a diagram that Markdown pages draw.

use crate::format::{Export, ExportError};
use fewest_formats::{NamedNode, ShownAnswers};
use std::io::Write;

/// Edges that Mermaid draws; it refuses one more.
const EDGES: usize = 500;
/// Letters of a diagram that Mermaid takes.
const LETTERS: usize = 50_000;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let tree = export.tree;
    let too_large = |what, found, limit| {
        Err(ExportError::TooLarge { format: "mermaid", what, found, limit, instead: "dot" })
    };
    let edges = tree.nodes.len() - 1;
    if edges > EDGES {
        return too_large("edges", edges, EDGES);
    }
    let shown = ShownAnswers::of(tree);
    let mut text = String::from("flowchart TD\n");
    for (at, node) in tree.nodes.iter().enumerate() {
        match node {
            NamedNode::Ask { test, question, .. } => {
                let question = question.as_deref().map_or_else(|| format!("{test}?"), str::to_owned);
                text += &format!("  n{at}{{{{\"{}\"}}}}\n", escaped(&question));
            }
            NamedNode::Leaf { groups, .. } => {
                text += &format!("  n{at}([\"{}\"])\n", escaped(&groups.join(" or ")));
            }
        }
    }
    for (at, node) in tree.nodes.iter().enumerate() {
        let NamedNode::Ask { test, answers, .. } = node else { continue };
        for (answer, child) in shown.in_order(test, answers) {
            text += &format!("  n{at} -->|\"{}\"| n{child}\n", escaped(answer));
        }
    }
    match text.chars().count() {
        found if found > LETTERS => too_large("letters", found, LETTERS),
        _ => Ok(out.write_all(text.as_bytes())?),
    }
}

/// `text` without what Mermaid or HTML would take for a command; letters by number where they are.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' => safe += "#quot;",
            '#' => safe += "#35;",
            '&' => safe += "#amp;",
            '<' => safe += "#lt;",
            '>' => safe += "#gt;",
            // Marks of Markdown, which labels may hold.
            '`' | '*' | '_' | ';' | '\\' | '|' | '[' | ']' | '{' | '}' => {
                safe += &format!("#{};", u32::from(letter));
            }
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}
