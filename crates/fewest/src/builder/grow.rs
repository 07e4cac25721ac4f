//! Grows the tree of a greedy policy by parting packed rows in place.

use super::late::{Late, any_split};
use crate::Limit;
use crate::survey::{Notes, Survey};
use fewest_kernel::{GatherBuffer, GroupedRows, NodeRows, SplitBuffers};
use fewest_model::{AnswerId, Branches, Instance, Node, NodeId, TestId, Tree};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// From this many objects in the second largest part, the parts of a node are worth a thread each.
const WORTH_SHARING: usize = 1 << 12;

/// The tree from `root` on that `survey` leads to, and the number of questions that it asks without comparing tests because
/// the limit was reached; `None` if it was, and `late` says to give up.
pub(super) fn grow(
    instance: &Instance,
    survey: &Survey<'_>,
    root: NodeRows<'_>,
    limit: &Limit,
    late: Late,
) -> Option<(Tree, usize)> {
    let unranked = AtomicUsize::new(0);
    let growth = Growth { instance, survey, limit, late, unranked, desks: Mutex::default() };
    let threads = rayon::current_num_threads();
    let mut nodes = vec![Node::leaf(&[])];
    match survey.crowd(root) {
        Ok(crowd) => growth.below_crowd(crowd, threads, &mut nodes)?,
        Err(part) => growth.below(part, threads, 0, &mut nodes)?,
    }
    let tree = Tree::new(nodes).expect("children are placed after their parents");
    Some((tree, growth.unranked.into_inner()))
}

struct Growth<'a> {
    instance: &'a Instance,
    survey: &'a Survey<'a>,
    limit: &'a Limit,
    late: Late,
    /// Questions asked without comparing tests.
    unranked: AtomicUsize,
    /// Those at which nobody works: about as many are ever made as there are threads.
    desks: Mutex<Vec<Desk>>,
}

/// What is needed to work at one node after the other, and is dear to make anew.
#[derive(Default)]
struct Desk {
    moving: SplitBuffers,
    gathered: GatherBuffer,
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

    /// Grows the nodes from `root` on, which goes to `place`, behind those that are there; by at most so many threads.
    ///
    /// A loop and not a recursion, so that a deep tree overflows no stack. Calls are for large parts of large nodes
    /// only, and not many of these fit into one another.
    fn below(&self, root: NodeRows<'_>, threads: usize, place: usize, nodes: &mut Vec<Node>) -> Option<()> {
        let mut desk = self.sit_down();
        let mut waiting = vec![(place, root)];
        while let Some((place, part)) = waiting.pop() {
            if let Some((test, objects)) = self.survey.between(&part) {
                let children = (nodes.len()..).map(NodeId::at);
                let answers = [AnswerId(0), AnswerId(1)].into_iter().zip(children).collect();
                nodes[place] = Node::Ask { test, answers };
                nodes.extend(objects.map(|object| Node::leaf(&[object])));
                desk.moving.take_back(part);
                continue;
            }
            let test = if part.is_pure() {
                None
            } else if !self.limit.is_reached() {
                self.survey.best(&part, &mut desk.notes)
            } else if self.late == Late::Finish {
                self.unranked(&part)
            } else {
                return None;
            };
            let Some(test) = test else {
                nodes[place] = Node::leaf(part.objects());
                desk.moving.take_back(part);
                continue;
            };
            let (first, others) = (nodes.len(), waiting.len());
            desk.moving.threads = threads;
            let answers = self.split(part, test, &mut desk.moving, first, &mut waiting);
            nodes.resize_with(first + answers.len(), || Node::leaf(&[]));
            nodes[place] = Node::Ask { test, answers };
            let large = waiting[others..].iter().filter(|(_, part)| is_large(part.len(), part.is_pure()));
            if large.count() > 1 && rayon::current_num_threads() > 1 {
                let parts = waiting.par_drain(others..);
                desk = self.share(parts, desk, threads, nodes, |part, threads, nodes| {
                    self.below(part, threads, 0, nodes)
                })?;
            }
        }
        self.leave(desk);
        Some(())
    }

    /// The same from a crowd on, which goes to the first place.
    fn below_crowd(&self, root: GroupedRows<'_>, threads: usize, nodes: &mut Vec<Node>) -> Option<()> {
        let mut desk = self.sit_down();
        let mut waiting = vec![(0, root)];
        while let Some((place, crowd)) = waiting.pop() {
            if let Some(objects) = crowd.only() {
                nodes[place] = Node::leaf(objects);
                continue;
            }
            let best = match self.limit.is_reached() {
                false => self.survey.best_for_crowd(&crowd, &mut desk.notes),
                true => None,
            };
            let Some((test, column)) = best else {
                // Few objects are looked at faster next to each other.
                let mut gathered = std::mem::take(&mut desk.gathered);
                self.leave(desk);
                self.below(crowd.gather(&mut gathered), threads, place, nodes)?;
                desk = self.sit_down();
                desk.gathered = gathered;
                continue;
            };
            let (first, others) = (nodes.len(), waiting.len());
            desk.moving.threads = threads;
            let parts = crowd.split(column, &mut desk.moving);
            let answers = (first..).zip(parts).map(|(place, (answer, crowd))| {
                waiting.push((place, crowd));
                (answer, NodeId::at(place))
            });
            nodes[place] = Node::Ask { test, answers: answers.collect() };
            nodes.resize_with(first + 2, || Node::leaf(&[]));
            let large = waiting[others..].iter().filter(|(_, crowd)| is_large(crowd.len(), crowd.is_pure()));
            if large.count() > 1 && rayon::current_num_threads() > 1 {
                let parts = waiting.par_drain(others..);
                desk = self.share(parts, desk, threads, nodes, |crowd, threads, nodes| {
                    self.below_crowd(crowd, threads, nodes)
                })?;
            }
        }
        self.leave(desk);
        Some(())
    }

    /// A test that splits the objects, the first that is found.
    fn unranked(&self, part: &NodeRows<'_>) -> Option<TestId> {
        let packed = part.middle_difference().map(|column| self.survey.test(column));
        let test = packed.or_else(|| any_split(self.instance, &part.candidates(self.instance)));
        self.unranked.fetch_add(usize::from(test.is_some()), Ordering::Relaxed);
        test
    }

    /// Grows each of the parts of a node by a thread of its own, and gives a desk back.
    fn share<P: Send>(
        &self,
        parts: impl IndexedParallelIterator<Item = (usize, P)>,
        mut desk: Desk,
        threads: usize,
        nodes: &mut Vec<Node>,
        below: impl Fn(P, usize, &mut Vec<Node>) -> Option<()> + Sync,
    ) -> Option<Desk> {
        if threads > 1 {
            // What two threads had for one node is enough for two nodes.
            let moving = desk.moving.behind();
            self.leave(Desk { moving, ..Desk::default() });
        }
        self.leave(desk);
        let threads = threads / parts.len();
        let grow = |(place, part)| {
            let mut nodes = vec![Node::leaf(&[])];
            below(part, threads, &mut nodes)?;
            Some((place, nodes))
        };
        let grown: Option<Vec<(usize, Vec<Node>)>> = parts.map(grow).collect();
        grown?.into_iter().for_each(|(place, below)| graft(nodes, place, below));
        Some(self.sit_down())
    }

    /// Parts the objects; the parts wait for their turn at places from `first` on.
    fn split<'p>(
        &self,
        part: NodeRows<'p>,
        test: TestId,
        moving: &mut SplitBuffers,
        first: usize,
        waiting: &mut Vec<(usize, NodeRows<'p>)>,
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

/// Whether a part is worth a thread.
fn is_large(len: usize, is_pure: bool) -> bool {
    len >= WORTH_SHARING && !is_pure
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
