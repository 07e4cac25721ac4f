//! Grows the tree of a greedy policy by parting packed rows in place.

use crate::Limit;
use crate::survey::{Notes, Survey};
use fewest_model::{AnswerId, Branches, Instance, Moving, Node, NodeId, Part, TestId, Tree};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// From this many objects in the second largest part, the parts of a node are worth a thread each.
const WORTH_SHARING: usize = 1 << 12;

/// The tree from `root` on that `survey` leads to, or `None` if the limit came first.
pub(super) fn grow(instance: &Instance, survey: &Survey<'_>, root: Part<'_>, limit: &Limit) -> Option<Tree> {
    let growth = Growth { instance, survey, limit, desks: Mutex::default() };
    let nodes = growth.below(root, rayon::current_num_threads())?;
    Some(Tree::new(nodes).expect("children are placed after their parents"))
}

struct Growth<'a> {
    instance: &'a Instance,
    survey: &'a Survey<'a>,
    limit: &'a Limit,
    /// Those at which nobody works: about as many are ever made as there are threads.
    desks: Mutex<Vec<Desk>>,
}

/// What is needed to work at one node after the other, and is dear to make anew.
#[derive(Default)]
struct Desk {
    moving: Moving,
    notes: Notes,
}

impl Growth<'_> {
    /// A desk, for as long as no parts of the node are given to other threads.
    fn sit_down(&self) -> Desk {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn leave(&self, desk: Desk) {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner).push(desk);
    }

    /// The nodes from `root` on, which is the first of them, by at most so many threads.
    ///
    /// A loop and not a recursion, so that a deep tree overflows no stack. Calls are for large parts of large nodes
    /// only, and not many of these fit into one another.
    fn below(&self, root: Part<'_>, threads: usize) -> Option<Vec<Node>> {
        let mut desk = self.sit_down();
        let mut nodes = vec![Node::leaf(&[])];
        let mut waiting = vec![(0, root)];
        while let Some((place, part)) = waiting.pop() {
            if let Some((test, objects)) = self.survey.between(&part) {
                let children = (nodes.len()..).map(NodeId::at);
                let answers = [AnswerId(0), AnswerId(1)].into_iter().zip(children).collect();
                nodes[place] = Node::Ask { test, answers };
                nodes.extend(objects.map(|object| Node::leaf(&[object])));
                desk.moving.take_back(part);
                continue;
            }
            let test = if part.is_pure() { None } else { self.survey.best(&part, &mut desk.notes) };
            let Some(test) = test else {
                nodes[place] = Node::leaf(part.objects());
                desk.moving.take_back(part);
                continue;
            };
            if self.limit.is_reached() {
                return None;
            }
            let (first, others) = (nodes.len(), waiting.len());
            desk.moving.threads = threads;
            let answers = self.split(part, test, &mut desk.moving, first, &mut waiting);
            nodes.resize_with(first + answers.len(), || Node::leaf(&[]));
            nodes[place] = Node::Ask { test, answers };
            if is_worth_sharing(&waiting[others..]) {
                if threads > 1 {
                    // What two threads had for one node is enough for two nodes.
                    let moving = desk.moving.behind();
                    self.leave(Desk { moving, ..Desk::default() });
                }
                self.leave(desk);
                let parts = waiting.par_drain(others..);
                let threads = threads / parts.len();
                let grown: Option<Vec<Vec<Node>>> =
                    parts.map(|(_, part)| self.below(part, threads)).collect();
                desk = self.sit_down();
                (first..).zip(grown?).for_each(|(place, below)| graft(&mut nodes, place, below));
            }
        }
        self.leave(desk);
        Some(nodes)
    }

    /// Parts the objects; the parts wait for their turn at places from `first` on.
    fn split<'p>(
        &self,
        part: Part<'p>,
        test: TestId,
        moving: &mut Moving,
        first: usize,
        waiting: &mut Vec<(usize, Part<'p>)>,
    ) -> Branches {
        let waits = |(place, (answer, part))| {
            waiting.push((place, part));
            (answer, NodeId::at(place))
        };
        match self.survey.column(test) {
            Some(column) => (first..).zip(part.split(column, moving)).map(waits).collect(),
            None => (first..).zip(part.split_by(self.instance, test, moving)).map(waits).collect(),
        }
    }
}

fn is_worth_sharing(parts: &[(usize, Part<'_>)]) -> bool {
    let large = parts.iter().filter(|(_, part)| part.len() >= WORTH_SHARING && !part.is_pure());
    large.count() >= 2 && rayon::current_num_threads() > 1
}

/// Puts the nodes of a subtree behind all others, but for its root, which goes to `place`.
fn graft(nodes: &mut Vec<Node>, place: usize, mut below: Vec<Node>) {
    // The first child comes right behind the nodes that are there.
    let shift = nodes.len() - 1;
    for node in &mut below {
        if let Node::Ask { answers, .. } = node {
            answers.iter_mut().for_each(|(_, child)| *child = NodeId::at(child.index() + shift));
        }
    }
    let mut below = below.into_iter();
    nodes[place] = below.next().expect("a subtree has a root");
    nodes.extend(below);
}
