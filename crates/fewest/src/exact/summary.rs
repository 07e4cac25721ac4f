//! Input of the bounds: a set in four numbers, and what holds for all sets of a grid.

use super::reach::Reach;
use crate::bound::majority_path::growth::Growth;

/// Summary of a set of objects, with which bounds need not look at its members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SetSummary {
    /// Number of objects.
    pub(super) count: u32,
    /// Number of groups.
    pub(super) groups: u32,
    /// Their total weight.
    pub(super) mass: f64,
    /// Sum over groups of the objective's spread of the group's mass.
    pub(super) spread: f64,
}

/// What holds for all sets of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Limits of what any test can do.
    pub(super) reach: Reach,
    /// Weight of every object, where all weigh the same and are groups of their own: then counting is enough.
    pub(super) plain: Option<f64>,
    /// Whether an object must be confirmed by the test of its name.
    pub(super) confirm: bool,
}

/// The majority path of a set, on which the majority answer is always given.
#[derive(Debug)]
pub(super) struct Path<'a> {
    /// Most of the set that has left after one question, two and so on: by mass where the objective is a mean, else by
    /// number of objects.
    pub(super) departed: &'a [f64],
    /// Size of the largest group, likewise: the path may end when no more is left.
    pub(super) largest_group: f64,
    /// Cost of the objects that leave together.
    pub(super) growth: &'a Growth,
}
