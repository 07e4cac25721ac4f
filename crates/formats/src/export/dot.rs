//! A tree for Graphviz: `dot -Tsvg tree.dot`.

use crate::picture::Sketch;
use std::io::{Result, Write};

/// Writes a tree as a directed graph: questions are boxes, leaves are rounded boxes, answers stand on the arrows.
///
/// # Errors
/// When `out` cannot be written.
pub fn dot(mut out: impl Write, sketch: &Sketch) -> Result<()> {
    writeln!(out, "digraph strategy {{")?;
    writeln!(out, "  graph [rankdir=LR, label={}, labelloc=t]", quoted(&sketch.title))?;
    writeln!(out, "  node [shape=box, fontname=\"sans-serif\"]")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"]")?;
    for (at, node) in sketch.nodes.iter().enumerate() {
        let style = if node.children.is_empty() { ", style=rounded" } else { "" };
        let label = quoted(&format!("{}\n{}", node.name, node.details));
        writeln!(out, "  n{at} [label={label}{style}]")?;
    }
    for (at, node) in sketch.nodes.iter().enumerate() {
        for child in &node.children {
            let answer = quoted(&sketch.nodes[*child].answer);
            writeln!(out, "  n{at} -> n{child} [label={answer}]")?;
        }
    }
    writeln!(out, "}}")?;
    out.flush()
}

/// Text as a quoted string. A backslash would begin an escape of Graphviz, and control characters are no text.
fn quoted(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 2);
    safe.push('"');
    for letter in text.chars() {
        match letter {
            '"' => safe += "\\\"",
            '\\' => safe += "\\\\",
            '\n' => safe += "\\n",
            // Graphviz reads `&name;` as a letter of HTML.
            '&' => safe += "&amp;",
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe.push('"');
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_their_quotes() {
        assert_eq!(quoted("a \"b\" \\N c\nd\te & <f>"), "\"a \\\"b\\\" \\\\N c\\nd e &amp; <f>\"");
    }
}
