//! Item 2: no command writes over a file that it read, whatever the option.

use crate::common::{Folder, report};
use std::fs;

const TABLE: &str = "object,group,good,b,c\na,x,0,0,1\nb,x,0,1,0\nc,y,1,0,0\nd,y,1,1,1\n";

/// Folder with a file of every kind that some command reads; `.svg` because pictures must be called so.
fn files() -> Folder {
    let folder = Folder::with(&[
        ("t.csv", TABLE),
        ("t.svg", TABLE),
        ("costs.csv", "test,cost\ngood,2\n"),
        ("costs.svg", "test,cost\ngood,2\n"),
        ("names.txt", "good\nb\n"),
        ("names.svg", "good\nb\n"),
        ("real.csv", TABLE),
        // What a table or costs may be called so that the ending is one that a command writes.
        ("t.txt", TABLE),
        ("t.json", TABLE),
        ("t.html", TABLE),
        ("t.md", TABLE),
        ("t.dot", TABLE),
        ("costs.txt", "test,cost\ngood,2\n"),
    ]);
    folder.out("build t.csv --output plan.json --certificate proof.json");
    folder.out("learn t.csv --target group --output model.json");
    folder.call_with("ask t.csv --save session.json --log log.jsonl", b"0\nq\n");
    for (from, to) in [("t.csv", "holdout.svg"), ("plan.json", "plan.svg")] {
        fs::copy(folder.path(from), folder.path(to)).unwrap();
    }
    folder
}

/// One line for every command, every file that it reads and every option by which it writes; `OUT` is the file.
const LINES: &[(&str, &str)] = &[
    ("build t.csv --output OUT", "t.csv"),
    ("build t.csv --certificate OUT", "t.csv"),
    ("build t.csv --costs costs.csv --output OUT", "costs.csv"),
    ("build t.csv --costs costs.csv --certificate OUT", "costs.csv"),
    ("build t.csv --tests names.txt --output OUT", "names.txt"),
    ("build t.csv --tests names.txt --certificate OUT", "names.txt"),
    ("build t.csv --json --output OUT", "t.csv"),
    ("compare t.csv --output OUT", "t.csv"),
    ("compare t.csv --json --output OUT", "t.csv"),
    ("compare t.csv --costs costs.csv --output OUT", "costs.csv"),
    ("compare t.csv --tests names.txt --output OUT", "names.txt"),
    ("front t.csv --output OUT", "t.csv"),
    ("front t.svg --output OUT", "t.svg"),
    ("front t.csv --costs costs.svg --output OUT", "costs.svg"),
    ("front t.csv --tests names.svg --output OUT", "names.svg"),
    ("check t.txt plan.json --output OUT", "t.txt"),
    ("check t.csv plan.json --output OUT", "plan.json"),
    ("check t.csv plan.json --certificate proof.json --output OUT", "proof.json"),
    ("check t.csv plan.json --costs costs.txt --output OUT", "costs.txt"),
    ("check t.csv plan.json --tests names.txt --output OUT", "names.txt"),
    ("check t.csv proof.json --json --output OUT", "proof.json"),
    ("inspect t.csv --output OUT", "t.csv"),
    ("inspect t.csv --costs costs.csv --output OUT", "costs.csv"),
    ("inspect t.csv --tests names.txt --output OUT", "names.txt"),
    ("inspect t.csv --target group --output OUT", "t.csv"),
    ("inspect t.svg --target group --output OUT", "t.svg"),
    ("inspect t.csv --target group --tests names.txt --output OUT", "names.txt"),
    ("inspect t.csv --divergence good,b --output OUT", "t.csv"),
    ("inspect t.csv --against real.csv --output OUT", "real.csv"),
    ("inspect t.csv --against t.svg --output OUT", "t.svg"),
    ("bounds t.csv --output OUT", "t.csv"),
    ("bounds t.csv --costs costs.csv --output OUT", "costs.csv"),
    ("bounds t.csv --tests names.txt --output OUT", "names.txt"),
    ("ask t.json --output OUT", "t.json"),
    ("ask t.json --json --output OUT", "t.json"),
    ("ask t.csv --log OUT", "t.csv"),
    ("ask t.csv --save OUT", "t.csv"),
    ("ask t.csv --costs costs.csv --log OUT", "costs.csv"),
    ("ask t.csv --costs costs.csv --save OUT", "costs.csv"),
    ("ask t.csv --tests names.txt --log OUT", "names.txt"),
    ("ask t.csv --tests names.txt --save OUT", "names.txt"),
    ("ask plan.json --table t.csv --log OUT", "t.csv"),
    ("ask plan.json --table t.csv --save OUT", "t.csv"),
    ("ask plan.json --table t.csv --log OUT", "plan.json"),
    ("ask plan.json --table t.csv --save OUT", "plan.json"),
    ("ask plan.json --output OUT", "plan.json"),
    ("ask t.csv --resume session.json --output OUT", "session.json"),
    ("ask t.csv --resume session.json --log OUT", "session.json"),
    ("ask t.csv --resume log.jsonl --save OUT", "log.jsonl"),
    ("simulate t.csv --output OUT", "t.csv"),
    ("simulate t.svg --output OUT", "t.svg"),
    ("simulate t.csv --strategy plan.json --output OUT", "plan.json"),
    ("simulate t.csv --strategy plan.svg --output OUT", "plan.svg"),
    ("simulate t.csv --costs costs.csv --output OUT", "costs.csv"),
    ("simulate t.csv --tests names.txt --output OUT", "names.txt"),
    ("show plan.json --output OUT", "plan.json"),
    ("show plan.json --json --output OUT", "plan.json"),
    ("learn t.csv --target group --output OUT", "t.csv"),
    ("learn t.svg --target group --output OUT", "t.svg"),
    ("learn t.svg --target group --tree-plot OUT", "t.svg"),
    ("learn t.svg --target group --path-plot OUT", "t.svg"),
    ("learn t.svg --target group --table-plot OUT", "t.svg"),
    ("learn t.csv --target group --costs costs.csv --output OUT", "costs.csv"),
    ("learn t.csv --target group --costs costs.svg --tree-plot OUT", "costs.svg"),
    ("learn t.csv --target group --tests names.txt --output OUT", "names.txt"),
    ("learn t.csv --target group --tests names.svg --path-plot OUT", "names.svg"),
    ("learn t.csv --target group --holdout real.csv --output OUT", "real.csv"),
    ("learn t.csv --target group --holdout holdout.svg --table-plot OUT", "holdout.svg"),
    ("predict model.json t.csv --output OUT", "t.csv"),
    ("predict model.json t.csv --output OUT", "model.json"),
    ("predict model.json t.csv --json --output OUT", "model.json"),
    ("code t.csv --output OUT", "t.csv"),
    ("code t.csv --column good --json --output OUT", "t.csv"),
    ("reproduce real --tables t.txt --out . --output OUT", "t.txt"),
    ("build t.svg --output OUT", "t.svg"),
    ("build t.html -o OUT", "t.html"),
    ("build t.md -o OUT", "t.md"),
    ("build t.dot -o OUT", "t.dot"),
    ("show plan.svg -o OUT", "plan.svg"),
    ("compare t.html -o OUT", "t.html"),
    ("bounds t.md -o OUT", "t.md"),
    ("learn t.dot --target group -o OUT", "t.dot"),
];

#[test]
fn issue_21_item_2_no_command_writes_over_what_it_read() {
    let folder = files();
    let before = contents(&folder);
    let mut faults = Vec::new();
    for (line, file) in LINES {
        let twin = format!("twin-{file}");
        fs::hard_link(folder.path(file), folder.path(&twin)).unwrap();
        let mut spellings = vec![(*file).to_owned(), format!("./{file}"), twin.clone()];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(file, folder.path(&format!("link-{file}"))).unwrap();
            spellings.push(format!("link-{file}"));
        }
        // The name itself for every line, the other spellings in turn: one place in the code compares them.
        for spelling in [&spellings[0], &spellings[1 + line.len() % (spellings.len() - 1)]] {
            let run = folder.call_with(&line.replace("OUT", spelling), b"0\nq\n");
            let says = run.err.lines().last().unwrap_or_default();
            let is_told = says.contains("would overwrite");
            if run.code != Some(2) || !is_told {
                faults.push(format!("{line} ({spelling}): {:?}: {says}", run.code));
            }
        }
        for name in &spellings[2..] {
            fs::remove_file(folder.path(name)).unwrap();
        }
        if contents(&folder) != before {
            faults.push(format!("{line}: a file was changed or left behind"));
            break;
        }
    }
    report(&faults);
}

fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    folder.names().into_iter().map(|name| (name.clone(), fs::read(folder.path(&name)).unwrap())).collect()
}

#[test]
fn issue_21_item_2_standard_input_is_a_file_too() {
    let folder = files();
    for line in ["build - --output t.csv", "build - --certificate t.csv", "code - --output t.csv"] {
        let mut command = folder.command(&line.split(' ').collect::<Vec<_>>());
        command.stdin(fs::File::open(folder.path("t.csv")).unwrap());
        let run = crate::common::Run::of(&mut command);
        assert_eq!(run.refusal(2, &["t.csv would overwrite the file that is read"]), None, "{line}");
        assert_eq!(folder.read("t.csv"), TABLE);
    }
}

#[test]
fn issue_21_item_2_the_tables_of_a_study_stay_as_they_are() {
    // `reproduce real` writes `real.csv` into its folder, which here is the table that it reads.
    let folder = files();
    let run = folder.call("reproduce real --tables real.csv --out .");
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("would overwrite the file that is read"), "{}", run.err);
    assert_eq!(folder.read("real.csv"), TABLE);
}

#[test]
fn issue_21_item_2_two_outputs_are_two_files() {
    let folder = files();
    for line in [
        "build t.csv --output new.json --certificate new.json",
        "build t.csv --output new.json --certificate ./new.json",
        "ask t.csv --log new.json --save new.json",
        "learn t.csv --target group --tree-plot new.svg --output new.svg",
    ] {
        let run = folder.call(line);
        assert_eq!(run.refusal(2, &["both name", "name two files"]), None, "{line}");
    }
    assert!(!folder.names().iter().any(|name| name.starts_with("new")));
}

/// A session continues in its own file, and a log is appended to: nothing that was there is lost.
#[test]
fn issue_21_item_2_a_session_goes_on_in_its_file_and_a_log_never_ends() {
    let folder = files();
    let run = folder.call_with("ask t.csv --resume session.json", b"q\n");
    assert!(run.out.contains("Saved session.json."), "{}{}", run.out, run.err);
    assert!(folder.read("session.json").contains("\"answers\""));
    let log = folder.read("log.jsonl");
    folder.call_with("ask t.csv --resume log.jsonl --log log.jsonl", b"q\n");
    assert!(folder.read("log.jsonl").starts_with(&log), "a log is only ever added to");
    // Without a name, a session resumed from a log is saved elsewhere.
    let log = folder.read("log.jsonl");
    let run = folder.call_with("ask t.csv --resume log.jsonl", b"q\n");
    assert!(run.out.contains(".session.json. Next"), "{}{}", run.out, run.err);
    assert_eq!(folder.read("log.jsonl"), log);
}
