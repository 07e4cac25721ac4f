//! Figure 7: exponential cost against λ, for uneven priors.

use super::{Cell, Quantity, Study, StudyError, affordable_bound, instance_of, optimum, text};
use crate::generate::Beta;
use fewest::bound::ObjectiveKind;
use fewest::criterion::Settings;
use fewest::measure::{Order, renyi_bits};
use fewest::{Goal, Greedy, Limit, Method, algorithms, builder::unfold, find_algorithm, trials};
use fewest_model::{Costs, Instance, Lambda, Objective, Tree};

/// Exponential cost of every algorithm for many λ, with priors `j^-δ` in random order, compared with the Rényi bound
/// [BellalaBhavnaniScott2010, Figure 7], with the best bound that fewest can prove and, if asked for, with the
/// optimum.
///
/// Every object is its own group and gives its group's answer, so γ_w is 1; γ_b is uniform on [1/2, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct ExponentialStudy {
    /// Number of objects of a data set.
    pub objects: u32,
    /// Number of tests of a data set.
    pub tests: u32,
    /// Number of data sets for each δ.
    pub datasets: u32,
    /// Whether to prove the optimum of every data set at every λ; only for small ones.
    pub optimum: bool,
}

/// Exponents δ of the priors.
const DELTAS: [f64; 4] = [0.5, 1.0, 1.5, 2.0];

/// Values of λ, from the expected cost almost to the worst cost.
const LAMBDAS: [f64; 12] = [1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6];

impl Default for ExponentialStudy {
    fn default() -> Self {
        Self { objects: 400, tests: 200, datasets: 100, optimum: false }
    }
}

impl ExponentialStudy {
    /// Study with data sets so small that the optimum of each is proved.
    pub fn small(datasets: u32) -> Self {
        Self { objects: 16, tests: 16, datasets, optimum: true }
    }

    fn series(&self) -> Vec<&'static str> {
        // Objects are identified, so ggbs is gbs and lambda-ggbs is lambda-gbs.
        let own = |name: &&str| !matches!(*name, "ggbs" | "lambda-ggbs");
        let names = algorithms().into_iter().map(|algorithm| algorithm.name).filter(own);
        names.chain(["best", "renyi", "bound"]).chain(self.optimum.then_some("optimum")).collect()
    }
}

impl Study for ExponentialStudy {
    fn name(&self) -> &'static str {
        if self.optimum { "figure7-optimum" } else { "figure7" }
    }

    fn parameters(&self) -> String {
        format!("objects {} tests {}", self.objects, self.tests)
    }

    fn cells(&self) -> Vec<Cell> {
        DELTAS.into_iter().map(|delta| vec![("delta", text(delta))]).collect()
    }

    fn inner_axis(&self) -> Option<&'static str> {
        Some("lambda")
    }

    fn quantities(&self) -> Vec<Quantity> {
        let at = |lambda: f64| {
            let quantity = move |name: &str| Quantity { series: name.to_owned(), at: Some(lambda) };
            self.series().into_iter().map(quantity).collect::<Vec<_>>()
        };
        LAMBDAS.into_iter().flat_map(at).collect()
    }

    fn datasets(&self) -> u32 {
        self.datasets
    }

    fn sample(&self, cell: usize, seed: u64) -> Result<Vec<f64>, StudyError> {
        let Self { objects, tests, .. } = *self;
        let (delta, gamma_w) = (DELTAS[cell], 1.0..=1.0);
        let model = Beta { objects, tests, groups: None, gamma_w, delta, seed, ..Beta::default() };
        let instance = instance_of(model.generate()?)?;
        // Trees that do not depend on λ are built once.
        let trials = trials(&instance, &Goal::default(), &Limit::none());
        let values = LAMBDAS.into_iter().flat_map(|value| {
            let lambda = Lambda::new(value).expect("the list holds numbers from 1 on");
            let own = lambda_gbs(&instance, lambda);
            let mut costs: Vec<f64> = Vec::new();
            for series in self.series() {
                let tree = match series {
                    "lambda-gbs" => Some(&own),
                    _ => trials.iter().find(|trial| trial.origin.name() == series).map(|trial| &trial.tree),
                };
                costs.extend(tree.map(|tree| Costs::of(tree, &instance, lambda).exponential));
            }
            costs.push(costs.iter().copied().fold(f64::INFINITY, f64::min));
            let weights = instance.objects().map(|object| instance.weight(object));
            costs.push(renyi_bits(weights, instance.total_weight(), Order::new(lambda, 1.0)));
            costs.push(affordable_bound(&instance, lambda, ObjectiveKind::Exponential));
            if self.optimum {
                let known = trials.iter().map(|trial| &trial.tree).chain([&own]).collect();
                costs.push(optimum(&instance, Objective::Exponential(lambda), known));
            }
            costs
        });
        Ok(values.collect())
    }
}

fn lambda_gbs(instance: &Instance, lambda: Lambda) -> Tree {
    let method = find_algorithm("lambda-gbs").map(|algorithm| algorithm.method);
    let Some(Method::Criterion(make)) = method else { unreachable!("lambda-gbs is a criterion") };
    let criterion = make(Settings { lambda, identify: instance.identify() });
    let policy = Greedy::new(instance, criterion.as_ref(), false);
    unfold(instance, &policy, &Limit::none()).expect("there is no limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_rise_with_lambda_and_keep_above_their_bounds() {
        let study = ExponentialStudy { objects: 12, tests: 10, ..ExponentialStudy::small(1) };
        let series = study.series();
        let at = |name: &str| series.iter().position(|series| *series == name).unwrap();
        for cell in 0..DELTAS.len() {
            let values = study.sample(cell, 5).unwrap();
            assert_eq!(values.len(), study.quantities().len());
            let lines: Vec<&[f64]> = values.chunks(series.len()).collect();
            for line in &lines {
                assert!(line[at("renyi")] <= line[at("bound")] + 1e-9, "{line:?}");
                assert!(line[at("bound")] <= line[at("optimum")] + 1e-9, "{line:?}");
                assert!(line[at("optimum")] <= line[at("best")] + 1e-12, "{line:?}");
                assert!(line[at("best")] <= line[at("lambda-gbs")], "{line:?}");
            }
            for name in ["gbs", "gbs-uniform", "dectree", "optimum", "renyi"] {
                assert!(lines.windows(2).all(|pair| pair[0][at(name)] <= pair[1][at(name)] + 1e-9), "{name}");
            }
            // At λ = 1 the exponential cost is the expected one, and lambda-gbs is gbs.
            assert_eq!(lines[0][at("lambda-gbs")], lines[0][at("gbs")]);
        }
    }
}
