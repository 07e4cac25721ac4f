//! `fewest check` on proofs of bounds: beside a strategy, in a file of their own, and altered.

use crate::common::Folder;
use serde_json::json;

/// E2 of the specification.
const E2: &str = "object,t1,t2,t3,group,prior\n@cost,2,1,3,,\n1,1,1,2,A,0.1\n2,1,2,1,A,0.2\n3,2,2,1,B,0.4\n\
                  4,1,2,2,C,0.25\n5,2,2,2,C,0.05\n";

/// Proof that nothing costs less than 4.6 on average there: the optimum of every set that a tree can meet, in
/// hundredths.
const CERTIFICATE: &str = r#"{"table": {"objects": 5}, "bound": {"objective": {"name": "expected"}, "value": 4.6,
    "claims": [["6", 120, "tests"], ["9", 35, "tests"], ["a", 135, "tests"], ["b", 190, "tests"], ["14", 135, "tests"],
    ["19", 40, "tests"], ["1e", 390, "tests"], ["1f", 460, "tests"]]}}"#;

/// Folder with the table, a strategy, the certificate alone, and the strategy that holds it.
fn folder() -> Folder {
    let folder = Folder::with(&[("e2.csv", E2)]);
    folder.out("build e2.csv --algorithm lambda-gbs --cost-blind --output plan.json");
    let plan = folder.read("plan.json");
    let instance = plan.lines().find(|line| line.contains("\"instance\"")).unwrap();
    folder.write("proof.json", format!("{{\"version\": 1,\n{instance}\n\"certificate\": {CERTIFICATE}}}"));
    let field = format!("\"certificate\": {CERTIFICATE},\n  \"tree\":");
    folder.write("both.json", plan.replace("\"tree\":", &field));
    folder
}

#[test]
fn a_proof_is_verified_wherever_it_stands() {
    let folder = folder();
    let proved = "no strategy costs less than 4.6 on average (8 claims verified)";
    let alone = folder.out("check e2.csv proof.json");
    assert_eq!(alone, format!("proof.json: verified against e2.csv\n{proved}\n"));
    for call in ["check e2.csv both.json", "check e2.csv plan.json --certificate proof.json"] {
        let printed = folder.out(call);
        assert!(printed.contains("every one of 5 objects reaches a leaf"), "{printed}");
        assert!(printed.ends_with(&format!("\n{proved}: this one is the best possible\n")), "{printed}");
        let found = folder.json(call);
        let bound = json!({"objective": {"name": "expected"}, "value": 4.6, "claims": 8});
        assert_eq!(found["verified"], true);
        assert_eq!(found["checked"], json!({"tree": true, "costs": true, "bound": bound}));
    }
    // Lines: the verdict, the tree, the costs, the fields that are not verified, the bound.
    assert_eq!(folder.out("check e2.csv plan.json --certificate both.json").lines().count(), 5);
    let found = folder.json("check e2.csv proof.json");
    assert_eq!((&found["checked"]["bound"]["value"], found.get("cost")), (&json!(4.6), None));
    assert_eq!(found["checked"].get("tree"), None);
}

#[test]
fn a_strategy_without_a_proof_says_so() {
    let folder = folder();
    let run = folder.call("check e2.csv plan.json");
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("no strategy costs less than 4.3 on average (certificate); it holds no proof"),
        "{}",
        run.err
    );
    assert!(run.out.contains("\nnot proved: lower_bound, gap: it says that no strategy"), "{}", run.out);
    let found = folder.json("check e2.csv plan.json --tree-only");
    assert_eq!(found["checked"], json!({"tree": true, "costs": true, "bound": null}));
    assert_eq!(found["unproved"], json!(["lower_bound", "gap"]));
}

#[test]
fn an_altered_proof_is_refused_with_the_claim() {
    let folder = folder();
    let alterations = [
        ("\"value\": 4.6", "\"value\": 4.61", "no strategy is said to cost less than 4.61, but"),
        (
            "[\"1f\", 460",
            "[\"1f\", 461",
            "claim 8 says no strategy for these 5 objects is worth less than 461",
        ),
        (
            "[\"14\", 135, \"tests\"],",
            "",
            "claim 7 says no strategy for these 5 objects is worth less than 460",
        ),
        ("[\"1f\", 460", "[\"3f\", 460", "claim 8 speaks of object number 5, but the table has 5 objects"),
        ("\"1f\", 460, \"tests\"", "\"1f\", 460, \"peel\"", "`t1` and `t2` differ in cost"),
        (
            "\"1f\", 460, \"tests\"",
            "\"1f\", 460, \"parts:t2\"",
            "the parts that `t2` makes of them are worth",
        ),
        ("\"1f\", 460, \"tests\"", "\"1f\", 460, \"parts:t9\"", "claim 8 of the certificate rests on `t9`"),
        ("\"expected\"", "\"worst\"", "claim 1 says"),
        (
            "\"objects\": 5}, \"bound",
            "\"objects\": 6}, \"bound",
            "the certificate is about 6 objects, the table has 5",
        ),
    ];
    for (from, to, says) in alterations {
        for file in ["proof.json", "both.json"] {
            let text = folder.read(file);
            assert!(text.contains(from), "{from}");
            folder.write("altered.json", text.replacen(from, to, 1));
            let says =
                if says.contains("is said") && file == "both.json" { "but this one costs 4.6" } else { says };
            // In the strategy the first objective is not the proof's.
            if from == "\"expected\"" && file == "both.json" {
                continue;
            }
            let run = folder.call("check e2.csv altered.json");
            assert_eq!(run.refusal(1, &["altered.json: refused: ", says]), None, "{from} {file}");
            let run = folder.call("check e2.csv altered.json --json");
            assert_eq!(run.code, Some(1));
            assert!(
                run.out.contains("\"verified\": false") && run.out.contains("\"reason\": "),
                "{}",
                run.out
            );
        }
    }
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let folder = folder();
    let run = folder.call("check e2.csv proof.json --certificate proof.json");
    assert_eq!(run.refusal(2, &["proof.json holds no strategy"]), None);
    let run = folder.call("check e2.csv plan.json --certificate plan.json");
    assert_eq!(run.refusal(2, &["plan.json: this strategy holds no certificate"]), None);
    let run = folder.call("check e2.csv plan.json --certificate none.json");
    assert_eq!(run.refusal(2, &["none.json: there is no such file"]), None);
    folder.write("broken.json", folder.read("proof.json").replace("\"9\"", "\"x9\""));
    let run = folder.call("check e2.csv broken.json");
    assert_eq!(
        run.refusal(2, &["broken.json: line", "not a certificate: a set is a hexadecimal number"]),
        None
    );
    let run = folder.call("show proof.json");
    assert_eq!(run.refusal(2, &["not a strategy"]), None);
}
