//! Budgets of paths, compared with an allowance for rounding.

use super::problem::Problem;

/// Relative amount by which a cap may be exceeded: 0.3 stands for 0.1 + 0.2 as well.
pub(crate) const SLACK: f64 = 1e-9;

/// Rules for comparing costs with budgets. In doubt, a tree is within its budget: a claim then covers a few more
/// trees than it says, which makes it stronger, never false.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budgets {
    /// Common divisor of the costs of paths.
    step: Option<f64>,
    /// Allowances without a common divisor: for exceeding a budget, and for comparing two budgets. The second is
    /// small enough that a hundred thousand comparisons, one below the other, do not use up the first.
    slack: (f64, f64),
}

impl Budgets {
    /// Makes the rules for proofs under `cap`, in units.
    pub(crate) fn new(problem: &Problem, cap: f64) -> Self {
        let cap = if cap.is_finite() { cap } else { 0.0 };
        match problem.cost_step {
            Some(step) => Self { step: Some(step), slack: (0.0, 0.0) },
            None => Self { step: None, slack: (SLACK * cap, 1e-5 * SLACK * cap) },
        }
    }

    /// Largest cost of a path within `budget`.
    pub(crate) fn normal(self, budget: f64) -> f64 {
        match self.step {
            Some(step) => ((budget + SLACK * budget.max(1.0)) / step).floor() * step,
            None => budget,
        }
    }

    /// Whether paths of this cost exceed the budget.
    pub(crate) fn exceeded(self, cost: f64, budget: f64) -> bool {
        cost > budget + self.slack.0
    }

    /// Rest of `budget` after a test.
    pub(crate) fn after(self, budget: f64, cost: f64) -> f64 {
        (budget - cost).max(0.0)
    }

    /// Whether a bound for all trees within `budget` holds for those within `smaller`: a tighter budget only raises
    /// the optimum.
    pub(crate) fn covers(self, budget: f64, smaller: f64) -> bool {
        budget >= smaller - self.slack.1
    }
}
