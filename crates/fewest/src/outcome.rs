//! What a build returns: the best tree, its costs, its bound, and why the build stopped.

use crate::algorithm::OPTIMAL;
use crate::bound::Bound;
use crate::builder::{Call, Unfinished};
use fewest_model::{Costs, Lambda, Proof, Tree};
use std::time::Duration;

/// What built a tree.
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
    /// The word for it in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rule(name) => name,
            Self::Search => "search",
            Self::Optimal => OPTIMAL.name,
        }
    }

    /// Whether it is the exact search.
    pub fn is_search(self) -> bool {
        matches!(self, Self::Search | Self::Optimal)
    }
}

/// Why a build or a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All that was to be tried was tried.
    Complete,
    /// The tree meets the bound: nothing can be better.
    Proved,
    /// The time was up.
    Time,
    /// The tree had as many leaves as a tree may have.
    Nodes,
    /// The interrupt flag was set.
    Interrupted,
}

/// One algorithm's tree.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trial {
    /// What built it.
    pub origin: Origin,
    /// The λ it was given, if it takes one.
    pub lambda: Option<Lambda>,
    /// Whether it took scores as they are instead of per unit of cost.
    pub cost_blind: bool,
    /// What it built.
    pub tree: Tree,
    /// What that costs.
    pub costs: Costs,
    /// What the algorithm tells of its own run; nothing for the greedy ones.
    pub evidence: Vec<Call>,
    /// What the tree leaves open because it would have been too large: only where objects may give several answers.
    pub unfinished: Option<Unfinished>,
    /// How many of its questions were asked without comparing tests, because the time was up.
    pub unranked: usize,
    /// How long it took.
    pub elapsed: Duration,
}

/// The best tree found, and how good it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// What built the tree.
    pub origin: Origin,
    /// The λ it was given, if it takes one.
    pub lambda: Option<Lambda>,
    /// Whether it took scores as they are instead of per unit of cost.
    pub cost_blind: bool,
    /// The tree.
    pub tree: Tree,
    /// What the algorithm tells of its own run; nothing for the greedy ones.
    pub evidence: Vec<Call>,
    /// Its true costs under the instance's prior and test costs.
    pub costs: Costs,
    /// The best lower bound known for the objective.
    pub bound: Bound,
    /// The best lower bound known for each cost, in the order of [`ObjectiveKind::ALL`](crate::bound::ObjectiveKind::ALL).
    pub bounds: [Bound; 3],
    /// `(cost − bound) / bound`; 0 when proved.
    pub gap: f64,
    /// Whether the tree is proved to be the best possible.
    pub optimal: bool,
    /// Why a build or a search stopped.
    pub stop: StopReason,
    /// The cap on the worst cost that was set or found; infinite if there is none. A tree that exceeds it is the best
    /// that was found all the same: `costs.worst` tells.
    pub cap: f64,
    /// How many sets of objects the exact solver looked at.
    pub states: u64,
    /// Why a bound holds, if that was asked for: the bound above, or a weaker one if there was no time or room for that.
    pub proof: Option<Proof>,
    /// What the tree leaves open because it would have been too large: only where objects may give several answers. Costs
    /// and bound are then those of strategies that leave as much open.
    pub unfinished: Option<Unfinished>,
    /// How many of its questions were asked without comparing tests, because the time was up.
    pub unranked: usize,
    /// How long it took in all.
    pub elapsed: Duration,
}

impl Outcome {
    /// The tree of the search as one more trial; nothing where the best tree is that of another algorithm, which is among
    /// the trials already.
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
    /// The proof, if it shows as much as is said.
    pub fn whole_proof(&self) -> Option<&Proof> {
        self.proof.as_ref().filter(|proof| proof.value >= self.bound.value * (1.0 - 1e-9))
    }
}

/// How far `cost` is above `bound`, relatively: 0 where it is not, infinite where nothing is bounded; never NaN.
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

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What is tried now.
    pub algorithm: &'static str,
    /// Its number, from 1.
    pub number: usize,
    /// How many there are to try.
    pub of: usize,
    /// The objective's cost of the best tree so far.
    pub best: Option<f64>,
    /// What no tree can beat.
    pub bound: f64,
    /// How many sets of objects the exact solver looked at.
    pub states: u64,
}
