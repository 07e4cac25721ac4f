//! Tables as SDD 1.1: characters, states and coded descriptions in XML.

use super::sketch::{Cell, Sketch, Test};
use crate::loss::{Loss, Losses};
use crate::texts::{Text, Texts, Words};
use fewest_model::Table;
use std::collections::BTreeMap;
use std::io::{Result, Write};

/// Longest label that the schema takes.
const MOST_LETTERS: usize = 255;

/// Writes a table as SDD; `date` (`2024-01-31T12:00:00`) is when the data were last changed. Returns what was lost.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_sdd(
    out: &mut dyn Write,
    table: &Table,
    texts: &Texts,
    is_list: bool,
    title: &str,
    date: &str,
) -> Result<Losses> {
    let mut losses = Losses::default();
    let sketch = Sketch::new(table, is_list, &mut losses);
    losses.add(Loss::Group, sketch.objects.iter().filter(|object| object.group.is_some()).count());
    losses.add(Loss::About, sketch.tests.iter().filter(|test| !test.needs.is_empty()).count());
    losses.add(Loss::Text, sketch.tests.iter().filter(|test| !test.question.is_empty()).count());
    let language = if texts.language.is_empty() { "en" } else { &texts.language };
    let mut writer = Writer { out, media: Vec::new(), numbers: BTreeMap::new(), losses };
    let version = env!("CARGO_PKG_VERSION");
    writer.line(0, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writer.line(0, "<Datasets xmlns=\"http://rs.tdwg.org/UBIF/2006/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://rs.tdwg.org/UBIF/2006/ http://rs.tdwg.org/UBIF/2006/Schema/1.1/SDD.xsd\">")?;
    writer.line(1, &format!("<TechnicalMetadata created=\"{}\">", escaped(date)))?;
    writer.line(2, &format!("<Generator name=\"fewest\" version=\"{version}\"/>"))?;
    writer.line(1, "</TechnicalMetadata>")?;
    writer.line(1, &format!("<Dataset xml:lang=\"{}\">", escaped(language)))?;
    let title = texts.title.get("").unwrap_or(title).to_owned();
    writer.representation(2, &title, None)?;
    writer.line(2, "<Characters>")?;
    for (at, test) in sketch.tests.iter().enumerate() {
        writer.character(at, test, texts)?;
    }
    writer.line(2, "</Characters>")?;
    writer.trees(&sketch)?;
    writer.line(2, "<CodedDescriptions>")?;
    for (row, object) in sketch.objects.iter().enumerate() {
        writer.line(3, &format!("<CodedDescription id=\"D{}\">", row + 1))?;
        writer.representation(4, object.name, texts.object(object.name))?;
        writer.line(4, "<SummaryData>")?;
        for (at, test) in sketch.tests.iter().enumerate() {
            writer.cell(at, test, &test.cells[row])?;
        }
        writer.line(4, "</SummaryData>")?;
        writer.line(3, "</CodedDescription>")?;
    }
    writer.line(2, "</CodedDescriptions>")?;
    writer.media()?;
    writer.line(1, "</Dataset>")?;
    writer.line(0, "</Datasets>")?;
    Ok(writer.losses)
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    media: Vec<String>,
    numbers: BTreeMap<String, usize>,
    losses: Losses,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) -> Result<()> {
        writeln!(self.out, "{}{text}", "  ".repeat(depth))
    }

    /// Label, details and picture of a thing.
    fn representation(&mut self, depth: usize, name: &str, text: Option<&Text>) -> Result<()> {
        let nothing = Text::default();
        let text = text.unwrap_or(&nothing);
        self.line(depth, "<Representation>")?;
        self.label(depth + 1, name, "")?;
        self.losses.add(
            Loss::Text,
            usize::from(text.label.iter().any(|(language, label)| language.is_empty() && label != name)),
        );
        let other = |words: &Words| {
            let others = words.iter().filter(|(language, _)| !language.is_empty());
            others.map(|(language, text)| (language.to_owned(), text.to_owned())).collect::<Vec<_>>()
        };
        for (language, label) in other(&text.label) {
            self.label(depth + 1, &label, &language)?;
        }
        for (language, help) in text.help.iter() {
            let language = attribute(language);
            self.line(depth + 1, &format!("<Detail{language}>{}</Detail>", escaped(help)))?;
        }
        if !text.image.is_empty() {
            let next = self.media.len();
            let number = *self.numbers.entry(text.image.clone()).or_insert(next);
            if number == next {
                self.media.push(text.image.clone());
            }
            self.line(depth + 1, &format!("<MediaObject ref=\"m{}\"/>", number + 1))?;
        }
        self.losses
            .add(Loss::Text, usize::from(!text.link.is_empty()) + usize::from(!text.question.is_empty()));
        self.line(depth, "</Representation>")
    }

    fn label(&mut self, depth: usize, label: &str, language: &str) -> Result<()> {
        let short: String = label.chars().take(MOST_LETTERS).collect();
        self.losses.add(Loss::Text, usize::from(short.len() < label.len()));
        self.line(depth, &format!("<Label{}>{}</Label>", attribute(language), escaped(&short)))
    }

    fn character(&mut self, at: usize, test: &Test<'_>, texts: &Texts) -> Result<()> {
        let kind = if test.is_number { "QuantitativeCharacter" } else { "CategoricalCharacter" };
        self.line(3, &format!("<{kind} id=\"c{}\">", at + 1))?;
        self.representation(4, test.name, texts.test(test.name))?;
        if !test.is_number {
            self.line(4, "<States>")?;
            for (answer, name) in test.answers.iter().enumerate() {
                self.line(5, &format!("<StateDefinition id=\"{}\">", state(at, answer)))?;
                self.representation(6, name, texts.answer(test.name, name))?;
                self.line(5, "</StateDefinition>")?;
            }
            self.line(4, "</States>")?;
        }
        self.line(3, &format!("</{kind}>"))
    }

    /// Rules of applicability: with any other answer, a character is inapplicable.
    fn trees(&mut self, sketch: &Sketch<'_>) -> Result<()> {
        if sketch.tests.iter().all(|test| test.premises.is_empty()) {
            return Ok(());
        }
        self.line(2, "<CharacterTrees>")?;
        self.line(3, "<CharacterTree id=\"ct1\">")?;
        self.representation(4, "All characters", None)?;
        self.line(4, "<Nodes>")?;
        for (at, test) in sketch.tests.iter().enumerate() {
            self.line(5, "<CharNode>")?;
            let excluded: Vec<String> = test
                .premises
                .iter()
                .flat_map(|(other, answers)| {
                    let all = 0..sketch.tests[*other].answers.len();
                    all.filter(|answer| !answers.contains(answer))
                        .map(|answer| state(*other, answer))
                        .collect::<Vec<_>>()
                })
                .collect();
            if !excluded.is_empty() {
                self.line(6, "<DependencyRules>")?;
                self.line(7, "<InapplicableIf>")?;
                for state in excluded {
                    self.line(8, &format!("<State ref=\"{state}\"/>"))?;
                }
                self.line(7, "</InapplicableIf>")?;
                self.line(6, "</DependencyRules>")?;
            }
            self.line(6, &format!("<Character ref=\"c{}\"/>", at + 1))?;
            self.line(5, "</CharNode>")?;
        }
        self.line(4, "</Nodes>")?;
        self.line(3, "</CharacterTree>")?;
        self.line(2, "</CharacterTrees>")
    }

    fn cell(&mut self, at: usize, test: &Test<'_>, cell: &Cell) -> Result<()> {
        let name = if test.is_number { "Quantitative" } else { "Categorical" };
        self.line(5, &format!("<{name} ref=\"c{}\">", at + 1))?;
        match cell {
            Cell::Unknown => self.line(6, "<Status code=\"DataUnavailable\"/>")?,
            Cell::Inapplicable => self.line(6, "<Status code=\"NotApplicable\"/>")?,
            Cell::Any if test.is_number => {
                self.losses.add(Loss::Cell, 1);
                self.line(6, "<Status code=\"DataUnavailable\"/>")?;
            }
            Cell::Any => {
                for answer in 0..test.answers.len() {
                    self.line(6, &format!("<State ref=\"{}\"/>", state(at, answer)))?;
                }
            }
            Cell::Answers(answers) => {
                for answer in answers {
                    self.line(6, &format!("<State ref=\"{}\"/>", state(at, *answer)))?;
                }
            }
            Cell::Range(low, high) => {
                self.line(6, &format!("<Measure type=\"Min\" value=\"{low}\"/>"))?;
                self.line(6, &format!("<Measure type=\"Max\" value=\"{high}\"/>"))?;
            }
        }
        self.line(5, &format!("</{name}>"))
    }

    fn media(&mut self) -> Result<()> {
        if self.media.is_empty() {
            return Ok(());
        }
        self.line(2, "<MediaObjects>")?;
        for (at, source) in std::mem::take(&mut self.media).into_iter().enumerate() {
            self.line(3, &format!("<MediaObject id=\"m{}\">", at + 1))?;
            self.representation(4, &format!("picture {}", at + 1), None)?;
            self.line(4, "<Type>Image</Type>")?;
            self.line(4, &format!("<Source href=\"{}\"/>", escaped(&source)))?;
            self.line(3, "</MediaObject>")?;
        }
        self.line(2, "</MediaObjects>")
    }
}

fn state(test: usize, answer: usize) -> String {
    format!("s{}_{}", test + 1, answer + 1)
}

/// Attribute that names a language.
fn attribute(language: &str) -> String {
    if language.is_empty() { String::new() } else { format!(" xml:lang=\"{}\"", escaped(language)) }
}

/// The text with the letters that XML reserves written out, and without those that it forbids.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}') => {}
            letter => safe.push(letter),
        }
    }
    safe
}
