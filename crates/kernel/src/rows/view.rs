//! Read-only view of a node: its rows and the runs of its groups.

use crate::count::GroupCounts;
use crate::lane::Lane;
use fewest_model::GroupId;

/// Objects of one group at a node: a run of adjacent rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupRun {
    /// Group of the run.
    pub group: GroupId,
    /// Number of objects in the run.
    pub len: u32,
}

/// Read-only view of the rows of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeView<'a> {
    pub(crate) stride: usize,
    pub(crate) rows: &'a [Lane],
    pub(crate) weights: &'a [f64],
    pub(crate) moments: &'a [f64],
    pub(crate) runs: &'a [GroupRun],
    /// Counts for all tests, if they are known without reading the rows.
    pub(crate) counts: Option<&'a GroupCounts>,
}

impl<'a> NodeView<'a> {
    /// Number of objects.
    pub fn len(&self) -> usize {
        match self.counts {
            Some(_) => self.runs.iter().map(|run| run.len as usize).sum(),
            None => self.rows.len() / self.stride,
        }
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Groups of the node, in order.
    pub fn runs(&self) -> &'a [GroupRun] {
        self.runs
    }
}
