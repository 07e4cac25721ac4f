//! Tests of the program, run as users run it. One test binary, because each takes long to link.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod bad_input;
mod certificate;
mod commands;
mod common;
mod confirm;
mod convert;
mod dependencies;
mod endings;
mod exact;
mod export;
#[cfg(all(target_os = "linux", feature = "serve"))]
mod faults;
mod features;
mod front;
mod learn;
#[cfg(feature = "mcp")]
mod mcp;
mod messy;
#[cfg(all(unix, feature = "full"))]
mod path_costs;
mod premises;
mod readme;
mod reproduce;
#[cfg(all(unix, feature = "serve"))]
mod serve;
mod session;
mod several;
mod trust;
