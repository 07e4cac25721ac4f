//! Files as people export them: what `fewest build FILE` reads, without any option, and what it says about that.
//!
//! The files and what is expected of each are in `tests/messy`; the expectations were written from the files by hand.

use crate::common::{FEWEST, quiet_surroundings, report};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Line of `tests/messy/expected.txt`.
struct Case {
    file: PathBuf,
    options: Vec<String>,
    /// Beginning of the size that is printed, or `REFUSED`.
    size: String,
    /// Words that notes and warnings must hold.
    says: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messy")
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(folder().join("expected.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let case = |line: &str| {
        let parts: Vec<&str> = line.splitn(4, '|').map(str::trim).collect();
        let [file, options, size, says] = parts[..] else { panic!("four parts: {line}") };
        Case {
            file: folder().join(file),
            options: options.split_whitespace().map(str::to_owned).collect(),
            size: size.to_owned(),
            says: says
                .split(" ; ")
                .map(str::trim)
                .filter(|words| !words.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    };
    lines.map(case).collect()
}

fn build(file: &Path, options: &[String]) -> Output {
    let mut command = Command::new(FEWEST);
    command.arg("build").arg(file).args(["--time", "200ms"]).args(options);
    quiet_surroundings(&mut command);
    command.output().unwrap()
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Difference between what a file gives and what is expected of it.
fn fault(case: &Case) -> Option<String> {
    let output = build(&case.file, &case.options);
    let (out, err) = texts(&output);
    let said = err.replace('\n', " ");
    let first = out.lines().next().unwrap_or_default();
    let size = first.split_once(": ").map_or("", |(_, size)| size);
    let is_read = match case.size.as_str() {
        "REFUSED" => output.status.code() == Some(2) && err.lines().count() == 1,
        wanted => output.status.success() && size.starts_with(wanted),
    };
    let unsaid: Vec<&String> = case.says.iter().filter(|words| !said.contains(words.as_str())).collect();
    let misleads = out.contains("0 questions on average");
    let name = case.file.file_name().unwrap().to_string_lossy();
    (!is_read || !unsaid.is_empty() || misleads).then(|| {
        format!("{name}: wanted {} and {unsaid:?}\n  {first}\n  {}\n", case.size, err.replace('\n', "\n  "))
    })
}

#[test]
fn files_as_people_export_them_are_read_at_the_first_command() {
    let cases = cases();
    assert!(cases.len() >= 60, "{} files", cases.len());
    report(&cases.iter().filter_map(fault).collect::<Vec<_>>());
}

#[test]
fn every_messy_file_is_in_the_list() {
    let listed: Vec<PathBuf> = cases().into_iter().map(|case| case.file).collect();
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let unlisted: Vec<PathBuf> =
        files.filter(|path| !path.ends_with("expected.txt") && !listed.contains(path)).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}

/// Options with a value that a note suggests, such as `--missing answer`; placeholders in capitals are none.
fn suggestions(text: &str) -> Vec<Vec<String>> {
    const WITHOUT_VALUE: [&str; 2] = ["--verbatim", "--transpose"];
    let mut found = Vec::new();
    for (at, _) in text.match_indices("--") {
        let rest = &text[at..];
        let name: String = rest.chars().take_while(|c| *c == '-' || c.is_ascii_lowercase()).collect();
        if WITHOUT_VALUE.contains(&name.as_str()) {
            found.push(vec![name]);
            continue;
        }
        let value = rest[name.len()..].trim_start();
        let value = match value.strip_prefix('\'') {
            Some(quoted) => quoted.split('\'').next().unwrap_or_default().to_owned(),
            None => value.chars().take_while(|c| !c.is_whitespace() && !",;.)".contains(*c)).collect(),
        };
        if !value.is_empty() && !value.chars().all(|c| c.is_ascii_uppercase()) {
            found.push(vec![name, value]);
        }
    }
    found
}

#[test]
fn suggestions_are_found_in_notes() {
    let text = "read as x (--missing any); --missing answer does y; --ignore 'a b', --verbatim keeps; --group COLUMN";
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let wanted = [
        words(&["--missing", "any"]),
        words(&["--missing", "answer"]),
        words(&["--ignore", "a b"]),
        words(&["--verbatim"]),
    ];
    assert_eq!(suggestions(text), wanted);
}

#[test]
fn every_option_that_a_note_suggests_works_when_pasted() {
    let mut faults = Vec::new();
    for case in cases().iter().filter(|case| case.size != "REFUSED") {
        let (_, err) = texts(&build(&case.file, &case.options));
        for suggestion in suggestions(&err) {
            let options: Vec<String> = case.options.iter().cloned().chain(suggestion.clone()).collect();
            let again = build(&case.file, &options);
            if !again.status.success() {
                faults.push(format!("{} {suggestion:?}: {}", case.file.display(), texts(&again).1));
            }
        }
    }
    report(&faults);
}
