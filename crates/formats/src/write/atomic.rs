//! Files that appear complete or not at all.

use std::fs;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Writes a file by filling a new one beside it and moving that into its place. A reader, a full disk or a power cut
/// never leaves half a file. Devices and pipes cannot be replaced, so they are written directly.
///
/// # Errors
/// When the file cannot be written; an older file is then unchanged.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let existing = fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file() && !existing.is_dir()) {
        let mut out = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
        fill(&mut out)?;
        return out.flush();
    }
    // A link stays a link: the file that it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fewest-");
    #[cfg(unix)]
    {
        // Permissions of an ordinary new file, or of the file that is replaced.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(
            existing.map_or(fs::Permissions::from_mode(0o666), |existing| existing.permissions()),
        );
    }
    let mut out = BufWriter::new(builder.tempfile_in(folder)?);
    fill(&mut out)?;
    let file = out.into_inner().map_err(|error| error.into_error())?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn a_failure_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.json");
        write_whole(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(Error::other("full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write_whole(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_whole(folder.path(), |out| out.write_all(b"x")).is_err());
        assert!(write_whole(&folder.path().join("no/such/file"), |out| out.write_all(b"x")).is_err());
    }
}
