//! Answers to 64 tests at a time as one word per object, from which columns of any few objects are made quickly.

use crate::transpose::transpose;
use fewest_model::{Instance, ObjectId, TestId};
use rayon::prelude::*;

/// Tests per tile: one word holds one object's answers to them.
pub const TILE_TESTS: usize = 64;

/// Answers of all objects to the yes/no tests, tile after tile; tests with more answers have no bits here.
///
/// Tests store columns, in which a few objects lie far apart. Here one word per object is gathered, and 64 words are
/// transposed into columns again: 64 tests of 64 objects take as long as a few single answers.
#[derive(Clone, Debug)]
pub struct BitTiles {
    objects: usize,
    words: Vec<u64>,
    /// Tests of each tile with more than two answers, one bit each.
    wide: Vec<u64>,
}

impl BitTiles {
    /// Makes the tiles of all objects of `instance`.
    pub fn new(instance: &Instance) -> Self {
        let (objects, tests) = (instance.object_count(), instance.test_count());
        let mut words = vec![0; objects * tests.div_ceil(TILE_TESTS)];
        let mut wide = vec![0; tests.div_ceil(TILE_TESTS)];
        for test in (0..tests).filter(|test| instance.test(TestId::at(*test)).codes.width() > 1) {
            wide[test / TILE_TESTS] |= 1 << (test % TILE_TESTS);
        }
        words.par_chunks_mut(objects.max(1)).enumerate().for_each(|(stripe, rows)| {
            let tests = stripe * TILE_TESTS..tests.min((stripe + 1) * TILE_TESTS);
            let codes = tests.map(|test| &instance.test(TestId::at(test)).codes);
            let columns: Vec<&[u64]> =
                codes.map(|codes| if codes.width() == 1 { codes.words() } else { &[] }).collect();
            for (place, rows) in rows.chunks_mut(64).enumerate() {
                let mut square = [0; 64];
                for (word, column) in square.iter_mut().zip(&columns) {
                    *word = column.get(place).copied().unwrap_or(0);
                }
                transpose(&mut square);
                rows.copy_from_slice(&square[..rows.len()]);
            }
        });
        Self { objects, words, wide }
    }

    /// Writes the answers of `objects` to the tests of a tile: one column per test, 64 objects to a word, in their
    /// order. Bits after the last object are 0.
    ///
    /// Returns the tests that may split the objects, as bits: a yes/no test if it does, any other test always. If
    /// there are none, nothing is written.
    pub fn columns(&self, stripe: usize, objects: &[ObjectId], columns: &mut [u64]) -> u64 {
        let rows = &self.words[stripe * self.objects..(stripe + 1) * self.objects];
        let first = objects.first().map_or(0, |object| rows[object.index()]);
        let splits = objects.iter().fold(0, |splits, object| splits | (first ^ rows[object.index()]));
        let height = objects.len().div_ceil(64);
        for (place, objects) in objects.chunks(64).enumerate().filter(|_| splits != 0) {
            let mut square = [0; 64];
            for (word, object) in square.iter_mut().zip(objects) {
                *word = rows[object.index()];
            }
            transpose(&mut square);
            for (column, word) in columns.chunks_mut(height).zip(square) {
                column[place] = word;
            }
        }
        splits | self.wide[stripe]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::of_cells;
    use proptest::prelude::*;

    /// Instance with a test for each bit of the rows; the fourth test has three answers.
    fn instance(rows: &[Vec<bool>]) -> Instance {
        let names = (0..rows[0].len()).map(|test| format!("t{test}"));
        let header: Vec<String> = std::iter::once("object".to_owned()).chain(names).collect();
        let cells = rows.iter().enumerate().map(|(object, bits)| {
            let answer = |(test, bit): (usize, &bool)| {
                if test == 3 { object % 3 } else { usize::from(*bit) }.to_string()
            };
            std::iter::once(format!("o{object}")).chain(bits.iter().enumerate().map(answer)).collect()
        });
        of_cells(header, cells)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn columns_hold_the_answers_of_the_objects(
            rows in (4usize..150).prop_flat_map(|tests| prop::collection::vec(prop::collection::vec(any::<bool>(), tests), 3..150)),
            every in 1usize..4,
        ) {
            let instance = instance(&rows);
            let stripes = BitTiles::new(&instance);
            let mut objects: Vec<ObjectId> = instance.objects().step_by(every).collect();
            objects.reverse();
            let height = objects.len().div_ceil(64);
            let mut columns = vec![u64::MAX; instance.test_count() * height];
            let mut splitting = Vec::new();
            for (stripe, columns) in columns.chunks_mut(TILE_TESTS * height).enumerate() {
                splitting.push(stripes.columns(stripe, &objects, columns));
            }
            for (test, column) in instance.test_ids().zip(columns.chunks(height)) {
                let codes = &instance.test(test).codes;
                let answers: Vec<u32> = objects.iter().map(|object| codes.get(object.index())).collect();
                let splits = answers.iter().any(|answer| *answer != answers[0]);
                let may_split = splitting[test.index() / 64] >> (test.index() % 64) & 1 == 1;
                prop_assert_eq!(may_split, splits || codes.width() > 1);
                let is_set = |place: usize| codes.width() == 1 && answers.get(place) == Some(&1);
                for place in (0..height * 64).filter(|_| splits) {
                    prop_assert_eq!(column[place / 64] >> (place % 64) & 1 == 1, is_set(place));
                }
            }
        }
    }
}
