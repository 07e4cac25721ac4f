//! Every section of the specification that the code cites exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const CITED: &str = "specification section ";

#[test]
fn cited_sections_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/specification.md")).expect("the specification");
    let sections: BTreeSet<&str> = text.lines().filter_map(section_of).collect();
    assert!(sections.contains("14") && sections.contains("11.8"), "{sections:?}");
    let mut cited = 0;
    for file in sources(&root.join("crates")).into_iter().chain(sources(&root.join("bench"))) {
        let code = words(&fs::read_to_string(&file).expect("a source file"));
        for (at, _) in code.to_lowercase().match_indices(CITED) {
            let rest = &code[at + CITED.len()..];
            let end =
                rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
            let section = rest[..end].trim_end_matches('.');
            if section.is_empty() {
                // This file, which speaks of citations.
                continue;
            }
            assert!(sections.contains(section), "{}: there is no section {section}", file.display());
            cited += 1;
        }
    }
    assert!(cited > 30, "{cited} citations were found");
}

/// The number of a heading such as `## 4 Entropies` or `### 11.8 Majority path`.
fn section_of(line: &str) -> Option<&str> {
    let heading = line.strip_prefix("### ").or_else(|| line.strip_prefix("## "))?;
    heading.split(' ').next()
}

/// Text with comment marks and line breaks as single spaces: a citation may be wrapped.
fn words(code: &str) -> String {
    let lines = code.lines().map(|line| line.trim().trim_start_matches('/').trim_start_matches('!').trim());
    lines.collect::<Vec<_>>().join(" ")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension() == Some("rs".as_ref()) {
                files.push(path);
            }
        }
    }
    files
}
