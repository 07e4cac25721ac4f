//! Tables as Clavis: taxa, characters, states and statements in JSON, by the published schema.

use super::sketch::{Cell, Object, Sketch, Test};
use crate::loss::{Loss, Losses};
use crate::texts::{Text, Texts, Words};
use fewest_model::Table;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Result, Write};

/// Schema that the key follows.
const SCHEMA: &str = "https://github.com/Artsdatabanken/Clavis/releases/download/v1.0/Clavis.json";
/// A key must name a creator and a licence; a table names neither.
const NOBODY: &str = "person:unknown";
const LICENCE: &str = "urn:licence:unknown";

/// Writes a table as a key; `date` (`2024-01-31 12:00:00`) is when the data were last changed. Returns what was lost.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_clavis(
    out: &mut dyn Write,
    table: &Table,
    texts: &Texts,
    is_list: bool,
    title: &str,
    date: &str,
) -> Result<Losses> {
    let mut losses = Losses::default();
    let sketch = Sketch::new(table, is_list, &mut losses);
    let mut writer =
        Writer { texts, language: language(texts), media: Vec::new(), needs: BTreeMap::new(), losses };
    let taxa = writer.taxa(&sketch);
    let characters: Vec<Value> = (0..sketch.tests.len()).map(|at| writer.character(&sketch, at)).collect();
    let statements = writer.statements(&sketch);
    let title = if texts.title.is_empty() { json!(title) } else { writer.words(&texts.title) };
    let requirements = writer.needs.iter().map(|(name, id)| json!({ "id": id, "title": name }));
    let requirements: Vec<Value> = requirements.collect();
    let mut key = json!({
        "$schema": SCHEMA,
        "title": title,
        "language": languages(texts, &writer.language),
        "license": LICENCE,
        "creator": NOBODY,
        "lastModified": date,
        "identifier": identifier(table),
        "persons": [{ "id": NOBODY, "name": "unknown" }],
        "taxa": taxa,
        "characters": characters,
        "statements": statements,
    });
    for (name, list) in [("userRequirements", requirements), ("mediaElements", writer.media)] {
        if !list.is_empty() {
            key[name] = Value::Array(list);
        }
    }
    serde_json::to_writer_pretty(&mut *out, &key)?;
    writeln!(out)?;
    Ok(writer.losses)
}

/// Whether a text is the code of a language, as the schema wants it.
fn is_language(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn language(texts: &Texts) -> String {
    if is_language(&texts.language) { texts.language.clone() } else { "en".to_owned() }
}

/// All languages of the texts.
fn languages(texts: &Texts, own: &str) -> Value {
    let all = texts
        .objects
        .values()
        .chain(texts.tests.values())
        .chain(texts.answers.values().flat_map(BTreeMap::values));
    let words = all.flat_map(|text| [&text.label, &text.question, &text.help]).chain([&texts.title]);
    let others: BTreeSet<&str> = words
        .flat_map(Words::iter)
        .map(|(language, _)| language)
        .filter(|language| is_language(language))
        .collect();
    let others = others.into_iter().filter(|language| *language != own);
    Value::Array(std::iter::once(own).chain(others).map(Value::from).collect())
}

/// Number that stays the same for a table with the same names.
fn identifier(table: &Table) -> String {
    let names = table.objects.iter().chain(table.columns.iter().map(|column| column.name.as_str()));
    // FNV-1a, 64 bits.
    let hash =
        names.flat_map(|name| name.bytes().chain([0])).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("fewest-{hash:016x}")
}

fn state_id(test: usize, answer: usize) -> String {
    format!("state:c{}_{}", test + 1, answer + 1)
}

struct Writer<'a> {
    texts: &'a Texts,
    language: String,
    media: Vec<Value>,
    /// Ids of tools by name.
    needs: BTreeMap<String, String>,
    losses: Losses,
}

impl Writer<'_> {
    /// A text in one or several languages.
    fn words(&mut self, words: &Words) -> Value {
        let mut found = Map::new();
        for (language, text) in words.iter() {
            let language = if language.is_empty() { self.language.as_str() } else { language };
            match is_language(language) {
                true => _ = found.insert(language.to_owned(), json!(text)),
                false => self.losses.add(Loss::Text, 1),
            }
        }
        Value::Object(found)
    }

    /// The name of a thing with its label in other languages.
    fn title(&mut self, name: &str, text: Option<&Text>) -> Value {
        let mut words = text.map(|text| text.label.clone()).unwrap_or_default();
        if words.iter().all(|(language, _)| language.is_empty() || language == self.language) {
            self.losses.add(Loss::Text, usize::from(words.get("").is_some_and(|label| label != name)));
            return json!(name);
        }
        words.set("", name);
        self.words(&words)
    }

    /// Adds help, picture and page to a thing.
    fn tell(&mut self, json: &mut Value, text: Option<&Text>) {
        let Some(text) = text else { return };
        if !text.help.is_empty() {
            json["description"] = self.words(&text.help);
        }
        if !text.image.is_empty() {
            match self.picture(&text.image) {
                Some(id) => json["media"] = json!(id),
                None => self.losses.add(Loss::Text, 1),
            }
        }
        if has_scheme(&text.link) {
            json["descriptionUrl"] = json!(text.link);
        } else {
            self.losses.add(Loss::Text, usize::from(!text.link.is_empty()));
        }
        self.losses.add(Loss::Text, usize::from(!text.question.is_empty()));
    }

    /// Id of a picture; `None`: a key can only name addresses.
    fn picture(&mut self, image: &str) -> Option<String> {
        let file = if image.starts_with("data:") {
            json!({ "file": image })
        } else if has_scheme(image) {
            json!({ "url": image })
        } else {
            return None;
        };
        let id = format!("media:m{}", self.media.len() + 1);
        self.media.push(json!({ "id": id, "mediaElement": { "file": file } }));
        Some(id)
    }

    /// Taxa: objects, below a taxon for their group where it has another name.
    fn taxa(&mut self, sketch: &Sketch<'_>) -> Vec<Value> {
        let mut taxa: Vec<Value> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, object) in sketch.objects.iter().enumerate() {
            let mut json = self.taxon(at, object);
            let alone =
                |group: &str| sketch.objects.iter().filter(|other| other.group == Some(group)).count() == 1;
            let Some(group) = object.group else {
                taxa.push(json);
                continue;
            };
            if group == object.name && alone(group) {
                json["isEndPoint"] = json!(true);
                taxa.push(json);
                continue;
            }
            let place = *places.entry(group).or_insert_with(|| {
                let id = format!("taxon:g{}", taxa.len() + 1);
                taxa.push(json!({ "id": id, "label": group, "placeholderName": group, "isEndPoint": true, "children": [] }));
                taxa.len() - 1
            });
            if let Some(children) = taxa[place]["children"].as_array_mut() {
                children.push(json);
            }
        }
        taxa
    }

    fn taxon(&mut self, at: usize, object: &Object<'_>) -> Value {
        let text = self.texts.object(object.name);
        let placeholder = self.title(object.name, text);
        let mut json = json!({ "id": format!("taxon:o{}", at + 1), "label": object.name, "placeholderName": placeholder });
        self.tell(&mut json, text);
        json
    }

    fn character(&mut self, sketch: &Sketch<'_>, at: usize) -> Value {
        let test = &sketch.tests[at];
        let text = self.texts.test(test.name);
        let title = self.title(test.name, text);
        let mut json = json!({ "id": format!("character:c{}", at + 1), "title": title });
        self.losses.add(Loss::Text, usize::from(!test.question.is_empty()));
        if test.is_number {
            let (low, high, step) = span(test);
            for (name, value) in
                [("min", json!(low)), ("max", json!(high)), ("stepSize", json!(step)), ("unit", json!(""))]
            {
                json[name] = value;
            }
            json["type"] = json!("numerical");
        } else {
            let states = test.answers.iter().enumerate().map(|(answer, name)| {
                let text = self.texts.answer(test.name, name);
                let mut state = json!({ "id": state_id(at, answer), "title": self.title(name, text) });
                self.tell(&mut state, text);
                state
            });
            json["states"] = Value::Array(states.collect());
        }
        if !test.needs.is_empty() {
            let next = format!("requirement:r{}", self.needs.len() + 1);
            json["userRequirement"] = json!(self.needs.entry(test.needs.to_owned()).or_insert(next));
        }
        let premises = test.premises.iter().map(|(other, answers)| {
            let states: Vec<String> = answers.iter().map(|answer| state_id(*other, *answer)).collect();
            format!("({})", states.join(" || "))
        });
        let premises: Vec<String> = premises.collect();
        if !premises.is_empty() {
            json["logicalPremise"] = json!(premises.join(" && "));
        }
        self.tell(&mut json, text);
        json
    }

    fn statements(&mut self, sketch: &Sketch<'_>) -> Vec<Value> {
        let mut list = Vec::new();
        for (at, test) in sketch.tests.iter().enumerate() {
            let (low, high, _) = span(test);
            for (object, cell) in test.cells.iter().enumerate() {
                let mut say = |value: Value, frequency: f64| {
                    list.push(json!({
                        "id": format!("statement:s{}", list.len() + 1),
                        "taxon": format!("taxon:o{}", object + 1),
                        "character": format!("character:c{}", at + 1),
                        "value": value,
                        "frequency": frequency,
                    }));
                };
                let mut among = |answers: &[usize]| {
                    let share = (1e4 / answers.len() as f64).round() / 1e4;
                    answers.iter().for_each(|answer| say(json!(state_id(at, *answer)), share));
                };
                match cell {
                    Cell::Unknown => {}
                    Cell::Answers(answers) => among(answers),
                    Cell::Any if test.is_number => say(json!([low, high]), 1.0),
                    Cell::Any => among(&(0..test.answers.len()).collect::<Vec<_>>()),
                    Cell::Range(low, high) => say(json!([low, high]), 1.0),
                    Cell::Inapplicable if test.is_number => self.losses.add(Loss::Cell, 1),
                    Cell::Inapplicable => {
                        (0..test.answers.len()).for_each(|answer| say(json!(state_id(at, answer)), 0.0));
                    }
                }
            }
        }
        list
    }
}

/// Least and greatest number of a test, and the step between numbers.
fn span(test: &Test<'_>) -> (f64, f64, f64) {
    let ends = || {
        test.cells
            .iter()
            .filter_map(|cell| if let Cell::Range(low, high) = cell { Some([*low, *high]) } else { None })
    };
    let (mut low, mut high, mut digits) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    for number in ends().flatten() {
        (low, high) = (low.min(number), high.max(number));
        let text = number.to_string();
        digits = digits.max(text.split_once('.').map_or(0, |(_, after)| after.len()));
    }
    if low > high {
        return (0.0, 0.0, 1.0);
    }
    (low, high, 10_f64.powi(-(digits.min(15) as i32)))
}

/// Whether this is an address with a scheme, as `https:`.
fn has_scheme(text: &str) -> bool {
    let is_word = |scheme: &str| {
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    text.split_once(':').is_some_and(|(scheme, _)| is_word(scheme)) && !text.contains(char::is_whitespace)
}
