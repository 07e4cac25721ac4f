//! One test for each object: a strategy is an order of the tests.

use super::error::require_size;
use super::{GenerateError, Prior, TestCosts, draft};
use fewest_model::Table;

/// Objects `1` to `M`, and a test for each that has its name and that only this object answers by `yes`.
///
/// A strategy asks one test after the other until an answer is yes or a single object is left. For a given last
/// object, exchanging neighbours shows that the others are best asked by falling prior/cost. The best last object is
/// one of M, so the least expected cost takes M sorted sums. The least worst cost is that of all tests except the
/// most expensive one. Read with `--confirm`, the last object must be asked for too, and the order is simply that of
/// prior/cost [Mitten1960, the least-cost testing sequence].
#[derive(Clone, Debug, PartialEq)]
pub struct Singletons {
    /// Number of objects.
    pub objects: u32,
    /// Priors of the objects.
    pub prior: Prior,
    /// Costs of the tests; `None`: 1 each.
    pub costs: Option<TestCosts>,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Singletons {
    fn default() -> Self {
        Self { objects: 10, prior: Prior::Random(100), costs: Some(TestCosts::Random(10)), seed: 0 }
    }
}

impl Singletons {
    /// Makes the table.
    ///
    /// # Errors
    /// When there are no objects, too many, or a weight or cost is out of range.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        require_size(self.objects, self.objects)?;
        let prior = self.prior.column(self.objects, self.seed)?;
        let costs = self.costs.as_ref().map(|costs| costs.draw(self.objects, self.seed)).transpose()?;
        let is = |one: u32| draft::yes_no(&(one + 1).to_string(), self.objects, |object| object == one);
        let tests = (0..self.objects).map(is).collect();
        let mut table = draft::table(draft::numbered("", self.objects), None, prior, tests);
        if let Some(costs) = costs {
            draft::add_costs(&mut table, &costs);
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_object_has_its_test() {
        let prior = Prior::Weights(vec![5.0, 3.0]);
        let costs = Some(TestCosts::List(vec![0.5, 2.0]));
        let table = Singletons { objects: 2, prior, costs, seed: 0 }.generate().unwrap();
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["prior", "1", "2"]);
        assert_eq!(table.columns[2].labels.iter().collect::<Vec<_>>(), ["no", "yes"]);
        assert_eq!(table.about[0].cells, ["", "0.5", "2"]);
    }

    #[test]
    fn lists_must_fit_the_objects() {
        let with = |prior, costs| Singletons { objects: 3, prior, costs, seed: 0 }.generate().is_err();
        assert!(with(Prior::Weights(vec![1.0]), None));
        assert!(with(Prior::default(), Some(TestCosts::List(vec![1.0; 4]))));
        assert!(!with(Prior::default(), None));
    }
}
