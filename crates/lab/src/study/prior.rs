//! Cost of a wrong prior.

use super::{Cell, Quantity, Study, StudyError, instance_of, optimum, text};
use crate::generate::{Answers, Random};
use fewest::exact::{self, Switches, Task};
use fewest::measure::divergence_bits;
use fewest::random::{RandomStream, Stream};
use fewest::robustness::Spread;
use fewest::{Goal, Limit, trials};
use fewest_model::{ColumnBuilder, Costs, Lambda, Objective};

/// Trees built for a given prior p and used under a true prior q, drawn around p: `q_i ∝ p_i e^(σ z_i)` with
/// independent normal z. Measured is the expected cost under q divided by the optimum for q. Beside it is the upper
/// bound that the exponential costs of the best tree for p give for priors as far from p as q is
/// \[DonskerVaradhan1975\].
#[derive(Clone, Debug, PartialEq)]
pub struct PriorStudy {
    /// Number of data sets for each σ.
    pub datasets: u32,
}

/// Values of σ, the error of the prior.
const SIGMAS: [f64; 8] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0];

/// Algorithms whose trees are used; `optimum` is the best tree for p.
const SHOWN: [&str; 4] = ["gbs", "gbs-uniform", "lambda-gbs", "dectree"];

impl Default for PriorStudy {
    fn default() -> Self {
        Self { datasets: 100 }
    }
}

impl Study for PriorStudy {
    fn name(&self) -> &'static str {
        "prior"
    }

    fn parameters(&self) -> String {
        "objects 24 tests 24 answers 2 delta 1 lambda 2".to_owned()
    }

    fn cells(&self) -> Vec<Cell> {
        SIGMAS.into_iter().map(|sigma| vec![("sigma", text(sigma))]).collect()
    }

    fn quantities(&self) -> Vec<Quantity> {
        let names = SHOWN.into_iter().chain(["optimum", "promise", "kl_bits"]);
        names.map(|name| Quantity { series: name.to_owned(), at: None }).collect()
    }

    fn datasets(&self) -> u32 {
        self.datasets
    }

    fn sample(&self, cell: usize, seed: u64) -> Result<Vec<f64>, StudyError> {
        let answers = Answers::Uniform(2);
        let model = Random { objects: 24, tests: 24, answers, groups: None, costs: None, delta: 1.0, seed };
        let given = model.generate()?;
        let mut truth = given.clone();
        let p: Vec<f64> = {
            let instance = instance_of(given.clone())?;
            instance.objects().map(|object| instance.prior(object)).collect()
        };
        let q = drawn_around(&p, SIGMAS[cell], seed);
        let mut column = ColumnBuilder::new("prior", 0);
        q.iter().for_each(|weight| {
            column.push(&weight.to_string());
        });
        let column = column.finish();
        truth.columns.iter_mut().filter(|old| old.name == "prior").for_each(|old| *old = column.clone());
        let (given, truth) = (instance_of(given)?, instance_of(truth)?);
        let trials = trials(&given, &Goal::default(), &Limit::none());
        let least = optimum(&truth, Objective::Expected, trials.iter().map(|trial| &trial.tree).collect());
        let cost = |tree| Costs::of(tree, &truth, Lambda::TWO).expected;
        let mut values: Vec<f64> = SHOWN
            .iter()
            .filter_map(|name| trials.iter().find(|trial| trial.origin.name() == *name))
            .map(|trial| cost(&trial.tree) / least)
            .collect();
        let task = Task {
            instance: &given,
            objective: Objective::Expected,
            cap: f64::INFINITY,
            trees: trials.iter().map(|trial| &trial.tree).collect(),
            deadline: None,
            memory: super::MEMORY,
            threads: 1,
            switches: Switches::ALL,
            proof: false,
        };
        let best = exact::solve(&task, |_| true).tree.expect("without a cap there is a tree");
        let bits = divergence_bits(&q, &p);
        values.push(cost(&best) / least);
        values.push(Spread::of(&best, &given).expected_at_most(bits * std::f64::consts::LN_2) / least);
        values.push(bits);
        Ok(values)
    }
}

/// Prior `q_i ∝ p_i e^(σ z_i)`.
fn drawn_around(p: &[f64], sigma: f64, seed: u64) -> Vec<f64> {
    let mut dice = RandomStream::new(seed, Stream::Prior);
    let q: Vec<f64> = p.iter().map(|p| p * (sigma * normal(&mut dice)).exp()).collect();
    let total: f64 = q.iter().sum();
    q.iter().map(|weight| weight / total).collect()
}

/// Draws from the normal distribution, by the transform of Box and Muller.
fn normal(dice: &mut RandomStream) -> f64 {
    let radius = (-2.0 * (1.0 - dice.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * dice.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_draws_have_mean_zero_and_variance_one() {
        let mut dice = RandomStream::new(3, Stream::Prior);
        let draws: Vec<f64> = (0..40_000).map(|_| normal(&mut dice)).collect();
        let n = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / n;
        let variance = draws.iter().map(|draw| draw * draw).sum::<f64>() / n;
        // The variance of z² is 2.
        assert!(mean.abs() < 5.0 / n.sqrt(), "{mean}");
        assert!((variance - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "{variance}");
    }

    #[test]
    fn a_right_prior_costs_nothing_and_no_wrong_one_more_than_promised() {
        let study = PriorStudy::default();
        let names = study.quantities();
        let of = |values: &[f64], name: &str| {
            values[names.iter().position(|quantity| quantity.series == name).unwrap()]
        };
        for seed in 0..3 {
            let right = study.sample(0, seed).unwrap();
            assert!((of(&right, "optimum") - 1.0).abs() < 1e-9 && of(&right, "kl_bits").abs() < 1e-9);
            let wrong = study.sample(5, seed).unwrap();
            assert!(of(&wrong, "optimum") <= of(&wrong, "promise") * (1.0 + 1e-9), "{wrong:?}");
            assert!(wrong[..5].iter().all(|ratio| *ratio >= 1.0 - 1e-9), "{wrong:?}");
        }
    }
}
