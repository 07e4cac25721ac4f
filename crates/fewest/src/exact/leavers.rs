//! Who leaves the path of most common answers of a set, and how many can have left after so many questions.

use super::grid::{Grid, LANES, Lanes, ones};
use super::options::State;
use crate::bound::peel::prices::WHOLE;

/// For each test the part of a set outside its most common answer.
#[derive(Default)]
pub(super) struct Leavers {
    /// Whether prices are looked at, too.
    priced: bool,
    sizes: Vec<f64>,
    /// What the prices of each part come to.
    sums: Vec<Lanes>,
    lane: Vec<f64>,
    off: Vec<f64>,
}

impl Leavers {
    /// For another set.
    pub(super) fn clear(&mut self, priced: bool) {
        self.priced = priced;
        self.sizes.clear();
        self.sums.clear();
    }

    /// Adds a test: the size of what leaves there, and the parts that it is in.
    pub(super) fn add<'p>(&mut self, grid: &Grid, size: f64, parts: impl Iterator<Item = &'p [u64]>) {
        self.sizes.push(size);
        if self.priced {
            self.sums.push(parts.fold([0.0; LANES], |sum, part| sum_prices(grid, part, sum)));
        }
    }

    /// What of the set at hand, of size `total`, can have left after one question, two and so on.
    pub(super) fn off(&mut self, state: &State<'_>, total: f64) -> &[f64] {
        let grid = state.grid;
        self.sizes.sort_unstable_by(|left, right| right.total_cmp(left));
        self.off.clear();
        let sums = self.sizes.iter().scan(0.0, |sum, size| {
            *sum += size;
            Some(f64::min(*sum, total))
        });
        self.off.extend(sums);
        if !self.priced {
            return &self.off;
        }
        let whole = f64::from(WHOLE);
        let worth = sum_prices(grid, state.set, [0.0; LANES]);
        for lane in 0..grid.lanes {
            self.lane.clear();
            self.lane.extend(self.sums.iter().map(|sums| sums[lane]));
            self.lane.sort_unstable_by(|left, right| right.total_cmp(left));
            // Whoever has a low price may have left before anything is asked.
            let mut sum = total * whole - worth[lane];
            for (off, more) in self.off.iter_mut().zip(&self.lane) {
                sum += more;
                let limit = sum / whole + 1e-9 * total;
                *off = off.min(if grid.whole { limit.floor() } else { limit });
                if limit >= total {
                    break;
                }
            }
        }
        &self.off
    }
}

/// Adds the prices of the members of a set.
fn sum_prices(grid: &Grid, set: &[u64], mut sum: Lanes) -> Lanes {
    for object in ones(set) {
        sum.iter_mut().zip(&grid.prices[object]).for_each(|(sum, price)| *sum += price);
    }
    sum
}
