//! Writing: tables as CSV, and files that appear complete or not at all.

mod atomic;
mod csv;

pub use atomic::write_whole;
pub use csv::{quoted, write_csv, write_tsv};
