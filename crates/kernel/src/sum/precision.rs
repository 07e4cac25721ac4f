//! How finely shares of a whole are told apart: they are rounded to whole units, so that sums of them are exact, in whatever order
//! they are added.

use crate::math::WHOLE;

/// From so many objects on shares are coarse.
const MANY: usize = 512;

/// What shares of at most 1 are multiples of.
///
/// A coarse grain takes two thirds of the time to add up, and an estimate is wrong by more. Where objects are many, the scores of
/// tests mostly differ by more than that; where they are few, tests often part them alike, and a fine grain is needed anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Precision {
    /// As fine as the last bit of numbers from 2 to 4.
    #[default]
    Fine,
    /// 34 bits.
    Coarse,
}

impl Precision {
    /// What is right for a node of so many objects, if only the information of answers about groups is wanted. Other formulas
    /// want a fine grain: they may make more of an error.
    pub(crate) fn for_information(count: usize) -> Self {
        if count < MANY { Self::Fine } else { Self::Coarse }
    }

    /// One unit.
    pub(crate) const fn unit(self) -> f64 {
        match self {
            Self::Fine => 2.0 * f64::EPSILON,
            Self::Coarse => 1.0 / (1u64 << 34) as f64,
        }
    }

    /// Added to a share, its units are in the lowest bits.
    pub(crate) const fn offset(self) -> f64 {
        WHOLE * self.unit()
    }

    /// The nearest multiple of the unit.
    #[inline(always)]
    pub(crate) fn round(self, share: f64) -> f64 {
        (share + self.offset()) - self.offset()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_are_whole_units(share in 0.0f64..=1.0) {
            for grain in [Precision::Fine, Precision::Coarse] {
                let units = grain.round(share) / grain.unit();
                prop_assert_eq!(units, units.round());
                prop_assert!((grain.round(share) - share).abs() <= grain.unit() / 2.0);
                prop_assert_eq!((share + grain.offset()).to_bits() % (1 << 52), units as u64);
            }
        }
    }
}
