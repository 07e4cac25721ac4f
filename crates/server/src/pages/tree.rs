//! Questions of a strategy as an outline, which the viewer in `web/tree.ts` draws as a picture.

use super::head::Head;
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::jobs::JobKind;
use crate::service::jobs;
use crate::state::App;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use fewest::{Instance, Test};
use fewest_formats::answers;
use fewest_formats::text::{count, percent};
use fewest_formats::{NamedNode, NamedTree};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Most nodes on one page; deeper nodes have a page of their own.
const NODES: usize = 1200;
/// Most nodes on the page with the whole tree, which is made for printing.
const ALL_NODES: usize = 20_000;
/// Number of answers to a question that lead to one object each, from which on only the first few are shown unfolded.
const MANY_ANSWERS: usize = 16;
/// Number of these answers that are shown.
const FIRST_ANSWERS: usize = 8;
/// Most rows of a tree that is shown unfolded.
const UNFOLDED: usize = 60;
/// Levels of a larger tree that are shown unfolded.
const LEVELS: usize = 3;
/// Most objects that are named at a leaf.
const OBJECTS: usize = 12;
/// Most names that a text field suggests.
const OFFERED: usize = 1000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Place {
    /// Node at the top of the page.
    at: usize,
    /// Name of the object whose path is marked.
    trace: String,
    /// Whether to show the whole tree on one page.
    all: Option<String>,
}

#[derive(Template)]
#[template(path = "tree.html")]
struct Page {
    head: Head,
    strategy: String,
    size: String,
    at: usize,
    /// Whether the page is made to hold the whole tree.
    is_all: bool,
    /// Number of nodes that are not on the page.
    elsewhere: usize,
    trace: String,
    traced: Option<String>,
    rows: Vec<Row>,
    objects: Vec<String>,
}

/// Row of the outline: a node.
struct Row {
    at: usize,
    depth: usize,
    /// Answer that leads to the node.
    answer: Option<String>,
    /// Question, or names of the identified groups.
    text: String,
    /// Details, in small print.
    about: String,
    share: String,
    weight: String,
    is_leaf: bool,
    is_open: bool,
    is_traced: bool,
    /// Whether the nodes below are on another page.
    is_cut: bool,
    /// Whether the row stands for several answers that are folded.
    is_fold: bool,
    /// Number of lists that end after this row.
    closes: usize,
}

pub(super) async fn show(
    State(app): State<App>,
    Id(id): Id,
    Query(place): Query<Place>,
) -> Result<Response, Problem> {
    let job = jobs::find(&app, &id, JobKind::Strategy).await?;
    let table = app.table(&job.table).await?;
    let strategy_tree = app.tree(&id, &table).await?;
    let head = Head::new(&table, "build");
    let made = app
        .run_on(&table, move |table| {
            let instance = &table.instance;
            let tests = tests_of(instance);
            let tree = NamedTree::new(&strategy_tree.tree, instance);
            let at = if place.at < tree.nodes.len() { place.at } else { 0 };
            let path = traced(&tree, &place.trace);
            let is_all = place.all.is_some();
            let shown = shown(&tree, at, &path, if is_all { ALL_NODES } else { NODES });
            let objects = instance.objects().flat_map(|object| instance.object_names(object));
            let leaves = strategy_tree.tree.leaf_count();
            Page {
                head,
                strategy: id,
                size: format!(
                    "{}, {}, at most {} on one path",
                    count(tree.nodes.len() - leaves, "question"),
                    count(leaves, "leaf"),
                    count(strategy_tree.tree.depth(), "question")
                ),
                at,
                is_all,
                elsewhere: shown.iter().filter(|is_shown| !**is_shown).count(),
                traced: path_text(&tree, &tests, &path, &place.trace),
                rows: Outline { tree: &tree, instance, tests: &tests, path: &path, shown: &shown }
                    .rows(at, is_all),
                objects: objects.take(OFFERED).map(str::to_owned).collect(),
                trace: place.trace,
            }
        })
        .await?;
    Ok(page(&made)?.into_response())
}

/// Whether each node leads to the object called `name`.
fn traced(tree: &NamedTree, name: &str) -> Vec<bool> {
    let mut path = vec![false; tree.nodes.len()];
    if name.is_empty() {
        return path;
    }
    // Parents stand before their children.
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        path[at] = match node {
            NamedNode::Leaf { objects, .. } => objects.iter().any(|object| object == name),
            NamedNode::Ask { .. } => node.children().any(|child| path[child]),
        };
    }
    path
}

/// Path in words.
fn path_text(tree: &NamedTree, tests: &BTreeMap<&str, &Test>, path: &[bool], name: &str) -> Option<String> {
    if name.is_empty() {
        return None;
    }
    if !path[0] {
        return Some(format!("There is no object “{}” in this tree.", crate::service::questions::cut(name)));
    }
    let (mut at, mut steps) = (0, Vec::new());
    while let NamedNode::Ask { test, question, answers, .. } = &tree.nodes[at] {
        let Some((answer, child)) = answers.iter().find(|(_, child)| path[*child]) else { break };
        let answer = label(tests.get(test.as_str()), answer);
        steps.push(format!("{} {answer}", question.as_deref().unwrap_or(&format!("{test}?"))));
        at = *child;
    }
    Some(format!("{name} after {}: {}", count(steps.len(), "question"), steps.join(" · ")))
}

/// Tests by their names: a large table has too many to look for each name.
fn tests_of(instance: &Instance) -> BTreeMap<&str, &Test> {
    instance.test_ids().map(|test| instance.test(test)).map(|test| (test.name.as_str(), test)).collect()
}

/// Answer to `test` as people read it.
fn label(test: Option<&&Test>, answer: &str) -> String {
    test.map_or(answer, |test| answers::shown(test, answer)).to_owned()
}

/// Nodes that fit on a page: those beside the marked path, then level by level, and for every question all answers or
/// none.
fn shown(tree: &NamedTree, start: usize, path: &[bool], most: usize) -> Vec<bool> {
    let mut shown = vec![false; tree.nodes.len()];
    shown[start] = true;
    let mut room = most;
    let mut show = |at: usize, shown: &mut Vec<bool>| {
        let children: Vec<usize> = tree.nodes[at].children().collect();
        let new = children.iter().filter(|child| !shown[**child]).count();
        if new > room {
            return Vec::new();
        }
        room -= new;
        children.iter().for_each(|child| shown[*child] = true);
        children
    };
    let mut at = start;
    while let Some(next) = show(at, &mut shown).into_iter().find(|child| path[*child]) {
        at = next;
    }
    let mut level = vec![start];
    while !level.is_empty() {
        level = level.into_iter().flat_map(|at| show(at, &mut shown)).collect();
    }
    shown
}

/// Outline of a part of a tree.
struct Outline<'a> {
    tree: &'a NamedTree,
    instance: &'a Instance,
    tests: &'a BTreeMap<&'a str, &'a Test>,
    /// Whether each node is on the marked path.
    path: &'a [bool],
    /// Whether each node is on the page.
    shown: &'a [bool],
}

/// Row to be written.
enum Entry {
    /// A node, with the answer that leads to it.
    Node(usize, Option<String>),
    /// Many answers of one question that lead to one object each.
    Fold(usize, Vec<Entry>),
}

impl Outline<'_> {
    /// Rows of the nodes below `start`, each parent before its children.
    fn rows(&self, start: usize, is_all: bool) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut stack = vec![(Entry::Node(start, None), 0)];
        while let Some((entry, depth)) = stack.pop() {
            let below = match entry {
                Entry::Node(at, answer) => {
                    let node = &self.tree.nodes[at];
                    let is_cut = node.children().any(|child| !self.shown[child]);
                    rows.push(self.row(at, answer, depth, is_cut));
                    if is_cut { Vec::new() } else { self.below(at) }
                }
                Entry::Fold(at, folded) => {
                    rows.push(self.fold_row(at, &folded, depth));
                    folded
                }
            };
            stack.extend(below.into_iter().rev().map(|entry| (entry, depth + 1)));
        }
        let all_open = is_all || rows.len() <= UNFOLDED;
        for at in 0..rows.len() {
            let next = rows.get(at + 1).map_or(0, |row| row.depth);
            let row = &mut rows[at];
            row.closes = row.depth.saturating_sub(next);
            row.is_open = is_all || row.is_traced || !row.is_fold && (all_open || row.depth < LEVELS);
        }
        rows
    }

    /// Answers below a question, in natural order; many that lead to one object each are folded.
    fn below(&self, at: usize) -> Vec<Entry> {
        let NamedNode::Ask { test, answers, .. } = &self.tree.nodes[at] else { return Vec::new() };
        let mut answers: Vec<(&str, usize)> =
            answers.iter().map(|(answer, child)| (answer.as_str(), *child)).collect();
        let column = self.tests.get(test.as_str());
        if let Some(column) = column {
            let order: BTreeMap<&str, usize> = (0..)
                .zip(answers::natural_order(column))
                .map(|(at, one)| (column.answer_text(one), at))
                .collect();
            answers.sort_by_key(|(answer, _)| order.get(answer).copied());
        }
        let is_one = |child: usize| matches!(&self.tree.nodes[child], NamedNode::Leaf { objects, .. } if objects.len() == 1);
        let singles = answers.iter().filter(|(_, child)| is_one(*child)).count();
        let (mut below, mut folded, mut seen) = (Vec::new(), Vec::new(), 0);
        for (answer, child) in answers {
            let entry = Entry::Node(child, Some(label(column, answer)));
            seen += usize::from(is_one(child));
            match singles > MANY_ANSWERS && is_one(child) && seen > FIRST_ANSWERS {
                true => folded.push(entry),
                false => below.push(entry),
            }
        }
        if !folded.is_empty() {
            below.push(Entry::Fold(at, folded));
        }
        below
    }

    fn row(&self, at: usize, answer: Option<String>, depth: usize, is_cut: bool) -> Row {
        let node = &self.tree.nodes[at];
        let (text, about) = match node {
            NamedNode::Ask { test, question, cost, .. } => {
                let is_unit = self.instance.has_unit_costs();
                let cost =
                    if is_unit { String::new() } else { format!("cost {}", wording::number(*cost, 2)) };
                (question.clone().unwrap_or_else(|| format!("{test}?")), cost)
            }
            NamedNode::Leaf { groups, objects, .. } => {
                let listed = objects.len().min(OBJECTS);
                let mut about = objects[..listed].join(", ");
                if listed < objects.len() {
                    about += &format!(" and {} more", objects.len() - listed);
                }
                (wording::names(groups), if groups == objects { String::new() } else { about })
            }
        };
        Row {
            at,
            depth,
            answer,
            text,
            about,
            share: percent(node.weight()),
            weight: format!("{:.6}", node.weight()),
            is_leaf: matches!(node, NamedNode::Leaf { .. }),
            is_open: true,
            is_traced: self.path[at],
            is_cut,
            is_fold: false,
            closes: 0,
        }
    }

    /// Row for answers that are folded.
    fn fold_row(&self, at: usize, folded: &[Entry], depth: usize) -> Row {
        let children = || {
            folded.iter().filter_map(|entry| match entry {
                Entry::Node(child, _) => Some(*child),
                Entry::Fold(..) => None,
            })
        };
        let weight: f64 = children().map(|child| self.tree.nodes[child].weight()).sum();
        Row {
            at,
            depth,
            answer: None,
            text: format!("{} more answers, each one object", folded.len()),
            about: String::new(),
            share: percent(weight),
            weight: format!("{weight:.6}"),
            is_leaf: false,
            is_open: false,
            is_traced: children().any(|child| self.path[child]),
            is_cut: false,
            is_fold: true,
            closes: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(answers: &[usize]) -> NamedNode {
        let answers = answers.iter().map(|child| (format!("to {child}"), *child)).collect();
        NamedNode::Ask { test: "t".to_owned(), question: None, cost: 1.0, weight: 1.0, answers }
    }

    fn leaf(name: &str) -> NamedNode {
        NamedNode::Leaf { groups: vec![name.to_owned()], objects: vec![name.to_owned()], weight: 0.5 }
    }

    fn instance() -> Instance {
        let rows: [&[&str]; 3] = [&["o", "x"], &["a", "1"], &["b", "2"]];
        Instance::new(fewest::Table::from_rows(&rows), &fewest::Reading::default()).unwrap().0
    }

    fn rows(tree: &NamedTree, path: &[bool]) -> Vec<Row> {
        let shown = shown(tree, 0, path, NODES);
        let instance = instance();
        let tests = tests_of(&instance);
        Outline { tree, instance: &instance, tests: &tests, path, shown: &shown }.rows(0, false)
    }

    #[test]
    fn rows_are_in_reading_order_and_close_every_list_they_open() {
        let tree = NamedTree { nodes: vec![ask(&[1, 2]), ask(&[3, 4]), leaf("c"), leaf("a"), leaf("b")] };
        let path = traced(&tree, "b");
        assert_eq!(path, [true, true, false, false, true]);
        let rows = rows(&tree, &path);
        let order: Vec<usize> = rows.iter().map(|row| row.at).collect();
        assert_eq!(order, [0, 1, 3, 4, 2]);
        let closes: Vec<usize> = rows.iter().map(|row| row.closes).collect();
        assert_eq!(closes, [0, 0, 0, 1, 1]);
        assert_eq!(
            path_text(&tree, &BTreeMap::new(), &path, "b").unwrap(),
            "b after 2 questions: t? to 1 · t? to 4"
        );
        assert!(
            path_text(&tree, &BTreeMap::new(), &traced(&tree, "x"), "x")
                .unwrap()
                .starts_with("There is no object")
        );
    }

    #[test]
    fn a_tree_too_large_for_a_page_is_cut_between_questions() {
        // A path: every question has a leaf and the next question.
        let mut nodes = Vec::new();
        for at in 0..2000 {
            nodes.push(ask(&[2 * at + 1, 2 * at + 2]));
            nodes.push(leaf("x"));
        }
        nodes.push(leaf("y"));
        let tree = NamedTree { nodes };
        let rows = rows(&tree, &vec![false; tree.nodes.len()]);
        assert_eq!(rows.len(), NODES + 1);
        let cut: Vec<&Row> = rows.iter().filter(|row| row.is_cut).collect();
        assert_eq!(cut.len(), 1);
        assert!(!cut[0].is_leaf);
        let opened = rows.iter().filter(|row| !row.is_leaf && !row.is_cut).count();
        assert_eq!(rows.iter().map(|row| row.closes).sum::<usize>(), opened);
    }

    #[test]
    fn a_marked_path_is_on_the_page_however_deep_it_is() {
        // A path of 300 questions; the other answer to each leads to a question with 20 answers.
        let (mut nodes, mut last) = (vec![leaf("deep")], 0);
        for _ in 0..300 {
            let first = nodes.len();
            let tail: Vec<usize> = (first + 2..first + 22).collect();
            nodes[last] = ask(&[first, first + 1]);
            nodes.push(ask(&tail));
            nodes.push(leaf("deep"));
            nodes.extend(tail.iter().map(|_| leaf("z")));
            last = first + 1;
        }
        let tree = NamedTree { nodes };
        let path = traced(&tree, "deep");
        let shown = shown(&tree, 0, &path, 700);
        assert!(shown.iter().zip(&path).all(|(is_shown, is_marked)| *is_shown || !*is_marked));
        let none = vec![false; tree.nodes.len()];
        assert!(super::shown(&tree, 0, &none, 100).iter().filter(|is_shown| **is_shown).count() <= 101);
    }

    #[test]
    fn many_answers_with_one_object_each_are_folded() {
        let children: Vec<usize> = (1..=45).collect();
        let mut nodes = vec![ask(&children)];
        nodes.extend((1..=45).map(|at| leaf(&format!("o{at}"))));
        let tree = NamedTree { nodes };
        let rows = rows(&tree, &traced(&tree, "o45"));
        let fold: Vec<&Row> = rows.iter().filter(|row| row.is_fold).collect();
        assert_eq!(fold.len(), 1);
        assert_eq!(fold[0].text, "37 more answers, each one object");
        assert!(fold[0].is_open && fold[0].is_traced, "the marked object is in it");
        assert_eq!(rows.len(), 1 + 45 + 1);
        assert_eq!(rows.iter().map(|row| row.closes).sum::<usize>(), 2);
    }
}
