//! Zip archives: what they hold, and whether they unfold without measure.

use super::super::super::Problem;
use super::super::super::catch_panic::attempt_as;
use super::super::identify::HEAD;
use super::super::{Files, Kind, broken, kind_of};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Name of the format in messages, before `file`.
const ZIP: &str = "Excel workbook or zip";
/// Most bytes of texts that cells share, which are all kept in memory.
const MOST_SHARED: u64 = 400 << 20;
/// Bytes to which any archive may unfold. A larger one may unfold to [`MOST_RATIO`] times its own size.
const USUAL_UNPACKED: u64 = 64 << 20;
/// Most bytes for each byte of the archive: tables of repeated words are packed about half as well.
const MOST_RATIO: u64 = 100;
/// Most parts of an archive.
const MOST_PARTS: usize = 10_000;
/// Most bytes of the files of a data set.
const MOST_FILES: u64 = 64 << 20;

/// What an archive holds.
pub(super) enum Archive {
    Xlsx(Vec<u8>),
    Ods(Vec<u8>),
    Files(Files),
}

/// Looks into an archive, whose parts may unfold to `limit` bytes.
pub(super) fn look(bytes: Vec<u8>, limit: u64) -> Result<Archive, Problem> {
    let size = bytes.len() as u64;
    let mut archive = attempt_as(ZIP, || ZipArchive::new(Cursor::new(&bytes[..])))?;
    if archive.len() > MOST_PARTS {
        return Err(broken(ZIP, format!("it has more than {MOST_PARTS} parts")));
    }
    let names: Vec<String> = archive.file_names().flatten().map(String::from).collect();
    let has = |name: &str| names.iter().any(|other| other.trim_start_matches('/').eq_ignore_ascii_case(name));
    let is_xlsx = has("xl/workbook.xml");
    let is_ods = has("content.xml") && !is_xlsx;
    if has("xl/workbook.bin") {
        return Err(broken("XLSB", "save the workbook as XLSX"));
    }
    if !is_xlsx && !is_ods {
        let files = files(&mut archive)?;
        return match files.is_empty() {
            true => Err(Problem::NotText { what: "a zip archive without a workbook or a data set" }),
            false => Ok(Archive::Files(files)),
        };
    }
    let most = limit.min(USUAL_UNPACKED.max(size.saturating_mul(MOST_RATIO)));
    let mut left = most;
    for at in 0..archive.len() {
        let part = attempt_as(ZIP, || archive.by_index_raw(at)?.name().map(|name| name.to_lowercase()))?;
        let is_read =
            if is_ods { part == "content.xml" } else { part.ends_with(".xml") || part.ends_with(".rels") };
        if !is_read || part.contains("/media/") {
            continue;
        }
        let limit = if part.contains("sharedstrings") { left.min(MOST_SHARED) } else { left };
        // The sizes that an archive states may be wrong, so the bytes are counted.
        let unpacked = attempt_as(ZIP, || {
            let part = archive.by_index(at)?;
            std::io::copy(&mut part.take(limit + 1), &mut std::io::sink()).map_err(zip::result::ZipError::Io)
        })?;
        if unpacked > limit {
            return Err(Problem::Unfolds { megabytes: (limit >> 20) as usize });
        }
        left -= unpacked;
    }
    drop(archive);
    Ok(if is_xlsx { Archive::Xlsx(bytes) } else { Archive::Ods(bytes) })
}

/// Files of a DELTA data set in an archive, whatever folder they lie in.
fn files(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<Files, Problem> {
    let mut files = Files::new();
    let mut left = MOST_FILES;
    for at in 0..archive.len() {
        let (name, bytes) = attempt_as(ZIP, || {
            let part = archive.by_index(at)?;
            let name = part.name()?.to_lowercase();
            let mut bytes = Vec::new();
            if part.is_file() {
                part.take(left + 1).read_to_end(&mut bytes).map_err(zip::result::ZipError::Io)?;
            }
            Ok::<_, zip::result::ZipError>((name, bytes))
        })?;
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or(Problem::Unfolds { megabytes: (MOST_FILES >> 20) as usize })?;
        if kind_of(&bytes[..bytes.len().min(HEAD)]) == Some(Kind::Delta) {
            files.insert(name, bytes);
        }
    }
    Ok(files)
}
