//! Files of one call: no input is overwritten, and no two outputs share a file.

use crate::failure::Failure;
use same_file::Handle;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Files that a call reads, and files that it will write.
///
/// Files are compared by identity, not by name: another spelling, a symbolic link and a hard link all lead to the
/// same file. Only plain files count: a terminal or a pipe may be read and written.
#[derive(Debug, Default)]
pub(crate) struct Files {
    read: RefCell<Vec<PathBuf>>,
    /// Files to write, each with the option that names it.
    written: RefCell<Vec<(&'static str, PathBuf)>>,
}

impl Files {
    /// Registers a file that is about to be read; `-` is standard input.
    pub(crate) fn reads(&self, path: &Path) -> Result<(), Failure> {
        for (option, output) in self.written.borrow().iter() {
            if is_same(path, output) {
                return Err(overwritten(option, output));
            }
        }
        self.read.borrow_mut().push(path.to_owned());
        Ok(())
    }

    /// Registers a file that will be written, so that a conflict is reported before the work is done.
    pub(crate) fn writes(&self, option: &'static str, path: &Path) -> Result<(), Failure> {
        self.refuse(option, path)?;
        for (other, output) in self.written.borrow().iter() {
            if is_same(path, output) || is_same_place(path, output) {
                return Err(Failure::wrong(format!(
                    "{other} and {option} both name {}; name two files",
                    path.display()
                )));
            }
        }
        self.written.borrow_mut().push((option, path.to_owned()));
        Ok(())
    }

    /// Last check before a file is written, registered or not.
    pub(crate) fn may_write(&self, path: &Path) -> Result<(), Failure> {
        let written = self.written.borrow();
        let named = written.iter().find(|(_, output)| output == path);
        self.refuse(named.map_or("writing", |(option, _)| option), path)
    }

    fn refuse(&self, option: &str, path: &Path) -> Result<(), Failure> {
        match self.read.borrow().iter().any(|read| is_same(read, path)) {
            true => Err(overwritten(option, path)),
            false => Ok(()),
        }
    }
}

fn overwritten(option: &str, path: &Path) -> Failure {
    Failure::wrong(format!("{option} {} would overwrite the file that is read; name another", path.display()))
}

/// Whether the input `read` (`-`: standard input) is the plain file at `output`.
fn is_same(read: &Path, output: &Path) -> bool {
    let opened = || {
        let read = if read == Path::new("-") { Handle::stdin() } else { Handle::from_path(read) };
        Some(read.ok()? == Handle::from_path(output).ok()?)
    };
    // Checked first: opening a pipe would wait for its other end.
    output.is_file() && (read == Path::new("-") || read.is_file()) && opened().unwrap_or(false)
}

/// Whether two outputs, which need not exist yet, are the same file.
fn is_same_place(left: &Path, right: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Some((folder.canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    // Devices may be named twice.
    let is_new = |path: &Path| !path.exists() || path.is_file();
    left == right && is_new(left)
        || place(left).is_some_and(|left| Some(left) == place(right)) && is_new(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("table"), "o,a\n").unwrap();
        std::fs::write(at("other"), "o,a\n").unwrap();
        std::fs::hard_link(at("table"), at("hard")).unwrap();
        std::fs::create_dir(at("sub")).unwrap();
        let spelt = folder.path().join("sub").join("..").join("table");
        let files = Files::default();
        files.reads(&at("table")).unwrap();
        for name in [at("table"), at("hard"), spelt] {
            assert!(files.writes("--output", &name).is_err(), "{}", name.display());
            assert!(files.may_write(&name).is_err());
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("table"), at("soft")).unwrap();
            assert!(files.writes("--output", &at("soft")).is_err());
        }
        files.writes("--output", &at("other")).unwrap();
        files.writes("--log", &at("new")).unwrap();
        assert!(files.reads(&at("other")).is_err(), "announced before it is read");
        assert!(files.writes("--save", &at("sub/../new")).is_err(), "two outputs in one place");
    }
}
