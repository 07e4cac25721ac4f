//! Tests of the reader.

use super::*;
use serde_json::json;

fn table(characters: Value, statements: Value) -> Found {
    let key = json!({
        "$schema": "Clavis", "language": ["nb", "en"], "taxa": [
            { "id": "taxon:a", "scientificName": "Aus aus", "isEndPoint": true,
              "children": [{ "id": "taxon:a1", "label": "♂" }, { "id": "taxon:a2", "label": "♀" }] },
            { "id": "taxon:b", "vernacularName": { "nb": "bie", "en": "bee" } },
        ],
        "characters": characters, "statements": statements,
    });
    read(key.to_string().as_bytes(), &ReadOptions::default()).unwrap()
}

fn state(id: &str) -> Value {
    json!({ "id": format!("state:{id}"), "title": id })
}

fn say(taxon: &str, character: &str, value: Value, frequency: f64) -> Value {
    json!({ "taxon": format!("taxon:{taxon}"), "character": format!("character:{character}"), "value": value, "frequency": frequency })
}

fn cells(found: &Found, test: &str) -> Vec<String> {
    let column = found.0.column(test).unwrap();
    column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
}

#[test]
fn morphs_inherit_unless_they_have_statements_of_their_own() {
    let characters = json!([
        { "id": "character:c", "title": "c", "states": [state("x"), state("y"), state("z")] },
        { "id": "character:d", "title": "d", "states": [state("p"), state("q")], "logicalPremise": "!(state:x || state:y)" },
        { "id": "character:n", "title": "n", "type": "numerical", "min": 0, "max": 9, "stepSize": 1, "unit": "mm" },
        { "id": "character:e", "title": "e", "states": [state("r"), state("s")], "logicalPremise": "state:x && (state:p || state:y)" },
    ]);
    let statements = json!([
        say("a", "c", json!("state:x"), 1.0),
        say("a2", "c", json!("state:y"), 0.5),
        say("a2", "c", json!("state:z"), 0.5),
        say("b", "c", json!("state:x"), 0.0),
        say("a", "d", json!("state:p"), 0.0),
        say("a", "d", json!("state:q"), 0.0),
        say("b", "d", json!("state:q"), 1.0),
        say("b", "n", json!([2, 4.5]), 1.0),
        say("b", "n", json!("state:none"), 1.0),
        say("b", "e", json!("state:r"), 1.0),
    ]);
    let found = table(characters, statements);
    assert!(found.0.objects.iter().eq(["Aus aus ♂", "Aus aus ♀", "bie"]));
    assert_eq!(cells(&found, "group"), ["Aus aus", "Aus aus", "bie"]);
    assert_eq!(cells(&found, "c"), ["x", "y|z", "y|z"]);
    assert_eq!(cells(&found, "d"), ["-", "-", "q"]);
    assert_eq!(cells(&found, "n"), ["?", "?", "2..4.5"]);
    let about = found.0.about.iter().find(|about| about.what == "if").unwrap();
    assert_eq!(about.cells, ["", "", "c=z", "", ""], "the premise of e is about two characters in one `or`");
    assert_eq!(found.1.object("bie").unwrap().label.get("en"), Some("bie (bee)"));
    let lost = found.2.iter().find_map(|notice| {
        if let crate::read::Notice::Lost(losses) = notice { Some(losses.words()) } else { None }
    });
    let lost = lost.unwrap();
    assert!(
        lost.contains("2 answer frequencies") && lost.contains("1 rule") && lost.contains("1 reference"),
        "{lost}"
    );
}
