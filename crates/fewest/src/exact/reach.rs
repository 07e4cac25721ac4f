//! Limits of what any test can do.

/// Limits of what any test can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// `max log₂(arity) / cost`: bits per unit of cost.
    pub(super) rate: f64,
    /// The least cost.
    pub(super) cheapest: f64,
    /// Most answers of a test, at least 2.
    pub(super) radix: usize,
    /// Most answers that lead on: all but the one that confirms an object.
    pub(super) leads: usize,
    /// Whether all tests cost the same.
    pub(super) even: bool,
}

impl Reach {
    pub(super) const NONE: Self = Self { rate: 0.0, cheapest: f64::INFINITY, radix: 2, leads: 1, even: true };

    /// Combines with a test of this cost, and the most expensive of those that split alike, with `arity` answers that occur
    /// here, of which `leads` lead on.
    pub(super) fn and(self, (cost, dearest): (f64, f64), arity: usize, leads: usize) -> Self {
        let adds_nothing = arity <= self.radix && leads <= self.leads;
        if self.even && adds_nothing && cost == self.cheapest && cost == dearest {
            // No change; logarithms are slow.
            return self;
        }
        Self {
            rate: self.rate.max((arity as f64).log2() / cost),
            cheapest: self.cheapest.min(cost),
            radix: self.radix.max(arity),
            leads: self.leads.max(leads),
            even: self.even && cost == dearest && (self.cheapest == f64::INFINITY || self.cheapest == cost),
        }
    }
}
