//! Packed rows of yes/no answers, and the operations on them that take most of the time of a build.
//!
//! A tree grows on [`PackedRows`]: all objects in order of groups, each with its answers as one row of bits. A node
//! is a [`NodeRows`], a range of these rows; splitting a node partitions its rows in place. [`NodeSums`] holds, for
//! every test at a node, the sums that a criterion is estimated from.
//!
//! One operation has one folder: `count`, `partition`, `transpose`, `sum`, `math`, `score`. `portable.rs` is the code
//! for any processor, `…_avx2.rs` the code that needs AVX2 instructions by name, and `mod.rs` chooses between them.
//! All implementations return the same bits; the `tests.rs` beside them compares them with one another and with an
//! obvious slow version.

mod buffer;
mod count;
mod dispatch;
mod lane;
mod math;
mod partition;
mod rows;
mod score;
mod sum;
mod transpose;

pub use count::count_masked;
pub use math::{add_powers, add_powers_of_rests, log2_each};
pub use rows::{
    BitTiles, GatherBuffer, GroupRun, GroupedRows, NodeRows, NodeView, PackedRows, PackedTable, SplitBuffers,
    SplitPatterns, TILE_TESTS,
};
pub use score::{NodeSums, SumsNeeded, Term, TermTables, first_not_below, mask_and_max};
pub use sum::shift_and_scale;
