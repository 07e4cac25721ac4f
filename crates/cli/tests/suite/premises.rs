//! Tests that may not be asked everywhere, tools, intervals and nested groups, on the command line.

use crate::common::{Folder, report};
use serde_json::{Value, json};

const INSECTS: &str = include_str!("../../../../examples/insects.csv");

/// Without open cells: what can be proved.
const CLOSED: &str = "o,wings,pairs,jumps\n@if,,wings=yes,\n@needs,,,net; lens\nbee,yes,2,no\nfly,yes,1,no\nant,no,-,no\nflea,no,-,yes\n";

fn folder() -> Folder {
    Folder::with(&[("insects.csv", INSECTS), ("t.csv", CLOSED)])
}

/// Tests asked in a tree in JSON, with the answers before each.
fn questions(node: &Value, before: &[(String, String)], found: &mut Vec<(String, Vec<(String, String)>)>) {
    let Some(answers) = node["answers"].as_object() else { return };
    let test = node["ask"].as_str().unwrap().to_owned();
    found.push((test.clone(), before.to_vec()));
    for (answer, child) in answers {
        questions(child, &[before, &[(test.clone(), answer.clone())]].concat(), found);
    }
}

#[test]
fn the_example_asks_for_wings_before_what_depends_on_them() {
    let folder = folder();
    let plan = folder.json("build insects.csv --without ruler");
    assert_eq!(plan["instance"]["conditional"], json!(3));
    let mut found = Vec::new();
    questions(&plan["tree"], &[], &mut found);
    assert!(found.iter().any(|(test, _)| test == "wingless body"));
    for (test, before) in &found {
        let said = |test: &str, answer: &str| before.contains(&(test.to_owned(), answer.to_owned()));
        match test.as_str() {
            "pairs of wings" => assert!(said("wings", "yes")),
            "front wings" => assert!(said("wings", "yes") && said("pairs of wings", "2")),
            "wingless body" => assert!(said("wings", "no")),
            "body length" => panic!("there is no ruler"),
            _ => {}
        }
    }
    // Without the stings, every cell is known, and the best strategy is proved.
    let args = ["build", "insects.csv", "--without", "ruler,hand lens", "--json"];
    let proved: Value = serde_json::from_str(&folder.run(&args).ok("build").out).unwrap();
    assert_eq!((&proved["optimal"], &proved["gap"]), (&json!(true), &json!(0)));
}

#[test]
fn strategies_are_saved_checked_and_refused() {
    let folder = folder();
    folder.call("build t.csv -o plan.json --certificate proof.json").ok("build");
    let text = folder.out("check t.csv plan.json");
    assert!(text.contains("this one is the best possible"), "{text}");
    assert!(folder.out("check t.csv proof.json").contains("no strategy costs less than 2 on average"));
    let leaf = |name: &str| json!({"objects": [name], "groups": [name], "weight": 0.25});
    let ask = |test: &str, weight: f64, answers: Value| json!({"ask": test, "cost": 1, "weight": weight, "answers": answers});
    let winged = ask("wings", 0.5, json!({"yes": leaf("bee"), "no": leaf("ant")}));
    let two = ask("jumps", 0.75, json!({"no": winged, "yes": leaf("flea")}));
    let forged = ask("pairs", 1.0, json!({"2": two, "1": leaf("fly")}));
    let mut plan: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    plan["tree"] = forged;
    folder.write("forged.json", plan.to_string());
    let run = folder.call("check t.csv forged.json");
    assert_eq!(run.code, Some(1), "{}", run.err);
    let says = format!("{}{}", run.out, run.err);
    assert!(
        says.contains("test `pairs` is asked while object `ant` is possible, but it does not apply"),
        "{says}"
    );
}

#[test]
fn a_table_with_a_row_for_each_test_has_the_premises_in_a_column() {
    let folder = Folder::with(&[(
        "t.csv",
        "o,@if,@cost,bee,fly,ant,flea\nwings,,2,yes,yes,no,no\npairs,wings=yes,,2,1,-,-\njumps,,,no,no,no,yes\n",
    )]);
    let plan = folder.json("build t.csv --transpose");
    assert_eq!((&plan["instance"]["conditional"], &plan["cost"]["worst"]), (&json!(1), &json!(3)));
}

#[test]
fn premises_and_tools_may_stand_beside_the_table() {
    let table = "o,wings,pairs,jumps\nbee,yes,2,no\nfly,yes,1,no\nant,no,-,no\nflea,no,-,yes\n";
    let rules = "test,cost,if,needs\npairs,,wings=YES,\njumps,,,net\n";
    let folder = Folder::with(&[("t.csv", table), ("rules.csv", rules)]);
    // As an answer, `-` tells the ants from the bees at once.
    assert_eq!(folder.json("build t.csv")["instance"].get("conditional"), None);
    folder.call("build t.csv --costs rules.csv -o plan.json").ok("build");
    let text = folder.out("check t.csv plan.json");
    assert!(text.contains("premises (pairs only if wings=YES)") && text.contains("best possible"), "{text}");
    let without = folder.json("build t.csv --costs rules.csv --without NET");
    assert_eq!(without["instance"]["tests"], json!(2));
    assert_eq!(without["inseparable"], json!([["ant", "flea"]]));
    let asked = folder.call_with("ask t.csv --costs rules.csv --without net --json", b"no\n");
    let state: Value = serde_json::from_str(&asked.out).unwrap();
    assert_eq!((&state["possible"], &state["next"]), (&json!(2), &Value::Null), "{}", asked.out);
}

#[test]
fn every_command_keeps_to_the_premises() {
    let folder = folder();
    let rows = folder.json("compare t.csv")["rows"].clone();
    assert!(rows.as_array().unwrap().len() > 9);
    assert!(
        rows.as_array().unwrap().iter().all(|row| row["cost"]["expected"].as_f64().unwrap() >= 2.0),
        "{rows}"
    );
    assert_eq!(folder.json("front t.csv")["points"][0]["expected"], json!(2));
    assert_eq!(folder.json("simulate t.csv --runs 200")["accuracy"], json!(1));
    let best = &folder.json("bounds t.csv")["best"]["expected"]["value"];
    assert!(best.as_f64().unwrap() <= 2.0);
    let tests = folder.json("inspect t.csv")["tests"].clone();
    let pairs = tests.as_array().unwrap().iter().find(|test| test["name"] == "pairs").unwrap();
    assert_eq!((&pairs["inapplicable"], &pairs["entropy_bits"]), (&json!(2), &json!(1)));
    let text = folder.out("inspect t.csv");
    assert!(text.contains("applies to"), "{text}");
    // A volunteered answer says that the test applies.
    let state = folder.json("ask t.csv --given pairs=1");
    assert_eq!(state["candidates"][0]["objects"], json!(["fly"]));
}

#[test]
fn a_measured_length_may_be_an_interval() {
    let folder = folder();
    // A worker ant is 2 to 14 mm long, a head louse 2 to 3.
    let args = ["ask", "insects.csv", "--given", "wings=no", "--given", "body length=4", "--json"];
    let state: Value = serde_json::from_str(&folder.run(&args).ok("ask").out).unwrap();
    let objects: Vec<&Value> =
        state["candidates"].as_array().unwrap().iter().map(|one| &one["objects"][0]).collect();
    assert_eq!(objects, [&json!("worker ant")]);
}

#[test]
fn nested_groups_are_taken_at_the_level_that_is_chosen() {
    let text = "o,family,genus,size\nlion,cats,big,3\ntiger,cats,big,4\nlynx,cats,small,2\nwolf,dogs,big,5\n";
    let folder = Folder::with(&[("t.csv", text)]);
    for (options, groups) in [
        ("--group family/genus", 3),
        ("--group family/genus --group-rank genus", 3),
        ("--group family/genus --group-rank family", 2),
    ] {
        let plan = folder.json(&format!("build t.csv {options}"));
        assert_eq!((&plan["instance"]["groups"], &plan["instance"]["tests"]), (&json!(groups), &json!(1)));
        folder.call(&format!("build t.csv {options} -o plan.json")).ok(options);
        assert!(folder.out("check t.csv plan.json").contains("verified"));
    }
}

#[test]
fn mistakes_are_named_with_the_way_out() {
    let with =
        |rows: &str| format!("o,wings,pairs,jumps\n{rows}\nbee,yes,2,no\nfly,yes,1,yes\nant,no,-,no\n");
    let faults: Vec<String> = [
        ("@if,,wigs=yes,", "", &["row 2", "premise of `pairs`", "no test `wigs`; did you mean `wings`?"][..]),
        ("@if,,wings=ye,", "", &["no object answers `ye` to `wings`; did you mean `yes`?"]),
        ("@if,,wings,", "", &["`wings` is no premise; write `test=answer`"]),
        (
            "@if,pairs=2,wings=yes,",
            "",
            &["premise of `wings`", "needs an answer to `pairs`, which needs one to `wings`"],
        ),
        ("@if,,,jumps=no", "", &["premise of `jumps`: it needs its own answer"]),
        ("@needs,,lens,", "--without lans", &["--without `lans`", "did you mean `lens`?"]),
        ("@needs,,lens,", "--group-rank genus", &["--group-rank genus", "family/genus/species"]),
        ("@if,,wings=yes,", "--confirm", &["--confirm needs an answer of every object to every test"]),
        ("@iff,,wings=yes,", "", &["`@iff` is unknown", "`@if`"]),
    ]
    .into_iter()
    .filter_map(|(rows, options, says)| {
        let folder = Folder::with(&[("t.csv", &with(rows))]);
        let line = format!("build t.csv {options}");
        folder.call(line.trim()).refusal(2, says).map(|fault| format!("{rows} {options}: {fault}"))
    })
    .collect();
    report(&faults);
}
