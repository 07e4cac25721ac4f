//! Taxa of a key: those without children are objects, the nearest end point above them is their group.

use super::super::super::Problem;
use super::super::matrix::{Matrix, Object};
use super::words::Reader;
use super::{FORMAT, id, list_of};
use crate::loss::{Loss, Losses};
use crate::texts::{Text, Words};
use serde_json::Value;

/// Taxon without children.
pub(super) struct Leaf<'a> {
    /// Its id and those of the taxa above it, the nearest first.
    pub(super) line: Vec<&'a str>,
}

/// Taxon on the way down.
#[derive(Clone)]
struct Above<'a> {
    line: Vec<&'a str>,
    name: String,
    vernacular: Words,
    end_point: Option<String>,
}

/// Leaves of a key, and a matrix with an object for each of them.
pub(super) fn read<'a>(
    key: &'a Value,
    reader: &Reader<'a>,
    losses: &mut Losses,
) -> Result<(Vec<Leaf<'a>>, Matrix), Problem> {
    let mut matrix = Matrix { format: FORMAT, object_column: "taxon".to_owned(), ..Matrix::default() };
    let mut leaves = Vec::new();
    let mut texts: Vec<Text> = Vec::new();
    let top = Above { line: Vec::new(), name: String::new(), vernacular: Words::default(), end_point: None };
    // A list of taxa that are still to be visited, the next one at its end.
    let mut waiting: Vec<(&Value, Above<'_>)> =
        list_of(key, "taxa")?.iter().rev().map(|taxon| (taxon, top.clone())).collect();
    while let Some((taxon, above)) = waiting.pop() {
        let name = name(taxon, &above.name, reader);
        let line: Vec<&str> = std::iter::once(id(taxon)).chain(above.line.iter().copied()).collect();
        let is_end = taxon["isEndPoint"] == true && above.end_point.is_none();
        let end_point = if is_end { Some(name.clone()) } else { above.end_point };
        let own = reader.words(&taxon["vernacularName"]);
        let vernacular = if own.is_empty() { above.vernacular } else { own };
        let children = taxon["children"].as_array().map_or(&[][..], Vec::as_slice);
        if children.is_empty() {
            matrix.objects.push(Object { name: name.clone(), group: end_point, prior: None });
            texts.push(text(taxon, (&line, &name, &vernacular), key, reader, losses));
            leaves.push(Leaf { line });
        } else {
            let above = Above { line, name, vernacular, end_point };
            waiting.extend(children.iter().rev().map(|child| (child, above.clone())));
        }
    }
    // Groups say something only if some group holds several objects or has another name.
    let is_plain = |object: &Object| object.group.as_ref().is_none_or(|group| *group == object.name);
    if matrix.objects.iter().all(is_plain) {
        matrix.objects.iter_mut().for_each(|object| object.group = None);
    } else {
        matrix.objects.iter_mut().for_each(|object| {
            let own = &object.name;
            object.group.get_or_insert_with(|| own.clone());
        });
    }
    matrix.name_objects();
    for (object, text) in matrix.objects.iter().zip(texts) {
        matrix.texts.objects.insert(object.name.clone(), text);
    }
    Ok((leaves, matrix))
}

/// Name of a taxon; that of a morph begins with the name of the taxon above.
fn name(taxon: &Value, above: &str, reader: &Reader<'_>) -> String {
    let scientific = reader.name(&taxon["scientificName"]);
    let own = ["placeholderName", "vernacularName"].iter().map(|field| reader.name(&taxon[*field]));
    let label = reader.name(&taxon["label"]);
    match std::iter::once(scientific.clone()).chain(own).find(|name| !name.is_empty()) {
        // A morph may repeat the scientific name of its species.
        Some(name) if name == scientific && name == above && !label.is_empty() => format!("{name} {label}"),
        Some(name) => name,
        None if label.is_empty() => {
            format!("{above} {}", id(taxon).trim_start_matches("taxon:")).trim().to_owned()
        }
        None => format!("{above} {label}").trim().to_owned(),
    }
}

/// Texts of an object: the ids of it and those above, its name, and its vernacular name, which is its label beside a
/// scientific one.
fn text(
    taxon: &Value,
    (line, name, vernacular): (&[&str], &str, &Words),
    key: &Value,
    reader: &Reader<'_>,
    losses: &mut Losses,
) -> Text {
    let mut text = super::texts_of(taxon, reader, losses);
    for (language, word) in vernacular.iter().filter(|(_, word)| *word != name) {
        text.label.set(language, format!("{name} ({word})"));
    }
    if text.image.is_empty() && line.len() > 1 {
        // A morph without a picture shows that of its species.
        let parent = list_of(key, "taxa")
            .ok()
            .and_then(|taxa| taxa.iter().find(|taxon| id(taxon) == line[line.len() - 1]));
        let pictures = parent.map(|parent| reader.pictures(&parent["media"], &mut Losses::default()));
        text.image = pictures.and_then(|pictures| pictures.into_iter().next()).unwrap_or_default();
    }
    losses.add(Loss::Part, usize::from(!taxon["followUp"].is_null()));
    text
}
