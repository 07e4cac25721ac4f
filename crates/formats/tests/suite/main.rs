//! Tests of the formats, in one program: what is written reads back equal, and no bytes make a reader panic.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod certificate;
mod exchange;
mod plot;
mod read;
mod strategy;
