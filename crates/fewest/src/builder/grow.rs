//! Grows the tree of a greedy policy by parting packed rows in place.

use super::batch_score::{BatchScorer, ScoreScratch};
use super::late::{Late, any_split};
use crate::Limit;
use fewest_kernel::{GatherBuffer, GroupedRows, NodeRows, SplitBuffers};
use fewest_model::{AnswerId, Branches, Instance, Node, NodeId, TestId, Tree};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// From this many objects in the second largest part, the parts of a node are worth a thread each.
const WORTH_SHARING: usize = 1 << 12;

/// The tree from `root` on that `scorer` leads to, and the number of questions that it asks without comparing tests because
/// the limit was reached; `None` if it was, and `late` says to give up.
pub(super) fn grow(
    instance: &Instance,
    scorer: &BatchScorer<'_>,
    root: NodeRows<'_>,
    limit: &Limit,
    late: Late,
) -> Option<(Tree, usize)> {
    let unranked = AtomicUsize::new(0);
    let growth = Growth { instance, scorer, limit, late, unranked, idle: Mutex::default() };
    let threads = rayon::current_num_threads();
    let mut nodes = vec![Node::leaf(&[])];
    match scorer.grouped(root) {
        Ok(grouped) => growth.grow_grouped(grouped, threads, &mut nodes)?,
        Err(part) => growth.grow_subtree(part, threads, 0, &mut nodes)?,
    }
    let tree = Tree::new(nodes).expect("children are placed after their parents");
    Some((tree, growth.unranked.into_inner()))
}

struct Growth<'a> {
    instance: &'a Instance,
    scorer: &'a BatchScorer<'a>,
    limit: &'a Limit,
    late: Late,
    /// Questions asked without comparing tests.
    unranked: AtomicUsize,
    /// Those at which nobody works: about as many are ever made as there are threads.
    idle: Mutex<Vec<Workspace>>,
}

/// What is needed to work at one node after the other, and is dear to make anew.
#[derive(Default)]
struct Workspace {
    buffers: SplitBuffers,
    gathered: GatherBuffer,
    scratch: ScoreScratch,
}

impl Growth<'_> {
    /// A workspace, for as long as no parts of the node are given to other threads.
    fn take_workspace(&self) -> Workspace {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn return_workspace(&self, workspace: Workspace) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
    }

    /// Grows the nodes from `root` on, which goes to `place`, behind those that are there; by at most so many threads.
    ///
    /// A loop and not a recursion, so that a deep tree overflows no stack. Calls are for large parts of large nodes
    /// only, and not many of these fit into one another.
    fn grow_subtree(
        &self,
        root: NodeRows<'_>,
        threads: usize,
        place: usize,
        nodes: &mut Vec<Node>,
    ) -> Option<()> {
        let mut workspace = self.take_workspace();
        let mut waiting = vec![(place, root)];
        while let Some((place, part)) = waiting.pop() {
            if let Some((test, objects)) = self.scorer.pair_test(&part) {
                let children = (nodes.len()..).map(NodeId::at);
                let answers = [AnswerId(0), AnswerId(1)].into_iter().zip(children).collect();
                nodes[place] = Node::Ask { test, answers };
                nodes.extend(objects.map(|object| Node::leaf(&[object])));
                workspace.buffers.recycle(part);
                continue;
            }
            let test = if part.is_pure() {
                None
            } else if !self.limit.is_reached() {
                self.scorer.best(&part, &mut workspace.scratch)
            } else if self.late == Late::Finish {
                self.unranked(&part)
            } else {
                return None;
            };
            let Some(test) = test else {
                nodes[place] = Node::leaf(part.objects());
                workspace.buffers.recycle(part);
                continue;
            };
            let (first, others) = (nodes.len(), waiting.len());
            workspace.buffers.threads = threads;
            let answers = self.split(part, test, &mut workspace.buffers, first, &mut waiting);
            nodes.resize_with(first + answers.len(), || Node::leaf(&[]));
            nodes[place] = Node::Ask { test, answers };
            let large = waiting[others..].iter().filter(|(_, part)| is_large(part.len(), part.is_pure()));
            if large.count() > 1 && rayon::current_num_threads() > 1 {
                let parts = waiting.par_drain(others..);
                workspace = self.share(parts, workspace, threads, nodes, |part, threads, nodes| {
                    self.grow_subtree(part, threads, 0, nodes)
                })?;
            }
        }
        self.return_workspace(workspace);
        Some(())
    }

    /// The same from a grouped on, which goes to the first place.
    fn grow_grouped(&self, root: GroupedRows<'_>, threads: usize, nodes: &mut Vec<Node>) -> Option<()> {
        let mut workspace = self.take_workspace();
        let mut waiting = vec![(0, root)];
        while let Some((place, grouped)) = waiting.pop() {
            if let Some(objects) = grouped.only() {
                nodes[place] = Node::leaf(objects);
                continue;
            }
            let best = match self.limit.is_reached() {
                false => self.scorer.best_of_grouped(&grouped, &mut workspace.scratch),
                true => None,
            };
            let Some((test, column)) = best else {
                // Few objects are looked at faster next to each other.
                let mut gathered = std::mem::take(&mut workspace.gathered);
                self.return_workspace(workspace);
                self.grow_subtree(grouped.gather(&mut gathered), threads, place, nodes)?;
                workspace = self.take_workspace();
                workspace.gathered = gathered;
                continue;
            };
            let (first, others) = (nodes.len(), waiting.len());
            workspace.buffers.threads = threads;
            let parts = grouped.split(column, &mut workspace.buffers);
            let answers = (first..).zip(parts).map(|(place, (answer, grouped))| {
                waiting.push((place, grouped));
                (answer, NodeId::at(place))
            });
            nodes[place] = Node::Ask { test, answers: answers.collect() };
            nodes.resize_with(first + 2, || Node::leaf(&[]));
            let large =
                waiting[others..].iter().filter(|(_, grouped)| is_large(grouped.len(), grouped.is_pure()));
            if large.count() > 1 && rayon::current_num_threads() > 1 {
                let parts = waiting.par_drain(others..);
                workspace = self.share(parts, workspace, threads, nodes, |grouped, threads, nodes| {
                    self.grow_grouped(grouped, threads, nodes)
                })?;
            }
        }
        self.return_workspace(workspace);
        Some(())
    }

    /// A test that splits the objects, the first that is found.
    fn unranked(&self, part: &NodeRows<'_>) -> Option<TestId> {
        let packed = part.middle_difference().map(|column| self.scorer.test(column));
        let test = packed.or_else(|| any_split(self.instance, &part.candidates(self.instance)));
        self.unranked.fetch_add(usize::from(test.is_some()), Ordering::Relaxed);
        test
    }

    /// Grows each of the parts of a node by a thread of its own, and gives a workspace back.
    fn share<P: Send>(
        &self,
        parts: impl IndexedParallelIterator<Item = (usize, P)>,
        mut workspace: Workspace,
        threads: usize,
        nodes: &mut Vec<Node>,
        grow_subtree: impl Fn(P, usize, &mut Vec<Node>) -> Option<()> + Sync,
    ) -> Option<Workspace> {
        if threads > 1 {
            // What two threads had for one node is enough for two nodes.
            let buffers = workspace.buffers.second_thread();
            self.return_workspace(Workspace { buffers, ..Workspace::default() });
        }
        self.return_workspace(workspace);
        let threads = threads / parts.len();
        let grow = |(place, part)| {
            let mut nodes = vec![Node::leaf(&[])];
            grow_subtree(part, threads, &mut nodes)?;
            Some((place, nodes))
        };
        let grown: Option<Vec<(usize, Vec<Node>)>> = parts.map(grow).collect();
        grown?.into_iter().for_each(|(place, grow_subtree)| graft(nodes, place, grow_subtree));
        Some(self.take_workspace())
    }

    /// Parts the objects; the parts wait for their turn at places from `first` on.
    fn split<'p>(
        &self,
        part: NodeRows<'p>,
        test: TestId,
        buffers: &mut SplitBuffers,
        first: usize,
        waiting: &mut Vec<(usize, NodeRows<'p>)>,
    ) -> Branches {
        let waits = |(place, (answer, part))| {
            waiting.push((place, part));
            (answer, NodeId::at(place))
        };
        match self.scorer.column(test) {
            Some(column) => (first..).zip(part.split(column, buffers)).map(waits).collect(),
            None => (first..).zip(part.split_by(self.instance, test, buffers)).map(waits).collect(),
        }
    }
}

/// Whether a part is worth a thread.
fn is_large(len: usize, is_pure: bool) -> bool {
    len >= WORTH_SHARING && !is_pure
}

/// Puts the nodes of a subtree behind all others, but for its root, which goes to `place`.
fn graft(nodes: &mut Vec<Node>, place: usize, mut grow_subtree: Vec<Node>) {
    // The first child comes right behind the nodes that are there.
    let shift = nodes.len() - 1;
    for node in &mut grow_subtree {
        if let Node::Ask { answers, .. } = node {
            answers.iter_mut().for_each(|(_, child)| *child = NodeId::at(child.index() + shift));
        }
    }
    let mut grow_subtree = grow_subtree.into_iter();
    nodes[place] = grow_subtree.next().expect("a subtree has a root");
    nodes.extend(grow_subtree);
}
