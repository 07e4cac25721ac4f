//! Algorithms by name, and generated tables.

use super::{ALGORITHMS, assert_fields, examples, leaf_weight};
use crate::common::Folder;
use serde_json::json;

#[test]
fn every_algorithm_is_listed_and_can_be_chosen() {
    let folder = examples();
    let listed = folder.json("algorithms");
    let names: Vec<&str> = listed["algorithms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ALGORITHMS);
    let text = folder.out("algorithms");
    for entry in listed["algorithms"].as_array().unwrap() {
        assert_fields(entry, &["name", "summary", "paper", "guarantee", "lambda"]);
        for field in ["name", "summary", "paper"] {
            assert!(text.contains(entry[field].as_str().unwrap()), "{entry}");
        }
    }
    for name in names {
        let found = folder.json(&format!("build e4.csv --algorithm {name}"));
        assert_eq!(found["algorithm"], name);
    }
    let run = folder.call("build e1.csv --identify objects --algorithm gain-ratio").ok("gain-ratio");
    assert!(run.err.starts_with("warning: gain-ratio scores every test alike"), "{}", run.err);
}

#[test]
fn auto_keeps_the_best_of_all() {
    let folder = examples();
    for (objective, field) in [("expected", "expected"), ("worst", "worst")] {
        let table = "e4.csv --costs e4-costs.csv";
        let best =
            folder.json(&format!("build {table} --objective {objective}"))["cost"][field].as_f64().unwrap();
        for row in
            folder.json(&format!("compare {table} --objective {objective}"))["rows"].as_array().unwrap()
        {
            assert!(best <= row["cost"][field].as_f64().unwrap() + 1e-12, "{row}");
        }
    }
}

#[test]
fn generated_tables_are_the_same_for_the_same_seed_and_can_be_built() {
    let folder = Folder::new();
    let kinds = [
        "beta --objects 60 --tests 30 --groups 4 --beta-w 0.8 --beta-b 2 --delta 1",
        "beta --objects 20 --tests 30 --groups 0 --gamma-w 0.6,0.7",
        "random --objects 50 --tests 20 --answers 3 --groups 5 --costs 9",
        "random --objects 50 --tests 20 --density 0.2 --delta 0.5",
        "thresholds --objects 20 --delta 2",
        "set-cover --elements 25 --sets 12 --density 0.3 --extra 0.9 --costs 4",
        "dyadic --objects 20",
        "thresholds --n 4 --weights 5,0.25,0,1e3",
        "subsets --n 7 --delta 1",
        "subsets --objects 3 --weights 5,3,2",
        "singletons --n 8",
        "singletons --n 3 --weights 5,3,2 --costs 0.5,1,2",
        "sorting --n 4",
        "mastermind --pegs 2 --colors 4",
        "coins --n 5 --genuine",
    ];
    for kind in kinds {
        let table = folder.out(&format!("generate {kind} --seed 7"));
        assert_eq!(table, folder.out(&format!("generate {kind} --seed 7")), "{kind}");
        assert_eq!(table, folder.out(&format!("generate {kind} --seed 7 --threads 1")), "{kind}");
        let is_random = ["beta", "random", "set-cover", "subsets --n 7", "singletons --n 8"];
        if is_random.iter().any(|random| kind.starts_with(random)) {
            assert_ne!(table, folder.out(&format!("generate {kind} --seed 8")), "{kind}");
        }
        folder.out(&format!("generate {kind} --seed 7 --output t.csv"));
        assert_eq!(folder.read("t.csv"), table, "{kind}");
        folder.call("build t.csv --output plan.json").ok(kind);
        folder.call("check t.csv plan.json").ok(kind);
        let found = folder.json("build t.csv");
        assert!((leaf_weight(&found["tree"]) - 1.0).abs() < 1e-9, "{kind}");
    }
    // Sixteen objects on a line: the even split takes four questions.
    folder.out("generate thresholds --objects 16 --output t.csv");
    let found = folder.json("build t.csv");
    assert_eq!((&found["cost"]["expected"], &found["optimal"]), (&json!(4), &json!(true)));
}

#[test]
fn made_tables_read_back_as_the_families_that_they_are() {
    let folder = Folder::new();
    // Twelve coins: 24 cases in three weighings of three answers each, whose entropy no two weighings reach.
    folder.out("generate coins --n 12 --output coins.csv");
    let found = folder.json("bounds coins.csv");
    assert_eq!(found["instance"]["objects"], json!(24));
    assert_eq!(found["instance"]["tests"], json!(36_894));
    // Weights and costs come back through the reader: Huffman's code for 5, 3, 2 takes 1.5 questions, and the tests
    // for 5 at cost 0.5 and for 3 at cost 1 take 0.5 + 0.5 · 1.
    folder.out("generate subsets --n 3 --weights 5,3,2 --output t.csv");
    assert_eq!(folder.json("build t.csv")["cost"]["expected"], json!(1.5));
    folder.out("generate singletons --n 3 --weights 5,3,2 --costs 0.5,1,2 --output t.csv");
    assert_eq!(folder.json("build t.csv")["cost"]["expected"], json!(1));
}
