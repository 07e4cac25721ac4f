//! Priors that halve: expected and worst cost have different optima.

use super::error::require;
use super::{GenerateError, draft, zipf};
use fewest_model::{Column, ColumnBuilder, Table};

/// Most objects: with more, a prior would be below the smallest normal number.
const MOST_OBJECTS: u32 = 1000;

/// Objects with priors 2^-1, 2^-2, …, 2^-(M-1), 2^-(M-1), the tests `is 1` to `is M` that each single out one object,
/// and the tests `bit 1`, `bit 2`, … that halve all objects.
///
/// Asking for one object after the other is Huffman's tree: expected cost 2 − 2^(2−M), worst cost M − 1. Halving
/// needs ⌈log₂ M⌉ questions at worst, and as many on average. Between the two is a front of many strategies
/// (specification section 9).
#[derive(Clone, Debug, PartialEq)]
pub struct Dyadic {
    /// Number of objects.
    pub objects: u32,
}

impl Default for Dyadic {
    fn default() -> Self {
        Self { objects: 16 }
    }
}

impl Dyadic {
    /// Makes the table.
    ///
    /// # Errors
    /// When there are no objects or too many.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        let fits = (1..=MOST_OBJECTS).contains(&self.objects);
        require(fits, "the number of objects", f64::from(self.objects), "from 1 to 1000")?;
        let is = |one| draft::yes_no(&format!("is {}", one + 1), self.objects, |object| object == one);
        let bit =
            |bit| draft::yes_no(&format!("bit {}", bit + 1), self.objects, |object| object >> bit & 1 == 1);
        let bits = self.objects.next_power_of_two().trailing_zeros();
        let tests = (0..self.objects).map(is).chain((0..bits).map(bit)).collect();
        Ok(draft::table(draft::numbered("", self.objects), None, Some(self.prior()), tests))
    }

    fn prior(&self) -> Column {
        let mut column = ColumnBuilder::new("prior", draft::UNPLACED);
        for object in 1..=self.objects {
            // The last two have equal weights.
            let halvings = object.min(self.objects.saturating_sub(1));
            column.push(&zipf::weight_text(2f64.powi(-(halvings as i32))));
        }
        column.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest::Limit;
    use fewest::front::front;
    use fewest_model::{Instance, Reading};

    #[test]
    fn expected_and_worst_cost_pull_apart() {
        for (objects, bits) in [(4, 2.0), (9, 4.0), (16, 4.0), (33, 6.0)] {
            let table = Dyadic { objects }.generate().unwrap();
            let instance = Instance::new(table, &Reading::default()).unwrap().0;
            let points = front(&instance, &Limit::none()).points;
            let (first, last) = (points[0].costs, points[points.len() - 1].costs);
            assert_eq!(first.worst, bits, "{objects} objects can be halved");
            assert!(
                (last.expected - (2.0 - 2f64.powi(2 - objects as i32))).abs() < 1e-9,
                "{objects}: {last:?}"
            );
            assert_eq!(last.worst, f64::from(objects - 1));
            // Asking for the first few and halving the rest: each further question in the worst case lowers the
            // average.
            assert!(objects < 9 || points.len() > 3, "{objects} objects: {} points", points.len());
        }
    }

    #[test]
    fn sizes_that_no_prior_fits_are_refused() {
        assert!(Dyadic { objects: 0 }.generate().is_err() && Dyadic { objects: 1001 }.generate().is_err());
        for objects in [1, 2, 1000] {
            let table = Dyadic { objects }.generate().unwrap();
            assert_eq!(Instance::new(table, &Reading::default()).unwrap().0.object_count(), objects as usize);
        }
    }
}
