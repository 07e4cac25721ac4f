//! The answers that each object may give to one test, where some object may give several.

use crate::{AnswerId, Codes, ObjectId};
use std::collections::BTreeMap;

/// A set of answers for every object. Equal sets are kept once: a column holds few different ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sets {
    /// For each object the number of its set; equal numbers are equal sets.
    of: Codes,
    /// Set `s` is `answers[starts[s]..starts[s + 1]]`, in order of answers and never empty.
    starts: Vec<u32>,
    answers: Vec<AnswerId>,
}

impl Sets {
    /// One set for each object, each in order and without doubles.
    pub(super) fn new<'a>(sets: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut numbers: BTreeMap<&[u32], u32> = BTreeMap::new();
        let (mut starts, mut answers) = (vec![0], Vec::new());
        let number = |set: &'a [u32]| {
            let next = numbers.len() as u32;
            *numbers.entry(set).or_insert_with(|| {
                answers.extend(set.iter().map(|answer| AnswerId(*answer)));
                starts.push(answers.len() as u32);
                next
            })
        };
        let of = sets.map(number).collect();
        Self { of, starts, answers }
    }

    /// The sets of the objects at `rows`.
    pub(super) fn select(&self, rows: impl Iterator<Item = usize>) -> Self {
        Self { of: self.of.select(rows), ..self.clone() }
    }

    /// For each object the number of its set.
    pub(super) fn numbers(&self) -> &Codes {
        &self.of
    }

    /// The answers of `object`, in order.
    #[inline]
    pub(super) fn get(&self, object: ObjectId) -> &[AnswerId] {
        let set = self.of.get(object.index()) as usize;
        &self.answers[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}
