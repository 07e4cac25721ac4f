//! Instances as short text, and trees written in one line: the one place that an API change touches.

#![allow(dead_code, reason = "each test program uses its own part")]

use fewest::criterion::{self, Settings};
use fewest::{Greedy, Instance, Lambda, Limit, Node, NodeId, Objective, Reading, Table, Tree, builder};

/// A table as short text: fields by white space, one row a line, names first; `costs` as `test=cost` pairs.
pub(crate) fn instance(text: &str, costs: &[(&str, f64)]) -> Instance {
    let reading = Reading {
        costs: costs.iter().map(|(test, cost)| ((*test).to_owned(), *cost)).collect(),
        ..Reading::default()
    };
    read(text, &reading)
}

/// The same with every choice open.
pub(crate) fn read(text: &str, reading: &Reading) -> Instance {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    Instance::new(Table::from_rows(&rows), reading).unwrap().0
}

/// λ from a number that is one.
pub(crate) fn lambda(value: f64) -> Lambda {
    Lambda::new(value).unwrap()
}

/// The tree that the catalogue's `name` builds.
pub(crate) fn grow(instance: &Instance, name: &str, lambda: Lambda, cost_blind: bool) -> Tree {
    let entry = criterion::find(name).unwrap_or_else(|| panic!("no algorithm `{name}`"));
    let criterion = (entry.make)(Settings { lambda, identify: instance.identify() });
    builder::unfold(instance, &Greedy::new(instance, criterion.as_ref(), cost_blind), &Limit::none()).unwrap()
}

/// `test(answer:subtree …)`, leaves as `{objects}`, answers by first appearance.
pub(crate) fn write(tree: &Tree, instance: &Instance) -> String {
    write_node(tree, instance, tree.root())
}

fn write_node(tree: &Tree, instance: &Instance, node: NodeId) -> String {
    match tree.node(node) {
        Node::Leaf { objects } => {
            let names: Vec<&str> = objects.iter().flat_map(|object| instance.object_names(*object)).collect();
            format!("{{{}}}", names.join(","))
        }
        Node::Ask { test, answers } => {
            let test = instance.test(*test);
            let children: Vec<String> = answers
                .iter()
                .map(|(answer, child)| {
                    format!("{}:{}", test.answers.get(answer.index()), write_node(tree, instance, *child))
                })
                .collect();
            format!("{}({})", test.name, children.join(" "))
        }
    }
}

/// The three objectives.
pub(crate) fn objectives(lambda: Lambda) -> [Objective; 3] {
    [Objective::Expected, Objective::Worst, Objective::Exponential(lambda)]
}

/// Whether two numbers agree to 1e-9 relative, or to the ten decimals that the specification prints.
pub(crate) fn close(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-9 * wanted.abs() || (found - wanted).abs() <= 5.1e-11
}
