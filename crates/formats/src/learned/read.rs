//! Reading a learned tree from its file.

use crate::json::{Number, VERSION};
use crate::strategy::{from_json, place, plain};
use crate::wording::{FileKind, SavedBy};
use fewest::learn::{
    FieldName, LearnedNode, LearnedTree, MISSING, MissingAnswer, Model, NO, Question, Smoothing, Split, YES,
};
use fewest_model::Interner;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt::{Formatter, Result as Formatted};
use thiserror::Error;

/// Deepest tree that is read, in questions: no session asks more in a row, and a deeper file would exhaust the
/// memory.
const DEEPEST: usize = 100_000;

/// Most rows that a count may state: beyond this, sums of counts could be infinite and their shares NaN.
const MOST_ROWS: f64 = 1e150;

/// A model as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedModel {
    /// Tree, with the names of its columns and classes.
    pub model: Model,
    /// Smoothing from counts to probabilities.
    pub smoothing: Smoothing,
}

/// Reason why a file holds no model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// Text that is not the JSON of a model.
    #[error("{}not a model: {}", place(.0), plain(.0))]
    Json(serde_json::Error),
    /// A version that this program does not know.
    #[error("the model has version {0}, this program reads version {VERSION}; use a newer fewest")]
    Version(u32),
    /// Names that do not match each other.
    #[error("not a model: {0}")]
    Names(String),
}

impl ModelError {
    /// Returns the message, with the front end's words for where such a file comes from.
    pub fn words(&self, saved_by: SavedBy) -> String {
        match self {
            Self::Json(_) | Self::Names(_) => format!("{self}; {}", saved_by(FileKind::Model)),
            Self::Version(_) => self.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct ModelFile {
    version: u32,
    target: String,
    classes: Vec<String>,
    missing: String,
    smoothing: String,
    columns: Vec<ColumnFile>,
    tree: NodeList,
}

#[derive(Deserialize)]
struct ColumnFile {
    name: String,
    kind: String,
    #[serde(default)]
    words: Vec<String>,
}

impl ColumnFile {
    /// Words of the column, with the numbers that they have in the file.
    fn interner(&self) -> Option<Interner> {
        let mut interner = Interner::default();
        self.words.iter().for_each(|word| {
            interner.intern(word);
        });
        (self.kind == "words").then_some(interner)
    }
}

impl SavedModel {
    /// Reads a model from JSON of any depth.
    ///
    /// # Errors
    /// When the text is no model.
    pub fn read(json: &[u8]) -> Result<Self, ModelError> {
        let file: ModelFile = from_json(json).map_err(ModelError::Json)?;
        if file.version != VERSION {
            return Err(ModelError::Version(file.version));
        }
        let missing = match file.missing.as_str() {
            "answer" => MissingAnswer::Own,
            "likelier" => MissingAnswer::Likelier,
            other => return Err(ModelError::Names(format!("`missing` is `{other}`"))),
        };
        let smoothing = smoothing(&file.smoothing)
            .ok_or_else(|| ModelError::Names(format!("`smoothing` is `{}`", file.smoothing)))?;
        refuse_unfolding(&file, json.len())?;
        let mut names = Names::new(&file)?;
        let nodes = file.tree.0.iter().map(|node| names.node(node)).collect::<Result<Vec<_>, _>>()?;
        let fields = file.columns.iter().zip(names.words).map(|(column, words)| FieldName {
            name: column.name.clone(),
            words: words.map(Interner::finish),
        });
        let model = Model {
            target: file.target,
            fields: fields.collect(),
            classes: file.classes,
            tree: LearnedTree { nodes },
            missing,
        };
        Ok(Self { model, smoothing })
    }
}

/// Counts that any model may have, one for each node and class: 128 MB.
const USUAL_COUNTS: usize = 1 << 24;
/// Counts for each byte of the file that a larger model may have; trees that were learned have one or two.
const COUNTS_PER_BYTE: usize = 16;

/// Refuses a small file that takes much memory: nodes hold a count for every class, files only the counts that are
/// not 0.
fn refuse_unfolding(file: &ModelFile, bytes: usize) -> Result<(), ModelError> {
    let (nodes, classes) = (file.tree.0.len(), file.classes.len());
    let most = USUAL_COUNTS.max(bytes.saturating_mul(COUNTS_PER_BYTE));
    match nodes.saturating_mul(classes) > most {
        true => {
            Err(ModelError::Names(format!("{nodes} nodes of {classes} classes in a file of {bytes} bytes")))
        }
        false => Ok(()),
    }
}

/// Smoothing with this word.
fn smoothing(word: &str) -> Option<Smoothing> {
    match word.split_once(':') {
        None if word == "none" => Some(Smoothing::None),
        None if word == "laplace" => Some(Smoothing::Laplace),
        Some(("prior", rows)) => {
            rows.parse().ok().filter(|rows: &f64| *rows > 0.0 && *rows <= MOST_ROWS).map(Smoothing::Prior)
        }
        _ => None,
    }
}

/// Numbers of the names of a file.
struct Names {
    classes: BTreeMap<String, usize>,
    columns: BTreeMap<String, usize>,
    words: Vec<Option<Interner>>,
}

impl Names {
    fn new(file: &ModelFile) -> Result<Self, ModelError> {
        let numbered = |names: Vec<&String>| names.into_iter().cloned().zip(0..).collect::<BTreeMap<_, _>>();
        if file.classes.is_empty() {
            return Err(ModelError::Names("it has no classes".to_owned()));
        }
        let classes = numbered(file.classes.iter().collect());
        let columns = numbered(file.columns.iter().map(|column| &column.name).collect());
        if classes.len() < file.classes.len() {
            return Err(ModelError::Names("it names a class twice".to_owned()));
        }
        if columns.len() < file.columns.len() {
            return Err(ModelError::Names("it names a column twice".to_owned()));
        }
        Ok(Self { classes, columns, words: file.columns.iter().map(ColumnFile::interner).collect() })
    }

    fn node(&mut self, node: &NodeFile) -> Result<LearnedNode, ModelError> {
        let mut classes = vec![0.0; self.classes.len()];
        for (name, weight) in &node.classes {
            let class = self.classes.get(name);
            let class = class.ok_or_else(|| ModelError::Names(format!("there is no class `{name}`")))?;
            if !(weight.0.is_finite() && weight.0 >= 0.0) {
                return Err(ModelError::Names(format!("class `{name}` weighs {}", weight.0)));
            }
            classes[*class] = weight.0;
        }
        let rows = classes.iter().sum::<f64>();
        if rows <= 0.0 {
            return Err(ModelError::Names("a node without rows".to_owned()));
        }
        if rows > MOST_ROWS {
            return Err(ModelError::Names(format!("a node of {rows} rows")));
        }
        let split = match &node.column {
            None => None,
            Some(column) => Some(self.split(node, column)?),
        };
        Ok(LearnedNode { classes, split })
    }

    fn split(&mut self, node: &NodeFile, column: &str) -> Result<Split, ModelError> {
        let wrong = |text: String| ModelError::Names(text);
        let field =
            *self.columns.get(column).ok_or_else(|| wrong(format!("there is no column `{column}`")))?;
        let word = |text: &String, words: &mut Option<Interner>| {
            let words = words.as_mut().ok_or_else(|| wrong(format!("column `{column}` holds no words")))?;
            Ok::<u32, ModelError>(words.intern(text))
        };
        let question = match (node.cut, &node.word, &node.words) {
            (Some(cut), None, None) if self.words[field].is_none() => Question::Above { field, cut: cut.0 },
            (None, Some(text), None) => Question::Is { field, word: word(text, &mut self.words[field])? },
            (None, None, Some(texts)) => {
                let words = texts.iter().map(|text| word(text, &mut self.words[field]));
                let mut words = words.collect::<Result<Vec<_>, _>>()?;
                words.sort_unstable();
                words.dedup();
                Question::Among { field, words }
            }
            (None, None, None) if self.words[field].is_some() => Question::Which { field },
            _ => return Err(wrong(format!("a question about column `{column}` that does not fit it"))),
        };
        let mut answers = Vec::with_capacity(node.answers.len());
        for (text, child) in &node.answers {
            let answer = match (&question, text.as_str()) {
                (_, "?") => MISSING,
                (Question::Which { .. }, _) => word(text, &mut self.words[field])?,
                (_, "no") => NO,
                (_, "yes") => YES,
                _ => return Err(wrong(format!("column `{column}` has the answer `{text}`"))),
            };
            answers.push((answer, *child));
        }
        answers.sort_unstable();
        if answers.is_empty() || answers.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(wrong(format!(
                "a question about column `{column}` without answers, or with one twice"
            )));
        }
        Ok(Split { question, answers, tried: 0, words: 0 })
    }
}

/// A node as it stands in a file.
#[derive(Default)]
struct NodeFile {
    column: Option<String>,
    cut: Option<Number>,
    word: Option<String>,
    words: Option<Vec<String>>,
    classes: BTreeMap<String, Number>,
    answers: Vec<(String, usize)>,
}

/// Nodes in one list, parents before children.
struct NodeList(Vec<NodeFile>);

impl<'de> Deserialize<'de> for NodeList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut nodes = Vec::new();
        NodeSeed { nodes: &mut nodes, depth: 0 }.deserialize(deserializer)?;
        Ok(Self(nodes))
    }
}

/// Reads one node into the list, before its children, and returns its index.
struct NodeSeed<'a> {
    nodes: &'a mut Vec<NodeFile>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        if self.depth > DEEPEST {
            return Err(D::Error::custom(format!("the tree is more than {DEEPEST} questions deep")));
        }
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = usize;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> Formatted {
        formatter.write_str("a node: {\"ask\", \"column\", \"answers\", \"classes\", …} or {\"classes\", …}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<usize, A::Error> {
        let place = self.nodes.len();
        self.nodes.push(NodeFile::default());
        let mut node = NodeFile::default();
        let mut is_question = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "ask" => {
                    is_question = true;
                    map.next_value::<IgnoredAny>()?;
                }
                "column" => node.column = Some(map.next_value()?),
                "cut" => node.cut = Some(map.next_value()?),
                "word" => node.word = Some(map.next_value()?),
                "words" => node.words = Some(map.next_value()?),
                "classes" => node.classes = map.next_value()?,
                "answers" => {
                    node.answers =
                        map.next_value_seed(AnswersSeed { nodes: self.nodes, depth: self.depth + 1 })?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if is_question != node.column.is_some() {
            return Err(A::Error::custom("a question has \"ask\" and \"column\""));
        }
        self.nodes[place] = node;
        Ok(place)
    }
}

/// Reads the branches of a node.
struct AnswersSeed<'a> {
    nodes: &'a mut Vec<NodeFile>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for AnswersSeed<'_> {
    type Value = Vec<(String, usize)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AnswersSeed<'_> {
    type Value = Vec<(String, usize)>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> Formatted {
        formatter.write_str("an object with a node for each answer")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut answers = Vec::new();
        while let Some(answer) = map.next_key::<String>()? {
            let child = map.next_value_seed(NodeSeed { nodes: &mut *self.nodes, depth: self.depth })?;
            answers.push((answer, child));
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JSON of a model with `classes` classes and a tree of `answers` + 1 nodes.
    fn model(classes: usize, answers: usize) -> String {
        let names: Vec<String> = (0..classes).map(|class| format!("\"c{class}\"")).collect();
        let leaves: Vec<String> =
            (0..answers).map(|at| format!("\"w{at}\":{{\"classes\":{{\"c0\":1}}}}")).collect();
        format!(
            "{{\"version\":1,\"target\":\"y\",\"classes\":[{}],\"missing\":\"answer\",\"smoothing\":\"none\",\
             \"columns\":[{{\"name\":\"x\",\"kind\":\"words\"}}],\
             \"tree\":{{\"ask\":\"x\",\"column\":\"x\",\"classes\":{{\"c0\":1}},\"answers\":{{{}}}}}}}",
            names.join(","),
            leaves.join(",")
        )
    }

    #[test]
    fn issue_21_item_12_a_small_model_that_unfolds_is_refused() {
        assert_eq!(SavedModel::read(model(50, 50).as_bytes()).unwrap().model.tree.nodes.len(), 51);
        let large = model(12_000, 10_000);
        assert!(large.len() < 400_000);
        let message = SavedModel::read(large.as_bytes()).unwrap_err().to_string();
        assert!(message.contains("10001 nodes of 12000 classes in a file of"), "{message}");
    }

    #[test]
    fn issue_21_item_12_brackets_that_are_no_questions_are_refused_before_they_are_read() {
        for brackets in ["[".repeat(286_000), "{\"a\":".repeat(100_000)] {
            let text = format!("{{\"version\":1,\"idle\":{brackets}");
            let message = SavedModel::read(text.as_bytes()).unwrap_err().to_string();
            assert!(message.contains("more than 64 levels that are no questions"), "{message}");
            assert!(
                crate::Strategy::read(text.as_bytes())
                    .unwrap_err()
                    .to_string()
                    .contains("more than 64 levels")
            );
        }
        // Brackets inside texts do not count.
        let text = model(3, 3).replace("\"y\"", &format!("\"{}\\\"{}\"", "[{".repeat(200), "[".repeat(200)));
        assert!(SavedModel::read(text.as_bytes()).is_ok());
    }
}
