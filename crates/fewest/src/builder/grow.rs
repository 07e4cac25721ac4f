//! Growth of the tree of a greedy policy by splitting packed rows in place.

use super::batch_score::{BatchScorer, ScoreScratch};
use super::late::{Late, any_split};
use crate::Limit;
use fewest_kernel::{GatherBuffer, GroupedRows, NodeRows, SplitBuffers};
use fewest_model::{AnswerId, Branches, Instance, Node, NodeId, TestId, Tree};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Least number of objects in the second largest part for which the parts of a node are worth a thread each.
const MIN_SHARED: usize = 1 << 12;

/// Grows the tree from `root` on by `scorer`. Returns it with the number of questions asked without comparing tests
/// because the limit was reached; `None` if it was reached and `late` is to give up.
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
    /// Number of questions asked without comparing tests.
    unranked: AtomicUsize,
    /// Idle workspaces, about one per thread.
    idle: Mutex<Vec<Workspace>>,
}

/// Scratch space for one node after the other.
#[derive(Default)]
struct Workspace {
    buffers: SplitBuffers,
    gathered: GatherBuffer,
    scratch: ScoreScratch,
}

impl Growth<'_> {
    /// Takes an idle workspace, or makes one.
    fn take_workspace(&self) -> Workspace {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn return_workspace(&self, workspace: Workspace) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
    }

    /// Grows the nodes from `root` on, by at most `threads` threads; the root goes to index `place`, the others are
    /// appended.
    ///
    /// A loop and not a recursion, so that a deep tree overflows no stack. Calls are for large parts of large nodes
    /// only, and their nesting is not deep.
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

    /// Grows the nodes from a grouped root on, which goes to the first index.
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
                // Few objects are faster as adjacent rows.
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

    /// Finds a test that splits the objects, without comparing tests.
    fn unranked(&self, part: &NodeRows<'_>) -> Option<TestId> {
        let packed = part.middle_difference().map(|column| self.scorer.test(column));
        let test = packed.or_else(|| any_split(self.instance, &part.candidates(self.instance)));
        self.unranked.fetch_add(usize::from(test.is_some()), Ordering::Relaxed);
        test
    }

    /// Grows each part of a node by a thread of its own, and returns the workspace.
    fn share<P: Send>(
        &self,
        parts: impl IndexedParallelIterator<Item = (usize, P)>,
        mut workspace: Workspace,
        threads: usize,
        nodes: &mut Vec<Node>,
        grow_subtree: impl Fn(P, usize, &mut Vec<Node>) -> Option<()> + Sync,
    ) -> Option<Workspace> {
        if threads > 1 {
            // The buffers of two threads for one node suffice for two nodes.
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
        grown?.into_iter().for_each(|(place, subtree)| graft(nodes, place, subtree));
        Some(self.take_workspace())
    }

    /// Splits the objects; the parts are queued for indices from `first` on.
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
    len >= MIN_SHARED && !is_pure
}

/// Appends the nodes of a subtree except its root, which goes to index `place`.
fn graft(nodes: &mut Vec<Node>, place: usize, mut subtree: Vec<Node>) {
    // The first child comes right after the existing nodes.
    let shift = nodes.len() - 1;
    for node in &mut subtree {
        if let Node::Ask { answers, .. } = node {
            answers.iter_mut().for_each(|(_, child)| *child = NodeId::at(child.index() + shift));
        }
    }
    let mut subtree = subtree.into_iter();
    nodes[place] = subtree.next().expect("a subtree has a root");
    nodes.extend(subtree);
}
