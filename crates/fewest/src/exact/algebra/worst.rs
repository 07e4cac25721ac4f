//! Worst cost: `W(A) = min_t c_t + max_C W(C)`.

use super::{CostAlgebra, confirmed_depth, depth, is_two_or_three, round_to_unit};
use crate::exact::reach::Reach;
use crate::exact::summary::{Path, SetSummary, Setting};

/// Algebra of the worst cost.
pub(in crate::exact) struct Worst {
    /// Common divisor of the values of all trees; 0 if costs are not whole.
    pub(in crate::exact) unit: f64,
}

impl CostAlgebra for Worst {
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

    fn child_limit(&self, limit: f64, cost: f64, _: f64, others: f64) -> f64 {
        if others < limit - cost { limit - cost } else { f64::NEG_INFINITY }
    }

    fn leaf(&self, _: f64) -> f64 {
        0.0
    }

    /// Bound by leaves: every group needs one, and a unit of cost opens at most `2^rate` leaves.
    fn floor(&self, set: &SetSummary, setting: &Setting) -> f64 {
        let Reach { rate, cheapest, radix, leads, even } = setting.reach;
        let groups = f64::from(set.groups);
        let questions = if setting.confirm { confirmed_depth(groups, leads) } else { depth(groups, radix) };
        let by_count = questions * cheapest;
        if even { by_count } else { by_count.max(round_to_unit(groups.log2() / rate, self.unit)) }
    }

    fn is_floor_exact(&self, set: &SetSummary, setting: &Setting) -> bool {
        is_two_or_three(set, setting)
    }

    /// Bound by the majority path: the objects left on it must be of one group at the end, or take further questions.
    fn majority_path(&self, set: &SetSummary, path: &Path<'_>, setting: &Setting) -> f64 {
        let Reach { cheapest, radix, even, .. } = setting.reach;
        let Path { departed, largest_group, .. } = *path;
        if !even {
            return 0.0;
        }
        let count = f64::from(set.count);
        let (mut left, mut asked, mut best) = (count, 0.0, 0.0f64);
        for departed in departed {
            if left <= largest_group {
                break;
            }
            // Each group has at most `largest_group` of the objects left.
            best = best.max(asked + depth((left / largest_group).ceil(), radix));
            asked += 1.0;
            left = count - departed;
        }
        best.max(asked) * cheapest
    }

    fn is_mean(&self) -> bool {
        false
    }

    fn safe_lower(&self, value: f64) -> f64 {
        super::safe_lower(value, self.unit)
    }

    fn step(&self, value: f64) -> f64 {
        self.unit.max(value * 1e-9)
    }
}
