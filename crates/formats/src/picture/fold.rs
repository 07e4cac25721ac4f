//! Choice of the part of a tree that fits a picture: the likeliest branches, the rest folded and counted.

use super::sketch::Sketch;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Limits of one picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most leaves and folded parts below each other.
    pub rows: usize,
    /// Most questions in a row.
    pub depth: usize,
    /// Most answers of one question; the others are counted in one place.
    pub answers: usize,
}

impl Limits {
    /// No limits at all.
    pub const NONE: Self = Self { rows: usize::MAX, depth: usize::MAX, answers: usize::MAX };
}

/// Part of a tree that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Node with all it says; a question with its answers.
    Whole(usize),
    /// Question whose answers are not drawn.
    Folded(usize),
    /// Answers of a question that are not drawn: their number and their leaves.
    Rest {
        /// Question.
        parent: usize,
        /// Number of its answers that are not drawn.
        answers: usize,
        /// Leaves behind these answers.
        leaves: usize,
    },
}

/// Item of the drawing, parents before children.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) part: Part,
    pub(crate) level: usize,
    pub(crate) share: f64,
    pub(crate) children: Vec<usize>,
}

/// Likelihood in an order of the heap; numbers are finite.
#[derive(PartialEq)]
struct Share(f64);

impl Eq for Share {}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Share {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Items of the tree below `root`, within the limits; the root is always drawn whole. The likeliest question is
/// unfolded first, the earliest of equally likely ones.
pub(crate) fn fold(sketch: &Sketch, root: usize, limits: Limits, leaves: &[usize]) -> Vec<Item> {
    let part = |node: usize| match sketch.nodes[node].children.is_empty() {
        true => Part::Whole(node),
        false => Part::Folded(node),
    };
    let item = |part, level, share| Item { part, level, share, children: Vec::new() };
    let mut items = vec![item(part(root), 0, sketch.nodes[root].share)];
    let mut waiting = BinaryHeap::from([(Share(f64::INFINITY), Reverse(0usize), root)]);
    let mut rows = 1usize;
    while let Some((_, Reverse(at), node)) = waiting.pop() {
        let level = items[at].level;
        let (shown, rest) = shown(sketch, node, limits.answers);
        let more = (shown.len() + usize::from(!rest.is_empty())).saturating_sub(1);
        let fits = rows.saturating_add(more) <= limits.rows && level < limits.depth;
        if sketch.nodes[node].children.is_empty() || (!fits && at > 0) {
            continue;
        }
        rows += more;
        items[at].part = Part::Whole(node);
        for child in shown {
            let next = items.len();
            items[at].children.push(next);
            if !sketch.nodes[child].children.is_empty() {
                waiting.push((Share(sketch.nodes[child].share), Reverse(items.len()), child));
            }
            items.push(item(part(child), level + 1, sketch.nodes[child].share));
        }
        if !rest.is_empty() {
            let (share, below) = rest.iter().fold((0.0, 0), |(share, below), child| {
                (share + sketch.nodes[*child].share, below + leaves[*child])
            });
            let next = items.len();
            items[at].children.push(next);
            let part = Part::Rest { parent: node, answers: rest.len(), leaves: below };
            items.push(item(part, level + 1, share));
        }
    }
    items
}

/// Children of a question that are drawn, in their order, and those that are not: the least likely ones.
fn shown(sketch: &Sketch, node: usize, most: usize) -> (Vec<usize>, Vec<usize>) {
    let children = &sketch.nodes[node].children;
    if children.len() <= most {
        return (children.clone(), Vec::new());
    }
    let mut order: Vec<usize> = (0..children.len()).collect();
    let share = |at: usize| sketch.nodes[children[at]].share;
    order.sort_by(|left, right| share(*right).total_cmp(&share(*left)).then(left.cmp(right)));
    let mut is_shown = vec![false; children.len()];
    order[..most.saturating_sub(1).max(1)].iter().for_each(|at| is_shown[*at] = true);
    let split = |wanted: bool| {
        let found = children.iter().zip(&is_shown).filter(move |(_, shown)| **shown == wanted);
        found.map(|(child, _)| *child).collect()
    };
    (split(true), split(false))
}

#[cfg(test)]
mod tests {
    use super::super::sketch::{Marks, SketchNode};
    use super::*;

    /// Question with `answers` leaves, of which the later are likelier.
    fn wide(answers: usize) -> Sketch {
        let total = (answers * (answers + 1) / 2) as f64;
        let node = |share, children| SketchNode {
            answer: "a".to_owned(),
            name: "n".to_owned(),
            details: String::new(),
            told: String::new(),
            share,
            marks: Marks::None,
            children,
        };
        let mut nodes = vec![node(1.0, (1..=answers).collect())];
        nodes.extend((1..=answers).map(|at| node(at as f64 / total, Vec::new())));
        Sketch { title: String::new(), about: String::new(), nodes, groups: Vec::new(), groups_are: "groups" }
    }

    #[test]
    fn the_least_likely_answers_are_counted_in_one_place() {
        let sketch = wide(10);
        let limits = Limits { answers: 4, ..Limits::NONE };
        let items = fold(&sketch, 0, limits, &sketch.leaves());
        let parts: Vec<Part> = items.iter().map(|item| item.part).collect();
        let rest = Part::Rest { parent: 0, answers: 7, leaves: 7 };
        assert_eq!(parts, [Part::Whole(0), Part::Whole(8), Part::Whole(9), Part::Whole(10), rest]);
        let shares: f64 = items[1..].iter().map(|item| item.share).sum();
        assert!((shares - 1.0).abs() < 1e-12);
        assert_eq!(fold(&sketch, 0, Limits::NONE, &sketch.leaves()).len(), 11);
    }

    #[test]
    fn the_root_is_drawn_even_where_its_answers_do_not_fit() {
        let sketch = wide(3);
        let limits = Limits { rows: 1, depth: 5, answers: 9 };
        assert_eq!(fold(&sketch, 0, limits, &sketch.leaves()).len(), 4);
    }
}
