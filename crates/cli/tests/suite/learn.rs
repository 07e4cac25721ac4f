//! `learn`, `predict`, `code` and the options of `inspect` about columns, run as users run them.

use crate::common::{Folder, report};
use serde_json::Value;

/// Quinlan's fourteen days.
const DAYS: &str = "object,outlook,temperature,humidity,windy,play
d1,sunny,hot,high,no,no\nd2,sunny,hot,high,yes,no\nd3,overcast,hot,high,no,yes\nd4,rain,mild,high,no,yes
d5,rain,cool,normal,no,yes\nd6,rain,cool,normal,yes,no\nd7,overcast,cool,normal,yes,yes\nd8,sunny,mild,high,no,no
d9,sunny,cool,normal,no,yes\nd10,rain,mild,normal,no,yes\nd11,sunny,mild,normal,yes,yes\nd12,overcast,mild,high,yes,yes
d13,overcast,hot,normal,no,yes\nd14,rain,mild,high,yes,no\n";

/// Hair and eyes of 592 people, as counts. specification section 14, tables.
const EYES: &str = "object,Hair,Eye,prior
a,black,brown,68\nb,brown,brown,119\nc,red,brown,26\nd,blond,brown,7
e,black,hazel,15\nf,brown,hazel,54\ng,red,hazel,14\nh,blond,hazel,10
i,black,green,5\nj,brown,green,29\nk,red,green,14\nl,blond,green,16
m,black,blue,20\nn,brown,blue,84\no,red,blue,17\np,blond,blue,94\n";

fn close(value: &Value, wanted: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - wanted).abs() <= 5e-10 * wanted.abs().max(1.0), "{found} where {wanted} was due");
}

#[test]
fn the_tree_of_the_fourteen_days() {
    let folder = Folder::with(&[("days.csv", DAYS)]);
    let json = folder.json("learn days.csv --target play --prune none --folds 0");
    assert_eq!((&json["rows"], &json["leaves"], &json["errors"]), (&14.into(), &5.into(), &0.into()));
    assert_eq!((&json["log_loss"], &json["target"]), (&0.into(), &"play".into()));
    assert_eq!(json["classes"], serde_json::json!(["no", "yes"]));
    let tree = &json["tree"];
    assert_eq!(
        (&tree["ask"], &tree["classes"]),
        (&"outlook".into(), &serde_json::json!({"no": 5, "yes": 9}))
    );
    assert_eq!(tree["answers"]["sunny"]["ask"], "humidity");
    assert_eq!(tree["answers"]["rain"]["ask"], "windy");
    assert_eq!(tree["answers"]["overcast"]["classes"], serde_json::json!({"no": 0, "yes": 4}));
    close(&json["instance"]["entropy_bits"], 0.940285958670631);
    // 14 × information × ln 2, from the same node.
    let information = tree["information_bits"].as_f64().unwrap();
    close(&tree["likelihood_gain"], 14.0 * information * std::f64::consts::LN_2);
    assert!((information - 0.2467).abs() < 5e-5);
}

#[test]
fn the_tree_is_drawn_with_its_rows_and_classes() {
    let folder = Folder::with(&[("days.csv", DAYS)]);
    let text = folder.out("learn days.csv --target play --prune none --folds 0 --small-counts chi2");
    let drawn: Vec<&str> =
        text.lines().skip(2).take(8).map(|line| line.split(", p =").next().unwrap()).collect();
    assert_eq!(
        drawn,
        [
            "outlook?  14 rows, 64 % yes",
            "├─ sunny: humidity?  5 rows, 60 % no",
            "│  ├─ high: no  3 rows, 100 %",
            "│  └─ normal: yes  2 rows, 100 %",
            "├─ overcast: yes  4 rows, 100 %",
            "└─ rain: windy?  5 rows, 60 % yes",
            "   ├─ no: yes  3 rows, 100 %",
            "   └─ yes: no  2 rows, 100 %",
        ]
    );
    let folded = folder.out("learn days.csv --target play --prune none --folds 0 --depth 1");
    assert!(folded.contains("├─ sunny: … 1 more question  5 rows, 60 % no"), "{folded}");
}

#[test]
fn what_may_be_chance_is_pruned_and_the_statistics_are_told() {
    let folder = Folder::with(&[("days.csv", DAYS)]);
    let text = folder.out("learn days.csv --target play");
    for part in [
        "1 leaf of 5 after χ² pruning at α = 0.05",
        "10-fold cross-validation",
        "log loss",
        "is \\ predicted",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // By χ² alone, humidity (χ² = 5, p = 0.025) stays and with it outlook.
    let json = folder.json("learn days.csv --target play --small-counts chi2 --folds 0");
    assert_eq!((&json["leaves"], &json["alpha"]), (&5.into(), &0.05.into()));
    let humidity = &json["tree"]["answers"]["sunny"];
    close(&humidity["chi2"], 5.0);
    assert_eq!((&humidity["dof"], &humidity["small_counts"]), (&1.into(), &true.into()));
    for options in [
        "--alpha cv",
        "--prune reduced-error",
        "--prune cost-complexity",
        "--correct holm",
        "--order top-down",
    ] {
        let json = folder.json(&format!("learn days.csv --target play --folds 3 {options}"));
        assert_eq!(json["cross_validation"]["weight"], 14, "{options}");
    }
}

#[test]
fn a_question_makes_a_target_of_numbers() {
    let rows: String = (1..=40).map(|x| format!("{x}.5,{}\n", x * 3 % 17)).collect();
    let folder = Folder::with(&[("n.csv", &format!("mpg,z\n{rows}"))]);
    let run = folder.run(&["learn", "n.csv", "--target", "mpg > 19", "--json", "--folds", "0"]).ok("learn");
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&json["target"], &json["classes"]), (&"mpg > 19".into(), &serde_json::json!(["no", "yes"])));
    assert_eq!(json["tree"]["classes"], serde_json::json!({"no": 18, "yes": 22}));
}

#[test]
fn a_target_may_be_called_object_and_rows_may_come_from_standard_input() {
    let folder = Folder::new();
    let text = "object,x\na,1\na,2\na,3\nb,7\nb,8\nb,9\n";
    let run = folder
        .call_with("learn - --target object --prune none --folds 0 --json", text.as_bytes())
        .ok("learn");
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&json["tree"]["ask"], &json["errors"]), (&"x > 5".into(), &0.into()));
}

#[test]
fn a_saved_model_predicts_new_rows() {
    let folder = Folder::with(&[
        ("days.csv", DAYS),
        ("new.csv", "windy,outlook,humidity\nyes,sunny,high\nno,overcast,high\nno,fog,high\n?,rain,high\n"),
    ]);
    folder.out("learn days.csv --target play --prune none --output model.json");
    let run = folder.call("predict model.json new.csv").ok("predict");
    // Laplace: 3 of 3, 4 of 4; unknown words stop at a node: 5 and 9 of 14, 2 and 3 of 5.
    assert_eq!(
        run.out,
        format!(
            "row,class,p(no),p(yes)\n2,no,0.8,0.2\n3,yes,{},{}\n4,yes,0.375,0.625\n5,yes,{},{}\n",
            1.0 / 6.0,
            5.0 / 6.0,
            3.0 / 7.0,
            4.0 / 7.0
        )
    );
    let json = folder.json("predict model.json days.csv");
    assert_eq!((json["rows"].as_array().unwrap().len(), &json["rows"][0]["object"]), (14, &"d1".into()));
    let run = folder.call("predict model.json days.csv --output out.csv").ok("predict");
    assert!(run.err.contains("14 of 14 rows predicted as `play` says: 100 %"), "{}", run.err);
    assert!(folder.read("out.csv").starts_with("object,class,p(no),p(yes)\nd1,no,"));
    // The same bytes from a pipe.
    let piped = folder.call_with("predict model.json -", DAYS.as_bytes());
    assert_eq!(piped.out, folder.read("out.csv"));
}

#[test]
fn subsets_and_thresholds_survive_being_saved() {
    let rows: String = (0..400)
        .map(|at| {
            format!("w{},{}.25,{}\n", at % 25, at % 7, if at % 25 < 9 || at % 7 > 4 { "a" } else { "b" })
        })
        .collect();
    let folder = Folder::with(&[("d.csv", &format!("word,x,y\n{rows}"))]);
    let learned = folder.json("learn d.csv --target y --output m.json --folds 0");
    assert_eq!(learned["errors"], 0);
    assert!(folder.read("m.json").contains("\"words\":["));
    let run = folder.call("predict m.json d.csv --output p.csv").ok("predict");
    assert!(run.err.contains("400 of 400 rows"), "{}", run.err);
}

#[test]
fn rows_are_held_out_on_request() {
    let rows: String = (0..100).map(|at| format!("{at}.5,{}\n", if at < 40 { "a" } else { "b" })).collect();
    let folder = Folder::with(&[("d.csv", &format!("x,y\n{rows}"))]);
    let json = folder.json("learn d.csv --target y --holdout 0.3");
    assert_eq!(
        (&json["held_out"]["weight"], &json["tree"]["classes"]),
        (&30.into(), &serde_json::json!({"a": 28, "b": 42}))
    );
    let json = folder.json("learn d.csv --target y --holdout d.csv");
    assert_eq!((&json["held_out"]["weight"], &json["held_out"]["accuracy"]), (&100.into(), &1.into()));
}

#[test]
fn costs_are_minded_and_reported() {
    let folder = Folder::with(&[
        ("d.csv", "dear,cheap,y\na,x,no\na,x,no\nb,x,yes\nb,z,yes\na,x,no\na,x,no\nb,x,yes\nb,z,yes\n"),
        ("c.csv", "test,cost\ndear,10\n"),
    ]);
    let asked = |options: &str| {
        folder.json(format!("learn d.csv --target y --folds 0 --prune none {options}").trim())
    };
    assert_eq!(asked("")["tree"]["ask"], "dear");
    let minded = asked("--costs c.csv");
    assert_eq!((&minded["tree"]["ask"], &minded["tree"]["cost"]), (&"cheap".into(), &1.into()));
    // Two rows of eight end after questions of cost 1, the others need 11.
    close(&minded["training"]["cost"], (2.0 + 6.0 * 11.0) / 8.0);
    close(&asked("--costs c.csv --holdout d.csv")["held_out"]["cost"], (2.0 + 6.0 * 11.0) / 8.0);
    assert_eq!(asked("--costs c.csv --cost-blind")["tree"]["ask"], "dear");
}

#[test]
fn every_call_gives_the_same_bytes() {
    let folder = Folder::with(&[("days.csv", DAYS)]);
    for line in [
        "learn days.csv --target play --alpha cv --json",
        "learn days.csv --target play --prune none --json",
        "inspect days.csv --target play --json",
        "code days.csv --column outlook --json",
    ] {
        assert_eq!(folder.out(line), folder.out(&format!("{line} --threads 1")), "{line}");
    }
}

#[test]
fn bad_data_are_refused_with_the_place_and_the_way_out() {
    let numbers: String = (0..60).map(|x| format!("{x}.5,a\n")).collect();
    let many: String = (0..3000).map(|x| format!("k{},{}\n", x, x % 2)).collect();
    let classes: String = (0..3000).map(|x| format!("{},c{x}\n", x % 7)).collect();
    let stray = format!("x,y\n{numbers}ten,b\n");
    let (many, classes) = (format!("k,y\n{many}"), format!("x,y\n{classes}"));
    let cases: [(&str, &str, &str, &[&str]); 12] = [
        (
            "one class",
            "x,y\n1,a\n2,a\n",
            "--target y",
            &["t.csv", "column `y` has one class only, `a`", "--target"],
        ),
        ("no rows", "x,y\n", "--target y", &["t.csv", "there are no rows"]),
        ("nothing", "", "--target y", &["t.csv", "the file is empty"]),
        ("no target", "x,y\n1,a\n2,b\n", "--target z", &["--target `z`", "no such column", "`x`, `y`"]),
        ("no target named", "x,y\n1,a\n2,b\n", "", &["--target 'y'"]),
        ("empty target", "x,y\n1,\n2,?\n", "--target y", &["column `y` is empty in every row"]),
        (
            "text among numbers",
            &stray,
            "--target y",
            &["t.csv: row 62, column `x`: `ten` is not a number", "--ignore 'x'"],
        ),
        ("many classes", &classes, "--target y", &["column `y` has 3000 classes"]),
        ("nothing to ask for", &many, "--target y", &["no column is left to ask for"]),
        ("ragged", "x,y\n1,a\n2\n", "--target y", &["t.csv: row 3 has 1 cell where the header has 2"]),
        (
            "missing",
            "x,y\n1,a\n,b\n2,a\n3,b\n",
            "--target y --missing error",
            &["column `x` has 1 missing", "--missing answer"],
        ),
        (
            "numbers as classes",
            &format!("x,y\n{}", (0..99).map(|x| format!("{},{x}.5\n", x % 3)).collect::<String>()),
            "--target y",
            &["99 different numbers", "--target 'y > 49.5'"],
        ),
    ];
    let mut faults = Vec::new();
    for (name, text, options, says) in cases {
        let folder = Folder::with(&[("t.csv", text)]);
        let line = format!("learn t.csv {options} --output m.json");
        let line = line.split_whitespace().collect::<Vec<_>>();
        faults.extend(folder.run(&line).refusal(2, says).map(|fault| format!("{name}: {fault}")));
        assert_eq!(folder.names(), ["t.csv"], "{name}: nothing is written");
    }
    report(&faults);
}

#[test]
fn useless_columns_are_left_out_with_a_warning() {
    let rows: String = (0..50)
        .map(|x| format!("n{x},{},same,,{},{}\n", x + 7, x % 5, if x % 5 > 2 { "a" } else { "b" }))
        .collect();
    let folder = Folder::with(&[("d.csv", &format!("name,number,constant,empty,x,y\n{rows}"))]);
    let run = folder.call("learn d.csv --target y").ok("learn");
    let said = run.warnings().join("\n");
    for part in [
        "`name` seems to name the rows",
        "`number` seems to name the rows",
        "`constant` has one value",
        "`empty` has no values",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(folder.call("learn d.csv --target y --quiet").err.is_empty());
}

#[test]
fn broken_models_are_refused() {
    let folder = Folder::with(&[("days.csv", DAYS), ("other.csv", "a,b\n1,2\n")]);
    folder.out("learn days.csv --target play --prune none --output good.json");
    let good = folder.read("good.json");
    let mut faults = Vec::new();
    for (name, bad, says) in [
        ("no JSON", "hello".to_owned(), "not a model"),
        ("a strategy", r#"{"version":1,"tree":{}}"#.to_owned(), "not a model: missing field"),
        ("a newer one", good.replace("\"version\": 1", "\"version\": 2"), "version 2"),
        (
            "an unknown class",
            good.replace("[\"no\",\"yes\"]", "[\"no\",\"maybe\"]"),
            "there is no class `yes`",
        ),
        (
            "an unknown column",
            good.replace("{\"name\":\"outlook\"", "{\"name\":\"view\""),
            "there is no column `outlook`",
        ),
        ("cut short", good[..good.len() / 2].to_owned(), "not a model"),
    ] {
        folder.write("bad.json", &bad);
        let run = folder.call("predict bad.json days.csv");
        faults.extend(run.refusal(2, &["bad.json", says]).map(|fault| format!("{name}: {fault}")));
    }
    let run = folder.call("predict good.json other.csv");
    faults.extend(run.refusal(2, &["other.csv", "no such column", "`a`, `b`"]));
    folder.write("short.csv", "outlook,humidity,windy\nsunny,high,no\nrain\n");
    let run = folder.call("predict good.json short.csv --output p.csv");
    faults.extend(run.refusal(2, &["short.csv: row 3 has 1 cell"]));
    assert!(!folder.names().contains(&"p.csv".to_owned()), "no half of a file");
    report(&faults);
}

#[test]
fn the_toolbox_knows_hair_and_eyes() {
    let folder = Folder::with(&[("eyes.csv", EYES)]);
    let json = folder.json("inspect eyes.csv --target Eye");
    let hair = &json["tests"][0];
    assert_eq!(hair["name"], "Hair");
    // The slides print 1.83, 1.80, 3.45 and 0.18.
    close(&json["target_bits"], 1.8278615260);
    close(&hair["entropy_bits"], 1.7982269243);
    close(&hair["joint_bits"], 3.4476480581);
    close(&hair["information_bits"], 0.1784403922);
    close(&hair["target_given_test_bits"], 1.8278615260 - 0.1784403922);
    close(&hair["chi2"], 138.2898416260);
    assert_eq!(hair["dof"], 9);
    assert!((hair["p_value"].as_f64().unwrap() / 2.3252867871e-25 - 1.0).abs() < 1e-10);
    let text = folder.out("inspect eyes.csv --target Eye --output bars.svg");
    assert!(text.contains("1.8279") && text.contains("3.4476") && text.contains("█"), "{text}");
    assert!(folder.read("bars.svg").contains("Hair 0.1784"));
}

#[test]
fn divergences_between_columns_and_files() {
    let cells = |a: usize, b: usize, c: usize| {
        ["a".repeat(a), "b".repeat(b), "c".repeat(c)].concat().chars().map(String::from).collect::<Vec<_>>()
    };
    let (p, q) = (cells(5, 3, 2), cells(4, 4, 2));
    let both: String = p.iter().zip(&q).map(|(p, q)| format!("{p},{q}\n")).collect();
    let one = |cells: &[String]| {
        format!("x,z\n{}", cells.iter().map(|cell| format!("{cell},k\n")).collect::<String>())
    };
    let folder =
        Folder::with(&[("both.csv", &format!("p,q\n{both}")), ("p.csv", &one(&p)), ("q.csv", &one(&q))]);
    // specification section 14, scalars.
    let json = folder.json("inspect both.csv --divergence p,q");
    close(&json["divergences"][0]["divergence_bits"], 0.0364527977);
    let json = folder.json("inspect p.csv --against q.csv");
    close(&json["divergences"][0]["divergence_bits"], 0.0364527977);
    assert_eq!(json["divergences"][1]["divergence_bits"], 0);
    assert!(
        folder
            .call("inspect both.csv --divergence p,r")
            .refusal(2, &["both.csv", "`r`", "`p`, `q`"])
            .is_none()
    );
}

#[test]
fn codes_of_the_specification() {
    let folder = Folder::with(&[("eyes.csv", EYES)]);
    let json = folder.json("code --probs 0.45,0.25,0.2,0.1 --lambda 2 --message 1,2,3,4,1");
    close(&json["entropy_bits"], 1.8149798205);
    let codes = json["codes"].as_array().unwrap();
    let of = |name: &str| codes.iter().find(|code| code["name"] == name).unwrap();
    assert_eq!(of("huffman")["lengths"], serde_json::json!([1, 2, 3, 3]));
    assert_eq!(of("huffman")["words"], serde_json::json!(["0", "10", "110", "111"]));
    close(&of("huffman")["mean"], 1.85);
    close(&of("huffman")["exponential"], 2.1043366598);
    assert_eq!(of("shannon")["words"], serde_json::json!(["00", "01", "100", "1010"]));
    close(&of("shannon")["kraft"], 0.6875);
    assert_eq!(of("fano")["lengths"], serde_json::json!([1, 2, 3, 3]));
    close(&of("exponential-huffman")["exponential"], 2.0);
    assert_eq!((&json["message"]["digits"], &json["message"]["decoded"]), (&10.into(), &true.into()));
    assert!(json["arithmetic"].as_array().unwrap().iter().all(|sent| sent["decoded"] == true));
    assert_eq!(
        folder.json("code --probs 0.45,0.25,0.2,0.1 --radix 10 --message 1,2,3,4,1")["message"]["digits"],
        3
    );
    let ternary = folder.json("code --probs 0.45,0.25,0.2,0.1 --radix 3");
    close(&ternary["codes"][0]["mean"], 1.3);
    close(&folder.json("code eyes.csv --column Eye")["entropy_bits"], 1.8278615260);
    assert_eq!(folder.json("code eyes.csv")["symbols"].as_array().unwrap().len(), 16);
    assert!(
        folder.call("code eyes.csv --column Nose").refusal(2, &["eyes.csv", "`Nose`", "`Hair`"]).is_none()
    );
    assert_eq!(folder.call("code --probs 0.5,-1").code, Some(2));
    assert_eq!(folder.call("code").code, Some(2));
}

#[test]
fn trees_paths_and_tables_are_drawn() {
    let folder = Folder::with(&[("days.csv", DAYS)]);
    folder.out(
        "learn days.csv --target play --prune none --output tree.svg --table-plot table.svg --node sunny",
    );
    let tree = folder.read("tree.svg");
    // Five leaves and three questions, each with its class bars; answers on the lines.
    assert_eq!((tree.matches("class=\"end\"").count(), tree.matches("class=\"ask\"").count()), (5, 3));
    for part in ["outlook?", "humidity?", "overcast", "14 rows, 64 % yes"] {
        assert!(tree.contains(part), "{part}");
    }
    let table = folder.read("table.svg");
    assert!(table.contains("humidity?") && table.contains("χ² = 5,"), "{table}");
    folder.out("learn days.csv --target play --alpha cv --folds 3 --path-plot path.svg");
    assert!(folder.read("path.svg").contains("leaves (the large dot was chosen)"));
    #[cfg(feature = "png")]
    {
        folder.out("learn days.csv --target play --tree-plot tree.png");
        assert!(std::fs::read(folder.path("tree.png")).unwrap().starts_with(b"\x89PNG"));
    }
    let faults = [
        folder
            .call("learn days.csv --target play --path-plot p.svg")
            .refusal(2, &["--path-plot", "--alpha cv"]),
        folder
            .call("learn days.csv --target play --tree-plot p.json")
            .refusal(2, &["`p.json`: --tree-plot writes .svg, .png, .pdf; choose one"]),
        folder
            .call("learn days.csv --target play --prune none --table-plot p.svg --node fog")
            .refusal(2, &["`fog`", "`sunny`"]),
        folder
            .call("learn days.csv --target play --prune none --table-plot p.svg --node overcast")
            .refusal(2, &["leaf"]),
    ];
    report(&faults.into_iter().flatten().collect::<Vec<_>>());
}
