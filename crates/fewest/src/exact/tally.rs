//! What bounds look at: a set in four numbers, and what is true of all sets of a grid.

use super::grid::Reach;
use crate::bound::peel::again::Growth;

/// What is known of a set of objects without looking at its members again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// How many objects.
    pub(super) count: u32,
    /// How many groups.
    pub(super) groups: u32,
    /// What they weigh.
    pub(super) mass: f64,
    /// The sum over groups of what the aim makes of a group's mass.
    pub(super) spread: f64,
}

/// What is true of all sets of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The most that tests can do.
    pub(super) reach: Reach,
    /// What every object weighs, where all weigh the same and are groups of their own: then counting is enough.
    pub(super) plain: Option<f64>,
    /// Whether an object must be confirmed by the test that bears its name.
    pub(super) confirm: bool,
}

/// The path on which everybody gives the most common answers, as seen from a set.
#[derive(Debug)]
pub(super) struct Path<'a> {
    /// After one question, two and so on: at most so much of the set has left, by mass where the aim is a mean, else by
    /// number of objects.
    pub(super) off: &'a [f64],
    /// The size of the largest group, likewise: the path may end when no more is left.
    pub(super) top: f64,
    /// What those who leave together cost.
    pub(super) growth: &'a Growth,
}
