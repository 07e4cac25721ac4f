//! The worst cost: `W(A) = min_t c_t + max_C W(C)`.

use super::{Aim, confirmed_depth, depth, is_two_or_three, tidy};
use crate::exact::grid::Reach;
use crate::exact::tally::{Path, Setting, Tally};

/// The worst cost.
pub(in crate::exact) struct Worst {
    /// Every tree's value is a multiple of it; 0 if costs are not whole.
    pub(in crate::exact) unit: f64,
}

impl Aim for Worst {
    fn spread(&self, _: f64) -> f64 {
        0.0
    }

    fn none(&self) -> f64 {
        0.0
    }

    fn join(&self, left: f64, right: f64) -> f64 {
        left.max(right)
    }

    fn ask(&self, cost: f64, _: f64, below: f64) -> f64 {
        cost + below
    }

    fn room(&self, limit: f64, cost: f64, _: f64, others: f64) -> f64 {
        if others < limit - cost { limit - cost } else { f64::NEG_INFINITY }
    }

    fn leaf(&self, _: f64) -> f64 {
        0.0
    }

    /// So many groups need so many leaves, and a unit of cost opens at most `2^rate` of them.
    fn floor(&self, set: &Tally, setting: &Setting) -> f64 {
        let Reach { rate, cheapest, radix, leads, even } = setting.reach;
        let groups = f64::from(set.groups);
        let questions = if setting.confirm { confirmed_depth(groups, leads) } else { depth(groups, radix) };
        let by_count = questions * cheapest;
        if even { by_count } else { by_count.max(tidy(groups.log2() / rate, self.unit)) }
    }

    fn is_plain_to_see(&self, set: &Tally, setting: &Setting) -> bool {
        is_two_or_three(set, setting)
    }

    /// What is left on the path of most common answers must be of one group at the end, or is told apart by so many more
    /// questions.
    fn peel(&self, set: &Tally, path: &Path<'_>, setting: &Setting) -> f64 {
        let Reach { cheapest, radix, even, .. } = setting.reach;
        let Path { off, top, .. } = *path;
        if !even {
            return 0.0;
        }
        let count = f64::from(set.count);
        let (mut left, mut asked, mut best) = (count, 0.0, 0.0f64);
        for off in off {
            if left <= top {
                break;
            }
            // Each group has at most `top` of what is left.
            best = best.max(asked + depth((left / top).ceil(), radix));
            asked += 1.0;
            left = count - off;
        }
        best.max(asked) * cheapest
    }

    fn is_mean(&self) -> bool {
        false
    }

    fn humble(&self, value: f64) -> f64 {
        super::humble(value, self.unit)
    }

    fn step(&self, value: f64) -> f64 {
        self.unit.max(value * 1e-9)
    }
}
