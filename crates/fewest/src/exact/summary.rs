//! Input of the bounds: a set in four numbers, and the properties common to all sets of a grid.

use super::reach::Reach;
use crate::bound::majority_path::growth::Growth;

/// Summary of a set of objects, with which bounds need not look at its members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SetSummary {
    /// Number of objects.
    pub(super) count: u32,
    /// Number of groups.
    pub(super) groups: u32,
    /// Total weight of the objects.
    pub(super) mass: f64,
    /// Sum over groups of the spread of the group's mass, as the objective defines it.
    pub(super) spread: f64,
}

/// Properties common to all sets of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Limits of the tests.
    pub(super) reach: Reach,
    /// Weight of every object, if all weigh the same and are groups of their own: then counting suffices.
    pub(super) plain: Option<f64>,
    /// Whether an object must be confirmed by the test of its name.
    pub(super) confirm: bool,
}

/// Majority path of a set, on which the majority answer is always given.
#[derive(Debug)]
pub(super) struct Path<'a> {
    /// Most of the set that has left after one question, two and so on: by mass if the objective is a mean, otherwise
    /// by number of objects.
    pub(super) departed: &'a [f64],
    /// Size of the largest group, in the same measure: the path may end when no more is left.
    pub(super) largest_group: f64,
    /// Cost of the objects that leave together.
    pub(super) growth: &'a Growth,
}
