//! First claim: all tests, answers and objects of the tree are in the instance.

use crate::CheckError;
use crate::names::test_name;
use fewest_model::{AnswerId, Instance, Node, ObjectId, TestId, Tree};

/// Refuses unknown numbers, so that all later checks may look names up.
pub(crate) fn all_known(instance: &Instance, tree: &Tree) -> Result<(), CheckError> {
    for node in tree.nodes() {
        match node {
            Node::Leaf { objects } => {
                objects.iter().try_for_each(|object| object_known(instance, *object))?
            }
            Node::Ask { test, answers } => {
                test_known(instance, *test)?;
                answers.iter().try_for_each(|(answer, _)| answer_known(instance, *test, *answer))?;
            }
        }
    }
    Ok(())
}

fn object_known(instance: &Instance, object: ObjectId) -> Result<(), CheckError> {
    let objects = instance.object_count();
    if object.index() < objects {
        Ok(())
    } else {
        Err(CheckError::UnknownObject { number: object.0, objects })
    }
}

fn test_known(instance: &Instance, test: TestId) -> Result<(), CheckError> {
    let tests = instance.test_count();
    if test.index() < tests { Ok(()) } else { Err(CheckError::UnknownTest { number: test.0, tests }) }
}

fn answer_known(instance: &Instance, test: TestId, answer: AnswerId) -> Result<(), CheckError> {
    let answers = instance.test(test).arity();
    if answer.index() < answers {
        return Ok(());
    }
    Err(CheckError::UnknownAnswer { test: test_name(instance, test), number: answer.0, answers })
}
