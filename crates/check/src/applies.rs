//! Whether a test may be asked: every object that is possible must have an answer to it, and meet its premises.
//!
//! The answers of the objects are looked up again here, object by object and premise by premise.

use crate::names::{object_name, test_name};
use crate::{CheckError, NotApplicable};
use fewest_model::{AnswerId, Instance, ObjectId, TestId};

/// Verifies that `test` may be asked of `objects`, all of which are possible after the answers `given`.
pub(crate) fn to_all(
    instance: &Instance,
    test: TestId,
    objects: impl Iterator<Item = ObjectId>,
    given: &[(TestId, AnswerId)],
) -> Result<(), CheckError> {
    if !instance.has_premises() {
        return Ok(());
    }
    for object in objects {
        if let Some(source) = obstacle(instance, test, object, given) {
            let (test, object) = (test_name(instance, test), object_name(instance, object));
            let reason = match source {
                None => "it does not apply to that object".to_owned(),
                Some(source) => {
                    format!("its premise on `{}` need not hold for that object", test_name(instance, source))
                }
            };
            return Err(CheckError::NotApplicable(NotApplicable { test, object, reason }));
        }
    }
    Ok(())
}

/// Reason why `test` may not be asked while `object` is possible: no answer of the object, or the test of a premise that
/// need not hold for it; `None` if it may be asked.
fn obstacle(
    instance: &Instance,
    test: TestId,
    object: ObjectId,
    given: &[(TestId, AnswerId)],
) -> Option<Option<TestId>> {
    if !instance.test(test).applies_to(object) {
        return Some(None);
    }
    // Premises of premises count as well, where their test was not asked.
    let mut followed = Vec::new();
    let mut open = vec![test];
    while let Some(next) = open.pop() {
        followed.push(next);
        for premise in &instance.test(next).premises {
            let source = instance.test(premise.test);
            let is_met = match given.iter().find(|(asked, _)| *asked == premise.test) {
                Some((_, answer)) => premise.answers.contains(answer),
                None => {
                    let may_give =
                        (0..source.arity()).map(AnswerId::at).filter(|v| source.allows(object, *v));
                    let answers: Vec<AnswerId> = may_give.collect();
                    if !followed.contains(&premise.test) {
                        open.push(premise.test);
                    }
                    !answers.is_empty() && answers.iter().all(|answer| premise.answers.contains(answer))
                }
            };
            if !is_met {
                return Some(Some(premise.test));
            }
        }
    }
    None
}
