//! Nested majority path: the cost of the objects that leave the path together, if objects are alike and tests have
//! two answers.
//!
//! The objects that leave at test `t` are in `σ_t`, those without its majority answer. The subtree of the objects
//! that leave there together has a majority path as well, now with the majority answers of `σ_t`, and objects leave
//! it no faster than by the tests that split `σ_t` best. So the sum of depths of `n` of them is at least
//! [`by_depths`] with the limits of `σ_t`, and for an unknown test at least the smallest of these.

use super::growth::Growth;
use super::path::{by_depths, least_depths};

/// Number of sizes without a gain after which smaller ones are not tried.
const MAX_MISSES: usize = 3;

impl Growth {
    /// Computes the growth from limits. `sizes` is the number of objects that leave at each test, the largest first;
    /// `departed(i)` returns how many of those of test `i` can have left again after one question, two and so on.
    pub(crate) fn limited(sizes: &[u64], mut departed: impl FnMut(usize) -> Vec<u64>) -> Self {
        let free = Self::default();
        let most = sizes.first().copied().unwrap_or(0);
        let mut sums: Vec<u64> = (0..=most).map(least_depths).collect();
        let mut limits: Vec<Vec<u64>> = Vec::new();
        let mut misses = 0;
        for count in (2..=most).rev() {
            while sizes.get(limits.len()).is_some_and(|size| *size >= count) {
                limits.push(departed(limits.len()));
            }
            let least = sums[count as usize];
            let mut sum = u64::MAX;
            for departed in &limits {
                sum = sum.min(by_depths(departed, count, &free));
                if sum == least {
                    misses += 1;
                    break;
                }
            }
            sums[count as usize] = sum;
            if misses == MAX_MISSES {
                break;
            }
        }
        Self::of_sums(&sums)
    }

    /// Makes a growth whose sum is at most `sums[n]` for `n` objects: rising increments, as large as possible.
    fn of_sums(sums: &[u64]) -> Self {
        // Lower convex hull, and whole increments along each of its pieces, the lower ones first.
        let mut hull: Vec<(u64, u64)> = Vec::new();
        for next in (0..).zip(sums.iter().copied()) {
            while let [.., before, last] = hull[..] {
                let is_above =
                    (last.1 - before.1) * (next.0 - before.0) >= (next.1 - before.1) * (last.0 - before.0);
                if !is_above {
                    break;
                }
                hull.pop();
            }
            hull.push(next);
        }
        let mut places: Vec<u64> = Vec::new();
        for piece in hull.windows(2) {
            let (wide, high) = (piece[1].0 - piece[0].0, piece[1].1 - piece[0].1);
            let (step, higher) = (high / wide, high % wide);
            places.resize(places.len().max(step as usize + 2), 0);
            places[step as usize] += wide - higher;
            places[step as usize + 1] += higher;
        }
        for price in 1..places.len() {
            places[price] += places[price - 1];
        }
        Self { places }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// Sums of the increments of `growth`.
    fn sums(growth: &Growth, most: u64) -> Vec<u64> {
        let price = |place: u64| (0..).find(|price| growth.places(*price) > place).unwrap_or(0);
        (0..=most).map(|count| (0..count).map(price).sum()).collect()
    }

    /// Least sum of depths of every set of objects; `None` if the tests do not tell all apart.
    fn optima(objects: u32, tests: &[u32]) -> Vec<Option<u64>> {
        let mut best: Vec<Option<u64>> = vec![None; 1 << objects];
        for set in 0..1u32 << objects {
            let split = |test: &u32| {
                let (left, right) = (set & test, set & !test);
                let parts = (left != 0 && right != 0).then_some((left as usize, right as usize))?;
                Some(u64::from(set.count_ones()) + best[parts.0]? + best[parts.1]?)
            };
            let value = tests.iter().filter_map(split).min();
            best[set as usize] = if set.count_ones() < 2 { Some(0) } else { value };
        }
        best
    }

    #[test]
    fn no_set_of_those_who_leave_anywhere_costs_less() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut larger, mut equal) = (0, 0);
        for round in 0..300 {
            let objects = 6 + round % 6;
            // Two tests at which many objects leave, and sparse ones, which separate these slowly.
            let mut test = |share: u32| {
                let mut joins = || random.next_u32() % 10 < share;
                (0..objects).filter(|_| joins()).fold(0u32, |test, object| test | 1 << object)
            };
            let shares = [7, 7, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
            let mut tests: Vec<u32> = shares.into_iter().map(&mut test).filter(|test| *test != 0).collect();
            tests.sort_unstable();
            tests.dedup();
            tests.sort_unstable_by_key(|test| std::cmp::Reverse(test.count_ones()));
            let sizes: Vec<u64> = tests.iter().map(|test| u64::from(test.count_ones())).collect();
            let growth = Growth::limited(&sizes, |at| {
                let gain = |test: &u32| {
                    u64::from((tests[at] & test).count_ones().min((tests[at] & !test).count_ones()))
                };
                let mut gains: Vec<u64> = tests.iter().map(gain).filter(|gain| *gain > 0).collect();
                gains.sort_unstable_by_key(|gain| std::cmp::Reverse(*gain));
                gains
                    .iter()
                    .scan(0, |sum, gain| {
                        *sum += gain;
                        Some(*sum)
                    })
                    .collect()
            });
            let best = optima(objects, &tests);
            let sums = sums(&growth, sizes[0]);
            let mut least = vec![u64::MAX; sums.len()];
            for test in &tests {
                for set in (1..1u32 << objects).filter(|set| set & !test == 0) {
                    if let Some(value) = best[set as usize] {
                        let least = &mut least[set.count_ones() as usize];
                        *least = value.min(*least);
                    }
                }
            }
            for count in 1..sums.len() {
                assert!(sums[count] <= least[count], "{tests:?}: {count} cost {}", least[count]);
                larger += u32::from(sums[count] > least_depths(count as u64));
                equal += u32::from(sums[count] == least[count] && sums[count] > least_depths(count as u64));
            }
        }
        assert!(larger > 20 && equal > 5, "{larger} say something, {equal} say all");
    }

    #[test]
    fn steps_rise_and_stay_below() {
        // 0, 0, 5, 6, 9: the hull goes from 0 at 1 to 9 at 4.
        assert_eq!(sums(&Growth::of_sums(&[0, 0, 5, 6, 9]), 4), [0, 0, 3, 6, 9]);
        // A slope of two and a half is two and then three.
        assert_eq!(sums(&Growth::of_sums(&[0, 0, 9, 5]), 3), [0, 0, 2, 5]);
        assert_eq!(sums(&Growth::default(), 6), [0, 0, 2, 5, 8, 12, 16]);
    }
}
