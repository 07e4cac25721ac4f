//! Huffman's code and its exponential form: the best trees if every split may be asked.
//!
//! A strategy that names a group at each leaf assigns every group a word over the answers, so no strategy beats the
//! best code for the groups' weights, and the best code is at least the entropy. [Huffman1952], [Campbell1965]; the
//! exponential form after [Parker1980].

use fewest_model::Lambda;

/// Word lengths of an optimal code with `radix` letters, in order of `weights`.
///
/// Zero weights are coded like others: a strategy must name those groups as well. One weight has length 0.
///
/// ```
/// assert_eq!(fewest::measure::huffman_lengths(&[0.45, 0.25, 0.2, 0.1], 2), [1, 2, 3, 3]);
/// ```
pub fn huffman_lengths(weights: &[f64], radix: usize) -> Vec<u32> {
    merge(weights, radix, |lightest| lightest.iter().sum())
}

/// Word lengths that minimise `Σ p λ^(cost × length)`, and with it the exponential cost, for finite λ and letters of
/// equal `cost`.
///
/// As in Huffman's algorithm, but a merged node weighs `λ^cost` times its sum: one letter more for all below. Weights
/// are kept as logarithms, so that no λ and no cost overflows. The exchange argument is Huffman's own: λ^length rises
/// with length, so some optimal tree has the lightest words at its deepest node, and merging them there leaves a
/// smaller problem of the same kind.
pub fn exponential_huffman_lengths(weights: &[f64], radix: usize, lambda: Lambda, cost: f64) -> Vec<u32> {
    let logarithms: Vec<f64> = weights.iter().map(|weight| weight.ln()).collect();
    merge(&logarithms, radix, |lightest| {
        let heaviest = lightest[lightest.len() - 1];
        if heaviest == f64::NEG_INFINITY {
            return heaviest;
        }
        let sum: f64 = lightest.iter().map(|weight| (weight - heaviest).exp()).sum();
        lambda.ln() * cost + heaviest + sum.ln()
    })
}

/// Mean word length `Σ weight × length / total`.
pub fn mean_length(weights: &[f64], lengths: &[u32], total: f64) -> f64 {
    let products = weights.iter().zip(lengths).map(|(weight, length)| weight * f64::from(*length));
    fewest_model::compensated_sum(products) / total
}

/// Least `d` with `radix^d ≥ words`: no code with fewer letters at worst has that many words.
pub fn least_depth(words: usize, radix: usize) -> u32 {
    let (mut depth, mut reach) = (0, 1usize);
    while reach < words {
        reach = reach.saturating_mul(radix);
        depth += 1;
    }
    depth
}

/// Merges the `radix` lightest until one is left, and returns the depth of each weight.
///
/// Merged weights come in rising order (each is at least as heavy as all before it), so two queues replace a heap.
fn merge(weights: &[f64], radix: usize, combine: impl Fn(&[f64]) -> f64) -> Vec<u32> {
    assert!(radix >= 2, "a code needs two letters");
    let count = weights.len();
    if count <= 1 {
        return vec![0; count];
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|left, right| weights[*left].total_cmp(&weights[*right]));
    // The first merge takes so few nodes that all later merges are full: fewer letters are as good as empty words.
    let mut take = match (count - 1) % (radix - 1) {
        0 => radix,
        left_over => left_over + 1,
    };
    let merges = (count - 1).div_ceil(radix - 1);
    let mut merged: Vec<f64> = Vec::with_capacity(merges);
    let mut parent = vec![0usize; count + merges];
    let (mut next_word, mut next_merged) = (0, 0);
    let mut lightest = Vec::with_capacity(radix);
    for step in 0..merges {
        lightest.clear();
        for _ in 0..take {
            let word = order.get(next_word).map(|&at| weights[at]);
            let (node, weight) = match (word, merged.get(next_merged)) {
                (Some(word), Some(&other)) if other < word => (count + next_merged, other),
                (Some(word), _) => (order[next_word], word),
                (None, Some(&other)) => (count + next_merged, other),
                (None, None) => unreachable!("a merge leaves at least one"),
            };
            if node < count {
                next_word += 1
            } else {
                next_merged += 1
            }
            parent[node] = count + step;
            lightest.push(weight);
        }
        merged.push(combine(&lightest));
        take = radix;
    }
    let root = count + merges - 1;
    let mut depth = vec![0u32; count + merges];
    for node in (0..root).rev() {
        // Merged nodes come after their members, and words are visited last.
        depth[node] = depth[parent[node]] + 1;
    }
    depth.truncate(count);
    depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_model::log_mean_exp;
    use proptest::prelude::*;

    const CODE: [f64; 4] = [0.45, 0.25, 0.2, 0.1];

    #[test]
    fn lengths_of_the_worked_example() {
        assert_eq!(huffman_lengths(&CODE, 2), [1, 2, 3, 3]);
        assert!((mean_length(&CODE, &huffman_lengths(&CODE, 2), 1.0) - 1.85).abs() < 1e-15);
        assert!((mean_length(&CODE, &huffman_lengths(&CODE, 3), 1.0) - 1.3).abs() < 1e-15);
        for lambda in [2.0, 10.0, 1e6] {
            assert_eq!(exponential_huffman_lengths(&CODE, 2, Lambda::new(lambda).unwrap(), 1.0), [2; 4]);
        }
    }

    #[test]
    fn a_group_of_no_weight_still_needs_a_word() {
        assert_eq!(huffman_lengths(&[1.0, 0.0], 2), [1, 1]);
        assert_eq!(exponential_huffman_lengths(&[1.0, 0.0, 0.0], 2, Lambda::TWO, 1.0), [1, 2, 2]);
        assert_eq!(huffman_lengths(&[1.0], 2), [0]);
    }

    #[test]
    fn depth_of_the_flattest_code() {
        assert_eq!([1, 2, 3, 4, 5, 9, 10].map(|words| least_depth(words, 3)), [0, 1, 1, 2, 2, 2, 3]);
        assert_eq!(least_depth(usize::MAX, 2), usize::BITS);
    }

    /// Least value of `cost` over all vectors of word lengths that Kraft's inequality allows.
    fn best_by_trying_all(words: usize, radix: usize, cost: &dyn Fn(&[u32]) -> f64) -> f64 {
        fn go(
            lengths: &mut Vec<u32>,
            room: u64,
            left: usize,
            radix: u64,
            cost: &dyn Fn(&[u32]) -> f64,
        ) -> f64 {
            const DEEPEST: u32 = 6;
            if left == 0 {
                return cost(lengths);
            }
            let mut best = f64::INFINITY;
            for length in 0..=DEEPEST {
                let takes = radix.pow(DEEPEST - length);
                if takes <= room {
                    lengths.push(length);
                    best = best.min(go(lengths, room - takes, left - 1, radix, cost));
                    lengths.pop();
                }
            }
            best
        }
        go(&mut Vec::new(), (radix as u64).pow(6), words, radix as u64, cost)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn no_code_is_shorter(weights in prop::collection::vec(0u32..9, 1..6), radix in 2usize..5, log_lambda in 0.01f64..4.0) {
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let total: f64 = weights.iter().sum();
            prop_assume!(total > 0.0);
            let lambda = Lambda::new(log_lambda.exp()).unwrap();
            let mean = |lengths: &[u32]| mean_length(&weights, lengths, total);
            let exponential = |lengths: &[u32]| {
                let pairs = weights.iter().zip(lengths).map(|(weight, length)| (weight / total, f64::from(*length)));
                log_mean_exp(lambda, pairs)
            };
            let best = best_by_trying_all(weights.len(), radix, &mean);
            prop_assert!((mean(&huffman_lengths(&weights, radix)) - best).abs() < 1e-12);
            let best = best_by_trying_all(weights.len(), radix, &exponential);
            let lengths = exponential_huffman_lengths(&weights, radix, lambda, 1.0);
            prop_assert!((exponential(&lengths) - best).abs() < 1e-12, "{lengths:?}");
        }
    }
}
