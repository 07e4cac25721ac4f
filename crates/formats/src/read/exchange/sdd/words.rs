//! Labels, details and pictures of a data set.

use super::super::matrix::clean;
use super::super::xml::Element;
use crate::loss::{Loss, Losses};
use crate::texts::{Text, Words};
use hashbrown::HashMap;

/// What texts of a data set refer to.
pub(super) struct Reader<'a> {
    language: &'a str,
    media: HashMap<&'a str, &'a str>,
    taxa: HashMap<&'a str, Element<'a>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(set: Element<'a>) -> Self {
        let media = set.below(&["MediaObjects", "MediaObject"]).into_iter().map(|object| {
            let source = object.first("Source").map_or("", |source| source.attribute("href"));
            (object.attribute("id"), source)
        });
        let taxa =
            set.below(&["TaxonNames", "TaxonName"]).into_iter().map(|taxon| (taxon.attribute("id"), taxon));
        Self { language: set.attribute("lang"), media: media.collect(), taxa: taxa.collect() }
    }

    /// Texts of this name in the representation of an element; the language of the data set has no name.
    pub(super) fn words(&self, element: Element<'a>, what: &'a str) -> Words {
        let holder = element.first("Representation").unwrap_or(element);
        let mut words = Words::default();
        // A text with a role, such as an abbreviation, comes after those without.
        let (plain, special): (Vec<_>, Vec<_>) =
            holder.all(what).partition(|text| text.attribute("role").is_empty());
        for text in plain.into_iter().chain(special) {
            let language = text.attribute("lang");
            let language = if language == self.language { "" } else { language };
            if words.iter().all(|(other, _)| other != language) {
                // Programs write HTML into details; in a label, the signs may be meant.
                let plain = if what == "Detail" { without_tags(text.text()) } else { text.text().to_owned() };
                words.set(language, clean(&plain));
            }
        }
        words.complete_plain();
        words
    }

    /// Label in the language of the data set.
    pub(super) fn label(&self, element: Element<'a>) -> String {
        let words = self.words(element, "Label");
        words.get("").unwrap_or_default().to_owned()
    }

    /// Name of what a description is about: its taxon, else its own label.
    pub(super) fn name_of(&self, description: Element<'a>) -> String {
        let scope = description.below(&["Scope", "TaxonName"]);
        let taxon = scope.first().and_then(|taxon| self.taxa.get(taxon.attribute("ref")));
        let name = taxon.map(|taxon| self.label(*taxon)).unwrap_or_default();
        if name.is_empty() { self.label(description) } else { name }
    }

    /// Name of a taxon by its id.
    pub(super) fn taxon(&self, id: &str) -> String {
        let name = self.taxa.get(id).map(|taxon| self.label(*taxon)).unwrap_or_default();
        if name.is_empty() { id.to_owned() } else { name }
    }

    /// Label in other languages, details and the first picture of an element.
    pub(super) fn text(&self, element: Element<'a>, name: &str, losses: &mut Losses) -> Text {
        let mut label = Words::default();
        for (language, text) in self.words(element, "Label").iter() {
            if !language.is_empty() && text != name {
                label.set(language, text);
            }
        }
        let image = self.picture(element, losses);
        Text { label, help: self.words(element, "Detail"), image, ..Text::default() }
    }

    /// Texts of a description and its taxon.
    pub(super) fn text_of_description(
        &self,
        description: Element<'a>,
        name: &str,
        losses: &mut Losses,
    ) -> Text {
        let mut text = self.text(description, name, losses);
        let scope = description.below(&["Scope", "TaxonName"]);
        if let Some(taxon) = scope.first().and_then(|taxon| self.taxa.get(taxon.attribute("ref"))) {
            text.complete(&self.text(*taxon, name, losses));
        }
        text
    }

    fn picture(&self, element: Element<'a>, losses: &mut Losses) -> String {
        let holder = element.first("Representation").unwrap_or(element);
        let references: Vec<&str> = holder.all("MediaObject").map(|object| object.attribute("ref")).collect();
        losses.add(Loss::Reference, references.iter().filter(|id| !self.media.contains_key(*id)).count());
        let pictures: Vec<&str> = references
            .iter()
            .filter_map(|id| self.media.get(id))
            .copied()
            .filter(|source| !source.is_empty())
            .collect();
        losses.add(Loss::Picture, pictures.len().saturating_sub(1));
        pictures.first().copied().unwrap_or_default().to_owned()
    }
}

/// The text without tags of HTML, which some programs write into details.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_tag = rest[1..].starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/');
        match rest.find('>').filter(|_| is_tag) {
            Some(end) => {
                plain.push(' ');
                rest = &rest[end + 1..];
            }
            None => {
                plain.push('<');
                rest = &rest[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_dropped_and_comparisons_stay() {
        assert_eq!(clean(&without_tags("a<br>b < 3 <i>c</i>")), "a b < 3 c");
        assert_eq!(without_tags("x <y"), "x <y");
    }
}
