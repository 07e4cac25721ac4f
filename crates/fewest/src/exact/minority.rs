//! Minority parts of a set: the objects that leave the majority path, and how many can have left after k questions.

use super::grid::{Grid, MAX_PRICES, Prices, ones, size};
use super::state::State;
use crate::bound::majority_path::growth::Growth;
use crate::bound::majority_path::prices::PRICE_ONE;

/// Part of a set outside the majority answer, for each test.
#[derive(Default)]
pub(super) struct MinorityParts {
    /// Size of that part, and the majority answer.
    parts: Vec<(f64, u32)>,
    sizes: Vec<f64>,
    /// Sums of the prices of each part.
    sums: Vec<Prices>,
    departed: Vec<f64>,
}

impl MinorityParts {
    /// Clears the parts for another set.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }

    /// Adds a test: the sizes of its parts of a set of size `total`, and the start of each. Of parts that are equal
    /// up to rounding, the one with the first object is the majority, so that the choice does not depend on the order
    /// of summation.
    pub(super) fn add<'p>(
        &mut self,
        sizes: impl Iterator<Item = f64> + Clone,
        total: f64,
        part: impl Fn(usize) -> &'p [u64],
    ) {
        let most = sizes.clone().fold(0.0, f64::max) * (1.0 - 1e-9);
        let mut largest = (0..).zip(sizes).filter(|(_, size)| *size >= most);
        let mut usual = largest.next().unwrap_or((0, 0.0));
        for next in largest {
            if ones(part(next.0)).next() < ones(part(usual.0)).next() {
                usual = next;
            }
        }
        self.parts.push((total - usual.1, usual.0 as u32));
    }

    /// Most of a set of size `total` that can have left after one question, two and so on: the sums of the largest
    /// parts.
    pub(super) fn departed(&mut self, state: &State<'_>, total: f64) -> &[f64] {
        self.sizes.clear();
        self.sizes.extend(self.parts.iter().map(|part| part.0));
        self.sizes.sort_unstable_by(|left, right| right.total_cmp(left));
        self.departed.clear();
        let rounding = if state.grid.whole { 0.0 } else { rounding(state, total) };
        let sums = self.sizes.iter().scan(0.0, |sum, size| {
            *sum += size;
            Some(f64::min(*sum + rounding, total))
        });
        self.departed.extend(sums);
        &self.departed
    }

    /// Computes the limits of [`departed`](Self::departed) by prices as well; `splits` are the parts that each test
    /// makes.
    pub(super) fn departed_by_prices<'p>(
        &mut self,
        state: &State<'_>,
        total: f64,
        splits: impl Iterator<Item = impl Iterator<Item = &'p [u64]>>,
    ) -> &[f64] {
        let grid = state.grid;
        self.sums.clear();
        for (split, (_, usual)) in splits.zip(&self.parts) {
            let others = (0..).zip(split).filter(|(at, _)| at != usual);
            self.sums.push(others.fold([0.0; MAX_PRICES], |sum, (_, part)| sum_prices(grid, part, sum)));
        }
        let (whole, rounding) = (f64::from(PRICE_ONE), rounding(state, total));
        let worth = sum_prices(grid, state.set, [0.0; MAX_PRICES]);
        for lane in 0..grid.lanes {
            self.sizes.clear();
            self.sizes.extend(self.sums.iter().map(|sums| sums[lane]));
            self.sizes.sort_unstable_by(|left, right| right.total_cmp(left));
            // An object priced below 1 counts, by the missing part, as gone from the start.
            let mut sum = total * whole - worth[lane];
            for (departed, more) in self.departed.iter_mut().zip(&self.sizes) {
                sum += more;
                let limit = sum / whole + rounding;
                *departed = departed.min(if grid.whole { limit.floor() } else { limit });
                if limit >= total {
                    break;
                }
            }
        }
        &self.departed
    }

    /// Limits found already.
    pub(super) fn found(&self) -> &[f64] {
        &self.departed
    }

    /// Cost of the objects that leave together, if tests have two answers and objects count alike.
    #[inline(always)]
    pub(super) fn growth<'p>(
        &mut self,
        splits: impl Iterator<Item = impl Iterator<Item = &'p [u64]>>,
    ) -> Growth {
        let leaving = splits.zip(&self.parts).filter_map(|(split, (_, usual))| {
            (0..).zip(split).find(|(at, _)| at != usual).map(|(_, part)| (part, size(part)))
        });
        let mut leaving: Vec<(&[u64], u32)> = leaving.collect();
        leaving.sort_unstable_by_key(|(_, size)| std::cmp::Reverse(*size));
        let sizes: Vec<u64> = leaving.iter().map(|(_, size)| u64::from(*size)).collect();
        Growth::limited(&sizes, |at| {
            let (part, size) = leaving[at];
            // Number of tests by gain.
            let mut tests = vec![0u32; size as usize / 2 + 1];
            for (_, (other, _)) in leaving.iter().enumerate().filter(|(other, _)| *other != at) {
                let both: u32 =
                    part.iter().zip(*other).map(|(left, right)| (left & right).count_ones()).sum();
                tests[both.min(size - both) as usize] += 1;
            }
            let gains = tests.iter().enumerate().skip(1).rev();
            let gains = gains.flat_map(|(gain, tests)| (0..*tests).map(move |_| gain as u64));
            let sums = gains.scan(0, |sum, gain| {
                (*sum < u64::from(size)).then(|| {
                    *sum += gain;
                    *sum
                })
            });
            sums.collect()
        })
    }
}

/// Bound on the rounding error of sums of sizes.
fn rounding(state: &State<'_>, total: f64) -> f64 {
    f64::from(state.summary.count) * 16.0 * f64::EPSILON * total
}

/// Adds the prices of the members of a set.
fn sum_prices(grid: &Grid, set: &[u64], mut sum: Prices) -> Prices {
    for object in ones(set) {
        sum.iter_mut().zip(&grid.prices[object]).for_each(|(sum, price)| *sum += price);
    }
    sum
}
