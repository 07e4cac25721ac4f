//! Predictions of a model for the rows of a file.

use super::SavedModel;
use fewest::learn::{ExamplesError, LearnedNode, Target, Value};
use hashbrown::HashMap;

/// Model that predicts rows of one file.
pub struct Predictor<'a> {
    saved: &'a SavedModel,
    /// Position of each column of the model in the file; `None` if the tree does not ask for it or the file lacks it.
    columns: Vec<Option<Place<'a>>>,
    /// Probabilities at each node, computed when they are first needed.
    known: Vec<Option<Vec<f64>>>,
    target: Option<(usize, Target)>,
    /// Scratch list of the columns that a row was asked for.
    asked: Vec<usize>,
}

/// Position of a column in the file, and the numbers of its words.
struct Place<'a> {
    at: usize,
    words: Option<HashMap<&'a str, u32>>,
}

/// Prediction of a model for a row.
#[derive(Clone, Copy, Debug)]
pub struct Prediction<'a> {
    /// Node at which the row ends.
    pub node: &'a LearnedNode,
    /// Probability of each class there.
    pub probabilities: &'a [f64],
    /// Columns of the model that the row was asked for, each once.
    pub asked: &'a [usize],
}

/// Difference between the columns of a model and those of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Columns that the tree asks for and the file lacks; their cells count as missing.
    pub absent: Vec<String>,
}

impl<'a> Predictor<'a> {
    /// Finds the columns of `saved` in `header`.
    ///
    /// # Errors
    /// When the tree asks for columns and none of them is there.
    pub fn new(saved: &'a SavedModel, header: &[String]) -> Result<(Self, Outline), ExamplesError> {
        let model = &saved.model;
        let asked: Vec<bool> = {
            let mut asked = vec![false; model.fields.len()];
            let splits = model.tree.nodes.iter().filter_map(|node| node.split.as_ref());
            splits.for_each(|split| asked[split.question.field()] = true);
            asked
        };
        let column = |(field, asked): (&'a fewest::learn::FieldName, &bool)| {
            let at = header.iter().position(|name| *name == field.name).filter(|_| *asked)?;
            let words = field.words.as_ref().map(|labels| labels.iter().zip(0..).collect());
            Some(Place { at, words })
        };
        let columns: Vec<_> = model.fields.iter().zip(&asked).map(column).collect();
        let absent: Vec<String> = (0..asked.len())
            .filter(|field| asked[*field] && columns[*field].is_none())
            .map(|field| model.fields[field].name.clone())
            .collect();
        if !absent.is_empty() && absent.len() == asked.iter().filter(|asked| **asked).count() {
            let known = format!("the columns are `{}`", header.join("`, `"));
            return Err(ExamplesError::NoModelColumn { name: absent[0].clone(), known });
        }
        let names: Vec<&str> = header.iter().map(String::as_str).collect();
        let target = Target::parse(&model.target, &names).ok();
        let target =
            target.and_then(|target| Some((header.iter().position(|name| *name == target.column)?, target)));
        let known = vec![None; model.tree.nodes.len()];
        Ok((Self { saved, columns, known, target, asked: Vec::new() }, Outline { absent }))
    }

    /// Leads a row through the tree: its leaf, and the columns that it was asked for.
    pub fn predict(&mut self, cells: &[&str]) -> Prediction<'_> {
        let model = &self.saved.model;
        let Self { columns, asked, .. } = self;
        asked.clear();
        let at = model.tree.route(model.missing, |field| {
            if !asked.contains(&field) {
                asked.push(field);
            }
            match &columns[field] {
                None => Value::Missing,
                Some(Place { at, words }) => value(cells[*at], words.as_ref()),
            }
        });
        let node = &model.tree.nodes[at];
        let root = &model.tree.nodes[0].classes;
        let probabilities =
            self.known[at].get_or_insert_with(|| self.saved.smoothing.probabilities(node, root));
        Prediction { node, probabilities, asked: &self.asked }
    }

    /// True class of a row, where the file holds it and the model knows it.
    pub fn truth(&self, cells: &[&str]) -> Option<usize> {
        let (at, target) = self.target.as_ref()?;
        let class = target.class_of(cells[*at])?;
        let place = |class: &str| self.saved.model.classes.iter().position(|name| name == class);
        // Classes that are numbers are named by their shortest form: 3, not 3.0.
        place(&class).or_else(|| place(&class.parse::<f64>().ok()?.to_string()))
    }

    /// Whether the file holds the column that is predicted.
    pub fn has_truth(&self) -> bool {
        self.target.is_some()
    }
}

fn value(cell: &str, words: Option<&HashMap<&str, u32>>) -> Value {
    match (cell, words) {
        ("" | "?", _) => Value::Missing,
        (text, Some(words)) => words.get(text).map_or(Value::Unknown, |word| Value::Word(*word)),
        (text, None) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Number(number),
            _ => Value::Unknown,
        },
    }
}
