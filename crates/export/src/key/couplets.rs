//! Couplets of a key: the questions of a strategy in the order in which they are numbered.

use super::{KeyOptions, KeyOrder, one_line};
use fewest_formats::{NamedNode, NamedTree, ShownAnswers};
use hashbrown::HashMap;
use std::collections::{BTreeMap, VecDeque};

/// A key: couplet `i` has the number `i + 1`.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) couplets: Vec<Couplet>,
    /// Names of the only leaf, where there is nothing to ask.
    pub(super) only: Vec<String>,
    /// Whether some question takes several couplets.
    pub(super) has_couplets_in_a_row: bool,
}

#[derive(Debug)]
pub(super) struct Couplet {
    /// The couplet that leads here.
    pub(super) parent: Option<usize>,
    pub(super) leads: Vec<Lead>,
    /// Number of couplets on the way to here.
    pub(super) depth: usize,
}

#[derive(Debug)]
pub(super) struct Lead {
    pub(super) text: String,
    pub(super) to: To,
}

/// Where a lead goes.
#[derive(Debug)]
pub(super) enum To {
    Couplet(usize),
    Names(Vec<String>),
}

/// What is still to be made into a couplet: a node, some of its branches, and the lead that goes there.
struct Waiting {
    node: usize,
    /// Branches that are left, for a question that takes several couplets.
    branches: Option<VecDeque<Branch>>,
    from: Option<(usize, usize)>,
}

/// A branch of a node: text of its lead, text of the lead for all others, and the child.
struct Branch {
    text: String,
    otherwise: String,
    child: usize,
}

impl Key {
    pub(super) fn of(tree: &NamedTree, options: &KeyOptions) -> Self {
        let mut key = Self { couplets: Vec::new(), only: Vec::new(), has_couplets_in_a_row: false };
        if let Some(NamedNode::Leaf { groups, .. }) = tree.nodes.first() {
            key.only.clone_from(groups);
            return key;
        }
        let shown = ShownAnswers::of(tree);
        let objects = objects_below(tree);
        let mut waiting = vec![Waiting { node: 0, branches: None, from: None }];
        while let Some(Waiting { node, branches, from }) = waiting.pop() {
            let number = key.couplets.len();
            let depth = from.map_or(0, |(couplet, _)| key.couplets[couplet].depth + 1);
            if let Some((couplet, lead)) = from {
                key.couplets[couplet].leads[lead].to = To::Couplet(number);
            }
            let mut branches = branches.unwrap_or_else(|| in_order(tree, node, options, &shown, &objects));
            key.couplets.push(Couplet { parent: from.map(|(couplet, _)| couplet), leads: Vec::new(), depth });
            let mut next = Vec::new();
            if options.is_dichotomous && branches.len() > 2 {
                key.has_couplets_in_a_row = true;
                if let Some(first) = branches.pop_front() {
                    let otherwise = first.otherwise.clone();
                    next.extend(key.add_lead(tree, number, first));
                    next.push(Waiting { node, branches: Some(branches), from: Some((number, 1)) });
                    key.couplets[number].leads.push(Lead { text: otherwise, to: To::Couplet(0) });
                }
            } else {
                next.extend(branches.into_iter().filter_map(|branch| key.add_lead(tree, number, branch)));
            }
            waiting.extend(next.into_iter().rev());
        }
        key
    }

    /// Adds a lead to a couplet; returns what waits behind it.
    fn add_lead(&mut self, tree: &NamedTree, couplet: usize, branch: Branch) -> Option<Waiting> {
        let leads = &mut self.couplets[couplet].leads;
        let from = Some((couplet, leads.len()));
        let (to, waiting) = match &tree.nodes[branch.child] {
            NamedNode::Leaf { groups, .. } => (To::Names(groups.clone()), None),
            // The number is known once the couplet is made.
            NamedNode::Ask { .. } => {
                (To::Couplet(0), Some(Waiting { node: branch.child, branches: None, from }))
            }
        };
        leads.push(Lead { text: branch.text, to });
        waiting
    }

    /// Names that leads of several couplets end in, each with these couplets.
    pub(super) fn index(&self) -> Vec<(&str, Vec<usize>)> {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, couplet) in self.couplets.iter().enumerate() {
            for lead in &couplet.leads {
                let To::Names(names) = &lead.to else { continue };
                for name in names {
                    let places = places.entry(name).or_default();
                    if places.last() != Some(&at) {
                        places.push(at);
                    }
                }
            }
        }
        places.into_iter().filter(|(_, places)| places.len() > 1).collect()
    }
}

/// Number of objects below each node.
fn objects_below(tree: &NamedTree) -> Vec<usize> {
    let mut below = vec![0; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        below[at] = match node {
            NamedNode::Leaf { objects, .. } => objects.len(),
            NamedNode::Ask { .. } => node.children().map(|child| below[child]).sum(),
        };
    }
    below
}

/// Branches of a node in the order of the options.
fn in_order(
    tree: &NamedTree,
    node: usize,
    options: &KeyOptions,
    shown: &ShownAnswers<'_>,
    objects: &[usize],
) -> VecDeque<Branch> {
    let NamedNode::Ask { test, question, answers, .. } = &tree.nodes[node] else { return VecDeque::new() };
    let mut ordered = merged(tree, shown.in_order(test, answers));
    match options.order {
        KeyOrder::Answers => {}
        // Both sorts keep the natural order where branches are alike.
        KeyOrder::Fewest => {
            ordered.sort_by_key(|(_, children)| children.iter().map(|child| objects[*child]).sum::<usize>());
        }
        KeyOrder::Likeliest => {
            let weight = |children: &[usize]| -> f64 {
                children.iter().map(|child| tree.nodes[*child].weight()).sum()
            };
            ordered.sort_by(|(_, left), (_, right)| weight(right).total_cmp(&weight(left)));
        }
    }
    let is_yes_no = ordered.iter().all(|(answers, _)| matches!(answers[..], ["yes" | "no"]));
    let branch = |(answers, children): (Vec<&str>, Vec<usize>)| {
        let (text, otherwise) = lead_text(test, question.as_deref(), &answers, is_yes_no);
        Branch { text, otherwise, child: children[0] }
    };
    ordered.into_iter().map(branch).collect()
}

/// Branches with their answers and children; those that end in the same names are one branch, unless no other is left.
fn merged<'t>(tree: &NamedTree, branches: Vec<(&'t str, usize)>) -> Vec<(Vec<&'t str>, Vec<usize>)> {
    let mut merged: Vec<(Vec<&str>, Vec<usize>)> = Vec::new();
    let mut ends: HashMap<&[String], usize> = HashMap::new();
    for (answer, child) in &branches {
        if let NamedNode::Leaf { groups, .. } = &tree.nodes[*child] {
            let at = *ends.entry(groups).or_insert(merged.len());
            if let Some((answers, children)) = merged.get_mut(at) {
                answers.push(answer);
                children.push(*child);
                continue;
            }
        }
        merged.push((vec![answer], vec![*child]));
    }
    match merged.len() {
        1 => branches.into_iter().map(|(answer, child)| (vec![answer], vec![child])).collect(),
        _ => merged,
    }
}

/// Text of a lead, and text of the lead for all other answers.
fn lead_text(test: &str, question: Option<&str>, answers: &[&str], is_yes_no: bool) -> (String, String) {
    if let Some((column, sign, number)) = comparison(test).filter(|_| is_yes_no && question.is_none()) {
        let opposite = match sign {
            ">" => "≤",
            "<" => "≥",
            "≥" => "<",
            _ => ">",
        };
        let side = |sign: &str| one_line(&format!("{column} {sign} {number}"));
        return match answers {
            ["yes"] => (side(sign), side(opposite)),
            _ => (side(opposite), side(sign)),
        };
    }
    let question = one_line(question.unwrap_or(test));
    let answers: Vec<String> = answers.iter().map(|answer| one_line(answer)).collect();
    let colon = if question.ends_with(['?', ':', '.', '…']) { "" } else { ":" };
    let otherwise = match &answers[..] {
        [answer] => format!("not {answer}"),
        answers => format!("neither {}", answers.join(" nor ")),
    };
    (format!("{question}{colon} {}", answers.join(" or ")), format!("{question}{colon} {otherwise}"))
}

/// Parts of a test such as `length > 2.5`.
fn comparison(test: &str) -> Option<(&str, &str, &str)> {
    let (rest, number) = test.rsplit_once(' ')?;
    let (column, sign) = rest.rsplit_once(' ')?;
    let is_comparison = matches!(sign, ">" | "<" | "≥" | "≤") && number.parse::<f64>().is_ok();
    is_comparison.then_some((column, sign, number))
}
