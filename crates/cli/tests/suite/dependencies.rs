//! Licences and sources of all dependencies: `cargo metadata` lists them, `deny.toml` allows them.
//!
//! `cargo deny check` does the same and more, but compiling it takes longer than compiling fewest.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Packages that any member needs with any feature, on any system; without the network, on this system.
fn packages() -> Vec<Value> {
    let run = |more: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root()).args(["metadata", "--format-version", "1", "--all-features", "--locked"]);
        cargo.args(more).output().unwrap()
    };
    let mut output = run(&[]);
    if !output.status.success() {
        let version = Command::new("rustc").arg("-vV").output().unwrap();
        let version = String::from_utf8(version.stdout).unwrap();
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        output = run(&["--offline", "--filter-platform", host]);
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Licences that `deny.toml` lists.
fn allowed() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let list = text.split_once("\nallow = [").unwrap().1.split_once("\n]").unwrap().0;
    let quoted = |line: &str| Some(line.trim().strip_prefix('"')?.split_once('"')?.0.to_owned());
    list.lines().filter_map(quoted).collect()
}

/// Whether a licence expression (SPDX, or the older `MIT/Apache-2.0`) can be met with allowed licences.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let met = any(&mut words, allowed);
    met && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

/// Parses `A OR B`: one of them is enough.
fn any(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= all(words, allowed);
    }
    met
}

/// Parses `A AND B`: both are needed.
fn all(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, allowed);
    }
    met
}

/// Parses a licence, also with an exception, or an expression in parentheses.
fn one(words: &mut Words<'_>, allowed: &[String]) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = any(words, allowed);
        return words.next() == Some(")") && met;
    }
    let mut name = words.next().unwrap_or_default().to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        name += &format!(" WITH {}", words.next().unwrap_or_default());
    }
    allowed.contains(&name)
}

#[test]
fn every_dependency_has_an_allowed_licence_and_comes_from_crates_io() {
    let allowed = allowed();
    let packages = packages();
    assert!(packages.len() > 50 && allowed.len() > 5, "{} packages, {allowed:?}", packages.len());
    let mut faults = Vec::new();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or_default();
        if !is_allowed(licence, &allowed) {
            faults.push(format!("{name}: the licence `{licence}` is not in deny.toml"));
        }
        if !(package["source"].is_null() || package["source"] == CRATES_IO) {
            faults.push(format!("{name} comes from {}", package["source"]));
        }
        let wanted = package["dependencies"].as_array().unwrap().iter();
        for other in wanted
            .filter(|other| package["source"].is_null() && other["req"] == "*" && other["path"].is_null())
        {
            faults.push(format!("{name} takes any version of {}", other["name"]));
        }
    }
    crate::common::report(&faults);
}

#[test]
fn licence_expressions_are_met_as_they_say() {
    let allowed = ["MIT", "Apache-2.0", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/Apache-2.0",
        "(GPL-3.0 OR Apache-2.0) AND BSD-3-Clause",
        "Apache-2.0 WITH LLVM-exception",
        "GPL-3.0 AND MIT OR Apache-2.0",
    ] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "MIT AND (GPL-3.0 OR LGPL-2.1)",
        "MIT WITH x",
        "MIT GPL-3.0",
        "(MIT",
    ] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}
