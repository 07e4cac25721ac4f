//! The judge is judged: what it lets pass, what it refuses and why, and how it adds up.

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
