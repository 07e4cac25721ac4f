//! `fewest ask` by pipe, and `fewest simulate`.

use crate::common::Folder;
use serde_json::{Value, json};

const PRINTER: &str = "object,group,prior,lamp,code,smear,dial\n@cost,,,1,2,1,1\n@question,,,Is the lamp on?,,,\n\
                       fuse,power,2,no,no,no,1\nsupply,power,1,yes,no,no,2\njam,paper,1,yes,yes,no,3\n\
                       drum,print,3,yes,yes,yes,3\ntoner,print,1,yes,no,yes,2\n";

fn folder() -> Folder {
    Folder::with(&[("printer.csv", PRINTER)])
}

/// Final state of a session by pipe.
#[track_caller]
fn state(folder: &Folder, line: &str, input: &str) -> Value {
    let run = folder.call_with(&format!("{line} --json"), input.as_bytes());
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{line}: {error}: {} {}", run.out, run.err))
}

#[test]
fn a_session_by_pipe_names_the_group() {
    let folder = folder();
    let run = folder.call_with("ask printer.csv --algorithm ggbs", b"yes\nno\nno\nyes\nno\n");
    assert!(run.out.contains("Is the lamp on?") || run.out.contains("smear?"), "{}", run.out);
    let told = run.out.lines().filter(|line| line.starts_with("It is ")).count();
    assert_eq!((run.code, told), (Some(0), 1), "{}", run.out);
}

#[test]
fn facts_in_any_order_give_the_same_state() {
    let folder = folder();
    let left = state(&folder, "ask printer.csv --given lamp=yes --given code=no", "");
    let right = state(&folder, "ask printer.csv --given code=no --given lamp=y", "");
    assert_eq!(left["candidates"], right["candidates"]);
    assert_eq!(left["possible"], json!(2));
    assert_eq!((&left["cost"], &left["done"]), (&json!(0), &json!(false)));
    assert_eq!(left["next"], json!({"test": "smear", "question": null, "answers": ["no", "yes"]}));
}

#[test]
fn an_answer_is_changed_and_the_later_ones_stay() {
    let folder = folder();
    let start = "ask printer.csv --given lamp=yes --given smear=no";
    let changed = state(&folder, start, "change 1 no\nchange 1 yes\nchange 2\nyes\nb\n");
    assert_eq!(changed["answers"], json!([{"test": "lamp", "answers": ["yes"], "volunteered": true}]));
    let kept = state(&folder, start, "change 1 no\n");
    assert_eq!(kept["answers"][1], json!({"test": "smear", "answers": ["no"], "volunteered": true}));
    assert_eq!(kept["candidates"][0]["objects"], json!(["fuse"]));
    let withdrawn = state(&folder, start, "withdraw 1\nif 1 yes\n");
    assert_eq!(withdrawn["answers"].as_array().unwrap().len(), 1);
}

#[test]
fn not_knowing_and_several_answers_are_answers() {
    let folder = folder();
    let run = state(&folder, "ask printer.csv --first dial", "2|3\n?\n");
    assert_eq!(run["answers"][0], json!({"test": "dial", "answers": ["2", "3"]}));
    assert_eq!(run["answers"][1]["answers"], json!([]));
    assert_eq!(run["possible"], json!(4));
}

#[test]
fn commands_explain_and_mistakes_are_forgiven() {
    let folder = folder();
    let input = b"w\nc\na\nh\nx drum\nd drum, jam\nx drumm\nnonsense\nchange 7\nfevr=1\n";
    let run = folder.call_with("ask printer.csv --given lamp=yes", input);
    for part in [
        "From here on: cost",
        "4 objects possible",
        "1. lamp: yes, known beforehand",
        "for 1. lamp: yes",
        "drum and jam differ in 1 test",
        "no object `drumm`; did you mean `drum`?",
        "has no answer `nonsense`",
        "takes a number from 1 to 1",
        "there is no test `fevr`",
        "don't know: another question is found",
    ] {
        assert!(run.out.contains(part), "{part} is not in\n{}", run.out);
    }
    assert_eq!(run.code, Some(1));
}

#[test]
fn a_contradiction_is_shown_with_the_likeliest_mistake() {
    let folder = folder();
    let facts = "ask printer.csv --given lamp=no --given code=yes --given smear=yes";
    let run = folder.call_with(facts, b"");
    assert!(
        run.out.contains("No object gives these answers together: 1. lamp: no · 2. code: yes"),
        "{}",
        run.out
    );
    assert!(run.out.contains("Most likely mistaken: lamp"), "{}", run.out);
    assert!(run.out.contains("Nearest: ") && run.out.contains("drum fits 2 of 3"), "{}", run.out);
    assert_eq!(run.code, Some(1));
    let forgiven = state(&folder, &format!("{facts} --errors 1"), "");
    assert_eq!(forgiven["candidates"][0]["objects"], json!(["drum"]));
    let weighed = state(&folder, &format!("{facts} --noise 0.1"), "");
    assert_eq!(weighed["possible"], json!(5));
    assert_eq!(weighed["candidates"][0]["objects"], json!(["drum"]));
}

#[test]
fn quitting_saves_and_resuming_goes_on() {
    let folder = folder();
    let run = folder.call_with("ask printer.csv --first dial,lamp --log talk.jsonl", b"2\nq\n");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("Saved printer.session.json."), "{}", run.out);
    let saved: Value = serde_json::from_str(&folder.read("printer.session.json")).unwrap();
    assert_eq!(saved["answers"], json!([{"test": "dial", "answers": ["2"]}]));
    let resumed = state(&folder, "ask printer.csv --resume printer.session.json", "");
    assert_eq!(resumed["answers"], saved["answers"]);
    // The log has every state; a line that a crash left incomplete does not matter.
    let log = folder.read("talk.jsonl");
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
    folder.write("cut.jsonl", &log[..log.len() - 5]);
    assert_eq!(state(&folder, "ask printer.csv --resume cut.jsonl", "")["answers"], saved["answers"]);
    folder.call_with("ask printer.csv --log talk.md", b"?\n");
    assert!(folder.read("talk.md").contains("don't know"));
}

#[test]
fn names_of_commands_may_be_answers() {
    let folder = Folder::with(&[("letters.csv", "object,first\na,w\nb,c\nc,?\n")]);
    let line = "ask letters.csv --missing answer";
    assert_eq!(state(&folder, line, "w\n")["candidates"][0]["objects"], json!(["a"]));
    assert_eq!(state(&folder, line, "?\n")["possible"], json!(3));
    assert_eq!(state(&folder, line, "3\n")["candidates"][0]["objects"], json!(["c"]));
    let run = folder.call_with(line, b":w\n");
    assert!(run.out.contains("w, c means the answer here; :w is the command"), "{}", run.out);
    assert!(run.out.contains("It is the plan's next question"), "{}", run.out);
}

#[test]
fn sessions_end_when_told_to() {
    let folder = folder();
    let object = state(&folder, "ask printer.csv --until object --given lamp=yes --given smear=no", "");
    assert_eq!(object["done"], json!(false));
    let dear = state(&folder, "ask printer.csv --max-cost 0", "");
    assert_eq!(dear["reason"], json!("too-dear"));
    let sure = state(&folder, "ask printer.csv --until 30%", "");
    assert_eq!(sure["reason"], json!("certain"));
    let few = state(&folder, "ask printer.csv --left 2 --given code=yes", "");
    assert_eq!(few["reason"], json!("few-left"));
    let none = state(&folder, "ask printer.csv --without lamp,code,smear,dial", "");
    assert_eq!(none["reason"], json!("nothing-to-ask"));
}

#[test]
fn a_saved_strategy_is_asked_alone_or_with_its_table() {
    let folder = folder();
    folder.out("build printer.csv --output plan.json --quiet");
    let run = folder.call_with("ask plan.json", b"w\nc\n?\nyes\nno\nno\nyes\nyes\n");
    assert!(run.out.contains("--table TABLE could. Still possible:"), "{}", run.out);
    assert!(run.out.contains("It is "), "{}", run.out);
    assert_eq!(run.code, Some(0));
    let both = state(&folder, "ask plan.json --table printer.csv", "?\n");
    assert_eq!((&both["possible"], &both["done"]), (&json!(5), &json!(false)));
    let refused = folder.call_with("ask plan.json --given lamp=yes", b"");
    assert_eq!(refused.refusal(2, &["--table TABLE"]), None);
}

#[test]
fn wrong_calls_are_refused_with_the_way_out() {
    let folder = folder();
    folder.write("broken.json", "[1, 2]");
    folder.write(
        "other.json",
        "{\"version\":1,\"source\":\"x\",\"answers\":[{\"test\":\"lmap\",\"answers\":[]}]}",
    );
    for (line, says) in [
        ("ask -", &["standard input"][..]),
        ("ask printer.csv --given lamp", &["--given", "test=answer"]),
        ("ask printer.csv --given lmap=yes", &["did you mean `lamp`?"]),
        ("ask printer.csv --given lamp=maybe", &["`no`, `yes`"]),
        ("ask printer.csv --without lmap", &["--without", "did you mean `lamp`?"]),
        ("ask printer.csv --noise 2", &["--noise", "less than 1"]),
        ("ask printer.csv --noise 0.1,lmap=0.2", &["did you mean `lamp`?"]),
        ("ask printer.csv --resume broken.json", &["broken.json", "not a session"]),
        ("ask printer.csv --resume other.json", &["other.json", "did you mean `lamp`?"]),
        ("ask printer.csv --log printer.csv", &["name another"]),
        ("ask nowhere.csv", &["nowhere.csv"]),
        ("ask printer.csv --table printer.csv", &["is a table itself"]),
        ("simulate nowhere.csv", &["nowhere.csv"]),
        ("simulate printer.csv --noise 0.1,lamp=0.2", &["one rate"]),
    ] {
        assert_eq!(folder.call_with(line, b"").refusal(2, says), None, "{line}");
    }
}

#[test]
fn playing_every_object_costs_what_build_says() {
    let folder = folder();
    for algorithm in ["auto", "ggbs", "gbs", "dectree", "optimal"] {
        let built = folder.json(&format!("build printer.csv --algorithm {algorithm}"));
        let played = folder.json(&format!("simulate printer.csv --algorithm {algorithm}"));
        assert_eq!(played["cost"]["mean"], built["cost"]["expected"], "{algorithm}");
        assert_eq!(played["cost"]["max"], built["cost"]["worst"], "{algorithm}");
        assert_eq!((&played["accuracy"], &played["runs"]), (&json!(1), &json!(5)));
    }
    folder.out("build printer.csv --output plan.json --quiet");
    let saved = folder.json("simulate printer.csv --strategy plan.json");
    assert_eq!(saved["cost"]["mean"], folder.json("build printer.csv")["cost"]["expected"]);
    assert_eq!(saved["by_group"].as_array().unwrap().len(), 3);
}

#[test]
fn played_sessions_do_not_depend_on_threads() {
    let folder = folder();
    let line =
        "simulate printer.csv --algorithm ggbs,ec2 --noise 0.2 --unknown 0.1 --runs 200 --seed 3 --json";
    let one = folder.out(&format!("{line} --threads 1"));
    assert_eq!(one, folder.out(&format!("{line} --threads 3")));
    assert_ne!(one, folder.out(&line.replace("--seed 3", "--seed 4")));
    let value: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(value["policies"].as_array().unwrap().len(), 2);
    let text = folder.out("simulate printer.csv --errors 1 --runs 50 --output costs.svg");
    assert!(text.contains("50 sessions") && folder.read("costs.svg").starts_with("<svg"), "{text}");
}

#[test]
fn a_resumed_session_needs_no_options_again() {
    let folder = folder();
    folder.write("costs.csv", "test,cost\nlamp,5\n");
    let options =
        "--identify objects --costs costs.csv --noise 0.05 --without dial --algorithm ggbs --given code=no";
    let first = folder.call_with(&format!("ask printer.csv {options} --save s.json"), b"yes\nq\n");
    assert_eq!(first.code, Some(0), "{}", first.err);
    let saved: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    let kept: Vec<&str> =
        saved["options"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    for option in ["--identify", "--costs", "--noise", "--without", "--algorithm"] {
        assert!(kept.contains(&option), "{kept:?}");
    }
    assert!(!kept.contains(&"--given") && !kept.contains(&"--save"), "{kept:?}");
    let left = state(&folder, "ask printer.csv --resume s.json --save t.json", "");
    let given = "--identify objects --costs costs.csv --noise 0.05 --without dial --algorithm ggbs";
    let right = state(&folder, &format!("ask printer.csv {given} --resume s.json --save u.json"), "");
    assert_eq!(folder.read("t.json"), folder.read("u.json"));
    assert!(left["candidates"].as_array().unwrap().len() == 5, "{left}");
    assert_eq!(left["candidates"], right["candidates"]);
    assert_eq!(left["next"], right["next"]);
    // An option of the call replaces the saved one, and is kept.
    let run = folder.call_with("ask printer.csv --resume t.json --noise 0.2 --save v.json", b"q\n");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let saved: Value = serde_json::from_str(&folder.read("v.json")).unwrap();
    let words: Vec<&str> =
        saved["options"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(words.windows(2).any(|pair| pair == ["--noise", "0.2"]) && !words.contains(&"0.05"), "{words:?}");
    // Options that are none are told, not guessed.
    folder.write("w.json", folder.read("s.json").replace("--noise", "--nose"));
    let run = folder.call_with("ask printer.csv --resume w.json", b"");
    assert_eq!(run.refusal(2, &["the options in the saved session cannot be used", "--nose"]), None);
}
