//! Folder of a SQLite database: only for its owner, and for one server at a time.
//!
//! The folder is created with mode 0700 and the files in it with 0600. Existing files that others can read are
//! restricted. An existing folder is restricted only if it holds no other files: the user may have named a folder
//! that serves other purposes as well, and there the modes of the files must suffice.

use super::error::StoreError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Name of the database file.
const FILE: &str = "fewest.sqlite3";
/// Name of the file that a server locks as long as it runs.
const LOCK: &str = "fewest.lock";
/// Time to wait for the lock: another server may still be stopping.
pub(super) const LOCK_PATIENCE: Duration = Duration::from_secs(3);
/// Time between two attempts to take the lock.
pub(super) const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Folder that is ready to be used.
#[derive(Debug)]
pub(super) struct Folder {
    folder: PathBuf,
}

impl Folder {
    /// Creates the folder and an empty database file, if there is none.
    pub(super) fn prepare(folder: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::Folder { folder: folder.to_owned(), error };
        make_folder(folder).map_err(failed)?;
        let folder = fs::canonicalize(folder).map_err(failed)?;
        let this = Self { folder };
        let wal = this.folder.join(format!("{FILE}-wal"));
        let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        if size(&this.file()) == 0 && size(&wal) > 0 {
            return Err(StoreError::MissingFile { file: this.file() });
        }
        let made = private().write(true).create(true).truncate(false).open(this.file());
        made.and_then(|_| this.tighten()).map_err(failed)?;
        Ok(this)
    }

    /// Path of the database file.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// URL of the database for SQLite; characters that are special in a URL are percent-encoded.
    pub(super) fn url(&self) -> String {
        let path = self.file();
        let escaped: String = path
            .to_string_lossy()
            .bytes()
            .map(|byte| match byte {
                b'/' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
                _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            })
            .collect();
        // The file exists; if it disappears, it must not be replaced by an empty one.
        format!("sqlite://{escaped}?mode=rw")
    }

    /// Locks the folder for this process. The lock ends with the process, even if it crashes.
    pub(super) async fn lock(&self, patience: Duration) -> Result<File, StoreError> {
        let failed = |error| StoreError::Folder { folder: self.folder.clone(), error };
        let path = self.folder.join(LOCK);
        let open = private().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(failed)?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                    tokio::time::sleep(LOCK_PAUSE).await;
                }
                Err(TryLockError::WouldBlock) => {
                    let mut process = String::new();
                    // Only for the message: if the file cannot be read, the number is left out.
                    let _ = file.take(20).read_to_string(&mut process);
                    return Err(StoreError::TakenFolder {
                        folder: self.folder.clone(),
                        process: process.trim().to_owned(),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        // For the message of the next server; on a full disk there is none.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(file)
    }

    #[cfg(unix)]
    fn tighten(&self) -> io::Result<()> {
        for name in [FILE.to_owned(), format!("{FILE}-wal"), format!("{FILE}-shm"), LOCK.to_owned()] {
            tighten(&self.folder.join(name), 0o600)?;
        }
        let is_ours = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                name.to_str().is_some_and(|name| name == LOCK || name.starts_with(FILE))
            })
        };
        if fs::read_dir(&self.folder)?.all(is_ours) {
            tighten(&self.folder, 0o700)?;
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn tighten(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Removes permissions beyond `mode`, with a warning in the log; for a file of another user, only the warning.
#[cfg(unix)]
fn tighten(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = match fs::metadata(path) {
        Ok(metadata) => metadata.permissions().mode(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if found & 0o077 == 0 {
        return Ok(());
    }
    let path_text = path.display();
    match fs::set_permissions(path, fs::Permissions::from_mode(mode)) {
        Ok(()) => tracing::warn!("{path_text} could be read by others; now it is for its owner alone"),
        Err(error) => {
            tracing::warn!("{path_text} can be read by others, and its mode cannot be changed: {error}")
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Options to open a file that, if it is new, only its owner may read.
#[cfg(unix)]
fn private() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

#[cfg(not(unix))]
fn private() -> OpenOptions {
    OpenOptions::new()
}
