//! Test whether rows tell groups apart, by one number for each row instead of the row.

use fewest::random::{RandomStream, Stream};
use fewest_model::Column;

/// Hash of a row: `Σ_t w_t a_t` modulo 2^64 with a random word `w_t` for each test. Equal rows have equal hashes.
///
/// Different rows have equal hashes in about one of 2^50 pairs or fewer. Then a row or a table is drawn again
/// needlessly, and the next one is as good. So the rows themselves need not be compared.
pub(super) struct RowSums(Vec<u64>);

impl RowSums {
    pub(super) fn new(tests: usize) -> Self {
        let mut dice = RandomStream::new(0, Stream::RowSums);
        Self((0..tests).map(|_| dice.word()).collect())
    }

    /// Hash of one row.
    pub(super) fn of(&self, row: &[u32]) -> u64 {
        let products = self.0.iter().zip(row).map(|(word, answer)| word.wrapping_mul(u64::from(*answer)));
        products.fold(0, u64::wrapping_add)
    }

    /// Hashes of all rows, added up column by column.
    fn of_all(&self, objects: usize, tests: &[Column]) -> Vec<u64> {
        let mut sums = vec![0u64; objects];
        for (word, test) in self.0.iter().zip(tests) {
            for (sum, code) in sums.iter_mut().zip(test.codes.iter()) {
                *sum = sum.wrapping_add(word.wrapping_mul(u64::from(code)));
            }
        }
        sums
    }
}

/// Whether no two objects of different groups have equal rows; without `groups`, no two objects at all.
pub(super) fn tell_apart(objects: usize, tests: &[Column], groups: Option<&[u32]>) -> bool {
    let group = |object: u32| groups.map_or(object, |groups| groups[object as usize]);
    let sums = RowSums::new(tests.len()).of_all(objects, tests);
    let mut rows: Vec<(u64, u32)> = sums.into_iter().zip((0..).map(group)).collect();
    rows.sort_unstable();
    rows.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1)
}

#[cfg(test)]
mod tests {
    use super::super::draft::{Cells, digits};
    use super::*;

    #[test]
    fn equal_rows_are_found_unless_one_group_has_them() {
        let texts = digits(2);
        let column = |cells: [u32; 4]| Cells::new("t", &texts).fill(cells.into_iter());
        let tests = [column([0, 0, 1, 0]), column([0, 1, 0, 1])];
        assert!(!tell_apart(4, &tests, None));
        assert!(tell_apart(4, &tests, Some(&[0, 1, 0, 1])));
        assert!(!tell_apart(4, &tests, Some(&[0, 1, 0, 0])));
        assert!(tell_apart(4, &[tests[0].clone(), tests[1].clone(), column([0, 0, 0, 1])], None));
    }

    #[test]
    fn rows_and_columns_give_the_same_numbers() {
        let texts = digits(3);
        let tests = [[0, 1, 2], [0, 1, 0]].map(|cells| Cells::new("t", &texts).fill(cells.into_iter()));
        let sums = RowSums::new(2);
        let rows = [[0, 0], [1, 1], [2, 0]];
        assert_eq!(sums.of_all(3, &tests), rows.map(|row| sums.of(&row)));
    }
}
