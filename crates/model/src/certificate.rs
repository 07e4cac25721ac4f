//! Claims about a tree, as plain data: neither made nor checked here.

use crate::{Costs, Objective, OpenBundles, TestId};

/// Claims about a tree that the checker can verify; a field that is `None` claims nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Certificate {
    /// Claimed costs of the tree under the instance's prior and test costs, with their λ.
    pub costs: Option<Costs>,
    /// Claimed lower bound on the cost of every tree, with its proof.
    pub bound: Option<Proof>,
}

/// Proof that no tree costs less than a number: claims about sets of objects, each resting on those before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Objective whose cost is bounded.
    pub objective: Objective,
    /// Limit on the worst cost: the proof is about trees within it; infinite: about all trees.
    pub cap: f64,
    /// Lower bound on the cost of these trees, in the costs of the table, not in units.
    pub value: f64,
    /// Prices of the objects for claims by [`Reason::MajorityPath`]: lists of one price for each object, where 255 is
    /// a price of 1.
    pub prices: Vec<Vec<u8>>,
    /// Claims, in order. One of them is about all objects, unless the obvious bound suffices for them.
    pub claims: Vec<Claim>,
}

/// Claim that every tree for a set of objects is worth at least a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Set of objects, one bit each: object `i` is bit `i % 64` of word `i / 64`.
    pub objects: Vec<u64>,
    /// Limit on the cost of every path, in units of cost: the claim is about trees within it; infinite: about all
    /// trees.
    pub budget: f64,
    /// Lower bound over the objects' own mass: `Σ w_i cost(i)` for the expected cost, `max cost(i)` for the worst,
    /// `ln Σ w_i λ^cost(i)` for the exponential one; weights and costs in units.
    pub value: f64,
    /// Reason why the claim holds.
    pub reason: Reason,
    /// Bundles whose set-up is paid already, if costs depend on the path; `None`: the claim is about the plain costs
    /// of the instance, which no path undercuts.
    pub open: Option<OpenBundles>,
}

/// Reason why a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Objects leave the majority path only at a limited rate, by their number and by their prices.
    MajorityPath,
    /// The parts into which a test splits the objects are worth as much together, even without the cost of the test.
    Parts(TestId),
    /// Every test that splits the objects leads to parts that are worth as much, by earlier claims or obviously.
    EveryTest,
}
