//! Counting the pairs of each answer: an object is one bit, and up to 64 are counted at once.

use fewest_model::{AnswerId, Candidates, Instance, ObjectId, TestId, count_masked};

/// Objects, one bit each: the words that hold any, by place.
type Bits = Vec<(u32, u64)>;

/// A set of objects, ready to be counted.
pub(super) struct Tally {
    /// The objects that are alone in their groups.
    alone: Bits,
    alone_count: u64,
    /// The other groups, and how many objects each has.
    groups: Vec<(Bits, u64)>,
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

/// Adds an object that comes after all others, or nearly so.
fn add(bits: &mut Bits, object: ObjectId) {
    let (place, bit) = ((object.index() / 64) as u32, 1 << (object.index() % 64));
    match bits.last_mut().filter(|(last, _)| *last == place) {
        Some((_, word)) => *word |= bit,
        None => bits.push((place, bit)),
    }
}

impl Tally {
    pub(super) fn new(set: &Candidates) -> Self {
        let (mut alone, mut groups) = (Bits::new(), Vec::new());
        for run in set.runs() {
            match &set.objects()[run.indices()] {
                [object] => add(&mut alone, *object),
                objects => {
                    let mut bits = Bits::new();
                    objects.iter().for_each(|object| add(&mut bits, *object));
                    groups.push((bits, objects.len() as u64));
                }
            }
        }
        let alone_count = (set.runs().len() - groups.len()) as u64;
        Self { alone, alone_count, groups }
    }

    /// The pairs of the first and the second answer to a yes/no test; nothing for other tests.
    pub(super) fn pairs(&self, instance: &Instance, test: TestId) -> Option<[f64; 2]> {
        let codes = &instance.test(test).codes;
        if codes.width() > 1 {
            return None;
        }
        let words = codes.words();
        let alone = u64::from(count_masked(words, &self.alone));
        let (mut first, mut second) = (Sizes::ones(self.alone_count - alone), Sizes::ones(alone));
        for (bits, size) in &self.groups {
            let seconds = u64::from(count_masked(words, bits));
            first.add(size - seconds);
            second.add(seconds);
        }
        Some([first.pairs(), second.pairs()])
    }

    /// What the objects weigh that give another answer than `star` to a yes/no test; nothing for other tests.
    pub(super) fn mass(&self, instance: &Instance, test: TestId, star: AnswerId) -> Option<f64> {
        let codes = &instance.test(test).codes;
        if codes.width() > 1 {
            return None;
        }
        let words = codes.words();
        let flip = if star.index() == 1 { u64::MAX } else { 0 };
        let mut mass = 0.0;
        let others = self.groups.iter().flat_map(|(bits, _)| bits);
        for (place, word) in self.alone.iter().chain(others) {
            let mut leaving = (words[*place as usize] ^ flip) & word;
            while leaving != 0 {
                let object = *place as usize * 64 + leaving.trailing_zeros() as usize;
                mass += instance.weight(ObjectId::at(object));
                leaving &= leaving - 1;
            }
        }
        Some(mass)
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
        let mass = |star: usize| tally.mass(&instance, TestId::at(0), AnswerId::at(star)).unwrap();
        let weight = |objects: &[usize]| -> f64 {
            objects.iter().map(|object| instance.weight(ObjectId::at(*object))).sum()
        };
        assert_eq!([mass(0), mass(1)], [weight(&[1, 2, 3]), weight(&[0, 4])]);
    }
}
