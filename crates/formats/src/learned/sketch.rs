//! A learned tree as a sketch, to be drawn: each node with its classes.

use crate::picture::{Marks, Sketch, SketchNode};
use crate::plot::number;
use crate::text::{count, one_line, percent};
use fewest::learn::Model;

/// Most letters of a question or a class in a picture.
const LONGEST: usize = 240;
/// Most classes that a tooltip names.
const NAMED: usize = 12;

/// Sketch of a learned tree: every node shows its classes as a bar.
pub fn sketch(title: &str, model: &Model) -> Sketch {
    let root = model.tree.nodes[0].weight();
    let mut answers = vec![String::new(); model.tree.nodes.len()];
    let mut nodes = Vec::with_capacity(model.tree.nodes.len());
    for at in 0..model.tree.nodes.len() {
        if let Some(split) = &model.tree.nodes[at].split {
            let labels = model.fields[split.question.field()].words.as_ref();
            for &(answer, child) in &split.answers {
                answers[child] = one_line(split.question.answer_text(answer, labels), LONGEST);
            }
        }
        let answer = std::mem::take(&mut answers[at]);
        nodes.push(node(model, at, answer, root));
    }
    let leaves = count(model.tree.leaves(), "leaf");
    Sketch {
        title: one_line(title, LONGEST),
        about: format!("{leaves}, at most {} in a row.", count(model.tree.depth(), "question")),
        nodes,
        groups: model.classes.iter().map(|class| one_line(class, LONGEST)).collect(),
        groups_are: "classes",
    }
}

fn node(model: &Model, at: usize, answer: String, root: f64) -> SketchNode {
    let node = &model.tree.nodes[at];
    let total = node.weight();
    let class = one_line(&model.classes[node.class()], LONGEST);
    let rows = match total.fract() == 0.0 && total < 1e15 {
        true => count(total as usize, "row"),
        false => format!("{} rows", number(total)),
    };
    let share = percent(node.classes[node.class()] / total);
    let (name, details) = match &node.split {
        Some(split) => {
            let field = &model.fields[split.question.field()];
            let question = split.question.text(&field.name, field.words.as_ref());
            (one_line(&question, LONGEST) + "?", format!("{rows}, {share} {class}"))
        }
        None => (class, format!("{rows}, {share}")),
    };
    let present = || node.classes.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
    let mut named: Vec<String> = present()
        .take(NAMED)
        .map(|(class, weight)| format!("{} {}", one_line(&model.classes[class], 60), number(*weight)))
        .collect();
    let more = present().count().saturating_sub(NAMED);
    named.extend((more > 0).then(|| format!("and {more} more")));
    SketchNode {
        answer,
        told: format!("{name} – {rows}: {}", named.join(", ")),
        name,
        details,
        share: total / root,
        marks: Marks::Shares(present().map(|(class, weight)| (class, weight / total)).collect()),
        children: node.split.iter().flat_map(|split| &split.answers).map(|(_, child)| *child).collect(),
    }
}
