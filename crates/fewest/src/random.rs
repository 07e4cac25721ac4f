//! Random numbers that are the same on every machine and with every version of every library.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Use of a stream of random numbers. Each use has a stream of its own, so that one more number drawn for one use
/// leaves the numbers of all others unchanged.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Stream {
    /// Answers and groups.
    Table,
    /// Priors.
    Prior,
    /// Costs of tests.
    Costs,
    /// Row sums that tell rows apart; not part of the table.
    RowSums,
    /// Assignment of examples to folds.
    Folds,
    /// Permutations of a contingency table.
    Permutations,
    /// Messages to be coded.
    Messages,
    /// Objects and answers of simulated sessions.
    Plays,
}

/// Reproducible source of random numbers.
///
/// Only the words of the ChaCha8 stream come from a library. Their conversion to numbers is written here, because
/// libraries change how they draw a number below n, and every table made from a seed would change with them.
pub struct RandomStream(ChaCha8Rng);

impl RandomStream {
    /// Makes the stream for one use of the numbers of `seed`.
    pub fn new(seed: u64, stream: Stream) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream as u64);
        Self(rng)
    }

    /// Draws a random word.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a number from 0 to 1, in steps of 2^-53; 1 never occurs.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws whether an event of this chance happens.
    #[inline]
    pub fn happens(&mut self, chance: Chance) -> bool {
        u64::from(self.0.next_u32()) < chance.0
    }

    /// Draws a number below `limit`, all equally likely [Lemire2019, multiply and reject].
    pub fn below(&mut self, limit: u32) -> u32 {
        let unfair = limit.wrapping_neg() % limit;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(limit);
            if product as u32 >= unfair {
                return (product >> 32) as u32;
            }
        }
    }

    /// Shuffles `items`; all orders are equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(u32::try_from(last + 1).expect("tables have fewer than 2^32 rows"));
            items.swap(last, other as usize);
        }
    }
}

/// Probability in steps of 2^-32, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance(u64);

impl Chance {
    /// Returns the chance nearest to `probability`.
    pub fn of(probability: f64) -> Self {
        Self((probability * 4_294_967_296.0).round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_certain() {
        let mut random = RandomStream::new(1, Stream::Table);
        assert!((0..1000).all(|_| random.happens(Chance::of(1.0)) && !random.happens(Chance::of(0.0))));
    }

    #[test]
    fn numbers_below_a_limit_are_equally_likely() {
        let mut random = RandomStream::new(2, Stream::Table);
        let (limit, draws) = (7u32, 70_000u32);
        let mut counts = [0u32; 7];
        (0..draws).for_each(|_| counts[random.below(limit) as usize] += 1);
        let p = 1.0 / f64::from(limit);
        let sigma = (f64::from(draws) * p * (1.0 - p)).sqrt();
        assert!(counts.iter().all(|&count| (f64::from(count) - f64::from(draws) * p).abs() < 5.0 * sigma));
    }

    #[test]
    fn a_shuffle_loses_nothing() {
        let mut items: Vec<u32> = (0..100).collect();
        RandomStream::new(3, Stream::Table).shuffle(&mut items);
        assert!(items.windows(2).any(|pair| pair[0] > pair[1]));
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
