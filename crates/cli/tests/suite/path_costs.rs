//! Costs that depend on the path, from files and rows to saved strategies: set-ups that tests share, costs by answer.

use crate::common::{Folder, report};

/// Four objects; `iron` and `sugar` tell them apart together, `pain` tells as much as `iron`.
const TABLE: &str = "object,iron,sugar,pain\na,low,low,yes\nb,low,high,yes\nc,high,low,no\nd,high,high,no\n";
/// Blood is drawn once for 5; each test of it costs 1 more.
const COSTS: &str = "test,cost,bundle,setup\niron,1,blood,5\nsugar,1,blood,\npain,4,,\n";
const BY_ANSWER: &str = "test,answer,cost\niron,low,9\niron,high,1\npain,,4\n";

fn folder() -> Folder {
    Folder::with(&[("t.csv", TABLE), ("costs.csv", COSTS), ("answers.csv", BY_ANSWER)])
}

#[test]
fn a_set_up_is_paid_once_and_proved() {
    let folder = folder();
    let built = folder.json("build t.csv --costs costs.csv");
    assert_eq!((built["cost"]["expected"].as_f64(), built["optimal"].as_bool()), (Some(7.0), Some(true)));
    // The first question pays the set-up, the second does not.
    assert_eq!(built["tree"]["cost"], 6.0);
    assert_eq!(built["tree"]["answers"]["low"]["cost"], 1.0);
    // The same as rows of the table, and as the price after another test of the bundle.
    let rows = "object,iron,sugar,pain\n@cost,1,1,4\n@bundle,blood,blood,\n@setup,5,,\n";
    folder.write("rows.csv", format!("{rows}{}", TABLE.split_once('\n').unwrap().1));
    folder.write("full.csv", "test,cost\niron,6\nsugar,6\npain,4\n");
    folder.write("later.csv", "test,bundle,cost_if_not_first_in_bundle\niron,blood,1.00\nsugar,blood,1.00\n");
    for line in ["build rows.csv", "build t.csv --costs full.csv --bundles later.csv"] {
        assert_eq!(folder.json(line)["tree"], built["tree"], "{line}");
    }
}

#[test]
fn an_answer_pays_its_own_cost() {
    let folder = folder();
    let built = folder.json("build t.csv --costs answers.csv");
    // `pain` costs 4 and `sugar` 1, whatever the answer; `iron` would cost (9 + 1) / 2.
    assert_eq!(built["cost"]["expected"], 5.0);
    folder.write("cheap.csv", "test,answer,cost\niron,low,6\niron,high,1\npain,,4\n");
    let built = folder.json("build t.csv --costs cheap.csv");
    assert_eq!((built["cost"]["expected"].as_f64(), built["cost"]["worst"].as_f64()), (Some(4.5), Some(7.0)));
    assert_eq!(built["optimal"], true);
}

#[test]
fn a_saved_strategy_carries_its_costs() {
    for (costs, replies) in [("costs.csv", "low\nlow\n"), ("answers.csv", "low\nno\n")] {
        let folder = folder();
        folder.out(&format!("build t.csv --costs {costs} --output plan.json"));
        let checked = folder.call("check t.csv plan.json").ok("check");
        assert!(
            checked.out.contains("made from a reading") && checked.out.contains("costs of"),
            "{}",
            checked.out
        );
        let again = folder.call(&format!("check t.csv plan.json --costs {costs}")).ok("check");
        assert!(!again.out.contains("made from a reading"), "{}", again.out);
        let asked = folder.call_with("ask plan.json --table t.csv", replies.as_bytes());
        assert!(!asked.err.contains("error"), "{}", asked.err);
    }
}

#[test]
fn altered_prices_are_told_or_refused() {
    let folder = folder();
    folder.out("build t.csv --costs costs.csv --output plan.json");
    let plan = folder.read("plan.json");
    let mut faults = Vec::new();
    for (from, to) in [
        ("\"setup\":5", "\"setup\":4"),
        ("\"tests\":[\"iron\",\"sugar\"]", "\"tests\":[\"iron\"]"),
        ("\"setup\":5", "\"setup\":-5"),
        ("\"tests\":[\"iron\",\"sugar\"]", "\"tests\":[\"iron\",\"salt\"]"),
        ("\"pain\":4", "\"pain\":40"),
    ] {
        let text = plan.replace(": ", ":").replace(", ", ",");
        assert!(text.contains(from), "{from}: {text}");
        folder.write("lie.json", text.replace(from, to));
        // By the file's own costs, what it says of the tree is false; by the table's, the difference is told.
        let run = folder.call("check t.csv lie.json");
        let told = folder.call("check t.csv lie.json --costs costs.csv");
        let is_harmless = from.contains("pain") && run.code == Some(0);
        if run.code == Some(0) && !is_harmless {
            faults.push(format!("{to}: {}", run.out));
        }
        if !told.out.contains("was made with") {
            faults.push(format!("{to} is not told: {}{}", told.out, told.err));
        }
    }
    report(&faults);
}

#[test]
fn a_session_says_what_a_question_costs_here() {
    let folder = folder();
    let run = folder.call_with("ask t.csv --costs costs.csv --algorithm optimal", b"why\nlow\nwhy\nlow\n");
    assert!(run.out.contains("costs 6 (1 and the set-up of 5)"), "{}{}", run.out, run.err);
    assert!(run.out.contains("costs 1 here, 6 with the set-up"), "{}{}", run.out, run.err);
    let simulated = folder.json("simulate t.csv --costs costs.csv --algorithm optimal");
    assert_eq!(simulated["cost"]["mean"], 7.0);
    // A fact that was known was not paid for.
    let known = folder.call_with("ask t.csv --costs costs.csv --given iron=low --json", b"low\n");
    assert!(
        known.out.contains("\"cost\": 6") || known.out.contains("\"cost\":6"),
        "{}{}",
        known.out,
        known.err
    );
}

#[test]
fn real_bundles_are_built_and_checked() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let folder = Folder::new();
    let reading = format!("--costs {examples}/heart.costs.csv --bundles {examples}/heart.bundles.csv");
    let table = format!("{examples}/heart.csv");
    let built = folder.json(&format!("build {table} {reading} --time 2s --output plan.json"));
    let plain = folder.json(&format!("build {table} --costs {examples}/heart.costs.csv --algorithm ggbs"));
    let cost = |json: &serde_json::Value| json["cost"]["expected"].as_f64().unwrap();
    assert!(cost(&built) <= cost(&plain), "{} {}", cost(&built), cost(&plain));
    assert!(built["lower_bound"]["value"].as_f64().unwrap() <= cost(&built));
    let line = format!("check {table} plan.json --tree-only");
    folder.call(&line).ok(&line);
}

#[test]
fn what_is_wrong_with_prices_is_said() {
    let folder = folder();
    let mut faults = Vec::new();
    let cases: &[(&str, &str, &[&str])] = &[
        ("costs", "test,cost,bundle,setup\nirn,1,blood,5\n", &["`irn`", "`iron`"]),
        ("costs", "test,cost,bundle,setup\niron,-1,blood,5\n", &["row 2", "`iron`", "`-1`"]),
        ("costs", "test,cost,bundle,setup\niron,0,,\n", &["row 2", "`iron`", "`0`"]),
        ("costs", "test,cost,bundle,setup\niron,0,blood,0\n", &["`iron`", "set-up"]),
        ("costs", "test,cost,bundle,setup\niron,1,blood,5\nsugar,1,blood,6\n", &["rows 2 and 3", "`blood`"]),
        ("costs", "test,cost,bundle\niron,1,blood\n", &["`blood`", "no set-up"]),
        ("costs", "test,answer,cost\niron,lowe,1\n", &["`lowe`", "`iron`", "`low`"]),
        ("costs", "test,answer,cost\niron,low,1\niron,low,2\n", &["rows 2 and 3", "`low`"]),
        ("bundles", "test,cost\niron,1\n", &["`test,bundle,setup`"]),
        ("bundles", "test,bundle,cost_if_not_first_in_bundle\niron,b,1\n", &["`iron`", "--costs"]),
        ("bundles", "test,bundle,setup\niron,b,-1\n", &["row 2", "`-1`"]),
    ];
    for (option, text, says) in cases {
        folder.write("wrong.csv", text);
        let run = folder.call(&format!("build t.csv --{option} wrong.csv"));
        faults.extend(run.refusal(2, says).map(|fault| format!("{text}: {fault}")));
    }
    for (rows, says) in [
        ("@bundle,x,x,\n@setup,5,6,\n", &["`x`", "`iron`", "`sugar`"][..]),
        ("@setup,5,,\n", &["row 2", "`iron`", "@bundle"]),
        ("@bundle,x,,\n@setup,many,,\n", &["row 3", "`iron`", "`many`"]),
        ("@bundle,x,,\n", &["`x`", "no set-up"]),
        ("@cost,0,1,1\n", &["row 2", "`iron`", "`0`"]),
    ] {
        folder.write("wrong.csv", TABLE.replacen('\n', &format!("\n{rows}"), 1));
        faults
            .extend(folder.call("build wrong.csv").refusal(2, says).map(|fault| format!("{rows}: {fault}")));
    }
    faults.extend(
        folder.call("learn t.csv --target pain --costs costs.csv").refusal(2, &["one cost for each test"]),
    );
    // One test alone is a fine bundle.
    folder.write("one.csv", "test,cost,bundle,setup\niron,1,blood,5\n");
    let built = folder.json("build t.csv --costs one.csv");
    assert_eq!(built["cost"]["expected"], 2.0);
    report(&faults);
}
