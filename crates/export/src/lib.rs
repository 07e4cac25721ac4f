//! Strategies for other programs and for paper.
//!
//! [`FORMATS`] is the catalogue. Each format writes an [`Export`]: a tree in names, with a few facts about it. The same
//! export always gives the same bytes: no format writes a time, a path or anything random.

mod code;
mod escape;
mod flat;
mod format;
mod forms;
mod key;
mod mermaid;

pub use format::{Export, ExportError, FORMATS, Format, format_of_ending, format_of_name};
pub use key::{KeyOptions, KeyOrder, KeyStyle, Marks};
