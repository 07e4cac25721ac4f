//! Posterior of the objects, by Bayes' rule with `P(v | i, j) = (1 − e)[v ∈ A]/|A| + e [v ∉ A]/(arity − |A|)`, where
//! `A` is the set of answers that object `i` may give to test `j` and `e` the test's error rate; just `1/|A|` if `A`
//! holds every answer.

use super::{Errors, Given, Reply, Session, Until};
use fewest_model::{AnswerId, ObjectId, Test};
use std::cell::Cell;

/// Error rate by which questions are chosen if only the number of errors is limited: one wrong answer in ten.
const ASSUMED_RATE: f64 = 0.1;

thread_local! {
    static COMPUTED: Cell<u64> = const { Cell::new(0) };
}

/// Number of posteriors computed on this thread so far. Each takes a pass over the table for every answer, so tests
/// check that requests and screens compute no more than they need.
pub fn posteriors_computed() -> u64 {
    COMPUTED.get()
}

/// Posterior of a session: the objects still possible with their weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Posterior {
    /// Possible objects, by class and then by row.
    pub(super) live: Vec<ObjectId>,
    /// Weight of each possible object; positive in sum, equal for all if only objects of prior 0 are left.
    pub(super) weights: Vec<f64>,
    /// Sum of all weights.
    pub(super) total: f64,
    /// Number of answers that each possible object contradicts.
    pub(super) mismatches: Vec<u32>,
    /// Classes to be told apart: ranges of `live`, one for each class that is possible.
    pub(super) classes: Vec<std::ops::Range<usize>>,
}

/// Probability that `object` gives `answer`, with errors at `rate`; all answers are alike where the test does not apply, and
/// is asked by mistake.
pub(super) fn likelihood(test: &Test, object: ObjectId, answer: AnswerId, rate: f64) -> f64 {
    let (choices, arity) = (test.choices(object), test.arity());
    if !test.applies_to(object) {
        return 1.0 / arity as f64;
    }
    match test.allows(object, answer) {
        true if choices == arity => 1.0 / choices as f64,
        true => (1.0 - rate) / choices as f64,
        false => rate / (arity - choices) as f64,
    }
}

/// Probability that `object` gives `reply`: "v or u" adds the two, and "I don't know" has the same for all objects. Any
/// answer is an error where the test does not apply.
pub(super) fn of_reply(test: &Test, object: ObjectId, reply: &Reply, rate: f64) -> f64 {
    match reply {
        Reply::Unknown => 1.0,
        Reply::OneOf(answers) if !test.applies_to(object) => {
            rate * answers.len() as f64 / test.arity() as f64
        }
        Reply::OneOf(answers) => answers.iter().map(|answer| likelihood(test, object, *answer, rate)).sum(),
    }
}

/// Whether `object` gives `reply` only by an error.
pub(super) fn is_mismatch(test: &Test, object: ObjectId, reply: &Reply) -> bool {
    match reply {
        Reply::Unknown => false,
        Reply::OneOf(answers) => !answers.iter().any(|answer| test.allows(object, *answer)),
    }
}

impl Session<'_> {
    /// Answers except "I don't know", in an order that does not depend on the one in which they were given, so that
    /// sums over them are equal to the last digit.
    pub(super) fn sorted(&self) -> Vec<&Given> {
        let mut given: Vec<&Given> =
            self.answers.iter().filter(|given| given.reply != Reply::Unknown).collect();
        given.sort_unstable();
        given
    }

    /// Class of `object`, which has to be told apart from others: its group, or the object itself.
    pub(super) fn class(&self, object: ObjectId) -> u32 {
        match self.rules.until {
            Until::Object => object.0,
            Until::Identified => self.instance.group_of(object).0,
        }
    }

    /// Posterior of all answers by the rules of the session.
    pub(super) fn posterior(&self) -> Posterior {
        self.posterior_with(&self.rules.errors, &self.sorted())
    }

    /// Posterior of `given` if errors are `errors`.
    pub(super) fn posterior_with(&self, errors: &Errors, given: &[&Given]) -> Posterior {
        COMPUTED.with(|count| count.set(count.get() + 1));
        let count = self.instance.object_count();
        let (mut logs, mut mismatches) = (vec![0.0f64; count], vec![0u32; count]);
        for Given { test: id, reply, .. } in given {
            let test = self.instance.test(*id);
            let rate = match errors {
                Errors::None | Errors::AtMost(_) => 0.0,
                Errors::Rate(rate) => *rate,
                Errors::Rates(rates) => rates[id.index()],
            };
            for (object, (log, mismatches)) in
                self.instance.objects().zip(logs.iter_mut().zip(&mut mismatches))
            {
                if !test.applies_to(object) && self.is_told_already(*id, object, given) {
                    // The error is counted where the premise was answered.
                    continue;
                }
                let wrong = is_mismatch(test, object, reply);
                *mismatches += u32::from(wrong);
                // If errors are only counted, a mismatch makes an object no less likely until there are too many.
                if !(wrong && matches!(errors, Errors::AtMost(_))) {
                    let factor = of_reply(test, object, reply, rate);
                    if factor != 1.0 {
                        *log += factor.ln();
                    }
                }
            }
        }
        if let Errors::AtMost(most) = errors {
            let too_many = |mismatches: &u32| mismatches > most;
            logs.iter_mut()
                .zip(&mismatches)
                .filter(|(_, m)| too_many(m))
                .for_each(|(log, _)| *log = f64::NEG_INFINITY);
        }
        self.weigh(&logs, &mismatches)
    }

    /// Weights from the prior and the logarithms of likelihoods, scaled so that the largest factor is 1.
    fn weigh(&self, logs: &[f64], mismatches: &[u32]) -> Posterior {
        let mut live: Vec<ObjectId> =
            self.instance.objects().filter(|object| logs[object.index()] > f64::NEG_INFINITY).collect();
        // The sort is stable, so that rows stay in order within a class.
        live.sort_by_key(|object| self.class(*object));
        let has_weight = |object: &&ObjectId| self.instance.weight(**object) > 0.0;
        let most = live
            .iter()
            .filter(has_weight)
            .map(|object| logs[object.index()])
            .fold(f64::NEG_INFINITY, f64::max);
        let weight = |object: &ObjectId| match self.instance.weight(*object) {
            0.0 => 0.0,
            weight => weight * (logs[object.index()] - most).exp(),
        };
        let mut weights: Vec<f64> = live.iter().map(weight).collect();
        if most == f64::NEG_INFINITY {
            // Only objects of prior 0 fit: all are equally likely.
            weights.fill(1.0);
        }
        let mut classes: Vec<std::ops::Range<usize>> = Vec::new();
        for at in 0..live.len() {
            match classes.last_mut() {
                Some(run) if self.class(live[run.start]) == self.class(live[at]) => run.end = at + 1,
                _ => classes.push(at..at + 1),
            }
        }
        let mismatches = live.iter().map(|object| mismatches[object.index()]).collect();
        let total = fewest_model::compensated_sum(weights.iter().copied());
        Posterior { live, weights, total, mismatches, classes }
    }

    /// Posterior by which questions are chosen: if errors are only counted, objects with fewer mismatches weigh more;
    /// objects of negligible weight are left out.
    pub(super) fn for_choice(&self, mut posterior: Posterior) -> Posterior {
        if matches!(self.rules.errors, Errors::AtMost(_)) {
            let odds = ASSUMED_RATE / (1.0 - ASSUMED_RATE);
            let least = posterior.mismatches.iter().min().copied().unwrap_or(0);
            let tilt = |(weight, mismatches): (&mut f64, &u32)| {
                *weight *= odds.powi((mismatches - least).min(300) as i32);
            };
            posterior.weights.iter_mut().zip(&posterior.mismatches).for_each(tilt);
        }
        if !self.rules.may_err() {
            return posterior;
        }
        let most = posterior.weights.iter().copied().fold(0.0, f64::max);
        let counted = matches!(self.rules.errors, Errors::AtMost(_));
        // Less than a billionth as likely as the likeliest; such an object returns if later answers favour it. If
        // errors are counted, the last rival must be tested however little it weighs.
        posterior.retain(|weight| counted || weight > most * NEGLIGIBLE);
        posterior
    }

    /// Error rate by which questions are chosen.
    pub(super) fn choice_rate(&self, test: fewest_model::TestId) -> f64 {
        match self.rules.errors {
            Errors::AtMost(most) if most > 0 => ASSUMED_RATE,
            _ => self.rules.rate(test),
        }
    }
}

/// Share of the largest weight below which an object does not count in the choice of a question: a billionth
/// changes no score in the digits that decide, and many such objects cost time.
const NEGLIGIBLE: f64 = 1e-9;

impl Posterior {
    /// Keeps the objects for whose weight `keep` is true.
    fn retain(&mut self, keep: impl Fn(f64) -> bool) {
        let mut classes = Vec::with_capacity(self.classes.len());
        let mut next = 0;
        for run in &self.classes {
            let start = next;
            for at in run.clone() {
                if keep(self.weights[at]) {
                    self.live[next] = self.live[at];
                    self.weights[next] = self.weights[at];
                    self.mismatches[next] = self.mismatches[at];
                    next += 1;
                }
            }
            if next > start {
                classes.push(start..next);
            }
        }
        self.live.truncate(next);
        self.weights.truncate(next);
        self.mismatches.truncate(next);
        self.classes = classes;
        self.total = fewest_model::compensated_sum(self.weights.iter().copied());
    }

    /// Weights of the classes, in order.
    pub(super) fn class_weights(&self) -> impl Iterator<Item = f64> {
        self.classes.iter().map(|run| self.weights[run.clone()].iter().sum())
    }

    /// Probability of the `count` likeliest classes together.
    pub(super) fn share_of_best(&self, count: usize) -> f64 {
        let mut weights: Vec<f64> = self.class_weights().collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        weights.iter().take(count).sum::<f64>() / self.total
    }
}
