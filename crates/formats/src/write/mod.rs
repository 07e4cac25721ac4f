//! Writing: tables as CSV, and files that appear whole or not at all.

mod csv;
mod whole;

pub use csv::{quoted, write_csv};
pub use whole::write_whole;
