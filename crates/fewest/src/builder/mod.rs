//! Builders: each grows a whole tree in its own order.

mod dec_tree;
mod greedy;
mod grow;
mod several;

pub use dec_tree::{ALPHA, Call, dec_tree};
pub use greedy::unfold;
pub use several::{Grown, SharesGreedy, Unfinished, grow_shares};
