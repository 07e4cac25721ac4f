//! Counting the pairs of each answer: an object that is alone in its group is one bit, and many are counted at once.

use fewest_model::{Candidates, Instance, ObjectId, TestId};
use std::collections::BTreeMap;

/// A set of objects, ready to be counted.
pub(super) struct Tally {
    /// The objects that are alone in their groups, one bit each: the words that hold any, by place.
    alone: Vec<(usize, u64)>,
    alone_count: u64,
    /// The other groups.
    groups: Vec<Vec<ObjectId>>,
}

/// Objects by answer: how many, and the sum of the squares of the sizes of their groups.
#[derive(Clone, Copy)]
struct Sizes {
    all: u64,
    squares: u64,
}

impl Sizes {
    /// So many groups of one object.
    fn ones(count: u64) -> Self {
        Self { all: count, squares: count }
    }

    fn add(&mut self, size: u64) {
        self.all += size;
        self.squares += size * size;
    }

    /// `P = (|A|² − Σ_k |A_k|²) / 2`.
    fn pairs(self) -> f64 {
        ((self.all * self.all - self.squares) / 2) as f64
    }
}

impl Tally {
    pub(super) fn new(set: &Candidates) -> Self {
        let (mut alone, mut groups) = (BTreeMap::new(), Vec::new());
        for run in set.runs() {
            match &set.objects()[run.indices()] {
                [object] => *alone.entry(object.index() / 64).or_insert(0) |= 1 << (object.index() % 64),
                objects => groups.push(objects.to_vec()),
            }
        }
        let alone_count = (set.runs().len() - groups.len()) as u64;
        Self { alone: alone.into_iter().collect(), alone_count, groups }
    }

    /// The pairs of the first and the second answer to a yes/no test; nothing for other tests.
    pub(super) fn pairs(&self, instance: &Instance, test: TestId) -> Option<[f64; 2]> {
        let codes = &instance.test(test).codes;
        if codes.width() > 1 {
            return None;
        }
        let words = codes.words();
        let alone = self.alone.iter().map(|(at, alone)| u64::from((alone & words[*at]).count_ones())).sum();
        let (mut first, mut second) = (Sizes::ones(self.alone_count - alone), Sizes::ones(alone));
        for group in &self.groups {
            let seconds = group.iter().map(|object| u64::from(codes.get(object.index()))).sum();
            first.add(group.len() as u64 - seconds);
            second.add(seconds);
        }
        Some([first.pairs(), second.pairs()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::instance;

    #[test]
    fn pairs_of_each_answer_are_counted() {
        let instance = instance("o,group,t,u\na,x,0,x\nb,y,1,y\nc,z,1,z\nd,z,1,z\ne,z,0,z");
        let tally = Tally::new(&Candidates::all(&instance));
        assert_eq!(tally.pairs(&instance, TestId::at(0)), Some([1.0, 2.0]));
        assert_eq!(tally.pairs(&instance, TestId::at(1)), None);
    }
}
