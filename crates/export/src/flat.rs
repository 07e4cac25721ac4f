//! A strategy as flat tables, which a loop of ten lines can walk in any language.

use fewest_formats::{NamedNode, NamedTree};
use hashbrown::HashMap;

/// Tests, nodes, edges and results of a strategy, each with a number from 0. Node 0 is the first question.
pub(crate) struct Flat<'a> {
    pub(crate) tests: Vec<FlatTest<'a>>,
    pub(crate) nodes: Vec<FlatNode>,
    /// Edges of node 0, then those of node 1, and so on.
    pub(crate) edges: Vec<Edge>,
    /// Lists of names that leaves identify, each list once.
    pub(crate) results: Vec<&'a [String]>,
}

/// A test, and all answers that some node of the strategy knows.
pub(crate) struct FlatTest<'a> {
    pub(crate) name: &'a str,
    /// Words of the question; empty if the table has none.
    pub(crate) question: &'a str,
    pub(crate) answers: Vec<&'a str>,
}

pub(crate) struct FlatNode {
    /// Number of the test that is asked here; `None` at a leaf.
    pub(crate) test: Option<usize>,
    /// Number of the first edge; the edges end where those of the next node begin.
    pub(crate) first: usize,
    /// Number of the result; `None` where a test is asked.
    pub(crate) result: Option<usize>,
}

/// Answers on the way to a leaf, as pairs of test and answer by number, and the number of its result.
pub(crate) type Path = (Vec<(usize, usize)>, usize);

pub(crate) struct Edge {
    /// Position among the answers of the test.
    pub(crate) answer: usize,
    /// Number of the node that the edge leads to.
    pub(crate) child: usize,
}

impl FlatTest<'_> {
    /// Words to ask with: the question, or the name of a test without one.
    pub(crate) fn words(&self) -> &str {
        if self.question.is_empty() { self.name } else { self.question }
    }
}

impl<'a> Flat<'a> {
    pub(crate) fn of(tree: &'a NamedTree) -> Self {
        let mut flat = Self { tests: Vec::new(), nodes: Vec::new(), edges: Vec::new(), results: Vec::new() };
        let mut tests: HashMap<&str, usize> = HashMap::new();
        let mut answers: HashMap<(usize, &str), usize> = HashMap::new();
        let mut results: HashMap<&[String], usize> = HashMap::new();
        for node in &tree.nodes {
            let first = flat.edges.len();
            match node {
                NamedNode::Ask { test, question, answers: branches, .. } => {
                    let at = *tests.entry(test).or_insert_with(|| {
                        let question = question.as_deref().unwrap_or_default();
                        flat.tests.push(FlatTest { name: test, question, answers: Vec::new() });
                        flat.tests.len() - 1
                    });
                    for (answer, child) in branches {
                        let known = &mut flat.tests[at].answers;
                        let answer = *answers.entry((at, answer)).or_insert_with(|| {
                            known.push(answer);
                            known.len() - 1
                        });
                        flat.edges.push(Edge { answer, child: *child });
                    }
                    flat.nodes.push(FlatNode { test: Some(at), first, result: None });
                }
                NamedNode::Leaf { groups, .. } => {
                    let at = *results.entry(groups).or_insert_with(|| {
                        flat.results.push(groups);
                        flat.results.len() - 1
                    });
                    flat.nodes.push(FlatNode { test: None, first, result: Some(at) });
                }
            }
        }
        flat
    }

    /// Names of a result as one text.
    pub(crate) fn result_text(&self, result: usize) -> String {
        self.results[result].join(" or ")
    }

    /// Names of every result, each as one text.
    pub(crate) fn result_texts(&self) -> Vec<String> {
        (0..self.results.len()).map(|result| self.result_text(result)).collect()
    }

    /// Edges of a node.
    pub(crate) fn edges_of(&self, node: usize) -> &[Edge] {
        let end = self.nodes.get(node + 1).map_or(self.edges.len(), |next| next.first);
        &self.edges[self.nodes[node].first..end]
    }

    /// Number of the test of each node, −1 at a leaf.
    pub(crate) fn node_tests(&self) -> Vec<i64> {
        self.nodes.iter().map(|node| number(node.test)).collect()
    }

    /// Number of the first edge of each node, and the number of all edges at the end.
    pub(crate) fn node_firsts(&self) -> Vec<i64> {
        let firsts = self.nodes.iter().map(|node| number(Some(node.first)));
        firsts.chain([number(Some(self.edges.len()))]).collect()
    }

    /// Number of the result of each node, −1 where a test is asked.
    pub(crate) fn node_results(&self) -> Vec<i64> {
        self.nodes.iter().map(|node| number(node.result)).collect()
    }

    /// Answer of each edge, as its position among the answers of the test.
    pub(crate) fn edge_answers(&self) -> Vec<i64> {
        self.edges.iter().map(|edge| number(Some(edge.answer))).collect()
    }

    /// Node that each edge leads to.
    pub(crate) fn edge_children(&self) -> Vec<i64> {
        self.edges.iter().map(|edge| number(Some(edge.child))).collect()
    }

    /// Path to every leaf, in the order of the edges: pairs of test and answer by number, and the number of the result.
    pub(crate) fn paths(&self) -> Vec<Path> {
        let mut found = Vec::new();
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut waiting = vec![(0, 0, None)];
        while let Some((at, depth, step)) = waiting.pop() {
            path.truncate(depth);
            path.extend(step);
            let node = &self.nodes[at];
            if let Some(result) = node.result {
                found.push((path.clone(), result));
            }
            let Some(test) = node.test else { continue };
            let edges = self.edges_of(at).iter().rev();
            waiting.extend(edges.map(|edge| (edge.child, path.len(), Some((test, edge.answer)))));
        }
        found
    }

    /// All paths as numbers: the number of steps, test and answer of each step, and the result.
    pub(crate) fn path_numbers(&self) -> Vec<i64> {
        let mut numbers = Vec::new();
        for (path, result) in self.paths() {
            numbers.push(number(Some(path.len())));
            numbers
                .extend(path.iter().flat_map(|(test, answer)| [number(Some(*test)), number(Some(*answer))]));
            numbers.push(number(Some(result)));
        }
        numbers
    }
}

/// A number for the tables; −1 for none.
fn number(at: Option<usize>) -> i64 {
    at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1)
}
