//! Names in messages.

use fewest_model::{AnswerId, Instance, ObjectId, TestId};

/// Name of `object` in messages; joined objects have several names.
pub(crate) fn object_name(instance: &Instance, object: ObjectId) -> String {
    instance.object_names(object).collect::<Vec<_>>().join(" or ")
}

/// Name of the group of `object` in messages.
pub(crate) fn group_name(instance: &Instance, object: ObjectId) -> String {
    instance.group_names(instance.group_of(object)).join(" or ")
}

/// Name of `test` in messages.
pub(crate) fn test_name(instance: &Instance, test: TestId) -> String {
    instance.test(test).name.clone()
}

/// Text of an answer to `test`.
pub(crate) fn answer_text(instance: &Instance, test: TestId, answer: AnswerId) -> String {
    instance.test(test).answers.get(answer.index()).to_owned()
}
