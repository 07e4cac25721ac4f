//! Third claim: every leaf lists exactly the objects that reach it, and they belong to one group.

use crate::CheckError;
use crate::names::{answer_text, group_name, object_name, test_name};
use crate::walk::Walk;
use fewest_model::{AnswerId, Instance, Node, NodeId, ObjectId, TestId, Tree};

/// Verifies that every object is listed once, in the leaf that it reaches.
pub(crate) fn list_who_reaches_them(instance: &Instance, tree: &Tree, walk: &Walk) -> Result<(), CheckError> {
    let listed_in = listings(instance, tree)?;
    for (object, listed) in instance.objects().zip(listed_in) {
        match listed {
            Some(leaf) if leaf == walk.leaf[object.index()] => {}
            Some(leaf) => return Err(wrong_leaf(instance, tree, object, leaf)),
            None => return Err(CheckError::NotListed { object: object_name(instance, object) }),
        }
    }
    Ok(())
}

/// Leaf that lists each object.
fn listings(instance: &Instance, tree: &Tree) -> Result<Vec<Option<NodeId>>, CheckError> {
    let mut listed_in = vec![None; instance.object_count()];
    for (at, node) in tree.nodes().iter().enumerate() {
        let Node::Leaf { objects } = node else { continue };
        for &object in objects {
            if listed_in[object.index()].replace(NodeId::at(at)).is_some() {
                return Err(CheckError::ListedTwice { object: object_name(instance, object) });
            }
        }
    }
    Ok(listed_in)
}

/// Error that names the question at which `object` leaves the path to `leaf`.
fn wrong_leaf(instance: &Instance, tree: &Tree, object: ObjectId, leaf: NodeId) -> CheckError {
    let way = way_to(tree, leaf);
    let parting = way.iter().rev().find(|(test, needed)| instance.answer(object, *test) != *needed);
    let &(test, needed) = parting.expect("an object that gives all answers on the way to a leaf reaches it");
    CheckError::WrongLeaf {
        object: object_name(instance, object),
        test: test_name(instance, test),
        needed: answer_text(instance, test, needed),
        given: answer_text(instance, test, instance.answer(object, test)),
    }
}

/// Questions and answers that lead to `leaf`, the last first.
fn way_to(tree: &Tree, leaf: NodeId) -> Vec<(TestId, AnswerId)> {
    let mut way = Vec::new();
    let mut below = leaf;
    // Parents stand before their children, so one pass backwards finds all of them.
    for (at, node) in tree.nodes().iter().enumerate().take(leaf.index()).rev() {
        let Node::Ask { test, answers } = node else { continue };
        if let Some((answer, _)) = answers.iter().find(|(_, child)| *child == below) {
            way.push((*test, *answer));
            below = NodeId::at(at);
        }
    }
    way
}

/// Verifies that the objects in one leaf belong to one group.
pub(crate) fn are_pure(instance: &Instance, tree: &Tree, walk: &Walk) -> Result<(), CheckError> {
    let mut first_at: Vec<Option<ObjectId>> = vec![None; tree.nodes().len()];
    for second in instance.objects() {
        let first = *first_at[walk.leaf[second.index()].index()].get_or_insert(second);
        if instance.group_of(first) != instance.group_of(second) {
            return Err(CheckError::ImpureLeaf {
                first: object_name(instance, first),
                first_group: group_name(instance, first),
                second: object_name(instance, second),
                second_group: group_name(instance, second),
            });
        }
    }
    Ok(())
}

/// Verifies that every object that needs confirmation was confirmed on its path.
pub(crate) fn are_confirmed(instance: &Instance, walk: &Walk) -> Result<(), CheckError> {
    for object in instance.objects().filter(|object| !walk.confirmed[object.index()]) {
        if let Some(test) = instance.confirming(object) {
            let (object, test) = (object_name(instance, object), test_name(instance, test));
            return Err(CheckError::Unconfirmed { object, test });
        }
    }
    Ok(())
}

/// Number of leaves.
pub(crate) fn count(tree: &Tree) -> usize {
    tree.nodes().iter().filter(|node| matches!(node, Node::Leaf { .. })).count()
}
