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
use fewest_formats::text::{count, percent};
use fewest_formats::{NamedNode, NamedTree};
use serde::Deserialize;

/// Most nodes on one page; deeper nodes have a page of their own.
const NODES: usize = 1200;
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
}

#[derive(Template)]
#[template(path = "tree.html")]
struct Page {
    head: Head,
    strategy: String,
    size: String,
    at: usize,
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
            let tree = NamedTree::new(&strategy_tree.tree, instance);
            let at = if place.at < tree.nodes.len() { place.at } else { 0 };
            let path = traced(&tree, &place.trace);
            let unit = instance.has_unit_costs();
            let objects = instance.objects().flat_map(|object| instance.object_names(object));
            Page {
                head,
                strategy: id,
                size: format!(
                    "{}, {}, at most {} on a path",
                    count(tree.nodes.len() - strategy_tree.tree.leaf_count(), "question"),
                    if strategy_tree.tree.leaf_count() == 1 {
                        "1 leaf".to_owned()
                    } else {
                        format!("{} leaves", strategy_tree.tree.leaf_count())
                    },
                    strategy_tree.tree.depth()
                ),
                at,
                traced: path_text(&tree, &path, &place.trace),
                rows: rows(&tree, at, &path, unit),
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
fn path_text(tree: &NamedTree, path: &[bool], name: &str) -> Option<String> {
    if name.is_empty() {
        return None;
    }
    if !path[0] {
        return Some(format!("There is no object “{}” in this tree.", crate::service::questions::cut(name)));
    }
    let (mut at, mut steps) = (0, Vec::new());
    while let NamedNode::Ask { test, question, answers, .. } = &tree.nodes[at] {
        let Some((answer, child)) = answers.iter().find(|(_, child)| path[*child]) else { break };
        steps.push(format!("{} {answer}", question.as_deref().unwrap_or(&format!("{test}?"))));
        at = *child;
    }
    Some(format!("{name} after {}: {}", count(steps.len(), "question"), steps.join(" · ")))
}

/// Rows of the nodes below `start`, each parent before its children, as far as they fit on a page.
fn rows(tree: &NamedTree, start: usize, path: &[bool], unit: bool) -> Vec<Row> {
    let shown = shown(tree, start);
    let mut rows: Vec<Row> = Vec::new();
    let mut stack = vec![(start, None, 0)];
    while let Some((at, answer, depth)) = stack.pop() {
        let node = &tree.nodes[at];
        let is_cut = node.children().any(|child| !shown[child]);
        rows.push(row(node, at, answer, depth, is_cut, path[at], unit));
        if let (NamedNode::Ask { answers, .. }, false) = (node, is_cut) {
            stack.extend(
                answers.iter().rev().map(|(answer, child)| (*child, Some(answer.clone()), depth + 1)),
            );
        }
    }
    let all_open = rows.len() <= UNFOLDED;
    for at in 0..rows.len() {
        let next = rows.get(at + 1).map_or(0, |row| row.depth);
        let row = &mut rows[at];
        row.closes = row.depth.saturating_sub(next);
        row.is_open = all_open || row.depth < LEVELS || row.is_traced;
    }
    rows
}

/// Nodes that fit on a page: level by level, and for every question all answers or none.
fn shown(tree: &NamedTree, start: usize) -> Vec<bool> {
    let mut shown = vec![false; tree.nodes.len()];
    shown[start] = true;
    let (mut level, mut room) = (vec![start], NODES);
    while !level.is_empty() {
        let mut next = Vec::new();
        for at in level {
            let children: Vec<usize> = tree.nodes[at].children().collect();
            if children.len() <= room {
                room -= children.len();
                children.iter().for_each(|child| shown[*child] = true);
                next.extend(children);
            }
        }
        level = next;
    }
    shown
}

fn row(
    node: &NamedNode,
    at: usize,
    answer: Option<String>,
    depth: usize,
    is_cut: bool,
    is_traced: bool,
    unit: bool,
) -> Row {
    let (text, about) = match node {
        NamedNode::Ask { test, question, cost, .. } => {
            let cost = if unit { String::new() } else { format!("cost {}", wording::number(*cost, 2)) };
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
        is_traced,
        is_cut,
        closes: 0,
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

    #[test]
    fn rows_are_in_reading_order_and_close_every_list_they_open() {
        let tree = NamedTree { nodes: vec![ask(&[1, 2]), ask(&[3, 4]), leaf("c"), leaf("a"), leaf("b")] };
        let path = traced(&tree, "b");
        assert_eq!(path, [true, true, false, false, true]);
        let rows = rows(&tree, 0, &path, true);
        let order: Vec<usize> = rows.iter().map(|row| row.at).collect();
        assert_eq!(order, [0, 1, 3, 4, 2]);
        let closes: Vec<usize> = rows.iter().map(|row| row.closes).collect();
        assert_eq!(closes, [0, 0, 0, 1, 1]);
        assert_eq!(path_text(&tree, &path, "b").unwrap(), "b after 2 questions: t? to 1 · t? to 4");
        assert!(path_text(&tree, &traced(&tree, "x"), "x").unwrap().starts_with("There is no object"));
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
        let rows = rows(&tree, 0, &vec![false; tree.nodes.len()], true);
        assert_eq!(rows.len(), NODES + 1);
        let cut: Vec<&Row> = rows.iter().filter(|row| row.is_cut).collect();
        assert_eq!(cut.len(), 1);
        assert!(!cut[0].is_leaf);
        let opened = rows.iter().filter(|row| !row.is_leaf && !row.is_cut).count();
        assert_eq!(rows.iter().map(|row| row.closes).sum::<usize>(), opened);
    }
}
