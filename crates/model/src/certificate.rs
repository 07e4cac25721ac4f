//! What is claimed of a tree, as plain data: neither made nor judged here.

use crate::Costs;

/// Claims about a tree that a judge can verify; what is `None` is not claimed.
///
/// This release claims costs; later ones add bounds with their reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Certificate {
    /// What the tree is said to cost under the instance's prior and test costs, and for which λ.
    pub costs: Option<Costs>,
}
