//! Colour, warnings, files, help, completions and manual pages.

use super::examples;
use crate::common::{Folder, Run, program};

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let folder = examples();
    folder.out("build e1.csv --output plan.json");
    let lines = [
        "build e1.csv",
        "compare e1.csv",
        "inspect e1.csv",
        "bounds e1.csv",
        "show plan.json",
        "algorithms",
        "--help",
    ];
    for line in lines {
        assert!(!folder.out(line).contains('\u{1b}'), "{line}");
        assert!(!folder.out(&format!("{line} --color never")).contains('\u{1b}'), "{line}");
    }
    for line in &lines[..6] {
        assert!(folder.out(&format!("{line} --color always")).contains("\u{1b}["), "{line}");
        folder.out(&format!("{line} --color always --output out.txt"));
        assert!(!folder.read("out.txt").contains('\u{1b}'), "{line}");
        let args: Vec<&str> = line.split(' ').collect();
        let run = Run::of(folder.command(&args).env("NO_COLOR", "1"));
        assert!(run.code == Some(0) && !run.out.contains('\u{1b}'), "{line}");
        let run = Run::of(folder.command(&args).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1"));
        assert!(run.code == Some(0), "{line}");
    }
    // JSON is for programs, so it has no colour.
    assert!(!folder.out("build e1.csv --json --color always").contains('\u{1b}'));
    assert!(!folder.call("build none.csv").err.contains('\u{1b}'));
    assert!(folder.call("build none.csv --color always").err.starts_with("\u{1b}["));
}

#[test]
fn quiet_silences_warnings_and_not_mistakes() {
    let folder = Folder::with(&[("t.csv", "o,a\nx,0\ny,0\n"), ("bad.csv", "o,a\nx\n")]);
    for command in ["build", "compare", "front", "inspect", "bounds"] {
        assert_eq!(folder.call(&format!("{command} t.csv")).ok(command).warnings().len(), 1, "{command}");
        assert_eq!(folder.call(&format!("{command} t.csv --quiet")).ok(command).err, "", "{command}");
        assert_eq!(folder.call(&format!("{command} bad.csv -q")).refusal(2, &["row 2"]), None, "{command}");
    }
}

#[test]
fn deep_trees_are_folded_on_demand() {
    let folder = Folder::new();
    folder.out("generate thresholds --objects 200 --output t.csv");
    let folded = folder.out("build t.csv");
    assert!(
        folded.contains("more question")
            && folded.contains("--full draws all")
            && folded.lines().count() < 70
    );
    assert!(folder.out("build t.csv --full").lines().count() > 400);
    assert!(folder.out("build t.csv --depth 2").lines().count() < folded.lines().count());
    let run = folder.call("build t.csv --depth 2 --full");
    assert_eq!(run.code, Some(2));
}

#[test]
fn completions_and_manual_pages_are_written() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.out(&format!("completions {shell}"));
        assert!(script.contains("fewest") && script.contains("compare"), "{shell}");
    }
    let page = folder.out("man");
    assert!(page.contains(".TH fewest 1") && page.contains(".SH NAME"), "{page}");
    std::fs::create_dir(folder.path("pages")).unwrap();
    folder.out("man --folder pages");
    let pages = std::fs::read_dir(folder.path("pages")).unwrap().count();
    assert!(pages > 8 && folder.path("pages/fewest-build.1").is_file(), "{pages} pages");
    let help = folder.out("--help");
    for command in [
        "build",
        "compare",
        "front",
        "check",
        "inspect",
        "bounds",
        "show",
        "algorithms",
        "generate",
        "completions",
        "man",
    ] {
        assert!(help.contains(&format!("  {command} ")), "{command}");
        assert!(folder.out(&format!("{command} --help")).contains("Usage: fewest"), "{command}");
    }
    assert_eq!(folder.out("--version"), format!("fewest {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn other_commands_write_to_a_file_too() {
    let folder = examples();
    for line in [
        "compare e1.csv",
        "front e1.csv",
        "front e1.csv --json",
        "inspect e1.csv",
        "bounds e1.csv",
        "algorithms",
        "algorithms --json",
        "man",
    ] {
        let printed = folder.out(line);
        assert_eq!(folder.out(&format!("{line} --output out")), "", "{line}");
        assert_eq!(folder.read("out"), printed, "{line}");
    }
    // A dash is standard output.
    assert_eq!(folder.out("algorithms --output -"), folder.out("algorithms"));
}

#[test]
fn without_arguments_there_is_help() {
    let run = Run::of(&mut program(std::env::temp_dir().as_path()));
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("fewest build animals.csv") && run.out.is_empty(), "{}", run.err);
}
