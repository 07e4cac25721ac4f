//! Writing: tables as CSV and in the formats of others, and files that appear complete or not at all.
//!
//! Readers are lenient, writers are strict: what they write follows the published schema of the format, and what the
//! format cannot hold is counted.

mod atomic;
mod clavis;
mod csv;
mod nexus;
mod sdd;
mod sides;
mod sketch;
#[cfg(feature = "sheets")]
mod xlsx;

pub use atomic::write_whole;
pub use clavis::write_clavis;
pub use csv::{quoted, write_csv, write_tsv};
pub use nexus::write_nexus;
pub use sdd::write_sdd;
pub use sides::{Side, side_tables};
#[cfg(feature = "sheets")]
pub use xlsx::write_xlsx;
