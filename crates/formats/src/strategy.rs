//! A saved strategy: the document that `build` writes, with everything needed to show, check or run it.

use crate::NamedTree;
use crate::json::{
    BoundPart, CallPart, CertificatePart, CostPart, Document, InstancePart, Number, ObjectivePart,
    ReadingPart, ShiftPart, UnfinishedPart, VERSION, stop_word,
};
use crate::wording::{FileKind, SavedBy};
use fewest::robustness::Shift;
use fewest::{Goal, Instance, Outcome};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::{self, Write};
use thiserror::Error;

/// A strategy as it stands in a file.
#[derive(Clone, Debug, Deserialize)]
pub struct Strategy {
    /// Version of the document.
    pub version: u32,
    /// Size of the problem that the strategy solves.
    pub instance: InstancePart,
    /// Objective that was minimised.
    pub objective: ObjectivePart,
    /// Name of the algorithm that built the strategy.
    pub algorithm: String,
    /// Limit on the worst cost under which the strategy is claimed to be good.
    #[serde(default)]
    pub max_worst: Option<Number>,
    /// Claimed costs.
    pub cost: CostPart,
    /// Claimed lower bound.
    pub lower_bound: BoundPart,
    /// Claimed relative gap between cost and bound.
    #[serde(default)]
    pub gap: Option<Number>,
    /// Whether the strategy is claimed to be optimal.
    pub optimal: bool,
    /// Claimed reason why the search ended.
    #[serde(default)]
    pub stop: Option<String>,
    /// Claimed sets of objects that no test tells apart.
    #[serde(default)]
    pub inseparable: Option<Vec<Vec<String>>>,
    /// Claimed number and weight of unfinished leaves.
    #[serde(default)]
    pub unfinished: Option<UnfinishedPart>,
    /// Options with which the table was read.
    #[serde(default)]
    pub reading: ReadingPart,
    /// Certificate of the bound, if the file has one.
    #[serde(default)]
    pub certificate: Option<CertificatePart>,
    /// The tree of questions.
    pub tree: NamedTree,
}

/// Reason why a file holds no strategy.
#[derive(Debug, Error)]
pub enum StrategyError {
    /// Text that is not the JSON of a strategy.
    #[error("{}not a strategy: {}", place(.0), plain(.0))]
    Json(serde_json::Error),
    /// Text that is not the JSON of a certificate.
    #[error("{}not a certificate: {}", place(.0), plain(.0))]
    Certificate(serde_json::Error),
    /// A version that this program does not know.
    #[error("the strategy has version {0}, this program reads version {VERSION}; use a newer fewest")]
    Version(u32),
}

impl StrategyError {
    /// Returns the message, with the front end's words for where such a file comes from.
    pub fn words(&self, saved_by: SavedBy) -> String {
        match self {
            Self::Json(_) => format!("{self}; {}", saved_by(FileKind::Strategy)),
            Self::Certificate(_) => format!("{self}; {}", saved_by(FileKind::Certificate)),
            Self::Version(_) => self.to_string(),
        }
    }
}

/// Prefix of a message with the line of a mistake; empty where the line is not known.
pub(crate) fn place(error: &serde_json::Error) -> String {
    match error.line() {
        0 => String::new(),
        line => format!("line {line}, column {}: ", error.column()),
    }
}

/// The message without its place, which `place` puts first.
pub(crate) fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]).to_owned()
}

impl Strategy {
    /// Reads a strategy from JSON of any depth.
    ///
    /// # Errors
    /// When the text is no strategy.
    pub fn read(json: &[u8]) -> Result<Self, StrategyError> {
        match from_json::<Self>(json).map_err(StrategyError::Json)? {
            strategy if strategy.version != VERSION => Err(StrategyError::Version(strategy.version)),
            strategy => Ok(strategy),
        }
    }
}

/// Most unknown fields that are listed by path.
const MOST_UNREAD: usize = 50;

/// Reads all of `json`, of any depth.
pub(crate) fn from_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, serde_json::Error> {
    refuse_idle_depth(json)?;
    // Not from the slice: that would count the lines again at each level of a tree that holds a mistake.
    let mut deserializer = serde_json::Deserializer::from_reader(json);
    deserializer.disable_recursion_limit();
    let value = T::deserialize(serde_stacker::Deserializer::new(&mut deserializer))?;
    deserializer.end()?;
    Ok(value)
}

/// Reads like [`from_json`], and returns the paths of all unknown fields as well, such as `settings` or
/// `tree.answers.yes.colour`.
pub(crate) fn from_json_noting<T: DeserializeOwned>(
    json: &[u8],
) -> Result<(T, Vec<String>), serde_json::Error> {
    refuse_idle_depth(json)?;
    let mut deserializer = serde_json::Deserializer::from_reader(json);
    deserializer.disable_recursion_limit();
    let mut unread = Vec::new();
    let mut note = |path: serde_ignored::Path<'_>| {
        // A file may hold any number of unknown fields; the first few are enough for a message.
        if unread.len() < MOST_UNREAD {
            unread.push(path.to_string());
        }
    };
    let inner = serde_stacker::Deserializer::new(&mut deserializer);
    let value = T::deserialize(serde_ignored::Deserializer::new(inner, &mut note))?;
    deserializer.end()?;
    Ok((value, unread))
}

/// Levels of brackets that a document may have beside those of its tree; more than any document of fewest has.
const PLAIN_LEVELS: usize = 64;

/// Refuses text with more levels of brackets than its questions account for, two each. A level takes thousands of
/// bytes of memory to read, but only one byte in the file.
fn refuse_idle_depth(json: &[u8]) -> Result<(), serde_json::Error> {
    const ANSWERS: &[u8] = b"\"answers\"";
    let (mut depth, mut most, mut at) = (0usize, PLAIN_LEVELS, 0);
    while let Some(found) = memchr::memchr3(b'"', b'{', b'[', &json[at..]) {
        let closed = json[at..at + found].iter().filter(|byte| matches!(byte, b'}' | b']')).count();
        depth = depth.saturating_sub(closed);
        at += found;
        if json[at] == b'"' {
            most += if json[at..].starts_with(ANSWERS) { 2 } else { 0 };
            at = end_of_string(json, at);
            continue;
        }
        depth += 1;
        at += 1;
        if depth > most {
            let before = &json[..at];
            let line = 1 + memchr::memchr_iter(b'\n', before).count();
            let column = at - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
            // The parser removes the place from a message that ends like this.
            let message = format!(
                "more than {PLAIN_LEVELS} levels that are no questions at line {line} column {column}"
            );
            return Err(serde::de::Error::custom(message));
        }
    }
    Ok(())
}

/// Index after the string that begins at `start`, or the end of the text if the string is never closed.
fn end_of_string(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &json[at.min(json.len())..]) {
        at += found;
        if json[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    json.len()
}

/// Writes the outcome of `build` as one JSON object, with `robustness` if it is given, and with `reading` in a file.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_outcome(
    out: impl Write,
    instance: &Instance,
    goal: &Goal,
    outcome: &Outcome,
    tree: &NamedTree,
    reading: Option<&ReadingPart>,
    robustness: Option<&[Shift]>,
) -> io::Result<()> {
    let mut document = Document::begin(out)?;
    document.field("instance", &InstancePart::new(instance))?;
    document.field("objective", &ObjectivePart::from(goal.objective))?;
    if outcome.cap < f64::INFINITY {
        document.field("max_worst", &Number(outcome.cap))?;
    }
    document.field("algorithm", outcome.origin.name())?;
    document.field("settings", &settings(outcome))?;
    document.field("cost", &CostPart::from(outcome.costs))?;
    document.field("lower_bound", &BoundPart::from(outcome.bound))?;
    document.field("gap", &Number(outcome.gap))?;
    document.field("optimal", &outcome.optimal)?;
    document.field("stop", stop_word(outcome.stop))?;
    if let Some(unfinished) = outcome.unfinished {
        document.field("unfinished", &UnfinishedPart::from(unfinished))?;
    }
    if outcome.unranked > 0 {
        document.field("unranked", &outcome.unranked)?;
    }
    document.field("elapsed_ms", &Number(outcome.elapsed.as_secs_f64() * 1e3))?;
    document.list("inseparable", instance.inseparable())?;
    if !outcome.evidence.is_empty() {
        document.list("evidence", outcome.evidence.iter().map(|call| CallPart::new(call, instance)))?;
    }
    if let Some(shifts) = robustness {
        document.list("robustness", shifts.iter().map(|shift| ShiftPart::from(*shift)))?;
    }
    if let Some(reading) = reading {
        document.field("reading", reading)?;
        if let Some(proof) = outcome.whole_proof() {
            document.certificate(instance, proof)?;
        }
    }
    document.tree("tree", tree)?;
    document.end()
}

/// Settings of the algorithm: λ, and whether it ignores costs.
fn settings(outcome: &Outcome) -> impl serde::Serialize {
    #[derive(serde::Serialize)]
    struct Settings {
        #[serde(skip_serializing_if = "Option::is_none")]
        lambda: Option<Number>,
        cost_blind: bool,
    }
    Settings { lambda: outcome.lambda.map(|lambda| Number(lambda.value())), cost_blind: outcome.cost_blind }
}
