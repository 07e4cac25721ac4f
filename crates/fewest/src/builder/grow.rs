//! Grows the tree of a greedy policy by parting packed rows in place.

use crate::Limit;
use crate::survey::{Notes, Survey};
use fewest_model::{AnswerId, Instance, Moving, Node, NodeId, Part, TestId, Tree};
use rayon::prelude::*;

/// From this many objects in the second largest part, the parts of a node are worth a thread each.
const WORTH_SHARING: usize = 1 << 12;

/// The tree from `root` on that `survey` leads to, or `None` if the limit came first.
pub(super) fn grow(instance: &Instance, survey: &Survey<'_>, root: Part<'_>, limit: &Limit) -> Option<Tree> {
    let nodes = Growth { instance, survey, limit }.below(root, Moving::by_all_threads())?;
    Some(Tree::new(nodes).expect("children are placed after their parents"))
}

struct Growth<'a> {
    instance: &'a Instance,
    survey: &'a Survey<'a>,
    limit: &'a Limit,
}

impl Growth<'_> {
    /// The nodes from `root` on, which is the first of them.
    ///
    /// A loop and not a recursion, so that a deep tree overflows no stack. Calls are for large parts of large nodes
    /// only, and not many of these fit into one another.
    fn below(&self, root: Part<'_>, mut moving: Moving) -> Option<Vec<Node>> {
        let mut notes = Notes::default();
        let mut nodes = vec![Node::leaf(&[])];
        let (mut waiting, mut parts) = (vec![(0, root)], Vec::new());
        while let Some((place, part)) = waiting.pop() {
            let test = if part.is_pure() { None } else { self.survey.best(&part, &mut notes) };
            let Some(test) = test else {
                nodes[place] = Node::leaf(part.objects());
                moving.take_back(part);
                continue;
            };
            if self.limit.is_reached() {
                return None;
            }
            self.split(part, test, &mut moving, &mut parts);
            let first = nodes.len();
            let places = (first..).map(NodeId::at);
            let answers = parts.iter().map(|(answer, _)| *answer).zip(places).collect();
            nodes[place] = Node::Ask { test, answers };
            nodes.extend(parts.iter().map(|_| Node::leaf(&[])));
            if is_worth_sharing(&parts) {
                // There is more room than any of them needs.
                let rooms = std::mem::take(&mut moving).divided(parts.len());
                let grown: Option<Vec<Vec<Node>>> =
                    parts.par_drain(..).zip(rooms).map(|((_, part), room)| self.below(part, room)).collect();
                (first..).zip(grown?).for_each(|(place, below)| graft(&mut nodes, place, below));
            } else {
                waiting.extend((first..).zip(parts.drain(..).map(|(_, part)| part)));
            }
        }
        Some(nodes)
    }

    fn split<'p>(
        &self,
        part: Part<'p>,
        test: TestId,
        moving: &mut Moving,
        parts: &mut Vec<(AnswerId, Part<'p>)>,
    ) {
        match self.survey.tests().binary_search(&test) {
            Ok(column) => parts.extend(part.split(column, moving)),
            Err(_) => parts.extend(part.split_by(self.instance, test, moving)),
        }
    }
}

fn is_worth_sharing(parts: &[(AnswerId, Part<'_>)]) -> bool {
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
