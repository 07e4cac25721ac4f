//! The laboratory of fewest: tables to try algorithms on, the experiments of the papers, and codes to compare with.
//!
//! [`generate`] makes tables, [`study`] runs experiments on them, [`coding`] compares the codes of a distribution. A
//! program that only needs a strategy for its own table needs none of this: see the crate `fewest`.

pub mod coding;
pub mod generate;
pub mod study;

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
