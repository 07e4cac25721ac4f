//! Texts, pictures and addresses of a key.

use super::super::matrix::clean;
use super::id;
use crate::loss::{Loss, Losses};
use crate::texts::Words;
use hashbrown::HashMap;
use serde_json::Value;

/// What texts of a key refer to.
pub(super) struct Reader<'a> {
    /// The first language of the key.
    pub(super) language: String,
    media: HashMap<&'a str, &'a Value>,
    requirements: HashMap<&'a str, String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(key: &'a Value) -> Self {
        let language = match &key["language"] {
            Value::Array(languages) => languages.first().and_then(Value::as_str),
            language => language.as_str(),
        };
        let language = language.unwrap_or_default().to_owned();
        let things = |name: &str| key[name].as_array().into_iter().flatten();
        let media = things("mediaElements").map(|json| (id(json), &json["mediaElement"])).collect();
        let mut reader = Self { language, media, requirements: HashMap::new() };
        reader.requirements = things("userRequirements")
            .map(|json| {
                let title = reader.name(&json["title"]);
                let name = if title.is_empty() {
                    id(json).trim_start_matches("requirement:").to_owned()
                } else {
                    title
                };
                (id(json), name)
            })
            .collect();
        reader
    }

    /// The text in the language of the key, on one line.
    pub(super) fn name(&self, value: &Value) -> String {
        clean(self.words(value).get("").unwrap_or_default())
    }

    /// The text in all languages; that of the key has no name.
    pub(super) fn words(&self, value: &Value) -> Words {
        let mut words = Words::default();
        match value {
            Value::String(text) => words.set("", text),
            Value::Object(texts) => {
                for (language, text) in texts {
                    let language = if *language == self.language { "" } else { language };
                    words.set(language, text.as_str().unwrap_or_default());
                }
                words.complete_plain();
            }
            _ => {}
        }
        words
    }

    /// Adds the text in languages other than that of the key.
    pub(super) fn other_languages(&self, value: &Value, label: &mut Words) {
        for (language, text) in self.words(value).iter().filter(|(language, _)| !language.is_empty()) {
            label.set(language, text);
        }
    }

    /// Name of what is needed to answer a character.
    pub(super) fn requirement(&self, value: &Value) -> String {
        value.as_str().and_then(|id| self.requirements.get(id)).cloned().unwrap_or_default()
    }

    /// Addresses of the pictures of a thing.
    pub(super) fn pictures(&self, value: &Value, losses: &mut Losses) -> Vec<String> {
        let ids: Vec<&str> = match value {
            Value::Array(ids) => ids.iter().filter_map(Value::as_str).collect(),
            value => value.as_str().into_iter().collect(),
        };
        let mut found = Vec::new();
        for id in ids {
            match self.media.get(id) {
                None => losses.add(Loss::Reference, 1),
                Some(element) => match self.address(element) {
                    Some(address) => found.push(address),
                    None => losses.add(Loss::ForeignPicture, 1),
                },
            }
        }
        found
    }

    /// Address of a media element, which may have a file for each language.
    fn address(&self, element: &Value) -> Option<String> {
        let of_language = element
            .get(&self.language)
            .or_else(|| element.as_object()?.values().find(|one| one["file"].is_object()));
        let file = match element.get("file").or_else(|| of_language?.get("file"))? {
            Value::Array(files) => files.first()?,
            file => file,
        };
        let address = file["url"].as_str().or_else(|| file["file"].as_str())?;
        Some(address.trim().to_owned()).filter(|address| !address.is_empty())
    }

    /// Address of a page.
    pub(super) fn link(&self, value: &Value) -> String {
        let text = match value {
            Value::Object(texts) => texts.get(&self.language).and_then(Value::as_str),
            value => value.as_str(),
        };
        text.unwrap_or_default().trim().to_owned()
    }
}
