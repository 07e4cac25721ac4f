//! A strategy as an ONNX model: one input of text for each test, and the names as output.
//!
//! Answers become numbers, a tree ensemble compares them one after the other, and the number of the result becomes its names.
//! After the last known answer of a test stands a leaf of its own, `?`: without it, an unknown answer would take the last branch.

use super::protobuf::Message;
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

/// Version of the file format, of the general operators and of those for machine learning.
const FORMAT: i64 = 10;
const OPERATORS: i64 = 17;
const LEARNING_OPERATORS: i64 = 5;
/// The domain of the operators for machine learning.
const LEARNING: &str = "ai.onnx.ml";
/// Result of an answer that is not known.
const UNKNOWN: &str = "?";

// Kinds of element, of attribute, and of comparison at a node.
const FLOAT: i64 = 1;
const UINT8: i64 = 2;
const STRING: i64 = 8;
const OF_FLOAT: i64 = 1;
const OF_INT: i64 = 2;
const OF_STRING: i64 = 3;
const OF_TENSOR: i64 = 4;
const OF_FLOATS: i64 = 6;
const OF_INTS: i64 = 7;
const OF_STRINGS: i64 = 8;
const EQUAL: u8 = 4;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    if flat.tests.is_empty() {
        return Err(ExportError::NothingAsked { format: "onnx" });
    }
    let name = |of: &str| free_name(&flat, of);
    let mut graph = Message::default();
    let mut columns = Vec::new();
    for (at, test) in flat.tests.iter().enumerate() {
        let column = name(&format!("number of {at}"));
        let numbers = (0u16..).map(f32::from).zip(&test.answers).map(|(number, _)| number);
        let encoder = node("LabelEncoder", LEARNING, &[test.name], &column)
            .message(5, &strings("keys_strings", test.answers.iter().copied()))
            .message(5, &floats("values_floats", numbers))
            .message(5, &attribute("default_float", OF_FLOAT).float(2, -1.0));
        graph = graph.message(1, &encoder);
        columns.push(column);
    }
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let (all, scores, best, found) = (name("numbers"), name("scores"), name("best"), name("identified"));
    let concat = node("Concat", "", &columns, &all).message(5, &int("axis", 1));
    let best_of =
        node("ArgMax", "", &[&scores], &best).message(5, &int("axis", 1)).message(5, &int("keepdims", 0));
    let names: Vec<String> = flat.result_texts();
    let results = || names.iter().map(String::as_str).chain([UNKNOWN]);
    let decoder = node("LabelEncoder", LEARNING, &[&best], &found)
        .message(5, &ints("keys_int64s", (0..).zip(results()).map(|(number, _)| number)))
        .message(5, &strings("values_strings", results()))
        .message(5, &attribute("default_string", OF_STRING).bytes(4, UNKNOWN));
    let ensemble = Ensemble::of(&flat).node(&all, &scores, results().count());
    graph = graph.message(1, &concat).message(1, &ensemble).message(1, &best_of).message(1, &decoder);
    graph = graph.bytes(2, "strategy").bytes(10, export.facts.join("\n"));
    for test in &flat.tests {
        graph = graph.message(11, &value(test.name, &[None, Some(1)]));
    }
    graph = graph.message(12, &value(&found, &[None]));
    let operators = |domain: &str, version| Message::default().bytes(1, domain).number(2, version);
    let model = Message::default()
        .number(1, FORMAT)
        .bytes(2, "fewest")
        .bytes(6, export.name)
        .message(7, &graph)
        .message(8, &operators("", OPERATORS))
        .message(8, &operators(LEARNING, LEARNING_OPERATORS));
    Ok(out.write_all(&model.finish())?)
}

/// A name for a value that no test has.
fn free_name(flat: &Flat<'_>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while flat.tests.iter().any(|test| test.name == name) {
        name.push('_');
    }
    name
}

/// Nodes of the tree: each compares one number with one answer.
#[derive(Default)]
struct Ensemble {
    features: Vec<i64>,
    splits: Vec<f32>,
    /// Where a node leads if its answer was given, and whether that is a leaf.
    equal: Vec<(i64, bool)>,
    otherwise: Vec<(i64, bool)>,
    /// Result of each leaf.
    leaves: Vec<i64>,
}

impl Ensemble {
    fn of(flat: &Flat<'_>) -> Self {
        let count = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let mut ensemble = Self::default();
        // One leaf for all unknown answers would do, but each leaf may have one parent only.
        let unknown = count(flat.results.len());
        // The first comparison of each node that asks: one comparison for each edge, in the order of the edges.
        let first = |node: usize| count(flat.nodes[node].first);
        for (at, node) in flat.nodes.iter().enumerate() {
            let Some(test) = node.test else { continue };
            let edges = flat.edges_of(at);
            for (place, edge) in edges.iter().enumerate() {
                ensemble.features.push(count(test));
                // Fewer answers than a float can count one by one.
                ensemble.splits.push(edge.answer as f32);
                let child = match flat.nodes[edge.child].result {
                    Some(result) => (ensemble.leaf(count(result)), true),
                    None => (first(edge.child), false),
                };
                ensemble.equal.push(child);
                let otherwise = match place + 1 < edges.len() {
                    true => (first(at) + count(place + 1), false),
                    false => (ensemble.leaf(unknown), true),
                };
                ensemble.otherwise.push(otherwise);
            }
        }
        ensemble
    }

    fn leaf(&mut self, result: i64) -> i64 {
        self.leaves.push(result);
        i64::try_from(self.leaves.len() - 1).unwrap_or(i64::MAX)
    }

    fn node(&self, input: &str, output: &str, results: usize) -> Message {
        let to = |side: &[(i64, bool)]| side.iter().map(|(to, _)| *to).collect::<Vec<i64>>();
        let is_leaf =
            |side: &[(i64, bool)]| side.iter().map(|(_, leaf)| i64::from(*leaf)).collect::<Vec<i64>>();
        let modes = vec![EQUAL; self.features.len()];
        let little =
            |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        node("TreeEnsemble", LEARNING, &[input], output)
            .message(5, &int("n_targets", i64::try_from(results).unwrap_or(i64::MAX)))
            .message(5, &int("aggregate_function", 1))
            .message(5, &int("post_transform", 0))
            .message(5, &ints("tree_roots", [0]))
            .message(5, &ints("nodes_featureids", self.features.iter().copied()))
            .message(5, &tensor("nodes_modes", UINT8, self.features.len(), &modes))
            .message(5, &tensor("nodes_splits", FLOAT, self.splits.len(), &little(&self.splits)))
            .message(5, &ints("nodes_truenodeids", to(&self.equal)))
            .message(5, &ints("nodes_trueleafs", is_leaf(&self.equal)))
            .message(5, &ints("nodes_falsenodeids", to(&self.otherwise)))
            .message(5, &ints("nodes_falseleafs", is_leaf(&self.otherwise)))
            .message(5, &ints("leaf_targetids", self.leaves.iter().copied()))
            .message(
                5,
                &tensor("leaf_weights", FLOAT, self.leaves.len(), &little(&vec![1.0; self.leaves.len()])),
            )
    }
}

fn node(operator: &str, domain: &str, inputs: &[&str], output: &str) -> Message {
    let message = inputs.iter().fold(Message::default(), |message, input| message.bytes(1, input));
    message.bytes(2, output).bytes(4, operator).bytes(7, domain)
}

fn attribute(name: &str, kind: i64) -> Message {
    Message::default().bytes(1, name).number(20, kind)
}

fn int(name: &str, value: i64) -> Message {
    attribute(name, OF_INT).number(3, value)
}

fn ints(name: &str, values: impl IntoIterator<Item = i64>) -> Message {
    values.into_iter().fold(attribute(name, OF_INTS), |message, value| message.number(8, value))
}

fn floats(name: &str, values: impl IntoIterator<Item = f32>) -> Message {
    values.into_iter().fold(attribute(name, OF_FLOATS), |message, value| message.float(7, value))
}

fn strings<'a>(name: &str, values: impl IntoIterator<Item = &'a str>) -> Message {
    values.into_iter().fold(attribute(name, OF_STRINGS), |message, value| message.bytes(9, value))
}

/// An attribute that holds a row of numbers, given by their bytes.
fn tensor(name: &str, kind: i64, length: usize, bytes: &[u8]) -> Message {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let tensor = Message::default().number(1, length).number(2, kind).bytes(9, bytes);
    attribute(name, OF_TENSOR).message(5, &tensor)
}

/// An input or output of text; a dimension without a size is the number of cases.
fn value(name: &str, dimensions: &[Option<i64>]) -> Message {
    let dimension = |size: &Option<i64>| match size {
        Some(size) => Message::default().number(1, *size),
        None => Message::default().bytes(2, "cases"),
    };
    let shape = dimensions.iter().fold(Message::default(), |shape, size| shape.message(1, &dimension(size)));
    let of_tensor = Message::default().number(1, STRING).message(2, &shape);
    Message::default().bytes(1, name).message(2, &Message::default().message(1, &of_tensor))
}
