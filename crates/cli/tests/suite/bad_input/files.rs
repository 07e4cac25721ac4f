//! Files that cannot be read or written, and files that are not a strategy.

use super::{GOOD, plan, refused_by_all};
use crate::common::{Folder, Run, report};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn a_table_that_is_no_file_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.path("t.csv")).unwrap();
    let says = ["error: t.csv: this is a directory", "name a file in it"];
    let mut faults = refused_by_all(&folder, "directory", &[], &says);
    fs::remove_dir(folder.path("t.csv")).unwrap();
    let says = ["error: t.csv: there is no such file", "check the name, or use -"];
    faults.extend(refused_by_all(&folder, "missing", &[], &says));
    report(&faults);
}

#[cfg(unix)]
#[test]
fn a_table_that_may_not_be_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("t.csv", "o,a\nx,1\n")]);
    fs::set_permissions(folder.path("t.csv"), fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    if fs::read(folder.path("t.csv")).is_err() {
        report(&refused_by_all(&folder, "unreadable", &[], &["error: t.csv: cannot be read: "]));
    }
}

#[test]
fn standard_input_without_a_table_is_refused() {
    let folder = Folder::new();
    let says = ["error: standard input: the file is empty", "a header and a row for each object"];
    for line in ["build -", "inspect -", "compare -", "bounds -"] {
        assert_eq!(folder.call(line).refusal(2, &says), None, "{line}");
        assert_eq!(folder.call_with(line, b"\n\n").refusal(2, &says), None, "{line}");
    }
    let says = ["error: standard input: ", "not a strategy", "save one with"];
    assert_eq!(folder.call("show -").refusal(2, &says), None);
}

#[cfg(unix)]
#[test]
fn closed_standard_input_is_empty() {
    let run = |line: &str| {
        let mut shell = std::process::Command::new("sh");
        Run::of(shell.args(["-c", &format!("exec \"$0\" {line} <&-"), crate::common::FEWEST]))
    };
    assert_eq!(run("build -").refusal(2, &["error: standard input: "]), None);
    assert_eq!(run("show -").refusal(2, &["error: standard input: "]), None);
}

#[test]
fn a_file_that_is_no_strategy_is_refused_with_its_place_and_the_way_out() {
    let leaf = r#"{"groups":["x"],"objects":["x"],"weight":1}"#;
    let whole = plan(leaf);
    let deep = |levels: usize| {
        let ask = r#"{"ask":"a","cost":1,"weight":1,"answers":{"0":"#;
        plan(&format!("{}{leaf}{}", ask.repeat(levels), "}}".repeat(levels)))
    };
    let deepest = deep(200_000);
    let save = "save one with `fewest build TABLE --output FILE`";
    let cases: [(&str, Vec<u8>, &[&str]); 18] = [
        ("empty", b"".into(), &["line 1, column 0", "not a strategy", save]),
        ("no JSON", b"hello\n".into(), &["line 1, column 1", "not a strategy", save]),
        ("a table", GOOD.into(), &["line 1, column 1", "not a strategy", save]),
        ("other JSON", b"{\"version\": 1}".into(), &["not a strategy", "`instance`", save]),
        ("a list", b"[[], 2]".into(), &["line 1", "not a strategy", save]),
        ("truncated", whole[..whole.len() - 5].into(), &["line 5", "not a strategy", "EOF", save]),
        ("more behind it", format!("{whole}}}").into(), &["line 5", "trailing characters", save]),
        ("no UTF-8", b"{\"version\": \"\xFF\"}".into(), &["line 1", "not a strategy", save]),
        ("NUL bytes", b"\0\0\0\0".into(), &["line 1, column 1", "not a strategy", save]),
        ("another version", whole.replace("\"version\":1", "\"version\":2").into(), &["version 2", "newer"]),
        ("a node without weight", plan(r#"{"groups":["x"],"objects":["x"]}"#).into(), &["`weight`", save]),
        ("a node that is none", plan("7").into(), &["line 5", "a node", save]),
        (
            "a node that is nothing",
            plan("{\"weight\":1}").into(),
            &["line 5", "\"ask\" or \"objects\"", save],
        ),
        ("a question without cost", plan(r#"{"ask":"a","weight":1,"answers":{}}"#).into(), &["`cost`", save]),
        ("a weight that is none", plan(&leaf.replace(":1", ":\"1\"")).into(), &["line 5", "a number", save]),
        ("nested 200,000 deep", deepest.clone().into(), &["line 5", "more than 100000 questions deep", save]),
        ("cut off 90,000 deep", deepest[..4_200_000].into(), &["line 5", "EOF", save]),
        ("lists nested 200,000 deep", "[".repeat(200_000).into(), &["line 1", "not a strategy", save]),
    ];
    let mut faults = Vec::new();
    for (name, strategy, says) in &cases {
        let folder = Folder::new();
        folder.write("t.csv", "o,a\nx,0\n");
        folder.write("plan.json", strategy);
        let says: Vec<&str> = ["error: plan.json: "].iter().chain(*says).copied().collect();
        for line in ["check t.csv plan.json", "show plan.json"] {
            faults
                .extend(folder.call(line).refusal(2, &says).map(|fault| format!("{name}: {line}: {fault}")));
        }
    }
    let folder = Folder::with(&[("t.csv", "o,a\nx,0\n")]);
    for line in ["check t.csv none.json", "show none.json"] {
        let says = ["error: none.json: there is no such file", "check the name"];
        faults.extend(folder.call(line).refusal(2, &says));
    }
    for line in ["check t.csv .", "show ."] {
        faults.extend(folder.call(line).refusal(2, &["error: .: this is a directory", "name a file in it"]));
    }
    report(&faults);
}

#[test]
fn a_strategy_read_in_an_unknown_way_is_refused() {
    let folder = Folder::with(&[("t.csv", "o,a\nx,0\n")]);
    let whole = plan(r#"{"groups":["x"],"objects":["x"],"weight":1}"#);
    for (option, reading) in
        [("identify", "\"all\""), ("missing", "\"some\""), ("numeric", "\"bins:x\""), ("numeric", "\"some\"")]
    {
        let reading = format!("\"optimal\":true,\"reading\":{{\"{option}\":{reading}}}");
        folder.write("plan.json", whole.replace("\"optimal\":true", &reading));
        let run = folder.call("check t.csv plan.json");
        assert_eq!(run.refusal(2, &[&format!("--{option}"), "does not know"]), None);
    }
}

#[test]
fn output_that_cannot_be_written_is_refused() {
    let folder = Folder::with(&[("t.csv", "o,a\nx,0\ny,1\n")]);
    for command in ["build t.csv", "compare t.csv", "generate random", "completions bash"] {
        let run = folder.call(&format!("{command} --output no/such/plan"));
        let says = ["error: cannot write no/such/plan: ", "no such folder", "make it, or name another"];
        assert_eq!(run.refusal(2, &says), None, "{command}");
        let run = folder.call(&format!("{command} --output ."));
        assert_eq!(run.refusal(2, &["error: cannot write .: "]), None, "{command}");
    }
    assert_eq!(folder.call("man --folder no/such").refusal(2, &["no/such"]), None);
    assert_eq!(folder.names(), ["t.csv"]);
}

#[test]
fn what_is_read_is_never_written_over() {
    let files = [
        ("t.csv", "o,a\nx,0\ny,1\n"),
        ("costs.csv", "test,cost\na,2\n"),
        ("names.txt", "a\n"),
        ("plan.json", r#"{"groups":["x"],"objects":["x"],"weight":1}"#),
    ];
    let folder = Folder::with(&files);
    let lines = [
        ("build t.csv --output t.csv", "t.csv"),
        ("build t.csv --output ./t.csv", "./t.csv"),
        ("compare t.csv --json --output t.csv", "t.csv"),
        ("inspect t.csv --output t.csv", "t.csv"),
        ("bounds t.csv --output t.csv", "t.csv"),
        ("build t.csv --costs costs.csv --output costs.csv", "costs.csv"),
        ("build t.csv --tests names.txt --output names.txt", "names.txt"),
        ("check t.csv plan.json --output plan.json", "plan.json"),
        ("check names.txt plan.json --output names.txt", "plan.json"),
        ("show plan.json --output plan.json", "plan.json"),
    ];
    for (line, file) in &lines[..] {
        // The file is not a strategy, which is found before the table is read.
        let says = match *line {
            "check names.txt plan.json --output names.txt" => ["error: plan.json", "not a strategy"],
            _ => [&*format!("error: --output {file}"), "would overwrite the file that is read; name another"],
        };
        assert_eq!(folder.call(line).refusal(2, &says), None, "{line}");
    }
    files.iter().for_each(|(name, text)| assert_eq!(folder.read(name), *text));
}

#[test]
fn a_failing_run_leaves_the_older_output_and_nothing_else() {
    let folder =
        Folder::with(&[("bad.csv", "o,a\nx,0\ny\n"), ("t.csv", "o,a\nx,0\ny,1\n"), ("out", "older")]);
    for line in [
        "build bad.csv",
        "build none.csv",
        "compare bad.csv",
        "front bad.csv",
        "inspect bad.csv --json",
        "generate random --objects 0",
    ] {
        assert!(folder.call(&format!("{line} --output out")).refusal(2, &[]).is_none(), "{line}");
        assert_eq!(folder.read("out"), "older", "{line}");
    }
    folder.out("build t.csv --output out");
    assert!(folder.read("out").starts_with("{\n  \"version\": 1,") && folder.read("out").ends_with("}\n"));
    assert_eq!(folder.names(), ["bad.csv", "out", "t.csv"]);
}

#[test]
fn a_reader_that_leaves_early_is_no_mistake() {
    let folder = Folder::new();
    folder.out("generate random --objects 3000 --tests 200 --output t.csv");
    let lines = [
        "generate random --objects 20000 --tests 100",
        "build t.csv --quiet --json --algorithm gbs",
        "build t.csv --quiet --full --algorithm gbs",
        "inspect t.csv --quiet --json",
    ];
    for line in lines {
        let args: Vec<&str> = line.split(' ').collect();
        let mut child = folder.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
        reader.read_until(b'\n', &mut Vec::new()).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(0), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_is_no_panic() {
    let folder = Folder::with(&[("t.csv", "o,a\nx,0\ny,1\n")]);
    folder.out("build t.csv --output plan.json");
    let lines = [
        "build t.csv",
        "build t.csv --json",
        "inspect t.csv",
        "compare t.csv --json",
        "front t.csv",
        "bounds t.csv",
        "check t.csv plan.json",
        "show plan.json",
        "algorithms",
        "generate thresholds",
        "completions zsh",
        "man",
        "--help",
        "--version",
        "build --help",
    ];
    for line in lines {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let args: Vec<&str> = line.split(' ').collect();
        let run = Run::of(folder.command(&args).stdout(full));
        assert_eq!(
            run.refusal(2, &["error: cannot write standard output: ", "No space left"]),
            None,
            "{line}"
        );
    }
    let run = folder.call("build t.csv --output /dev/full");
    assert_eq!(run.refusal(2, &["error: cannot write /dev/full: ", "No space left"]), None);
    // The exit code still shows the failure when the messages cannot be written either.
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let status = folder.command(&["build", "none.csv"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}
