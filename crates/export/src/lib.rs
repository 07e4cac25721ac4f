//! Strategies for other programs and for paper.
//!
//! [`FORMATS`] is the catalogue. Each format writes an [`Export`]: a tree in names, with a few facts about it. The same
//! export always gives the same bytes: no format writes a time, a path or anything random.

mod catalogue;
mod code;
mod escape;
mod export;
mod flat;
mod forms;
mod key;
mod key_options;
mod mermaid;

pub use catalogue::{FORMATS, Format, format_of_ending, format_of_name};
pub use export::{Export, ExportError};
pub use key_options::{KeyOptions, KeyOrder, KeyStyle, Marks};
