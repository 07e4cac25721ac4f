//! Builders: each grows a whole tree in its own order.

mod dec_tree;
mod greedy;
mod grow;
mod late;
mod several;

pub(crate) use dec_tree::dec_tree_in_time;
pub use dec_tree::{ALPHA, Call, dec_tree};
pub use greedy::unfold;
pub(crate) use greedy::unfold_in_time;
pub(crate) use late::Late;
pub use several::{Grown, SharesGreedy, Unfinished, grow_shares};
