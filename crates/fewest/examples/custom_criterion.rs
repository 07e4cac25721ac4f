//! Grows a greedy tree by a criterion of one's own: prefer the test with the most different answers.
//!
//! `cargo run --package fewest --example custom_criterion`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use fewest::builder::unfold;
use fewest::criterion::Criterion;
use fewest::{Columns, Contingency, Greedy, InstanceBuilder, InstanceError, Lambda, Limit};
use fewest_model::Costs;

/// Number of answers that occur at the node, with a small preference for even splits.
struct MostAnswers;

impl Criterion for MostAnswers {
    fn columns(&self) -> Columns {
        Columns::Whole
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        let largest = node.rows().map(|row| row.share()).fold(0.0, f64::max);
        node.rows().len() as f64 - largest
    }
}

fn main() -> Result<(), InstanceError> {
    let (instance, _) = InstanceBuilder::new(["a", "b", "c", "d", "e", "f"])
        .test("half", [0, 0, 0, 1, 1, 1])
        .test("third", [0, 0, 1, 1, 2, 2])
        .test("one", [1, 0, 0, 0, 0, 0])
        .test("parity", [0, 1, 0, 1, 0, 1])
        .build()?;
    let policy = Greedy::new(&instance, &MostAnswers, false);
    let tree = unfold(&instance, &policy, &Limit::none()).expect("no limit was set");
    let costs = Costs::of(&tree, &instance, Lambda::TWO);
    println!("expected cost {:.3}, worst cost {}", costs.expected, costs.worst);
    Ok(())
}
