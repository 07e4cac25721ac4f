//! Items 3b to 3d: a claim without its proof is not verified, and every field is recomputed or listed as not
//! verified.

use crate::common::Folder;
use serde_json::{Value, json};

/// Folder with a table whose best bound needs a proof.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.out("generate random --objects 16 --tests 12 --density 0.2 --seed 3 --output t.csv");
    folder.out("generate dyadic --objects 8 --output dyadic.csv");
    folder
}

fn plan(folder: &Folder, line: &str) -> Value {
    folder.call(&format!("{line} --output plan.json")).ok(line);
    serde_json::from_str(&folder.read("plan.json")).unwrap()
}

#[test]
fn issue_21_item_3_a_claim_without_its_proof_is_not_verified() {
    let folder = folder();
    let mut altered = plan(&folder, "build t.csv");
    assert_eq!(altered["optimal"], true);
    altered.as_object_mut().unwrap().remove("certificate");
    folder.write("bare.json", altered.to_string());
    let run = folder.call("check t.csv bare.json");
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("bare.json: not proved: it says that no strategy costs less than"),
        "{}",
        run.err
    );
    assert!(run.err.contains("and that it is the best possible"), "{}", run.err);
    assert!(
        run.out
            .starts_with("bare.json: the tree and its costs are verified against t.csv, and nothing else\n")
    );
    assert!(!run.out.contains("this one is the best possible"), "{}", run.out);
    let run = folder.call("check t.csv bare.json --json");
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &found["verified"]), (Some(1), &json!(false)));
    assert_eq!(found["unproved"], json!(["lower_bound", "gap", "optimal", "stop"]));
    assert_eq!(found["checked"], json!({"tree": true, "costs": true, "bound": null}));
    // With `--tree-only` only the tree is verified, and the rest is listed as not proved.
    let text = folder.out("check t.csv bare.json --tree-only");
    assert!(text.contains("\nnot proved: lower_bound, gap, optimal, stop: it says"), "{text}");
    let found = folder.json("check t.csv bare.json --tree-only");
    assert_eq!((&found["verified"], &found["unproved"][0]), (&json!(true), &json!("lower_bound")));
}

#[test]
fn issue_21_item_3_a_bound_that_the_table_shows_needs_no_proof() {
    let folder = folder();
    // Huffman's code is the optimum where all splits are tests; the greedy tree reaches it.
    folder.out("generate subsets --objects 5 --delta 1 --output s.csv");
    let mut altered = plan(&folder, "build s.csv --algorithm gbs");
    altered.as_object_mut().unwrap().remove("certificate");
    folder.write("bare.json", altered.to_string());
    let text = folder.out("check s.csv bare.json");
    assert!(text.contains("(worked out again from the table)"), "{text}");
}

#[test]
fn issue_21_item_3_a_cap_that_is_deleted_leaves_no_claim() {
    let folder = folder();
    let capped = plan(&folder, "build dyadic.csv --max-worst 4");
    let free = folder.json("build dyadic.csv");
    assert!(capped["cost"]["expected"].as_f64() > free["cost"]["expected"].as_f64());
    folder.out("check dyadic.csv plan.json");
    let mut altered = capped.clone();
    altered.as_object_mut().unwrap().remove("max_worst");
    folder.write("altered.json", altered.to_string());
    let run = folder.call("check dyadic.csv altered.json");
    assert!(run.code == Some(1) && run.err.contains("not proved"), "{}{}", run.out, run.err);
    altered["max_worst"] = json!(5);
    folder.write("altered.json", altered.to_string());
    assert_eq!(folder.call("check dyadic.csv altered.json").code, Some(1));
    altered["max_worst"] = json!(3);
    folder.write("altered.json", altered.to_string());
    let run = folder.call("check dyadic.csv altered.json");
    assert_eq!(run.refusal(1, &["it is said to cost at most 3 at worst, but it costs 4"]), None);
}

#[test]
fn issue_21_item_3_gap_optimal_and_stop_are_recomputed() {
    let folder = folder();
    let good = plan(&folder, "build t.csv");
    for (field, value, says) in [
        ("gap", json!(0.5), "the gap between its cost and its lower bound is 0, not 0.5 as it says"),
        ("gap", json!("inf"), "not inf as it says"),
        ("optimal", json!(false), "ended with a proof, and also that it is not optimal"),
        ("stop", json!("time"), "ended without a proof, and also that it is optimal"),
        ("inseparable", json!([["o1", "o2"]]), "it lists 1 sets of objects that no test tells apart"),
    ] {
        let mut altered = good.clone();
        altered[field] = value;
        folder.write("altered.json", altered.to_string());
        let run = folder.call("check t.csv altered.json");
        assert_eq!(run.refusal(1, &["altered.json: refused: ", says]), None, "{field}");
    }
    // The time and the algorithm cannot be verified from the file.
    let found = folder.json("check t.csv plan.json");
    let fields = found["not_verified"].as_array().unwrap();
    for field in ["algorithm", "settings", "elapsed_ms", "lower_bound.by"] {
        assert!(fields.contains(&json!(field)), "{field}: {found}");
    }
    let text = folder.out("check t.csv plan.json");
    assert!(text.contains("\nnot verified: algorithm, lower_bound.by, settings, elapsed_ms\n"), "{text}");
    // Unknown fields are named as well.
    let mut altered = good.clone();
    altered["award"] = json!("best in show");
    altered["tree"]["colour"] = json!("red");
    folder.write("altered.json", altered.to_string());
    let found = folder.json("check t.csv altered.json");
    for field in ["award", "tree.colour"] {
        assert!(found["not_verified"].as_array().unwrap().contains(&json!(field)), "{found}");
    }
}

#[test]
fn issue_21_item_3_a_large_table_gets_an_honest_answer() {
    let folder = Folder::new();
    folder.out("generate random --objects 300 --tests 60 --density 0.1 --seed 1 --output t.csv");
    let found = folder.json("build t.csv --time 500ms --output plan.json");
    assert_eq!(found["optimal"], false);
    let run = folder.call("check t.csv plan.json");
    match run.code {
        // Proved after all: then the bound is printed with its reason.
        Some(0) => assert!(run.out.contains("no strategy costs less than"), "{}", run.out),
        code => {
            assert_eq!(code, Some(1), "{}", run.err);
            assert!(run.err.contains("not proved") && run.err.contains("--tree-only"), "{}", run.err);
        }
    }
    folder.out("check t.csv plan.json --tree-only");
}
