//! Questions about one column, and the answers of cells.

use super::{MISSING, Value};
use fewest_model::Labels;
use std::fmt::Write;

/// The answer *no* to a question with two answers.
pub const NO: u32 = 0;
/// The answer *yes* to a question with two answers.
pub const YES: u32 = 1;

/// Question about the column of number `field`.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Is the number above `cut`?
    Above {
        /// The column.
        field: usize,
        /// The limit.
        cut: f64,
    },
    /// Is the cell this word?
    Is {
        /// The column.
        field: usize,
        /// The word.
        word: u32,
    },
    /// Is the cell one of these words?
    Among {
        /// The column.
        field: usize,
        /// Numbers of the words, rising.
        words: Vec<u32>,
    },
    /// Which word is the cell?
    Which {
        /// The column.
        field: usize,
    },
}

/// Answer of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The answer of this number: [`NO`], [`YES`], or a word.
    Known(u32),
    /// The cell is missing.
    Missing,
    /// A word that did not occur in training.
    Unheard,
}

impl Question {
    /// Column that is asked for.
    pub fn field(&self) -> usize {
        match self {
            Self::Above { field, .. }
            | Self::Is { field, .. }
            | Self::Among { field, .. }
            | Self::Which { field } => *field,
        }
    }

    /// Answer of a cell with this value.
    #[inline]
    pub fn answer(&self, value: Value) -> Answer {
        let yes = |holds: bool| Answer::Known(if holds { YES } else { NO });
        match (self, value) {
            (_, Value::Missing) => Answer::Missing,
            (Self::Above { cut, .. }, Value::Number(value)) => yes(value > *cut),
            (Self::Is { word, .. }, Value::Word(value)) => yes(value == *word),
            // An unknown word is not this one.
            (Self::Is { .. }, Value::Unknown) => Answer::Known(NO),
            (Self::Among { words, .. }, Value::Word(value)) => yes(words.binary_search(&value).is_ok()),
            (Self::Which { .. }, Value::Word(value)) => Answer::Known(value),
            _ => Answer::Unheard,
        }
    }

    /// Writes the question in words, for a column called `name` with these words.
    pub fn text(&self, name: &str, labels: Option<&Labels>) -> String {
        let label = |word: u32| labels.map_or("?", |labels| labels.get(word as usize));
        match self {
            Self::Above { cut, .. } => format!("{name} > {cut}"),
            Self::Is { word, .. } => format!("{name} = {}", label(*word)),
            Self::Which { .. } => name.to_owned(),
            Self::Among { words, .. } => {
                let mut text = format!("{name} in {{");
                for (at, word) in words.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    let _ = write!(text, "{comma}{}", label(*word));
                }
                text + "}"
            }
        }
    }

    /// Writes the answer in words.
    pub fn answer_text<'a>(&self, answer: u32, labels: Option<&'a Labels>) -> &'a str {
        match (self, answer) {
            (_, MISSING) => "?",
            (Self::Which { .. }, word) => labels.map_or("?", |labels| labels.get(word as usize)),
            (_, YES) => "yes",
            _ => "no",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_answer_and_questions_are_told() {
        let labels: Labels = ["red", "blue", "green"].into_iter().collect();
        let above = Question::Above { field: 0, cut: 2.5 };
        assert_eq!(
            [2.5, 2.6].map(|x| above.answer(Value::Number(x))),
            [Answer::Known(NO), Answer::Known(YES)]
        );
        assert_eq!(above.answer(Value::Missing), Answer::Missing);
        assert_eq!(above.text("x", None), "x > 2.5");
        let among = Question::Among { field: 0, words: vec![0, 2] };
        assert_eq!([0, 1].map(|w| among.answer(Value::Word(w))), [Answer::Known(YES), Answer::Known(NO)]);
        assert_eq!(among.answer(Value::Unknown), Answer::Unheard);
        assert_eq!(among.text("colour", Some(&labels)), "colour in {red, green}");
        let which = Question::Which { field: 0 };
        assert_eq!(which.answer(Value::Word(1)), Answer::Known(1));
        assert_eq!(
            (which.answer_text(1, Some(&labels)), which.answer_text(MISSING, Some(&labels))),
            ("blue", "?")
        );
        let is = Question::Is { field: 0, word: 1 };
        assert_eq!(
            (is.answer(Value::Unknown), is.text("colour", Some(&labels))),
            (Answer::Known(NO), "colour = blue".to_owned())
        );
    }
}
