//! Exact solver, tested through the program: caps, memory, certificates, time, threads, and Ctrl-C.

use crate::common::{Folder, Run};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// E2 of the specification: the least expected cost is 4.6.
const E2: &str = "object,t1,t2,t3,group,prior\n@cost,2,1,3,,\n1,1,1,2,A,0.1\n2,1,2,1,A,0.2\n3,2,2,1,B,0.4\n\
                  4,1,2,2,C,0.25\n5,2,2,2,C,0.05\n";

/// E2; priors that halve; a table that no rule solves and the search solves at once.
fn tables() -> Folder {
    let folder = Folder::with(&[("e2.csv", E2)]);
    folder.out("generate dyadic --objects 12 --output dyadic.csv");
    folder.out("generate random --objects 30 --tests 12 --groups 4 --costs 5 --seed 3 --output small.csv");
    folder
}

/// Table that the solver does not finish within a minute.
fn hard() -> Folder {
    let folder = Folder::new();
    folder.out("generate random --objects 300 --tests 60 --density 0.1 --seed 1 --output hard.csv");
    folder
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Expected cost, worst cost, and whether the strategy is proved optimal.
fn costs(found: &Value) -> (f64, f64, bool) {
    (number(&found["cost"]["expected"]), number(&found["cost"]["worst"]), found["optimal"] == true)
}

/// Checks that a call is refused by the argument parser, with exit code 2 and these words.
#[track_caller]
fn assert_misuse(folder: &Folder, line: &str, says: &str) {
    let run = folder.call(line);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{line}: {}", run.err);
    assert!(run.err.contains(says), "{line}: {}", run.err);
}

#[test]
fn the_worst_cost_can_be_capped() {
    let folder = tables();
    // Twelve objects need four questions at worst. Each further question allows asking for the likely objects sooner.
    let best = folder.json("build dyadic.csv --max-worst best");
    assert_eq!(costs(&best), (3.0625, 4.0, true));
    assert_eq!(costs(&folder.json("build dyadic.csv --max-worst 4")), costs(&best));
    let mut last = f64::INFINITY;
    for cap in 4..=11 {
        let (expected, worst, optimal) = costs(&folder.json(&format!("build dyadic.csv --max-worst {cap}")));
        assert!(optimal && worst <= f64::from(cap) && expected < last, "{cap}: {expected} {worst}");
        last = expected;
    }
    assert!((last - (2.0 - 2f64.powi(-10))).abs() < 1e-9, "{last}");
    // Where costs differ, and for another objective.
    assert_eq!(costs(&folder.json("build small.csv --max-worst best")), (6.3, 8.0, true));
    assert_eq!(costs(&folder.json("build small.csv --max-worst 8.5")), (6.3, 8.0, true));
    assert_eq!(costs(&folder.json("build small.csv")), (6.2, 9.0, true));
    let (_, worst, optimal) = costs(&folder.json("build small.csv --max-worst best --objective exponential"));
    assert_eq!((worst, optimal), (8.0, true));
}

#[test]
fn a_cap_that_nothing_keeps_is_refused() {
    let folder = tables();
    for (line, says) in [
        ("build dyadic.csv --max-worst 3", "at most 3; the least found is 4"),
        ("build dyadic.csv --max-worst 3.5 --json", "at most 3.5; the least found is 4"),
        ("build small.csv --max-worst 7.999 --objective worst", "at most 7.999; the least found is "),
        ("build e2.csv --max-worst 0", "at most 0; the least found is 5"),
        ("build e2.csv --max-worst 4.9 --output plan.json", "at most 4.9; the least found is 5"),
    ] {
        assert_eq!(
            folder.call(line).refusal(1, &["there is no strategy whose worst cost is ", says]),
            None,
            "{line}"
        );
    }
    assert!(!folder.path("plan.json").exists());
    for cap in ["x", "nan", "", "worst", "-inf", "=-1"] {
        let line = format!("build e2.csv --max-worst={}", cap.trim_start_matches('='));
        assert_misuse(&folder, &line, "expected a cost of at least 0, or `best`");
    }
    assert_misuse(&folder, "build e2.csv --max-worst -1", "-1");
}

#[test]
fn little_memory_makes_the_same_strategy() {
    let folder = tables();
    for table in ["e2.csv", "dyadic.csv", "small.csv"] {
        let usual = folder.out(&format!("build {table} --quiet --full"));
        for memory in ["1MB", "1kB", "1", "2.5GiB"] {
            let found = folder.out(&format!("build {table} --quiet --full --memory {memory}"));
            assert_eq!(found, usual, "{table} {memory}");
        }
    }
    for memory in ["0", "x", "-1", "", "1XB", "MB", "nan", "inf", "0MB", "1e30"] {
        assert_misuse(
            &folder,
            &format!("build e2.csv --memory={memory}"),
            "expected a size such as 500MB or 4GB",
        );
    }
}

#[test]
fn a_certificate_is_written_and_verified() {
    let folder = tables();
    for (table, option, proved) in [
        ("e2.csv", "", "no strategy costs less than 4.6 on average"),
        ("small.csv", "", "no strategy costs less than 6.2 on average"),
        ("small.csv", " --objective worst", "no strategy costs less than 8 at worst"),
        (
            "small.csv",
            " --max-worst best",
            "no strategy of worst cost at most 8 costs less than 6.3 on average",
        ),
        (
            "dyadic.csv",
            " --max-worst 5",
            "no strategy of worst cost at most 5 costs less than 2.3125 on average",
        ),
    ] {
        folder.out(&format!("build {table}{option} --output plan.json --certificate proof.json"));
        let alone = folder.out(&format!("check {table} proof.json"));
        assert!(alone.contains(proved) && alone.ends_with(" verified)\n"), "{table}{option}: {alone}");
        for line in ["plan.json", "plan.json --certificate proof.json"] {
            let both = folder.out(&format!("check {table} {line}"));
            assert!(both.contains(proved) && both.contains(": this one is the best possible\n"), "{both}");
        }
        // The certificate inside the strategy is the one in the separate file.
        let plan: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
        let proof: Value = serde_json::from_str(&folder.read("proof.json")).unwrap();
        assert_eq!(plan["certificate"], proof["certificate"], "{table}{option}");
    }
    // The proof of another table is refused.
    folder.out("build small.csv --certificate proof.json");
    let run = folder.call("check e2.csv proof.json");
    assert_eq!(run.refusal(1, &["the certificate is about 30 objects, the table has 5"]), None);
}

#[test]
fn a_bound_in_time_has_a_certificate_too() {
    let folder = hard();
    let found = folder.json("build hard.csv --time 2s --certificate proof.json --output plan.json");
    assert_eq!((&found["stop"], &found["optimal"]), (&json!("time"), &json!(false)));
    let (bound, cost) = (number(&found["lower_bound"]["value"]), number(&found["cost"]["expected"]));
    assert!(bound < cost, "{bound} {cost}");
    // The time may be too short for the whole proof: then a proof of a weaker bound is written, and the strategy
    // holds none.
    let proved = number(&folder.json("check hard.csv proof.json")["checked"]["bound"]["value"]);
    assert!(proved > 0.0 && proved <= bound * (1.0 + 1e-9), "{proved} is proved, {bound} is said");
    // A bound without its proof makes the check fail.
    let run = folder.call("check hard.csv plan.json --json");
    let plan: Value = serde_json::from_str(&run.out).unwrap();
    let is_proved = proved >= bound * (1.0 - 1e-9);
    assert_eq!(plan["checked"]["bound"].is_null(), !is_proved, "{plan}");
    assert_eq!((run.code, &plan["verified"]), (Some(i32::from(!is_proved)), &json!(is_proved)), "{plan}");
}

#[test]
fn saving_does_not_weaken_the_bound() {
    let folder = hard();
    let printed = number(&folder.json("build hard.csv --time 3s")["lower_bound"]["value"]);
    let saved = number(&folder.json("build hard.csv --time 3s --output plan.json")["lower_bound"]["value"]);
    assert!(saved >= 0.95 * printed, "{saved} is saved of {printed}");
}

#[test]
fn an_altered_strategy_is_refused() {
    let folder = tables();
    folder.out("build small.csv --output plan.json");
    let plan: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    let last = plan["certificate"]["bound"]["claims"].as_array().unwrap().len() - 1;
    let claim = |at: usize| format!("/certificate/bound/claims/{at}");
    let raised = |path: &str| json!(number(plan.pointer(path).unwrap()) + 1.0);
    let first = plan["tree"]["ask"].as_str().unwrap();
    let other = if first == "q1" { "q2" } else { "q1" };
    let alterations = [
        ("/lower_bound/value".to_owned(), json!(6.21), "it says that no strategy costs less than 6.21"),
        ("/certificate/bound/value".to_owned(), json!(6.21), "6.21"),
        (format!("{}/1", claim(last)), raised(&format!("{}/1", claim(last))), "claim"),
        (format!("{}/1", claim(0)), raised(&format!("{}/1", claim(0))), "claim 1 "),
        (claim(last), json!(["1", 0, "tests"]), "proved"),
        ("/certificate/table/objects".to_owned(), json!(31), "31"),
        ("/tree/ask".to_owned(), json!(other), ""),
        ("/tree/cost".to_owned(), raised("/tree/cost"), ""),
        ("/cost/expected".to_owned(), json!(6.1), "6.1"),
        ("/cost/worst".to_owned(), json!(8), "8"),
        ("/cost/exponential/value".to_owned(), json!(7), "7"),
    ];
    for (path, to, says) in alterations {
        let mut altered = plan.clone();
        *altered.pointer_mut(&path).unwrap() = to;
        folder.write("altered.json", altered.to_string());
        let run = folder.call("check small.csv altered.json");
        assert_eq!(run.refusal(1, &["altered.json: refused: ", says]), None, "{path}");
    }
    // Unaltered, it passes.
    folder.write("altered.json", plan.to_string());
    folder.out("check small.csv altered.json");
}

/// A lower bound above the strategy's own cost is false, whatever algorithm the file names.
#[test]
fn a_lower_bound_beyond_the_cost_is_refused() {
    let folder = tables();
    folder.out("build small.csv --output plan.json");
    folder.out("build small.csv --objective worst --certificate worst.json");
    let plan: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    let mut by_another = plan.clone();
    by_another["lower_bound"] = json!({"value": 7.9, "by": "huffman"});
    folder.write("by-another.json", by_another.to_string());
    let mut by_none = plan.clone();
    by_none["lower_bound"]["value"] = json!(7.9);
    // No strategy is below 8 at worst, which says nothing about the average.
    folder.write("worst-case.json", by_none.to_string());
    by_none.as_object_mut().unwrap().remove("certificate");
    folder.write("by-none.json", by_none.to_string());
    let lines = ["by-another.json", "by-none.json", "worst-case.json --certificate worst.json"];
    let passed: Vec<&str> = lines
        .into_iter()
        .filter(|line| folder.call(&format!("check small.csv {line}")).code != Some(1))
        .collect();
    assert!(passed.is_empty(), "{passed:?} pass");
}

#[test]
fn the_time_is_kept() {
    let folder = hard();
    for line in ["build hard.csv --time 1s", "build hard.csv --time 1s --output plan.json"] {
        let start = Instant::now();
        let found = folder.json(line);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(3), "{line}: {took:?}");
        assert_eq!((&found["stop"], &found["optimal"]), (&json!("time"), &json!(false)), "{line}");
        assert!(number(&found["gap"]) > 0.0, "{line}");
        if !line.contains("--output") {
            assert_eq!(found["lower_bound"]["by"], "search", "{line}");
        }
        assert!(number(&found["lower_bound"]["value"]) < number(&found["cost"]["expected"]), "{line}");
    }
    folder.out("check hard.csv plan.json --tree-only");
}

#[test]
fn what_is_proved_is_called_optimal() {
    let folder = tables();
    for table in ["e2.csv", "small.csv"] {
        let found = folder.json(&format!("build {table} --algorithm optimal"));
        assert_eq!((&found["algorithm"], &found["optimal"]), (&json!("optimal"), &json!(true)));
        assert_eq!((&found["stop"], &found["gap"]), (&json!("proved"), &json!(0)));
        assert_eq!(found["lower_bound"]["by"], "search");
        assert_eq!(costs(&found).0, costs(&folder.json(&format!("build {table}"))).0);
    }
    let found = hard().json("build hard.csv --algorithm optimal --time 500ms");
    assert_eq!((&found["optimal"], &found["stop"]), (&json!(false), &json!("time")));
    assert_ne!(found["algorithm"], "optimal");
}

#[test]
fn compare_shows_the_optimum_and_who_is_above() {
    let folder = tables();
    let text = folder.out("compare small.csv");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let header = lines.iter().find(|line| line.first() == Some(&"algorithm")).unwrap();
    let above = header.iter().position(|cell| *cell == "above the best").unwrap();
    let row = |name: &str| lines.iter().find(|line| line.first() == Some(&name)).unwrap();
    assert_eq!((row("optimal")[1], row("optimal")[above]), ("6.2*", "0 %"), "{text}");
    assert_eq!((row("gbs")[1], row("gbs")[above]), ("6.5333", "5.4 %"), "{text}");
    assert_eq!(row("best possible: at least")[1], "6.2", "{text}");
    let found = folder.json("compare small.csv");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows[rows.len() - 1]["algorithm"], "optimal");
    assert_eq!(found["bounds"]["expected"], json!({"value": 6.2, "by": "search"}));
    // Where nothing is proved, the column shows the known bound.
    let text = hard().out("compare hard.csv --time 500ms --quiet");
    assert!(text.contains("above at most") && !text.contains("above the best"), "{text}");
}

#[test]
fn the_front_has_the_bounds_of_the_search() {
    let found = tables().json("front small.csv");
    let bound = |value: f64| json!({"value": value, "by": "search"});
    let point = |expected: f64, worst: u32| json!({"expected": expected, "worst": worst, "by": "optimal", "bound": expected, "proved": true});
    assert_eq!(found["points"], json!([point(6.3, 8), point(6.2, 9)]));
    assert_eq!(number(&found["best_bounds"]["worst"]["value"]), 8.0);
    assert_eq!(found["best_bounds"]["worst"]["by"], "search");
    assert_eq!(found["best_bounds"]["expected"], bound(6.2));
}

#[test]
fn threads_make_no_difference() {
    let folder = tables();
    for line in [
        "build small.csv --quiet --full",
        "build small.csv --quiet --full --objective worst",
        "build small.csv --quiet --full --objective exponential --lambda 3",
        "build dyadic.csv --quiet --full --max-worst best",
        "build e2.csv --quiet --full --report",
        "front small.csv",
    ] {
        let one = folder.out(&format!("{line} --threads 1"));
        for threads in [1, 2, 2, 5] {
            assert_eq!(folder.out(&format!("{line} --threads {threads}")), one, "{line}");
        }
    }
}

/// Starts the search in `folder`, interrupts it while it runs, and waits for its end.
#[cfg(unix)]
fn interrupted(folder: &Folder, line: &str) -> (Run, Duration) {
    use std::process::{Command, Stdio};
    let args: Vec<&str> = line.split(' ').collect();
    let child = folder.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    let asked = Instant::now();
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success(), "it has ended too soon");
    let run = Run::from(child.wait_with_output().unwrap());
    (run, asked.elapsed())
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_the_best_so_far() {
    let folder = hard();
    let (run, took) = interrupted(&folder, "build hard.csv --time 60s --json");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(took < Duration::from_secs(5), "{took:?}");
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&found["stop"], &found["optimal"]), (&json!("interrupted"), &json!(false)));
    assert!(found["tree"]["ask"].is_string() && number(&found["gap"]) > 0.0);
    // The file that was to be saved is saved, and is valid.
    let (run, took) = interrupted(&folder, "build hard.csv --time 60s --output plan.json");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(took < Duration::from_secs(5) && run.out.contains("Stopped on request."), "{took:?} {}", run.out);
    folder.out("check hard.csv plan.json --tree-only");
}
