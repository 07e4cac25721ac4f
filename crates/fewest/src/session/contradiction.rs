//! Answers that fit no object, and which of them is most likely mistaken.

use super::posterior::is_mismatch;
use super::{Errors, Reply, Session};

/// The rate of errors to doubt answers by where none is given.
const USUAL_RATE: f64 = 0.1;
/// How many looks at an object's mismatches the search for a smallest set may take.
const MOST_LOOKS: usize = 20_000_000;

/// Answers that no object gives together.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Their numbers among all answers, from 0. Without any one of them, some object gives the others.
    pub answers: Vec<usize>,
    /// Whether no fewer answers contradict each other.
    pub smallest: bool,
    /// All answers by how likely each is wrong, the likeliest first.
    pub doubts: Vec<Doubt>,
}

/// How likely an answer is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubt {
    /// The number of the answer, from 0.
    pub at: usize,
    /// How likely it is wrong, given all answers.
    pub probability: f64,
}

impl Session<'_> {
    /// A set of answers, as small as can be, that no object gives together; nothing if some object fits them all.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let sets = self.mismatched()?;
        let (answers, smallest) = match smallest(&sets, self.answers.len()) {
            Some(answers) => (answers, true),
            None => (irreducible(&sets, self.answers.len()), false),
        };
        Some(Contradiction { answers, smallest, doubts: self.doubts() })
    }

    /// Every answer that says something by how likely it is wrong, given all of them: `Σ_i P(i) [i would not say so]`, with
    /// the session's error rates, or one in ten where it has none or no object is possible with them.
    pub fn doubts(&self) -> Vec<Doubt> {
        let errors = match &self.rules.errors {
            Errors::Rates(_) | Errors::Rate(_) if self.rules.may_err() => self.rules.errors.clone(),
            _ => Errors::Rate(USUAL_RATE),
        };
        let mut posterior = self.posterior_with(&errors, &self.sorted());
        if posterior.live.is_empty() {
            // Rates that rule every object out say nothing about the answers.
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

    /// For every object the answers that it would not give; nothing if one would give them all.
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

/// Whether every object contradicts one of `answers`.
fn hits_all(sets: &[Vec<bool>], answers: &[usize]) -> bool {
    sets.iter().all(|set| answers.iter().any(|at| set[*at]))
}

/// The first of the smallest sets of answers that hits all, while there are not too many to look at.
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

/// A set that hits all and would not without any of its members: the later answers are let go first.
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
    use crate::session::{Plan, Rules, words};
    use fewest_model::{Instance, Reading, Table};

    #[test]
    fn doubts_are_numbers_where_rates_rule_every_object_out() {
        let rows: [&[&str]; 3] = [&["o", "a", "b", "c"], &["x", "0", "0", "0"], &["y", "1", "1", "1"]];
        let (instance, _) = Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap();
        let errors = Errors::Rates(vec![0.0, 0.0, 0.2]);
        let mut session =
            Session::new(&instance, Plan::default(), Rules { errors, ..Rules::default() }).unwrap();
        for said in ["a=0", "b=1"] {
            let (test, reply) = words::parse(&instance, said).unwrap();
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
