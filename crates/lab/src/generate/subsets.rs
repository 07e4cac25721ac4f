//! Every split as a test: the best strategy is Huffman's code.

use super::error::require;
use super::{GenerateError, Prior, draft};
use fewest_model::{Labels, Table};

/// Most objects: 16 have 32,767 splits.
const MOST_OBJECTS: u32 = 16;

/// Objects `a`, `b`, … and all 2^(M−1) − 1 ways to split them in two as tests. Each test is named by the objects that
/// answer `yes`; the last object is never among them.
///
/// Any binary tree is a strategy, so the least expected cost is that of Huffman's code for the prior, the least
/// exponential cost that of the exponential Huffman code, and the least worst cost ⌈log₂ M⌉
/// [Huffman1952; specification section 9].
#[derive(Clone, Debug, PartialEq)]
pub struct Subsets {
    /// Number of objects, from 1 to 16.
    pub objects: u32,
    /// Priors of the objects.
    pub prior: Prior,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Subsets {
    fn default() -> Self {
        Self { objects: 8, prior: Prior::default(), seed: 0 }
    }
}

impl Subsets {
    /// Makes the table.
    ///
    /// # Errors
    /// When there are no objects or more than 16, or the prior is out of range.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        let fits = (1..=MOST_OBJECTS).contains(&self.objects);
        require(fits, "the number of objects", f64::from(self.objects), "from 1 to 16")?;
        let prior = self.prior.column(self.objects, self.seed)?;
        let mut objects = Labels::default();
        (0..self.objects).for_each(|object| {
            objects.push(&letters(1 << object));
        });
        let split = |set| draft::yes_no(&letters(set), self.objects, |object| set >> object & 1 == 1);
        let tests = (1..1 << (self.objects - 1)).map(split).collect();
        Ok(draft::table(objects, None, prior, tests))
    }
}

/// Names of the objects whose bits are in `set`, one after the other.
fn letters(set: u32) -> String {
    (0..MOST_OBJECTS as u8).filter(|bit| set >> bit & 1 == 1).map(|bit| char::from(b'a' + bit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_objects_have_three_splits() {
        let prior = Prior::Weights(vec![5.0, 3.0, 2.0]);
        let table = Subsets { objects: 3, prior, seed: 0 }.generate().unwrap();
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["prior", "a", "b", "ab"]);
        assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(table.columns[3].codes.iter().collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn sizes_from_one_to_sixteen_are_made() {
        for (objects, tests) in [(1, 0), (2, 1), (16, 32_767)] {
            let table = Subsets { objects, ..Subsets::default() }.generate().unwrap();
            assert_eq!((table.objects.len(), table.columns.len()), (objects as usize, tests));
        }
        for objects in [0, 17] {
            assert!(Subsets { objects, ..Subsets::default() }.generate().is_err());
        }
    }
}
