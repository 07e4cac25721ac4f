//! A tree as it will be drawn: what each node says, its likelihood and its groups. Strategies and learned trees become
//! sketches, and everything later is the same for both.

use crate::text::{count, one_line, percent};
use crate::{NamedNode, NamedTree};
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// Most letters of a question, an answer or a name in a picture: a page of one name says no more than its beginning.
const LONGEST: usize = 240;
/// Most objects that a tooltip names.
const NAMED: usize = 20;

/// Tree to be drawn, parents before children, the root first.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// Title of the picture.
    pub title: String,
    /// Sentence below the title.
    pub about: String,
    /// Nodes.
    pub nodes: Vec<SketchNode>,
    /// Names of the groups or classes, in order of first appearance.
    pub groups: Vec<String>,
    /// What the groups are called in the key: `groups` or `classes`.
    pub groups_are: &'static str,
}

/// Node to be drawn.
#[derive(Clone, Debug)]
pub struct SketchNode {
    /// Answer that leads here; empty at the root.
    pub answer: String,
    /// Question, or the result of a leaf.
    pub name: String,
    /// Small print below the name.
    pub details: String,
    /// Text of the tooltip.
    pub told: String,
    /// Share of the cases that come here, 1 at the root.
    pub share: f64,
    /// Groups shown in colour.
    pub marks: Marks,
    /// Indices of the children, in the order of the answers; none at a leaf.
    pub children: Vec<usize>,
}

/// Groups that a node shows in colour.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// None: a question of a strategy.
    None,
    /// Groups that end here.
    Ends(Vec<usize>),
    /// Shares of classes, which add up to 1.
    Shares(Vec<(usize, f64)>),
}

impl Sketch {
    /// Sketch of a strategy.
    pub fn of_strategy(title: &str, about: &str, tree: &NamedTree) -> Self {
        let mut groups = Groups::default();
        let mut answers = vec![String::new(); tree.nodes.len()];
        let total = tree.nodes.first().map_or(1.0, NamedNode::weight).max(f64::MIN_POSITIVE);
        let equal_costs = has_equal_costs(tree);
        let mut nodes = Vec::with_capacity(tree.nodes.len());
        for (at, node) in tree.nodes.iter().enumerate() {
            if let NamedNode::Ask { answers: branches, .. } = node {
                branches.iter().for_each(|(answer, child)| answers[*child] = one_line(answer, LONGEST));
            }
            let answer = std::mem::take(&mut answers[at]);
            nodes.push(strategy_node(node, answer, total, equal_costs, &mut groups));
        }
        let (title, about) = (one_line(title, LONGEST), about.to_owned());
        Self { title, about, nodes, groups: groups.names, groups_are: "groups" }
    }

    /// Number of leaves below each node; 1 at a leaf.
    pub(crate) fn leaves(&self) -> Vec<usize> {
        let mut leaves = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let below: usize = node.children.iter().map(|child| leaves[*child]).sum();
            leaves[at] = below.max(1);
        }
        leaves
    }

    /// Number of questions at and below each node.
    pub(crate) fn questions(&self) -> Vec<usize> {
        let mut questions = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let below: usize = node.children.iter().map(|child| questions[*child]).sum();
            questions[at] = below + usize::from(!node.children.is_empty());
        }
        questions
    }
}

/// Names of groups with their numbers.
#[derive(Default)]
struct Groups {
    names: Vec<String>,
    known: HashMap<String, usize>,
}

impl Groups {
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.known.get(name) {
            return *number;
        }
        let number = self.names.len();
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), number);
        number
    }
}

/// Whether every test costs the same.
fn has_equal_costs(tree: &NamedTree) -> bool {
    let costs = tree.nodes.iter().filter_map(|node| match node {
        NamedNode::Ask { cost, .. } => Some(*cost),
        NamedNode::Leaf { .. } => None,
    });
    costs.clone().min_by(f64::total_cmp) == costs.max_by(f64::total_cmp)
}

/// Question as it is asked: its text, or the name of the test with a question mark.
fn asked(test: &str, question: Option<&str>) -> String {
    match question {
        Some(text) => one_line(text, LONGEST),
        None if test.ends_with('?') => one_line(test, LONGEST),
        None => one_line(test, LONGEST) + "?",
    }
}

fn strategy_node(
    node: &NamedNode,
    answer: String,
    total: f64,
    equal_costs: bool,
    groups: &mut Groups,
) -> SketchNode {
    let share = node.weight() / total;
    match node {
        NamedNode::Ask { test, question, cost, answers, .. } => {
            let name = asked(test, question.as_deref());
            let cost =
                if equal_costs { String::new() } else { format!("cost {}, ", crate::plot::number(*cost)) };
            let details = cost + &percent(share);
            SketchNode {
                told: format!("{name} {details}"),
                answer,
                name,
                details,
                share,
                marks: Marks::None,
                children: answers.iter().map(|(_, child)| *child).collect(),
            }
        }
        NamedNode::Leaf { groups: named, objects, .. } => {
            let alone = named.iter().collect::<BTreeSet<_>>() == objects.iter().collect();
            let name = one_line(&named.join(" or "), LONGEST);
            let size = if alone { String::new() } else { count(objects.len(), "object") + ", " };
            let details = size + &percent(share);
            let mut listed = objects.iter().take(NAMED).map(|name| one_line(name, 60)).collect::<Vec<_>>();
            if objects.len() > NAMED {
                listed.push(format!("and {} more", objects.len() - NAMED));
            }
            SketchNode {
                told: format!("{name} – {details}: {}", listed.join(", ")),
                answer,
                name,
                details,
                share,
                marks: Marks::Ends(named.iter().map(|name| groups.number(name)).collect()),
                children: Vec::new(),
            }
        }
    }
}
