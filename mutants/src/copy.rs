//! A copy of the workspace to rewrite.

use crate::Outcome;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Copies what git knows or would take, but for the files in `rewritten`, and removes what is no longer there. Equal files stay as they
/// are, so that cargo does not build them again.
pub fn copy(root: &Path, tree: &Path, rewritten: &BTreeSet<&str>) -> Outcome<()> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()?;
    let listing = String::from_utf8(output.stdout)?;
    let names: BTreeSet<&str> = listing.lines().filter(|name| root.join(name).is_file()).collect();
    for name in names.iter().filter(|name| !rewritten.contains(*name) && !name.ends_with("src/lib.rs")) {
        let mut bytes = std::fs::read(root.join(name))?;
        if *name == "Cargo.toml" {
            // What is woven in need not be documented.
            bytes = String::from_utf8(bytes)?.replace("\"deny\"", "\"allow\"").into_bytes();
        }
        write(&tree.join(name), &bytes)?;
    }
    for name in names.iter().filter(|name| name.ends_with("src/lib.rs") && !tree.join(name).exists()) {
        write(&tree.join(name), &std::fs::read(root.join(name))?)?;
    }
    remove_others(tree, Path::new(""), &names)
}

/// Writes a file unless it is there with the same content.
pub fn write(path: &Path, bytes: &[u8]) -> Outcome<()> {
    if std::fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::fs::write(path, bytes)?)
}

fn remove_others(tree: &Path, at: &Path, names: &BTreeSet<&str>) -> Outcome<()> {
    for entry in std::fs::read_dir(tree.join(at))? {
        let path: PathBuf = at.join(entry?.file_name());
        if tree.join(&path).is_dir() {
            remove_others(tree, &path, names)?;
        } else if !names.contains(path.to_str().unwrap_or_default()) && path != Path::new("Cargo.lock") {
            std::fs::remove_file(tree.join(&path))?;
        }
    }
    Ok(())
}
