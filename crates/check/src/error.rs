//! Why a tree or a claim is refused.

use fewest_model::{AnswerId, Instance, ObjectId, TestId};
use thiserror::Error;

/// Why a tree or a claim is refused, with names from the table.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum CheckError {
    /// The tree asks a test that the instance does not have.
    #[error(
        "the tree asks test number {number}, but the table has {tests} tests; is it the table the tree was built for?"
    )]
    UnknownTest {
        /// The test's number, from 0.
        number: u32,
        /// How many tests there are.
        tests: usize,
    },
    /// The tree waits for an answer that the test does not have.
    #[error(
        "the tree has a child for answer number {number} to `{test}`, but that test has {answers} answers"
    )]
    UnknownAnswer {
        /// The test.
        test: String,
        /// The answer's number, from 0.
        number: u32,
        /// How many answers there are.
        answers: usize,
    },
    /// A leaf lists an object that the instance does not have.
    #[error(
        "a leaf lists object number {number}, but the table has {objects} objects; is it the table the tree was built for?"
    )]
    UnknownObject {
        /// The object's number, from 0.
        number: u32,
        /// How many objects there are.
        objects: usize,
    },
    /// A node has two children for one answer.
    #[error("a node that asks `{test}` has two children for answer `{answer}`")]
    TwoChildren {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
    },
    /// An object's answer leads nowhere.
    #[error(
        "object `{object}` reaches a node that asks `{test}`, but there is no child for its answer `{answer}`"
    )]
    MissingChild {
        /// The object.
        object: String,
        /// The test.
        test: String,
        /// Its answer.
        answer: String,
    },
    /// A child that nobody reaches.
    #[error(
        "no object that reaches a node asking `{test}` gives answer `{answer}`, yet there is a child for it"
    )]
    UnreachedChild {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
    },
    /// A test that tells nothing where it is asked.
    #[error(
        "asking `{test}` tells nothing where it is asked: every object that gets there answers `{answer}`"
    )]
    UselessQuestion {
        /// The test.
        test: String,
        /// The only answer.
        answer: String,
    },
    /// A test asked where the group is known already.
    #[error("`{test}` is asked although only group `{group}` is left: that node should be a leaf")]
    NeedlessQuestion {
        /// The test.
        test: String,
        /// The group.
        group: String,
    },
    /// An object that the leaves list more than once.
    #[error("object `{object}` is listed twice in the leaves")]
    ListedTwice {
        /// The object.
        object: String,
    },
    /// An object that no leaf lists.
    #[error("object `{object}` is listed in no leaf")]
    NotListed {
        /// The object.
        object: String,
    },
    /// An object listed in a leaf that it does not reach.
    #[error(
        "object `{object}` is listed in a leaf that takes answer `{needed}` to `{test}`, but its answer is `{given}`"
    )]
    WrongLeaf {
        /// The object.
        object: String,
        /// The first test on the way to the leaf at which the object goes elsewhere.
        test: String,
        /// The answer that leads to the leaf.
        needed: String,
        /// The object's answer.
        given: String,
    },
    /// A leaf that leaves the group open.
    #[error(
        "`{first}` and `{second}` end in one leaf, but their groups are `{first_group}` and `{second_group}`"
    )]
    ImpureLeaf {
        /// The first object of the leaf.
        first: String,
        /// Its group.
        first_group: String,
        /// An object of another group.
        second: String,
        /// Its group.
        second_group: String,
    },
    /// An object that is left alone, but was not asked the test of its name.
    #[error(
        "object `{object}` ends in a leaf, but the test `{test}` that confirms it was not asked before it"
    )]
    Unconfirmed {
        /// The object.
        object: String,
        /// The test of its name.
        test: String,
    },
    /// The claimed expected cost is not the tree's.
    #[error("the expected cost is {found}, not {claimed} as claimed")]
    Expected {
        /// The claim.
        claimed: f64,
        /// What the paths add up to.
        found: f64,
    },
    /// The claimed worst cost is not the tree's.
    #[error("the worst cost is {found}, not {claimed} as claimed")]
    Worst {
        /// The claim.
        claimed: f64,
        /// What the paths add up to.
        found: f64,
    },
    /// The claimed exponential cost is not the tree's.
    #[error("the exponential cost for λ = {lambda} is {found}, not {claimed} as claimed")]
    Exponential {
        /// The λ of the claim.
        lambda: f64,
        /// The claim.
        claimed: f64,
        /// What the paths add up to.
        found: f64,
    },
}

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
