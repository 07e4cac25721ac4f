//! The laboratory of fewest: tables to try algorithms on, the experiments of the papers, and codes to compare with.
//!
//! [`generate`] makes tables, [`study`] runs experiments on them, [`coding`] sets the codes of a distribution side by
//! side. A program that only wants a strategy for a table of its own needs none of this: see the crate `fewest`.

pub mod coding;
pub mod generate;
pub mod study;

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
