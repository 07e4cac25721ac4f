//! Bound that the checker finds by itself, without any claim.

use super::Judge;
use super::obvious::log_ceil;
use super::problem::{Problem, Test};
use crate::bill;
use fewest_model::{Instance, Objective, Proof};
use std::collections::{BTreeMap, VecDeque};

/// Relative amount by which a sum of shares is lowered for rounding.
const ROUNDING: f64 = 1e-12;

/// Lower bound on the cost of every tree for `instance`, without any claim: the largest of the obvious bound, one
/// pass over every first question, the majority path and, for the expected cost, the best code for the groups. If
/// weights or costs are too far from 1 for that, a weaker bound; 0 if objects may give several answers.
pub fn own_bound(instance: &Instance, objective: Objective) -> f64 {
    if instance.has_several() {
        return 0.0;
    }
    let nothing = empty(objective, f64::INFINITY, 0.0);
    let problem = Problem::new(instance);
    let mut judge = Judge::new(instance, &problem, &nothing);
    if !judge.is_moderate() {
        return in_any_units(instance, objective);
    }
    let found = judge.all_objects();
    judge.measure.shown(judge.at_once(found), &problem).max(0.0)
}

/// Returns a proof of [`own_bound`] without any claim; its value is at least 0, which needs no reason.
pub fn own_proof(instance: &Instance, objective: Objective, cap: f64) -> Proof {
    empty(objective, cap, own_bound(instance, objective))
}

fn empty(objective: Objective, cap: f64, value: f64) -> Proof {
    Proof { objective, cap, value, prices: Vec::new(), claims: Vec::new() }
}

/// Lower bound that is finite for all weights and costs: some question is asked of every object, and the paths to the
/// groups are a code of questions of the cheapest cost.
pub(super) fn in_any_units(instance: &Instance, objective: Objective) -> f64 {
    let useful = || instance.test_ids().filter(|test| instance.test(*test).arity() > 1);
    let cheapest = useful().map(|test| bill::least(instance, test) / instance.costs().scale());
    let cheapest = cheapest.fold(f64::INFINITY, f64::min);
    let radix = useful().map(|test| instance.test(test).arity()).max().unwrap_or(2) as u64;
    let mut shares: BTreeMap<u32, f64> = BTreeMap::new();
    for object in instance.objects() {
        *shares.entry(instance.group_of(object).0).or_insert(0.0) += instance.prior(object);
    }
    if shares.len() < 2 || !cheapest.is_finite() {
        return 0.0;
    }
    cheapest
        * match objective {
            Objective::Expected => {
                (huffman(shares.into_values().collect(), radix) * (1.0 - ROUNDING)).max(1.0)
            }
            Objective::Worst => f64::from(log_ceil(shares.len() as u64, radix)),
            Objective::Exponential(_) => 1.0,
        }
}

/// Weight of each group's objects with each answer to `test`, by answer; groups without such objects are left out.
pub(super) fn group_weights_by_answer(problem: &Problem, test: &Test) -> Vec<Vec<f64>> {
    let mut weights: Vec<Vec<f64>> = vec![Vec::new(); test.arity];
    let mut last = vec![None; test.arity];
    // Kinds are numbered group by group.
    for (kind, answer) in problem.kinds.iter().zip(&test.codes) {
        let (weights, last) = (&mut weights[*answer as usize], &mut last[*answer as usize]);
        match weights.last_mut() {
            Some(weight) if *last == Some(kind.group) => *weight += kind.weight,
            _ => weights.push(kind.weight),
        }
        *last = Some(kind.group);
    }
    weights
}

/// Least `Σ w depth` of leaves with these weights in a tree with at most `radix` children per node: merges the
/// `radix` lightest until one is left [Huffman1952]. The cost is the sum of the merged weights.
pub(super) fn huffman(mut weights: Vec<f64>, radix: u64) -> f64 {
    let radix = radix.max(2) as usize;
    // Added words of weight 0 make every merge a full one.
    let missing = (radix - 1 - weights.len().saturating_sub(1) % (radix - 1)) % (radix - 1);
    weights.resize(weights.len() + missing, 0.0);
    weights.sort_by(f64::total_cmp);
    // Merged weights are made in rising order, so the lightest is at the front of one of the two lists.
    let (mut single, mut merged) = (VecDeque::from(weights), VecDeque::new());
    let mut paid = 0.0;
    while single.len() + merged.len() > 1 {
        let mut sum = 0.0;
        for _ in 0..radix {
            let is_single = match (single.front(), merged.front()) {
                (Some(left), Some(right)) => left <= right,
                (left, _) => left.is_some(),
            };
            sum += if is_single { single.pop_front() } else { merged.pop_front() }.unwrap_or(0.0);
        }
        merged.push_back(sum);
        paid += sum;
    }
    paid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huffman_s_code_is_that_of_the_specification() {
        // specification section 14, codes: 1.85 with two letters, 1.3 with three.
        let weights = || vec![45.0, 25.0, 20.0, 10.0];
        assert_eq!((huffman(weights(), 2), huffman(weights(), 3)), (185.0, 130.0));
        assert_eq!((huffman(vec![7.0], 2), huffman(vec![], 2), huffman(vec![1.0, 2.0], 5)), (0.0, 0.0, 3.0));
    }

    #[test]
    fn every_way_to_merge_pays_as_much_or_more() {
        fn least(weights: &[u32]) -> u32 {
            let mut best = if weights.len() < 2 { 0 } else { u32::MAX };
            for left in 0..weights.len() {
                for right in left + 1..weights.len() {
                    let mut rest: Vec<u32> = weights.to_vec();
                    let merged = rest.remove(right) + rest.remove(left);
                    rest.push(merged);
                    best = best.min(merged + least(&rest));
                }
            }
            best
        }
        for weights in [vec![1, 1, 1, 1, 1], vec![5, 1, 1, 2, 9], vec![0, 0, 3, 1, 1], vec![8, 4, 2, 1, 1]] {
            let found = huffman(weights.iter().map(|weight| f64::from(*weight)).collect(), 2);
            assert_eq!(found, f64::from(least(&weights)), "{weights:?}");
        }
    }
}
