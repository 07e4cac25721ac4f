//! Strategies as code, keys and forms: each is run by the program it is for, where that program is installed.

use crate::common::Folder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

const EXAMPLES: [(&str, &str); 3] = [
    ("zoo.csv", include_str!("../../../../examples/zoo.csv")),
    ("printer.csv", include_str!("../../../../examples/printer.csv")),
    ("lenses.csv", include_str!("../../../../examples/lenses.csv")),
];

/// Names that end a quote, a comment, a script or a statement somewhere, or change the direction of writing.
const HARD: [&str; 16] = [
    "a\"b",
    "it's",
    "back\\slash",
    "two\nlines",
    "*/ end",
    "<!-- --> </script>",
    "${x} #{y} %s {0}",
    "\u{2028}line\u{2029}",
    "\u{202e}right to left",
    "שלום",
    "'''\"\"\"",
    "??/ ??'",
    "\\u000a \\n",
    "漢字 😀",
    "tab\there",
    "; DROP TABLE fewest_node; --",
];

type Row = BTreeMap<String, String>;

/// A table as CSV of which every cell is quoted.
fn csv(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> =
            cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        cells.join(",") + "\n"
    };
    line(header) + &rows.iter().map(|row| line(row)).collect::<String>()
}

/// A table of hard names: 16 objects, told apart by 4 questions of 2 or 4 answers.
fn hard_table() -> String {
    let name = |at: usize| HARD[at % HARD.len()].to_owned();
    let header: Vec<String> = [String::from("object")]
        .into_iter()
        .chain((0..4).map(|at| format!("{} {at}", name(at * 5))))
        .collect();
    let row = |at: usize| -> Vec<String> {
        let answer = |test: usize| format!("{} {}", name(at >> test & 1 | test << 1), at >> test & 1);
        [name(at)].into_iter().chain((0..4).map(answer)).collect()
    };
    csv(&header, &(0..16).map(row).collect::<Vec<_>>())
}

/// Rows of a table without quotes: the answers of each object by the names of the tests.
fn rows(table: &str) -> Vec<Row> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        header.iter().zip(line.split(',')).map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect()
    };
    lines.filter(|line| !line.starts_with('@')).map(row).collect()
}

/// Names of the leaf that the answers of `row` lead to, by the JSON of the strategy.
fn leaf(plan: &Value, row: &Row) -> Vec<String> {
    let mut node = &plan["tree"];
    while let Some(test) = node["ask"].as_str() {
        node = &node["answers"][&row[test]];
    }
    let name = |name: &Value| name.as_str().unwrap().to_owned();
    node["groups"].as_array().unwrap().iter().map(name).collect()
}

/// Whether a program is installed; a machine without it tests the others.
fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs a program in `folder`; its standard output.
fn run(folder: &Folder, line: &[&str]) -> String {
    let output = Command::new(line[0]).args(&line[1..]).current_dir(folder.path("")).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{line:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// A folder with a saved strategy, its JSON, and the number of its leaves.
fn planned(table: &str) -> (Folder, Value, usize) {
    let folder = Folder::with(&[("t.csv", table)]);
    folder.out("build t.csv -o plan.json --quiet");
    let plan: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    folder.out("show plan.json -o leaves.csv");
    let leaves = folder.json("show plan.json");
    let mut count = 0;
    let mut waiting = vec![&leaves["tree"]];
    while let Some(node) = waiting.pop() {
        match node["answers"].as_object() {
            Some(answers) => waiting.extend(answers.values()),
            None => count += 1,
        }
    }
    (folder, plan, count)
}

/// Exports code with its own test, and runs it in every language that is installed.
fn walk_in_every_language(table: &str, name: &str) {
    let (folder, _, leaves) = planned(table);
    for file in ["plan.py", "plan.mjs", "plan.c", "plan.rs", "Strategy.java", "plan.go", "plan.ts"] {
        folder.out(&format!("export plan.json -o {file} --self-test --quiet"));
    }
    let ok = format!("ok {leaves}\n");
    if is_installed("python3") {
        assert_eq!(run(&folder, &["python3", "plan.py"]), ok, "{name}");
    }
    if is_installed("node") {
        let call = "import('./plan.mjs').then((plan) => console.log('ok ' + plan.selfTest()))";
        assert_eq!(run(&folder, &["node", "-e", call]), ok, "{name}");
    }
    if is_installed("cc") {
        run(
            &folder,
            &["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "plan-c", "plan.c"],
        );
        let program = folder.path("plan-c");
        assert_eq!(run(&folder, &[program.to_str().unwrap()]), ok, "{name}");
    }
    if is_installed("rustc") {
        run(
            &folder,
            &[
                "rustc",
                "--edition",
                "2021",
                "-Awarnings",
                "-Ddeprecated",
                "--test",
                "-o",
                "plan-rs",
                "plan.rs",
            ],
        );
        assert!(run(&folder, &[folder.path("plan-rs").to_str().unwrap()]).contains("1 passed"), "{name}");
    }
    if is_installed("javac") {
        run(&folder, &["javac", "-Xlint:all", "-Werror", "Strategy.java"]);
        assert_eq!(run(&folder, &["java", "-cp", ".", "Strategy"]), ok, "{name}");
    }
    if is_installed("go") {
        run(&folder, &["go", "vet", "plan.go"]);
    }
}

#[test]
fn code_walks_to_every_leaf_in_every_language() {
    for (name, table) in EXAMPLES {
        walk_in_every_language(table, name);
    }
}

#[test]
fn hard_names_stay_names_in_every_language() {
    walk_in_every_language(&hard_table(), "hard names");
}

#[test]
fn a_strategy_without_questions_is_code_as_well() {
    walk_in_every_language("object,a,group\nx,1,one\ny,1,one\n", "no questions");
}

#[test]
fn thousands_of_leaves_are_code_as_well() {
    let mut table = String::from("object");
    (0..15).for_each(|bit| write!(table, ",b{bit}").unwrap());
    table.push('\n');
    for at in 0..20_000u32 {
        write!(table, "o{at}").unwrap();
        (0..15).for_each(|bit| write!(table, ",{}", at >> bit & 1).unwrap());
        table.push('\n');
    }
    let folder = Folder::with(&[("t.csv", &table)]);
    folder.out("build t.csv -o plan.json --quiet --algorithm ggbs --time 1s");
    for file in ["plan.py", "Strategy.java", "plan.c", "plan.sql"] {
        folder.out(&format!("export plan.json -o {file} --self-test --quiet"));
    }
    if is_installed("python3") {
        assert_eq!(run(&folder, &["python3", "plan.py"]), "ok 20000\n");
    }
    if is_installed("javac") {
        run(&folder, &["javac", "Strategy.java"]);
        assert_eq!(run(&folder, &["java", "-cp", ".", "Strategy"]), "ok 20000\n");
    }
    if is_installed("cc") {
        run(&folder, &["cc", "-std=c99", "-o", "plan-c", "plan.c"]);
        assert_eq!(run(&folder, &[folder.path("plan-c").to_str().unwrap()]), "ok 20000\n");
    }
    for (format, instead) in
        [("sql-case", "sql"), ("mermaid", "dot"), ("dmn", "sql"), ("fhir", "python"), ("pmml", "sql")]
    {
        let refused = folder.call(&format!("export plan.json --to {format}"));
        assert_eq!(
            refused.refusal(1, &[format, "its limit is", &format!("{instead} holds")]),
            None,
            "{format}"
        );
    }
}

#[test]
fn every_object_is_identified_as_the_strategy_says() {
    for (name, table) in EXAMPLES {
        let (folder, plan, _) = planned(table);
        let rows = rows(table);
        let expected: Vec<Vec<String>> = rows.iter().map(|row| leaf(&plan, row)).collect();
        let expected = serde_json::to_string(&expected).unwrap();
        folder.write("rows.json", serde_json::to_string(&rows).unwrap());
        if is_installed("python3") {
            folder.out("export plan.json -o plan.py");
            let call = "import json, plan; print(json.dumps([plan.identify(row) for row in json.load(open('rows.json'))], separators=(',', ':'), ensure_ascii=False))";
            assert_eq!(run(&folder, &["python3", "-c", call]).trim(), expected, "{name}");
        }
        if is_installed("node") {
            folder.out("export plan.json -o plan.mjs");
            let call = "import('./plan.mjs').then((plan) => console.log(JSON.stringify(JSON.parse(require('fs').readFileSync('rows.json')).map(plan.identify))))";
            assert_eq!(run(&folder, &["node", "-e", call]).trim(), expected, "{name}");
        }
    }
}

#[test]
fn a_database_walks_all_cases_at_once() {
    if !is_installed("sqlite3") {
        return;
    }
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    for (name, table) in EXAMPLES {
        let (folder, plan, _) = planned(table);
        folder.out("export plan.json -o plan.sql");
        let mut script = folder.read("plan.sql");
        let rows = rows(table);
        for (at, row) in rows.iter().enumerate() {
            for (test, answer) in row {
                writeln!(
                    script,
                    "INSERT INTO fewest_answer VALUES ('{at}', {}, {});",
                    quoted(test),
                    quoted(answer)
                )
                .unwrap();
            }
        }
        let first = plan["tree"]["ask"].as_str().unwrap();
        writeln!(script, "INSERT INTO fewest_answer VALUES ('nothing known', 'no test', 'x');").unwrap();
        writeln!(script, "INSERT INTO fewest_answer VALUES ('wrong', {}, 'no such answer');", quoted(first))
            .unwrap();
        script += "SELECT case_id || '|' || state || '|' || COALESCE(names, test) FROM fewest_next ORDER BY CAST(case_id AS INTEGER), case_id;";
        folder.write("run.sql", script);
        let out = run(&folder, &["sqlite3", ":memory:", ".read run.sql"]);
        let mut lines: Vec<&str> = out.lines().collect();
        for (case, state) in [("nothing known", "ask"), ("wrong", "unknown")] {
            let at = lines.iter().position(|line| *line == format!("{case}|{state}|{first}"));
            lines.remove(at.unwrap_or_else(|| panic!("{name}: {case}: {out}")));
        }
        let expected: Vec<String> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| format!("{at}|result|{}", leaf(&plan, row).join(" or ")))
            .collect();
        assert_eq!(lines, expected, "{name}");
        // The one expression says the same of the table itself.
        folder.out("export plan.json -o plan.case.sql");
        let case = folder
            .read("plan.case.sql")
            .replace("SELECT *,", "SELECT")
            .replace("FROM objects", "FROM objects WHERE object NOT LIKE '@%'");
        folder.write("case.sql", format!(".import --csv t.csv objects\n{case}"));
        let found = run(&folder, &["sqlite3", ":memory:", ".read case.sql"]);
        let expected: Vec<String> = rows.iter().map(|row| leaf(&plan, row).join(" or ")).collect();
        assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn hard_names_are_rows_of_a_database() {
    if !is_installed("sqlite3") {
        return;
    }
    let (folder, _, leaves) = planned(&hard_table());
    folder.out("export plan.json -o plan.sql");
    folder.write("run.sql", folder.read("plan.sql") + "SELECT COUNT(names) FROM fewest_node;");
    assert_eq!(run(&folder, &["sqlite3", ":memory:", ".read run.sql"]).trim(), leaves.to_string());
}

#[test]
fn the_same_strategy_gives_the_same_bytes_from_a_table_and_from_its_file() {
    let folder = Folder::with(&[("zoo.csv", EXAMPLES[0].1)]);
    folder.out("build zoo.csv -o zoo.json --quiet");
    let list = folder.json("export --list");
    let formats: Vec<&str> =
        list["formats"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(formats.len() >= 20);
    for format in formats {
        // A build without the feature says so; the tests of features see to that.
        if cfg!(not(feature = "full")) && matches!(format, "png" | "pdf") {
            continue;
        }
        let written = |line: &str| {
            folder.out(line);
            std::fs::read(folder.path("written")).unwrap()
        };
        let file = written(&format!("export zoo.json --to {format} -o written"));
        assert!(!file.is_empty());
        assert_eq!(file, written(&format!("export zoo.json --to {format} -o written")), "{format}");
        if matches!(format, "png" | "pdf" | "svg") {
            continue;
        }
        let table = written(&format!("export zoo.csv --to {format} -o written --quiet"));
        assert!(table == file, "{format}: another file from the table");
    }
    assert_eq!(folder.out("key zoo.csv"), folder.out("export zoo.csv --to key"));
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = Folder::with(&[("zoo.csv", EXAMPLES[0].1)]);
    for (line, says) in [
        ("export zoo.csv", &["--to", "--list"][..]),
        ("export zoo.csv -o tree.basic", &["tree.basic", "--list"]),
        ("export zoo.csv --to svg", &["-o zoo.svg"]),
        ("export zoo.csv --to key --json", &["--list"]),
        ("key zoo.csv -o key.doc", &[".html"]),
        ("key zoo.csv -o zoo.csv", &[".html"]),
        ("export zoo.csv --to csv -o zoo.csv", &["would overwrite"]),
    ] {
        assert_eq!(folder.call(line).refusal(2, says), None, "{line}");
    }
    assert!(folder.call("export").err.contains("<SOURCE>"));
    let mistyped = folder.call("export zoo.csv --to pyton");
    assert_eq!(mistyped.code, Some(2));
    assert!(mistyped.err.contains("a similar value exists: 'python'"), "{}", mistyped.err);
}
