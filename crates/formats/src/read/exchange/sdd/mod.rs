//! SDD 1.1: structured descriptive data in XML, as Xper, Lucid and Scratchpads write them.

mod cells;
mod key;
mod rules;
mod words;

use super::super::{Problem, ReadOptions};
use super::Found;
use super::matrix::{Matrix, Object, Test, answer_names, clean, refuse_large, test_names};
use super::xml::{Document, Element};
use crate::loss::{Loss, Losses};
use hashbrown::HashMap;
use words::Reader;

const FORMAT: &str = "SDD";
const OBJECT: &str = "taxon";
/// Most bytes of a document: in memory, it takes several times as much.
const MOST_BYTES: usize = 256 << 20;

/// Reads the text of a document.
pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Found, Problem> {
    if text.len() > MOST_BYTES {
        return Err(Problem::Unfolds { megabytes: MOST_BYTES >> 20 });
    }
    let document = Document::parse(text, FORMAT)?;
    if document.root().name() != "Datasets" {
        return Err(super::broken(
            FORMAT,
            format!("the outermost element is `{}`, not `Datasets`", document.root().name()),
        ));
    }
    let mut losses = Losses::default();
    let sets: Vec<Element<'_>> = document.root().all("Dataset").collect();
    let described = |set: &&Element<'_>| set.below(&["CodedDescriptions", "CodedDescription"]).len();
    let best = sets.iter().rev().max_by_key(|set| described(set));
    let Some(set) = best.copied() else { return Err(super::broken(FORMAT, "there is no Dataset")) };
    if described(&&set) == 0 {
        return key::read(&sets, options);
    }
    losses.add(Loss::Part, sets.len() - 1);
    count_parts(set, &mut losses);
    table(set, losses, options)
}

/// Counts parts of a data set that are no table.
fn count_parts(set: Element<'_>, losses: &mut Losses) {
    losses.add(Loss::Key, set.below(&["IdentificationKeys", "IdentificationKey"]).len());
    let prose = set.below(&["NaturalLanguageDescriptions", "NaturalLanguageDescription"]).len();
    losses.add(Loss::Prose, prose);
    let parents = set.below(&["TaxonHierarchies", "TaxonHierarchy", "Nodes", "Node", "Parent"]).len();
    losses.add(Loss::Parent, parents);
    losses.add(Loss::Part, set.elements().filter(|part| part.name() == "SpecimenDescriptions").count());
}

fn table(set: Element<'_>, mut losses: Losses, options: &ReadOptions) -> Result<Found, Problem> {
    let reader = Reader::new(set);
    let descriptions = set.below(&["CodedDescriptions", "CodedDescription"]);
    let mut matrix = Matrix { format: FORMAT, object_column: OBJECT.to_owned(), ..Matrix::default() };
    let characters = Characters::read(set, &reader, &mut losses);
    refuse_large(descriptions.len(), characters.list.len(), options)?;
    for description in &descriptions {
        let name = reader.name_of(*description);
        matrix.objects.push(Object { name, ..Object::default() });
    }
    matrix.name_objects();
    for (object, description) in matrix.objects.iter().zip(&descriptions) {
        let text = reader.text_of_description(*description, &object.name, &mut losses);
        matrix.texts.objects.insert(object.name.clone(), text);
    }
    let rules = rules::read(set, &characters, &mut losses);
    let mut rows: Vec<Vec<cells::Value>> =
        descriptions.iter().map(|description| cells::read(*description, &characters, &mut losses)).collect();
    rows.iter_mut().for_each(|row| rules::make_inapplicable(&rules, row));
    for (at, character) in characters.list.iter().enumerate() {
        let mut test = Test { name: character.name.clone(), ..Test::default() };
        rows.iter().for_each(|row| test.cells.push(&row[at].text(character)));
        test.premise = rules::premise_of(&rules, at, &characters, &mut losses);
        matrix.tests.push(test);
        tell(character, &reader, &mut matrix, &mut losses);
    }
    matrix.texts.title = reader.words(set, "Label");
    set.attribute("lang").clone_into(&mut matrix.texts.language);
    matrix.losses = losses;
    matrix.finish(options)
}

/// Adds the texts of a character and its states.
fn tell(character: &Character<'_>, reader: &Reader<'_>, matrix: &mut Matrix, losses: &mut Losses) {
    let mut text = reader.text(character.element, &character.name, losses);
    if !character.unit.is_empty() {
        text.label.set("", format!("{} ({})", character.name, character.unit));
    }
    *matrix.texts.test_mut(&character.name) = text;
    for (state, answer) in &character.states {
        let text = reader.text(*state, answer, losses);
        *matrix.texts.answer_mut(&character.name, answer) = text;
    }
}

/// Character of a data set.
struct Character<'a> {
    element: Element<'a>,
    name: String,
    states: Vec<(Element<'a>, String)>,
    unit: String,
}

/// Characters, found by their ids and by those of their states.
struct Characters<'a> {
    list: Vec<Character<'a>>,
    by_id: HashMap<&'a str, usize>,
    by_state: HashMap<&'a str, (usize, usize)>,
}

impl<'a> Characters<'a> {
    fn read(set: Element<'a>, reader: &Reader<'a>, losses: &mut Losses) -> Self {
        let elements = set.below(&["Characters"]).into_iter().flat_map(Element::elements);
        let mut kept: Vec<Element<'_>> = Vec::new();
        for element in elements {
            match element.name() {
                "CategoricalCharacter" | "QuantitativeCharacter" => kept.push(element),
                "TextCharacter" | "SequenceCharacter" => losses.add(Loss::TextCharacter, 1),
                _ => losses.add(Loss::Part, 1),
            }
        }
        let labels: Vec<String> = kept.iter().map(|element| reader.label(*element)).collect();
        let names = test_names(labels.iter().map(String::as_str), OBJECT);
        let mut found = Self { list: Vec::new(), by_id: HashMap::new(), by_state: HashMap::new() };
        let concepts: HashMap<&str, Element<'_>> = set
            .below(&["DescriptiveConcepts", "DescriptiveConcept", "ConceptStates", "StateDefinition"])
            .into_iter()
            .map(|state| (state.attribute("id"), state))
            .collect();
        for (element, name) in kept.into_iter().zip(names) {
            let at = found.list.len();
            found.by_id.insert(element.attribute("id"), at);
            let states =
                element.below(&["States"]).into_iter().flat_map(Element::elements).collect::<Vec<_>>();
            // A state may be defined elsewhere, for several characters.
            let defined = |state: &Element<'a>| {
                let target = state.first("ConceptState").unwrap_or(*state).attribute("ref");
                concepts.get(target).copied().unwrap_or(*state)
            };
            let labels: Vec<String> = states.iter().map(|state| reader.label(defined(state))).collect();
            let answers = answer_names(labels.iter().map(String::as_str));
            for (number, state) in states.iter().enumerate() {
                for id in [state.attribute("id"), state.attribute("ref"), defined(state).attribute("id")] {
                    if !id.is_empty() {
                        found.by_state.entry(id).or_insert((at, number));
                    }
                }
            }
            let unit = element
                .below(&["MeasurementUnit"])
                .first()
                .map(|unit| reader.label(*unit))
                .unwrap_or_default();
            found.list.push(Character {
                element,
                name,
                states: states.iter().map(defined).zip(answers).collect(),
                unit: clean(&unit),
            });
        }
        found
    }
}

#[cfg(test)]
mod tests;
