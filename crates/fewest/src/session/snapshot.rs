//! Session at one moment: the posterior of its answers, computed once, and all that follows from it.

use super::choose::Scored;
use super::posterior::Posterior;
use super::{Errors, Session};
use fewest_model::{GroupId, ObjectId, TestId};
use std::cell::OnceCell;

/// Next step of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ask this test.
    Ask(TestId),
    /// Ask no more.
    Done(Reason),
}

/// Reason why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// One object or group only is possible.
    Identified,
    /// The likeliest class is likely enough.
    Certain,
    /// No more classes are left than the rules ask for.
    FewLeft,
    /// No question that would help is within the cost limit.
    TooDear,
    /// No question that may be asked tells anything more.
    NothingToAsk,
    /// No object fits the answers.
    Contradiction,
}

impl Reason {
    /// Returns the word for programs, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identified => "identified",
            Self::Certain => "certain",
            Self::FewLeft => "few-left",
            Self::TooDear => "too-dear",
            Self::NothingToAsk => "nothing-to-ask",
            Self::Contradiction => "contradiction",
        }
    }
}

/// Possible object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The object.
    pub object: ObjectId,
    /// Probability of the object.
    pub probability: f64,
    /// Number of answers that would be wrong if this were the object.
    pub mismatches: u32,
}

/// Possible group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupShare {
    /// The group.
    pub group: GroupId,
    /// Probability of the group.
    pub probability: f64,
    /// Number of objects of the group that are possible.
    pub objects: usize,
}

/// Session at one moment. The posterior is computed when the snapshot is made; the step and the scores of tests when
/// they are first needed.
///
/// A screen or a response that shows several of these results takes one snapshot; the methods of the same names on
/// [`Session`] make a new one each time.
#[derive(Clone, Debug)]
pub struct Snapshot<'s, 'a> {
    pub(super) session: &'s Session<'a>,
    pub(super) posterior: Posterior,
    step: OnceCell<Step>,
    scores: OnceCell<Vec<Scored>>,
}

impl<'a> Session<'a> {
    /// Computes the posterior of the answers, and returns a snapshot that holds it.
    pub fn snapshot(&self) -> Snapshot<'_, 'a> {
        Snapshot {
            session: self,
            posterior: self.posterior(),
            step: OnceCell::new(),
            scores: OnceCell::new(),
        }
    }

    /// Returns the next step: a question, or the end.
    pub fn step(&self) -> Step {
        self.snapshot().step()
    }

    /// Returns the possible objects; see [`Snapshot::candidates`].
    pub fn candidates(&self) -> Vec<Candidate> {
        self.snapshot().candidates()
    }

    /// Returns the possible groups; see [`Snapshot::groups`].
    pub fn groups(&self) -> Vec<GroupShare> {
        self.snapshot().groups()
    }
}

impl<'s, 'a> Snapshot<'s, 'a> {
    /// Returns the session of which this is a snapshot.
    pub fn session(&self) -> &'s Session<'a> {
        self.session
    }

    /// Returns the next step: a question, or the end.
    pub fn step(&self) -> Step {
        *self.step.get_or_init(|| self.decide())
    }

    /// Scores of all tests that may be asked, by the rule.
    pub(super) fn scores(&self) -> &[Scored] {
        self.scores.get_or_init(|| self.session.scores(&self.posterior))
    }

    /// Decides the step: the end, otherwise the tree's question, otherwise the best one by the rule; tests that the
    /// rules name as first come first.
    fn decide(&self) -> Step {
        let (session, posterior) = (self.session, &self.posterior);
        if let Some(end) = self.end() {
            return end;
        }
        let of_tree = session.follow(posterior).and_then(|(tree, node)| tree.node(node).test());
        // The tree needs no scores, which take most of the time.
        if let Some(test) = of_tree.filter(|_| session.rules.first.is_empty()) {
            return Step::Ask(test);
        }
        let scores = self.scores();
        let tells = |test: &&TestId| {
            scores.iter().any(|(other, score)| other == *test && *score > 0.0)
                && !session.answers.iter().any(|given| given.test == **test)
        };
        let first = session.rules.first.iter().find(tells).copied();
        match first.or(of_tree).or_else(|| session.best(scores, posterior)) {
            Some(test) => Step::Ask(test),
            None => Step::Done(self.why_nothing()),
        }
    }

    /// Returns the end, if it is reached; or the question that confirms the last object.
    fn end(&self) -> Option<Step> {
        let (session, posterior) = (self.session, &self.posterior);
        if posterior.live.is_empty() {
            return Some(Step::Done(Reason::Contradiction));
        }
        if let [object] = posterior.live[..]
            && let Some(test) = session.instance.confirming(object)
            && session.is_free(test)
        {
            let step =
                if session.is_affordable(test) { Step::Ask(test) } else { Step::Done(Reason::TooDear) };
            return Some(step);
        }
        let left = session.rules.stop_at.max(1);
        if posterior.classes.len() <= left {
            let reason = if posterior.classes.len() == 1 { Reason::Identified } else { Reason::FewLeft };
            return Some(Step::Done(reason));
        }
        let certainty = session.rules.certainty();
        let enough = certainty < 1.0 && posterior.share_of_best(left) >= certainty;
        enough.then_some(Step::Done(if left == 1 { Reason::Certain } else { Reason::FewLeft }))
    }

    /// Reason why no question is left: the cost limit, if there would be one without it.
    fn why_nothing(&self) -> Reason {
        if self.session.rules.max_cost.is_none() {
            return Reason::NothingToAsk;
        }
        let mut free = self.session.clone();
        free.rules.max_cost = None;
        let helps = free.best(&free.scores(&self.posterior), &self.posterior).is_some();
        if helps { Reason::TooDear } else { Reason::NothingToAsk }
    }

    /// Returns the possible objects, the likeliest first, equally likely ones by row. If errors are counted, those
    /// that contradict fewer answers come first.
    pub fn candidates(&self) -> Vec<Candidate> {
        let posterior = &self.posterior;
        let all = posterior.live.iter().zip(&posterior.weights).zip(&posterior.mismatches);
        let mut all: Vec<Candidate> = all
            .map(|((object, weight), mismatches)| Candidate {
                object: *object,
                probability: weight / posterior.total,
                mismatches: *mismatches,
            })
            .collect();
        let counted = matches!(self.session.rules.errors, Errors::AtMost(_));
        all.sort_by(|left, right| {
            let fewer =
                if counted { left.mismatches.cmp(&right.mismatches) } else { std::cmp::Ordering::Equal };
            let likelier = right.probability.total_cmp(&left.probability);
            fewer.then(likelier).then(left.object.cmp(&right.object))
        });
        all
    }

    /// Returns the objects that the answers rule out, in the order of the table.
    pub fn ruled_out(&self) -> Vec<ObjectId> {
        let instance = self.session.instance;
        let mut is_live = vec![false; instance.object_count()];
        self.posterior.live.iter().for_each(|object| is_live[object.index()] = true);
        instance.objects().filter(|object| !is_live[object.index()]).collect()
    }

    /// Returns the possible groups, the likeliest first, equally likely ones by first row.
    pub fn groups(&self) -> Vec<GroupShare> {
        let (instance, posterior) = (self.session.instance, &self.posterior);
        let mut objects: Vec<(GroupId, f64)> = posterior
            .live
            .iter()
            .zip(&posterior.weights)
            .map(|(object, weight)| (instance.group_of(*object), *weight))
            .collect();
        objects.sort_by_key(|(group, _)| *group);
        let parts = objects.chunk_by(|left, right| left.0 == right.0);
        let mut groups: Vec<GroupShare> = parts
            .map(|part| GroupShare {
                group: part[0].0,
                probability: part.iter().map(|(_, weight)| weight).sum::<f64>() / posterior.total,
                objects: part.len(),
            })
            .collect();
        groups.sort_by(|left, right| {
            right.probability.total_cmp(&left.probability).then(left.group.cmp(&right.group))
        });
        groups
    }
}
