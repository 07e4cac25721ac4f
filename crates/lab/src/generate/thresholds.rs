//! Objects on a line, and tests that cut it: is x beyond this position?

use super::error::require_size;
use super::{GenerateError, Prior, draft};
use fewest_model::{Column, Table};

/// Objects 1 to M on a line and the tests `x > 1` to `x > M-1`, each answered `no` or `yes`.
///
/// Every strategy is a binary search tree with the objects as leaves, so the least expected cost is that of the best
/// alphabetic tree for the prior: the optimum is known by other means [HuTucker1971, optimal alphabetic trees].
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// Number of objects.
    pub objects: u32,
    /// Priors of the objects, from left to right.
    pub prior: Prior,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { objects: 100, prior: Prior::default(), seed: 0 }
    }
}

impl Thresholds {
    /// Makes the table.
    ///
    /// # Errors
    /// When there are no objects, too many, or the prior is out of range.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        require_size(self.objects, self.objects.saturating_sub(1))?;
        let prior = self.prior.column(self.objects, self.seed)?;
        let tests = (1..self.objects).map(|place| self.cut(place)).collect();
        Ok(draft::table(draft::numbered("", self.objects), None, prior, tests))
    }

    /// Test `x > place`.
    fn cut(&self, place: u32) -> Column {
        draft::yes_no(&format!("x > {place}"), self.objects, |object| object >= place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_objects_have_three_cuts() {
        let table = Thresholds { objects: 4, ..Thresholds::default() }.generate().unwrap();
        assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["1", "2", "3", "4"]);
        let cells = |column: &Column| {
            column.codes.iter().map(|code| column.labels.get(code as usize)).collect::<Vec<_>>().join(" ")
        };
        let columns: Vec<String> =
            table.columns.iter().map(|column| format!("{}: {}", column.name, cells(column))).collect();
        assert_eq!(columns, ["x > 1: no yes yes yes", "x > 2: no no yes yes", "x > 3: no no no yes"]);
    }

    #[test]
    fn one_object_has_no_cut() {
        let table = Thresholds { objects: 1, ..Thresholds::default() }.generate().unwrap();
        assert_eq!((table.objects.len(), table.columns.len()), (1, 0));
    }

    #[test]
    fn a_falling_prior_is_a_column_of_its_own() {
        let table = Thresholds { objects: 9, prior: Prior::Zipf(1.0), seed: 4 }.generate().unwrap();
        assert_eq!(table.columns[0].name, "prior");
        assert_eq!(table.columns.len(), 9);
    }

    #[test]
    fn impossible_settings_are_refused() {
        let of = |objects, delta| {
            Thresholds { objects, prior: Prior::Zipf(delta), seed: 0 }.generate().unwrap_err()
        };
        assert!(matches!(of(0, 0.0), GenerateError::Parameter { name: "the number of objects", .. }));
        assert!(matches!(of(3, f64::NAN), GenerateError::Parameter { name: "delta", .. }));
        assert!(matches!(of(200_000, 0.0), GenerateError::TooLarge { tests: 199_999, .. }));
    }
}
