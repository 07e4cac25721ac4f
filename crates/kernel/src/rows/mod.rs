//! Rows of bits that are split among the nodes of a growing tree.

mod grouped;
mod node;
mod pack;
mod patterns;
mod split;
mod tiles;
mod view;

pub use grouped::{GatherBuffer, GroupedRows};
pub use node::NodeRows;
#[cfg(test)]
pub(crate) use pack::tests;
pub use pack::{PackedRows, PackedTable};
pub use patterns::SplitPatterns;
pub use split::SplitBuffers;
pub use tiles::{BitTiles, TILE_TESTS};
pub use view::{GroupRun, NodeView};
