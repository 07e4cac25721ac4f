//! What texts say of a question and its answers, shown on request: labels, help, pictures.
//!
//! A page loads nothing from elsewhere: a picture in the table itself is shown, one at an address is a link.

use fewest::Instance;
use fewest_formats::{Text, Texts};

/// Texts of a question, or of one of its answers.
pub(super) struct MoreLine {
    /// The test or the answer.
    pub(super) name: String,
    pub(super) label: String,
    pub(super) help: String,
    /// Picture within the table, as a `data:` address.
    pub(super) picture: String,
    /// Addresses with what is there.
    pub(super) links: Vec<(String, &'static str)>,
}

/// Texts of the test called `test` and of its answers.
pub(super) fn of(texts: &Texts, instance: &Instance, test: &str) -> Vec<MoreLine> {
    let Some(test) = instance.find_test(test).map(|test| instance.test(test)) else { return Vec::new() };
    let name = test.measure.as_ref().map_or(test.name.as_str(), |measure| measure.column.as_str());
    let own = texts.test(name).map(|text| line(name, text));
    let answers =
        test.answers.iter().filter_map(|answer| texts.answer(name, answer).map(|text| line(answer, text)));
    own.into_iter().chain(answers).filter(says_something).collect()
}

fn says_something(line: &MoreLine) -> bool {
    let texts = [&line.label, &line.help, &line.picture];
    texts.into_iter().any(|text| !text.is_empty()) || !line.links.is_empty()
}

fn line(name: &str, text: &Text) -> MoreLine {
    let words = |words: &fewest_formats::Words| words.get("").unwrap_or_default().to_owned();
    let is_inside = text.image.starts_with("data:image/");
    let is_address = |place: &str| place.starts_with("https://") || place.starts_with("http://");
    let places = [(&text.image, "picture"), (&text.link, "more")];
    let links =
        places.into_iter().filter(|(place, _)| is_address(place)).map(|(place, what)| (place.clone(), what));
    MoreLine {
        name: name.to_owned(),
        label: words(&text.label),
        help: words(&text.help),
        picture: if is_inside { text.image.clone() } else { String::new() },
        links: links.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest::{Reading, Table};

    #[test]
    fn only_pictures_within_the_table_are_shown() {
        let table = Table::from_rows(&[&["o", "t"], &["a", "x"], &["b", "y"], &["c", "z"]]);
        let (instance, _) = Instance::new(table, &Reading::default()).unwrap();
        let mut texts = Texts::default();
        for (answer, image) in
            [("x", "data:image/png;base64,AA"), ("y", "https://example.org/y.png"), ("z", "javascript:x")]
        {
            texts.answer_mut("t", answer).image = image.into();
        }
        let lines = of(&texts, &instance, "t");
        let shown: Vec<(&str, bool, usize)> = lines
            .iter()
            .map(|line| (line.name.as_str(), !line.picture.is_empty(), line.links.len()))
            .collect();
        assert_eq!(shown, [("x", true, 0), ("y", false, 1)]);
        assert!(of(&texts, &instance, "none").is_empty());
    }
}
