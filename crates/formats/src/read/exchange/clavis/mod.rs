//! Clavis: keys in JSON, with taxa, characters, states and statements that connect them.

mod premise;
mod taxa;
mod words;

use super::super::error::short_reason;
use super::super::{Problem, ReadOptions};
use super::Found;
use super::matrix::{
    Matrix, Test, answer_names, count_further_pictures, list, range, refuse_large, test_names,
};
use crate::loss::{Loss, Losses};
use crate::texts::Text;
use hashbrown::HashMap;
use serde_json::Value;
use taxa::Leaf;
use words::Reader;

const FORMAT: &str = "Clavis";
/// Most bytes of a key: as values in memory, it takes many times as much.
const MOST_BYTES: usize = 96 << 20;

/// Reads the bytes of a key.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Found, Problem> {
    if bytes.len() > MOST_BYTES {
        return Err(Problem::Unfolds { megabytes: MOST_BYTES >> 20 });
    }
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
    let key: Value = serde_json::from_slice(bytes)
        .map_err(|error| super::broken(FORMAT, short_reason(&error.to_string())))?;
    let mut losses = Losses::default();
    let reader = Reader::new(&key);
    let (leaves, mut matrix) = taxa::read(&key, &reader, &mut losses)?;
    let characters = list_of(&key, "characters")?;
    refuse_large(leaves.len(), characters.len(), options)?;
    let characters = Characters::read(characters, &reader, &matrix.object_column, &mut losses);
    let statements = Statements::read(list_of(&key, "statements")?, &characters, &mut losses);
    for (at, character) in characters.list.iter().enumerate() {
        let mut test =
            Test { name: character.name.clone(), needs: character.needs.clone(), ..Test::default() };
        for leaf in &leaves {
            test.cells.push(&statements.cell(at, character, leaf));
        }
        match premise::read(character.premise, &characters) {
            Some(premise) => test.premise = premise,
            None => losses.add(Loss::Rule, 1),
        }
        matrix.tests.push(test);
    }
    characters.tell(&reader, &mut matrix, &mut losses);
    matrix.texts.title = reader.words(&key["title"]);
    matrix.texts.language.clone_from(&reader.language);
    losses
        .add(Loss::Part, ["geography", "organizations"].iter().filter(|part| !key[**part].is_null()).count());
    matrix.losses = losses;
    matrix.finish(options)
}

/// The list called `name`, which every key has.
fn list_of<'a>(key: &'a Value, name: &str) -> Result<&'a [Value], Problem> {
    let list = key[name].as_array().map(Vec::as_slice);
    list.ok_or_else(|| super::broken(FORMAT, format!("there is no list `{name}`")))
}

/// Id of a thing.
fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap_or_default()
}

/// Character of a key.
struct Character<'a> {
    json: &'a Value,
    name: String,
    states: Vec<(&'a Value, String)>,
    is_number: bool,
    premise: &'a str,
    needs: String,
}

/// Characters of a key, found by their ids and by the ids of their states.
struct Characters<'a> {
    list: Vec<Character<'a>>,
    by_id: HashMap<&'a str, usize>,
    by_state: HashMap<&'a str, (usize, usize)>,
}

impl<'a> Characters<'a> {
    fn read(list: &'a [Value], reader: &Reader<'a>, object_column: &str, losses: &mut Losses) -> Self {
        let titles: Vec<String> = list.iter().map(|json| reader.name(&json["title"])).collect();
        let names = test_names(titles.iter().map(String::as_str), object_column);
        let mut found = Self { list: Vec::new(), by_id: HashMap::new(), by_state: HashMap::new() };
        for (json, name) in list.iter().zip(names) {
            let at = found.list.len();
            found.by_id.insert(id(json), at);
            let states: Vec<&Value> = match &json["states"] {
                Value::Array(states) => states.iter().collect(),
                Value::Object(_) => vec![&json["states"]],
                _ => Vec::new(),
            };
            let titles: Vec<String> = states.iter().map(|state| reader.name(&state["title"])).collect();
            let answers = answer_names(titles.iter().map(String::as_str));
            for (number, state) in states.iter().enumerate() {
                found.by_state.insert(id(state), (at, number));
            }
            let is_number = json["type"] == "numerical";
            losses.add(Loss::TextCharacter, usize::from(states.is_empty() && !is_number));
            found.list.push(Character {
                json,
                name,
                states: states.into_iter().zip(answers).collect(),
                is_number,
                premise: json["logicalPremise"].as_str().unwrap_or_default(),
                needs: reader.requirement(&json["userRequirement"]),
            });
        }
        found
    }

    /// Adds the texts of characters and states.
    fn tell(&self, reader: &Reader<'_>, matrix: &mut Matrix, losses: &mut Losses) {
        for character in &self.list {
            let mut text = texts_of(character.json, reader, losses);
            if let Some(unit) =
                character.json["unit"].as_object().is_some().then(|| reader.name(&character.json["unit"]))
            {
                text.label.set("", format!("{} ({unit})", character.name));
            } else if let Some(unit) = character.json["unit"].as_str() {
                text.label.set("", format!("{} ({unit})", character.name));
            }
            reader.other_languages(&character.json["title"], &mut text.label);
            *matrix.texts.test_mut(&character.name) = text;
            for (json, answer) in &character.states {
                let mut text = texts_of(json, reader, losses);
                reader.other_languages(&json["title"], &mut text.label);
                *matrix.texts.answer_mut(&character.name, answer) = text;
            }
        }
    }
}

/// Description, picture and page of a thing.
fn texts_of(json: &Value, reader: &Reader<'_>, losses: &mut Losses) -> Text {
    let mut help = reader.words(&json["description"]);
    if help.is_empty() {
        help = reader.words(&json["descriptionDetails"]);
    }
    let pictures = reader.pictures(&json["media"], losses);
    count_further_pictures(losses, pictures.len());
    Text {
        help,
        image: pictures.into_iter().next().unwrap_or_default(),
        link: reader.link(&json["descriptionUrl"]),
        ..Text::default()
    }
}

/// Statement about the states of one character: the state, or the range, and its frequency.
#[derive(Clone, Debug)]
enum Said {
    State(usize, f64),
    Range(f64, f64, f64),
}

/// Statements by taxon and character.
struct Statements<'a>(HashMap<(&'a str, usize), Vec<Said>>);

impl<'a> Statements<'a> {
    fn read(list: &'a [Value], characters: &Characters<'_>, losses: &mut Losses) -> Self {
        let mut found: HashMap<(&str, usize), Vec<Said>> = HashMap::new();
        for json in list {
            let frequency = json["frequency"].as_f64().unwrap_or(1.0);
            let character = json["character"].as_str().and_then(|id| characters.by_id.get(id)).copied();
            let state = json["value"].as_str().and_then(|id| characters.by_state.get(id)).copied();
            let said = match (&json["value"], state) {
                (Value::String(_), Some((at, state))) => Some((at, Said::State(state, frequency))),
                (Value::Array(ends), _) => {
                    let end = |at: usize| ends.get(at).and_then(Value::as_f64);
                    let ends = end(0).zip(end(1).or(end(0)));
                    character.zip(ends).map(|(at, (low, high))| (at, Said::Range(low, high, frequency)))
                }
                (Value::Number(number), _) => {
                    let number = number.as_f64();
                    character.zip(number).map(|(at, number)| (at, Said::Range(number, number, frequency)))
                }
                _ => None,
            };
            let Some(((at, said), taxon)) = said.zip(json["taxon"].as_str()) else {
                losses.add(Loss::Reference, 1);
                continue;
            };
            losses.add(Loss::Frequency, usize::from(frequency > 0.0 && frequency < 1.0));
            losses.add(Loss::Part, usize::from(!json["geography"].is_null()));
            found.entry((taxon, at)).or_default().push(said);
        }
        Self(found)
    }

    /// What the key says of a taxon: statements of its own, else those of the nearest taxon above.
    fn cell(&self, at: usize, character: &Character<'_>, leaf: &Leaf<'_>) -> String {
        let said = leaf.line.iter().find_map(|taxon| self.0.get(&(*taxon, at)));
        let Some(said) = said else { return "?".to_owned() };
        if character.is_number {
            let possible = said.iter().filter_map(|said| match said {
                Said::Range(low, high, frequency) if *frequency > 0.0 => Some((*low, *high)),
                _ => None,
            });
            let hull = possible.reduce(|(low, high), (other, last)| (low.min(other), high.max(last)));
            return hull.map_or_else(|| "?".to_owned(), |(low, high)| range(low, high));
        }
        let has = |wanted: bool| {
            let states = said.iter().filter_map(move |said| match said {
                Said::State(state, frequency) => ((*frequency > 0.0) == wanted).then_some(*state),
                Said::Range(..) => None,
            });
            states.collect::<Vec<usize>>()
        };
        let (mut possible, never) = (has(true), has(false));
        if possible.is_empty() {
            // Only states that never occur are listed: the others may.
            possible = (0..character.states.len()).filter(|state| !never.contains(state)).collect();
            match possible.len() {
                0 => return "-".to_owned(),
                all if all == character.states.len() => return "?".to_owned(),
                _ => {}
            }
        }
        possible.sort_unstable();
        possible.dedup();
        let names: Vec<&str> = possible.iter().map(|state| character.states[*state].1.as_str()).collect();
        list(&names)
    }
}

#[cfg(test)]
mod tests;
