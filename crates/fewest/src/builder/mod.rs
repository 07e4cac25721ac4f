//! Builders: each grows a whole tree in its own order.

mod greedy;

pub use greedy::unfold;
