//! Asks the questions of a strategy one by one, as a front end would.
//!
//! `cargo run --package fewest --example session_loop`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use fewest::session::{Plan, Reply, Session, SessionError, SessionRules, Step};
use fewest::{AnswerId, Goal, InstanceBuilder, Limit, TestId, build};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (instance, _) = InstanceBuilder::new(["flu", "cold", "hay fever", "measles"])
        .test("fever", ["yes", "no", "no", "yes"])
        .test("itchy eyes", ["no", "no", "yes", "no"])
        .test("spots", ["no", "no", "no", "yes"])
        .build()?;
    let outcome = build(&instance, &Goal::default(), &Limit::none());
    let mut session = Session::new(&instance, Plan::tree(&outcome.tree), SessionRules::default())?;

    // The person in front of us has a cold, and does not know about the eyes.
    let person = |test: TestId| -> Result<Reply, SessionError> {
        Ok(match instance.test(test).name.as_str() {
            "itchy eyes" => Reply::Unknown,
            _ => Reply::is(instance.test(test).find_answer("no").unwrap_or(AnswerId(0))),
        })
    };
    loop {
        match session.step() {
            Step::Ask(test) => {
                let reply = person(test)?;
                println!("asked: {}", instance.test(test).name);
                session.give(test, reply)?;
            }
            Step::Done(reason) => {
                println!("done: {}", reason.name());
                break;
            }
        }
    }
    for candidate in session.candidates() {
        println!(
            "  {} with probability {:.2}",
            instance.object_name(candidate.object),
            candidate.probability
        );
    }
    Ok(())
}
