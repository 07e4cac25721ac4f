//! Rows of bits in lanes of 256 columns.

/// Answers of one object to 256 tests, one bit each.
///
/// Aligned to its size: a lane written across two cache lines is slow to read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Lane(pub(crate) [u64; 4]);

impl std::ops::Deref for Lane {
    type Target = [u64; 4];

    #[inline(always)]
    fn deref(&self) -> &[u64; 4] {
        &self.0
    }
}

impl std::ops::DerefMut for Lane {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64; 4] {
        &mut self.0
    }
}

/// Number of tests in a lane.
pub(crate) const LANE_BITS: usize = 256;

pub(crate) const ZEROS: Lane = Lane([0; 4]);
pub(crate) const ONES: Lane = Lane([!0; 4]);

/// Combines two lanes word by word.
#[inline(always)]
pub(crate) fn zip(left: Lane, right: Lane, what: impl Fn(u64, u64) -> u64) -> Lane {
    Lane([what(left[0], right[0]), what(left[1], right[1]), what(left[2], right[2]), what(left[3], right[3])])
}

/// Bit of a row at `column`.
#[inline(always)]
pub(crate) fn bit_of(row: &[Lane], column: usize) -> u8 {
    (row[column / LANE_BITS][column / 64 % 4] >> (column % 64) & 1) as u8
}

#[cfg(test)]
pub(crate) mod testing {
    use super::Lane;
    use proptest::prelude::*;

    pub(crate) fn bit(rows: &[Lane], stride: usize, row: usize, column: usize) -> bool {
        rows[row * stride + column / 256][column / 64 % 4] >> (column % 64) & 1 == 1
    }

    pub(crate) fn rows(most: usize) -> impl Strategy<Value = (Vec<Lane>, usize)> {
        (1..4usize, 0..=most).prop_flat_map(|(stride, count)| {
            (prop::collection::vec(any::<[u64; 4]>().prop_map(Lane), stride * count), Just(stride))
        })
    }
}
