//! No two modules of a crate import each other, directly or around a corner.
//!
//! Reads the `use` lines and the paths that begin with `crate::` or `super::` of every source file, follows re-exports, and
//! looks, in every folder, for a cycle among the modules side by side there. Tests at the foot of a file may import anything,
//! and a module may use what its own folder's `mod.rs` defines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by the names on the way to it; the crate itself is empty.
type Module = Vec<String>;

/// For each folder: module → modules beside it that it imports.
type Imports = BTreeMap<Module, BTreeMap<String, BTreeSet<String>>>;

#[test]
fn no_modules_import_each_other() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut cycles = Vec::new();
    for entry in fs::read_dir(crates).expect("the folder of crates") {
        let source = entry.expect("an entry of the folder of crates").path().join("src");
        for (folder, graph) in imports(&modules(&source)) {
            let found = graph.keys().filter(|start| reaches(&graph, start));
            let names: Vec<&str> = found.map(String::as_str).collect();
            if !names.is_empty() {
                cycles.push(format!("{} {}: {}", source.display(), folder.join("::"), names.join(", ")));
            }
        }
    }
    assert!(cycles.is_empty(), "modules that import each other:\n{}", cycles.join("\n"));
}

#[test]
fn a_cycle_around_a_corner_is_found() {
    let module = |name: &str| name.split("::").map(str::to_owned).collect::<Module>();
    let modules: BTreeMap<Module, String> = [
        (Vec::new(), "pub use b::Thing;".to_owned()),
        (module("a"), "use crate::{Thing, c as other};".to_owned()),
        (module("b"), "use super::c::{self, d::Deep};".to_owned()),
        (module("c"), "fn f() -> crate::a::A { todo!() }".to_owned()),
        (module("d"), "use crate::a;".to_owned()),
    ]
    .into();
    let graph = imports(&modules).remove(&Vec::new()).expect("the modules of the crate");
    let on_a_cycle: Vec<&String> = graph.keys().filter(|start| reaches(&graph, start)).collect();
    assert_eq!(on_a_cycle, ["a", "b", "c"]);
}

/// Whether a module is reached from itself.
fn reaches(graph: &BTreeMap<String, BTreeSet<String>>, start: &str) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(module) = open.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if next == start {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

/// Code of every module below `source`, without comments, strings and tests.
fn modules(source: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = vec![source.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry of a folder of sources").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let Some(stem) =
                path.strip_prefix(source).ok().filter(|_| path.extension() == Some("rs".as_ref()))
            else {
                continue;
            };
            let mut module: Module =
                stem.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
            match module.last().map(String::as_str) {
                Some("lib" | "main" | "mod") => module.truncate(module.len() - 1),
                Some("tests" | "testing" | "model_test") => continue,
                _ => {}
            }
            found.insert(module, code(&fs::read_to_string(&path).expect("a source file")));
        }
    }
    found
}

fn code(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_test = |at: usize| {
        lines[at].trim() == "#[cfg(test)]" && lines.get(at + 1).is_some_and(|next| next.ends_with(" {"))
    };
    let end = (0..lines.len()).find(|at| is_test(*at)).unwrap_or(lines.len());
    let without_comments = lines[..end].iter().map(|line| line.split("//").next().unwrap_or(""));
    let joined = without_comments.collect::<Vec<_>>().join("\n");
    // Every second piece between quotes is a string.
    joined.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

fn imports(modules: &BTreeMap<Module, String>) -> Imports {
    let exported = exports(modules);
    let mut imports = Imports::new();
    for (module, code) in modules {
        for path in paths(code) {
            let Some(mut target) = absolute(module, &path) else { continue };
            // A name at the root may be exported from a module, which exports it from another.
            for _ in 0..8 {
                let prefix = (1..=target.len()).rev().find(|len| exported.contains_key(&target[..*len]));
                let Some(len) = prefix else { break };
                let origin = &exported[&target[..len]];
                if origin[..] == target[..len] {
                    break;
                }
                target.splice(..len, origin.iter().cloned());
            }
            let common = module.iter().zip(&target).take_while(|(left, right)| left == right).count();
            let beside = &target[..target.len().min(common + 1)];
            if common < module.len() && common < target.len() && modules.contains_key(beside) {
                let folder = imports.entry(module[..common].to_vec()).or_default();
                folder.entry(module[common].clone()).or_default().insert(target[common].clone());
            }
        }
    }
    imports
}

/// Names that a module exports from a module below it, with where they are.
fn exports(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, Module> {
    let mut exported = BTreeMap::new();
    for (module, code) in modules {
        for (_, tree) in uses(code).filter(|(visibility, _)| visibility.starts_with("pub")) {
            for path in expand(tree, "") {
                let names: Vec<&str> = path.split("::").filter(|name| *name != "self").collect();
                let child: Module = module
                    .iter()
                    .map(String::as_str)
                    .chain(names.first().copied())
                    .map(str::to_owned)
                    .collect();
                if let (Some(last), true) = (names.last(), modules.contains_key(&child)) {
                    let name = module.iter().map(String::as_str).chain([*last]).map(str::to_owned).collect();
                    let origin = module.iter().map(String::as_str).chain(names.iter().copied());
                    exported.insert(name, origin.map(str::to_owned).collect());
                }
            }
        }
    }
    exported
}

/// Every `use` statement: its visibility and its tree.
fn uses(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.split(';').filter_map(|statement| {
        let (before, tree) = statement.rsplit_once("use ")?;
        // Not a name that ends in these letters.
        let visibility = before.rsplit('\n').next().unwrap_or(before).trim();
        (visibility.is_empty() || visibility.starts_with("pub")).then_some((visibility, tree))
    })
}

/// All paths of `use` statements, and those in the code that begin with `crate::` or `super::`.
fn paths(code: &str) -> Vec<String> {
    let mut paths: Vec<String> = uses(code).flat_map(|(_, tree)| expand(tree, "")).collect();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
            let end = code[at..].find(|letter| !is_path(letter)).map_or(code.len(), |end| at + end);
            let before = code[..at].chars().next_back();
            if !before.is_some_and(is_path) {
                paths.push(code[at..end].trim_end_matches(':').to_owned());
            }
        }
    }
    paths
}

/// The paths of a `use` tree with braces.
fn expand(tree: &str, prefix: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or("").trim();
        return if path.is_empty() { Vec::new() } else { vec![format!("{prefix}{path}")] };
    };
    let prefix = format!("{prefix}{}", tree[..open].trim());
    let body = tree[open + 1..].rsplit_once('}').map_or(&tree[open + 1..], |(body, _)| body);
    let (mut depth, mut start, mut paths) = (0, 0, Vec::new());
    for (at, letter) in body.char_indices().chain([(body.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                paths.extend(expand(&body[start..at], &prefix));
                start = (at + 1).min(body.len());
            }
            _ => {}
        }
    }
    paths
}

/// A path from the root of the crate, if it begins with `crate`, `self` or `super`.
fn absolute(module: &Module, path: &str) -> Option<Module> {
    let mut names = path.split("::").map(str::trim).peekable();
    let mut base = match names.peek() {
        Some(&"crate") => Vec::new(),
        Some(&"self" | &"super") => module.clone(),
        _ => return None,
    };
    while let Some(name) = names.next_if(|name| ["crate", "self", "super"].contains(name)) {
        if name == "super" {
            base.pop();
        }
    }
    base.extend(names.filter(|name| *name != "self").map(str::to_owned));
    Some(base)
}
