//! Increments of the cost of objects that leave the majority path together.

/// Increments of the least sum of depths for each further object that leaves with the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growth {
    /// Number of objects that join for at most each price. Empty if nothing is known except that a node has two
    /// branches.
    pub(super) places: Vec<u64>,
}

impl Growth {
    /// Number of objects that join for at most `price` each.
    pub(crate) fn places(&self, price: u64) -> u64 {
        match (self.places.last(), price) {
            (Some(all), _) => self.places.get(price as usize).copied().unwrap_or(*all),
            (None, 0) => 1,
            // 0, 2, 3, 3, 4, 4, 4, 4 …
            (None, more) => 1u64 << (more - 1).min(62),
        }
    }
}
