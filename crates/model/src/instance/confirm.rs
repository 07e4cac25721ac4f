//! Test that confirms each object, if being the only candidate left is not enough.

use super::{InstanceError, Test};
use crate::{Labels, ObjectId, TestId};
use std::collections::BTreeMap;

/// Finds for each object the test with its name, which must have an answer that only this object gives.
pub(super) fn confirming(names: &Labels, tests: &[Test]) -> Result<Vec<TestId>, InstanceError> {
    let by_name: BTreeMap<&str, TestId> =
        tests.iter().enumerate().map(|(at, test)| (test.name.as_str(), TestId::at(at))).collect();
    let find = |(row, name): (usize, &str)| {
        let test =
            *by_name.get(name).ok_or_else(|| InstanceError::NoConfirmation { object: name.to_owned() })?;
        let column = &tests[test.index()];
        let answer = column.answer(ObjectId::at(row));
        let other =
            (0..names.len()).find(|other| *other != row && column.answer(ObjectId::at(*other)) == answer);
        match other {
            None => Ok(test),
            Some(other) => Err(InstanceError::SharedConfirmation {
                object: name.to_owned(),
                other: names.get(other).to_owned(),
                answer: column.answers.get(answer.index()).to_owned(),
            }),
        }
    };
    names.iter().enumerate().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instance, Node, Reading, Table, Tree};

    const GAME: &[&[&str]] = &[
        &["code", "A", "B", "C", "odd"],
        &["A", "=", "-", "-", "0"],
        &["B", "-", "=", "-", "1"],
        &["C", "-", "-", "=", "0"],
    ];

    fn read(rows: &[&[&str]]) -> Result<Instance, InstanceError> {
        let reading = Reading { confirm: true, ..Reading::default() };
        Instance::new(Table::from_rows(rows), &reading).map(|(instance, _)| instance)
    }

    #[test]
    fn each_object_is_confirmed_by_the_test_of_its_name() {
        let instance = read(GAME).unwrap();
        assert!(instance.needs_confirmation());
        let tests: Vec<_> = instance.objects().map(|object| instance.confirming(object)).collect();
        assert_eq!(tests, [Some(TestId(0)), Some(TestId(1)), Some(TestId(2))]);
        let plain = Instance::new(Table::from_rows(GAME), &Reading::default()).unwrap().0;
        assert!(!plain.needs_confirmation() && plain.confirming(ObjectId(0)).is_none());
    }

    #[test]
    fn tables_without_such_tests_are_refused_by_name() {
        let error = |rows: &[&[&str]]| read(rows).unwrap_err();
        let lacking: &[&[&str]] = &[&["code", "A", "b"], &["A", "=", "-"], &["B", "-", "="]];
        assert_eq!(error(lacking), InstanceError::NoConfirmation { object: "B".to_owned() });
        let shared: &[&[&str]] =
            &[&["code", "A", "B", "C"], &["A", "=", "-", "-"], &["B", "=", "=", "-"], &["C", "-", "-", "="]];
        let InstanceError::SharedConfirmation { object, other, answer } = error(shared) else { panic!() };
        assert_eq!([object, other, answer], ["A", "B", "="]);
        let groups: &[&[&str]] = &[&["code", "group", "A"], &["A", "x", "="]];
        assert_eq!(error(groups), InstanceError::ConfirmGroups);
    }

    #[test]
    fn an_object_left_alone_is_asked_once_more() {
        // `odd` leaves B alone, so `B` is asked. `A` tells A and leaves C, so `C` is asked.
        let instance = read(GAME).unwrap();
        let tree = Tree::unfold(&instance, |level| {
            let test = |count| match count {
                3 => Some(TestId(3)),
                2 => Some(TestId(0)),
                _ => None,
            };
            Some(level.iter().map(|node| test(node.len())).collect())
        });
        let tree = tree.unwrap();
        let asked: Vec<(u32, usize)> = tree
            .nodes()
            .iter()
            .filter_map(|node| match node {
                Node::Ask { test, answers } => Some((test.0, answers.len())),
                Node::Leaf { .. } => None,
            })
            .collect();
        assert_eq!(asked, [(3, 2), (0, 2), (1, 1), (2, 1)]);
        assert_eq!((tree.leaf_count(), tree.depth()), (3, 3));
        // A test that was the last one asked is not asked again.
        assert_eq!(tree.clone().confirmed(&instance), tree);
        let alone = read(&[&["code", "A"], &["A", "="]]).unwrap();
        assert_eq!(Tree::unfold(&alone, |level| Some(vec![None; level.len()])).unwrap().depth(), 1);
    }
}
