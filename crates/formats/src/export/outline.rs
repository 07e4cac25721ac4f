//! A tree as an outline in HTML that folds and unfolds without scripts.

use crate::picture::{Sketch, SketchNode};
use crate::plot::escape;

/// Levels of nested lists: browsers refuse to nest much deeper. Deeper questions stand on the last level, with a note.
const NESTED: usize = 100;
/// Nodes up to which everything is unfolded, and levels that are unfolded in larger trees.
const UNFOLDED: usize = 400;
const LEVELS: usize = 4;

/// Outline of a tree: nested lists, each question with its answers below it.
pub fn outline_html(sketch: &Sketch) -> String {
    enum Step {
        Node(usize, usize),
        Close(&'static str),
    }
    let is_small = sketch.nodes.len() <= UNFOLDED;
    let mut html = String::from("<ul class=\"tree\">\n");
    let mut waiting = vec![Step::Close("</ul>\n"), Step::Node(0, 0)];
    while let Some(step) = waiting.pop() {
        let (at, level) = match step {
            Step::Close(tag) => {
                html += tag;
                continue;
            }
            Step::Node(at, level) => (at, level),
        };
        let node = &sketch.nodes[at];
        let line = line(node, level);
        if node.children.is_empty() {
            html += &format!("<li class=\"leaf\">{line}</li>\n");
        } else if level >= NESTED {
            html += &format!("<li>{line}</li>\n");
            waiting.extend(node.children.iter().rev().map(|child| Step::Node(*child, level + 1)));
        } else {
            let open = if is_small || level < LEVELS { " open" } else { "" };
            html += &format!("<li><details{open}><summary>{line}</summary>\n<ul>\n");
            waiting.push(Step::Close("</ul></details></li>\n"));
            waiting.extend(node.children.iter().rev().map(|child| Step::Node(*child, level + 1)));
        }
    }
    html
}

fn line(node: &SketchNode, level: usize) -> String {
    let answer = match node.answer.is_empty() {
        true => String::new(),
        false => format!("<span class=\"answer\">{}</span> ", isolated(&node.answer)),
    };
    let deep = if level > NESTED { format!("({level} questions deep) ") } else { String::new() };
    let name = isolated(&node.name);
    format!("{deep}{answer}<b>{name}</b> <small>{}</small>", escape(&node.details))
}

/// Name of the user's, kept apart from the direction of the text around it.
fn isolated(name: &str) -> String {
    format!("<bdi>{}</bdi>", escape(name))
}
