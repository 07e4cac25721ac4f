//! Instances and trees from short texts, so that a change of the API touches this file only.

use fewest_check::CheckError;
use fewest_model::{
    AnswerId, Branches, Certificate, Costs, Instance, Lambda, Node, NodeId, ObjectId, Objects, Reading,
    Table, TestId, Tree,
};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Configuration with the same inputs on every run, unless `PROPTEST_CASES` or `PROPTEST_RNG_SEED` asks for others.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { config.cases } else { cases };
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1952) } else { config.rng_seed };
    ProptestConfig { cases, rng_seed, ..config }
}

/// An instance from lines of words: a header, then one line per object, and a line `@cost` if costs matter.
pub(crate) fn instance(text: &str) -> Instance {
    read(text, Reading::default())
}

/// Instance from lines of words in which every object must be confirmed by the test of its name.
pub(crate) fn confirmed_instance(text: &str) -> Instance {
    read(text, Reading { confirm: true, ..Reading::default() })
}

fn read(text: &str, reading: Reading) -> Instance {
    let lines: Vec<Vec<&str>> = text.trim().lines().map(|line| line.split_whitespace().collect()).collect();
    let (about, rows): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line[0] == "@cost");
    let rows: Vec<&[&str]> = rows.into_iter().map(|line| line.as_slice()).collect();
    let costs = about.iter().flat_map(|line| rows[0].iter().zip(line.iter()).skip(1));
    let costs = costs
        .filter(|(_, cost)| **cost != "-")
        .map(|(name, cost)| ((*name).to_owned(), cost.parse().unwrap()));
    let reading = Reading { costs: costs.collect(), ..reading };
    Instance::new(Table::from_rows(&rows), &reading).unwrap().0
}

/// A tree with its nodes in a list that tests may alter before it is judged.
#[derive(Clone)]
pub(crate) struct Draft<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) nodes: Vec<Node>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(instance: &'a Instance) -> Self {
        Self { instance, nodes: Vec::new() }
    }

    /// Adds a node that asks `test`; answers are given as text with the number of the child.
    pub(crate) fn ask(mut self, test: &str, answers: &[(&str, u32)]) -> Self {
        let test = self.instance.find_test(test).unwrap();
        let answer = |text: &str| AnswerId::at(self.instance.test(test).answers.find(text).unwrap());
        let answers = answers.iter().map(|(text, child)| (answer(text), NodeId(*child))).collect();
        self.nodes.push(Node::Ask { test, answers });
        self
    }

    /// Adds a leaf that lists objects by name.
    pub(crate) fn leaf(mut self, names: &[&str]) -> Self {
        let objects = names.iter().map(|name| object(self.instance, name)).collect();
        self.nodes.push(Node::Leaf { objects });
        self
    }

    /// The objects listed by leaf `node`.
    pub(crate) fn listed(&mut self, node: usize) -> &mut Objects {
        match &mut self.nodes[node] {
            Node::Leaf { objects } => objects,
            Node::Ask { .. } => panic!("node {node} asks"),
        }
    }

    pub(crate) fn tree(&self) -> Tree {
        Tree::new(self.nodes.clone()).unwrap()
    }

    pub(crate) fn refused(&self) -> CheckError {
        fewest_check::check(self.instance, &self.tree(), &Certificate::default()).unwrap_err()
    }
}

pub(crate) fn object(instance: &Instance, name: &str) -> ObjectId {
    instance.objects().find(|object| instance.object_names(*object).any(|other| other == name)).unwrap()
}

pub(crate) fn claim(expected: f64, worst: f64, exponential: f64, lambda: f64) -> Certificate {
    let lambda = Lambda::new(lambda).unwrap();
    Certificate { costs: Some(Costs { expected, worst, exponential, lambda }), bound: None }
}

/// Some tree that asks, at each impure node, the `choose`-th of the tests that split it. Preorder, so the root is
/// first.
pub(crate) fn some_tree(instance: &Instance, mut choose: impl FnMut(usize) -> usize) -> Vec<Node> {
    let mut nodes = Vec::new();
    grow(instance, instance.objects().collect(), &mut choose, &mut nodes);
    nodes
}

fn grow(
    instance: &Instance,
    objects: Vec<ObjectId>,
    choose: &mut dyn FnMut(usize) -> usize,
    nodes: &mut Vec<Node>,
) {
    let groups = |object: &ObjectId| instance.group_of(*object);
    if objects.iter().all(|object| groups(object) == groups(&objects[0])) {
        nodes.push(Node::leaf(&objects));
        return;
    }
    let splits = |test: &TestId| {
        objects.iter().any(|object| instance.answer(*object, *test) != instance.answer(objects[0], *test))
    };
    let tests: Vec<TestId> = instance.test_ids().filter(splits).collect();
    let test = tests[choose(tests.len())];
    let at = nodes.len();
    nodes.push(Node::Ask { test, answers: Branches::new() });
    for answer in (0..instance.test(test).arity()).map(AnswerId::at) {
        let part: Vec<ObjectId> =
            objects.iter().copied().filter(|object| instance.answer(*object, test) == answer).collect();
        if !part.is_empty() {
            let child = NodeId::at(nodes.len());
            if let Node::Ask { answers, .. } = &mut nodes[at] {
                answers.push((answer, child));
            }
            grow(instance, part, choose, nodes);
        }
    }
}
