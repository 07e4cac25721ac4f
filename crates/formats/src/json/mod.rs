//! JSON: serialised counterparts of the library's types, with a version number, so that the types may change freely.

mod certificate;
mod document;
mod number;
mod parts;
mod prices;
mod tree;

pub use certificate::{CertificateError, CertificatePart, ClaimPart, ProofPart, TableSizePart};
pub use document::Document;
pub use number::Number;
pub use parts::{
    BoundPart, BoundsPart, CallPart, CostPart, ExponentialPart, InstancePart, ObjectivePart, ReadingPart,
    RowPart, ShiftPart, TestPart, UnfinishedPart, parse_tolerance, stop_word, tolerance_text,
};
pub use prices::BundlePart;

/// Any value as JSON on one line.
///
/// # Errors
/// When the value cannot be written, which no value of this crate causes.
pub fn text(value: &(impl serde::Serialize + ?Sized)) -> std::io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// Version of every document that fewest writes.
pub const VERSION: u32 = 1;
