//! Conversion between bytes and the types of fewest.
//!
//! [`read`] makes a [`Table`](fewest_model::Table) of a file, [`write`](mod@write) writes a table to a file.
//! [`Strategy`] is a saved strategy, [`CertificateFile`] a proof alone. [`text`] draws a strategy for people,
//! [`plot`] draws many strategies as dots. [`learned`] writes, reads and draws trees that were learned from examples.
//! Nothing here decides anything about strategies.

pub mod answers;
mod certificate;
pub mod export;
#[cfg(any(feature = "pdf", feature = "png"))]
mod font;
pub mod json;
pub mod learned;
mod loss;
mod named;
#[cfg(feature = "pdf")]
mod pdf;
pub mod picture;
pub mod plot;
#[cfg(feature = "png")]
mod png;
pub mod read;
mod session;
mod shown_tree;
mod strategy;
pub mod study;
pub mod text;
mod texts;
pub mod wording;
pub mod write;

pub use certificate::{CertificateFile, Saved, write_certificate};
#[cfg(any(feature = "pdf", feature = "png"))]
pub use font::letters_not_drawn;
pub use named::{GapBranch, MismatchError, NamedNode, NamedTree};
#[cfg(feature = "pdf")]
pub use pdf::pdf_of_svgs;
#[cfg(feature = "png")]
pub use png::png_of_svg;
pub use session::{AnswerPart, SavedSession, SavedSessionError};
pub use shown_tree::ShownAnswers;
pub use strategy::{Strategy, StrategyError, write_outcome};
pub use texts::{Text, Texts, Words};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
