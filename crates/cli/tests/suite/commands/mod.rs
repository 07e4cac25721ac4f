//! Tests of the commands: the JSON that programs rely on, the numbers of the specification, and every option.

mod catalogue;
mod documents;
mod output;
mod reading;
mod saved;
mod specification;

use crate::common::Folder;
use serde_json::Value;
use std::collections::BTreeSet;

/// Figure 1 of the first paper, E1 of the specification.
const E1: &str = "object,group,q1,q2,q3\na,1,0,1,1\nb,1,1,1,0\nc,1,0,1,0\nd,2,1,0,0\n";

/// Figure 1 of the second paper, E2 of the specification.
const E2: &str = "object,t1,t2,t3,group,prior\n@cost,2,1,3,,\n1,1,1,2,A,0.1\n2,1,2,1,A,0.2\n3,2,2,1,B,0.4\n\
                  4,1,2,2,C,0.25\n5,2,2,2,C,0.05\n";

/// E4 of the specification, without its costs.
const E4: &str = "object,group,prior,color,size,shape\na,P,0.3,r,S,x\nb,P,0.3,r,S,x\nc,Q,0.2,g,S,x\nd,Q,0.1,g,L,y\n\
                  e,R,0.1,b,L,x\nf,R,0,r,L,y\n";

const E4_COSTS: &str = "test,cost\ncolor,2\nsize,1\nshape,1.5\n";

fn examples() -> Folder {
    Folder::with(&[("e1.csv", E1), ("e2.csv", E2), ("e4.csv", E4), ("e4-costs.csv", E4_COSTS)])
}

/// Table with many cases: three answers, numbers, an empty cell, objects that no test tells apart, a useless column.
const MIXED: &str = "name,kind,weight,colour,legs,note\n\
                     bear,mammal,300.5,brown,4,n1\nhen,bird,2,white,2,n2\nhare,mammal,4,brown,4,n3\n\
                     swan,bird,11,white,2,n4\ncarp,fish,7,?,0,n5\ntoad,frog,0.25,brown,4,n6\n";

#[track_caller]
fn assert_fields(value: &Value, fields: &[&str]) {
    let found: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(found, fields.iter().copied().collect(), "{value}");
}

#[track_caller]
fn assert_close(found: &Value, wanted: f64) {
    let number = if found == "inf" { f64::INFINITY } else { found.as_f64().unwrap() };
    // The specification prints ten decimals.
    let close = (number - wanted).abs() <= 1e-9 * wanted.abs() || (number - wanted).abs() <= 5.1e-11;
    assert!(close, "{found} where {wanted} was due");
}

#[track_caller]
fn assert_bound(value: &Value) {
    assert_fields(value, &["value", "by"]);
    assert!(value["value"].is_number() && value["by"].is_string(), "{value}");
}

#[track_caller]
fn assert_cost(value: &Value) {
    assert_fields(value, &["expected", "worst", "exponential"]);
    assert_fields(&value["exponential"], &["lambda", "value"]);
    let (expected, worst) = (value["expected"].as_f64().unwrap(), value["worst"].as_f64().unwrap());
    let exponential = value["exponential"]["value"].as_f64().unwrap();
    assert!(expected <= exponential + 1e-9 && exponential <= worst + 1e-9, "{value}");
}

#[track_caller]
fn assert_instance(value: &Value) {
    assert_fields(value, &["objects", "rows", "tests", "groups", "identify", "entropy_bits"]);
    for field in ["objects", "rows", "tests", "groups"] {
        assert!(value[field].is_u64(), "{value}");
    }
    assert!(["groups", "objects"].contains(&value["identify"].as_str().unwrap()), "{value}");
    assert!(value["entropy_bits"].is_number(), "{value}");
}

/// Checks the shape of a node and all below, and returns the weight of its leaves.
fn leaf_weight(node: &Value) -> f64 {
    if node.get("ask").is_none() {
        assert_fields(node, &["groups", "objects", "weight"]);
        let texts = |field: &str| node[field].as_array().unwrap().iter().all(Value::is_string);
        assert!(texts("groups") && texts("objects"), "{node}");
        return node["weight"].as_f64().unwrap();
    }
    let fields: &[&str] = if node.get("question").is_some() {
        &["ask", "question", "cost", "weight", "answers"]
    } else {
        &["ask", "cost", "weight", "answers"]
    };
    assert_fields(node, fields);
    assert!(node["ask"].is_string() && node["cost"].as_f64().unwrap() > 0.0, "{node}");
    let answers = node["answers"].as_object().unwrap();
    assert!(answers.len() >= 2, "{node}");
    let below: f64 = answers.values().map(leaf_weight).sum();
    assert!((below - node["weight"].as_f64().unwrap()).abs() < 1e-12, "{node}");
    below
}

/// Notation of the specification, `test(answer:subtree …)`, leaves as `{objects}`; answers in alphabetical order.
fn notation(node: &Value) -> String {
    match node.get("ask") {
        None => {
            let objects: Vec<&str> =
                node["objects"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            format!("{{{}}}", objects.join(","))
        }
        Some(test) => {
            let below: Vec<String> = node["answers"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(answer, node)| format!("{answer}:{}", notation(node)))
                .collect();
            format!("{}({})", test.as_str().unwrap(), below.join(" "))
        }
    }
}

/// Document without the lines that differ from run to run.
fn timeless(text: &str) -> String {
    let keep = |line: &&str| !line.contains("\"elapsed_ms\"");
    let lines: Vec<&str> = text.lines().filter(keep).collect();
    lines.join("\n")
}

/// All algorithms, in the order in which they are shown.
const ALGORITHMS: [&str; 11] = [
    "gbs",
    "gbs-uniform",
    "ggbs",
    "lambda-gbs",
    "lambda-ggbs",
    "ec2",
    "gain-ratio",
    "asr",
    "pairs",
    "dectree",
    "optimal",
];
