//! Simulation: sessions in which an object of the table answers, with errors and missing replies; how often the right
//! object is found, and at what cost.

use super::{Given, Plan, Reply, Session, SessionError, SessionRules, Step, Until};
use crate::limit::Limit;
use crate::random::{RandomStream, Stream};
use fewest_model::{AnswerId, GroupId, Instance, ObjectId, TestId, compensated_sum};
use hashbrown::HashMap;
use rayon::prelude::*;

/// Number of decisions that a thread stores, since most sessions begin alike; the limit bounds its memory.
const MEMO: usize = 1 << 16;
/// Number of questions after which a simulated session ends: a session that may repeat tests and is never certain
/// would go on for ever.
const MOST_QUESTIONS: usize = 10_000;

/// Settings of simulated sessions: how questions are chosen, and how reliably they are answered.
#[derive(Clone, Debug)]
pub struct Match<'a> {
    /// The instance whose objects answer.
    pub instance: &'a Instance,
    /// The plan that chooses the questions.
    pub plan: Plan<'a>,
    /// Rules of the sessions; the errors that they assume may differ from those that are made.
    pub rules: SessionRules,
    /// Probability that an answer is wrong.
    pub noise: f64,
    /// Limit on the number of wrong answers in a session.
    pub most_errors: Option<u32>,
    /// Probability that a question is not answered.
    pub unknown: f64,
    /// Number of times that each question is asked; the most frequent reply counts, the first of equally
    /// frequent ones.
    pub votes: u32,
    /// Limit of the simulation; sessions that were not played by then are left out.
    pub limit: Limit,
}

/// Result of one simulated session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// The object that answered.
    pub object: ObjectId,
    /// Weight of the session in statistics.
    pub weight: f64,
    /// Cost of its questions.
    pub cost: f64,
    /// Cost in units of the instance, a whole number if costs are exact, and the number of units in a cost of 1.
    pub units: (f64, f64),
    /// Number of questions asked.
    pub questions: u32,
    /// Whether the likeliest object or group in the end was the right one.
    pub found: bool,
}

impl<'a> Match<'a> {
    /// Creates a simulation in which all answers are right.
    pub fn new(instance: &'a Instance, plan: Plan<'a>, rules: SessionRules) -> Self {
        Self {
            instance,
            plan,
            rules,
            noise: 0.0,
            most_errors: None,
            unknown: 0.0,
            votes: 1,
            limit: Limit::none(),
        }
    }

    /// Returns whether chance plays no part: then one session for each object is exact.
    pub fn is_certain(&self) -> bool {
        let single = |test: TestId| self.instance.test(test).is_single();
        self.noise == 0.0 && self.unknown == 0.0 && self.instance.test_ids().all(single)
    }

    /// Plays one session for each object, weighed by its prior; all answers are right.
    ///
    /// # Errors
    /// When the rules do not fit the instance.
    pub fn play_all(&self) -> Result<Vec<Play>, SessionError> {
        let mut plays = Vec::with_capacity(self.instance.object_count());
        // Objects with the same answers so far go on together.
        let all: Vec<ObjectId> = self.instance.objects().collect();
        let mut waiting = vec![(Session::new(self.instance, self.plan, self.rules.clone())?, all)];
        while let Some((session, objects)) = waiting.pop() {
            if self.limit.is_reached() {
                break;
            }
            let step = if session.answers.len() < MOST_QUESTIONS { Some(session.step()) } else { None };
            let Some(Step::Ask(test)) = step else {
                let named = self.named(&session);
                plays.extend(objects.iter().map(|object| self.play(&session, *object, named)));
                continue;
            };
            let column = self.instance.test(test);
            // Whoever is asked what does not apply cannot say.
            let answer = |object: ObjectId| column.applies_to(object).then(|| column.answer(object));
            let mut answered: Vec<(Option<AnswerId>, ObjectId)> =
                objects.iter().map(|object| (answer(*object), *object)).collect();
            answered.sort_unstable();
            for part in answered.chunk_by(|left, right| left.0 == right.0) {
                let mut next = session.clone();
                next.give(test, part[0].0.map_or(Reply::Unknown, Reply::is))?;
                waiting.push((next, part.iter().map(|(_, object)| *object).collect()));
            }
        }
        plays.sort_by_key(|play| play.object);
        Ok(plays)
    }

    /// Plays `runs` sessions with objects drawn by their prior. The same seed leads to the same plays on any
    /// number of threads.
    ///
    /// # Errors
    /// When the rules do not fit the instance.
    pub fn play_some(&self, runs: usize, seed: u64) -> Result<Vec<Play>, SessionError> {
        Session::new(self.instance, self.plan, self.rules.clone())?;
        let ends: Vec<f64> = self
            .instance
            .objects()
            .scan(0.0, |end, object| {
                *end += self.instance.weight(object);
                Some(*end)
            })
            .collect();
        let last = ends.last().copied().unwrap_or(0.0);
        let plays = (0..runs).into_par_iter().map_init(HashMap::new, |memo, run| {
            // Each run has a random stream of its own, independent of the thread.
            let mut random = RandomStream::new(
                seed.wrapping_add((run as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
                Stream::Plays,
            );
            if self.limit.is_reached() {
                return None;
            }
            let drawn = random.unit() * last;
            let object = ObjectId::at(ends.partition_point(|end| *end <= drawn).min(ends.len() - 1));
            Some(self.play_one(object, &mut random, memo))
        });
        plays.flatten().collect()
    }

    /// Plays one session in which `object` answers; `memo` holds the decisions of earlier sessions.
    fn play_one(
        &self,
        object: ObjectId,
        random: &mut RandomStream,
        memo: &mut HashMap<Vec<Given>, Step>,
    ) -> Result<Play, SessionError> {
        let mut session = Session::new(self.instance, self.plan, self.rules.clone())?;
        let (mut wrong, mut asked, mut spent) = (0, 0, 0.0);
        while session.answers.len() < MOST_QUESTIONS {
            let step = match memo.get(&session.answers) {
                Some(step) => *step,
                None => {
                    let step = session.step();
                    if memo.len() < MEMO {
                        memo.insert(session.answers.clone(), step);
                    }
                    step
                }
            };
            let Step::Ask(test) = step else { break };
            let (reply, paid) = self.vote(&session, object, test, &mut wrong, random);
            asked += self.votes.max(1);
            spent += paid;
            session.give(test, reply)?;
        }
        spent += session.setups();
        let mut play = self.play(&session, object, self.named(&session));
        let scale = self.instance.costs().scale();
        (play.weight, play.questions, play.cost, play.units) = (1.0, asked, spent / scale, (spent, scale));
        Ok(play)
    }

    /// Draws several replies. Returns the most frequent one and the cost of all, in units and without a set-up.
    fn vote(
        &self,
        session: &Session<'_>,
        object: ObjectId,
        test: TestId,
        wrong: &mut u32,
        random: &mut RandomStream,
    ) -> (Reply, f64) {
        let replies: Vec<Reply> =
            (0..self.votes.max(1)).map(|_| self.reply(object, test, wrong, random)).collect();
        let votes = |reply: &Reply| replies.iter().filter(|other| *other == reply).count();
        let best = replies.iter().map(votes).max().unwrap_or(0);
        let paid = replies.iter().map(|reply| session.own_cost(test, reply)).sum();
        (replies.iter().find(|reply| votes(reply) == best).cloned().unwrap_or(Reply::Unknown), paid)
    }

    /// Draws the reply of `object`, with errors and missing replies.
    fn reply(&self, object: ObjectId, test: TestId, wrong: &mut u32, random: &mut RandomStream) -> Reply {
        if self.unknown > 0.0 && random.unit() < self.unknown {
            return Reply::Unknown;
        }
        let column = self.instance.test(test);
        if !column.applies_to(object) {
            return Reply::Unknown;
        }
        let errs = self.noise > 0.0
            && self.most_errors.is_none_or(|most| *wrong < most)
            && random.unit() < self.noise
            && column.choices(object) < column.arity();
        *wrong += u32::from(errs);
        let may = |answer: &AnswerId| column.allows(object, *answer) != errs;
        let choices: Vec<AnswerId> = (0..column.arity()).map(AnswerId::at).filter(may).collect();
        match choices.len() {
            1 => Reply::is(choices[0]),
            several => Reply::is(choices[random.below(several as u32) as usize]),
        }
    }

    /// Likeliest group and object at the end of a session.
    fn named(&self, session: &Session<'_>) -> Option<(GroupId, ObjectId)> {
        let last = session.snapshot();
        let object = last.candidates().first()?.object;
        let group = last.groups().first()?.group;
        Some((group, object))
    }

    /// Makes the result of a session in which `object` answered and `named` was found.
    fn play(&self, session: &Session<'_>, object: ObjectId, named: Option<(GroupId, ObjectId)>) -> Play {
        let found = named.is_some_and(|(group, likeliest)| match self.rules.until {
            Until::Object => likeliest == object,
            Until::Identified => group == self.instance.group_of(object),
        });
        let questions = session.answers.len() as u32;
        let costs = self.instance.costs();
        let spent = session.spent();
        let units = (spent, costs.scale());
        let weight = self.instance.weight(object);
        Play { object, weight, cost: spent / costs.scale(), units, questions, found }
    }
}

/// Statistics of a set of simulated sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaySummary {
    /// Number of sessions.
    pub plays: usize,
    /// Share of sessions that found the right object or group.
    pub accuracy: f64,
    /// Mean cost.
    pub mean: f64,
    /// Quantiles of the cost: the least costs that 50 %, 90 % and 99 % of the sessions do not exceed.
    pub quantiles: [f64; 3],
    /// Largest cost, also of sessions of weight 0.
    pub max: f64,
    /// Mean number of questions.
    pub questions: f64,
    /// Total weight of the sessions.
    pub weight: f64,
}

impl PlaySummary {
    /// Computes the statistics of `plays`; if all have weight 0, each counts the same.
    pub fn of<'p>(plays: impl IntoIterator<Item = &'p Play>) -> Self {
        let mut plays: Vec<Play> = plays.into_iter().copied().collect();
        let weight = compensated_sum(plays.iter().map(|play| play.weight));
        if weight <= 0.0 {
            plays.iter_mut().for_each(|play| play.weight = 1.0);
        }
        let total = compensated_sum(plays.iter().map(|play| play.weight)).max(f64::MIN_POSITIVE);
        let mean = |value: &dyn Fn(&Play) -> f64| {
            compensated_sum(plays.iter().map(|play| play.weight * value(play))) / total
        };
        let accuracy = mean(&|play| f64::from(u8::from(play.found)));
        // Whole numbers, divided once at the end, like the costs of trees; unless they are too large for that.
        let scale = plays.first().map_or(1.0, |play| play.units.1);
        let spent = compensated_sum(plays.iter().map(|play| play.weight * play.units.0));
        let cost = match spent / (total * scale) {
            cost if cost.is_finite() => cost,
            _ => compensated_sum(plays.iter().map(|play| play.weight / total * play.cost)),
        };
        let questions = mean(&|play| f64::from(play.questions));
        let mut sorted = plays.clone();
        sorted.sort_by(|left, right| left.cost.total_cmp(&right.cost));
        let quantile = |share: f64| {
            // Rounding must not require one play more.
            let wanted = share * total * (1.0 - 1e-12);
            let mut sum = 0.0;
            let reached = sorted.iter().find(|play| {
                sum += play.weight;
                sum >= wanted
            });
            reached.or(sorted.last()).map_or(0.0, |play| play.cost)
        };
        Self {
            plays: plays.len(),
            accuracy,
            mean: cost,
            quantiles: [quantile(0.5), quantile(0.9), quantile(0.99)],
            max: sorted.last().map_or(0.0, |play| play.cost),
            questions,
            weight,
        }
    }
}
