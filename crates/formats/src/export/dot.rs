//! A tree for Graphviz: `dot -Tsvg tree.dot`.

use crate::picture::{Marks, Palette, Sketch, SketchNode};
use std::io::{Result, Write};

/// Writes a tree as a directed graph: questions are boxes, leaves are rounded boxes, answers stand on the arrows. Leaves
/// of one group have a border in the colour of the group, where there are colours enough for that.
///
/// # Errors
/// When `out` cannot be written.
pub fn dot(mut out: impl Write, sketch: &Sketch) -> Result<()> {
    writeln!(out, "digraph strategy {{")?;
    writeln!(out, "  graph [rankdir=LR, label={}, labelloc=t]", quoted(&sketch.title))?;
    writeln!(out, "  node [shape=box, fontname=\"sans-serif\"]")?;
    writeln!(out, "  edge [fontname=\"sans-serif\"]")?;
    let palette = Palette::of(sketch);
    for (at, node) in sketch.nodes.iter().enumerate() {
        let mut style = String::new();
        if node.children.is_empty() {
            style += ", style=rounded";
            if let Some(colour) = group(node).and_then(|group| palette.plain(group)) {
                style += &format!(", color=\"{colour}\", penwidth=3");
            }
        }
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

/// The one group of a leaf, or the likeliest class.
fn group(leaf: &SketchNode) -> Option<usize> {
    match &leaf.marks {
        Marks::Ends(groups) if groups.len() == 1 => groups.first().copied(),
        Marks::Shares(shares) => {
            shares.iter().rev().max_by(|left, right| left.1.total_cmp(&right.1)).map(|(group, _)| *group)
        }
        Marks::None | Marks::Ends(_) => None,
    }
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
    fn leaves_of_one_group_have_the_same_border() {
        let leaf = |groups: Vec<usize>| SketchNode {
            answer: "a".to_owned(),
            name: "n".to_owned(),
            details: String::new(),
            told: String::new(),
            share: 0.25,
            marks: Marks::Ends(groups),
            children: Vec::new(),
        };
        let root =
            SketchNode { marks: Marks::None, share: 1.0, children: vec![1, 2, 3, 4], ..leaf(Vec::new()) };
        let sketch = Sketch {
            title: String::new(),
            about: String::new(),
            nodes: vec![root, leaf(vec![0]), leaf(vec![1]), leaf(vec![0]), leaf(vec![0, 1])],
            groups: vec!["one".to_owned(), "other".to_owned()],
            groups_are: "groups",
        };
        let mut written = Vec::new();
        dot(&mut written, &sketch).unwrap();
        let text = String::from_utf8(written).unwrap();
        let colour = |at: usize| {
            let line = text.lines().find(|line| line.starts_with(&format!("  n{at} ["))).unwrap();
            line.split("color=").nth(1).map(|rest| rest.split(',').next().unwrap().to_owned())
        };
        assert_eq!(colour(1), colour(3));
        assert!(colour(1).is_some() && colour(2).is_some() && colour(1) != colour(2));
        assert_eq!([colour(0), colour(4)], [None, None]);
    }

    #[test]
    fn names_stay_within_their_quotes() {
        assert_eq!(quoted("a \"b\" \\N c\nd\te & <f>"), "\"a \\\"b\\\" \\\\N c\\nd e &amp; <f>\"");
    }
}
