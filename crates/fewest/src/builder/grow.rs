//! Grows the tree of a greedy policy by parting packed rows in place.

use crate::Limit;
use crate::survey::{Notes, Survey};
use fewest_model::{AnswerId, Branches, Instance, Moving, Node, NodeId, Part, TestId, Tree};
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
        let mut waiting = vec![(0, root)];
        while let Some((place, part)) = waiting.pop() {
            if let Some((test, objects)) = self.survey.between(&part) {
                let children = (nodes.len()..).map(NodeId::at);
                let answers = [AnswerId(0), AnswerId(1)].into_iter().zip(children).collect();
                nodes[place] = Node::Ask { test, answers };
                nodes.extend(objects.map(|object| Node::leaf(&[object])));
                moving.take_back(part);
                continue;
            }
            let test = if part.is_pure() { None } else { self.survey.best(&part, &mut notes) };
            let Some(test) = test else {
                nodes[place] = Node::leaf(part.objects());
                moving.take_back(part);
                continue;
            };
            if self.limit.is_reached() {
                return None;
            }
            let (first, others) = (nodes.len(), waiting.len());
            let answers = self.split(part, test, &mut moving, first, &mut waiting);
            nodes.resize_with(first + answers.len(), || Node::leaf(&[]));
            nodes[place] = Node::Ask { test, answers };
            if is_worth_sharing(&waiting[others..]) {
                let parts = waiting.par_drain(others..);
                // There is more room than any of them needs.
                let rooms = std::mem::take(&mut moving).divided(parts.len());
                let grown: Option<Vec<Vec<Node>>> =
                    parts.zip(rooms).map(|((_, part), room)| self.below(part, room)).collect();
                (first..).zip(grown?).for_each(|(place, below)| graft(&mut nodes, place, below));
            }
        }
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
