//! Issue 21: what `fewest` says can be believed, and what it reads it leaves alone. One program, because each takes long
//! to link.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

#[path = "../common/mod.rs"]
mod common;

mod claims;
mod lies;
mod numbers;
mod overwriting;
mod reading;
