//! Texts that people read instead of the names in a table: labels, questions, help, pictures, links.
//!
//! Names identify objects, tests and answers, and stay what they are; texts are only shown.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Texts about the objects, tests and answers of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Texts {
    /// Title of the whole.
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub title: Words,
    /// Language of the names and of texts without a language of their own, such as `en`; empty: not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// Texts of objects, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: BTreeMap<String, Text>,
    /// Texts of tests, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tests: BTreeMap<String, Text>,
    /// Texts of answers, by name of the test and of the answer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, BTreeMap<String, Text>>,
}

/// Texts of one object, test or answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Text {
    /// What is shown in place of the name.
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub label: Words,
    /// The question of a test, as a sentence.
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub question: Words,
    /// Explanation for those who ask for one.
    #[serde(skip_serializing_if = "Words::is_empty")]
    pub help: Words,
    /// Place of a picture: a path beside the table, an address, or a `data:` address.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub image: String,
    /// Address of a page with more.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub link: String,
}

/// One text in several languages; the empty language is that of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Words(BTreeMap<String, String>);

impl Words {
    /// Text in the language of the file.
    pub fn plain(text: impl Into<String>) -> Self {
        let mut words = Self::default();
        words.set("", text);
        words
    }

    /// Sets the text in `language`; an empty text sets nothing.
    pub fn set(&mut self, language: &str, text: impl Into<String>) {
        let text = text.into();
        if !text.trim().is_empty() {
            self.0.insert(language.to_owned(), text);
        }
    }

    /// Text in `language`, else in the language of the file, else in the first language there is.
    pub fn get(&self, language: &str) -> Option<&str> {
        let found = self.0.get(language).or_else(|| self.0.get("")).or_else(|| self.0.values().next());
        found.map(String::as_str)
    }

    /// Takes the text of the first language for that of the file, if the file has none in its own.
    pub(crate) fn complete_plain(&mut self) {
        if let Some(first) = self.0.values().next().filter(|_| !self.0.contains_key("")).cloned() {
            self.set("", first);
        }
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Languages with their texts, the language of the file (an empty name) first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(language, text)| (language.as_str(), text.as_str()))
    }
}

impl Text {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes what `other` says and `self` does not.
    pub fn complete(&mut self, other: &Self) {
        for (own, more) in [
            (&mut self.label, &other.label),
            (&mut self.question, &other.question),
            (&mut self.help, &other.help),
        ] {
            for (language, text) in more.iter() {
                own.0.entry(language.to_owned()).or_insert_with(|| text.to_owned());
            }
        }
        for (own, more) in [(&mut self.image, &other.image), (&mut self.link, &other.link)] {
            if own.is_empty() {
                own.clone_from(more);
            }
        }
    }
}

impl Texts {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.title.is_empty()
            && [&self.objects, &self.tests].into_iter().all(|texts| texts.values().all(Text::is_empty))
            && self.answers.values().flat_map(BTreeMap::values).all(Text::is_empty)
    }

    /// Whether something is said about tests or answers beside the questions.
    pub fn has_details(&self) -> bool {
        let of_answers = self.answers.values().flat_map(BTreeMap::values);
        let mut all = self.tests.values().chain(of_answers);
        all.any(|text| !Text { question: Words::default(), ..text.clone() }.is_empty())
    }

    /// Texts of a test.
    pub fn test(&self, test: &str) -> Option<&Text> {
        self.tests.get(test)
    }

    /// Texts of an answer.
    pub fn answer(&self, test: &str, answer: &str) -> Option<&Text> {
        self.answers.get(test)?.get(answer)
    }

    /// Texts of an object.
    pub fn object(&self, object: &str) -> Option<&Text> {
        self.objects.get(object)
    }

    /// Texts of a test, to be filled.
    pub fn test_mut(&mut self, test: &str) -> &mut Text {
        self.tests.entry(test.to_owned()).or_default()
    }

    /// Texts of an answer, to be filled.
    pub fn answer_mut(&mut self, test: &str, answer: &str) -> &mut Text {
        self.answers.entry(test.to_owned()).or_default().entry(answer.to_owned()).or_default()
    }

    /// Texts of an object, to be filled.
    pub fn object_mut(&mut self, object: &str) -> &mut Text {
        self.objects.entry(object.to_owned()).or_default()
    }

    /// Forgets entries that say nothing.
    pub fn tidy(&mut self) {
        self.objects.retain(|_, text| !text.is_empty());
        self.tests.retain(|_, text| !text.is_empty());
        self.answers.values_mut().for_each(|texts| texts.retain(|_, text| !text.is_empty()));
        self.answers.retain(|_, texts| !texts.is_empty());
    }

    /// Takes what `other` says and `self` does not.
    pub fn complete(&mut self, other: &Self) {
        other.objects.iter().for_each(|(name, text)| self.object_mut(name).complete(text));
        other.tests.iter().for_each(|(name, text)| self.test_mut(name).complete(text));
        for (test, texts) in &other.answers {
            texts.iter().for_each(|(answer, text)| self.answer_mut(test, answer).complete(text));
        }
        if self.title.is_empty() {
            self.title.clone_from(&other.title);
        }
        if self.language.is_empty() {
            self.language.clone_from(&other.language);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_language_is_answered_by_the_next_best() {
        let mut words = Words::default();
        words.set("nb", "rød");
        assert_eq!(words.get("en"), Some("rød"));
        words.set("", "red");
        words.set("de", "  ");
        assert_eq!([words.get("de"), words.get("nb")], [Some("red"), Some("rød")]);
        assert_eq!(words.iter().count(), 2);
    }

    #[test]
    fn what_is_said_twice_stays_as_it_was_said_first() {
        let mut text = Text { label: Words::plain("a"), ..Text::default() };
        text.complete(&Text { label: Words::plain("b"), image: "b.png".into(), ..Text::default() });
        assert_eq!((text.label.get(""), text.image.as_str()), (Some("a"), "b.png"));
        let mut texts = Texts::default();
        texts.test_mut("t");
        assert!(texts.is_empty());
        texts.tidy();
        assert_eq!(texts, Texts::default());
    }
}
