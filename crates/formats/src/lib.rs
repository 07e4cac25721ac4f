//! Conversion between bytes and the types of fewest.
//!
//! [`read`] makes a [`Table`](fewest_model::Table) of a file, [`write`](mod@write) writes a table to a file.
//! [`Strategy`] is a saved strategy, [`CertificateFile`] a proof alone. [`text`] draws a strategy for people,
//! [`plot`] draws many strategies as dots. [`learned`] writes, reads and draws trees that were learned from examples.
//! Nothing here decides anything about strategies.

mod certificate;
pub mod json;
pub mod learned;
mod named;
pub mod plot;
#[cfg(feature = "png")]
mod png;
pub mod read;
mod session;
mod strategy;
pub mod study;
pub mod text;
pub mod wording;
pub mod write;

pub use certificate::{CertificateFile, Saved, write_certificate};
pub use named::{MismatchError, NamedNode, NamedTree};
#[cfg(feature = "png")]
pub use png::png_of_svg;
pub use session::{AnswerPart, SavedSession, SavedSessionError};
pub use strategy::{Strategy, StrategyError, write_outcome};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
