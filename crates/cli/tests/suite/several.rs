//! `--missing any` and `--several`: cells that allow several answers.

use crate::common::Folder;
use serde_json::{Value, json};

/// In test `t`, objects a and d may give several answers; `u` tells a and b from c and d.
const OPEN: &str = "o,group,t,u\na,x,0|1,0\nb,y,0,0\nc,z,1,1\nd,z,?,1\n";
const READ: &str = "--missing any --several |";

/// Leaves of a tree in JSON.
fn leaves(node: &Value) -> Vec<&Value> {
    match node["answers"].as_object() {
        None => vec![node],
        Some(answers) => answers.values().flat_map(leaves).collect(),
    }
}

#[test]
fn an_object_ends_wherever_its_answers_lead() {
    let folder = Folder::with(&[("t.csv", OPEN)]);
    let found = folder.json(&format!("build t.csv {READ}"));
    // u separates {a, b} from {c, d}; then t: answer 0 is a's (1/2) or b's, answer 1 is a's.
    assert_eq!(found["cost"]["expected"], json!(1.5));
    assert_eq!(found["cost"]["worst"], json!(2));
    assert_eq!(found["lower_bound"], json!({"value": 1, "by": "shannon"}));
    assert_eq!((&found["stop"], &found["optimal"]), (&json!("complete"), &json!(false)));
    assert_eq!(found.get("unfinished"), None);
    let open: Vec<&Value> = leaves(&found["tree"]);
    let groups: Vec<&Value> = open.iter().map(|leaf| &leaf["groups"]).collect();
    assert_eq!(groups, [&json!(["x", "y"]), &json!(["x"]), &json!(["z"])]);
    let weights: Vec<f64> = open.iter().map(|leaf| leaf["weight"].as_f64().unwrap()).collect();
    assert_eq!(weights, [0.375, 0.125, 0.5]);
}

#[test]
fn a_saved_strategy_is_shown_and_checked_and_altered_ones_are_refused() {
    let folder = Folder::with(&[("t.csv", OPEN)]);
    folder.call(&format!("build t.csv {READ} --output plan.json")).ok("build");
    // The options for reading the table are in the file.
    let text = folder.out("check t.csv plan.json");
    assert!(text.contains("by each answer that it may give") && text.contains("expected 1.5"), "{text}");
    assert!(
        folder.out("show plan.json").contains("no: x or y  2 objects, 38 %"),
        "{}",
        folder.out("show plan.json")
    );
    let plan = folder.read("plan.json");
    for (from, to, says) in [
        (
            "\"groups\":[\"x\",\"y\"]",
            "\"groups\":[\"y\"]",
            "names `y`, but the groups of its objects are `x or y`",
        ),
        ("\"weight\":0.125", "\"weight\":0.25", "the table gives 0.125"),
        ("[\"a\",\"b\"]", "[\"b\"]", "names `x or y`, but the groups of its objects are `y`"),
        ("{\"value\":1,\"by\"", "{\"value\":1.2,\"by\"", "show 1 only"),
    ] {
        assert!(plan.contains(from), "{from}: {plan}");
        folder.write("bad.json", plan.replacen(from, to, 1));
        assert_eq!(folder.call("check t.csv bad.json").refusal(1, &["refused", says]), None, "{from}");
    }
    let cut = r#""tree": {"groups":["x","y","z"],"objects":["a","b","c","d"],"weight":1}
}"#;
    let start = plan.find("\"tree\"").unwrap();
    folder.write("bad.json", format!("{}{cut}", &plan[..start]));
    let says = ["refused", "end in one leaf, but `t` was not asked there"];
    assert_eq!(folder.call("check t.csv bad.json").refusal(1, &says), None);
}

#[test]
fn every_command_reads_open_cells_or_says_why_not() {
    let folder = Folder::with(&[("t.csv", OPEN)]);
    for command in
        ["build", "compare", "inspect", "bounds", "build --report", "build --objective exponential --report"]
    {
        let (command, options) = command.split_once(' ').unwrap_or((command, ""));
        let line = format!("{command} t.csv {READ} {options}");
        folder.call(line.trim()).ok(&line);
        folder.call(&format!("{} --json", line.trim())).ok(&line);
    }
    let inspected = folder.out(&format!("inspect t.csv {READ}"));
    assert!(
        inspected.contains("With all tests, 2 sets of objects can be told apart with certainty"),
        "{inspected}"
    );
    let refused: &[(&str, &[&str])] = &[
        ("front", &["`fewest front` needs one answer in every cell"]),
        ("build --algorithm optimal", &["--algorithm optimal needs one answer", "ggbs"]),
        ("build --algorithm dectree", &["--algorithm dectree needs one answer"]),
        ("build --certificate c.json", &["--certificate needs one answer in every cell"]),
        ("build --identify objects --confirm", &["--confirm needs one answer in every cell"]),
    ];
    for (command, says) in refused {
        let (command, options) = command.split_once(' ').unwrap_or((command, ""));
        let line = format!("{command} t.csv {READ} {options}");
        assert_eq!(folder.call(line.trim()).refusal(2, says), None, "{line}");
    }
    assert_eq!(folder.names(), ["t.csv"]);
    let run = folder.run(&["build", "t.csv", "--several", ""]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn a_tree_that_is_too_large_says_what_it_leaves_open() {
    // Every object has one answer to only one test, so all are compatible, and each question leaves all others on
    // both sides.
    let mut table = "o".to_owned();
    (0..24).for_each(|test| table += &format!(",t{test}"));
    for object in 0..24 {
        table += &format!("\no{object}");
        (0..24).for_each(|test| {
            table += if test == object {
                ",1"
            } else if test == (object + 1) % 24 {
                ",0"
            } else {
                ","
            }
        });
    }
    let folder = Folder::with(&[("t.csv", &(table + "\n"))]);
    let line = "build t.csv --missing any --algorithm ggbs --time 1s --output plan.json";
    let text = folder.out(line);
    assert!(text.contains("Not finished") && text.contains("could be asked further"), "{text}");
    let found: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    assert!(found["unfinished"]["weight"].as_f64().unwrap() > 0.0, "{}", found["unfinished"]);
    assert!(found["stop"] == "nodes" || found["stop"] == "time");
    assert!(folder.out("check t.csv plan.json").contains("not finished"));
    // Without the option such a table is refused.
    let plan = folder.read("plan.json");
    let start = plan.find("  \"unfinished\"").unwrap();
    let end = start + plan[start..].find('\n').unwrap() + 1;
    folder.write("bad.json", format!("{}{}", &plan[..start], &plan[end..]));
    assert_eq!(folder.call("check t.csv bad.json").refusal(1, &["refused", "end in one leaf"]), None);
}
