//! Sets of answers that each object may give to one test, if some object may give several.

use super::ObjectSet;
use crate::{AnswerId, Codes, ObjectId};
use std::collections::BTreeMap;

/// Set of answers of every object. Equal sets are stored once: a column holds few different ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sets {
    /// Number of each object's set; equal numbers are equal sets.
    of: Codes,
    /// Bounds in `answers`: set `s` is `answers[starts[s]..starts[s + 1]]`, in order of answers and never empty.
    starts: Vec<u32>,
    answers: Vec<AnswerId>,
}

impl Sets {
    /// Takes one set for each object, each in order and without duplicates.
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

    /// Returns the sets of the objects at `rows`.
    pub(super) fn select(&self, rows: impl Iterator<Item = usize>) -> Self {
        Self { of: self.of.select(rows), ..self.clone() }
    }

    /// Returns the sets with the first answer alone for each of `objects`; `None` if every set is of one answer then.
    pub(super) fn hide(&self, objects: &ObjectSet) -> Option<Self> {
        let set = |row: usize| -> Vec<u32> {
            let object = ObjectId::at(row);
            match objects.contains(object) {
                true => vec![0],
                false => self.get(object).iter().map(|answer| answer.0).collect(),
            }
        };
        let sets: Vec<Vec<u32>> = (0..self.of.len()).map(set).collect();
        sets.iter().any(|set| set.len() > 1).then(|| Self::new(sets.iter().map(Vec::as_slice)))
    }

    /// Returns the sets for the rows of a table, of which those in `dashes` have none.
    pub(super) fn expand(&self, rows: usize, dashes: &ObjectSet) -> Self {
        let own = self.starts.len() as u32 - 1;
        let mut known = self.of.iter();
        let number =
            |row: usize| if dashes.contains(ObjectId::at(row)) { own } else { known.next().unwrap_or(own) };
        let of = (0..rows).map(number).collect();
        let answers: Vec<AnswerId> = self.answers.iter().copied().chain([AnswerId(0)]).collect();
        let starts = self.starts.iter().copied().chain([answers.len() as u32]).collect();
        Self { of, starts, answers }
    }

    /// Number of each object's set.
    pub(super) fn numbers(&self) -> &Codes {
        &self.of
    }

    /// Answers that `object` may give, in order.
    #[inline]
    pub(super) fn get(&self, object: ObjectId) -> &[AnswerId] {
        let set = self.of.get(object.index()) as usize;
        &self.answers[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}
