//! Set of objects.

use crate::ObjectId;

/// Set of objects, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectSet(Vec<u64>);

impl ObjectSet {
    /// Whether `object` is in the set.
    #[inline]
    pub fn contains(&self, object: ObjectId) -> bool {
        self.0.get(object.index() / 64).is_some_and(|word| word >> (object.index() % 64) & 1 == 1)
    }

    /// Adds `object`.
    pub fn insert(&mut self, object: ObjectId) {
        let word = object.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (object.index() % 64);
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

impl FromIterator<ObjectId> for ObjectSet {
    fn from_iter<T: IntoIterator<Item = ObjectId>>(objects: T) -> Self {
        let mut set = Self::default();
        objects.into_iter().for_each(|object| set.insert(object));
        set
    }
}
