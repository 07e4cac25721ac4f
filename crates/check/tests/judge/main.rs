//! Tests of the checker: which trees and claims pass, which are refused and why, and the costs it finds.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod bounds;
mod brute_force;
mod common;
mod confirm;
mod forged;
mod line;
mod oracle;
mod own;
mod several;
mod slow;
mod statements;
mod verdicts;
