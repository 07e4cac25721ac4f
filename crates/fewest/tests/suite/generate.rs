//! Families whose optimum is known by other means: brute force finds the same numbers in the tables made of them, and
//! every algorithm's tree for them passes the checker.

use crate::common::{close, grow, lambda, optimum};
use fewest::{Certificate, Costs, Instance, Lambda, Objective, Reading, Table, check};
use fewest_lab::generate::{
    Coins, Dyadic, Mastermind, Prior, Singletons, Sorting, Subsets, TestCosts, Thresholds,
};

fn read(table: Table) -> Instance {
    Instance::new(table, &Reading::default()).unwrap().0
}

/// Lists of weights: equal, falling, rising, with zeros, with ties.
const WEIGHTS: [&[f64]; 6] = [
    &[1.0, 1.0, 1.0, 1.0, 1.0],
    &[16.0, 8.0, 4.0, 2.0, 1.0, 1.0],
    &[1.0, 2.0, 4.0, 8.0],
    &[0.0, 3.0, 0.0, 1.0, 5.0],
    &[9.0, 1.0, 9.0, 1.0, 9.0, 1.0, 9.0],
    &[3.0],
];

#[test]
fn every_algorithm_deals_with_every_family() {
    let tables = [
        Sorting { items: 4 }.generate(),
        Mastermind { pegs: 3, colors: 3 }.generate(),
        Coins { coins: 5, genuine: true }.generate(),
        Subsets { objects: 6, prior: Prior::Zipf(1.0), seed: 1 }.generate(),
        Singletons::default().generate(),
        Thresholds { objects: 12, prior: Prior::Random(9), seed: 2 }.generate(),
        Dyadic { objects: 9 }.generate(),
    ];
    for table in tables {
        let instance = read(table.unwrap());
        for (name, lambda, blind) in crate::common::all_ways() {
            let tree = grow(&instance, name, lambda, blind);
            let costs = Some(Costs::of(&tree, &instance, Lambda::TWO));
            check(&instance, &tree, &Certificate { costs, ..Certificate::default() }).unwrap();
        }
    }
}

#[test]
fn sorting_takes_the_known_numbers_of_comparisons() {
    // Knuth, The Art of Computer Programming 3, section 5.3.1: least sums of depths and least worst cases.
    for (items, sum, worst) in [(2, 2.0 / 2.0, 1.0), (3, 16.0 / 6.0, 3.0), (4, 112.0 / 24.0, 5.0)] {
        let instance = read(Sorting { items }.generate().unwrap());
        assert!(close(optimum(&instance, Objective::Expected), sum), "{items} items");
        assert_eq!(optimum(&instance, Objective::Worst), worst, "{items} items");
    }
}

#[test]
fn coins_take_the_known_numbers_of_weighings() {
    // (3^w − 3)/2 coins in w weighings: 3 in two, up to 12 in three.
    for (coins, genuine, worst) in
        [(3, false, 2.0), (3, true, 2.0), (4, false, 3.0), (4, true, 3.0), (5, true, 3.0)]
    {
        let instance = read(Coins { coins, genuine }.generate().unwrap());
        assert_eq!(optimum(&instance, Objective::Worst), worst, "{coins} coins");
    }
}

/// Least Σ w · depth over binary trees, by merging the two lightest.
fn huffman(weights: &[f64]) -> f64 {
    let (mut weights, mut sum) = (weights.to_vec(), 0.0);
    while weights.len() > 1 {
        weights.sort_by(|left, right| right.total_cmp(left));
        let pair = weights.pop().unwrap() + weights.pop().unwrap();
        sum += pair;
        weights.push(pair);
    }
    sum
}

#[test]
fn all_splits_make_huffmans_code() {
    for weights in WEIGHTS {
        let objects = weights.len() as u32;
        let instance =
            read(Subsets { objects, prior: Prior::Weights(weights.to_vec()), seed: 0 }.generate().unwrap());
        let total: f64 = weights.iter().sum();
        assert!(close(optimum(&instance, Objective::Expected), huffman(weights) / total), "{weights:?}");
        let worst = f64::from(objects.next_power_of_two().trailing_zeros());
        assert_eq!(optimum(&instance, Objective::Worst), worst, "{weights:?}");
        // The largest λ: the worst of the objects with positive weight may be better than that of all.
        let exponential = optimum(&instance, Objective::Exponential(lambda(2.0)));
        assert!(
            exponential >= optimum(&instance, Objective::Expected) - 1e-12 && exponential <= worst + 1e-12
        );
    }
}

/// Least Σ w · depth over binary trees whose leaves keep their order: the best cut of every interval.
fn alphabetic(weights: &[f64]) -> f64 {
    let n = weights.len();
    let mut best = vec![vec![0.0; n + 1]; n + 1];
    for length in 2..=n {
        for from in 0..=n - length {
            let to = from + length;
            let cut = (from + 1..to).map(|cut| best[from][cut] + best[cut][to]).fold(f64::INFINITY, f64::min);
            best[from][to] = cut + weights[from..to].iter().sum::<f64>();
        }
    }
    best[0][n]
}

#[test]
fn thresholds_make_the_alphabetic_tree() {
    for weights in WEIGHTS {
        let objects = weights.len() as u32;
        let table =
            Thresholds { objects, prior: Prior::Weights(weights.to_vec()), seed: 0 }.generate().unwrap();
        let total: f64 = weights.iter().sum();
        assert!(
            close(optimum(&read(table), Objective::Expected), alphabetic(weights) / total),
            "{weights:?}"
        );
    }
}

/// Least Σ p · spent of asking for one object after the other.
///
/// Exchanging two neighbours of an order shows that a larger p/c goes first; the object that is never asked, because
/// it is the only one left, pays for all others.
fn sequential(weights: &[f64], costs: &[f64]) -> f64 {
    let in_order = |last: usize| {
        let mut others: Vec<usize> = (0..weights.len()).filter(|object| *object != last).collect();
        others.sort_by(|&i, &j| (weights[j] * costs[i]).total_cmp(&(weights[i] * costs[j])));
        let (mut spent, mut sum) = (0.0, 0.0);
        for object in others {
            spent += costs[object];
            sum += weights[object] * spent;
        }
        sum + weights[last] * spent
    };
    (0..weights.len()).map(in_order).fold(f64::INFINITY, f64::min) / weights.iter().sum::<f64>()
}

#[test]
fn one_test_an_object_makes_an_order() {
    let costs: [&[f64]; 3] =
        [&[1.0; 7], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], &[8.0, 0.5, 3.0, 3.0, 9.0, 0.25, 2.0]];
    for weights in WEIGHTS {
        for costs in costs.map(|costs| &costs[..weights.len()]) {
            let table = Singletons {
                objects: weights.len() as u32,
                prior: Prior::Weights(weights.to_vec()),
                costs: Some(TestCosts::List(costs.to_vec())),
                seed: 0,
            };
            let instance = read(table.generate().unwrap());
            let least = optimum(&instance, Objective::Expected);
            assert!(close(least, sequential(weights, costs)), "{weights:?} {costs:?}: {least}");
            let all_but_the_dearest = costs.iter().sum::<f64>() - costs.iter().copied().fold(0.0, f64::max);
            assert!(close(optimum(&instance, Objective::Worst), all_but_the_dearest));
        }
    }
}
