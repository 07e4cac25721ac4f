//! Pair counts of a set: an object is one bit, and up to 64 are counted at once.

use fewest_kernel::count_masked;
use fewest_model::Run;

/// Set bits of a plane: its words that are not 0, with their positions.
type Bits = Vec<(u32, u64)>;

/// Set of objects by their positions in planes, with its groups, ready to be counted.
#[derive(Clone, Default)]
pub(super) struct PairCounts {
    /// All objects.
    all: Bits,
    /// Objects that are alone in their groups.
    alone: Bits,
    alone_count: u64,
    /// Objects of all other groups, group after group.
    others: Bits,
    /// End in `others` and size of each of these groups.
    groups: Vec<(usize, u64)>,
}

/// Number of objects, and the sum of the squares of the sizes of their groups.
#[derive(Clone, Copy)]
struct Sizes {
    all: u64,
    squares: u64,
}

impl Sizes {
    /// Sizes of `count` groups of one object.
    fn ones(count: u64) -> Self {
        Self { all: count, squares: count }
    }

    fn add(&mut self, size: u64) {
        self.all += size;
        self.squares += size * size;
    }

    /// Number of pairs `P = (|A|² − Σ_k |A_k|²) / 2`.
    fn pairs(self) -> f64 {
        ((self.all * self.all - self.squares) / 2) as f64
    }
}

/// Bits from `start` to before `end`.
fn stretch(start: u32, end: u32) -> impl Iterator<Item = (u32, u64)> {
    (start / 64..end.div_ceil(64)).map(move |place| {
        let (from, to) = (start.max(place * 64), end.min(place * 64 + 64));
        (place, u64::MAX >> (64 - (to - from)) << (from % 64))
    })
}

/// Bits that are set in `plane` as well.
fn kept(bits: &[(u32, u64)], plane: &[u64]) -> impl Iterator<Item = (u32, u64)> {
    let kept = |(place, word): &(u32, u64)| (*place, word & plane[*place as usize]);
    bits.iter().map(kept).filter(|(_, word)| *word != 0)
}

fn count(bits: &[(u32, u64)]) -> u64 {
    bits.iter().map(|(_, word)| u64::from(word.count_ones())).sum()
}

impl PairCounts {
    /// Makes the set of all objects of `runs`, each at its position.
    pub(super) fn new(runs: &[Run]) -> Self {
        let all = stretch(0, runs.last().map_or(0, |run| run.range.end)).collect();
        let mut pair_counts = Self { all, ..Self::default() };
        runs.iter().for_each(|run| pair_counts.add(stretch(run.range.start, run.range.end)));
        pair_counts
    }

    /// Adds a group.
    fn add(&mut self, bits: impl Iterator<Item = (u32, u64)>) {
        let start = self.others.len();
        self.others.extend(bits);
        let size = count(&self.others[start..]);
        if size > 1 {
            self.groups.push((self.others.len(), size));
            return;
        }
        for (place, bit) in self.others.drain(start..) {
            self.alone_count += 1;
            match self.alone.last_mut().filter(|(last, _)| *last == place) {
                Some((_, word)) => *word |= bit,
                None => self.alone.push((place, bit)),
            }
        }
    }

    /// Returns the objects whose bits are set in `plane`.
    pub(super) fn keep(&self, plane: &[u64]) -> Self {
        let alone: Bits = kept(&self.alone, plane).collect();
        let (all, alone_count) = (kept(&self.all, plane).collect(), count(&alone));
        let mut pair_counts = Self { all, alone, alone_count, ..Self::default() };
        self.each_group(|bits, _| pair_counts.add(kept(bits, plane)));
        pair_counts
    }

    /// Calls `what` with each group of several objects, and its size.
    fn each_group(&self, mut what: impl FnMut(&[(u32, u64)], u64)) {
        let mut start = 0;
        for (end, size) in &self.groups {
            what(&self.others[start..*end], *size);
            start = *end;
        }
    }

    /// Pairs of the set.
    pub(super) fn pairs(&self) -> f64 {
        let mut sizes = Sizes::ones(self.alone_count);
        self.groups.iter().for_each(|(_, size)| sizes.add(*size));
        sizes.pairs()
    }

    /// Pairs among the objects whose bits are not set in `plane`, and among those whose bits are.
    pub(super) fn split_pairs(&self, plane: &[u64]) -> [f64; 2] {
        let alone = u64::from(count_masked(plane, &self.alone));
        let (mut unset, mut set) = (Sizes::ones(self.alone_count - alone), Sizes::ones(alone));
        self.each_group(|bits, size| {
            let count = u64::from(count_masked(plane, bits));
            unset.add(size - count);
            set.add(count);
        });
        [unset.pairs(), set.pairs()]
    }

    /// Sum of the weights of the objects whose bits in `plane` differ from those in `flip`.
    pub(super) fn weigh(&self, plane: &[u64], flip: u64, weights: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (place, word) in &self.all {
            let mut bits = (plane[*place as usize] ^ flip) & word;
            while bits != 0 {
                sum += weights[*place as usize * 64 + bits.trailing_zeros() as usize];
                bits &= bits - 1;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_model::GroupId;
    use proptest::prelude::*;

    /// Makes runs of these lengths.
    fn runs(lengths: &[u32]) -> Vec<Run> {
        let mut start = 0;
        let run = |(group, length): (usize, &u32)| {
            start += length;
            Run { group: GroupId::at(group), range: start - length..start, weight: 0.0 }
        };
        lengths.iter().enumerate().map(run).collect()
    }

    /// Counts the pairs of some of these objects that are in different groups, one by one.
    fn slow_pairs(runs: &[Run], has: impl Fn(u32) -> bool) -> f64 {
        let objects: Vec<usize> = runs
            .iter()
            .flat_map(|run| run.range.clone().filter(|place| has(*place)).map(|_| run.group.index()))
            .collect();
        let differ =
            |(at, group): (usize, &usize)| objects[..at].iter().filter(|other| *other != group).count();
        objects.iter().enumerate().map(differ).sum::<usize>() as f64
    }

    proptest! {
        #[test]
        fn counts_are_those_of_objects_one_by_one(
            lengths in prop::collection::vec(prop_oneof![Just(1u32), 1..90u32], 1..9),
            plane in prop::collection::vec(any::<u64>(), 12), mut kept in prop::collection::vec(any::<u64>(), 12),
        ) {
            let runs = runs(&lengths);
            let bit = |plane: &[u64], place: u32| plane[place as usize / 64] >> (place % 64) & 1 == 1;
            let count = lengths.iter().sum::<u32>();
            let weights: Vec<f64> = (0..count).map(|place| f64::from(place * place)).collect();
            let mut pair_counts = PairCounts::new(&runs);
            let mut rest = vec![u64::MAX; 12];
            // All of them, then about half, then about a quarter.
            for _ in 0..3 {
                let has = |place: u32| bit(&rest, place);
                prop_assert_eq!(pair_counts.pairs(), slow_pairs(&runs, has));
                let split_pairs = [false, true].map(|set| slow_pairs(&runs, |place| has(place) && bit(&plane, place) == set));
                prop_assert_eq!(pair_counts.split_pairs(&plane), split_pairs);
                for (flip, set) in [(0, true), (u64::MAX, false)] {
                    let mine = (0..count).filter(|place| has(*place) && bit(&plane, *place) == set);
                    let sum: f64 = mine.map(|place| weights[place as usize]).sum();
                    prop_assert_eq!(pair_counts.weigh(&plane, flip, &weights), sum);
                }
                pair_counts = pair_counts.keep(&kept);
                rest.iter_mut().zip(&kept).for_each(|(rest, kept)| *rest &= kept);
                kept.rotate_left(1);
            }
        }
    }
}
