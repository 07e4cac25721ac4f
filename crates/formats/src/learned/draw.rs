//! A learned tree drawn for people: branches as lines, classes in words, deep parts folded.

use crate::text::{Depth, Layout, count, one_line, percent};
use fewest::learn::{Model, Significance};

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

/// Most letters of a question or a class that are drawn.
const LONGEST: usize = 120;
/// Deepest drawing, in questions.
const DEEPEST: usize = 1000;

/// Draws the tree of `model`, one line for each node.
pub fn draw_learned(model: &Model, tests: &[Option<Significance>], layout: Layout) -> String {
    let deepest = deepest(model, layout.depth);
    let mut text = String::new();
    // A node to draw: the lines to its left, its answer and whether it is the last, and its depth.
    let mut waiting = vec![(0usize, String::new(), None::<(String, bool)>, 0usize)];
    while let Some((at, indent, branch, depth)) = waiting.pop() {
        let (first, rest, answer) = match branch {
            None => (String::new(), String::new(), String::new()),
            Some((answer, last)) => {
                let (corner, line) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                (format!("{indent}{corner}"), format!("{indent}{line}"), format!("{answer}: "))
            }
        };
        text += &format!("{first}{answer}{}\n", describe(model, tests, at, depth >= deepest));
        let Some(split) = model.tree.nodes[at].split.as_ref().filter(|_| depth < deepest) else { continue };
        let labels = model.fields[split.question.field()].words.as_ref();
        for (number, &(answer, child)) in split.answers.iter().enumerate().rev() {
            let answer = one_line(split.question.answer_text(answer, labels), LONGEST);
            waiting.push((child, rest.clone(), Some((answer, number + 1 == split.answers.len())), depth + 1));
        }
    }
    text
}

/// Text of a node: its question, or its class.
fn describe(model: &Model, tests: &[Option<Significance>], at: usize, folded: bool) -> String {
    let node = &model.tree.nodes[at];
    let rows = rows(node.weight());
    let class = one_line(&model.classes[node.class()], LONGEST);
    let share = percent(node.classes[node.class()] / node.weight());
    match &node.split {
        Some(split) if !folded => {
            let field = &model.fields[split.question.field()];
            let question = one_line(&split.question.text(&field.name, field.words.as_ref()), LONGEST);
            let p_value = tests.get(at).copied().flatten();
            let p_value = p_value.map_or(String::new(), |test| format!(", p = {:.1e}", test.p_value));
            format!("{BOLD}{question}?{PLAIN}  {DIM}{rows}, {share} {class}{p_value}{PLAIN}")
        }
        Some(_) => {
            let below = below(model, at);
            format!("{BOLD}… {}{PLAIN}  {DIM}{rows}, {share} {class}{PLAIN}", count(below, "more question"))
        }
        None => format!("{GREEN}{class}{PLAIN}  {DIM}{rows}, {share}{PLAIN}"),
    }
}

/// Weight of a node as a number of rows: `12 rows`, or `12.5 rows` where rows have weights.
fn rows(weight: f64) -> String {
    match weight.fract() == 0.0 && weight < 1e15 {
        true => count(weight as usize, "row"),
        false => format!("{weight:.1} rows"),
    }
}

/// Number of questions at and below a node.
fn below(model: &Model, at: usize) -> usize {
    let (mut questions, mut waiting) = (0, vec![at]);
    while let Some(at) = waiting.pop() {
        if let Some(split) = &model.tree.nodes[at].split {
            questions += 1;
            waiting.extend(split.answers.iter().map(|(_, child)| *child));
        }
    }
    questions
}

/// Number of questions in a row that are drawn.
fn deepest(model: &Model, depth: Depth) -> usize {
    match depth {
        Depth::Full => DEEPEST,
        Depth::Questions(questions) => questions.min(DEEPEST),
        Depth::Lines(lines) => {
            let mut level = vec![0usize];
            let mut drawn = 1;
            for depth in 0..DEEPEST {
                let splits = level.iter().filter_map(|at| model.tree.nodes[*at].split.as_ref());
                let next: Vec<usize> =
                    splits.flat_map(|split| &split.answers).map(|(_, child)| *child).collect();
                drawn += next.len();
                if next.is_empty() || (drawn > lines && depth > 0) {
                    return depth;
                }
                level = next;
            }
            DEEPEST
        }
    }
}
