//! Counting the pairs of each answer: an object that is alone in its group is one bit, and many are counted at once.

use fewest_model::{Candidates, Instance, ObjectId, TestId};

/// A set of objects, ready to be counted.
pub(super) struct Tally {
    /// The objects that are alone in their groups, one bit each.
    alone: Vec<u64>,
    /// The other groups.
    groups: Vec<Vec<ObjectId>>,
}

/// Objects by answer: how many, and the sum of the squares of the sizes of their groups.
#[derive(Clone, Copy, Default)]
struct Sizes {
    all: u64,
    squares: u64,
}

impl Sizes {
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
        let (mut alone, mut groups) = (Vec::new(), Vec::new());
        for run in set.runs() {
            match &set.objects()[run.indices()] {
                [object] => put(&mut alone, object.index()),
                objects => groups.push(objects.to_vec()),
            }
        }
        Self { alone, groups }
    }

    /// The pairs of the first and the second answer to a yes/no test; nothing for other tests.
    pub(super) fn pairs(&self, instance: &Instance, test: TestId) -> Option<[f64; 2]> {
        let codes = &instance.test(test).codes;
        if codes.width() > 1 {
            return None;
        }
        let (mut first, mut second) = (Sizes::default(), Sizes::default());
        for (alone, codes) in self.alone.iter().zip(codes.words()) {
            let seconds = u64::from((alone & codes).count_ones());
            let firsts = u64::from(alone.count_ones()) - seconds;
            // Each is a group of one.
            first = Sizes { all: first.all + firsts, squares: first.squares + firsts };
            second = Sizes { all: second.all + seconds, squares: second.squares + seconds };
        }
        for group in &self.groups {
            let seconds = group.iter().map(|object| u64::from(codes.get(object.index()))).sum();
            first.add(group.len() as u64 - seconds);
            second.add(seconds);
        }
        Some([first.pairs(), second.pairs()])
    }
}

/// Sets a bit.
fn put(words: &mut Vec<u64>, at: usize) {
    if words.len() <= at / 64 {
        words.resize(at / 64 + 1, 0);
    }
    words[at / 64] |= 1 << (at % 64);
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
