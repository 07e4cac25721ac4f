//! Groups drawn for objects.

use super::GenerateError;
use super::draft::Cells;
use super::error::require;
use fewest::random::RandomStream;
use fewest_model::Column;

/// Group of each object, independent and uniform.
pub(super) struct Groups {
    /// Number of groups; some may stay empty.
    pub(super) count: u32,
    /// Group of each object, from 0.
    pub(super) of: Vec<u32>,
}

impl Groups {
    /// Draws `count` groups; `None` where every object is its own group, for `None` and 0.
    pub(super) fn draw(dice: &mut RandomStream, objects: u32, count: Option<u32>) -> Option<Self> {
        let count = count.filter(|count| *count > 0)?;
        Some(Self { count, of: (0..objects).map(|_| dice.below(count)).collect() })
    }

    /// Column `group` with `g1`, `g2`, ….
    pub(super) fn column(&self) -> Column {
        let texts: Vec<String> = (1..=self.count).map(|group| format!("g{group}")).collect();
        Cells::new("group", &texts).fill(self.of.iter().copied())
    }
}

/// Refuses more groups than objects.
pub(super) fn require_groups(count: Option<u32>, objects: u32) -> Result<(), GenerateError> {
    let count = count.unwrap_or(0);
    require(count <= objects, "the number of groups", f64::from(count), "at most the number of objects")
}

/// Whether every object is its own group.
pub(super) fn each_its_own(count: Option<u32>) -> bool {
    count.is_none_or(|count| count == 0)
}
