//! Choice of the next question if no tree decides.

use super::information::{Classes, Scratch, information, splits};
use super::posterior::{Posterior, likelihood};
use super::{Errors, Reply, Session, Until};
use crate::criterion::CLAMP;
use crate::criterion::{Criterion, separated_pairs};
use crate::policy::{Greedy, REL};
use fewest_model::{AnswerId, Candidates, Cell, Contingency, Identify, Test, TestId};
use rayon::prelude::*;

/// Number of cells (tests × possible objects) from which tests are scored on all threads; below this, distributing
/// them costs more than it saves.
const WORTH_SHARING: usize = 1 << 17;

/// Test with its score.
pub(super) type Scored = (TestId, f64);

impl Session<'_> {
    /// Whether `test` may be asked now, regardless of its cost.
    pub(super) fn is_free(&self, test: TestId) -> bool {
        let again = self.rules.repeat_tests && self.rules.may_err();
        let blocks = |reply: &Reply| !again || *reply == Reply::Unknown;
        !self.rules.without.contains(&test)
            && !self.answers.iter().any(|given| given.test == test && blocks(&given.reply))
    }

    /// Whether the cost of `test` is within the rest of the cost limit.
    pub(super) fn is_affordable(&self, test: TestId) -> bool {
        let slack = 1.0 + 1e-12;
        self.rules.max_cost.is_none_or(|most| self.cost() + self.most_cost(test) <= most * slack)
    }

    /// Whether the greedy policy of trees applies as it is: no errors, one answer in every cell, and the
    /// classes of the instance.
    pub(super) fn is_plain(&self) -> bool {
        !self.rules.may_err()
            && (self.rules.until == Until::Identified || self.instance.identify() == Identify::Objects)
            && self.instance.test_ids().all(|test| self.instance.test(test).is_single())
    }

    /// Scores of the tests that may be asked and tell something, in order of tests.
    pub(super) fn scores(&self, posterior: &Posterior) -> Vec<Scored> {
        let mut blocked = vec![false; self.instance.test_count()];
        self.instance.test_ids().for_each(|test| blocked[test.index()] = !self.is_affordable(test));
        self.rules.without.iter().for_each(|test| blocked[test.index()] = true);
        for given in &self.answers {
            blocked[given.test.index()] |= !self.is_free(given.test);
        }
        let free = self.instance.test_ids().filter(|test| !blocked[test.index()]);
        let wanted: Vec<TestId> = free.filter(|test| self.is_applicable(*test, posterior)).collect();
        let criterion = self.plan.rule.make(self.instance);
        let mut scores = match self.is_plain() {
            true => self.plain_scores(criterion.as_ref(), posterior, &wanted),
            false => self.weighed_scores(criterion.as_ref(), posterior, &wanted),
        };
        if !self.plan.rule.cost_blind {
            let open = self.open_bundles();
            let is_plain = self.instance.pricing().is_none();
            scores.iter_mut().for_each(|(test, score)| match is_plain {
                true => *score /= self.instance.cost(*test),
                // If answers may be wrong, a test that tells nothing is not worth asking, even for free.
                false if self.rules.may_err() && *score <= 0.0 => {}
                false => *score = self.cost_now(*test, &open, posterior).per_cost(*score),
            });
        }
        scores
    }

    /// Benefits by the greedy policy itself, so that a session without errors asks what its tree asks.
    fn plain_scores(
        &self,
        criterion: &dyn Criterion,
        posterior: &Posterior,
        wanted: &[TestId],
    ) -> Vec<Scored> {
        let candidates = self.candidate_set(posterior);
        let greedy = Greedy::new(self.instance, criterion, self.plan.rule.cost_blind);
        let pick = |benefits: Vec<Option<f64>>| -> Vec<Scored> {
            wanted.iter().filter_map(|test| Some((*test, benefits[test.index()]?))).collect()
        };
        let scores = pick(greedy.benefits(&candidates));
        match scores.iter().any(|(_, benefit)| *benefit > 0.0) {
            true => scores,
            false => pick(greedy.separated(&candidates)),
        }
    }

    /// Possible objects in the form that the greedy policy takes.
    pub(super) fn candidate_set(&self, posterior: &Posterior) -> Candidates {
        let mut is_live = vec![false; self.instance.object_count()];
        posterior.live.iter().for_each(|object| is_live[object.index()] = true);
        Candidates::all(self.instance).keep(self.instance, |object| is_live[object.index()])
    }

    /// Benefits under the weights of the posterior, if errors or several answers make them differ from the prior.
    fn weighed_scores(
        &self,
        criterion: &dyn Criterion,
        posterior: &Posterior,
        wanted: &[TestId],
    ) -> Vec<Scored> {
        let mut choice = self.for_choice(posterior.clone());
        let scores = self.benefits(criterion, &choice, wanted);
        // With error rates, an object without weight is not possible.
        let by_rates = self.rules.may_err() && !matches!(self.rules.errors, Errors::AtMost(_));
        let some_help = scores.iter().any(|(_, benefit)| *benefit > 0.0);
        if some_help || by_rates || choice.classes.len() < 2 {
            return scores;
        }
        // The criterion sees no difference by weight: count pairs, as the greedy policy does.
        choice.weights.fill(1.0);
        choice.total = choice.weights.len() as f64;
        let score = |scratch: &mut (Scratch, Contingency), test: TestId| {
            tabulate(self.instance.test(test), &choice, 0.0, None, &mut scratch.1)
                .then(|| separated_pairs(&scratch.1))
        };
        self.each(&choice, wanted, score)
    }

    /// Benefits of `wanted` tests by the criterion of the plan. If this is mutual information, it is computed
    /// directly, without a contingency table.
    fn benefits(&self, criterion: &dyn Criterion, choice: &Posterior, wanted: &[TestId]) -> Vec<Scored> {
        let by_information = self.plan.rule.criterion.is_information;
        let classes = Classes::of(choice);
        let benefit = |scratch: &mut (Scratch, Contingency), id: TestId| {
            let (test, rate) = (self.instance.test(id), self.choice_rate(id));
            let benefit = if by_information {
                information(test, choice, &classes, rate, &mut scratch.0)?
            } else {
                tabulate(test, choice, rate, Some(criterion), &mut scratch.1)
                    .then(|| criterion.benefit(&scratch.1))?
            };
            Some(if benefit < CLAMP { 0.0 } else { benefit })
        };
        self.each(choice, wanted, benefit)
    }

    /// Scores each of `wanted`, on all threads if that pays.
    fn each(
        &self,
        choice: &Posterior,
        wanted: &[TestId],
        score: impl Fn(&mut (Scratch, Contingency), TestId) -> Option<f64> + Sync,
    ) -> Vec<Scored> {
        let scratch = || (Scratch::default(), Contingency::default());
        let scored = |scratch: &mut _, test: &TestId| Some((*test, score(scratch, *test)?));
        if wanted.len() * choice.live.len() >= WORTH_SHARING {
            let all: Vec<Option<Scored>> = wanted.par_iter().map_init(scratch, scored).collect();
            return all.into_iter().flatten().collect();
        }
        let mut scratch = scratch();
        wanted.iter().filter_map(|test| scored(&mut scratch, test)).collect()
    }

    /// Test with the best score: the first of equally good ones, or the first that confirms a candidate if
    /// confirmation is needed.
    pub(super) fn best(&self, scores: &[Scored], posterior: &Posterior) -> Option<TestId> {
        let top = scores.iter().map(|(_, score)| *score).max_by(f64::total_cmp)?;
        // If answers may be wrong, a test that tells nothing is not worth asking.
        if top <= 0.0 && self.rules.may_err() {
            return None;
        }
        let equal = || scores.iter().filter(|(_, score)| *score >= top * (1.0 - REL)).map(|(test, _)| *test);
        let confirms = |test: &TestId| {
            posterior.live.iter().any(|object| self.instance.confirming(*object) == Some(*test))
        };
        let confirming = match self.instance.needs_confirmation() {
            true => equal().find(confirms),
            false => None,
        };
        confirming.or_else(|| equal().next())
    }
}

/// Fills `table` with the weights of the answers to `test`, by class; false if all possible objects have the same
/// answer.
fn tabulate(
    test: &Test,
    posterior: &Posterior,
    rate: f64,
    criterion: Option<&dyn Criterion>,
    table: &mut Contingency,
) -> bool {
    if test.arity() < 2 || !splits(test, posterior) {
        return false;
    }
    let total = posterior.total;
    let mut cells = vec![vec![]; test.arity()];
    let mut moments = vec![0.0; test.arity()];
    let mut groups = Vec::with_capacity(posterior.classes.len());
    for (group, run) in (0u32..).zip(&posterior.classes) {
        let mut sums = vec![(0u32, 0.0f64); test.arity()];
        for (object, weight) in posterior.live[run.clone()].iter().zip(&posterior.weights[run.clone()]) {
            for (answer, sum) in sums.iter_mut().enumerate() {
                let id = AnswerId::at(answer);
                let part = weight / total * likelihood(test, *object, id, rate);
                sum.0 += u32::from(test.allows(*object, id));
                sum.1 += part;
                if let Some(moment) = criterion.filter(|_| part > 0.0).and_then(|c| c.moment(part)) {
                    moments[answer] += moment;
                }
            }
        }
        let weight = posterior.weights[run.clone()].iter().sum::<f64>() / total;
        groups.push(Cell { group, count: run.len() as u32, weight });
        for (answer, (count, weight)) in sums.into_iter().enumerate() {
            if count > 0 || weight > 0.0 {
                cells[answer].push((AnswerId::at(answer), Cell { group, count, weight }));
            }
        }
    }
    table.take(groups, cells.into_iter().flatten(), |answer| moments[answer.index()]);
    table.splits()
}
