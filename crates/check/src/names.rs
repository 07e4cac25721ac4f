//! What messages call things.

use fewest_model::{AnswerId, Instance, ObjectId, TestId};

/// What messages call `object`; objects that no test tells apart have several names.
pub(crate) fn object_name(instance: &Instance, object: ObjectId) -> String {
    instance.object_names(object).collect::<Vec<_>>().join(" or ")
}

/// What messages call the group of `object`.
pub(crate) fn group_name(instance: &Instance, object: ObjectId) -> String {
    instance.group_names(instance.group_of(object)).join(" or ")
}

/// What messages call `test`.
pub(crate) fn test_name(instance: &Instance, test: TestId) -> String {
    instance.test(test).name.clone()
}

/// The text of an answer to `test`.
pub(crate) fn answer_text(instance: &Instance, test: TestId, answer: AnswerId) -> String {
    instance.test(test).answers.get(answer.index()).to_owned()
}
