//! A stored key in place of descriptions: its questions become tests, which only the taxa below them answer.

use super::super::super::{Problem, ReadOptions};
use super::super::Found;
use super::super::matrix::{Matrix, Object, Test, answer_names, list, premise, refuse_large, test_names};
use super::super::xml::Element;
use super::words::Reader;
use super::{FORMAT, OBJECT, clean};
use crate::loss::{Loss, Losses};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Most leads from the first one to a taxon.
const MOST_STEPS: usize = 1_000;

/// Step of a key: the lead that leads to it, and the leads that follow.
struct Step<'a> {
    lead: Option<usize>,
    question: String,
    leads: Vec<(usize, Element<'a>)>,
}

/// Reads the largest stored key of these data sets.
pub(super) fn read(sets: &[Element<'_>], options: &ReadOptions) -> Result<Found, Problem> {
    let keys = sets.iter().flat_map(|set| {
        let keys = set.below(&["IdentificationKeys", "IdentificationKey"]);
        keys.into_iter().map(move |key| (*set, key))
    });
    let keys: Vec<(Element<'_>, Element<'_>)> = keys.collect();
    let leads = |key: Element<'_>| key.below(&["Leads", "Lead"]).len();
    let best = keys.iter().rev().max_by_key(|(_, key)| leads(*key)).filter(|(_, key)| leads(*key) > 0);
    let Some((set, key)) = best else {
        return Err(super::super::broken(FORMAT, "there are no CodedDescriptions and no IdentificationKeys"));
    };
    let mut losses = Losses::default();
    losses.add(Loss::Key, keys.len() - 1);
    table(*set, *key, losses, options)
}

fn table(
    set: Element<'_>,
    key: Element<'_>,
    mut losses: Losses,
    options: &ReadOptions,
) -> Result<Found, Problem> {
    let reader = Reader::new(set);
    let leads = key.below(&["Leads", "Lead"]);
    let steps = steps(key, &leads);
    let step_of: HashMap<usize, usize> = steps
        .iter()
        .enumerate()
        .flat_map(|(step, found)| found.leads.iter().map(move |(lead, _)| (*lead, step)))
        .collect();
    let names = steps.iter().enumerate().map(|(at, step)| match step.question.as_str() {
        "" => format!("step {}", at + 1),
        question => question.to_owned(),
    });
    let names: Vec<String> = names.collect();
    let names = test_names(names.iter().map(String::as_str), OBJECT);
    let answers: Vec<Vec<String>> = steps
        .iter()
        .map(|step| {
            let texts: Vec<String> = step.leads.iter().map(|(_, lead)| statement(*lead)).collect();
            answer_names(texts.iter().map(String::as_str))
        })
        .collect();
    let place = |lead: usize| {
        let step = step_of[&lead];
        (step, steps[step].leads.iter().position(|(other, _)| *other == lead).unwrap_or(0))
    };
    let Taxa { order, paths: taxa } = taxa(&leads, &steps, &reader, &place, &mut losses);
    refuse_large(order.len(), steps.len(), options)?;
    let mut matrix = Matrix {
        format: "SDD (a stored key)",
        object_column: OBJECT.to_owned(),
        losses,
        ..Matrix::default()
    };
    matrix.objects = order.iter().map(|name| Object { name: name.clone(), ..Object::default() }).collect();
    matrix.name_objects();
    for (at, name) in names.iter().enumerate() {
        let mut test = Test { name: name.clone(), ..Test::default() };
        for taxon in &order {
            let chosen =
                taxa[taxon].get(&at).into_iter().flatten().map(|answer| answers[at][*answer].as_str());
            let chosen: Vec<&str> = chosen.collect();
            test.cells.push(&if chosen.is_empty() { "-".to_owned() } else { list(&chosen) });
        }
        if let Some((step, answer)) = steps[at].lead.map(place) {
            match premise(&names[step], &[&answers[step][answer]]) {
                Some(premise) => test.premise = premise,
                None => matrix.losses.add(Loss::Rule, 1),
            }
        }
        matrix.tests.push(test);
    }
    matrix.texts.title = reader.words(key, "Label");
    matrix.finish(options)
}

/// Taxa in the order of the key, and the answers on the ways to each, by step.
struct Taxa {
    order: Vec<String>,
    paths: BTreeMap<String, BTreeMap<usize, BTreeSet<usize>>>,
}

/// Taxa at the ends of a key; `place` gives the step of a lead and its position there.
fn taxa(
    leads: &[Element<'_>],
    steps: &[Step<'_>],
    reader: &Reader,
    place: &dyn Fn(usize) -> (usize, usize),
    losses: &mut Losses,
) -> Taxa {
    let mut paths: BTreeMap<String, BTreeMap<usize, BTreeSet<usize>>> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for (at, lead) in leads.iter().enumerate() {
        let Some(taxon) = lead.first("TaxonName") else {
            losses.add(Loss::Part, lead.all("Subkey").count());
            continue;
        };
        let name = reader.taxon(taxon.attribute("ref"));
        if !paths.contains_key(&name) {
            order.push(name.clone());
        }
        let path = paths.entry(name).or_default();
        let mut here = Some(at);
        for _ in 0..MOST_STEPS {
            let Some(lead) = here else { break };
            let (step, answer) = place(lead);
            path.entry(step).or_default().insert(answer);
            here = steps[step].lead;
        }
    }
    Taxa { order, paths }
}

/// Steps of a key: the first one, and one for each lead that others follow.
fn steps<'a>(key: Element<'a>, leads: &[Element<'a>]) -> Vec<Step<'a>> {
    let by_id: HashMap<&str, usize> =
        leads.iter().enumerate().map(|(at, lead)| (lead.attribute("id"), at)).collect();
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut of_lead: HashMap<Option<usize>, usize> = HashMap::new();
    for (at, lead) in leads.iter().enumerate() {
        let parent = lead.first("Parent").and_then(|parent| by_id.get(parent.attribute("ref"))).copied();
        let parent = parent.filter(|parent| *parent != at);
        let step = *of_lead.entry(parent).or_insert_with(|| {
            let question = question(parent.map_or(key, |parent| leads[parent]));
            steps.push(Step { lead: parent, question, leads: Vec::new() });
            steps.len() - 1
        });
        steps[step].leads.push((at, *lead));
    }
    steps
}

fn question(holder: Element<'_>) -> String {
    holder.below(&["Question", "Text"]).first().map(|text| clean(text.text())).unwrap_or_default()
}

fn statement(lead: Element<'_>) -> String {
    lead.first("Statement").map(|text| clean(text.text())).unwrap_or_default()
}
