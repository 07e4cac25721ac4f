//! Real tables: distance of every algorithm from the optimum, for the three costs.

use super::{Cell, Quantity, Study, StudyError};
use fewest::{Goal, Limit, algorithms, compare};
use fewest_model::{Instance, Lambda, Objective};
use std::time::Duration;

/// Table with its name.
#[derive(Clone, Debug)]
pub struct RealTable {
    /// Name of the table.
    pub name: String,
    /// Hash of the contents.
    pub fingerprint: u64,
    /// Instance of the table.
    pub instance: Instance,
}

/// Cost of every algorithm divided by the best known lower bound, which is the optimum where the search ends in time.
///
/// The algorithms run without a time limit. Where the search does not end in time, its bound and its tree depend on
/// the time limit.
#[derive(Clone, Debug)]
pub struct RealStudy {
    /// Tables of the study.
    pub tables: Vec<RealTable>,
    /// Time limit of the search for each optimum.
    pub time: Duration,
}

/// Objectives of the study: the three costs.
pub const OBJECTIVES: [Objective; 3] =
    [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)];

/// Name of an objective.
pub fn objective_name(objective: Objective) -> &'static str {
    match objective {
        Objective::Expected => "expected",
        Objective::Worst => "worst",
        Objective::Exponential(_) => "exponential",
    }
}

impl Study for RealStudy {
    fn name(&self) -> &'static str {
        "real"
    }

    fn parameters(&self) -> String {
        format!("time {} s", self.time.as_secs_f64())
    }

    fn cell_parameters(&self, cell: usize) -> String {
        let fingerprint = self.tables[cell / OBJECTIVES.len()].fingerprint;
        format!("{} fingerprint {fingerprint:016x}", self.parameters())
    }

    fn cells(&self) -> Vec<Cell> {
        let cells = |table: &RealTable| {
            OBJECTIVES.map(|objective| {
                vec![("table", table.name.clone()), ("objective", objective_name(objective).to_owned())]
            })
        };
        self.tables.iter().flat_map(cells).collect()
    }

    fn quantities(&self) -> Vec<Quantity> {
        let names = algorithms().into_iter().map(|algorithm| algorithm.name);
        let names = names.chain(["best", "search", "bound", "proved"]);
        names.map(|name| Quantity { series: name.to_owned(), at: None }).collect()
    }

    fn datasets(&self) -> u32 {
        1
    }

    fn sample(&self, cell: usize, _seed: u64) -> Result<Vec<f64>, StudyError> {
        let instance = &self.tables[cell / OBJECTIVES.len()].instance;
        let objective = OBJECTIVES[cell % OBJECTIVES.len()];
        let goal = Goal::default().with_objective(objective);
        // All algorithms run without a time limit; only the search is limited.
        let trials = fewest::trials(instance, &goal, &Limit::none());
        let (_, outcome) = compare(instance, &goal, &Limit::time(self.time), |_| ());
        let mut costs: Vec<f64> = trials.iter().map(|trial| trial.costs.get(objective)).collect();
        costs.push(costs.iter().copied().fold(f64::INFINITY, f64::min));
        costs.push(outcome.costs.get(objective));
        let bound = outcome.bound.value;
        let ratio = |cost: f64| if bound > 0.0 { cost / bound } else { 1.0 };
        let mut values: Vec<f64> = costs.into_iter().map(ratio).collect();
        values.extend([bound, f64::from(u8::from(outcome.optimal))]);
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure;
    use super::*;
    use fewest_model::{Reading, Table};

    #[test]
    fn ratios_of_an_example_that_is_known() {
        // E1 of the specification: the optimum is 1 for all three costs, gbs takes 1.5, 2 and log2 3.
        let table = Table::from_rows(&[
            &["object", "group", "q1", "q2", "q3"],
            &["a", "1", "0", "1", "1"],
            &["b", "1", "1", "1", "0"],
            &["c", "1", "0", "1", "0"],
            &["d", "2", "1", "0", "0"],
        ]);
        let instance = Instance::new(table, &Reading::default()).unwrap().0;
        let table = RealTable { name: "e1".to_owned(), fingerprint: 1, instance };
        let study = RealStudy { tables: vec![table], time: Duration::from_secs(60) };
        for (cell, gbs) in [(0, 1.5), (1, 2.0), (2, 3f64.log2())] {
            let values = measure(&study, cell, 0).unwrap();
            let of = |name: &str| values.iter().find(|value| value.series == name).unwrap().estimate.mean;
            assert!((of("gbs") - gbs).abs() < 1e-9, "{values:?}");
            assert_eq!((of("ggbs"), of("search"), of("bound"), of("proved")), (1.0, 1.0, 1.0, 1.0));
        }
    }
}
