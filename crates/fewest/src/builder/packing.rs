//! Packed rows for one tree, or packed once for the trees of a whole build.

use fewest_kernel::{PackedRows, PackedTable};
use fewest_model::Instance;
use std::sync::OnceLock;

/// Source of the packed rows of a tree.
#[derive(Debug)]
pub(crate) enum Packing {
    /// Packed for this tree alone.
    Single,
    /// Packed for the first tree, copied for each.
    Shared(OnceLock<PackedTable>),
}

impl Packing {
    /// Chooses the packing for a build that grows this many trees.
    pub(crate) fn for_trees(count: usize) -> Self {
        if count > 1 { Self::Shared(OnceLock::new()) } else { Self::Single }
    }

    /// Rows of all objects of `instance`, which is the same in every call, for a tree to grow on.
    pub(super) fn rows(
        &self,
        instance: &Instance,
        weights: Option<&[f64]>,
        moments: Option<&[f64]>,
    ) -> PackedRows {
        match self {
            Self::Single => PackedRows::new(instance, weights, moments),
            Self::Shared(table) => table.get_or_init(|| PackedTable::new(instance)).copy(weights, moments),
        }
    }
}
