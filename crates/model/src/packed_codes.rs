//! A column of small numbers, packed: one bit each while two values suffice.

/// Numbers of 1, 2, 4, 8, 16 or 32 bits, packed into words; the width doubles when a larger number comes.
///
/// A width that divides 64 keeps every number inside one word, so that reading one is a shift and a mask and a
/// column of yes/no answers is a plain bit plane: 1,000,000 objects × 200 tests take 25 MB.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Codes {
    width: u32,
    len: usize,
    words: Vec<u64>,
}

impl Default for Codes {
    fn default() -> Self {
        Self { width: 1, len: 0, words: Vec::new() }
    }
}

impl Codes {
    /// Number of codes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no codes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bits per number: 1, 2, 4, 8, 16 or 32.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Packed words; number `i` starts at bit `i × width`.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the number at `index`.
    ///
    /// # Panics
    /// When there is no such number.
    #[inline]
    pub fn get(&self, index: usize) -> u32 {
        let bit = index * self.width as usize;
        // The cast to `u32` is the mask for 32 bits; smaller widths are masked next.
        let low = (self.words[bit / 64] >> (bit % 64)) as u32;
        low & Self::largest(self.width)
    }

    /// All numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.len).map(|index| self.get(index))
    }

    /// Returns the numbers at `indices` as a column of its own.
    pub fn select(&self, indices: impl Iterator<Item = usize>) -> Self {
        let mut selected = indices.map(|index| self.get(index)).collect::<Self>();
        selected.shrink_to_fit();
        selected
    }

    /// Releases unused capacity.
    pub fn shrink_to_fit(&mut self) {
        self.words.shrink_to_fit();
    }

    fn largest(width: u32) -> u32 {
        u32::MAX >> (32 - width)
    }
}

impl FromIterator<u32> for Codes {
    fn from_iter<I: IntoIterator<Item = u32>>(codes: I) -> Self {
        let mut builder = CodesBuilder::default();
        for code in codes {
            builder.push(code);
        }
        builder.finish()
    }
}

/// [`Codes`] under construction.
///
/// The word that is being filled is kept here and not at the end of the list. A reader adds to hundreds of columns in
/// turn, and the ends of their lists, all at the same offset within a page, would evict each other from the cache.
#[derive(Clone, Debug)]
pub(crate) struct CodesBuilder {
    width: u32,
    /// Word that is being filled.
    last: u64,
    filled: u32,
    words: Vec<u64>,
}

impl Default for CodesBuilder {
    fn default() -> Self {
        Self { width: 1, last: 0, filled: 0, words: Vec::new() }
    }
}

impl CodesBuilder {
    /// Adds a number, widening all of them when it does not fit.
    #[inline]
    pub(crate) fn push(&mut self, code: u32) {
        if u64::from(code) >> self.width != 0 {
            self.widen(code);
        }
        self.last |= u64::from(code) << self.filled;
        self.filled += self.width;
        if self.filled == 64 {
            self.words.push(self.last);
            (self.last, self.filled) = (0, 0);
        }
    }

    /// Adds `count` numbers that are 0 or 1, at most 64 of them: the lowest bit of `bits` first; the bits above
    /// `count` must be 0.
    #[inline]
    pub(crate) fn push_bits(&mut self, bits: u64, count: u32) {
        if self.width > 1 {
            return (0..count).for_each(|at| self.push((bits >> at & 1) as u32));
        }
        self.last |= bits << self.filled;
        let filled = self.filled + count;
        if filled < 64 {
            self.filled = filled;
        } else {
            self.words.push(self.last);
            // The bits that did not fit; 0 if the word was empty before.
            self.last = bits.checked_shr(64 - self.filled).unwrap_or(0);
            self.filled = filled - 64;
        }
    }

    /// Adds numbers that are all 0 or 1 and one bit wide.
    pub(crate) fn append_bits(&mut self, bits: &Codes) {
        debug_assert_eq!(bits.width(), 1);
        let mut left = bits.len();
        for word in bits.words() {
            let count = left.min(64);
            self.push_bits(*word, count as u32);
            left -= count;
        }
    }

    pub(crate) fn finish(mut self) -> Codes {
        let len = (self.words.len() * 64 + self.filled as usize) / self.width as usize;
        if self.filled > 0 {
            self.words.push(self.last);
        }
        Codes { width: self.width, len, words: self.words }
    }

    #[cold]
    fn widen(&mut self, code: u32) {
        let mut wider = Self { width: self.width, ..Self::default() };
        while code > Codes::largest(wider.width) {
            wider.width *= 2;
        }
        wider.words.reserve(self.words.capacity() * (wider.width / self.width) as usize);
        for old in std::mem::take(self).finish().iter() {
            wider.push(old);
        }
        *self = wider;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn yes_and_no_take_one_bit() {
        let codes: Codes = (0..130).map(|index| index % 2).collect();
        assert_eq!((codes.width(), codes.words().len()), (1, 3));
    }

    proptest! {
        #[test]
        fn what_goes_in_comes_out(numbers in prop::collection::vec(prop_oneof![0..2u32, 0..5u32, 0..300u32, any::<u32>()], 0..300)) {
            let codes: Codes = numbers.iter().copied().collect();
            prop_assert_eq!(codes.iter().collect::<Vec<_>>(), numbers);
        }

        #[test]
        fn bits_at_a_time_are_numbers_one_by_one(
            parts in prop::collection::vec((any::<u64>(), 1..=64u32, prop_oneof![20 => Just(None), 1 => (0..5u32).prop_map(Some)]), 0..20),
        ) {
            let (mut builder, mut numbers) = (CodesBuilder::default(), Vec::new());
            for (bits, count, between) in parts {
                let bits = bits & (u64::MAX >> (64 - count));
                builder.push_bits(bits, count);
                numbers.extend((0..count).map(|at| (bits >> at & 1) as u32));
                between.iter().for_each(|&number| builder.push(number));
                numbers.extend(between);
            }
            prop_assert_eq!(builder.finish(), numbers.into_iter().collect::<Codes>());
        }
    }
}
