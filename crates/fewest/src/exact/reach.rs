//! Limits of the tests of a set.

/// Limits of the tests of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Rate `max log₂(arity) / cost`: bits per unit of cost.
    pub(super) rate: f64,
    /// Least cost of a test.
    pub(super) cheapest: f64,
    /// Most answers of a test, at least 2.
    pub(super) radix: usize,
    /// Largest number of answers that lead to further questions: all but the one that confirms an object.
    pub(super) leads: usize,
    /// Whether all tests cost the same.
    pub(super) even: bool,
}

impl Reach {
    pub(super) const NONE: Self = Self { rate: 0.0, cheapest: f64::INFINITY, radix: 2, leads: 1, even: true };

    /// Combines the limits with a test of this cost, and the most expensive of those that split in the same way, with
    /// `arity` answers that occur here, of which `leads` lead on.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::tests::Dice;

    #[test]
    fn limits_are_those_of_all_tests_one_by_one() {
        let mut dice = Dice::new(1);
        for _ in 0..2_000 {
            let test = |dice: &mut Dice| {
                let cost = [1.0, 1.0, 1.0, 2.0][dice.roll(4)];
                let arity = 2 + dice.roll(3);
                ((cost, cost + [0.0, 0.0, 0.0, 1.0][dice.roll(4)]), arity, arity - dice.roll(2))
            };
            let tests: Vec<((f64, f64), usize, usize)> =
                (0..1 + dice.roll(4)).map(|_| test(&mut dice)).collect();
            let found = tests
                .iter()
                .fold(Reach::NONE, |reach, (costs, arity, leads)| reach.and(*costs, *arity, *leads));
            let rates = tests.iter().map(|((cost, _), arity, _)| (*arity as f64).log2() / cost);
            assert_eq!(found.rate, rates.fold(0.0, f64::max), "{tests:?}");
            let costs = || tests.iter().flat_map(|((cost, dearest), ..)| [*cost, *dearest]);
            assert_eq!(found.cheapest, costs().fold(f64::INFINITY, f64::min));
            assert_eq!(Some(found.radix), tests.iter().map(|(_, arity, _)| *arity).max());
            assert_eq!(Some(found.leads), tests.iter().map(|(.., leads)| *leads).max());
            assert_eq!(found.even, costs().all(|cost| cost == found.cheapest));
        }
    }
}
