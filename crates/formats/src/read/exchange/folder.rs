//! Folders that hold the files of one DELTA data set.

use super::super::Problem;
use super::identify::HEAD;
use super::{Files, Kind, MOST_BYTES, kind_of};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Most files of a folder that are looked at.
const MOST_FILES: usize = 1_000;

/// Files of a data set in this folder; `None`: it holds none.
pub(in crate::read) fn read(folder: &Path) -> Result<Option<Files>, Problem> {
    let mut files = Files::new();
    let mut left = MOST_BYTES;
    for entry in fs::read_dir(folder)?.take(MOST_FILES) {
        let entry = entry?;
        // Only plain files: a pipe would wait, and a link may lead out of the folder.
        if !entry.file_type()?.is_file() {
            continue;
        }
        let mut file = File::open(entry.path())?;
        let mut bytes = Vec::new();
        file.by_ref().take(HEAD as u64).read_to_end(&mut bytes)?;
        if kind_of(&bytes) != Some(Kind::Delta) {
            continue;
        }
        file.take(left as u64 + 1).read_to_end(&mut bytes)?;
        left = left.checked_sub(bytes.len()).ok_or(Problem::LongFile { megabytes: MOST_BYTES >> 20 })?;
        files.insert(entry.file_name().to_string_lossy().to_lowercase(), bytes);
    }
    Ok(Some(files).filter(|files| !files.is_empty()))
}

/// The file at `path`, with the others of its data set if it does not hold everything itself.
pub(in crate::read) fn read_around(path: &Path) -> Result<Files, Problem> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_BYTES {
        return Err(Problem::LongFile { megabytes: MOST_BYTES >> 20 });
    }
    let has = |what: &[u8]| memchr::memmem::find(&bytes, what).is_some();
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let is_whole = has(b"*CHARACTER LIST") && has(b"*ITEM DESCRIPTIONS");
    let all = if is_whole { None } else { read(folder)? };
    Ok(all.unwrap_or_else(|| Files::from([(String::new(), bytes)])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_gives_its_directives_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()).unwrap(), None);
        fs::write(folder.path().join("Chars"), "*CHARACTER LIST\n#1. x/\n").unwrap();
        fs::write(folder.path().join("notes.txt"), "hello").unwrap();
        fs::write(folder.path().join("items"), "*ITEM DESCRIPTIONS\n# a/\n1,1").unwrap();
        let files = read_around(&folder.path().join("items")).unwrap();
        assert!(files.keys().eq(["chars", "items"]));
    }
}
