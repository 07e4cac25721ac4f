//! Checker of claims: whether a tree is a strategy for an instance, whether it costs what is claimed, and whether no
//! tree can cost less than is claimed.
//!
//! The checker shares nothing with the algorithms it checks. It reads the data types of `fewest-model`, but uses no
//! sum, split or walk of theirs: every object is led through the tree by its own answers, and every cost is added up
//! again from the objects' own paths. Slow and obvious code is welcome here; a walk looks at each cell of the table
//! at most once.

mod applies;
mod bill;
mod bound;
mod claims;
mod costs;
mod error;
mod ids;
mod leaves;
mod names;
mod not_applicable;
mod several;
mod statement;
mod walk;

pub use bound::{ProvedBound, check_bound, own_bound, own_proof};
pub use error::CheckError;
pub use not_applicable::NotApplicable;
pub use several::{Open, bound_of_coarse_groups, check_open};
pub use statement::{Size, Statement, Support, check_size, check_statement};

use fewest_model::{Certificate, Costs, Instance, Lambda, Objective, Tree};
use walk::Walk;

/// Result of the checker, computed by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verified {
    /// Costs, added up from the objects' paths; for the claimed λ, or for λ = 2 if none is claimed.
    pub costs: Costs,
    /// Number of objects led to their leaves.
    pub objects: usize,
    /// Number of leaves.
    pub leaves: usize,
    /// Largest number of tests asked of any object.
    pub depth: usize,
    /// Verified lower bound, if one is claimed.
    pub bound: Option<ProvedBound>,
    /// Leaves at which more could be asked; `None` unless [`check_open`] was told of them.
    pub open: Option<Open>,
}

/// Verifies that `tree` is a strategy for `instance` and that the claims of `certificate` are true.
///
/// # Errors
/// With the first error, in names of the table.
///
/// ```
/// use fewest_model::{AnswerId, Branches, Certificate, Instance, Node, NodeId, ObjectId, Reading, Table, TestId, Tree};
///
/// let table = Table::from_rows(&[&["object", "legs"], &["bear", "4"], &["hen", "2"]]);
/// let (instance, _) = Instance::new(table, &Reading::default()).unwrap();
/// let answers = Branches::from([(AnswerId(0), NodeId(1)), (AnswerId(1), NodeId(2))]);
/// let leaf = |object| Node::leaf(&[ObjectId(object)]);
/// let good = Tree::new(vec![Node::Ask { test: TestId(0), answers: answers.clone() }, leaf(0), leaf(1)]).unwrap();
/// let bad = Tree::new(vec![Node::Ask { test: TestId(0), answers }, leaf(1), leaf(0)]).unwrap();
///
/// let nothing = Certificate::default();
/// assert_eq!(fewest_check::check(&instance, &good, &nothing).unwrap().costs.worst, 1.0);
/// assert_eq!(
///     fewest_check::check(&instance, &bad, &nothing).unwrap_err().to_string(),
///     "object `bear` is listed in a leaf that takes answer `2` to `legs`, but its answer is `4`"
/// );
/// ```
pub fn check(instance: &Instance, tree: &Tree, certificate: &Certificate) -> Result<Verified, CheckError> {
    ids::all_known(instance, tree)?;
    if instance.has_several() {
        return check_open(instance, tree, certificate, None);
    }
    let walk = Walk::through(instance, tree)?;
    leaves::list_who_reaches_them(instance, tree, &walk)?;
    leaves::are_pure(instance, tree, &walk)?;
    leaves::are_confirmed(instance, &walk)?;
    let lambda = certificate.costs.map_or(Lambda::TWO, |claimed| claimed.lambda);
    let costs = costs::add_up(instance, &walk.spent, lambda);
    if let Some(claimed) = &certificate.costs {
        claims::costs_are_true(claimed, &costs)?;
    }
    let bound = match &certificate.bound {
        None => None,
        Some(proof) => {
            // The proof may be about another λ than the costs.
            let lambda = match proof.objective {
                Objective::Exponential(lambda) => lambda,
                Objective::Expected | Objective::Worst => lambda,
            };
            bound::is_not_above(&costs::add_up(instance, &walk.spent, lambda), proof)?;
            Some(check_bound(instance, proof)?)
        }
    };
    Ok(Verified {
        costs,
        objects: instance.object_count(),
        leaves: leaves::count(tree),
        depth: walk.asked.into_iter().max().unwrap_or(0),
        bound,
        open: None,
    })
}

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
