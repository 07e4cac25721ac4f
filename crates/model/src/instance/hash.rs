//! Hash of each row's answers, to find rows that may be equal.
//!
//! Answers are stored by test and needed by row. Tests with two answers, which are most, are transposed in blocks of
//! 64 rows × 64 tests, so that 64 answers are hashed as one word.

use super::Test;
use crate::Codes;

/// Side of the blocks that are transposed, in bits.
const SIDE: usize = 64;

/// Hashes the answers of each row: rows with the same answers have the same hash; others hardly ever do.
pub(super) fn hashes(tests: &[Test], rows: usize) -> Vec<u64> {
    let mut hashes = vec![0; rows];
    let (planes, others): (Vec<&Codes>, Vec<&Codes>) =
        tests.iter().map(Test::cells).partition(|codes| codes.width() == 1);
    for planes in planes.chunks(SIDE) {
        for (at, hashes) in hashes.chunks_mut(SIDE).enumerate() {
            let mut square = [0; SIDE];
            square.iter_mut().zip(planes).for_each(|(word, plane)| *word = plane.words()[at]);
            turn_over(&mut square);
            hashes.iter_mut().zip(square).for_each(|(hash, answers)| *hash = mix(*hash, answers));
        }
    }
    for codes in others {
        hashes.iter_mut().zip(codes.iter()).for_each(|(hash, code)| *hash = mix(*hash, u64::from(code)));
    }
    hashes
}

/// Mixes one more word into a hash. For each word this is a bijection of hashes whose upper half looks random.
fn mix(hash: u64, word: u64) -> u64 {
    // Multiplying carries bits up, shifting brings them down again; the factor is 2^64 divided by the golden ratio.
    let product = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ product >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Transposes the block: bit `c` of word `r` becomes bit `r` of word `c`. Off-diagonal quarters are swapped, then
/// those within each quarter, and so on [Hacker's Delight, 7-3].
fn turn_over(square: &mut [u64; SIDE]) {
    swap_off_diagonal::<32>(square, 0x0000_0000_FFFF_FFFF);
    swap_off_diagonal::<16>(square, 0x0000_FFFF_0000_FFFF);
    swap_off_diagonal::<8>(square, 0x00FF_00FF_00FF_00FF);
    swap_off_diagonal::<4>(square, 0x0F0F_0F0F_0F0F_0F0F);
    swap_off_diagonal::<2>(square, 0x3333_3333_3333_3333);
    swap_off_diagonal::<1>(square, 0x5555_5555_5555_5555);
}

#[inline]
fn swap_off_diagonal<const HALF: usize>(square: &mut [u64; SIDE], low: u64) {
    for rows in square.chunks_exact_mut(2 * HALF) {
        let (upper, lower) = rows.split_at_mut(HALF);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let differ = (*upper >> HALF ^ *lower) & low;
            *upper ^= differ << HALF;
            *lower ^= differ;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Labels;

    fn test(answers: impl Iterator<Item = u32>) -> Test {
        let (name, codes) = (String::new(), answers.collect());
        Test { name, answers: Labels::default(), codes, ..Test::default() }
    }

    #[test]
    fn rows_become_columns() {
        let mut square: [u64; SIDE] = std::array::from_fn(|row| mix(row as u64, 7));
        let before = square;
        turn_over(&mut square);
        for (row, column) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
            assert_eq!(square[column] >> row & 1, before[row] >> column & 1);
        }
    }

    #[test]
    fn equal_rows_have_equal_hashes_and_others_do_not() {
        // Row and row + 100 are equal; the last test, of many answers, tells the others apart.
        let tests: Vec<Test> = (0..130)
            .map(|number| test((0..200).map(move |row| row % 100 * (number + 7) / 5 % 2)))
            .chain([test((0..200).map(|row| row % 100))])
            .collect();
        let hashes = hashes(&tests, 200);
        assert_eq!(hashes[..100], hashes[100..]);
        let different: std::collections::BTreeSet<u64> = hashes.into_iter().map(|hash| hash >> 32).collect();
        assert_eq!(different.len(), 100);
    }

    #[test]
    fn one_answer_among_many_tests_makes_another_hash() {
        let tests: Vec<Test> =
            (0..150).map(|number| test((0..151).map(move |row| u32::from(row == number)))).collect();
        let different: std::collections::BTreeSet<u64> = hashes(&tests, 151).into_iter().collect();
        assert_eq!(different.len(), 151);
    }
}
