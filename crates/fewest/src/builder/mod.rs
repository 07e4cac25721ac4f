//! Builders: each grows a whole tree in its own order.

mod batch_score;
mod dec_tree;
mod greedy;
mod grow;
mod late;
mod packing;
mod path_costs;
mod several;

/// Tree, with the records of its builder's own run.
pub type Built = (fewest_model::Tree, Vec<Call>);

pub(crate) use dec_tree::dec_tree_in_time;
pub use dec_tree::{ALPHA, Call, dec_tree};
pub use greedy::unfold;
pub(crate) use greedy::unfold_in_time;
pub(crate) use late::Late;
pub(crate) use packing::Packing;
pub use several::{Grown, SharesGreedy, Unfinished, grow_shares};
