//! Fixed-point precision of weights: shares are rounded to whole units, so that their sums are exact in any order of
//! addition.

use crate::math::WHOLE;

/// Least number of objects for which shares are coarse.
const MANY: usize = 512;

/// Fixed-point unit to which shares in [0, 1] are rounded so that sums are exact.
///
/// Coarse shares take two thirds of the time to add up, with a larger error of the estimate. With many objects the
/// scores of tests mostly differ by more than that; with few, many tests split them in the same way, and fine shares
/// are needed anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Precision {
    /// 49 bits: the last bit of numbers from 2 to 4.
    #[default]
    Fine,
    /// 34 bits.
    Coarse,
}

impl Precision {
    /// Precision for a node of `count` objects if only the information of answers about groups is needed. Other
    /// formulas need fine shares, because they may amplify an error.
    pub(crate) fn for_information(count: usize) -> Self {
        if count < MANY { Self::Fine } else { Self::Coarse }
    }

    /// Size of one unit.
    pub(crate) const fn unit(self) -> f64 {
        match self {
            Self::Fine => 2.0 * f64::EPSILON,
            Self::Coarse => 1.0 / (1u64 << 34) as f64,
        }
    }

    /// Number whose addition puts the units of a share into the lowest bits.
    pub(crate) const fn offset(self) -> f64 {
        WHOLE * self.unit()
    }

    /// Returns the nearest multiple of the unit.
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
            for precision in [Precision::Fine, Precision::Coarse] {
                let units = precision.round(share) / precision.unit();
                prop_assert_eq!(units, units.round());
                prop_assert!((precision.round(share) - share).abs() <= precision.unit() / 2.0);
                prop_assert_eq!((share + precision.offset()).to_bits() % (1 << 52), units as u64);
            }
        }
    }
}
