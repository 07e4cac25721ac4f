//! Why or why not an object, and what tells two of them apart.

use super::posterior::{is_mismatch, of_reply};
use super::{Reply, Session, Snapshot};
use fewest_model::{AnswerId, ObjectId, TestId};

/// Something said, held against what an object would say.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Its number among the answers, from 0.
    pub at: usize,
    /// The test.
    pub test: TestId,
    /// What was said.
    pub reply: Reply,
    /// What the object may answer.
    pub expected: Vec<AnswerId>,
    /// How likely the object would say so.
    pub likelihood: f64,
}

/// Why or why not an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The object.
    pub object: ObjectId,
    /// How likely it was before the first answer.
    pub prior: f64,
    /// How likely it is now; 0 if it is ruled out.
    pub probability: f64,
    /// The answers that it would give.
    pub agree: Vec<Said>,
    /// The answers that it would not give without an error.
    pub disagree: Vec<Said>,
}

/// A test to which two objects answer differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The test.
    pub test: TestId,
    /// What the first may answer.
    pub left: Vec<AnswerId>,
    /// What the second may answer.
    pub right: Vec<AnswerId>,
    /// What was said last of it.
    pub reply: Option<Reply>,
}

impl Snapshot<'_, '_> {
    /// Returns the answers for and against `object`, as they were given; those that say nothing are left out.
    pub fn explain(&self, object: ObjectId) -> Explanation {
        let (session, posterior) = (self.session, &self.posterior);
        let at = posterior.live.iter().position(|live| *live == object);
        let probability = at.map_or(0.0, |at| posterior.weights[at] / posterior.total);
        let (mut agree, mut disagree) = (Vec::new(), Vec::new());
        for (at, given) in
            session.answers.iter().enumerate().filter(|(_, given)| given.reply != Reply::Unknown)
        {
            let test = session.instance.test(given.test);
            let said = Said {
                at,
                test: given.test,
                reply: given.reply.clone(),
                expected: session.may_answer(object, given.test),
                likelihood: of_reply(test, object, &given.reply, session.rules.rate(given.test)),
            };
            let wrong = is_mismatch(test, object, &given.reply);
            if wrong { &mut disagree } else { &mut agree }.push(said);
        }
        Explanation { object, prior: session.instance.prior(object), probability, agree, disagree }
    }
}

impl Session<'_> {
    /// Returns the answers for and against `object`, as [`Snapshot::explain`].
    pub fn explain(&self, object: ObjectId) -> Explanation {
        self.snapshot().explain(object)
    }

    /// What `object` may answer to `test`.
    pub fn may_answer(&self, object: ObjectId, test: TestId) -> Vec<AnswerId> {
        let test = self.instance.test(test);
        (0..test.arity()).map(AnswerId::at).filter(|answer| test.allows(object, *answer)).collect()
    }

    /// The tests to which `left` and `right` do not answer alike, in order of tests.
    pub fn differences(&self, left: ObjectId, right: ObjectId) -> Vec<Difference> {
        let difference = |test: TestId| Difference {
            test,
            left: self.may_answer(left, test),
            right: self.may_answer(right, test),
            reply: self
                .answers
                .iter()
                .rev()
                .find(|given| given.test == test)
                .map(|given| given.reply.clone()),
        };
        let all = self.instance.test_ids().map(difference);
        all.filter(|difference| difference.left != difference.right).collect()
    }
}
