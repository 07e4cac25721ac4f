//! Where a test may be asked.

use super::{Instance, Premise};
use crate::{AnswerId, ObjectId, TestId};

impl Instance {
    /// Whether `test` may be asked where `objects` are possible: no object is among them that it does not apply to,
    /// and every premise holds for all of them. `settled` says of a premise whether an answer that was given settles
    /// it; `None` if its test was not asked.
    ///
    /// A test that may be asked of a set of objects may be asked of each part of it.
    pub fn may_ask(
        &self,
        test: TestId,
        objects: &[ObjectId],
        settled: impl Fn(&Premise) -> Option<bool>,
    ) -> bool {
        if !self.has_premises {
            return true;
        }
        let mut waiting = vec![test];
        let mut seen = Vec::new();
        while let Some(test) = waiting.pop() {
            seen.push(test);
            let test = self.test(test);
            if test.inapplicable.is_some() && !objects.iter().all(|object| test.applies_to(*object)) {
                return false;
            }
            // If every object has one answer, those that a premise excludes are marked already.
            if !self.has_several {
                return true;
            }
            for premise in &test.premises {
                match settled(premise) {
                    Some(false) => return false,
                    Some(true) => {}
                    None => {
                        let source = self.test(premise.test);
                        let fits = |answer: &AnswerId| premise.answers.contains(answer);
                        if !objects.iter().all(|object| source.possible(*object).iter().all(fits)) {
                            return false;
                        }
                        if !seen.contains(&premise.test) {
                            waiting.push(premise.test);
                        }
                    }
                }
            }
        }
        true
    }

    /// Whether `test` may be asked where `objects` are possible after these tests were answered so.
    pub fn may_ask_after(&self, test: TestId, objects: &[ObjectId], given: &[(TestId, AnswerId)]) -> bool {
        self.may_ask(test, objects, |premise| {
            let answer = given.iter().find(|(test, _)| *test == premise.test)?.1;
            Some(premise.answers.contains(&answer))
        })
    }
}
