//! Tests that may be asked in a session, if some have premises.
//!
//! Without errors the possible objects decide: a test may be asked if it applies to all of them. If answers may be wrong,
//! nearly every object stays possible, so a test may also be asked where the replies say that its premises hold.

use super::posterior::{Posterior, is_mismatch};
use super::{Given, Reply, Session};
use fewest_model::{ObjectId, Premise, TestId};

impl Session<'_> {
    /// Whether `test` applies, by the replies so far.
    pub(super) fn is_applicable(&self, test: TestId, posterior: &Posterior) -> bool {
        if !self.instance.has_premises() {
            return true;
        }
        let premises = &self.instance.test(test).premises;
        if self.rules.may_err() && !premises.is_empty() {
            let settled: Vec<Option<bool>> = premises.iter().map(|premise| self.settled(premise)).collect();
            if settled.contains(&Some(false)) {
                return false;
            }
            if settled.iter().all(|settled| *settled == Some(true)) {
                return true;
            }
        }
        self.instance.may_ask(test, &posterior.live, |premise| self.settled(premise))
    }

    /// Whether a reply says that `premise` holds, or that it does not.
    fn settled(&self, premise: &Premise) -> Option<bool> {
        let given = self.answers.iter().rev().find(|given| given.test == premise.test)?;
        let within = given.reply.answers().iter().filter(|answer| premise.answers.contains(answer)).count();
        match given.reply {
            Reply::OneOf(ref answers) if within == answers.len() => Some(true),
            Reply::OneOf(_) if within == 0 => Some(false),
            Reply::OneOf(_) | Reply::Unknown => None,
        }
    }

    /// Whether the reply to a premise of `test`, among those `given`, tells already that `object` is not the one. Then its reply to `test`,
    /// which does not apply to it, tells nothing more.
    pub(super) fn is_told_already(&self, test: TestId, object: ObjectId, given: &[&Given]) -> bool {
        self.instance.test(test).premises.iter().any(|premise| {
            let source = self.instance.test(premise.test);
            let mut replies = given.iter().filter(|given| given.test == premise.test);
            replies.any(|given| is_mismatch(source, object, &given.reply))
        })
    }
}
