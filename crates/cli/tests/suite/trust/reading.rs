//! Item 3a: a check reports how the table was read before anything else.

use crate::common::Folder;
use serde_json::{Value, json};

/// Two questions for each object, the first of them `good`. Without it the objects are asked for one after the other,
/// which takes (1 + 2 + 3 + 3) / 4 = 2.25. `e` has no information.
const TABLE: &str = "object,good,b,c,d,e\na,0,0,1,0,1\nb,0,1,0,0,1\nc,1,0,0,1,1\nd,1,0,0,0,1\n";

#[test]
fn issue_21_item_3_a_reading_that_leaves_out_a_test_is_told_first() {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    assert_eq!(folder.json("build t.csv")["cost"]["expected"], json!(2));
    folder.out("build t.csv --ignore good --output plan.json --certificate proof.json");
    for (file, what) in [("plan.json", "strategy"), ("proof.json", "certificate")] {
        let text = folder.out(&format!("check t.csv {file}"));
        let first = text.lines().next().unwrap();
        assert_eq!(
            first,
            format!(
                "this {what} was made from a reading of the table that leaves out the test `good` (--ignore good); what \
                 follows holds for that reading"
            )
        );
        assert!(text.contains("no strategy costs less than 2.25 on average"), "{text}");
        assert_eq!(text.contains("best possible of that reading\n"), what == "strategy", "{text}");
        let found = folder.json(&format!("check t.csv {file}"));
        assert_eq!(found["reading"]["differs"], true);
        assert_eq!(found["reading"]["left_out"]["tests"], json!(["good"]));
        assert_eq!(found["reading"]["from_file"], json!(["--ignore good"]));
        // The user's own reading is the plain one: there, neither holds.
        let run = folder.call(&format!("check t.csv {file} --own-reading"));
        assert_eq!(run.code, Some(1), "{}", run.out);
        // Given on the command line, the reading is the user's own.
        let found = folder.json(&format!("check t.csv {file} --ignore good"));
        assert_eq!((&found["reading"]["differs"], &found["verified"]), (&json!(false), &json!(true)));
    }
    folder.out("build t.csv --output plain.json");
    let text = folder.out("check t.csv plain.json");
    assert!(text.starts_with("plain.json: verified against t.csv\n"), "{text}");
    assert!(text.ends_with(": this one is the best possible\n"), "{text}");
    assert_eq!(folder.json("check t.csv plain.json")["reading"]["differs"], false);
}

#[test]
fn issue_21_item_3_priors_groups_tests_and_cells_are_told_too() {
    let table = "object,group,kind,prior,w,t,u,v\n1,a,x,1,3,0,0,?\n2,a,y,1,1,0,1,1\n3,b,x,2,1,1,0,1\n4,b,y,4,1,1,1,0\n";
    let folder = Folder::with(&[("t.csv", table)]);
    for (options, says, field) in [
        ("--prior w --missing answer", "takes other priors", "/reading/left_out/priors"),
        ("--identify objects --missing answer", "leaves out the groups", "/reading/left_out/groups"),
        ("--group kind --tests t,u", "`v`", "/reading/left_out/tests/0"),
        ("--missing any", "--missing any", "/reading/from_file/0"),
    ] {
        folder.call(&format!("build t.csv {options} --output plan.json --quiet")).ok(options);
        let text = folder.call("check t.csv plan.json --quiet").ok(options).out;
        let first = text.lines().next().unwrap();
        assert!(first.starts_with("this strategy was made from a reading") && first.contains(says), "{text}");
        let found = folder.json("check t.csv plan.json --quiet");
        let told = found.pointer(field).unwrap();
        assert!(found["reading"]["differs"] == true && *told != Value::Bool(false), "{options}: {found}");
        let found = folder.json(&format!("check t.csv plan.json --quiet {options}"));
        assert_eq!(found["reading"]["differs"], false, "{options}: {found}");
    }
}

#[test]
fn issue_21_item_3_costs_are_compared_and_told() {
    let folder = Folder::with(&[
        ("t.csv", TABLE),
        ("costs.csv", "test,cost\ngood,9\n"),
        ("two.csv", "test,cost\nb,2\n"),
    ]);
    // `good` is too expensive to be asked, so that no question of the tree shows its cost.
    folder.out("build t.csv --costs costs.csv --output plan.json");
    assert!(!folder.read("plan.json").contains("\"ask\":\"good\""));
    let told = "was made with other costs (`good` 9 there, 1 here)";
    let run = folder.call("check t.csv plan.json");
    assert!(run.code == Some(1) && run.err.contains(told), "{}{}", run.out, run.err);
    let text = folder.out("check t.csv plan.json --tree-only");
    assert!(text.lines().next().unwrap().contains(told), "{text}");
    let found = folder.json("check t.csv plan.json --tree-only");
    assert_eq!(found["reading"]["left_out"]["costs"], json!([{"test": "good", "file": 9, "here": 1}]));
    let found = folder.json("check t.csv plan.json --costs costs.csv");
    assert_eq!((&found["reading"]["differs"], &found["verified"]), (&json!(false), &json!(true)));
    let run = folder.call("check t.csv plan.json --costs two.csv");
    assert!(run.code == Some(1) && run.err.contains("`good` 9 there, 1 here"), "{}", run.err);
}

#[test]
fn issue_21_item_3_what_the_call_says_counts_and_is_told() {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    folder.out("build t.csv --ignore b --output plan.json");
    let text = folder.out("check t.csv plan.json --ignore e");
    assert!(
        text.starts_with("this strategy was made with --ignore b; the table is read as the options here say")
    );
    let found = folder.json("check t.csv plan.json --ignore e");
    assert_eq!(found["reading"]["overruled"], json!(["--ignore b"]));
}
