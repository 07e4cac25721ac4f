//! Sessions: only the answers are state, and without errors sessions ask the questions of the tree.

mod examples;
mod laws;
mod simulate;

use fewest::session::*;
use fewest::{Instance, TestId};

const PRINTER: &str = "
    object group lamp code smear
    fuse   power no   no   no
    supply power yes  no   no
    jam    paper yes  yes  no
    drum   print yes  yes  yes
    toner  print yes  no   yes";

fn test(instance: &Instance, name: &str) -> TestId {
    instance.find_test(name).unwrap()
}

fn told<'a>(instance: &'a Instance, rules: SessionRules, facts: &[&str]) -> Session<'a> {
    let mut session = Session::new(instance, Plan::default(), rules).unwrap();
    for fact in facts {
        let (test, reply) = parse::parse_fact(instance, fact).unwrap();
        session.give(test, reply).unwrap();
    }
    session
}
