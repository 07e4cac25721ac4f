//! Lets the independent checker verify a strategy, its cost and its bound; then shows that it refuses a false claim.
//!
//! `cargo run --package fewest --example check_certificate`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use fewest::{Certificate, Goal, InstanceBuilder, Limit, build, check};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (instance, _) = InstanceBuilder::new(["a", "b", "c", "d", "e"])
        .test("t", [0, 0, 1, 1, 1])
        .test("u", [0, 1, 0, 1, 1])
        .test("v", [0, 0, 0, 0, 1])
        .build()?;
    let outcome = build(&instance, &Goal::default().with_proof(true), &Limit::none());
    let certificate = Certificate { costs: Some(outcome.costs), bound: outcome.proof.clone() };
    let verified = check(&instance, &outcome.tree, &certificate)?;
    let bound = verified.bound.expect("a proof was recorded");
    println!("verified: costs {:.3}, no tree is below {:.3}", verified.costs.expected, bound.value);

    let mut forged = certificate;
    if let Some(proof) = &mut forged.bound {
        proof.value += 0.1;
    }
    let refusal = check(&instance, &outcome.tree, &forged).expect_err("the bound is too high");
    println!("forged: {refusal}");
    Ok(())
}
