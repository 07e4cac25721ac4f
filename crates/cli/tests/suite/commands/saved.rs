//! Saved strategies: verified, drawn, altered.

use super::{E2, E4, E4_COSTS, MIXED, assert_cost, examples, notation};
use crate::common::{Folder, report};
use serde_json::{Value, json};

#[test]
fn a_saved_strategy_is_verified_and_drawn() {
    let folder = examples();
    let printed = folder.out("build e2.csv --output plan.json");
    assert!(printed.ends_with("\nSaved plan.json. Next: fewest check e2.csv plan.json\n"), "{printed}");
    let verified = folder.out("check e2.csv plan.json");
    assert!(verified.starts_with("plan.json: verified against e2.csv\n"), "{verified}");
    let found = folder.json("check e2.csv plan.json");
    assert_eq!(found["verified"], true);
    assert_cost(&found["cost"]);
    let tree = |text: &str| -> String { text.lines().skip(2).take_while(|line| !line.is_empty()).collect() };
    assert_eq!(tree(&folder.out("show plan.json")), tree(&printed));
    let piped = folder.call_with("show -", folder.read("plan.json").as_bytes()).ok("-");
    assert_eq!(tree(&piped.out), tree(&printed));
    assert_eq!(folder.json("show plan.json")["tree"], folder.json("build e2.csv")["tree"]);
    let stdin = folder.call_with("build - --output piped.json", E2.as_bytes()).ok("-");
    assert!(stdin.out.ends_with("\nSaved piped.json. Next: fewest check - piped.json\n"), "{}", stdin.out);
    let same = folder.call_with("check - piped.json", E2.as_bytes()).ok("check -");
    assert!(same.out.contains("verified against standard input"), "{}", same.out);
    // The saved document is the printed one, with the options for reading the table.
    let mut saved: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    saved.as_object_mut().unwrap().remove("reading").unwrap();
    saved.as_object_mut().unwrap().remove("certificate").unwrap();
    let mut json = folder.json("build e2.csv");
    json["elapsed_ms"] = saved["elapsed_ms"].clone();
    assert_eq!(saved, json);
}

#[test]
fn a_saved_strategy_remembers_how_its_table_was_read() {
    let folder = Folder::with(&[
        ("t.csv", MIXED),
        ("costs.csv", "test,cost\nlegs,3\n"),
        ("names.txt", "legs\ncolour\n"),
    ]);
    let options = [
        "--missing answer --numeric thresholds --identify objects --ignore note",
        "--missing answer --numeric bins:3 --group kind",
        "--missing answer --group kind --prior weight",
        "--object note --ignore colour",
        "--missing answer --group kind --tests legs,colour",
        "--missing answer --group kind --tests names.txt",
        "--tests legs",
    ];
    for options in options {
        folder.call(&format!("build t.csv {options} --output plan.json")).ok(options);
        let run = folder.call("check t.csv plan.json").ok(options);
        assert!(run.out.contains("verified against t.csv"), "{options}: {}", run.out);
        folder.call("show plan.json").ok(options);
    }
    // Costs are not taken from the file, as each question has its own: without them the check says why it refuses.
    folder.call("build t.csv --tests legs --costs costs.csv --output plan.json").ok("costs");
    let run = folder.call("check t.csv plan.json --quiet");
    assert_eq!(run.refusal(1, &["plan.json: refused", "`legs` costs 3", "--costs"]), None);
    folder.call("check t.csv plan.json --costs costs.csv").ok("costs");
}

type Change = fn(&mut Value);

/// Changes to a good strategy, and the message of the check about each.
const CHANGES: &[(&str, Change, &[&str])] = &[
    (
        "a lower expected cost",
        |plan| plan["cost"]["expected"] = json!(2.5),
        &["the expected cost is 2.6", "2.5"],
    ),
    ("a lower worst cost", |plan| plan["cost"]["worst"] = json!(2), &["the worst cost is 3", "2"]),
    (
        "a lower exponential cost",
        |plan| plan["cost"]["exponential"]["value"] = json!(2.6),
        &["exponential cost", "2.6"],
    ),
    (
        "another lambda",
        |plan| plan["cost"]["exponential"]["lambda"] = json!(3),
        &["exponential cost", "λ = 3"],
    ),
    ("no lambda", |plan| plan["cost"]["exponential"]["lambda"] = json!(0.5), &["λ"]),
    ("an infinite cost", |plan| plan["cost"]["worst"] = json!("inf"), &["the worst cost is 3", "inf"]),
    (
        "a moved object",
        |plan| {
            plan["tree"]["answers"]["g"]["objects"] = json!(["c"]);
            plan["tree"]["answers"]["b"]["objects"] = json!(["e", "d"]);
        },
        &["`d`"],
    ),
    (
        "two objects that changed places",
        |plan| {
            plan["tree"]["answers"]["b"] = json!({"groups": ["Q"], "objects": ["d"], "weight": 0.1});
            plan["tree"]["answers"]["g"] = json!({"groups": ["R"], "objects": ["e"], "weight": 0.1});
        },
        &["weight"],
    ),
    (
        "an object twice",
        |plan| plan["tree"]["answers"]["b"]["objects"] = json!(["e", "e"]),
        &["`e`", "twice"],
    ),
    (
        "an unknown object",
        |plan| plan["tree"]["answers"]["b"]["objects"] = json!(["g"]),
        &["`g`", "not in the table"],
    ),
    (
        "a lost twin",
        |plan| plan["tree"]["answers"]["r"]["answers"]["S"]["objects"] = json!(["a"]),
        &["weight"],
    ),
    (
        "an empty leaf",
        |plan| plan["tree"]["answers"]["b"]["objects"] = json!([]),
        &["a leaf without objects"],
    ),
    (
        "a wrong weight",
        |plan| plan["tree"]["answers"]["b"]["weight"] = json!(0.2),
        &["`e`", "weight 0.2", "0.1"],
    ),
    ("a wrong weight of a question", |plan| plan["tree"]["weight"] = json!(0.9), &["`color`", "weight 0.9"]),
    (
        "swapped answers",
        |plan| {
            let answers = &mut plan["tree"]["answers"];
            let (g, b) = (answers["g"].take(), answers["b"].take());
            answers["g"] = b;
            answers["b"] = g;
        },
        &["object `"],
    ),
    (
        "a dropped branch",
        |plan| drop(plan["tree"]["answers"].as_object_mut().unwrap().remove("b").unwrap()),
        &["weight"],
    ),
    (
        "a dropped branch of no weight",
        |plan| {
            let leaf = plan["tree"]["answers"]["r"]["answers"]["S"].take();
            plan["tree"]["answers"]["r"] = leaf;
        },
        &["`f`"],
    ),
    ("a renamed group", |plan| plan["tree"]["answers"]["b"]["groups"] = json!(["P"]), &["`e`", "`P`", "`R`"]),
    (
        "a second group",
        |plan| plan["tree"]["answers"]["b"]["groups"] = json!(["R", "P"]),
        &["`e`", "`R or P`"],
    ),
    ("no group", |plan| plan["tree"]["answers"]["b"]["groups"] = json!([]), &["`e`", "no group"]),
    (
        "a cheaper test",
        |plan| plan["tree"]["cost"] = json!(1),
        &["`color` costs 1", "the table says 2", "--costs"],
    ),
    ("an unknown test", |plan| plan["tree"]["ask"] = json!("colour"), &["`colour`", "no test of the table"]),
    ("another test", |plan| plan["tree"]["ask"] = json!("shape"), &["costs 2", "1.5"]),
    (
        "an unknown answer",
        |plan| {
            let leaf = plan["tree"]["answers"]["b"].take();
            plan["tree"]["answers"].as_object_mut().unwrap().remove("b");
            plan["tree"]["answers"]["blue"] = leaf;
        },
        &["`blue`", "`color`", "no object gives"],
    ),
    ("a question without answers", |plan| plan["tree"]["answers"] = json!({}), &["weight"]),
    (
        "a needless question",
        |plan| {
            let leaf = plan["tree"]["answers"]["g"].clone();
            let half =
                |object: &str, weight: f64| json!({"groups": ["Q"], "objects": [object], "weight": weight});
            plan["tree"]["answers"]["g"] = json!({"ask": "size", "cost": 1, "weight": leaf["weight"],
                "answers": {"S": half("c", 0.2), "L": half("d", 0.1)}});
        },
        &["`size`", "only group `Q` is left"],
    ),
];

#[test]
fn an_altered_strategy_is_refused_with_the_reason() {
    let folder = Folder::with(&[("e4.csv", E4), ("costs.csv", E4_COSTS)]);
    folder.out("build e4.csv --costs costs.csv --algorithm ggbs --output plan.json");
    let good: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    assert_eq!(notation(&good["tree"]), "color(b:{e} g:{c,d} r:size(L:{f} S:{a,b}))");
    let mut faults = Vec::new();
    for (name, change, says) in CHANGES {
        let mut plan = good.clone();
        change(&mut plan);
        assert_ne!(plan, good, "{name}");
        folder.write("altered.json", plan.to_string());
        let says: Vec<&str> = ["error: altered.json: refused: "].iter().chain(*says).copied().collect();
        let run = folder.call("check e4.csv altered.json --costs costs.csv");
        faults.extend(run.refusal(1, &says).map(|fault| format!("{name}: {fault}")));
        let run = folder.call("check e4.csv altered.json --costs costs.csv --json");
        let told: Value = serde_json::from_str(&run.out).unwrap();
        assert!(
            run.code == Some(1) && told["verified"] == false && told["reason"].is_string(),
            "{name}: {told}"
        );
        // A strategy that fits no table can still be drawn.
        assert_eq!(folder.call("show altered.json").code, Some(0), "{name}");
    }
    report(&faults);
    // Another table is refused as well.
    folder.write("e4.csv", E4.replace("e,R,0.1,b,L,x", "e,R,0.1,g,L,x"));
    let run = folder.call("check e4.csv plan.json --costs costs.csv");
    assert_eq!(run.code, Some(1), "{}", run.err);
}
