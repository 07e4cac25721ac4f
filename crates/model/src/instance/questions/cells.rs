//! Cells of a column as parts: a cell has one part, lists several, or is open.

use crate::Codes;
use crate::instance::Sets;

/// Cells of a column.
pub(super) struct Cells<'a> {
    /// Label of each object.
    pub(super) codes: &'a Codes,
    /// Parts that each label lists, `None` if any answer may be given; without it each label is one part.
    pub(super) parts_of: Option<&'a [Option<Vec<u32>>]>,
}

/// Answers that each part of a column stands for.
#[derive(Default)]
pub(super) struct PartAnswers {
    answers: Vec<u32>,
    ends: Vec<u32>,
}

impl PartAnswers {
    /// Adds the answers of the next part, in rising order.
    pub(super) fn push(&mut self, answers: impl IntoIterator<Item = u32>) {
        self.answers.extend(answers);
        self.ends.push(self.answers.len() as u32);
    }

    fn get(&self, part: u32) -> &[u32] {
        let part = part as usize;
        let start = if part == 0 { 0 } else { self.ends[part - 1] as usize };
        &self.answers[start..self.ends[part] as usize]
    }

    fn is_single(&self) -> bool {
        self.answers.len() == self.ends.len()
    }
}

impl Cells<'_> {
    /// Number of objects.
    pub(super) fn rows(&self) -> usize {
        self.codes.len()
    }

    /// Calls `visit` with each object and each of the parts that its cell lists.
    pub(super) fn for_each_part(&self, mut visit: impl FnMut(usize, u32)) {
        for (row, label) in self.codes.iter().enumerate() {
            match self.parts_of {
                None => visit(row, label),
                Some(parts_of) => {
                    parts_of[label as usize].iter().flatten().for_each(|part| visit(row, *part));
                }
            }
        }
    }

    /// Returns the answer of each object, and the sets of answers if some object may give several of `arity`.
    pub(super) fn spread(&self, of_parts: &PartAnswers, arity: usize) -> (Codes, Option<Sets>) {
        if self.parts_of.is_none() && of_parts.is_single() {
            let codes = self.codes.iter().map(|label| of_parts.answers[label as usize]).collect();
            return (codes, None);
        }
        let every: Vec<u32> = (0..arity as u32).collect();
        let of_label = |parts: &[u32]| {
            let mut set: Vec<u32> = parts.iter().flat_map(|part| of_parts.get(*part)).copied().collect();
            set.sort_unstable();
            set.dedup();
            set
        };
        let of_label: Vec<Vec<u32>> = match self.parts_of {
            None => (0..of_parts.ends.len() as u32).map(|label| of_label(&[label])).collect(),
            Some(parts_of) => parts_of
                .iter()
                .map(|parts| parts.as_deref().map_or_else(|| every.clone(), of_label))
                .collect(),
        };
        let codes = self.codes.iter().map(|label| of_label[label as usize][0]).collect();
        let is_open = of_label.iter().any(|set| set.len() > 1);
        let sets = is_open.then(|| Sets::new(self.codes.iter().map(|label| &of_label[label as usize][..])));
        (codes, sets)
    }
}
