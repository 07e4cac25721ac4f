//! Nested majority path: the cost of the objects that leave the path together, if objects are alike and tests have
//! two answers.
//!
//! The objects that leave at test `t` are some of `σ_t`. They have a subtree, and it has a path on which every
//! question gets the majority answer of `σ_t`. After `K` questions, at most the objects that the `K` most even splits
//! of `σ_t` remove have left that path, so `n` objects from `σ_t` cost at least `G_t(n)`, the sum of depths for these
//! limits. The test is not known, so `G(n)` is the least of them over all tests with `n` leaving; and never less than
//! the least sum of depths of `n` leaves. The increments of its lower convex hull never fall.

use super::depths::{Growth, alike, free};

/// Number of sizes without a gain after which smaller ones are not tried.
const MAX_MISSES: u32 = 3;

/// Increments of the cost of objects that leave together; `leaving` holds for each test the objects that leave there,
/// one bit each.
pub(crate) fn growth(leaving: &[Vec<u64>]) -> Vec<f64> {
    let size = |set: &[u64]| set.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    let mut tests: Vec<(u64, &[u64])> = leaving.iter().map(|set| (size(set), set.as_slice())).collect();
    tests.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let most = tests.first().map_or(0, |(size, _)| *size);
    let mut least: Vec<f64> = (0..=most).map(|count| (0..count).map(free).sum()).collect();
    let limits = |at: usize| -> Vec<u64> {
        let (all, set) = tests[at];
        let others = tests.iter().enumerate().filter(|(other, _)| *other != at);
        let mut gains: Vec<u64> = others
            .map(|(_, (_, other))| {
                set.iter().zip(*other).map(|(one, two)| u64::from((one & two).count_ones()))
            })
            .map(|words| words.sum::<u64>())
            .map(|both| both.min(all - both))
            .filter(|gain| *gain > 0)
            .collect();
        gains.sort_by_key(|gain| std::cmp::Reverse(*gain));
        gains
            .iter()
            .scan(0, |sum, gain| {
                (*sum < all).then(|| {
                    *sum += gain;
                    *sum
                })
            })
            .collect()
    };
    let mut proved: Vec<Vec<u64>> = Vec::new();
    let mut nothing_new = 0;
    for count in (2..=most).rev() {
        while proved.len() < tests.len() && tests[proved.len()].0 >= count {
            proved.push(limits(proved.len()));
        }
        let costs = proved.iter().map(|departed| alike(departed, count, &Growth::Free));
        let cost = costs.fold(f64::INFINITY, f64::min);
        nothing_new += u32::from(cost <= least[count as usize]);
        least[count as usize] = cost;
        if nothing_new == MAX_MISSES {
            break;
        }
    }
    steps_of_hull(&least)
}

/// Increments of the greatest function below `values` whose increments never fall.
fn steps_of_hull(values: &[f64]) -> Vec<f64> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at + 1 < values.len() {
        // The flattest continuation, and of equal ones the longest.
        let slope = |to: usize| (values[to] - values[at]) / (to - at) as f64;
        let Some(to) =
            (at + 1..values.len()).rev().min_by(|left, right| slope(*left).total_cmp(&slope(*right)))
        else {
            break;
        };
        steps.extend((at..to).map(|_| slope(to)));
        at = to;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_steps_that_never_fall() {
        assert_eq!(steps_of_hull(&[0.0, 0.0, 2.0, 5.0, 8.0]), [0.0, 2.0, 3.0, 3.0]);
        // The increase by 5 is shared with the values after it.
        assert_eq!(steps_of_hull(&[0.0, 0.0, 5.0, 6.0, 9.0]), [0.0, 3.0, 3.0, 3.0]);
        assert_eq!(steps_of_hull(&[0.0]), [0.0; 0]);
    }

    #[test]
    fn what_leaves_alone_or_splits_in_halves_is_free() {
        // Two objects leave at each of two tests, and each test separates those of the other.
        assert_eq!(growth(&[vec![0b0011], vec![0b0101]]), [0.0, 2.0]);
        // Five objects leave at the first test, and the others separate one of them at a time: depths 1, 2, 3, 4 and
        // 4 sum to 14, while five leaves have at least 12; four of them have 9 instead of 8.
        let one_each = [vec![0b1_1111], vec![0b1], vec![0b10], vec![0b100], vec![0b1000], vec![0b1_0000]];
        assert_eq!(growth(&one_each).iter().sum::<f64>(), 14.0);
        assert_eq!(growth(&one_each)[..4].iter().sum::<f64>(), 9.0);
    }
    #[test]
    fn what_a_test_leaves_behind_separates_as_well() {
        // Within the five objects of the first test, each of the others leaves one behind, so that they separate one at
        // a time: depths 1, 2, 3, 4 and 4. Of the four objects of another test it is the same: 1, 2, 3 and 3.
        let all_but_one = [vec![0b1_1111], vec![0b0_1111], vec![0b1_0111], vec![0b1_1011], vec![0b1_1101]];
        assert_eq!(growth(&all_but_one).iter().sum::<f64>(), 14.0);
        assert_eq!(growth(&all_but_one)[..4].iter().sum::<f64>(), 9.0);
    }
}
