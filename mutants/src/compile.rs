//! Builds the tests with all mutants in them, leaving out those that the compiler refuses.

use crate::weave::{Woven, switch, weave};
use crate::{Outcome, SourceFile, copy, crate_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that holds tests.
pub struct Binary {
    pub name: String,
    pub path: PathBuf,
    /// Where its tests expect to run.
    pub folder: PathBuf,
}

/// The tests of the woven sources.
pub struct Build {
    pub binaries: Vec<Binary>,
    pub dropped: BTreeSet<u32>,
}

/// Weaves and compiles until the compiler has nothing to say any more.
pub fn build(
    root: &Path,
    tree: &Path,
    files: &[SourceFile],
    count: u32,
    packages: &[String],
) -> Outcome<Build> {
    let mut dropped = BTreeSet::new();
    loop {
        let woven: BTreeMap<&str, Woven> = files
            .iter()
            .map(|file| (file.path.as_str(), weave(&file.text, &file.sites, file.first, &dropped)))
            .collect();
        write(root, tree, &woven, count)?;
        let messages = cargo(root, tree, packages)?;
        let refused: Vec<&Value> =
            messages.iter().filter(|message| message["message"]["level"] == "error").collect();
        if refused.is_empty() {
            let binaries = messages.iter().filter_map(binary).collect();
            return Ok(Build { binaries, dropped });
        }
        let before = dropped.len();
        for message in &refused {
            dropped.extend(culprits(&message["message"], &woven));
        }
        println!("{} errors: {} mutants left out", refused.len(), dropped.len() - before);
        if dropped.len() == before {
            let texts: Vec<&str> =
                refused.iter().filter_map(|message| message["message"]["rendered"].as_str()).collect();
            return Err(format!("the tests do not compile:\n{}", texts.join("\n")).into());
        }
    }
}

/// Writes the woven files, and the switch into every crate that has some; all other crates are as they were.
fn write(root: &Path, tree: &Path, woven: &BTreeMap<&str, Woven>, count: u32) -> Outcome<()> {
    for (path, woven) in woven {
        if !path.ends_with("src/lib.rs") {
            copy::write(&tree.join(path), woven.text.as_bytes())?;
        }
    }
    let crates: BTreeSet<&str> = woven.keys().map(|path| crate_of(path)).collect();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let name = format!("crates/{}", entry?.file_name().display());
        let path = format!("{name}/src/lib.rs");
        if !root.join(&path).is_file() {
            continue;
        }
        let mut text = match woven.get(path.as_str()) {
            Some(woven) => woven.text.clone(),
            None => std::fs::read_to_string(root.join(&path))?,
        };
        if crates.contains(name.as_str()) {
            text.push_str(&switch(count));
        }
        copy::write(&tree.join(path), text.as_bytes())?;
    }
    Ok(())
}

fn cargo(root: &Path, tree: &Path, packages: &[String]) -> Outcome<Vec<Value>> {
    let mut command = Command::new("cargo");
    command.args(["test", "--no-run", "--lib", "--tests", "--quiet", "--message-format=json"]);
    packages.iter().for_each(|package| _ = command.args(["--package", package]));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let output = command
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", target)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn binary(message: &Value) -> Option<Binary> {
    let path = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)?;
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_str()?.to_owned();
    let name = format!("{package}/{}", message["target"]["name"].as_str()?);
    Some(Binary { name, path: path.into(), folder })
}

/// The mutants that an error is about: that whose text it points into, else those of the smallest site around it.
fn culprits(message: &Value, woven: &BTreeMap<&str, Woven>) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let children = message["children"].as_array().into_iter().flatten();
    let spans = std::iter::once(message)
        .chain(children)
        .flat_map(|message| message["spans"].as_array().into_iter().flatten());
    for (span, is_primary) in spans.map(|span| (span, span["is_primary"] == true)) {
        let Some(woven) = span["file_name"].as_str().and_then(|name| woven.get(name)) else { continue };
        let (Some(start), Some(end)) = (span["byte_start"].as_u64(), span["byte_end"].as_u64()) else {
            continue;
        };
        let (start, end) = (start as usize, end as usize);
        if let Some((_, id)) =
            woven.mutants.iter().find(|(range, _)| range.start <= start && end <= range.end)
        {
            found.insert(*id);
        } else if is_primary && found.is_empty() {
            let around = woven.sites.iter().filter(|(range, _)| range.start <= start && end <= range.end);
            found.extend(around.min_by_key(|(range, _)| range.len()).into_iter().flat_map(|(_, ids)| ids));
        }
    }
    found
}
