//! Catalogue of the algorithms that build a tree: the greedy criteria, and the builders that are more than a
//! criterion.

use crate::builder::{Built, Late, Packing, dec_tree_in_time, unfold_in_time};
use crate::criterion::{self, Criterion, Settings};
use crate::limit::Limit;
use crate::policy::Greedy;
use fewest_model::{Instance, Lambda, Objective};

/// Entry of the catalogue of algorithms.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Name of the algorithm for users.
    pub name: &'static str,
    /// Summary of the algorithm, in one line.
    pub summary: &'static str,
    /// Key of the paper in REFERENCES.md.
    pub paper: &'static str,
    /// Guarantee that is proved for its trees, in one line.
    pub guarantee: &'static str,
    /// Whether the algorithm depends on λ.
    pub uses_lambda: bool,
    /// Whether the algorithm needs groups: if every object is its own group, it scores all tests alike.
    pub needs_groups: bool,
    /// Method by which the algorithm builds a tree.
    pub method: Method,
}

/// Method by which an algorithm builds a tree.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Asks the test with the highest score at each node.
    Criterion(fn(Settings) -> Box<dyn Criterion>),
    /// Follows DecTree's own order, and records what each call kept.
    DecTree,
    /// Searches all trees, starting from the best tree of the other algorithms.
    Exact,
}

/// Settings of an algorithm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) objective: Objective,
    pub(crate) lambda: Lambda,
    pub(crate) cost_blind: bool,
}

/// Returns every algorithm that builds a tree by a rule, in the order in which they are shown.
pub fn algorithms() -> Vec<Algorithm> {
    let greedy = criterion::CATALOGUE.iter().map(|entry| Algorithm {
        name: entry.name,
        summary: entry.summary,
        paper: entry.paper,
        guarantee: entry.guarantee,
        uses_lambda: entry.uses_lambda,
        needs_groups: entry.needs_groups,
        method: Method::Criterion(entry.make),
    });
    greedy.chain([DEC_TREE]).collect()
}

/// Finds the algorithm called `name`; also the exact solver, which starts from the trees of all others.
pub fn find_algorithm(name: &str) -> Option<Algorithm> {
    algorithms().into_iter().chain([OPTIMAL]).find(|algorithm| algorithm.name == name)
}

impl Algorithm {
    /// Builds the tree, or does what `late` says when the limit is reached. Also returns the number of questions that
    /// were then asked without comparing tests.
    pub(crate) fn run(
        &self,
        instance: &Instance,
        setting: Setting,
        packing: &Packing,
        limit: &Limit,
        late: Late,
    ) -> Option<(Built, usize)> {
        match self.method {
            Method::DecTree => dec_tree_in_time(instance, limit, late),
            // The search is not a rule: the portfolio runs it.
            Method::Exact => None,
            Method::Criterion(make) => {
                let criterion = make(Settings { lambda: setting.lambda, identify: instance.identify() });
                let policy = Greedy::new(instance, criterion.as_ref(), setting.cost_blind);
                let (tree, unranked) = unfold_in_time(instance, &policy, packing, limit, late)?;
                Some(((tree, Vec::new()), unranked))
            }
        }
    }

    /// Whether the algorithm builds trees if objects may give several answers; all algorithms do if they give one.
    pub fn takes_several(&self) -> bool {
        matches!(self.method, Method::Criterion(_))
    }

    /// Whether this is the exact solver.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.method, Method::Exact)
    }

    /// Whether `cost_blind` makes a difference to the algorithm.
    pub(crate) fn can_be_blind(&self) -> bool {
        matches!(self.method, Method::Criterion(_))
    }
}

const DEC_TREE: Algorithm = Algorithm {
    name: "dectree",
    summary: "a path that spends one budget on probability and one on pairs, then again",
    paper: "CicaleseLaberSaettler2014",
    guarantee: "expected and worst cost of one tree both within a factor O(log M) of their best, for any costs",
    uses_lambda: false,
    needs_groups: false,
    method: Method::DecTree,
};

/// Exact solver.
pub const OPTIMAL: Algorithm = Algorithm {
    name: "optimal",
    summary: "search all trees, from the best of the other algorithms, until nothing better is left",
    paper: "Garey1972",
    guarantee: "the best possible where it ends in time; else the gap that it reports",
    uses_lambda: false,
    needs_groups: false,
    method: Method::Exact,
};
