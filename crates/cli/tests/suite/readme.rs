//! Runs every ```` ```console ```` block of the README files: a line after `$` is a command, and the lines after it
//! are its output, standard output first. A line `...` stands for any lines.

use crate::common::{FEWEST, report};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Command and its expected output.
#[derive(Debug, PartialEq)]
struct Step {
    /// Number of its line in the file.
    line: usize,
    command: String,
    expected: Vec<String>,
}

/// Steps in the console blocks of a text.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut fence: Option<bool> = None;
    for (number, line) in text.lines().enumerate() {
        match (fence, line.strip_prefix("```")) {
            (None, Some(kind)) => fence = Some(kind.trim() == "console"),
            (Some(_), Some(_)) => fence = None,
            (Some(true), None) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => {
                    steps.push(Step { line: number + 1, command: command.to_owned(), expected: Vec::new() });
                }
                (None, Some(step)) => step.expected.push(line.to_owned()),
                (None, None) => panic!("line {}: a console block begins with a command", number + 1),
            },
            _ => {}
        }
    }
    steps
}

/// Whether `found` is `expected`, in which a line `...` stands for any lines.
fn fits(expected: &[String], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=found.len()).any(|skipped| fits(rest, &found[skipped..]))
        }
        Some((first, rest)) => {
            found.split_first().is_some_and(|(line, others)| line == first && fits(rest, others))
        }
    }
}

/// Difference between the output of a step and the expected output.
fn fault(step: &Step, folder: &Path, path: &str) -> Option<String> {
    // The program under test runs instead of a new build.
    let command = step.command.replace("cargo run --release -- ", "fewest ");
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    crate::common::quiet_surroundings(&mut shell);
    let output = shell.output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let found: Vec<&str> = out.lines().chain(err.lines()).collect();
    let expects_error = step.expected.iter().any(|line| line.starts_with("error: "));
    let right = fits(&step.expected, &found) && output.status.success() != expects_error;
    (!right).then(|| {
        let (expected, found) = (step.expected.join("\n"), found.join("\n"));
        let Step { line, command, .. } = step;
        format!(
            "line {line}: {command}\n--- it should print\n{expected}\n--- it prints ({})\n{found}\n",
            output.status
        )
    })
}

/// Runs all steps of a file in a copy of the examples, one after the other, so that one may use the files of another.
fn run(file: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let steps = steps(&fs::read_to_string(root.join(file)).unwrap());
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("examples")).unwrap();
    for entry in fs::read_dir(root.join("examples")).unwrap().map(Result::unwrap) {
        if entry.path().is_file() {
            fs::copy(entry.path(), folder.path().join("examples").join(entry.file_name())).unwrap();
        }
    }
    let programs = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(FEWEST, programs.path().join("fewest")).unwrap();
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap_or_default());
    let faults: Vec<String> = steps.iter().filter_map(|step| fault(step, folder.path(), &path)).collect();
    report(&faults);
    steps.len()
}

#[test]
fn the_readme_prints_what_it_says() {
    assert!(run("README.md") > 0, "the README shows no command");
}

#[test]
fn the_readme_of_the_examples_prints_what_it_says() {
    run("examples/README.md");
}

#[test]
fn the_changelog_and_the_guides_print_what_they_say() {
    for file in [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs/asking.md",
        "docs/exports.md",
        "docs/rules.md",
    ] {
        run(file);
    }
}

#[test]
fn only_console_blocks_are_run() {
    let text = "```sh\n$ rm -r /\n```\n$ no\n```console\n$ a b\nx\n\ny\n$ c\n```\n```text\n$ d\n```\n";
    let step = |line, command: &str, expected: &[&str]| Step {
        line,
        command: command.to_owned(),
        expected: expected.iter().map(|line| (*line).to_owned()).collect(),
    };
    assert_eq!(steps(text), [step(6, "a b", &["x", "", "y"]), step(10, "c", &[])]);
}

#[test]
fn three_dots_stand_for_any_lines() {
    let fits = |expected: &str, found: &str| {
        let expected: Vec<String> = expected.lines().map(str::to_owned).collect();
        fits(&expected, &found.lines().collect::<Vec<_>>())
    };
    assert!(fits("a\n...\nd", "a\nb\nc\nd") && fits("a\n...", "a") && fits("...\nb", "a\nb"));
    assert!(!fits("a\n...\nd", "a\nb") && !fits("a", "a\nb") && !fits("a\nb", "a") && !fits("", "a"));
}
