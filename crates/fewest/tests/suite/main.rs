//! Tests of the library, in one program: laws over all catalogues, oracles against brute force, the papers' numbers,
//! fixed bugs (`regressions`), and the examples.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod bound_oracle;
mod bounds;
mod common;
mod confirm;
mod dec_tree;
mod exact;
mod examples;
mod families;
mod front;
mod generate;
mod growth;
mod identities;
mod laws;
mod learn;
mod limits;
mod measures;
mod oracle;
mod papers;
mod path_costs;
mod premises;
mod prune;
mod regressions;
mod session;
mod several;
mod threads;
