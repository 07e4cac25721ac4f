//! What is exported, and why that may fail.

use crate::key_options::KeyOptions;
use fewest_formats::NamedTree;
use std::io;
use thiserror::Error;

/// What is exported: a strategy, and what a format says about it.
#[derive(Clone, Debug)]
pub struct Export<'a> {
    /// Name of the strategy, such as the name of its table.
    pub name: &'a str,
    /// The tree of questions.
    pub tree: &'a NamedTree,
    /// Lines for people: the size of the table, the cost, how good it is.
    pub facts: &'a [String],
    /// Whether generated code has a test of itself that walks to every leaf.
    pub with_self_test: bool,
    /// How a printed key looks.
    pub key: KeyOptions,
}

/// Reason why a strategy cannot be written in a format.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The format cannot hold a strategy without questions.
    #[error("{format} cannot hold a strategy that asks nothing")]
    NothingAsked {
        /// Name of the format.
        format: &'static str,
    },
    /// The format has a limit that the strategy exceeds.
    #[error(
        "{format} cannot hold {found} {what}: its limit is {limit}; {instead} holds a strategy of any size"
    )]
    TooLarge {
        /// Name of the format.
        format: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How many of it the strategy has.
        found: usize,
        /// How many of it the format can hold.
        limit: usize,
        /// Name of a format without the limit.
        instead: &'static str,
    },
}
