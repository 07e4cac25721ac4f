//! Numbered texts in one allocation instead of one each.

use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Texts numbered from 0 in order of arrival.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    text: String,
    ends: Ends,
}

impl Labels {
    /// Number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Length of all texts together, in bytes.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Returns the text of number `index`.
    ///
    /// # Panics
    /// When there is no such text.
    pub fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends.get(index - 1) };
        &self.text[start..self.ends.get(index)]
    }

    /// Adds a text and returns its number; the text may be equal to an earlier one.
    pub fn push(&mut self, text: &str) -> usize {
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.ends.len() - 1
    }

    /// All texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Finds the number of `text` by linear search.
    pub fn find(&self, text: &str) -> Option<usize> {
        self.iter().position(|label| label == text)
    }

    /// Finds the first text that is equal to an earlier one, as `(earlier, later)`.
    ///
    /// Names are often numbered: if each is longer than the one before, or as long and greater, all differ. Otherwise
    /// hashes are sorted rather than kept in a hash table: this takes less memory and no random access.
    ///
    /// ```
    /// let labels: fewest_model::Labels = ["hen", "owl", "bear", "owl", "hen"].into_iter().collect();
    /// assert_eq!(labels.first_double(), Some((1, 3)));
    /// ```
    pub fn first_double(&self) -> Option<(usize, usize)> {
        const NUMBER: u64 = u32::MAX as u64;
        if self.iter().zip(self.iter().skip(1)).all(|(left, right)| (left.len(), left) < (right.len(), right))
        {
            return None;
        }
        let hasher = hashbrown::DefaultHashBuilder::default();
        // Upper half of the hash and the number in one word.
        let word = |(number, text): (u64, &str)| hasher.hash_one(text) & !NUMBER | number;
        let mut words: Vec<u64> = (0..).zip(self.iter()).map(word).collect();
        words.sort_unstable();
        let number = |word: &u64| (word & NUMBER) as usize;
        let suspects = words.chunk_by(|left, right| left & !NUMBER == right & !NUMBER);
        let doubles = suspects.filter(|words| words.len() > 1).filter_map(|words| {
            (1..words.len()).find_map(|at| {
                let later = number(&words[at]);
                let same = |earlier: &usize| self.get(*earlier) == self.get(later);
                words[..at].iter().map(number).find(same).map(|earlier| (earlier, later))
            })
        });
        doubles.min_by_key(|&(_, later)| later)
    }

    /// Releases unused capacity.
    pub fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

impl<'a> FromIterator<&'a str> for Labels {
    fn from_iter<I: IntoIterator<Item = &'a str>>(texts: I) -> Self {
        let mut labels = Self::default();
        for text in texts {
            labels.push(text);
        }
        labels
    }
}

/// Ends of the texts: 32 bits each as long as that suffices, since names are many and short.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ends {
    Near(Vec<u32>),
    Far(Vec<usize>),
}

impl Default for Ends {
    fn default() -> Self {
        Self::Near(Vec::new())
    }
}

impl Ends {
    fn len(&self) -> usize {
        match self {
            Self::Near(ends) => ends.len(),
            Self::Far(ends) => ends.len(),
        }
    }

    #[inline]
    fn get(&self, index: usize) -> usize {
        match self {
            Self::Near(ends) => ends[index] as usize,
            Self::Far(ends) => ends[index],
        }
    }

    fn push(&mut self, end: usize) {
        match (&mut *self, u32::try_from(end)) {
            (Self::Near(ends), Ok(end)) => ends.push(end),
            (Self::Near(ends), Err(_)) => {
                *self = Self::Far(ends.iter().map(|&end| end as usize).chain([end]).collect());
            }
            (Self::Far(ends), _) => ends.push(end),
        }
    }

    fn shrink_to_fit(&mut self) {
        match self {
            Self::Near(ends) => ends.shrink_to_fit(),
            Self::Far(ends) => ends.shrink_to_fit(),
        }
    }
}

/// Labels under construction: equal texts get one number, in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    labels: Labels,
    /// Hash and number of each text; the hash is stored so that growing the table need not read the texts again.
    numbers: HashTable<(u32, u32)>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl Interner {
    /// Returns the number of `text`; it is new if it equals the number of texts before the call.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hash = self.hash(text);
        if let Some(number) = self.find(hash, text) {
            return number;
        }
        let number = u32::try_from(self.labels.push(text)).expect("fewer than 2^32 texts in a column");
        self.numbers.insert_unique(spread(hash), (hash, number), |&(hash, _)| spread(hash));
        number
    }

    /// Returns the number of `text`, if it was interned before.
    pub fn get(&self, text: &str) -> Option<u32> {
        self.find(self.hash(text), text)
    }

    fn find(&self, hash: u32, text: &str) -> Option<u32> {
        let is_text =
            |&(other, number): &(u32, u32)| other == hash && self.labels.get(number as usize) == text;
        self.numbers.find(spread(hash), is_text).map(|&(_, number)| number)
    }

    fn hash(&self, text: &str) -> u32 {
        // The lower half is as random as the whole hash.
        self.hasher.hash_one(text) as u32
    }

    /// Texts so far.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Returns the texts; no more can be added.
    pub fn finish(mut self) -> Labels {
        self.labels.shrink_to_fit();
        self.labels
    }
}

/// Repeats the hash in both halves of a word: a hash table chooses the bucket by the lower bits and compares the
/// upper ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_may_end_beyond_32_bits() {
        let mut ends = Ends::default();
        let all = [0, 7, u32::MAX as usize, u32::MAX as usize + 1, 1 << 40];
        for (at, &end) in all.iter().enumerate() {
            ends.push(end);
            assert!(ends.len() == at + 1 && (0..=at).all(|at| ends.get(at) == all[at]));
        }
    }

    #[test]
    fn the_double_that_comes_first_is_found_among_many() {
        let mut names: Vec<String> = (0..10_000).map(|number| format!("o{number}")).collect();
        let first_double =
            |names: &[String]| names.iter().map(String::as_str).collect::<Labels>().first_double();
        assert_eq!(first_double(&names), None);
        names.extend(["o77", "o5", "o77", "o3"].map(str::to_owned));
        assert_eq!(first_double(&names), Some((77, 10_000)));
        assert_eq!(first_double(&[String::new(), String::new(), String::new()]), Some((0, 1)));
    }

    #[test]
    fn equal_texts_share_a_number_in_order_of_first_appearance() {
        let mut interner = Interner::default();
        let numbers: Vec<u32> = ["no", "yes", "no", "", "yes"].map(|text| interner.intern(text)).to_vec();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(interner.get("yes"), Some(1));
        assert_eq!(interner.get("maybe"), None);
        assert_eq!(interner.finish().iter().collect::<Vec<_>>(), ["no", "yes", ""]);
    }
}
