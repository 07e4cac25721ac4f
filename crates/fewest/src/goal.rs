//! Goal of a build: objective, constraints and settings.

use crate::algorithm::{Algorithm, Setting};
use fewest_model::{Lambda, Objective};

/// Objective, constraints and settings of a build.
///
/// ```
/// use fewest::{Cap, Goal, Objective};
/// let goal = Goal::default().with_objective(Objective::Worst).with_cap(Cap::At(5.0)).with_proof(true);
/// assert_eq!((goal.objective, goal.cap, goal.proof), (Objective::Worst, Cap::At(5.0), true));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Goal {
    /// Objective to minimise.
    pub objective: Objective,
    /// Base λ of the criteria and of the reported exponential cost, unless the objective has one of its own.
    pub lambda: Lambda,
    /// Algorithm to use; with `None` all are tried and the best tree is kept.
    pub algorithm: Option<Algorithm>,
    /// Whether scores ignore the costs of tests instead of being divided by them.
    pub cost_blind: bool,
    /// Limit on the worst cost.
    pub cap: Cap,
    /// Whether the search records a proof of its bound.
    pub proof: bool,
}

/// Limit on the worst cost of a strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cap {
    /// No limit.
    #[default]
    None,
    /// At most this worst cost.
    At(f64),
    /// The least possible worst cost: the worst case is minimised first, then the objective.
    Least,
}

impl Default for Goal {
    fn default() -> Self {
        Self {
            objective: Objective::Expected,
            lambda: Lambda::TWO,
            algorithm: None,
            cost_blind: false,
            cap: Cap::None,
            proof: false,
        }
    }
}

impl Goal {
    /// Returns the goal with another objective to minimise.
    #[must_use]
    pub fn with_objective(self, objective: Objective) -> Self {
        Self { objective, ..self }
    }

    /// Returns the goal with another λ of the criteria and of the reported exponential cost.
    #[must_use]
    pub fn with_lambda(self, lambda: Lambda) -> Self {
        Self { lambda, ..self }
    }

    /// Returns the goal with one algorithm only; with `None`, all are tried.
    #[must_use]
    pub fn with_algorithm(self, algorithm: impl Into<Option<Algorithm>>) -> Self {
        Self { algorithm: algorithm.into(), ..self }
    }

    /// Returns the goal with scores that ignore the costs of tests, or do not.
    #[must_use]
    pub fn with_cost_blind(self, cost_blind: bool) -> Self {
        Self { cost_blind, ..self }
    }

    /// Returns the goal with another limit on the worst cost.
    #[must_use]
    pub fn with_cap(self, cap: Cap) -> Self {
        Self { cap, ..self }
    }

    /// Returns the goal with or without a recorded proof.
    #[must_use]
    pub fn with_proof(self, proof: bool) -> Self {
        Self { proof, ..self }
    }

    pub(crate) fn setting(&self) -> Setting {
        Setting { objective: self.objective, lambda: self.lambda(), cost_blind: self.cost_blind }
    }

    /// Whether the exact solver is to be used.
    pub(crate) fn searches(&self) -> bool {
        self.algorithm.is_none_or(|algorithm| algorithm.is_exact())
    }

    /// Base λ in use: that of the objective if it has one.
    pub fn lambda(&self) -> Lambda {
        match self.objective {
            Objective::Exponential(lambda) => lambda,
            Objective::Expected | Objective::Worst => self.lambda,
        }
    }
}
