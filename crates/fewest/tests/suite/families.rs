//! Families whose optimum is known by other means, at sizes that brute force cannot reach: the exact solver finds it
//! and proves it, and no altered proof shows more than it.

use crate::common::{Dice, close, lambda, objectives, optimum};
use fewest::exact::{Switches, Task, solve};
use fewest::measure::{exponential_huffman_lengths, huffman_lengths, least_depth, mean_length};
use fewest::{
    Certificate, Claim, Goal, Identify, Instance, Lambda, Limit, Objective, Outcome, Proof, Reading,
    StopReason, Table, build, check, find_algorithm,
};
use fewest_check::check_bound;
use fewest_lab::generate::{Mastermind, Prior, Singletons, Sorting, Subsets, TestCosts, Thresholds};

fn read(table: Table) -> Instance {
    Instance::new(table, &Reading::default()).unwrap().0
}

/// Draws whole numbers from 1 to `most`.
fn draw(dice: &mut Dice, count: u32, most: usize) -> Vec<f64> {
    (0..count).map(|_| (1 + dice.roll(most)) as f64).collect()
}

/// Checks that the best tree for `objective` costs `wanted`, that this and no more is proved, and that the checker
/// agrees.
#[track_caller]
fn assert_optimum(instance: &Instance, objective: Objective, wanted: f64) {
    let outcome = optimal(instance, objective, wanted, true);
    let proof = outcome.proof.unwrap_or_else(|| {
        // A tree that meets a bound known beforehand needs no search.
        assert_ne!(outcome.bound.name, "search");
        searched(instance, objective)
    });
    assert_eq!((proof.objective, proof.cap), (objective, f64::INFINITY));
    assert!(close(proof.value, wanted), "{} is proved of {wanted}", proof.value);
    let certificate = Certificate { costs: Some(outcome.costs), bound: Some(proof.clone()) };
    check(instance, &outcome.tree, &certificate).unwrap();
    assert_unforgeable(instance, &proof, wanted);
}

/// Checks the optimum with a proof if `proof` is true, otherwise without one, which would be too long.
#[track_caller]
fn assert_optimum_if(proof: bool, instance: &Instance, objective: Objective, wanted: f64) {
    if proof {
        return assert_optimum(instance, objective, wanted);
    }
    let outcome = optimal(instance, objective, wanted, false);
    check(instance, &outcome.tree, &Certificate { costs: Some(outcome.costs), bound: None }).unwrap();
}

/// Outcome of `--algorithm optimal`: a tree of the cost `wanted`, proved to be optimal.
#[track_caller]
fn optimal(instance: &Instance, objective: Objective, wanted: f64, proof: bool) -> Outcome {
    let goal =
        Goal::default().with_objective(objective).with_algorithm(find_algorithm("optimal")).with_proof(proof);
    let goal = goal.with_lambda(goal.lambda());
    let outcome = build(instance, &goal, &Limit::none());
    assert!(outcome.optimal && outcome.stop == StopReason::Proved && outcome.gap == 0.0, "{outcome:?}");
    let cost = outcome.costs.get(objective);
    assert!(close(cost, wanted), "{objective:?}: {cost} is not {wanted}");
    assert!(close(outcome.bound.value, wanted), "{objective:?}: {} is not {wanted}", outcome.bound.value);
    outcome
}

/// Proof that the search writes without knowing any tree.
fn searched(instance: &Instance, objective: Objective) -> Proof {
    let task = Task {
        instance,
        objective,
        cap: f64::INFINITY,
        trees: Vec::new(),
        deadline: None,
        memory: 1 << 26,
        threads: 2,
        switches: Switches::ALL,
        proof: true,
    };
    solve(&task, |_| true).proof.unwrap()
}

/// Positions of the claims of a proof that are altered, evenly over its length; fewer in a long one.
fn places(claims: usize) -> Vec<usize> {
    let count = if claims < 300 { 4 } else { 2 };
    let mut places: Vec<usize> =
        (1..=count).map(|place| (place * claims / count).saturating_sub(1)).collect();
    places.retain(|place| *place < claims);
    places.dedup();
    places
}

/// Most claims of a proof that is altered; longer ones are only verified, because altering would take minutes.
const MOST_CLAIMS: usize = 5000;

/// Checks that a proof of too much is refused however its claims are altered, and so is a claim of more than follows.
#[track_caller]
fn assert_unforgeable(instance: &Instance, proof: &Proof, wanted: f64) {
    let judged = |proof: &Proof| check_bound(instance, proof);
    // One unit of weight times one of cost, or of cost alone; logarithms have no unit.
    let scale = instance.costs().scale();
    let (unit, shown) = match proof.objective {
        Objective::Expected => (1.0, 1.0 / (instance.total_weight() * scale)),
        Objective::Worst => (1.0, 1.0 / scale),
        Objective::Exponential(_) => (1e-6, 1e-6 * wanted),
    };
    let more = |claims: Vec<Claim>| Proof { value: wanted + shown, claims, ..proof.clone() };
    assert!(judged(&more(proof.claims.clone())).is_err(), "a value beyond the claims passes");
    let objects = instance.object_count();
    let is_root =
        |claim: &Claim| claim.objects.iter().map(|word| word.count_ones()).sum::<u32>() as usize == objects;
    let count = proof.claims.len();
    if count > MOST_CLAIMS {
        return;
    }
    for at in places(count) {
        let altered = |alter: &dyn Fn(&mut Vec<Claim>)| {
            let mut claims = proof.claims.clone();
            alter(&mut claims);
            claims
        };
        let alterations = [
            altered(&|claims| claims[at].value += unit),
            altered(&|claims| drop(claims.remove(at))),
            altered(&|claims| claims[at].objects[0] ^= 1),
            altered(&|claims| claims[at].objects[(objects - 1) / 64] ^= 1 << ((objects - 1) % 64)),
            altered(&|claims| claims.truncate(at)),
            // A claim that rests on later claims is refused.
            altered(&|claims| claims.rotate_left(at + 1)),
            altered(&|claims| {
                claims[at].value += unit;
                claims.last_mut().unwrap().value += unit;
            }),
        ];
        for (which, claims) in alterations.into_iter().enumerate() {
            assert!(
                judged(&more(claims)).is_err(),
                "claim {at} of {count}, alteration {which}: more than is true"
            );
        }
        if is_root(&proof.claims[at]) {
            let claims = altered(&|claims| claims[at].value += unit);
            assert!(
                judged(&Proof { claims, ..proof.clone() }).is_err(),
                "claim {at} is about all, and passes raised"
            );
        }
    }
    // Without any claim the obvious bound is left, which is not above the true value.
    let bare = Proof { claims: Vec::new(), ..proof.clone() };
    assert!(judged(&bare).is_err() || close(bare.value, wanted));
}

/// `log_λ Σ p λ^cost`.
fn exponential(lambda: Lambda, weights: &[f64], costs: impl Iterator<Item = f64>) -> f64 {
    let sum: f64 = weights.iter().zip(costs).map(|(weight, cost)| weight * lambda.value().powf(cost)).sum();
    (sum / weights.iter().sum::<f64>()).ln() / lambda.ln()
}

#[test]
fn all_splits_make_huffmans_code() {
    let mut dice = Dice(1952);
    for (objects, weights) in [(9, vec![9, 1000]), (10, vec![9, 1000]), (11, vec![9])] {
        for most in weights {
            let weights = draw(&mut dice, objects, most);
            let table =
                Subsets { objects, prior: Prior::Weights(weights.clone()), seed: 0 }.generate().unwrap();
            let (instance, total) = (read(table), weights.iter().sum());
            let lengths = huffman_lengths(&weights, 2);
            assert_optimum(&instance, Objective::Expected, mean_length(&weights, &lengths, total));
            assert_optimum(&instance, Objective::Worst, f64::from(least_depth(objects as usize, 2)));
            for lambda in [1.2, 3.0].map(lambda) {
                let lengths = exponential_huffman_lengths(&weights, 2, lambda, 1.0);
                let wanted = exponential(lambda, &weights, lengths.iter().copied().map(f64::from));
                let proof = objects == 9 && most == 1000;
                assert_optimum_if(proof, &instance, Objective::Exponential(lambda), wanted);
            }
        }
    }
}

/// Least `Σ w depth` and `Σ w λ^depth` over binary trees whose leaves keep their order: the best cut of every
/// interval.
fn alphabetic(weights: &[f64], lambda: f64) -> (f64, f64) {
    let n = weights.len();
    let mut sums = vec![vec![0.0; n + 1]; n + 1];
    let mut powers = sums.clone();
    (0..n).for_each(|at| powers[at][at + 1] = weights[at]);
    for length in 2..=n {
        for from in 0..=n - length {
            let to = from + length;
            let least = |best: &[Vec<f64>]| {
                (from + 1..to).map(|cut| best[from][cut] + best[cut][to]).fold(f64::INFINITY, f64::min)
            };
            let (sum, power) = (least(&sums), least(&powers));
            sums[from][to] = sum + weights[from..to].iter().sum::<f64>();
            powers[from][to] = lambda * power;
        }
    }
    (sums[0][n], powers[0][n])
}

#[test]
fn thresholds_make_the_alphabetic_tree() {
    let mut dice = Dice(1971);
    for (objects, most) in [(30, 100), (37, 3), (45, 100_000), (60, 100)] {
        let weights = draw(&mut dice, objects, most);
        let table =
            Thresholds { objects, prior: Prior::Weights(weights.clone()), seed: 0 }.generate().unwrap();
        let (instance, total) = (read(table), weights.iter().sum::<f64>());
        let (sum, power) = alphabetic(&weights, 2.0);
        assert_optimum(&instance, Objective::Expected, sum / total);
        assert_optimum(&instance, Objective::Worst, f64::from(least_depth(objects as usize, 2)));
        assert_optimum(&instance, Objective::Exponential(Lambda::TWO), (power / total).log2());
    }
}

/// Least mean and exponential cost of asking for one object after the other.
///
/// Exchanging two neighbours of an order shows which goes first: the larger w/c, and for the exponential cost the
/// larger `w / (1 − λ^−c)`. The object that is never asked for, because it is the only one left, pays for all others.
fn sequential(weights: &[f64], costs: &[f64], lambda: Lambda) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let spent = |last: usize, merit: &dyn Fn(usize) -> f64| {
        let mut others: Vec<usize> = (0..weights.len()).filter(|object| *object != last).collect();
        others.sort_by(|&i, &j| merit(j).total_cmp(&merit(i)));
        let (mut spent, mut sum) = (vec![0.0; weights.len()], 0.0);
        for object in others {
            sum += costs[object];
            spent[object] = sum;
        }
        spent[last] = sum;
        spent
    };
    let all = 0..weights.len();
    let mean = all.clone().map(|last| {
        let spent = spent(last, &|object| weights[object] / costs[object]);
        weights.iter().zip(spent).map(|(weight, spent)| weight * spent).sum::<f64>() / total
    });
    let power = all.map(|last| {
        let spent = spent(last, &|object| weights[object] / (1.0 - lambda.value().powf(-costs[object])));
        exponential(lambda, weights, spent.into_iter())
    });
    (mean.fold(f64::INFINITY, f64::min), power.fold(f64::INFINITY, f64::min))
}

#[test]
fn one_test_an_object_makes_an_order() {
    let mut dice = Dice(1956);
    let lambda = lambda(1.1);
    for (objects, dearest) in [(7, 10), (12, 10), (14, 3), (16, 10), (20, 1), (25, 1)] {
        let (weights, costs) = (draw(&mut dice, objects, 100), draw(&mut dice, objects, dearest));
        let table = Singletons {
            objects,
            prior: Prior::Weights(weights.clone()),
            costs: Some(TestCosts::List(costs.clone())),
            seed: 0,
        };
        let instance = read(table.generate().unwrap());
        let (mean, power) = sequential(&weights, &costs, lambda);
        assert_optimum(&instance, Objective::Expected, mean);
        let worst = costs.iter().sum::<f64>() - costs.iter().copied().fold(0.0, f64::max);
        assert_optimum_if(objects <= 12 || dearest == 1, &instance, Objective::Worst, worst);
        if objects <= 14 {
            assert_optimum_if(objects < 8, &instance, Objective::Exponential(lambda), power);
        }
    }
}

#[test]
fn sorting_takes_the_known_numbers_of_comparisons() {
    // Knuth, The Art of Computer Programming 3, section 5.3.1: least sums of depths and least worst cases.
    for (items, sum, worst) in [(5, 832.0 / 120.0, 7.0), (6, 6896.0 / 720.0, 10.0)] {
        let instance = read(Sorting { items }.generate().unwrap());
        assert_optimum(&instance, Objective::Expected, sum);
        assert_optimum(&instance, Objective::Worst, worst);
    }
}

#[test]
fn small_games_of_mastermind_are_played_best() {
    let reading = Reading { confirm: true, ..Reading::default() };
    for (pegs, colors) in [(2, 3), (3, 2), (2, 4)] {
        let table = Mastermind { pegs, colors }.generate().unwrap();
        let instance = Instance::new(table, &reading).unwrap().0;
        for objective in objectives(Lambda::TWO) {
            let wanted = optimum(&instance, objective);
            let outcome = optimal(&instance, objective, wanted, true);
            let certificate = Certificate { costs: Some(outcome.costs), bound: outcome.proof };
            check(&instance, &outcome.tree, &certificate).unwrap();
        }
    }
}

#[test]
fn the_animals_of_the_zoo() {
    let rows: Vec<Vec<&str>> =
        include_str!("../../../../examples/zoo.csv").lines().map(|line| line.split(',').collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    for (identify, sum, worst) in [(Identify::Objects, 492.0, 6.0), (Identify::Groups, 210.0, 4.0)] {
        let reading = Reading { identify: Some(identify), ..Reading::default() };
        let instance = Instance::new(Table::from_rows(&rows), &reading).unwrap().0;
        assert_optimum(&instance, Objective::Expected, sum / 101.0);
        assert_optimum(&instance, Objective::Worst, worst);
    }
}

/// Seven objects have 120 sets of at least two: a proof with more claims repeats itself.
#[test]
fn a_proof_speaks_of_every_set_once() {
    let instance = read(Singletons { objects: 7, ..Singletons::default() }.generate().unwrap());
    let proof = searched(&instance, Objective::Exponential(lambda(1.1)));
    assert!(proof.claims.len() <= 120, "{} claims", proof.claims.len());
}
