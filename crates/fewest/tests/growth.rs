//! Growing a tree from sums over all tests gives the tree that counting test by test gives.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod common;

use common::*;
use fewest::builder::unfold;
use fewest::criterion::{CATALOGUE, Settings};
use fewest::generate::Beta;
use fewest::{Greedy, Instance, Limit, Policy, Reading, Tree};
use proptest::prelude::*;

/// The tree of a policy that looks at one test after the other.
fn slowly(instance: &Instance, greedy: &Greedy<'_>) -> Tree {
    Tree::unfold(instance, |level| Some(level.iter().map(|candidates| greedy.next(candidates)).collect()))
        .unwrap()
}

fn grows_alike(instance: &Instance, lambdas: &[f64]) -> Result<(), TestCaseError> {
    for entry in CATALOGUE {
        let lambdas = if entry.uses_lambda { lambdas } else { &lambdas[..1] };
        for (value, blind) in lambdas.iter().flat_map(|value| [(*value, false), (*value, true)]) {
            let settings = Settings { lambda: lambda(value), identify: instance.identify() };
            let criterion = (entry.make)(settings);
            let greedy = Greedy::new(instance, criterion.as_ref(), blind);
            let grown = unfold(instance, &greedy, &Limit::none()).unwrap();
            prop_assert_eq!(grown, slowly(instance, &greedy), "{} at λ = {}", entry.name, value);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn any_table_grows_alike(sample in samples(40)) {
        grows_alike(&sample.instance(), &LAMBDAS)?;
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn tables_of_the_random_model_grow_alike(
        objects in 2u32..400, tests in prop_oneof![20u32..90, 250u32..300], groups in 0u32..12,
        high in 0.6f64..1.0, delta in prop_oneof![Just(0.0), 0.1f64..3.0], seed: u64,
    ) {
        let groups = (groups > 0).then_some(groups.min(objects));
        let beta = Beta { objects, tests, groups, gamma_w: 0.5..=high, delta, seed, ..Beta::default() };
        let Ok(table) = beta.generate() else { return Ok(()) };
        grows_alike(&Instance::new(table, &Reading::default()).unwrap().0, &[2.0, 1.2, f64::INFINITY])?;
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    // So many that the runs of one node are shared, too; with equal and with different weights.
    for delta in [0.0, 1.0] {
        let beta = Beta { objects: 70_000, tests: 40, groups: Some(5), delta, seed: 3, ..Beta::default() };
        let instance = Instance::new(beta.generate().unwrap(), &Reading::default()).unwrap().0;
        let grown = |threads: usize, name: &str| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| grow(&instance, name, lambda(2.0), false))
        };
        for name in ["ggbs", "ec2", "lambda-gbs"] {
            assert_eq!(grown(1, name), grown(3, name), "{name}");
        }
    }
}
