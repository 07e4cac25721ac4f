//! Outcome of a build: the best tree, its costs, its bound, and why the build stopped.

use crate::algorithm::OPTIMAL;
use crate::bound::Bound;
use crate::builder::{Call, Unfinished};
use fewest_model::{Costs, Lambda, Proof, Tree};
use std::time::Duration;

/// Origin of a tree: a rule or the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A rule of the catalogue, by its name.
    Rule(&'static str),
    /// The exact search, which stopped before it had a proof.
    Search,
    /// The exact search, with a proof that no tree is better.
    Optimal,
}

impl Origin {
    /// Name of the origin in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rule(name) => name,
            Self::Search => "search",
            Self::Optimal => OPTIMAL.name,
        }
    }

    /// Whether the tree is from the exact search.
    pub fn is_search(self) -> bool {
        matches!(self, Self::Search | Self::Optimal)
    }
}

/// Reason why a build or a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Everything that was to be tried was tried.
    Complete,
    /// The tree meets the bound, so no tree is better.
    Proved,
    /// The time limit was reached.
    Time,
    /// The tree reached the largest number of leaves.
    Nodes,
    /// The interrupt flag was set.
    Interrupted,
}

/// Tree of one algorithm.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trial {
    /// Origin of the tree.
    pub origin: Origin,
    /// Base λ that the algorithm used, if it takes one.
    pub lambda: Option<Lambda>,
    /// Whether the algorithm used scores as they are instead of per unit of cost.
    pub cost_blind: bool,
    /// Tree that the algorithm built.
    pub tree: Tree,
    /// Costs of the tree.
    pub costs: Costs,
    /// Records of the algorithm's own run; empty for the greedy ones.
    pub evidence: Vec<Call>,
    /// Leaves that stay open because the tree would have been too large; only if objects may give several answers.
    pub unfinished: Option<Unfinished>,
    /// Number of questions that were asked without comparing tests, because the time was up.
    pub unranked: usize,
    /// Time that the algorithm took.
    pub elapsed: Duration,
}

/// Best tree found, with its quality.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Origin of the tree.
    pub origin: Origin,
    /// Base λ that the algorithm used, if it takes one.
    pub lambda: Option<Lambda>,
    /// Whether the algorithm used scores as they are instead of per unit of cost.
    pub cost_blind: bool,
    /// Best tree found.
    pub tree: Tree,
    /// Records of the algorithm's own run; empty for the greedy ones.
    pub evidence: Vec<Call>,
    /// True costs of the tree under the instance's prior and test costs.
    pub costs: Costs,
    /// Best lower bound known for the objective.
    pub bound: Bound,
    /// Best lower bound known for each cost, in the order of
    /// [`ObjectiveKind::ALL`](crate::bound::ObjectiveKind::ALL).
    pub bounds: [Bound; 3],
    /// Relative gap `(cost − bound) / bound`; 0 if the tree is proved optimal.
    pub gap: f64,
    /// Whether the tree is proved to be optimal.
    pub optimal: bool,
    /// Reason why the build stopped.
    pub stop: StopReason,
    /// Cap on the worst cost that was set or found; infinite if there is none. A tree that exceeds it is still the
    /// best that was found: compare `costs.worst`.
    pub cap: f64,
    /// Number of sets of objects that the exact solver looked at.
    pub states: u64,
    /// Proof of a bound, if one was asked for: of the bound above, or of a weaker one if there was no time or memory
    /// for it.
    pub proof: Option<Proof>,
    /// Leaves that stay open because the tree would have been too large; only if objects may give several answers.
    /// Costs and bound are then those of strategies that leave as much open.
    pub unfinished: Option<Unfinished>,
    /// Number of questions that were asked without comparing tests, because the time was up.
    pub unranked: usize,
    /// Time of the whole build.
    pub elapsed: Duration,
}

impl Outcome {
    /// Returns the tree of the search as one more trial; `None` if the best tree is from another algorithm, which is
    /// among the trials already.
    pub fn searched(&self) -> Option<Trial> {
        if !self.origin.is_search() {
            return None;
        }
        let Self { origin, lambda, cost_blind, tree, costs, unfinished, unranked, elapsed, .. } =
            self.clone();
        let evidence = Vec::new();
        Some(Trial { origin, lambda, cost_blind, tree, costs, evidence, unfinished, unranked, elapsed })
    }
}

impl Outcome {
    /// Returns the proof, if it shows the full bound.
    pub fn whole_proof(&self) -> Option<&Proof> {
        self.proof.as_ref().filter(|proof| proof.value >= self.bound.value * (1.0 - 1e-9))
    }
}

/// Relative distance of `cost` above `bound`: 0 if it is not above, infinite if there is no bound; never NaN.
///
/// ```
/// use fewest::gap;
/// assert_eq!((gap(3.0, 2.0), gap(2.0, 2.0), gap(0.0, 0.0)), (0.5, 0.0, 0.0));
/// assert_eq!(gap(1.0, 0.0), f64::INFINITY);
/// ```
pub fn gap(cost: f64, bound: f64) -> f64 {
    match () {
        () if cost <= bound => 0.0,
        () if bound <= 0.0 => f64::INFINITY,
        () => cost / bound - 1.0,
    }
}

/// Progress of a build.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Algorithm that is being tried.
    pub algorithm: &'static str,
    /// Number of that algorithm, from 1.
    pub number: usize,
    /// Number of algorithms to try.
    pub of: usize,
    /// Cost of the best tree so far, by the objective.
    pub best: Option<f64>,
    /// Lower bound on the cost of every tree.
    pub bound: f64,
    /// Number of sets of objects that the exact solver looked at.
    pub states: u64,
}
