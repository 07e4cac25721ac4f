//! Codes for a distribution: Shannon's and Fano's lengths, Kraft's sum, canonical words.

use fewest_model::{Scaled, compensated_sum};

/// Shannon's word lengths `⌈−log_r p⌉` for the shares of `weights` in their sum, with `radix` letters; `None` for a
/// symbol of weight 0, which needs no word. \[Shannon1948\]
///
/// ```
/// use fewest::measure::shannon_lengths;
/// assert_eq!(shannon_lengths(&[0.45, 0.25, 0.2, 0.1], 2), [Some(2), Some(2), Some(3), Some(4)]);
/// ```
///
/// The lengths always satisfy Kraft's inequality, so there are words for them.
pub fn shannon_lengths(weights: &[f64], radix: usize) -> Vec<Option<u32>> {
    let scaled = Scaled::new(weights.to_vec());
    if scaled.is_exact() {
        return whole_lengths(scaled.units(), radix as u128);
    }
    let lengths = near_lengths(scaled.units(), radix as f64);
    // Rounding may overestimate shares; then all of them are lowered.
    if canonical_words(&lengths, radix).is_some() {
        return lengths;
    }
    let total = compensated_sum(scaled.units().iter().copied());
    let length = |share: f64| (1e-9 - share.ln() / (radix as f64).ln()).ceil() as u32;
    let shares = scaled.units().iter().map(|weight| weight / total);
    shares.map(|share| (share > 0.0).then(|| length(share))).collect()
}

/// Shannon's lengths of whole weights below 2^53, without rounding: the least `l` with `total ≤ weight · r^l`.
fn whole_lengths(units: &[f64], radix: u128) -> Vec<Option<u32>> {
    let total: u128 = units.iter().map(|unit| *unit as u128).sum();
    let length = |unit: &f64| {
        // At most r times the total, which is far below 2^128.
        let (mut reached, mut length) = (*unit as u128, 0);
        while reached > 0 && reached < total {
            reached *= radix;
            length += 1;
        }
        (reached > 0).then_some(length)
    };
    units.iter().map(length).collect()
}

/// Shannon's lengths by shares with rounding errors in their last digits.
fn near_lengths(weights: &[f64], radix: f64) -> Vec<Option<u32>> {
    let total = compensated_sum(weights.iter().copied());
    let length = |weight: &f64| {
        let share = weight / total;
        if share <= 0.0 {
            return None;
        }
        // A logarithm may miss a whole number by a digit, so r^−l ≤ p is tested on the share itself.
        let fits = |length: u32| share * radix.powi(length as i32) >= 1.0 - 1e-12;
        let near = (-share.ln() / radix.ln()).round().clamp(0.0, 1100.0) as u32;
        (near.saturating_sub(1)..near + 3).find(|length| fits(*length)).or(Some(near + 1))
    };
    weights.iter().map(length).collect()
}

/// Fano's word lengths with two letters: the weights in falling order are cut where the two sums differ least, and so
/// are both parts. \[Fano1949\]
///
/// ```
/// assert_eq!(fewest::measure::fano_lengths(&[0.45, 0.25, 0.2, 0.1]), [1, 2, 3, 3]);
/// ```
pub fn fano_lengths(weights: &[f64]) -> Vec<u32> {
    // As whole numbers over one scale, sums that are equal on paper are equal.
    let scaled = Scaled::new(weights.to_vec());
    let (weights, slack) = (scaled.units(), if scaled.is_exact() { 0.0 } else { 1e-12 });
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|left, right| weights[*right].total_cmp(&weights[*left]).then(left.cmp(right)));
    let mut lengths = vec![0; weights.len()];
    let mut waiting = vec![(0, order.len())];
    while let Some((start, end)) = waiting.pop() {
        if end - start < 2 {
            continue;
        }
        order[start..end].iter().for_each(|at| lengths[*at] += 1);
        let total: f64 = order[start..end].iter().map(|at| weights[*at]).sum();
        let (mut first, mut best, mut least) = (0.0, start + 1, f64::INFINITY);
        for cut in start + 1..end {
            first += weights[order[cut - 1]];
            let difference = (total - 2.0 * first).abs();
            // Without a common scale they may differ in the last digit.
            if difference < least - slack * total {
                (best, least) = (cut, difference);
            }
        }
        waiting.push((best, end));
        waiting.push((start, best));
    }
    lengths
}

/// Kraft's sum `Σ r^−l`: at most 1 for every uniquely decodable code. [CoverThomas2006, Theorem 5.2.1]
pub fn kraft_sum(lengths: impl IntoIterator<Item = u32>, radix: usize) -> f64 {
    compensated_sum(lengths.into_iter().map(|length| (radix as f64).powi(-(length as i32))))
}

/// Canonical words of these lengths, as digits: by length and then by index, each the next number after the one
/// before, with zeros added on the right. An entry is `None` if it has no word.
///
/// ```
/// use fewest::measure::canonical_words;
/// let words = canonical_words(&[Some(2), Some(2), Some(3), Some(4)], 2).unwrap();
/// assert_eq!(words[3], Some(vec![1, 0, 1, 0]));
/// ```
///
/// Returns `None` if Kraft's sum is above 1, so that there is no such code.
pub fn canonical_words(lengths: &[Option<u32>], radix: usize) -> Option<Vec<Option<Vec<u8>>>> {
    let mut order: Vec<usize> = (0..lengths.len()).filter(|at| lengths[*at].is_some()).collect();
    order.sort_by_key(|at| (lengths[*at], *at));
    let mut words = vec![None; lengths.len()];
    let mut next: Option<Vec<u8>> = Some(Vec::new());
    for at in order {
        let mut word = next?;
        word.resize(lengths[at]? as usize, 0);
        next = successor(&word, radix);
        words[at] = Some(word);
    }
    Some(words)
}

/// Number after `digits`, of the same length; `None` after the last.
fn successor(digits: &[u8], radix: usize) -> Option<Vec<u8>> {
    let mut next = digits.to_vec();
    for digit in next.iter_mut().rev() {
        if usize::from(*digit) + 1 < radix {
            *digit += 1;
            return Some(next);
        }
        *digit = 0;
    }
    None
}

/// Number of letters of `radix` that suffice for a message whose probability is the product of `shares`, if its
/// length is known: `⌈−Σ log_r p⌉`; one more makes the word prefix free by itself. [CoverThomas2006, section 13.3]
pub fn arithmetic_digits(shares: impl Iterator<Item = f64>, radix: usize) -> u64 {
    let letters = compensated_sum(shares.map(|share| -share.ln())) / (radix as f64).ln();
    // Rounding must not add a letter.
    (letters * (1.0 - 1e-12)).ceil().max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{entropy_bits, huffman_lengths, mean_length};
    use proptest::prelude::*;

    const CODE: [f64; 4] = [0.45, 0.25, 0.2, 0.1];

    #[test]
    fn issue_21_item_22_fano_cuts_where_the_sums_differ_least() {
        // Cut after the first: 10^14 + 1 apart; after the second: 10^14 - 1.
        assert_eq!(fano_lengths(&[1e14, 1e14, 1e14, 1.0]), [2, 2, 2, 2]);
        // On paper both cuts leave 0.3 on one side, so the first is taken, however 0.1 + 0.2 is rounded.
        assert_eq!(fano_lengths(&[0.3, 0.3, 0.2, 0.1]), fano_lengths(&[3.0, 3.0, 2.0, 1.0]));
    }

    fn texts(lengths: &[u32], radix: usize) -> Vec<String> {
        let lengths: Vec<Option<u32>> = lengths.iter().map(|length| Some(*length)).collect();
        let words = canonical_words(&lengths, radix).unwrap();
        words.into_iter().map(|word| word.unwrap().iter().map(u8::to_string).collect()).collect()
    }

    #[test]
    fn the_specification_s_code() {
        // specification section 14, codes.
        assert_eq!(texts(&huffman_lengths(&CODE, 2), 2), ["0", "10", "110", "111"]);
        let shannon: Vec<u32> = shannon_lengths(&CODE, 2).into_iter().flatten().collect();
        assert_eq!(shannon, [2, 2, 3, 4]);
        assert!((mean_length(&CODE, &shannon, 1.0) - 2.4).abs() < 1e-12);
        assert_eq!(kraft_sum(shannon.iter().copied(), 2), 0.6875);
        assert_eq!(texts(&shannon, 2), ["00", "01", "100", "1010"]);
        assert_eq!(fano_lengths(&CODE), [1, 2, 3, 3]);
        assert!((kraft_sum(huffman_lengths(&CODE, 3), 3) - 8.0 / 9.0).abs() < 1e-15);
        let message = || [0, 1, 2, 3, 0].into_iter().map(|symbol: usize| CODE[symbol]);
        assert_eq!((arithmetic_digits(message(), 2), arithmetic_digits(message(), 10)), (10, 3));
    }

    #[test]
    fn powers_of_the_radix_have_their_own_length() {
        assert_eq!(shannon_lengths(&[0.5, 0.25, 0.125, 0.125], 2), [Some(1), Some(2), Some(3), Some(3)]);
        assert_eq!(shannon_lengths(&[0.1, 0.001, 0.899], 10), [Some(1), Some(3), Some(1)]);
        assert_eq!(shannon_lengths(&[1.0, 0.0], 2), [Some(0), None]);
        assert_eq!(fano_lengths(&[1.0]), [0]);
        assert_eq!(canonical_words(&[Some(1), Some(1), Some(1)], 2), None);
    }

    #[test]
    fn shares_just_below_a_power_of_the_radix_have_one_letter_more() {
        // Shares of 1/2 − 4e-13 are too close to 1/2 for rounding, but two words of one letter leave none for the third.
        let pi = std::f64::consts::PI;
        let weights = [pi * (0.5 - 4e-13), pi * (0.5 - 4e-13), pi * 8e-13, 0.0];
        let lengths = shannon_lengths(&weights, 2);
        // 2^-41 < 8e-13 < 2^-40.
        assert_eq!(lengths, [Some(2), Some(2), Some(41), None]);
        assert!(canonical_words(&lengths, 2).is_some());
        let thirds = [pi * (1.0 - 8e-13), pi * (1.0 - 8e-13), pi * (1.0 - 8e-13), pi * 24e-13];
        // 3^-26 < 8e-13 < 3^-25.
        assert_eq!(shannon_lengths(&thirds, 3), [Some(2), Some(2), Some(2), Some(26)]);
    }

    proptest! {
        #[test]
        fn codes_keep_their_promises(weights in prop::collection::vec(1..1000u32, 1..20), radix in 2..5usize) {
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let total: f64 = weights.iter().sum();
            let letters = entropy_bits(weights.iter().copied(), total) / (radix as f64).log2();
            let shannon: Vec<u32> = shannon_lengths(&weights, radix).into_iter().flatten().collect();
            let mean = mean_length(&weights, &shannon, total);
            prop_assert!(letters <= mean + 1e-9 && mean < letters + 1.0);
            for (weight, length) in weights.iter().zip(&shannon) {
                let fits = |length: u32| (radix as f64).powi(-(length as i32)) <= weight / total * (1.0 + 1e-12);
                prop_assert!(fits(*length) && (*length == 0 || !fits(length - 1)));
            }
            let huffman = huffman_lengths(&weights, radix);
            for (lengths, radix) in [(&shannon, radix), (&huffman, radix), (&fano_lengths(&weights), 2)] {
                prop_assert!(kraft_sum(lengths.iter().copied(), radix) <= 1.0 + 1e-12);
                let words = texts(lengths, radix);
                for (at, word) in words.iter().enumerate() {
                    let clear = words.iter().enumerate().all(|(other, text)| other == at || !text.starts_with(word.as_str()));
                    prop_assert!(clear, "{words:?}");
                }
            }
            prop_assert!(mean_length(&weights, &huffman, total) <= mean + 1e-9);
        }
    }
}
