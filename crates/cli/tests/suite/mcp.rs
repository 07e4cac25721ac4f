//! The tools for assistants: lines of JSON on standard input and output. `scripts/export-test` talks to them by a real client.

use crate::common::Folder;
use serde_json::{Value, json};

/// Sends requests in one conversation; the replies in order.
fn converse(folder: &Folder, line: &str, calls: &[(&str, Value)]) -> Vec<Value> {
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let mut input =
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).to_string() + "\n";
    input += &(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string() + "\n");
    for (id, (name, arguments)) in (1..).zip(calls) {
        let params = json!({"name": name, "arguments": arguments});
        input += &(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
            + "\n");
    }
    let run = folder.call_with(line, input.as_bytes());
    let mut replies: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    replies.sort_by_key(|reply| reply["id"].as_u64());
    assert_eq!(replies.len(), calls.len() + 1, "{}{}", run.out, run.err);
    replies.remove(0);
    replies.into_iter().map(|mut reply| reply["result"].take()).collect()
}

fn printer() -> Folder {
    Folder::with(&[("printer.csv", include_str!("../../../../examples/printer.csv"))])
}

#[test]
fn an_assistant_asks_and_is_told() {
    let folder = printer();
    let calls = [
        ("next_question", json!({})),
        ("answer", json!({"answer": "no"})),
        ("bound", json!({})),
        ("answer", json!({"test": "lamp_on", "answer": "yes"})),
        ("answer", json!({"test": "lmap_on", "answer": "yes"})),
        ("take_back", json!({})),
        ("no_such_tool", json!({})),
    ];
    // One call at a time: the next depends on what the last one left.
    let replies: Vec<Value> = (1..=calls.len())
        .map(|some| converse(&folder, "mcp printer.csv --quiet", &calls[..some]).pop().unwrap())
        .collect();
    let content = |at: usize| &replies[at]["structuredContent"];
    assert_eq!(content(0)["next"]["question"], "Does the computer see the printer?");
    assert_eq!(content(1)["next"]["test"], "lamp_on");
    assert_eq!(content(2)["optimal"], true);
    assert_eq!(
        (&content(3)["done"], &content(3)["groups"][0]["groups"]),
        (&json!(true), &json!(["connection"]))
    );
    assert_eq!(replies[4]["isError"], true);
    assert!(
        replies[4]["content"][0]["text"].as_str().unwrap().contains("did you mean `lamp_on`?"),
        "{}",
        replies[4]
    );
    assert_eq!(content(5)["next"]["test"], "lamp_on");
    assert_eq!(replies[6]["isError"], true);
}

#[test]
fn a_saved_strategy_is_asked_with_its_table() {
    let folder = printer();
    folder.out("build printer.csv -o plan.json --quiet");
    assert_eq!(folder.call("mcp plan.json").refusal(2, &["--table"]), None);
    let replies =
        converse(&folder, "mcp plan.json --table printer.csv --quiet", &[("next_question", json!({}))]);
    assert_eq!(replies[0]["structuredContent"]["next"]["question"], "Does the computer see the printer?");
}
