//! Formats in which others keep objects, tests and answers; each is found by its contents.
//!
//! Readers are lenient: what they can keep they keep, and what is lost they count ([`Loss`](super::Loss)).

mod clavis;
mod delta;
pub(super) mod folder;
mod identify;
mod matrix;
mod nexus;
#[cfg(feature = "sdd")]
mod sdd;
#[cfg(feature = "sheets")]
mod workbook;
#[cfg(feature = "sdd")]
mod xml;

pub(super) use identify::{HEAD, Kind, kind_of};

use super::decode::Decode;
use super::{Notice, Problem, ReadOptions};
use crate::texts::Texts;
use fewest_model::Table;
use std::collections::BTreeMap;

/// Most bytes of a file that is kept in memory as a whole.
pub(super) const MOST_BYTES: usize = 512 << 20;

/// What a reader makes of a file.
pub(super) type Found = (Table, Texts, Vec<Notice>);

/// Files that belong together, by name in lower case.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Reads the bytes of a file of this kind.
pub(super) fn read(kind: Kind, bytes: Vec<u8>, options: &ReadOptions) -> Result<Found, Problem> {
    match kind {
        Kind::Clavis => clavis::read(&bytes, options),
        Kind::Nexus => with_text(&bytes, |text| nexus::read(text, options)),
        Kind::Delta => delta::read(Files::from([(String::new(), bytes)]), options),
        #[cfg(feature = "sdd")]
        Kind::Sdd => with_text(&bytes, |text| sdd::read(text, options)),
        #[cfg(not(feature = "sdd"))]
        Kind::Sdd => Err(Problem::NoFeature { what: "an SDD file", feature: "sdd" }),
        #[cfg(feature = "sheets")]
        Kind::Zip | Kind::OldExcel => workbook::read(kind, bytes, options),
        #[cfg(not(feature = "sheets"))]
        Kind::Zip => {
            Err(Problem::NoFeature { what: "an Excel workbook or a zip archive", feature: "sheets" })
        }
        #[cfg(not(feature = "sheets"))]
        Kind::OldExcel => Err(Problem::NoFeature { what: "an Excel workbook", feature: "sheets" }),
        #[cfg(feature = "parquet")]
        Kind::Arrow => {
            super::arrow_file::read(bytes, options).map(|(table, notices)| (table, Texts::default(), notices))
        }
        #[cfg(not(feature = "parquet"))]
        Kind::Arrow => Err(Problem::NoFeature { what: "an Arrow file", feature: "parquet" }),
    }
}

/// The table of a file as CSV, for readers that take nothing else.
pub(super) fn csv(kind: Kind, bytes: Vec<u8>) -> Result<Vec<u8>, Problem> {
    match kind {
        #[cfg(feature = "sheets")]
        Kind::Zip | Kind::OldExcel => workbook::csv(kind, bytes),
        kind => written(read(kind, bytes, &ReadOptions { lenient: true, ..ReadOptions::default() })?),
    }
}

/// The table of files that belong together as CSV.
pub(super) fn csv_of_files(files: Files) -> Result<Vec<u8>, Problem> {
    written(read_files(files, &ReadOptions::default())?)
}

fn written((table, ..): Found) -> Result<Vec<u8>, Problem> {
    let mut text = Vec::new();
    let table = Table { about: Vec::new(), ..table };
    crate::write::write_csv(&mut text, &table)?;
    Ok(text)
}

/// Reads files that belong together: those of a DELTA data set.
pub(super) fn read_files(files: Files, options: &ReadOptions) -> Result<Found, Problem> {
    delta::read(files, options)
}

/// Calls `read` with the text of the bytes, and says so if the encoding was guessed.
fn with_text(bytes: &[u8], read: impl FnOnce(&str) -> Result<Found, Problem>) -> Result<Found, Problem> {
    let (text, is_guessed) = text(bytes)?;
    let (table, texts, mut notices) = read(&text)?;
    if is_guessed {
        notices.insert(0, Notice::Windows1252);
    }
    Ok((table, texts, notices))
}

/// The bytes as text, and whether they were taken for Windows-1252.
fn text(bytes: &[u8]) -> Result<(String, bool), Problem> {
    let mut decode = Decode::new(bytes);
    let mut text = Vec::with_capacity(bytes.len());
    while decode.fill(&mut text, 1 << 20)? {}
    let guessed = decode.is_windows_1252();
    match String::from_utf8(text) {
        Ok(text) => Ok((text, guessed)),
        Err(error) => Err(Problem::MixedEncoding { byte: error.utf8_error().valid_up_to() + 1 }),
    }
}

/// Broken contents of a format, with a reason.
fn broken(format: &'static str, reason: impl Into<String>) -> Problem {
    Problem::Format { format, reason: super::error::one_line(&super::error::short_reason(&reason.into())) }
}
