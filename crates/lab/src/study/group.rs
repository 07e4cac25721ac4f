//! Figure 6: number of questions to identify the group, for tests of every strength.

use super::{BETAS, Cell, Quantity, Study, StudyError, affordable_bound, instance_of, optimum, text};
use crate::generate::Beta;
use fewest::bound::ObjectiveKind;
use fewest::measure::entropy_bits;
use fewest::{Goal, Limit, algorithms, trials};
use fewest_model::{Lambda, Objective};

/// Expected questions of every algorithm in the papers' random model, for all pairs of β, compared with the entropy
/// of the groups [BellalaBhavnaniScott2010, Figure 6], with the best bound that fewest can prove and, if asked for,
/// with the optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupStudy {
    /// Number of objects of a data set.
    pub objects: u32,
    /// Number of tests of a data set.
    pub tests: u32,
    /// Number of groups of a data set.
    pub groups: u32,
    /// Number of data sets for each pair of β.
    pub datasets: u32,
    /// Whether to prove the optimum of every data set; only for small ones.
    pub optimum: bool,
}

impl Default for GroupStudy {
    /// Returns the study of the papers.
    fn default() -> Self {
        Self { objects: 400, tests: 200, groups: 15, datasets: 100, optimum: false }
    }
}

impl GroupStudy {
    /// Study with data sets so small that the optimum of each is proved.
    pub fn small(datasets: u32) -> Self {
        Self { objects: 40, tests: 20, groups: 4, datasets, optimum: true }
    }
}

impl Study for GroupStudy {
    fn name(&self) -> &'static str {
        if self.optimum { "figure6-optimum" } else { "figure6" }
    }

    fn parameters(&self) -> String {
        format!("objects {} tests {} groups {}", self.objects, self.tests, self.groups)
    }

    fn cells(&self) -> Vec<Cell> {
        let pair = |beta_b| BETAS.map(|beta_w| vec![("beta_w", text(beta_w)), ("beta_b", text(beta_b))]);
        BETAS.into_iter().flat_map(pair).collect()
    }

    fn quantities(&self) -> Vec<Quantity> {
        let names =
            algorithms().into_iter().map(|algorithm| algorithm.name).chain(["best", "entropy", "bound"]);
        let names = names.chain(self.optimum.then_some("optimum"));
        names.map(|name| Quantity { series: name.to_owned(), at: None }).collect()
    }

    fn datasets(&self) -> u32 {
        self.datasets
    }

    fn sample(&self, cell: usize, seed: u64) -> Result<Vec<f64>, StudyError> {
        let (beta_b, beta_w) = (BETAS[cell / BETAS.len()], BETAS[cell % BETAS.len()]);
        let Self { objects, tests, groups, .. } = *self;
        let model = Beta { objects, tests, groups: Some(groups), beta_w, beta_b, seed, ..Beta::default() };
        let instance = instance_of(model.generate()?)?;
        let trials = trials(&instance, &Goal::default(), &Limit::none());
        let mut values: Vec<f64> = trials.iter().map(|trial| trial.costs.expected).collect();
        values.push(values.iter().copied().fold(f64::INFINITY, f64::min));
        values.push(entropy_bits(instance.group_weights().into_iter(), instance.total_weight()));
        values.push(affordable_bound(&instance, Lambda::TWO, ObjectiveKind::Expected));
        if self.optimum {
            let trees = trials.iter().map(|trial| &trial.tree).collect();
            values.push(optimum(&instance, Objective::Expected, trees));
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure;
    use super::*;

    #[test]
    fn means_agree_with_the_reference() {
        // specification section 13, whose means have a standard error of about 0.02 themselves.
        let study = GroupStudy { datasets: 12, ..GroupStudy::default() };
        for (beta_w, beta_b, gbs, ggbs) in
            [("0.5", "0.5", 8.19, 4.01), ("1", "1", 8.43, 4.52), ("8", "1", 8.66, 7.52)]
        {
            let wanted = vec![("beta_w", beta_w.to_owned()), ("beta_b", beta_b.to_owned())];
            let cell = study.cells().iter().position(|cell| *cell == wanted).unwrap();
            let values = measure(&study, cell, 1).unwrap();
            for (series, reference) in [("gbs", gbs), ("ggbs", ggbs), ("entropy", 3.88)] {
                let found = values.iter().find(|value| value.series == series).unwrap().estimate;
                let error = found.standard_error.unwrap().hypot(0.02);
                assert!(
                    (found.mean - reference).abs() <= 3.0 * error,
                    "{series}: {found:?} is far from {reference}"
                );
            }
        }
    }

    #[test]
    fn the_optimum_lies_between_the_bound_and_the_best_algorithm() {
        let study = GroupStudy { objects: 20, tests: 12, groups: 3, ..GroupStudy::small(4) };
        let cell = study.cells().len() - 1;
        for seed in 0..6 {
            let values = study.sample(cell, seed).unwrap();
            let of = |name: &str| {
                let names = study.quantities();
                values[names.iter().position(|quantity| quantity.series == name).unwrap()]
            };
            assert!(
                of("entropy") <= of("bound") + 1e-12 && of("bound") <= of("optimum") + 1e-12,
                "{values:?}"
            );
            assert!(of("optimum") <= of("best") && of("best") <= of("ggbs"), "{values:?}");
        }
    }
}
