//! Options for reading a table.

use super::{E2, MIXED, assert_close, examples, leaf_weight, notation, timeless};
use crate::common::Folder;
use serde_json::json;

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = examples();
    folder.out("generate beta --objects 300 --tests 60 --groups 9 --delta 1 --seed 5 --output big.csv");
    let lines = [
        "build big.csv --time 10m",
        "build e4.csv",
        "compare big.csv --time 10m",
        "inspect big.csv",
        "bounds big.csv",
        "generate beta --seed 3",
    ];
    for line in lines {
        let out = |threads: u8| folder.out(&format!("{line} --quiet --threads {threads}"));
        assert_eq!(out(1), out(2), "{line}");
        // Every row of a comparison ends with its time.
        let json = |threads: u8| {
            let out = folder.out(&format!("{line} --quiet --json --threads {threads}"));
            timeless(&out.replace(",\"elapsed_ms\"", "\n,\"elapsed_ms\""))
        };
        assert_eq!(json(1), json(2), "{line}");
    }
}

#[test]
fn a_table_is_the_same_in_every_format_and_from_standard_input() {
    let folder = examples();
    folder.write("e2.tsv", E2.replace(',', "\t"));
    folder.write("semicolon.csv", E2.replace(',', ";"));
    let quoted = |line: &str| format!("\"{}\"\r\n", line.replace(',', "\",\""));
    folder.write("quoted.csv", E2.lines().map(quoted).collect::<String>());
    folder.write("suffix.txt", E2);
    let expected = timeless(&folder.out("build e2.csv --json"));
    for table in ["e2.tsv", "semicolon.csv", "quoted.csv", "suffix.txt"] {
        assert_eq!(timeless(&folder.out(&format!("build {table} --json"))), expected, "{table}");
    }
    let piped = folder.call_with("build - --json", E2.as_bytes()).ok("-");
    assert_eq!(timeless(&piped.out), expected);
    let piped = folder.call_with("inspect -", E2.as_bytes()).ok("-");
    assert_eq!(piped.out.replace("standard input", "e2.csv"), folder.out("inspect e2.csv"));
}

#[test]
fn costs_are_the_same_from_a_file_and_from_a_row() {
    let folder = examples();
    folder.write("plain.csv", E2.replace("@cost,2,1,3,,\n", ""));
    folder.write("costs.csv", "test,cost\nt1,2\nt3,3\n");
    let expected = timeless(&folder.out("build e2.csv --json"));
    assert_eq!(timeless(&folder.out("build plain.csv --costs costs.csv --json")), expected);
    assert_ne!(timeless(&folder.out("build plain.csv --json")), expected);
    // The file of costs overrides the table.
    folder.write("other.csv", E2.replace("@cost,2,1,3,,\n", "@cost,7,,9,,\n"));
    assert_eq!(timeless(&folder.out("build other.csv --costs costs.csv --json")), expected);
}

#[test]
fn columns_play_the_parts_that_options_give_them() {
    let folder = Folder::with(&[("t.csv", MIXED)]);
    let size = |line: &str| {
        let found = folder.json(&format!("{line} --missing answer --quiet"));
        let instance = &found["instance"];
        (instance["tests"].as_u64().unwrap(), instance["groups"].as_u64().unwrap(), found["tree"].clone())
    };
    let (tests, groups, _) = size("build t.csv --numeric exact");
    assert_eq!((tests, groups), (5, 6));
    let (tests, groups, tree) = size("build t.csv --group kind --ignore note --ignore weight");
    // Bear, hare and toad differ in nothing else: one group is `mammal or frog`.
    assert_eq!((tests, groups), (2, 3), "{tree}");
    let (tests, _, tree) = size("build t.csv --group kind --tests legs,colour --prior weight");
    assert_eq!(tests, 2);
    assert_close(&json!(leaf_weight(&tree)), 1.0);
    let legs = size("build t.csv --group kind --tests legs --prior weight").2;
    assert_close(&legs["answers"]["2"]["weight"], 13.0 / 324.75);
    folder.write("tests.txt", "legs\n\ncolour\n");
    assert_eq!(size("build t.csv --group kind --tests tests.txt --prior weight").2, tree);
    let (tests, _, tree) = size("build t.csv --object note --group kind --tests legs");
    assert_eq!(tests, 1);
    assert_eq!(tree["answers"]["4"]["objects"], json!(["n1", "n3", "n6"]));
    assert_eq!(tree["answers"]["4"]["groups"], json!(["mammal", "frog"]));
    let found = folder.json("build t.csv --group kind --identify objects --missing answer --quiet");
    assert_eq!(found["instance"]["identify"], "objects");
    assert_eq!(found["instance"]["groups"], 6);
}

#[test]
fn numbers_become_thresholds_or_ranges() {
    let folder = Folder::with(&[("t.csv", "o,kg\na,1\nb,2\nc,4\nd,8\n")]);
    let found = folder.json("build t.csv --numeric thresholds");
    assert_eq!(found["instance"]["tests"], 3);
    assert_eq!(notation(&found["tree"]), "kg > 3(no:kg > 1.5(no:{a} yes:{b}) yes:kg > 6(no:{c} yes:{d}))");
    assert_close(&found["cost"]["expected"], 2.0);
    let found = folder.json("build t.csv --numeric bins:2 --quiet");
    assert_eq!(found["instance"]["tests"], 1);
    assert_eq!(found["tree"]["answers"].as_object().unwrap().len(), 2);
    assert_eq!(found["inseparable"], json!([["a", "b"], ["c", "d"]]));
    let found = folder.json("build t.csv --numeric exact");
    assert_eq!(found["tree"]["answers"].as_object().unwrap().len(), 4);
    let rows: String = (0..13).map(|number| format!("o{number},{number}\n")).collect();
    folder.write("many.csv", format!("o,kg\n{rows}"));
    let run = folder.call("build many.csv").ok("many");
    assert!(run.warnings().is_empty(), "{}", run.err);
    assert!(run.err.contains("`kg` became 12 yes/no questions such as `kg > 0.5`"), "{}", run.err);
    let run = folder.call("build many.csv --numeric exact").ok("many");
    assert_eq!(run.warnings().len(), 1);
    assert!(run.err.contains("`kg` (13 values)") && run.err.contains("--numeric thresholds"), "{}", run.err);
}

#[test]
fn a_table_alone_is_built_and_help_is_a_command() {
    let folder = Folder::with(&[("t.csv", "o,a\nx,0\ny,1\n")]);
    assert_eq!(folder.out("t.csv"), folder.out("build t.csv"));
    assert!(folder.out("help build").contains("--max-worst"));
    let run = folder.call("biuld t.csv");
    assert!(run.code == Some(2) && run.err.contains("'build'"), "{}", run.err);
    assert_eq!(folder.call("no.csv").refusal(2, &["no.csv", "no such file"]), None);
}

#[test]
fn a_strategy_that_decides_by_gaps_is_warned_of() {
    let folder = Folder::with(&[("t.csv", "o,group,a\nx,p,\ny,q,1\nz,q,1\nu,p,\n")]);
    let run = folder.call("build t.csv").ok("gaps");
    assert!(run.out.contains("not recorded: p"), "{}", run.out);
    assert!(run.warnings()[0].contains("`not recorded` with these probabilities: `a` 50 %"), "{}", run.err);
    let found = folder.json("build t.csv --missing answer");
    assert!(found["tree"]["answers"]["not recorded"]["groups"] == json!(["p"]));
    assert_eq!(folder.json("inspect t.csv")["tests"][0]["gaps"], 2);
    // Read as it stands, a gap keeps its sign.
    let found = folder.json("build t.csv --missing answer --verbatim");
    assert!(found["tree"]["answers"]["?"]["groups"] == json!(["p"]));
    // An answer of that name is another answer.
    folder.write("u.csv", "o,group,a\nx,p,\ny,q,not recorded\nz,r,1\n");
    let found = folder.json("build u.csv --missing answer");
    assert!(found["tree"]["answers"]["not recorded (empty)"]["groups"] == json!(["p"]));
}

#[test]
fn a_table_whose_tests_cannot_tell_groups_apart_claims_no_proof() {
    let folder = Folder::with(&[("t.csv", "o,group,a\nx,p,1\ny,q,1\n")]);
    let out = folder.out("build t.csv");
    assert!(out.contains("No questions: these tests cannot tell the groups apart."), "{out}");
    assert!(!out.contains("proved"), "{out}");
}

#[test]
fn objects_without_a_prior_get_the_median() {
    let folder = Folder::with(&[("t.csv", "o,prior,a\nx,1,0\ny,,1\nz,5,2\nu,NA,3\nv,9,4\n")]);
    let run = folder.call("build t.csv --algorithm gbs").ok("priors");
    assert!(run.warnings()[0].contains("2 objects have no number in `prior`"), "{}", run.err);
    assert!(run.out.contains("y  20 %") && run.out.contains("u  20 %"), "{}", run.out);
    let run = folder.call("build t.csv --verbatim");
    assert_eq!(run.refusal(2, &["row 3, column `prior`", "`y` has no prior"]), None);
    folder.write("u.csv", "o,prior,a\nx,1,0\ny,often,1\n");
    assert_eq!(folder.call("build u.csv").refusal(2, &["row 3, column `prior`", "prior `often`"]), None);
}

#[test]
fn objects_that_no_test_tells_apart_are_named() {
    let folder = Folder::with(&[("t.csv", "o,group,a\nx,power,0\ny,fuse,0\nz,cable,1\nu,cable,1\n")]);
    let run = folder.call("build t.csv").ok("t");
    let warning = "warning: t.csv: 1 set of objects cannot be told apart by the tests; the first is `x`, `y`; \
                   `fewest inspect` lists them\n";
    assert_eq!(run.err, warning);
    assert!(run.out.contains("power or fuse"), "{}", run.out);
    let found = folder.json("build t.csv");
    // `z` and `u` are of one group, so they need not be told apart.
    assert_eq!(found["inseparable"], json!([["x", "y"]]));
    assert_eq!(found["tree"]["answers"]["0"]["groups"], json!(["power", "fuse"]));
    assert_eq!(found["instance"]["groups"], 2);
    assert_eq!(folder.json("inspect t.csv")["inseparable"], json!([["x", "y"]]));
    // A leaf that names one of two objects that no test tells apart must name the other.
    folder.write(
        "plan.json",
        folder.out("build t.csv --json").replace("[\"x\",\"y\"],\"weight", "[\"x\"],\"weight"),
    );
    let run = folder.call("check t.csv plan.json --quiet");
    assert_eq!(run.refusal(1, &["plan.json: refused", "names `x` but not `y`"]), None);
    assert_eq!(folder.json("build t.csv --identify objects")["inseparable"], json!([["x", "y"], ["z", "u"]]));
}
