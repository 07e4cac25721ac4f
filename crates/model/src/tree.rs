//! A strategy written out: which test to ask at each node, and where each answer leads.

use crate::{AnswerId, Candidates, Instance, NodeId, ObjectId, TestId};
use smallvec::SmallVec;

/// Where each answer leads. Two have room in the node itself: most tests have no more, and trees have many nodes.
pub type Branches = SmallVec<[(AnswerId, NodeId); 2]>;

/// The objects of a leaf. A few have room in the node itself.
pub type Objects = SmallVec<[ObjectId; 4]>;

/// A strategy: at each node ask a test and follow the answer, until a leaf.
///
/// Nodes lie in one list, parents before children, so that every walk is a loop: a tree a hundred thousand
/// questions deep overflows no stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A question or an end.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Ask a test; each answer that can occur leads on, in order of answers.
    Ask {
        /// What to ask.
        test: TestId,
        /// Where each answer leads.
        answers: Branches,
    },
    /// Nothing is left to ask: the unknown object is one of these.
    Leaf {
        /// The objects that end here; where they may give several answers, each may end in other leaves as well.
        objects: Objects,
    },
}

impl Tree {
    /// A tree of `nodes`, the root first and each child after its parent. They are put in order of levels, and branches in
    /// order of answers, so that one strategy is one value, whatever built it.
    ///
    /// # Errors
    /// With the first node that is no tree node: a child that does not exist, stands before its parent, or is
    /// a child of no parent or of two.
    pub fn new(nodes: Vec<Node>) -> Result<Self, NodeId> {
        // One parent each, and parents first: so there is no circle and nothing is left out.
        let mut claimed = vec![false; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            for child in node.children() {
                let fresh = child.index() > at && claimed.get(child.index()) == Some(&false);
                if !fresh {
                    return Err(NodeId::at(at));
                }
                claimed[child.index()] = true;
            }
        }
        match claimed.iter().skip(1).position(|claimed| !claimed) {
            Some(orphan) => Err(NodeId::at(orphan + 1)),
            None if nodes.is_empty() => Err(NodeId(0)),
            None => Ok(Self { nodes: by_level(nodes) }),
        }
    }

    /// Unfolds `choose` into a tree: it names the test to ask for the candidates of a node, or none for a leaf.
    ///
    /// Nodes are unfolded level by level; `choose` is given a whole level at once, so that it may use many threads.
    /// Where objects need to be [confirmed](Self::confirmed), they are.
    pub fn unfold(
        instance: &Instance,
        mut choose: impl FnMut(&[Candidates]) -> Option<Vec<Option<TestId>>>,
    ) -> Option<Self> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut level = vec![Candidates::all(instance)];
        while !level.is_empty() {
            let mut below = Vec::new();
            let first_below = nodes.len() + level.len();
            for (candidates, test) in level.iter().zip(choose(&level)?) {
                let Some(test) = test else {
                    nodes.push(Node::leaf(candidates.objects()));
                    continue;
                };
                let parts = candidates.split(instance, test);
                let children = (first_below + below.len()..).map(NodeId::at);
                let answers = parts.iter().map(|(answer, _)| *answer).zip(children).collect();
                nodes.push(Node::Ask { test, answers });
                below.extend(parts.into_iter().map(|(_, part)| part));
            }
            level = below;
        }
        Some(Self { nodes }.confirmed(instance))
    }

    /// The same strategy, in which every object that needs it is asked the test of its name before its leaf, unless
    /// that was the last test anyway: a node with one answer.
    pub fn confirmed(self, instance: &Instance) -> Self {
        if !instance.needs_confirmation() {
            return self;
        }
        let mut last = vec![None; self.nodes.len()];
        for node in &self.nodes {
            if let Node::Ask { test, answers } = node {
                answers.iter().for_each(|(_, child)| last[child.index()] = Some(*test));
            }
        }
        let mut nodes = self.nodes;
        for at in 0..last.len() {
            let Node::Leaf { objects } = &nodes[at] else { continue };
            if let Some(test) = instance.unconfirmed(objects, last[at]) {
                let answer = instance.answer(objects[0], test);
                let answers = std::iter::once((answer, NodeId::at(nodes.len()))).collect();
                let leaf = std::mem::replace(&mut nodes[at], Node::Ask { test, answers });
                nodes.push(leaf);
            }
        }
        Self { nodes: by_level(nodes) }
    }

    /// All nodes, the root first and each child after its parent.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node numbered `node`.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// The first node, where asking begins.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count()
    }

    /// The most tests asked on any path.
    pub fn depth(&self) -> usize {
        self.down(0, |depth, _| depth + 1).into_iter().max().unwrap_or(0)
    }

    /// For every node a number found from its parent's on the way down; `first` belongs to the root.
    pub fn down<T: Copy>(&self, first: T, mut step: impl FnMut(T, TestId) -> T) -> Vec<T> {
        let mut values = vec![first; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Node::Ask { test, answers } = node {
                let value = step(values[at], *test);
                answers.iter().for_each(|(_, child)| values[child.index()] = value);
            }
        }
        values
    }

    /// For every node the parent and the answer that leads from there; `None` for the root.
    pub fn parents(&self) -> Vec<Option<(NodeId, AnswerId)>> {
        let mut parents = vec![None; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Node::Ask { answers, .. } = node {
                for (answer, child) in answers {
                    parents[child.index()] = Some((NodeId::at(at), *answer));
                }
            }
        }
        parents
    }

    /// The weight that comes to each node, in units of the instance's weights.
    pub fn weights(&self, instance: &Instance) -> Vec<f64> {
        node_weights(&self.nodes, instance)
    }

    /// For every node the sum of what `leaf` gives for the leaves below it.
    pub fn up<T: Clone + std::ops::AddAssign + Default>(
        &self,
        mut leaf: impl FnMut(&[ObjectId]) -> T,
    ) -> Vec<T> {
        let mut values = vec![T::default(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            match node {
                Node::Leaf { objects } => values[at] = leaf(objects),
                Node::Ask { answers, .. } => {
                    for (_, child) in answers {
                        let below = values[child.index()].clone();
                        values[at] += below;
                    }
                }
            }
        }
        values
    }
}

/// The weight that comes to each of `nodes`, parents before children, in units of the instance's weights.
///
/// An object that may give several answers to a test on the way brings its weight divided by their number.
pub fn node_weights(nodes: &[Node], instance: &Instance) -> Vec<f64> {
    let mut parents = vec![None; if instance.has_several() { nodes.len() } else { 0 }];
    if instance.has_several() {
        for (at, node) in nodes.iter().enumerate() {
            node.children().for_each(|child| parents[child.index()] = Some(at));
        }
    }
    let mut way = Vec::new();
    let mut weights = vec![0.0; nodes.len()];
    let alike = instance.has_equal_weights() && instance.weights().is_exact() && !instance.has_several();
    let one = instance.objects().next().map_or(0.0, |first| instance.weight(first));
    for (at, node) in nodes.iter().enumerate().rev() {
        weights[at] = match node {
            Node::Ask { .. } => node.children().map(|child| weights[child.index()]).sum(),
            // Whole numbers: the product is the sum.
            Node::Leaf { objects } if alike => one * objects.len() as f64,
            Node::Leaf { objects } if !instance.has_several() => {
                objects.iter().map(|object| instance.weight(*object)).sum()
            }
            Node::Leaf { objects } => {
                way.clear();
                let mut above = parents[at];
                while let Some(parent) = above {
                    if let Node::Ask { test, .. } = &nodes[parent] {
                        way.push(instance.test(*test));
                    }
                    above = parents[parent];
                }
                let choices = |object| way.iter().map(|test| test.choices(object) as f64).product::<f64>();
                objects.iter().map(|object| instance.weight(*object) / choices(*object)).sum()
            }
        };
    }
    weights
}

/// The same nodes level by level, the children of one node next to each other in order of answers.
fn by_level(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut order = vec![0];
    let mut at = 0;
    while at < order.len() {
        if let Node::Ask { answers, .. } = &mut nodes[order[at]] {
            if !answers.is_sorted() {
                answers.sort_unstable();
            }
            for (_, child) in answers {
                let place = NodeId::at(order.len());
                order.push(std::mem::replace(child, place).index());
            }
        }
        at += 1;
    }
    // Each node has one parent, so it is looked up once.
    let nothing = || Node::Leaf { objects: Objects::new() };
    order.into_iter().map(|place| std::mem::replace(&mut nodes[place], nothing())).collect()
}

impl Node {
    /// A leaf of objects in any order.
    pub fn leaf(objects: &[ObjectId]) -> Self {
        let mut objects = Objects::from_slice(objects);
        if !objects.is_sorted() {
            objects.sort_unstable();
        }
        Self::Leaf { objects }
    }

    /// What it asks, unless it is a leaf.
    pub fn test(&self) -> Option<TestId> {
        match self {
            Self::Ask { test, .. } => Some(*test),
            Self::Leaf { .. } => None,
        }
    }

    fn children(&self) -> impl Iterator<Item = NodeId> {
        let answers = match self {
            Self::Ask { answers, .. } => &answers[..],
            Self::Leaf { .. } => &[],
        };
        answers.iter().map(|(_, child)| *child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(children: [u32; 2]) -> Node {
        let answers =
            children.into_iter().enumerate().map(|(answer, child)| (AnswerId::at(answer), NodeId(child)));
        Node::Ask { test: TestId(0), answers: answers.collect() }
    }

    fn leaf(object: u32) -> Node {
        Node::leaf(&[ObjectId(object)])
    }

    #[test]
    fn one_strategy_is_one_value() {
        let by_depth = vec![ask([1, 4]), ask([2, 3]), leaf(0), leaf(1), leaf(2)];
        let by_level = vec![ask([1, 2]), ask([3, 4]), leaf(2), leaf(0), leaf(1)];
        let mut turned = by_level.clone();
        if let Node::Ask { answers, .. } = &mut turned[0] {
            answers.reverse();
        }
        for nodes in [by_depth, turned] {
            assert_eq!(Tree::new(nodes), Ok(Tree { nodes: by_level.clone() }));
        }
    }

    #[test]
    fn what_is_no_tree_is_refused_with_the_node() {
        assert_eq!(Tree::new(vec![]), Err(NodeId(0)));
        assert_eq!(Tree::new(vec![ask([1, 1]), leaf(0)]), Err(NodeId(0)));
        assert_eq!(Tree::new(vec![ask([1, 9]), leaf(0)]), Err(NodeId(0)));
        assert_eq!(Tree::new(vec![ask([1, 2]), ask([0, 3]), leaf(0), leaf(1)]), Err(NodeId(1)));
        assert_eq!(Tree::new(vec![leaf(0), leaf(1)]), Err(NodeId(1)));
    }
}
