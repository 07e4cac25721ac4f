//! What is claimed of a tree, as plain data: neither made nor judged here.

use crate::{Costs, Objective, TestId};

/// Claims about a tree that a judge can verify; what is `None` is not claimed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Certificate {
    /// What the tree is said to cost under the instance's prior and test costs, and for which λ.
    pub costs: Option<Costs>,
    /// What no tree is said to beat, and why.
    pub bound: Option<Proof>,
}

/// Why no tree costs less than a number: claims about sets of objects, each resting on those before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The cost that is bounded.
    pub objective: Objective,
    /// Only trees whose worst cost is at most this are spoken of; infinite: all trees.
    pub cap: f64,
    /// No tree costs less, in the numbers that users see.
    pub value: f64,
    /// What the claims that rest on the path of most common answers count objects for: lists of a price for each object, in
    /// parts of 255.
    pub prices: Vec<Vec<u8>>,
    /// The claims. One of them is about all objects, unless the obvious bound is enough for them.
    pub claims: Vec<Claim>,
}

/// No tree for some of the objects is worth less than a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The objects, a bit each: object `i` is bit `i % 64` of word `i / 64`.
    pub objects: Vec<u64>,
    /// Only trees that spend at most this on any path are spoken of, in units of cost; infinite: all trees.
    pub budget: f64,
    /// The number, on the objects' own mass: `Σ w_i cost(i)` for the expected cost, `max cost(i)` for the worst,
    /// `ln Σ w_i λ^cost(i)` for the exponential one; weights and costs in units.
    pub value: f64,
    /// Why.
    pub reason: Reason,
}

/// Why a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The objects leave the path of most common answers only so fast, by their number and by their prices.
    MajorityPath,
    /// The sets that the answers to a test leave are worth as much together, before it is even asked.
    Parts(TestId),
    /// Every question that splits the objects leads to sets that are worth as much, by earlier claims or obviously.
    EveryTest,
}
