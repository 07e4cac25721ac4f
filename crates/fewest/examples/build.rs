//! Builds the best strategy for a small table of typed values, and prints its cost and its proof.
//!
//! `cargo run --package fewest --example build`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use fewest::{Goal, Instance, InstanceBuilder, InstanceError, Limit, Node, NodeId, Objective, Tree, build};

fn animals() -> Result<Instance, InstanceError> {
    let (instance, warnings) = InstanceBuilder::new(["dog", "cat", "hen", "eagle", "trout"])
        .test("barks", [true, false, false, false, false])
        .test("legs", [4, 4, 2, 2, 0])
        .test("flies", ["no", "no", "a little", "yes", "no"])
        .prior([4.0, 4.0, 2.0, 1.0, 1.0])
        .cost("flies", 2.5)
        .build()?;
    assert!(warnings.is_empty());
    Ok(instance)
}

/// Prints the tree by recursion; `fewest-formats` has real drawings.
fn print(instance: &Instance, tree: &Tree, at: NodeId, indent: usize) {
    match tree.node(at) {
        Node::Leaf { objects } => {
            let names: Vec<&str> = objects.iter().map(|object| instance.object_name(*object)).collect();
            println!("{:indent$}{}", "", names.join(", "));
        }
        Node::Ask { test, answers } => {
            let test = instance.test(*test);
            for (answer, child) in answers {
                println!("{:indent$}{} = {}", "", test.name, test.answer_text(*answer));
                print(instance, tree, *child, indent + 2);
            }
        }
    }
}

fn main() -> Result<(), InstanceError> {
    let instance = animals()?;
    for objective in [Objective::Expected, Objective::Worst] {
        let outcome = build(&instance, &Goal::default().with_objective(objective), &Limit::none());
        println!(
            "{objective:?}: expected cost {:.3}, worst cost {}, proved optimal: {}",
            outcome.costs.expected, outcome.costs.worst, outcome.optimal
        );
        print(&instance, &outcome.tree, NodeId(0), 2);
    }
    Ok(())
}
