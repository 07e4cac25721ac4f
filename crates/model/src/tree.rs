//! Strategy as a tree: the test to ask at each node, and the child for each answer.

use crate::{AnswerId, Candidates, Instance, NodeId, ObjectId, TestId};
use smallvec::SmallVec;

/// Child for each answer. Two entries fit into the node itself: most tests have no more, and trees have many nodes.
pub type Branches = SmallVec<[(AnswerId, NodeId); 2]>;

/// Objects of a leaf. Up to four fit into the node itself.
pub type Objects = SmallVec<[ObjectId; 4]>;

/// Strategy: at each node a test is asked and the answer followed, until a leaf is reached.
///
/// Nodes are stored in one list, parents before children, so that every traversal is a loop: a tree with paths of a
/// hundred thousand questions overflows no stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// Node of a tree: a question or a leaf.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Question: each answer that can occur leads to a child, in order of answers.
    Ask {
        /// Test to ask.
        test: TestId,
        /// Child for each answer.
        answers: Branches,
    },
    /// Leaf, where nothing is left to ask: the unknown object is one of these.
    Leaf {
        /// Objects that reach the leaf; if they may give several answers, each may reach other leaves as well.
        objects: Objects,
    },
}

impl Tree {
    /// Makes a tree of `nodes`, the root first and each child after its parent. Nodes are sorted by level and
    /// branches by answer, so that equal strategies are equal values.
    ///
    /// # Errors
    /// With an invalid node: one whose child does not exist, does not come after it or has another parent; or one
    /// that has no parent and is not the root.
    pub fn new(nodes: Vec<Node>) -> Result<Self, NodeId> {
        // Each node has one parent, and parents come first: so there is no cycle and every node is reached.
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

    /// Grows a tree: `choose` returns the test to ask for the candidates of each node, or `None` for a leaf.
    ///
    /// Nodes are grown level by level. `choose` gets a whole level at once, so that it may use many threads; if it
    /// returns `None` for the level, there is no tree. Objects that need to be [confirmed](Self::confirmed) are.
    pub fn unfold(
        instance: &Instance,
        mut choose: impl FnMut(&[Candidates]) -> Option<Vec<Option<TestId>>>,
    ) -> Option<Self> {
        Self::unfold_carrying(instance, (), |level, _| choose(level), |_, ()| ())
    }

    /// Grows a tree as [`unfold`](Self::unfold) does, where each node carries what its path has changed, such as the
    /// bundles that are open: `root` at the root, `after` a test what the nodes below it carry.
    pub fn unfold_carrying<S: Clone>(
        instance: &Instance,
        root: S,
        mut choose: impl FnMut(&[Candidates], &[S]) -> Option<Vec<Option<TestId>>>,
        after: impl Fn(TestId, &S) -> S,
    ) -> Option<Self> {
        let mut nodes: Vec<Node> = Vec::new();
        let (mut level, mut carried) = (vec![Candidates::all(instance)], vec![root]);
        while !level.is_empty() {
            let (mut below, mut carried_below) = (Vec::new(), Vec::new());
            let first_below = nodes.len() + level.len();
            for ((candidates, state), test) in level.iter().zip(&carried).zip(choose(&level, &carried)?) {
                let Some(test) = test else {
                    nodes.push(Node::leaf(candidates.objects()));
                    continue;
                };
                let parts = candidates.split(instance, test);
                let children = (first_below + below.len()..).map(NodeId::at);
                let answers = parts.iter().map(|(answer, _)| *answer).zip(children).collect();
                nodes.push(Node::Ask { test, answers });
                carried_below.resize(below.len() + parts.len(), after(test, state));
                below.extend(parts.into_iter().map(|(_, part)| part));
            }
            (level, carried) = (below, carried_below);
        }
        Some(Self { nodes }.confirmed(instance))
    }

    /// Adds the questions that confirm objects: before the leaf of a single object, the test of its name is asked in
    /// a node with one answer, unless it was the last test anyway.
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

    /// Returns the node numbered `node`.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// Number of the root, where asking begins.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count()
    }

    /// Largest number of tests on any path.
    pub fn depth(&self) -> usize {
        self.down(0, |depth, _| depth + 1).into_iter().max().unwrap_or(0)
    }

    /// Computes a value for every node from that of its parent; `first` is the value of the root.
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

    /// Parent of every node and the answer that leads from there; `None` for the root.
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

    /// Weight that reaches each node, in units of the instance's weights.
    pub fn weights(&self, instance: &Instance) -> Vec<f64> {
        node_weights(&self.nodes, instance)
    }

    /// Sums, for every node, the values of `leaf` over the leaves below it.
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

/// Weight that reaches each of `nodes`, parents before children, in units of the instance's weights.
///
/// An object that may give several answers to a test on its path contributes its weight divided by their number.
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
            // Weights are equal whole numbers: the product is exactly the sum.
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

/// Sorts nodes by level, the children of one node next to each other in order of answers.
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
    // Each node has one parent, so it is taken once.
    let nothing = || Node::Leaf { objects: Objects::new() };
    order.into_iter().map(|place| std::mem::replace(&mut nodes[place], nothing())).collect()
}

impl Node {
    /// Makes a leaf of objects in any order.
    pub fn leaf(objects: &[ObjectId]) -> Self {
        let mut objects = Objects::from_slice(objects);
        if !objects.is_sorted() {
            objects.sort_unstable();
        }
        Self::Leaf { objects }
    }

    /// Test that the node asks; `None` for a leaf.
    pub fn test(&self) -> Option<TestId> {
        match self {
            Self::Ask { test, .. } => Some(*test),
            Self::Leaf { .. } => None,
        }
    }

    /// Children of the node, in order of answers; none for a leaf.
    pub fn children(&self) -> impl Iterator<Item = NodeId> {
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
