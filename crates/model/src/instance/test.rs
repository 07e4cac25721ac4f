//! A test: its name, and what each object answers.

use super::{Measure, ObjectSet, Premise, Sets};
use crate::{AnswerId, Codes, Labels, NOT_RECORDED, ObjectId};

/// Question that can be asked about the unknown object, with the answer of every object.
#[derive(Clone, Debug, Default)]
pub struct Test {
    /// Name of the column.
    pub name: String,
    /// Text to ask the test with, if the table has one.
    pub question: Option<String>,
    /// The answers that occur, in order of first appearance.
    pub answers: Labels,
    /// Number of each object's answer; of the first one if it may give several.
    pub codes: Codes,
    /// Answers that each object may give, if some object may give several; all answers of one object are equally
    /// likely.
    pub sets: Option<Sets>,
    /// Measured column that the test asks about, if it does.
    pub measure: Option<Measure>,
    /// Conditions under which the test may be asked; all of them must hold.
    pub premises: Vec<Premise>,
    /// Objects that the test may not be asked of, if there are any: their answers are placeholders.
    pub inapplicable: Option<ObjectSet>,
    /// Tools that the test needs.
    pub needs: Vec<String>,
}

impl Test {
    /// Number of different answers that occur.
    pub fn arity(&self) -> usize {
        self.answers.len()
    }

    /// Whether the test may be asked of `object`. Otherwise the object has no answer, and what is stored is a
    /// placeholder.
    #[inline]
    pub fn applies_to(&self, object: ObjectId) -> bool {
        self.inapplicable.as_ref().is_none_or(|objects| !objects.contains(object))
    }

    /// Text of an answer.
    ///
    /// # Panics
    /// When the test has no such answer.
    pub fn answer_text(&self, answer: AnswerId) -> &str {
        self.answers.get(answer.index())
    }

    /// Number of objects without a recorded answer: they give the answer "not recorded", or may give any answer.
    pub fn gap_count(&self) -> usize {
        let gap = self.answers.find(NOT_RECORDED).or_else(|| self.answers.find("?"));
        let is_gap = |object: ObjectId| match &self.sets {
            Some(_) => self.arity() > 1 && self.choices(object) == self.arity(),
            None => Some(self.answer(object).index()) == gap,
        };
        let objects = (0..self.codes.len()).map(ObjectId::at);
        objects.filter(|object| self.applies_to(*object) && is_gap(*object)).count()
    }

    /// Returns the answer with this text, if some object gives it.
    pub fn find_answer(&self, text: &str) -> Option<AnswerId> {
        self.answers.find(text).map(AnswerId::at)
    }

    /// Answer of `object`; the first one if it may give several.
    #[inline]
    pub fn answer(&self, object: ObjectId) -> AnswerId {
        AnswerId(self.codes.get(object.index()))
    }

    /// Whether `object` may give `answer`.
    #[inline]
    pub fn allows(&self, object: ObjectId, answer: AnswerId) -> bool {
        let gives = match &self.sets {
            None => self.answer(object) == answer,
            Some(sets) => sets.get(object).binary_search(&answer).is_ok(),
        };
        gives && self.applies_to(object)
    }

    /// Whether every object gives one answer only.
    #[inline]
    pub fn is_single(&self) -> bool {
        self.sets.is_none()
    }

    /// Number of answers that `object` may give, all equally likely.
    #[inline]
    pub fn choices(&self, object: ObjectId) -> usize {
        self.sets.as_ref().map_or(1, |sets| sets.get(object).len())
    }

    /// The answers that `object` may give, in order.
    #[inline]
    pub fn possible(&self, object: ObjectId) -> Possible<'_> {
        match &self.sets {
            None => Possible::One([self.answer(object)]),
            Some(sets) => Possible::Several(sets.get(object)),
        }
    }

    /// Number of each object's answer, or of its set of answers: equal numbers are equal answers or sets.
    pub fn cells(&self) -> &Codes {
        self.sets.as_ref().map_or(&self.codes, Sets::numbers)
    }
}

/// The answers that an object may give to a test; derefs to a slice of them.
#[derive(Clone, Copy, Debug)]
pub enum Possible<'a> {
    /// Exactly one answer.
    One([AnswerId; 1]),
    /// One or more answers.
    Several(&'a [AnswerId]),
}

impl std::ops::Deref for Possible<'_> {
    type Target = [AnswerId];

    #[inline]
    fn deref(&self) -> &[AnswerId] {
        match self {
            Self::One(answer) => answer,
            Self::Several(answers) => answers,
        }
    }
}
