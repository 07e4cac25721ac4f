//! Contradictions: answers that fit no object, and which of them is most likely wrong.

use super::posterior::is_mismatch;
use super::{Errors, Reply, Session};

/// Error rate assumed for doubts if the session has none: one wrong answer in ten.
const USUAL_RATE: f64 = 0.1;
/// Number of comparisons that the search for a smallest set may take, since it grows with the number of combinations;
/// beyond this, a set from which no answer can be left out is returned.
const MOST_LOOKS: usize = 20_000_000;

/// Set of answers that no object gives together.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Numbers of these answers among all, from 0. Without any one of them, some object fits the others.
    pub answers: Vec<usize>,
    /// Whether it is proved that no fewer answers contradict each other.
    pub smallest: bool,
    /// All answers by how likely each is wrong, the likeliest first.
    pub doubts: Vec<Doubt>,
}

/// Probability that an answer is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubt {
    /// Number of the answer, from 0.
    pub at: usize,
    /// Probability that the answer is wrong, given all answers.
    pub probability: f64,
}

impl Session<'_> {
    /// Returns a smallest set of answers that no object gives together; `None` if some object fits them all.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let sets = self.mismatched()?;
        let (answers, smallest) = match smallest(&sets, self.answers.len()) {
            Some(answers) => (answers, true),
            None => (irreducible(&sets, self.answers.len()), false),
        };
        Some(Contradiction { answers, smallest, doubts: self.doubts() })
    }

    /// Returns the answers except "I don't know", ordered by the probability of being wrong, given all of them: `Σ_i
    /// P(i) [i would not say so]`, with the session's error rates. If it has none, or no object is possible with
    /// them, the rate is one in ten.
    pub fn doubts(&self) -> Vec<Doubt> {
        let errors = match &self.rules.errors {
            Errors::Rates(_) | Errors::Rate(_) if self.rules.may_err() => self.rules.errors.clone(),
            _ => Errors::Rate(USUAL_RATE),
        };
        let mut posterior = self.posterior_with(&errors, &self.sorted());
        if posterior.live.is_empty() {
            // Rates that rule every object out tell nothing about the answers.
            posterior = self.posterior_with(&Errors::Rate(USUAL_RATE), &self.sorted());
        }
        let said = self.answers.iter().enumerate().filter(|(_, given)| given.reply != Reply::Unknown);
        let doubt = |(at, given): (usize, &super::Given)| {
            let test = self.instance.test(given.test);
            let objects = posterior.live.iter().zip(&posterior.weights);
            let wrong = objects.filter(|(object, _)| is_mismatch(test, **object, &given.reply));
            Doubt { at, probability: wrong.map(|(_, weight)| weight).sum::<f64>() / posterior.total }
        };
        let mut doubts: Vec<Doubt> = said.map(doubt).collect();
        doubts.sort_by(|left, right| {
            right.probability.total_cmp(&left.probability).then(left.at.cmp(&right.at))
        });
        doubts
    }

    /// Sets of the answers that an object would not give, one set for each object, without repetitions; `None` if one
    /// object would give them all.
    fn mismatched(&self) -> Option<Vec<Vec<bool>>> {
        let mut sets = Vec::with_capacity(self.instance.object_count());
        for object in self.instance.objects() {
            let wrong =
                |given: &super::Given| is_mismatch(self.instance.test(given.test), object, &given.reply);
            let set: Vec<bool> = self.answers.iter().map(wrong).collect();
            if !set.contains(&true) {
                return None;
            }
            sets.push(set);
        }
        sets.sort_unstable();
        sets.dedup();
        Some(sets)
    }
}

/// Whether every object contradicts one of `answers`: whether they are a hitting set.
fn hits_all(sets: &[Vec<bool>], answers: &[usize]) -> bool {
    sets.iter().all(|set| answers.iter().any(|at| set[*at]))
}

/// Smallest hitting set, the first in order; `None` if the search takes too long.
fn smallest(sets: &[Vec<bool>], count: usize) -> Option<Vec<usize>> {
    let mut looks = 0;
    for size in 1..=count {
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            if hits_all(sets, &chosen) {
                return Some(chosen);
            }
            looks += sets.len() * size;
            if looks > MOST_LOOKS {
                return None;
            }
            // The next combination in order.
            let Some(at) = (0..size).rev().find(|&at| chosen[at] < count - size + at) else { break };
            chosen[at] += 1;
            (at + 1..size).for_each(|next| chosen[next] = chosen[next - 1] + 1);
        }
    }
    None
}

/// Hitting set from which no member can be left out; later answers are left out first.
fn irreducible(sets: &[Vec<bool>], count: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..count).collect();
    for at in (0..count).rev() {
        let without: Vec<usize> = kept.iter().copied().filter(|other| *other != at).collect();
        if hits_all(sets, &without) {
            kept = without;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Plan, SessionRules, parse};
    use fewest_model::{Instance, Reading, Table};

    #[test]
    fn doubts_are_numbers_where_rates_rule_every_object_out() {
        let rows: [&[&str]; 3] = [&["o", "a", "b", "c"], &["x", "0", "0", "0"], &["y", "1", "1", "1"]];
        let (instance, _) = Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap();
        let errors = Errors::Rates(vec![0.0, 0.0, 0.2]);
        let mut session =
            Session::new(&instance, Plan::default(), SessionRules { errors, ..SessionRules::default() })
                .unwrap();
        for said in ["a=0", "b=1"] {
            let (test, reply) = parse::parse_fact(&instance, said).unwrap();
            session.give(test, reply).unwrap();
        }
        let found = session.contradiction().unwrap();
        assert_eq!(found.answers, [0, 1]);
        // Each object contradicts one of the two, with equal odds.
        assert!(found.doubts.iter().all(|doubt| (doubt.probability - 0.5).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn a_smallest_set_is_never_larger_than_an_irreducible_one() {
        let sets = [[true, false, false, true], [false, true, false, true], [false, false, true, false]];
        let sets: Vec<Vec<bool>> = sets.iter().map(|set| set.to_vec()).collect();
        assert_eq!(smallest(&sets, 4), Some(vec![2, 3]));
        assert_eq!(irreducible(&sets, 4), [0, 1, 2]);
    }
}
