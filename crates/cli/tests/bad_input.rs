//! Bad input: each is answered with exit code 2 and one message that names the file, the row, the column and the way
//! out; and input that is odd, yet fine, is not.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod common;

use common::{Folder, Run, report};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// A table with nothing wrong in it, but for whoever wants its `kind` and `sure` to be something else.
const GOOD: &[u8] = b"o,kind,sure,a,b\nx,k,1,0,1\ny,k,2,1,1\nz,l,3,1,0\n";

/// A strategy that says nothing about how its table was read.
const PLAN: &str = r#"{"version":1,
"instance":{"objects":1,"rows":1,"tests":0,"groups":1,"identify":"objects","entropy_bits":0},
"objective":{"name":"expected"},"algorithm":"gbs",
"cost":{"expected":0,"worst":0,"exponential":{"lambda":2,"value":0}},"lower_bound":{"value":0,"by":"shannon"},
"optimal":true,"tree":TREE}"#;

fn plan(tree: &str) -> String {
    PLAN.replace("TREE", tree)
}

/// Every command that reads a table.
const COMMANDS: [&str; 6] = ["build", "inspect", "compare", "front", "bounds", "check"];

/// Runs every command that reads a table on `t.csv`, and tells what was wrong with the refusals.
fn refused_by_all(folder: &Folder, name: &str, options: &[&str], says: &[&str]) -> Vec<String> {
    folder.write("plan.json", plan(r#"{"groups":["x"],"objects":["x"],"weight":1}"#));
    let run = |command: &&str| {
        let mut args = vec![*command, "t.csv"];
        args.extend((*command == "check").then_some("plan.json"));
        args.extend(options);
        let fault = folder.run(&args).refusal(2, says)?;
        Some(format!("{name}: {command}: {fault}"))
    };
    COMMANDS.iter().filter_map(run).collect()
}

/// Name, table, options, and what the message says beside the file.
type TableCase<'a> = (&'a str, &'a [u8], &'a [&'a str], &'a [&'a str]);

const BAD_TABLES: &[TableCase<'_>] = &[
    ("empty", b"", &[], &["the file is empty", "a header and a row for each object"]),
    ("only blank lines", b"\n\r\n   \n\n", &[], &["the file is empty", "a header and a row for each object"]),
    ("only a byte order mark", b"\xEF\xBB\xBF", &[], &["the file is empty"]),
    ("header only", b"o,a,b\n", &[], &["no objects", "add a row for each object"]),
    (
        "costs beyond all numbers",
        b"o,a,b\n@cost,1e308,1.5e308\nx,0,1\ny,1,0\n",
        &[],
        &["the costs add up", "`b`", "a larger unit"],
    ),
    ("only rows that speak of tests", b"o,a\n@cost,2\n", &[], &["no objects", "add a row"]),
    (
        "short row",
        b"o,a,b\nx,0,1\ny,1\n",
        &[],
        &["row 3 has 2 cells where the header has 3", "fill up the row"],
    ),
    (
        "long row",
        b"o,a,b\nx,0,1\ny,1,0,1\n",
        &[],
        &["row 3 has 4 cells", "header has 3", "put quotes around"],
    ),
    ("short row about tests", b"o,a,b\n@cost,1\nx,0,1\n", &[], &["row 2 has 2 cells", "fill up the row"]),
    ("row after blank lines", b"o,a\n\n\nx,0\n\ny,1,2\n", &[], &["row 6 has 3 cells where the header has 2"]),
    ("object twice", b"o,a\nx,0\ny,1\nx,1\n", &[], &["rows 2 and 4 are both called `x`", "its own name"]),
    ("object twice but for blanks", b"o,a\nx,0\n x ,1\n", &[], &["rows 2 and 3 are both called `x`"]),
    ("column twice", b"o,a,b,a\nx,0,0,0\n", &[], &["columns 2 and 4 are both called `a`", "rename one"]),
    ("column without name", b"o,a,,b\nx,0,0,0\n", &[], &["row 1, column 3", "name it in the header"]),
    (
        "object without name",
        b"o,a\nx,0\n ,1\n",
        &[],
        &["row 3, column `o`", "fill the cell, or delete the row"],
    ),
    (
        "prior NaN",
        b"o,prior,a\nx,1,0\ny,NaN,1\n",
        &[],
        &["row 3, column `prior`", "`y`", "`NaN`", "a number ≥ 0"],
    ),
    (
        "prior negative",
        b"o,prior,a\nx,-0.5,0\ny,1,1\n",
        &[],
        &["row 2, column `prior`", "`-0.5`", "a number ≥ 0"],
    ),
    (
        "prior infinite",
        b"o,prior,a\nx,1,0\ny,inf,1\n",
        &[],
        &["row 3, column `prior`", "`inf`", "a number ≥ 0"],
    ),
    ("prior overflows", b"o,prior,a\nx,1e999,0\ny,1,1\n", &[], &["row 2, column `prior`", "`1e999`", "≥ 0"]),
    (
        "prior text",
        b"o,prior,a\nx,often,0\ny,1,1\n",
        &[],
        &["row 2, column `prior`", "`often`", "such as 3 or 0.25"],
    ),
    (
        "prior empty",
        b"o,prior,a\nx,1,0\ny,,1\n",
        &[],
        &["row 3, column `prior`", "object `y`", "a number ≥ 0"],
    ),
    (
        "prior unknown",
        b"o,prior,a\nx,1,0\ny,?,1\n",
        &[],
        &["row 3, column `prior`", "object `y`", "no prior"],
    ),
    ("prior decimal comma", b"o;prior;a\nx;0,5;0\ny;1;1\n", &[], &["row 2, column `prior`", "`0,5`", "0.25"]),
    (
        "priors all zero",
        b"o,prior,a\nx,0,0\ny,0.0,1\n",
        &[],
        &["column `prior`", "all priors are 0", "above 0"],
    ),
    ("prior of another name", b"o,p,a\nx,1,0\ny,no,1\n", &["--prior", "p"], &["row 3, column `p`", "`no`"]),
    (
        "cost row zero",
        b"o,a,b\n@cost,0,1\nx,0,0\n",
        &[],
        &["row 2, column `a`", "the cost is `0`", "a number > 0"],
    ),
    ("cost row negative", b"o,a,b\nx,0,0\n@cost,1,-2\n", &[], &["row 3, column `b`", "`-2`", "a number > 0"]),
    (
        "cost row NaN",
        b"o,a\n@cost,nan\nx,0\n",
        &[],
        &["row 2, column `a`", "the cost is `nan`", "such as 1 or 2.5"],
    ),
    ("cost row infinite", b"o,a\n@cost,inf\nx,0\n", &[], &["row 2, column `a`", "the cost is `inf`"]),
    ("cost row text", b"o,a\n@cost,cheap\nx,0\n", &[], &["row 2, column `a`", "the cost is `cheap`"]),
    ("cost row twice", b"o,a\n@cost,1\nx,0\n@cost,2\n", &[], &["rows 2 and 4 are both `@cost`", "keep one"]),
    (
        "unknown row",
        b"o,a\n@colour,red\nx,0\n",
        &[],
        &["row 2: `@colour` is unknown", "`@cost` and `@question`"],
    ),
    (
        "unknown --group",
        GOOD,
        &["--group", "kinds"],
        &["--group `kinds`", "no such column", "did you mean `kind`?"],
    ),
    (
        "unknown --prior",
        GOOD,
        &["--prior", "zzzzzz"],
        &["--prior `zzzzzz`", "the columns are `kind`, `sure`, `a`, `b`"],
    ),
    (
        "unknown --object",
        GOOD,
        &["--object", "nobody"],
        &["--object `nobody`", "the columns are `o`, `kind`"],
    ),
    ("unknown --ignore", GOOD, &["--ignore", "A"], &["--ignore `A`", "no such column", "did you mean `a`?"]),
    (
        "unknown --tests",
        GOOD,
        &["--tests", "a,legs"],
        &["--tests `legs`", "no such column", "the columns are"],
    ),
    ("no --tests", GOOD, &["--tests", ",,"], &["--tests", "names no test", "give names by comma"]),
    (
        "--tests of groups",
        GOOD,
        &["--group", "kind", "--tests", "kind"],
        &["--tests `kind`", "the groups", "no test"],
    ),
    ("--tests of objects", GOOD, &["--tests", "o"], &["--tests `o`", "names of the objects", "no test"]),
    (
        "one column, two parts",
        GOOD,
        &["--group", "sure", "--prior", "sure"],
        &["column `sure`", "both the groups and the priors", "its own column"],
    ),
    (
        "objects as groups",
        GOOD,
        &["--object", "kind", "--group", "kind"],
        &["rows 2 and 3 are both called `k`"],
    ),
    (
        "no groups",
        GOOD,
        &["--identify", "groups"],
        &["no groups", "no column `group`", "--group", "--identify objects"],
    ),
    (
        "empty group",
        b"o,group,a\nx,g,0\ny,,1\n",
        &[],
        &["row 3, column `group`", "`y` has no group", "--identify objects"],
    ),
    (
        "unknown group",
        b"o,group,a\nx,?,0\ny,g,1\n",
        &[],
        &["row 2, column `group`", "`x` has no group", "fill"],
    ),
    (
        "missing cell",
        b"o,a,b\nx,0,1\ny,1,\n",
        &[],
        &["1 cell is empty", "row 3, column `b`", "`y`", "--missing answer", "--missing any"],
    ),
    (
        "missing cells",
        b"o,a,b\nx,0,1\ny,?,\nz,,1\n",
        &[],
        &["3 cells are empty or `?`", "row 3, column `a`", "`y`"],
    ),
    (
        "--inseparable refuse",
        b"o,a\nx,0\ny,0\nz,1\n",
        &["--inseparable", "refuse"],
        &["`x` and `y`", "add a test", "--inseparable join"],
    ),
    (
        "quote left open",
        b"o,a\nx,0\ny,\"1\nz,1\n",
        &[],
        &["row 3, column `a`", "never closed", "add the closing quote"],
    ),
    ("quote left open in the header", b"o,\"a\nx,0\n", &[], &["row 1, column 2", "never closed"]),
    (
        "text after a quote",
        b"o,a\nx,\"0\"1\ny,1\n",
        &[],
        &["row 2, column `a`", "text follows the closing quote", "\"\""],
    ),
    ("NUL byte", b"o,a,b\nx,0,1\0\n", &[], &["row 2, column `b`", "a NUL byte", "UTF-8"]),
    ("NUL bytes all over", b"\0\0\0\0\0\0", &[], &["row 1, column 1", "a NUL byte"]),
    (
        "UTF-8 with bytes of Windows-1252",
        b"o,a\n\xC3\xA4,0\n\xE4,1\n",
        &[],
        &["row 3, column `o`", "save the file as UTF-8"],
    ),
    (
        "Windows-1252 with UTF-8",
        b"o,a,b\nx,\xE4,1\ny,1,\xC3\xA4\n",
        &[],
        &["row 3, column `b`", "save the file as UTF-8"],
    ),
    (
        "no letter of Windows-1252",
        b"o,a\nx,0\ny,\x81\n",
        &[],
        &["row 3, column `a`", "neither UTF-8 nor Windows-1252"],
    ),
    (
        "a truncated letter",
        b"o,a\n\xC3\xA4,0\ny,\xE2\x82\n",
        &[],
        &["row 3, column `a`", "save the file as UTF-8"],
    ),
    ("a spreadsheet", b"PK\x03\x04\x14\0\x06\0\x08\0\0\0", &[], &["save the table as CSV"]),
    ("Parquet without content", b"PAR1PAR1", &[], &["Parquet", "save the table as CSV"]),
    (
        "two thresholds of one name",
        b"o,a,a > 1.5\nx,1,no\ny,2,yes\nz,4,no\n",
        &["--numeric", "thresholds"],
        &["`a > 1.5`", "rename"],
    ),
];

#[test]
fn a_bad_table_is_refused_with_its_place_and_the_way_out() {
    let mut faults = Vec::new();
    for (name, table, options, says) in BAD_TABLES {
        let folder = Folder::new();
        folder.write("t.csv", table);
        // A list of tests stands on the command line, so the table is not to blame.
        let file = if options.ends_with(&[",,"]) { "error: --tests" } else { "error: t.csv: " };
        let says: Vec<&str> = [file].iter().chain(*says).copied().collect();
        faults.extend(refused_by_all(&folder, name, options, &says));
    }
    report(&faults);
}

#[test]
fn a_bad_file_of_costs_is_refused_with_its_place_and_the_way_out() {
    let number = "a cost is a number > 0, such as 1 or 2.5";
    let cases: &[(&str, &[u8], &[&str])] = &[
        ("zero", b"test,cost\na,0\n", &["error: costs.csv: row 2: test `a` has cost `0`", number]),
        ("negative", b"test,cost\nb,1\na,-3\n", &["error: costs.csv: row 3: test `a` has cost `-3`", number]),
        ("NaN", b"test,cost\na,NaN\n", &["error: costs.csv: row 2: test `a` has cost `NaN`", number]),
        ("infinite", b"test,cost\na,inf\n", &["error: costs.csv: row 2: test `a` has cost `inf`", number]),
        ("text", b"test,cost\na,free\n", &["error: costs.csv: row 2: test `a` has cost `free`", number]),
        ("no cost", b"test,cost\na,\n", &["error: costs.csv: row 2: test `a` has cost ``", number]),
        ("no test", b"test,cost\n,1\n", &["error: costs.csv: row 2: the test has no name", "fill the cell"]),
        (
            "unknown test",
            b"test,cost\nzzz,1\n",
            &["error: t.csv: --costs `zzz`", "no such column", "columns are"],
        ),
        (
            "no test but a group",
            b"test,cost\nkind,1\n",
            &["error: t.csv: --costs `kind`", "the groups", "no test"],
        ),
        (
            "test twice",
            b"test,cost\na,1\nb,1\na,1\n",
            &["error: costs.csv: rows 2 and 4", "test `a`", "keep one"],
        ),
        (
            "other header",
            b"name,price\na,1\n",
            &["error: costs.csv: the header is `name,price`", "`test,cost`"],
        ),
        ("no header", b"a,1\nb,2\n", &["error: costs.csv: the header is `a,1`", "`test,cost`"]),
        ("long row", b"test,cost\na,1,2\n", &["error: costs.csv: row 2 has 3 cells where the header has 2"]),
        ("empty", b"", &["error: costs.csv: the file is empty"]),
        ("NUL byte", b"test,cost\na,1\0\n", &["error: costs.csv: row 2, column ", "a NUL byte"]),
    ];
    let mut faults = Vec::new();
    for (name, costs, says) in cases {
        let folder = Folder::new();
        folder.write("t.csv", GOOD);
        folder.write("costs.csv", costs);
        let options = ["--group", "kind", "--costs", "costs.csv"];
        faults.extend(refused_by_all(&folder, name, &options, says));
    }
    let folder = Folder::new();
    folder.write("t.csv", GOOD);
    let says = ["error: costs.csv: there is no such file", "check the name"];
    faults.extend(refused_by_all(&folder, "missing", &["--costs", "costs.csv"], &says));
    let says = ["error: .: this is a directory", "name a file in it"];
    faults.extend(refused_by_all(&folder, "directory", &["--costs", "."], &says));
    folder.write("names.txt", "\n\n");
    let says = ["error: names.txt: no names", "one test on each line"];
    faults.extend(refused_by_all(&folder, "no names", &["--tests", "names.txt"], &says));
    report(&faults);
}

#[test]
fn cells_that_list_nothing_or_one_answer_twice_are_refused() {
    let folder = Folder::new();
    folder.write("t.csv", "o,a,b\nx,1|2,0\ny,1||2,1\n");
    let says = ["t.csv: row 3, column `a`: object `y` has `1||2`", "empty or `?`", "--several another mark"];
    let mut faults: Vec<_> =
        refused_by_all(&folder, "empty part", &["--several", "|"], &says).into_iter().collect();
    folder.write("t.csv", "o,a,b\nx,1|2,0\ny,1|2|1,1\n");
    let says = ["t.csv: row 3, column `a`: object `y` has `1|2|1`, which lists `1` twice", "once"];
    faults.extend(refused_by_all(&folder, "repeated part", &["--several", "|"], &says));
    report(&faults);
}

/// A mistake in the call is told by the parser of the call: one message, and below it where to find help.
#[test]
fn a_mistake_in_the_call_is_told_with_what_there_is_to_choose() {
    let folder = Folder::new();
    folder.write("t.csv", GOOD);
    let time = "a number and a unit, such as 30s, 500ms, 2m or 1h";
    let cases: &[(&str, &[&str])] = &[
        ("build t.csv --algorithm best", &["'best'", "--algorithm", "choose auto, gbs,", "ec2"]),
        ("build t.csv --lambda 0.5", &["'0.5'", "--lambda", "from 1 to `inf`"]),
        ("build t.csv --lambda nan", &["'nan'", "--lambda", "from 1 to `inf`"]),
        ("build t.csv --lambda two", &["'two'", "--lambda", "from 1 to `inf`"]),
        ("bounds t.csv --lambda=-2", &["'-2'", "--lambda", "from 1 to `inf`"]),
        ("build t.csv --time soon", &["'soon'", "--time", time]),
        ("build t.csv --time 3weeks", &["'3weeks'", "--time", time]),
        ("compare t.csv --time=-1s", &["'-1s'", "--time", time]),
        ("build t.csv --time 99999999999999999999h", &["--time", time]),
        ("build t.csv --numeric some", &["'some'", "--numeric", "choose exact, thresholds or bins:N"]),
        ("build t.csv --numeric bins:1", &["'bins:1'", "--numeric", "from 2 to 1000"]),
        ("build t.csv --numeric bins:x", &["'bins:x'", "--numeric", "from 2 to 1000"]),
        ("build t.csv --threads 0", &["'0'", "--threads", "a whole number from 1 on"]),
        ("build t.csv --seed x", &["'x'", "--seed"]),
        ("build t.csv --identify all", &["'all'", "--identify"]),
        ("build t.csv --missing maybe", &["'maybe'", "--missing"]),
        ("build t.csv --inseparable drop", &["'drop'", "--inseparable"]),
        ("build t.csv --objective least", &["'least'", "--objective"]),
        ("build t.csv --color sometimes", &["'sometimes'", "--color"]),
        ("build t.csv --fast", &["'--fast'"]),
        ("build", &["required arguments"]),
        ("check t.csv", &["required arguments"]),
        ("built t.csv", &["'built'"]),
        ("generate sudoku", &["'sudoku'"]),
        ("generate thresholds --weights 1,2 --delta 1", &["--weights", "--delta"]),
        ("generate thresholds --n 2 --weights 1,x", &["'x'"]),
        ("completions tcsh9", &["'tcsh9'"]),
    ];
    let mut faults = Vec::new();
    for (line, says) in cases {
        let Run { code, out, err } = folder.call(line);
        let one = err.starts_with("error: ") && err.matches("error:").count() == 1;
        let told = says.iter().all(|part| err.contains(part)) && err.contains("--help");
        if code != Some(2) || !out.is_empty() || !one || !told || err.contains("panicked") {
            faults.push(format!("{line}: {code:?}: {err}"));
        }
    }
    report(&faults);
}

#[test]
fn numbers_that_make_no_table_are_refused() {
    let folder = Folder::new();
    let cases: &[(&str, &[&str])] = &[
        ("generate random --objects 0", &["objects is 0", "at least 1"]),
        ("generate random --answers 1", &["answers is 1", "from 2 to 1000"]),
        ("generate random --density 1.5", &["1.5"]),
        ("generate random --delta nan", &["delta is NaN", "≥ 0"]),
        ("generate beta --beta-w=-1", &["beta_w is -1", "> 0"]),
        ("generate beta --beta-b nan", &["beta_b is NaN", "> 0"]),
        ("generate beta --gamma-w 3,1", &["gamma_w is 3", "0.5 to 1"]),
        ("generate beta --objects 3 --groups 5", &["groups is 5", "at most the number of objects"]),
        ("generate thresholds --delta=-1", &["delta is -1", "≥ 0"]),
        ("generate thresholds --n 3 --weights 1,2", &["the number of weights is 2", "the number of objects"]),
        ("generate subsets --n 17", &["objects is 17", "from 1 to 16"]),
        ("generate subsets --n 2 --weights 0,0", &["the sum of the weights is 0"]),
        ("generate singletons --n 2 --costs 1,0", &["a cost is 0", "> 0"]),
        ("generate sorting --n 9", &["items is 9", "from 2 to 8"]),
        ("generate mastermind --pegs 9", &["codes is 10077696", "fewer pegs or colors"]),
        ("generate coins --n 13", &["coins is 13", "from 3 to 12"]),
    ];
    let refusal = |(line, says): &(&str, &[&str])| {
        folder.call(line).refusal(2, says).map(|fault| format!("{line}: {fault}"))
    };
    report(&cases.iter().filter_map(refusal).collect::<Vec<_>>());
}

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
        Run::of(shell.args(["-c", &format!("exec \"$0\" {line} <&-"), common::FEWEST]))
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
        let run = folder.call(&format!("{command} --output no/such/plan.json"));
        let says = ["error: cannot write no/such/plan.json: ", "no such folder", "make it, or name another"];
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
        ("check t.csv plan.json --output t.csv", "plan.json"),
        ("show plan.json --output plan.json", "plan.json"),
    ];
    for (line, file) in &lines[..] {
        // The strategy is none, which is found before the table is looked at.
        let says = match *line {
            "check t.csv plan.json --output t.csv" => ["error: plan.json", "not a strategy"],
            _ => [&*format!("error: --output {file}"), "would overwrite the file that is read; name another"],
        };
        assert_eq!(folder.call(line).refusal(2, &says), None, "{line}");
    }
    files.iter().for_each(|(name, text)| assert_eq!(folder.read(name), *text));
}

#[test]
fn a_failing_run_leaves_the_older_output_and_nothing_else() {
    let folder =
        Folder::with(&[("bad.csv", "o,a\nx,0\nx,1\n"), ("t.csv", "o,a\nx,0\ny,1\n"), ("out", "older")]);
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
    // Nobody hears of it when the messages cannot be written either; the exit code still tells.
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let status = folder.command(&["build", "none.csv"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// Runs every command on a table that is odd and fine, and gives what `build` printed.
fn accepted(folder: &Folder, table: &str, options: &str) -> Run {
    let line = |command: &str, more: &str| format!("{command} {table}{options}{more}");
    for command in ["inspect", "compare", "front", "bounds"] {
        for more in ["", " --json"] {
            let run = folder.call(&line(command, more)).ok(command);
            assert!(run.out.len() + run.err.len() < 4_000_000, "{command}: {}", run.out.len());
        }
    }
    folder.call(&line("build", " --json")).ok(table);
    let run = folder.call(&line("build", " --output plan.json")).ok(table);
    folder.call(&format!("check {table} plan.json")).ok(table);
    folder.call("show plan.json").ok(table);
    assert!(
        run.out.chars().filter(|letter| letter.is_control() && *letter != '\n').count() == 0,
        "{}",
        run.out
    );
    run
}

#[test]
fn ten_thousand_columns_are_fine() {
    let folder = Folder::new();
    let row = |name: &str, cell: &dyn Fn(usize) -> String| {
        name.to_owned() + &(0..10_000).map(|at| format!(",{}", cell(at))).collect::<String>() + "\n"
    };
    let table = row("o", &|at| format!("t{at}"))
        + &row("x", &|_| "0".to_owned())
        + &row("y", &|at| (at % 2).to_string())
        + &row("z", &|at| (at % 3).to_string());
    folder.write("t.csv", table);
    let run = accepted(&folder, "t.csv", "");
    assert!(run.out.starts_with("t.csv: 3 objects, 10000 tests\n"), "{}", run.out);
    assert!(run.out.len() < 2000, "{}", run.out.len());
}

#[test]
fn a_cell_of_a_million_letters_is_fine_and_does_not_flood_the_page() {
    let long = "long ".repeat(200_000);
    let unbroken = "ä".repeat(1_000_000);
    for (table, places) in [
        (format!("o,a\n{unbroken},0\ny,1\n"), "an object"),
        (format!("o,a\nx,{unbroken}\ny,1\n"), "an answer"),
        (format!("o,a\nx,{long}\ny,1\n"), "an answer of words"),
        (format!("o,{unbroken}\nx,0\ny,1\n"), "a test"),
        (format!("o,group,a\nx,{long},0\ny,g,1\n"), "a group"),
        (format!("o,a\n@question,{long}\nx,0\ny,1\n"), "a question"),
        (format!("o,a\n{unbroken},0\ny,0\nz,1\n"), "an object with a twin"),
    ] {
        let folder = Folder::new();
        folder.write("t.csv", table);
        let run = accepted(&folder, "t.csv", "");
        assert!(run.out.len() + run.err.len() < 5000, "{places}: {} bytes", run.out.len() + run.err.len());
        let shown = folder.out("inspect t.csv --quiet");
        assert!(shown.len() < 5000, "{places}: {} bytes", shown.len());
    }
}

#[test]
fn a_message_about_a_cell_of_a_million_letters_stays_short() {
    let long = "x".repeat(1_000_000);
    let tables = [
        format!("o,prior,a\n{long},{long},0\ny,1,1\n"),
        format!("o,group,a\n{long},,0\ny,1,1\n"),
        format!("o,{long}\n{long},\ny,1\n"),
        format!("o,{long}\n@cost,{long}\ny,1\n"),
        format!("o,a\n{long},0\n{long},1\n"),
        format!("o,a\n@{long},0\nx,1\n"),
        format!("o,{long},{long}\nx,1,1\n"),
        format!("o,a\nx,\"{long}\ny,1\n"),
    ];
    for table in tables {
        let folder = Folder::new();
        folder.write("t.csv", table);
        assert_eq!(folder.call("build t.csv").refusal(2, &["error: t.csv: "]), None);
    }
    let folder = Folder::new();
    folder.write("t.csv", format!("o,a\n{long},0\n{long}2,0\n"));
    assert_eq!(folder.call("build t.csv --inseparable refuse").refusal(2, &["add a test that does"]), None);
}

#[test]
fn names_with_line_ends_and_control_characters_stay_on_their_line() {
    let folder = Folder::new();
    folder.write("t.csv", "o,\"te\nst\x1B[31m\",b\n\"x\x1B]0;title\x07\ry\",\"an\nswer\",0\ny,1,0\nz,2,0\n");
    let run = accepted(&folder, "t.csv", "");
    let drawn = "te\\nst\\u{1b}[31m?\n├─ an\\nswer: x\\u{1b}]0;title\\u{7}\\ry";
    assert!(run.out.contains(drawn), "{}", run.out);
    assert!(
        folder
            .out("build t.csv --report --algorithm gain-ratio --quiet")
            .lines()
            .all(|line| !line.starts_with("st"))
    );
}

#[test]
fn tables_as_other_programs_write_them_are_fine() {
    let plain = "o,group,a\nBär,g,\"one, two\"\ny,h,1\n";
    let expected = {
        let folder = Folder::with(&[("t.csv", plain)]);
        folder.json("build t.csv")["tree"].clone()
    };
    let utf16: Vec<u8> =
        std::iter::once(0xFEFF).chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let tables: [(&str, Vec<u8>); 7] = [
        ("a byte order mark", format!("\u{FEFF}{plain}").into()),
        ("CRLF", plain.replace('\n', "\r\n").into()),
        ("no last line end", plain.trim_end().into()),
        ("blank lines", plain.replace('\n', "\n\n").into()),
        ("blanks around", plain.replace(",g,", ", g ,").into()),
        (
            "everything in quotes",
            "\"o\",\"group\",\"a\"\n\"Bär\",\"g\",\"one, two\"\n\"y\",\"h\",\"1\"\n".into(),
        ),
        ("UTF-16", utf16),
    ];
    for (name, table) in tables {
        let folder = Folder::new();
        folder.write("t.csv", table);
        let run = accepted(&folder, "t.csv", "");
        assert_eq!(run.err, "", "{name}");
        assert_eq!(folder.json("build t.csv")["tree"], expected, "{name}");
    }
    let folder = Folder::new();
    folder.write(
        "t.csv",
        plain.replace('ä', "?").bytes().map(|b| if b == b'?' { 0xE4 } else { b }).collect::<Vec<u8>>(),
    );
    let run = accepted(&folder, "t.csv", "");
    assert_eq!(run.warnings().len(), 1, "{}", run.err);
    assert!(
        run.err.contains("t.csv: not UTF-8, so it is read as Windows-1252; save it as UTF-8"),
        "{}",
        run.err
    );
    assert_eq!(folder.json("build t.csv")["tree"], expected);
}

#[test]
fn quoted_line_ends_belong_to_the_cell() {
    let folder = Folder::with(&[("t.csv", "o,a\n\"x\ny\",\"1\r\n2\"\nz,3\n")]);
    accepted(&folder, "t.csv", "");
    let tree = &folder.json("build t.csv")["tree"];
    assert_eq!(tree["answers"]["1\r\n2"]["objects"][0], "x\ny");
}

/// Tables at the edge of what makes sense: the table, options, and the expected cost.
#[test]
fn tables_at_the_edge_are_fine() {
    let cases: &[(&str, &str, &str, f64)] = &[
        ("one object", "o,a\nx,0\n", "", 0.0),
        ("no tests and one object", "o\nx\n", "", 0.0),
        ("no tests and one group", "o,group\nx,g\ny,g\n", "", 0.0),
        ("no tests and two groups", "o,group\nx,g\ny,h\n", "", 0.0),
        ("all tests ignored", "o,a\nx,0\ny,1\n", " --ignore a", 0.0),
        ("constant columns", "o,a,b,c\nx,0,0,k\ny,0,1,k\n", "", 1.0),
        ("zero priors for some", "o,prior,a,b\nx,0,0,0\ny,3,1,0\nz,1,1,1\n", "", 1.75),
        ("all weight on one", "o,prior,a\nx,0,0\ny,7,1\n", "", 1.0),
        ("groups that cannot be told apart", "o,group,a\nx,g,0\ny,h,0\nz,h,1\n", "", 1.0),
        ("objects that cannot be told apart", "o,a\nx,0\ny,0\nz,1\n", "", 1.0),
        ("huge priors", "o,prior,a\nx,1e308,0\ny,1e308,1\nz,1e308,1\n", "", 1.0),
        ("tiny priors", "o,prior,a\nx,1e-300,0\ny,3e-300,1\n", "", 1.0),
        ("subnormal priors", "o,prior,a\nx,5e-324,0\ny,5e-324,1\n", "", 1.0),
        ("huge and tiny priors", "o,prior,a\nx,1e300,0\ny,1e-300,1\n", "", 1.0),
        ("tiny costs", "o,a\n@cost,1e-300\nx,0\ny,1\n", "", 1e-300),
        ("huge costs", "o,a\n@cost,1e300\nx,0\ny,1\n", "", 1e300),
        ("missing cells as answers", "o,a,b\nx,,0\ny,?,1\nz,1,1\n", " --missing answer", 5.0 / 3.0),
        ("a column of numbers", "o,a\nx,1.5\ny,-2e3\nz,7\n", " --numeric thresholds", 5.0 / 3.0),
        ("a column of equal numbers", "o,a,b\nx,1,0\ny,1,1\n", " --numeric bins:3", 1.0),
    ];
    for (name, table, options, expected) in cases {
        let folder = Folder::with(&[("t.csv", table)]);
        accepted(&folder, "t.csv", options);
        let found = folder.json(&format!("build t.csv{options}"));
        let cost = found["cost"]["expected"].as_f64().unwrap();
        assert!((cost - expected).abs() <= 1e-9 * expected, "{name}: {cost} where {expected} was due");
        assert!(!found.to_string().contains("null"), "{name}: {found}");
    }
}

#[test]
fn a_lambda_at_the_edge_is_fine() {
    let folder = Folder::with(&[("t.csv", "o,prior,a,b\nx,1,0,0\ny,1,1,0\nz,2,1,1\n")]);
    for lambda in ["1", "1.000000000001", "1e9", "1e300", "inf"] {
        let found = folder.json(&format!("build t.csv --objective exponential --lambda {lambda}"));
        let cost = found["cost"]["exponential"]["value"].as_f64().unwrap();
        assert!((1.5..=2.0).contains(&cost), "{lambda}: {cost}");
        folder.json(&format!("compare t.csv --lambda {lambda}"));
        folder.json(&format!("bounds t.csv --lambda {lambda}"));
    }
    folder.json("build t.csv --time 0");
    folder.json("build t.csv --time 9999999999999999s");
}
