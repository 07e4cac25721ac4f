//! A strategy as a questionnaire of FHIR R4: one item for each node, shown once the answer that leads to it is given.

use crate::export::{Export, ExportError};
use crate::flat::Flat;
use serde_json::{Value, json};
use std::io::Write;

/// Items of a questionnaire; forms draw all of them at once.
const ITEMS: usize = 5000;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    if flat.nodes.len() > ITEMS {
        let (found, limit) = (flat.nodes.len(), ITEMS);
        return Err(ExportError::TooLarge { format: "fhir", what: "items", found, limit, instead: "python" });
    }
    // The edge that leads to each node: its parent, and the answer.
    let mut from: Vec<Option<(usize, usize)>> = vec![None; flat.nodes.len()];
    for at in 0..flat.nodes.len() {
        flat.edges_of(at).iter().for_each(|edge| from[edge.child] = Some((at, edge.answer)));
    }
    let items: Vec<Value> = in_order(&flat).into_iter().map(|at| item(&flat, at, from[at])).collect();
    let document = json!({
        "resourceType": "Questionnaire",
        "status": "draft",
        "title": line(export.name),
        "description": export.facts.join("\n"),
        "subjectType": ["Patient"],
        "item": items,
    });
    let text = serde_json::to_string_pretty(&document).map_err(std::io::Error::from)?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// Nodes, parents before children, each subtree together.
fn in_order(flat: &Flat<'_>) -> Vec<usize> {
    let mut order = Vec::with_capacity(flat.nodes.len());
    let mut waiting = vec![0];
    while let Some(at) = waiting.pop() {
        order.push(at);
        waiting.extend(flat.edges_of(at).iter().rev().map(|edge| edge.child));
    }
    order
}

/// The item of a node. A question that is not shown has no answer, so that its own questions are not shown either.
fn item(flat: &Flat<'_>, at: usize, from: Option<(usize, usize)>) -> Value {
    let node = &flat.nodes[at];
    let mut item = match node.test {
        Some(test) => {
            let test = &flat.tests[test];
            let option = |answer: usize| json!({"valueCoding": coding(answer, test.answers[answer])});
            let mut options: Vec<Value> = flat.edges_of(at).iter().map(|edge| option(edge.answer)).collect();
            options.push(json!({"valueCoding": {"code": "unknown", "display": "don't know"}}));
            let question =
                if test.question.is_empty() { format!("{}?", test.name) } else { test.question.to_owned() };
            json!({"linkId": format!("n{at}"), "text": line(&question), "type": "choice", "answerOption": options})
        }
        None => {
            let names = node.result.map_or(String::new(), |result| flat.result_text(result));
            json!({"linkId": format!("n{at}"), "text": line(&names), "type": "display"})
        }
    };
    if let (Some((parent, answer)), Some(fields)) = (from, item.as_object_mut()) {
        let test = flat.nodes[parent].test.map(|test| &flat.tests[test]);
        let text = test.map_or("", |test| test.answers[answer]);
        let when = json!([{"question": format!("n{parent}"), "operator": "=", "answerCoding": coding(answer, text)}]);
        fields.insert("enableWhen".to_owned(), when);
    }
    item
}

/// An answer as a code; the text of an answer may hold blanks that a code may not.
fn coding(answer: usize, text: &str) -> Value {
    json!({"code": format!("a{answer}"), "display": line(text)})
}

/// Text for FHIR, where it must not be empty, nor begin or end with a blank.
fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { "–".to_owned() } else { text }
}
