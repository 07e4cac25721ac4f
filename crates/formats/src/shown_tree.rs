//! Answers of a drawn tree, in the words and the order in which people read them.

use crate::answers::{is_gap, is_range, natural, yes_first};
use crate::{NamedNode, NamedTree};
use hashbrown::HashMap;

/// Words for the answers of a tree's tests: a test that is answered by 0 and 1 only is shown with no and yes.
pub struct ShownAnswers<'a> {
    /// For each test, whether 0 and 1 occur, and nothing else.
    seen: HashMap<&'a str, Seen>,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    zero: bool,
    one: bool,
    other: bool,
}

impl<'a> ShownAnswers<'a> {
    /// Looks at all answers in `tree`.
    pub fn of(tree: &'a NamedTree) -> Self {
        let mut seen: HashMap<&str, Seen> = HashMap::new();
        for node in &tree.nodes {
            let NamedNode::Ask { test, answers, .. } = node else { continue };
            let seen = seen.entry(test).or_default();
            for (answer, _) in answers {
                match answer.as_str() {
                    "0" => seen.zero = true,
                    "1" => seen.one = true,
                    text => seen.other |= !is_gap(text),
                }
            }
        }
        Self { seen }
    }

    /// Returns the text to show for an answer to `test`.
    pub fn text<'t>(&self, test: &str, answer: &'t str) -> &'t str {
        let is_yes_no = self.seen.get(test).is_some_and(|seen| seen.zero && seen.one && !seen.other);
        match answer {
            "0" if is_yes_no => "no",
            "1" if is_yes_no => "yes",
            _ => answer,
        }
    }
}

impl ShownAnswers<'_> {
    /// Returns the branches of `test` in the order in which people look for them, each with the text to show.
    pub fn in_order<'t>(&self, test: &str, answers: &'t [(String, usize)]) -> Vec<(&'t str, usize)> {
        let shown = answers.iter().map(|(answer, child)| (self.text(test, answer), *child));
        let mut ordered: Vec<(&str, usize)> = shown.collect();
        // Ranges are in order; to compare them with other answers would mix both.
        let has_ranges = ordered.iter().any(|(answer, _)| is_range(answer));
        ordered.sort_by(|(left, _), (right, _)| match has_ranges {
            true => is_gap(left).cmp(&is_gap(right)),
            false => is_gap(left)
                .cmp(&is_gap(right))
                .then_with(|| yes_first(left, right))
                .then_with(|| natural(left, right)),
        });
        ordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(test: &str, answers: &[&str]) -> NamedNode {
        NamedNode::Ask {
            test: test.to_owned(),
            question: None,
            cost: 1.0,
            weight: 1.0,
            answers: answers.iter().map(|answer| ((*answer).to_owned(), 0)).collect(),
        }
    }

    #[test]
    fn zero_and_one_alone_mean_no_and_yes() {
        let tree = NamedTree {
            nodes: vec![ask("milk", &["1", "0"]), ask("legs", &["0", "1"]), ask("legs", &["2"])],
        };
        let shown = ShownAnswers::of(&tree);
        assert_eq!([shown.text("milk", "0"), shown.text("milk", "1")], ["no", "yes"]);
        assert_eq!(
            [shown.text("legs", "0"), shown.text("legs", "2"), shown.text("fur", "1")],
            ["0", "2", "1"]
        );
    }

    #[test]
    fn numbers_are_in_order_and_gaps_come_last() {
        let ordered = |answers: &[&str]| -> Vec<String> {
            let tree = NamedTree { nodes: vec![ask("t", answers)] };
            let NamedNode::Ask { answers, .. } = &tree.nodes[0] else { unreachable!() };
            let ordered = ShownAnswers::of(&tree).in_order("t", answers);
            ordered.into_iter().map(|(answer, _)| answer.to_owned()).collect()
        };
        assert_eq!(ordered(&["10", "not recorded", "2", "-1.5"]), ["-1.5", "2", "10", "not recorded"]);
        assert_eq!(ordered(&["red", "not recorded", "10", "2"]), ["2", "10", "red", "not recorded"]);
        assert_eq!(ordered(&["0", "1"]), ["yes", "no"]);
        assert_eq!(ordered(&["< 2", "2–5", "≥ 5", "not recorded"]), ["< 2", "2–5", "≥ 5", "not recorded"]);
    }
}
