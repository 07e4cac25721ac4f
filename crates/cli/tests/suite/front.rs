//! `fewest front` and the cost of a wrong prior: the JSON that programs rely on, the table for people, the plot.

use crate::common::Folder;
use serde_json::{Value, json};

/// E2 and E3 of the specification, and priors that halve.
fn examples() -> Folder {
    let folder = Folder::with(&[
        (
            "e2.csv",
            "object,t1,t2,t3,group,prior\n@cost,2,1,3,,\n1,1,1,2,A,0.1\n2,1,2,1,A,0.2\n3,2,2,1,B,0.4\n\
             4,1,2,2,C,0.25\n5,2,2,2,C,0.05\n",
        ),
        (
            "e3.csv",
            "object,prior,q1,q2,q3,q4,q5,q6,q7\no1,4,1,0,1,0,1,0,1\no2,2,0,1,1,0,0,1,1\no3,1,0,0,0,1,1,1,1\n\
             o4,1,0,0,0,0,0,0,0\n",
        ),
    ]);
    folder.out("generate dyadic --objects 12 --output dyadic.csv");
    folder
}

fn points(found: &Value) -> Vec<(f64, f64)> {
    let point = |point: &Value| (point["expected"].as_f64().unwrap(), point["worst"].as_f64().unwrap());
    found["points"].as_array().unwrap().iter().map(point).collect()
}

#[test]
fn the_json_has_the_fields_that_are_promised() {
    let folder = examples();
    let found = folder.json("front e2.csv");
    let fields: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["best_bounds", "instance", "points", "stop", "version"]);
    let point = found["points"][0].as_object().unwrap();
    assert_eq!(point.keys().collect::<Vec<_>>(), ["bound", "by", "expected", "proved", "worst"]);
    assert_eq!((points(&found), &point["worst"]), (vec![(4.6, 5.0)], &json!(5)));
    for name in ["expected", "worst", "exponential"] {
        assert!(
            found["best_bounds"][name]["value"].is_number() && found["best_bounds"][name]["by"].is_string()
        );
    }
    assert_eq!(points(&folder.json("front e3.csv")), [(2.0, 2.0), (1.75, 3.0)]);
}

#[test]
fn expected_and_worst_cost_pull_apart_where_priors_halve() {
    let folder = examples();
    let found = folder.json("front dyadic.csv");
    let points = points(&found);
    assert_eq!((points[0].1, points[points.len() - 1].1), (4.0, 11.0));
    assert!((points[points.len() - 1].0 - (2.0 - 2f64.powi(-10))).abs() < 1e-9);
    assert!(points.windows(2).all(|pair| pair[0].1 < pair[1].1 && pair[0].0 > pair[1].0));
    assert!(found["points"].as_array().unwrap().iter().any(|point| point["by"] == "combine"));
    assert_eq!(folder.out("front dyadic.csv --threads 1"), folder.out("front dyadic.csv --threads 2"));
}

#[test]
fn a_file_that_ends_in_svg_is_a_plot_beside_the_table() {
    let folder = examples();
    let table = folder.out("front dyadic.csv");
    assert_eq!(folder.out("front dyadic.csv --output out.svg"), format!("{table}\nSaved out.svg.\n"));
    let svg = folder.read("out.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), points(&folder.json("front dyadic.csv")).len());
    assert!(svg.contains("dyadic.csv") && svg.contains("expected at least"), "{svg}");
    // JSON still goes to standard output; any other file holds the text that would have been printed.
    assert_eq!(folder.out("front dyadic.csv --json --output b.SVG"), folder.out("front dyadic.csv --json"));
    assert_eq!(folder.read("b.SVG"), svg);
    assert_eq!(folder.out("front dyadic.csv --output out.txt"), "");
    assert_eq!(folder.read("out.txt"), table);
}

#[test]
fn no_time_still_gives_a_strategy_and_says_so() {
    let folder = examples();
    let run = folder.call("front e2.csv --time 0s").ok("front");
    assert!(run.warnings()[0].contains("the time ended"), "{}", run.err);
    assert!(!points(&folder.json("front e2.csv --time 0s -q")).is_empty());
}

#[test]
fn a_report_tells_what_a_wrong_prior_costs() {
    let folder = examples();
    assert!(folder.json("build e2.csv").get("robustness").is_none());
    let found = folder.json("build e2.csv --report");
    let shifts = found["robustness"].as_array().unwrap();
    let numbers = |name: &str| shifts.iter().map(|shift| shift[name].as_f64().unwrap()).collect::<Vec<f64>>();
    assert_eq!(numbers("kl_nats"), [0.01, 0.1, 0.5, 1.0]);
    let bounds = numbers("expected_at_most");
    let costs = ["expected", "worst"].map(|name| found["cost"][name].as_f64().unwrap());
    assert!(bounds[0] > costs[0] && bounds[3] <= costs[1] && bounds.is_sorted(), "{bounds:?}");
    let text = folder.out("build e2.csv --report");
    assert!(text.contains("If the true prior q is not the table's p") && text.contains("  0.01  "), "{text}");
    // A saved strategy with this field still reads back.
    folder.out("build e2.csv --report --output plan.json");
    folder.call("check e2.csv plan.json").ok("check");
}
