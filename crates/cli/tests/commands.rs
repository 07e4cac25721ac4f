//! What the commands do: the JSON that programs rely on, the numbers of the specification, and every option.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod common;

use common::{Folder, Run, program, report};
use serde_json::{Value, json};
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

/// A table with a bit of everything: three answers, numbers, an empty cell, twins, a column of no use.
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

/// Checks the shape of a node and all below, and gives the weight of its leaves.
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

/// `test(answer:subtree …)`, leaves as `{objects}`: the notation of the specification, the answers in order of letters.
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

/// The document without what differs from run to run.
fn timeless(text: &str) -> String {
    let keep = |line: &&str| !line.contains("\"elapsed_ms\"");
    let lines: Vec<&str> = text.lines().filter(keep).collect();
    lines.join("\n")
}

/// Every algorithm, in the order in which they are shown.
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

#[test]
fn build_prints_the_fields_that_are_promised() {
    let folder = examples();
    let lines = [
        "build e1.csv",
        "build e1.csv --algorithm gbs",
        "build e2.csv --objective worst",
        "build e2.csv --algorithm ggbs",
        "build e4.csv --costs e4-costs.csv --objective exponential --lambda 10",
        "build e4.csv --identify objects",
    ];
    for line in lines {
        let found = folder.json(line);
        // Beside the promised fields: how the algorithm was set, and what cannot be told apart.
        let fields = [
            "version",
            "instance",
            "objective",
            "algorithm",
            "settings",
            "cost",
            "lower_bound",
            "gap",
            "optimal",
            "stop",
            "elapsed_ms",
            "inseparable",
            "tree",
        ];
        assert_fields(&found, &fields);
        assert_eq!(found["version"], 1);
        assert_instance(&found["instance"]);
        assert_cost(&found["cost"]);
        assert_bound(&found["lower_bound"]);
        assert!(
            found["algorithm"].is_string()
                && found["elapsed_ms"].is_number()
                && found["inseparable"].is_array()
        );
        assert!(["complete", "proved", "time", "memory", "nodes"].contains(&found["stop"].as_str().unwrap()));
        assert!((leaf_weight(&found["tree"]) - 1.0).abs() < 1e-12, "{line}");

        let objective = found["objective"]["name"].as_str().unwrap();
        let cost = match objective {
            "exponential" => &found["cost"]["exponential"]["value"],
            other => &found["cost"][other],
        };
        let (cost, bound) = (cost.as_f64().unwrap(), found["lower_bound"]["value"].as_f64().unwrap());
        if found["optimal"] == true {
            assert_eq!(found["gap"], 0, "{line}");
            assert_eq!(found["stop"], "proved", "{line}");
        } else {
            assert_close(&found["gap"], (cost - bound) / bound);
        }
        assert!(cost >= bound * (1.0 - 1e-9), "{line}: {cost} below {bound}");
    }
    assert_eq!(folder.json(lines[0])["objective"], json!({"name": "expected"}));
    assert_eq!(folder.json(lines[2])["objective"], json!({"name": "worst"}));
    assert_eq!(folder.json(lines[4])["objective"], json!({"name": "exponential", "lambda": 10}));
}

#[test]
fn compare_prints_the_fields_that_are_promised() {
    let folder = examples();
    let compare = |line: &str| {
        let found = folder.json(line);
        assert_fields(&found, &["version", "instance", "bounds", "rows"]);
        assert_instance(&found["instance"]);
        assert_fields(&found["bounds"], &["expected", "worst", "exponential"]);
        found["bounds"].as_object().unwrap().values().for_each(assert_bound);
        let rows = found["rows"].as_array().unwrap();
        for row in rows {
            assert_fields(row, &["algorithm", "cost", "leaves", "depth", "elapsed_ms"]);
            assert_cost(&row["cost"]);
            assert_eq!(row["cost"]["exponential"]["lambda"], 10);
            assert!(row["leaves"].is_u64() && row["depth"].is_u64() && row["elapsed_ms"].is_number());
        }
        rows.iter().map(|row| row["algorithm"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    // No rule finds the best of the second example, and `ggbs` that of the fourth: then the search has none of its own.
    assert_eq!(compare("compare e2.csv --lambda 10"), ALGORITHMS);
    let names = compare("compare e4.csv --costs e4-costs.csv --lambda 10");
    assert!(names == ALGORITHMS || names == ALGORITHMS[..10], "{names:?}");
}

#[test]
fn bounds_prints_the_fields_that_are_promised() {
    let found = examples().json("bounds e2.csv --lambda 10");
    assert_fields(&found, &["version", "instance", "lambda", "entropy_bits", "renyi_bits", "bounds", "best"]);
    assert_eq!(found["lambda"], 10);
    for bits in ["entropy_bits", "renyi_bits"] {
        assert_fields(&found[bits], &["objects", "groups"]);
    }
    let mut names = BTreeSet::new();
    for bound in found["bounds"].as_array().unwrap() {
        assert_fields(bound, &["name", "objective", "value"]);
        assert!(bound["value"].is_number());
        assert!(["expected", "worst", "exponential"].contains(&bound["objective"].as_str().unwrap()));
        names.insert(bound["name"].as_str().unwrap());
    }
    assert!(["shannon", "renyi", "huffman"].iter().all(|name| names.contains(name)), "{names:?}");
    assert_fields(&found["best"], &["expected", "worst", "exponential"]);
    found["best"].as_object().unwrap().values().for_each(assert_bound);
}

#[test]
fn inspect_prints_the_fields_that_are_promised() {
    let folder = Folder::with(&[(
        "t.csv",
        "o,group,a,b,c,d\nx,g,0,1,k,no\ny,g,1,0,k,no\nz,h,1,0,k,no\nu,h,0,1,k,yes\n",
    )]);
    let found = folder.json("inspect t.csv");
    assert_fields(&found, &["version", "instance", "tests", "inseparable", "useless", "redundant"]);
    for test in found["tests"].as_array().unwrap() {
        let fields =
            ["name", "answers", "cost", "entropy_bits", "information_bits", "chi2", "dof", "p_value"];
        assert_fields(test, &fields);
        assert!(test["name"].is_string() && test["answers"].is_u64() && test["cost"].is_number());
        assert!(test["information_bits"].as_f64().unwrap() <= test["entropy_bits"].as_f64().unwrap() + 1e-12);
    }
    assert_eq!(found["useless"], json!(["c"]));
    assert_eq!(found["redundant"], json!([["a", "b"]]));
    assert_eq!(found["inseparable"], json!([["y", "z"]]));
    let names: Vec<&Value> = found["tests"].as_array().unwrap().iter().map(|test| &test["name"]).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    // The rows count as they are, although no strategy tells `y` from `z`: `d` parts one of two `h` from all others, and
    // says 1 − 3/4 H(1/3) bits about the group.
    let d = &found["tests"][3];
    assert_close(&d["entropy_bits"], 0.8112781244591328);
    let third = (3f64.log2() - 2.0 / 3.0) * 0.75;
    assert_close(&d["information_bits"], 1.0 - third);
}

#[test]
fn the_numbers_of_the_first_example_are_those_of_the_specification() {
    let folder = examples();
    for lambda in ["2", "10", "1e6", "inf"] {
        let found = folder.json(&format!("build e1.csv --algorithm ggbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "q2(0:{d} 1:{a,b,c})");
        for cost in
            [&found["cost"]["expected"], &found["cost"]["worst"], &found["cost"]["exponential"]["value"]]
        {
            assert_close(cost, 1.0);
        }
    }
    for (lambda, value) in
        [("2", 1.584_962_500_7), ("10", 1.740_362_689_5), ("1e6", 1.949_828_406_4), ("inf", 2.0)]
    {
        let found = folder.json(&format!("build e1.csv --algorithm gbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "q1(0:{a,c} 1:q2(0:{d} 1:{b}))");
        assert_close(&found["cost"]["expected"], 1.5);
        assert_close(&found["cost"]["worst"], 2.0);
        assert_close(&found["cost"]["exponential"]["value"], value);
    }
    let renyi = [
        ("2", 0.899_968_627_0),
        ("10", 0.952_650_217_4),
        ("1e6", 0.990_110_090_0),
        ("inf", 1.0),
        ("1", 0.811_278_124_5),
    ];
    assert_entropies(&folder, "e1.csv", [2.0, 0.811_278_124_5], &renyi);
}

/// Checks H(objects) and H(groups), and the entropy bound on exponential cost at each λ.
#[track_caller]
fn assert_entropies(folder: &Folder, table: &str, [objects, groups]: [f64; 2], renyi: &[(&str, f64)]) {
    for (lambda, value) in renyi {
        let found = folder.json(&format!("bounds {table} --lambda {lambda}"));
        assert_close(&found["entropy_bits"]["objects"], objects);
        assert_close(&found["entropy_bits"]["groups"], groups);
        assert_close(&found["instance"]["entropy_bits"], groups);
        let bounds = found["bounds"].as_array().unwrap();
        assert_close(&bounds.iter().find(|bound| bound["name"] == "renyi").unwrap()["value"], *value);
    }
}

#[test]
fn the_numbers_of_the_second_example_are_those_of_the_specification() {
    let folder = examples();
    for (lambda, exponential) in
        [("2", Some(5.459_431_618_6)), ("10", None), ("1e6", None), ("inf", Some(6.0))]
    {
        let found = folder.json(&format!("build e2.csv --algorithm ggbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "t1(1:t2(1:{1} 2:t3(1:{2} 2:{4})) 2:t3(1:{3} 2:{5}))");
        assert_close(&found["cost"]["expected"], 5.25);
        assert_close(&found["cost"]["worst"], 6.0);
        exponential.iter().for_each(|value| assert_close(&found["cost"]["exponential"]["value"], *value));
    }
    let found = folder.json("build e2.csv --algorithm ggbs --cost-blind");
    assert_eq!(notation(&found["tree"]), "t1(1:t3(1:{2} 2:t2(1:{1} 2:{4})) 2:t3(1:{3} 2:{5}))");
    assert_close(&found["cost"]["expected"], 5.35);
    assert_close(&found["cost"]["exponential"]["value"], 5.432_959_407_3);
    for (lambda, exponential) in [("2", 4.678_071_905_1), ("1e6", 4.963_025_256_7)] {
        let found =
            folder.json(&format!("build e2.csv --algorithm lambda-gbs --cost-blind --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "t3(1:t1(1:{2} 2:{3}) 2:t2(1:{1} 2:{4,5}))");
        assert_close(&found["cost"]["expected"], 4.6);
        assert_close(&found["cost"]["worst"], 5.0);
        assert_close(&found["cost"]["exponential"]["value"], exponential);
    }
    let renyi = [
        ("2", 1.578_040_532_1),
        ("10", 1.581_782_011_6),
        ("1e6", 1.584_309_140_7),
        ("inf", 1.584_962_500_7),
        ("1", 1.570_950_594_5),
    ];
    assert_entropies(&folder, "e2.csv", [2.041_446_071_2, 1.570_950_594_5], &renyi);
}

#[test]
fn the_numbers_of_the_fourth_example_are_those_of_the_specification() {
    let folder = examples();
    let table = "e4.csv --costs e4-costs.csv";
    for (lambda, value) in
        [("2", 2.678_071_905_1), ("10", 2.806_179_974_0), ("1e6", 2.963_025_256_7), ("inf", 3.0)]
    {
        let found = folder.json(&format!("build {table} --algorithm ggbs --lambda {lambda}"));
        assert_eq!(notation(&found["tree"]), "color(b:{e} g:{c,d} r:size(L:{f} S:{a,b}))");
        assert_close(&found["cost"]["expected"], 2.6);
        assert_close(&found["cost"]["worst"], 3.0);
        assert_close(&found["cost"]["exponential"]["value"], value);
    }
    for (lambda, value) in [("2", 3.206_084_778_7), ("10", 3.601_397_234_2), ("1e6", 4.333_333_333_9)] {
        let found = folder.json(&format!("build {table} --algorithm gbs --lambda {lambda}"));
        assert_eq!(
            notation(&found["tree"]),
            "size(L:shape(x:{e} y:color(g:{d} r:{f})) S:color(g:{c} r:{a,b}))"
        );
        assert_close(&found["cost"]["expected"], 3.1);
        assert_close(&found["cost"]["worst"], 4.5);
        assert_close(&found["cost"]["exponential"]["value"], value);
    }
    // Without `a`'s twin the specification's H(objects) would be less: it counts rows.
    let renyi =
        [("2", 1.424_834_098_6), ("10", 1.507_337_834_6), ("1e6", 1.568_491_226_3), ("inf", 1.584_962_500_7)];
    let found = folder.json(&format!("bounds {table}"));
    assert_close(&found["entropy_bits"]["groups"], 1.295_461_844_2);
    assert_close(&found["entropy_bits"]["objects"], 2.170_950_594_5);
    assert_entropies(&folder, table, [2.170_950_594_5, 1.295_461_844_2], &renyi);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = examples();
    folder.out("generate beta --objects 300 --tests 60 --groups 9 --delta 1 --seed 5 --output big.csv");
    let lines = [
        "build big.csv --time 10m",
        "build e4.csv",
        "compare big.csv --time 10m",
        "inspect big.csv",
        "bounds big.csv",
        "generate beta --seed 3",
    ];
    for line in lines {
        let out = |threads: u8| folder.out(&format!("{line} --quiet --threads {threads}"));
        assert_eq!(out(1), out(2), "{line}");
        // Every row of a comparison ends with its time.
        let json = |threads: u8| {
            let out = folder.out(&format!("{line} --quiet --json --threads {threads}"));
            timeless(&out.replace(",\"elapsed_ms\"", "\n,\"elapsed_ms\""))
        };
        assert_eq!(json(1), json(2), "{line}");
    }
}

#[test]
fn a_table_is_the_same_in_every_format_and_from_standard_input() {
    let folder = examples();
    folder.write("e2.tsv", E2.replace(',', "\t"));
    folder.write("semicolon.csv", E2.replace(',', ";"));
    let quoted = |line: &str| format!("\"{}\"\r\n", line.replace(',', "\",\""));
    folder.write("quoted.csv", E2.lines().map(quoted).collect::<String>());
    folder.write("suffix.txt", E2);
    let expected = timeless(&folder.out("build e2.csv --json"));
    for table in ["e2.tsv", "semicolon.csv", "quoted.csv", "suffix.txt"] {
        assert_eq!(timeless(&folder.out(&format!("build {table} --json"))), expected, "{table}");
    }
    let piped = folder.call_with("build - --json", E2.as_bytes()).ok("-");
    assert_eq!(timeless(&piped.out), expected);
    let piped = folder.call_with("inspect -", E2.as_bytes()).ok("-");
    assert_eq!(piped.out.replace("standard input", "e2.csv"), folder.out("inspect e2.csv"));
}

#[test]
fn costs_are_the_same_from_a_file_and_from_a_row() {
    let folder = examples();
    folder.write("plain.csv", E2.replace("@cost,2,1,3,,\n", ""));
    folder.write("costs.csv", "test,cost\nt1,2\nt3,3\n");
    let expected = timeless(&folder.out("build e2.csv --json"));
    assert_eq!(timeless(&folder.out("build plain.csv --costs costs.csv --json")), expected);
    assert_ne!(timeless(&folder.out("build plain.csv --json")), expected);
    // The file has the last word.
    folder.write("other.csv", E2.replace("@cost,2,1,3,,\n", "@cost,7,,9,,\n"));
    assert_eq!(timeless(&folder.out("build other.csv --costs costs.csv --json")), expected);
}

#[test]
fn columns_play_the_parts_that_options_give_them() {
    let folder = Folder::with(&[("t.csv", MIXED)]);
    let size = |line: &str| {
        let found = folder.json(&format!("{line} --missing answer --quiet"));
        let instance = &found["instance"];
        (instance["tests"].as_u64().unwrap(), instance["groups"].as_u64().unwrap(), found["tree"].clone())
    };
    let (tests, groups, _) = size("build t.csv");
    assert_eq!((tests, groups), (5, 6));
    let (tests, groups, tree) = size("build t.csv --group kind --ignore note --ignore weight");
    // Bear, hare and toad differ in nothing else: one group is `mammal or frog`.
    assert_eq!((tests, groups), (2, 3), "{tree}");
    let (tests, _, tree) = size("build t.csv --group kind --tests legs,colour --prior weight");
    assert_eq!(tests, 2);
    assert_close(&json!(leaf_weight(&tree)), 1.0);
    let legs = size("build t.csv --group kind --tests legs --prior weight").2;
    assert_close(&legs["answers"]["2"]["weight"], 13.0 / 324.75);
    folder.write("tests.txt", "legs\n\ncolour\n");
    assert_eq!(size("build t.csv --group kind --tests tests.txt --prior weight").2, tree);
    let (tests, _, tree) = size("build t.csv --object note --group kind --tests legs");
    assert_eq!(tests, 1);
    assert_eq!(tree["answers"]["4"]["objects"], json!(["n1", "n3", "n6"]));
    assert_eq!(tree["answers"]["4"]["groups"], json!(["mammal", "frog"]));
    let found = folder.json("build t.csv --group kind --identify objects --missing answer --quiet");
    assert_eq!(found["instance"]["identify"], "objects");
    assert_eq!(found["instance"]["groups"], 6);
}

#[test]
fn numbers_become_thresholds_or_ranges() {
    let folder = Folder::with(&[("t.csv", "o,kg\na,1\nb,2\nc,4\nd,8\n")]);
    let found = folder.json("build t.csv --numeric thresholds");
    assert_eq!(found["instance"]["tests"], 3);
    assert_eq!(notation(&found["tree"]), "kg > 3(no:kg > 1.5(no:{a} yes:{b}) yes:kg > 6(no:{c} yes:{d}))");
    assert_close(&found["cost"]["expected"], 2.0);
    let found = folder.json("build t.csv --numeric bins:2 --quiet");
    assert_eq!(found["instance"]["tests"], 1);
    assert_eq!(found["tree"]["answers"].as_object().unwrap().len(), 2);
    assert_eq!(found["inseparable"], json!([["a", "b"], ["c", "d"]]));
    let found = folder.json("build t.csv --numeric exact");
    assert_eq!(found["tree"]["answers"].as_object().unwrap().len(), 4);
    let rows: String = (0..13).map(|number| format!("o{number},{number}\n")).collect();
    folder.write("many.csv", format!("o,kg\n{rows}"));
    let run = folder.call("build many.csv").ok("many");
    assert_eq!(run.warnings().len(), 1);
    assert!(run.err.contains("`kg` (13 values)") && run.err.contains("--numeric thresholds"), "{}", run.err);
}

#[test]
fn objects_that_no_test_tells_apart_are_named() {
    let folder = Folder::with(&[("t.csv", "o,group,a\nx,power,0\ny,fuse,0\nz,cable,1\nu,cable,1\n")]);
    let run = folder.call("build t.csv").ok("t");
    let warning = "warning: t.csv: 1 set of objects that no test tells apart stay together, the first `x`, `y`; \
                   `fewest inspect` lists them\n";
    assert_eq!(run.err, warning);
    assert!(run.out.contains("power or fuse"), "{}", run.out);
    let found = folder.json("build t.csv");
    // `z` and `u` do not differ in what is to be identified.
    assert_eq!(found["inseparable"], json!([["x", "y"]]));
    assert_eq!(found["tree"]["answers"]["0"]["groups"], json!(["power", "fuse"]));
    assert_eq!(found["instance"]["groups"], 2);
    assert_eq!(folder.json("inspect t.csv")["inseparable"], json!([["x", "y"]]));
    // A leaf that names one of them names the other.
    folder.write(
        "plan.json",
        folder.out("build t.csv --json").replace("[\"x\",\"y\"],\"weight", "[\"x\"],\"weight"),
    );
    let run = folder.call("check t.csv plan.json --quiet");
    assert_eq!(run.refusal(1, &["plan.json: refused", "names `x` but not `y`"]), None);
    assert_eq!(folder.json("build t.csv --identify objects")["inseparable"], json!([["x", "y"], ["z", "u"]]));
}

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
    // What is saved is what is printed, and how the table was read.
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
    // Costs are not remembered, as each question says its own: without them the check says why it refuses.
    folder.call("build t.csv --tests legs --costs costs.csv --output plan.json").ok("costs");
    let run = folder.call("check t.csv plan.json --quiet");
    assert_eq!(run.refusal(1, &["plan.json: refused", "`legs` costs 3", "--costs"]), None);
    folder.call("check t.csv plan.json --costs costs.csv").ok("costs");
}

/// Changes to a good strategy, and what the check says of each.
#[test]
fn an_altered_strategy_is_refused_with_the_reason() {
    let folder = Folder::with(&[("e4.csv", E4), ("costs.csv", E4_COSTS)]);
    folder.out("build e4.csv --costs costs.csv --algorithm ggbs --output plan.json");
    let good: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    assert_eq!(notation(&good["tree"]), "color(b:{e} g:{c,d} r:size(L:{f} S:{a,b}))");
    type Change = fn(&mut Value);
    let changes: &[(&str, Change, &[&str])] = &[
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
        (
            "a wrong weight of a question",
            |plan| plan["tree"]["weight"] = json!(0.9),
            &["`color`", "weight 0.9"],
        ),
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
        (
            "a renamed group",
            |plan| plan["tree"]["answers"]["b"]["groups"] = json!(["P"]),
            &["`e`", "`P`", "`R`"],
        ),
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
        (
            "an unknown test",
            |plan| plan["tree"]["ask"] = json!("colour"),
            &["`colour`", "no test of the table"],
        ),
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
                let half = |object: &str, weight: f64| json!({"groups": ["Q"], "objects": [object], "weight": weight});
                plan["tree"]["answers"]["g"] = json!({"ask": "size", "cost": 1, "weight": leaf["weight"],
                    "answers": {"S": half("c", 0.2), "L": half("d", 0.1)}});
            },
            &["`size`", "only group `Q` is left"],
        ),
    ];
    let mut faults = Vec::new();
    for (name, change, says) in changes {
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
        // A strategy that fits no table can still be looked at.
        assert_eq!(folder.call("show altered.json").code, Some(0), "{name}");
    }
    report(&faults);
    // Another table is no less a reason.
    folder.write("e4.csv", E4.replace("e,R,0.1,b,L,x", "e,R,0.1,g,L,x"));
    let run = folder.call("check e4.csv plan.json --costs costs.csv");
    assert_eq!(run.code, Some(1), "{}", run.err);
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let folder = examples();
    folder.out("build e1.csv --output plan.json");
    let lines = [
        "build e1.csv",
        "compare e1.csv",
        "inspect e1.csv",
        "bounds e1.csv",
        "show plan.json",
        "algorithms",
        "--help",
    ];
    for line in lines {
        assert!(!folder.out(line).contains('\u{1b}'), "{line}");
        assert!(!folder.out(&format!("{line} --color never")).contains('\u{1b}'), "{line}");
    }
    for line in &lines[..6] {
        assert!(folder.out(&format!("{line} --color always")).contains("\u{1b}["), "{line}");
        folder.out(&format!("{line} --color always --output out.txt"));
        assert!(!folder.read("out.txt").contains('\u{1b}'), "{line}");
        let args: Vec<&str> = line.split(' ').collect();
        let run = Run::of(folder.command(&args).env("NO_COLOR", "1"));
        assert!(run.code == Some(0) && !run.out.contains('\u{1b}'), "{line}");
        let run = Run::of(folder.command(&args).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1"));
        assert!(run.code == Some(0), "{line}");
    }
    // JSON is for programs.
    assert!(!folder.out("build e1.csv --json --color always").contains('\u{1b}'));
    assert!(!folder.call("build none.csv").err.contains('\u{1b}'));
    assert!(folder.call("build none.csv --color always").err.starts_with("\u{1b}["));
}

#[test]
fn quiet_silences_warnings_and_not_mistakes() {
    let folder = Folder::with(&[("t.csv", "o,a\nx,0\ny,0\n"), ("bad.csv", "o,a\nx\n")]);
    for command in ["build", "compare", "front", "inspect", "bounds"] {
        assert_eq!(folder.call(&format!("{command} t.csv")).ok(command).warnings().len(), 1, "{command}");
        assert_eq!(folder.call(&format!("{command} t.csv --quiet")).ok(command).err, "", "{command}");
        assert_eq!(folder.call(&format!("{command} bad.csv -q")).refusal(2, &["row 2"]), None, "{command}");
    }
}

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
fn deep_trees_are_folded_on_demand() {
    let folder = Folder::new();
    folder.out("generate thresholds --objects 200 --output t.csv");
    let folded = folder.out("build t.csv");
    assert!(
        folded.contains("more question")
            && folded.contains("--full draws all")
            && folded.lines().count() < 70
    );
    assert!(folder.out("build t.csv --full").lines().count() > 400);
    assert!(folder.out("build t.csv --depth 2").lines().count() < folded.lines().count());
    let run = folder.call("build t.csv --depth 2 --full");
    assert_eq!(run.code, Some(2));
}

#[test]
fn completions_and_manual_pages_are_written() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.out(&format!("completions {shell}"));
        assert!(script.contains("fewest") && script.contains("compare"), "{shell}");
    }
    let page = folder.out("man");
    assert!(page.contains(".TH fewest 1") && page.contains(".SH NAME"), "{page}");
    std::fs::create_dir(folder.path("pages")).unwrap();
    folder.out("man --folder pages");
    let pages = std::fs::read_dir(folder.path("pages")).unwrap().count();
    assert!(pages > 8 && folder.path("pages/fewest-build.1").is_file(), "{pages} pages");
    let help = folder.out("--help");
    for command in [
        "build",
        "compare",
        "front",
        "check",
        "inspect",
        "bounds",
        "show",
        "algorithms",
        "generate",
        "completions",
        "man",
    ] {
        assert!(help.contains(&format!("  {command} ")), "{command}");
        assert!(folder.out(&format!("{command} --help")).contains("Usage: fewest"), "{command}");
    }
    assert_eq!(folder.out("--version"), format!("fewest {}\n", env!("CARGO_PKG_VERSION")));
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

#[test]
fn other_commands_write_to_a_file_too() {
    let folder = examples();
    for line in [
        "compare e1.csv",
        "front e1.csv",
        "front e1.csv --json",
        "inspect e1.csv",
        "bounds e1.csv",
        "algorithms",
        "algorithms --json",
        "man",
    ] {
        let printed = folder.out(line);
        assert_eq!(folder.out(&format!("{line} --output out")), "", "{line}");
        assert_eq!(folder.read("out"), printed, "{line}");
    }
    // A dash is standard output.
    assert_eq!(folder.out("algorithms --output -"), folder.out("algorithms"));
}

#[test]
fn without_arguments_there_is_help() {
    let run = Run::of(&mut program(std::env::temp_dir().as_path()));
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("fewest build animals.csv") && run.out.is_empty(), "{}", run.err);
}
