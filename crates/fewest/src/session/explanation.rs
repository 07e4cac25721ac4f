//! Explanations: the answers for and against an object, and the tests that tell two objects apart.

use super::posterior::{is_mismatch, of_reply};
use super::{Reply, Session, Snapshot};
use fewest_model::{AnswerId, ObjectId, TestId};

/// Answer, compared with the answers that an object would give.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedAnswer {
    /// Number of the answer among all, from 0.
    pub at: usize,
    /// The test.
    pub test: TestId,
    /// Reply of the user.
    pub reply: Reply,
    /// Answers that the object may give.
    pub expected: Vec<AnswerId>,
    /// Probability that the object gives this reply.
    pub likelihood: f64,
}

/// Answers for and against one object.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The object.
    pub object: ObjectId,
    /// Probability of the object before the first answer.
    pub prior: f64,
    /// Probability of the object now; 0 if it is ruled out.
    pub probability: f64,
    /// Answers that the object would give.
    pub agree: Vec<CheckedAnswer>,
    /// Answers that the object would give only by an error.
    pub disagree: Vec<CheckedAnswer>,
}

/// Test to which two objects answer differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The test.
    pub test: TestId,
    /// Answers that the first object may give.
    pub left: Vec<AnswerId>,
    /// Answers that the second object may give.
    pub right: Vec<AnswerId>,
    /// Last reply to the test.
    pub reply: Option<Reply>,
}

impl Snapshot<'_, '_> {
    /// Returns the answers for and against `object`, in the order in which they were given; "I don't know" is left
    /// out.
    pub fn explain(&self, object: ObjectId) -> Explanation {
        let (session, posterior) = (self.session, &self.posterior);
        let at = posterior.live.iter().position(|live| *live == object);
        let probability = at.map_or(0.0, |at| posterior.weights[at] / posterior.total);
        let (mut agree, mut disagree) = (Vec::new(), Vec::new());
        for (at, given) in
            session.answers.iter().enumerate().filter(|(_, given)| given.reply != Reply::Unknown)
        {
            let test = session.instance.test(given.test);
            let said = CheckedAnswer {
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
    /// Returns the answers for and against `object`; see [`Snapshot::explain`].
    pub fn explain(&self, object: ObjectId) -> Explanation {
        self.snapshot().explain(object)
    }

    /// Returns the answers that `object` may give to `test`.
    pub fn may_answer(&self, object: ObjectId, test: TestId) -> Vec<AnswerId> {
        let test = self.instance.test(test);
        (0..test.arity()).map(AnswerId::at).filter(|answer| test.allows(object, *answer)).collect()
    }

    /// Returns the tests to which `left` and `right` have different answers, in order of tests.
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
