//! Good trees pass with the costs of the specification, and every spoiled tree is refused for the right reason.

use crate::common::{Draft, claim, instance, object, some_tree};
use fewest_check::{CheckError, check};
use fewest_model::{AnswerId, Certificate, Instance, Lambda, Node, NodeId, ObjectId, TestId, Tree};

/// Example E2 of the specification.
fn costly() -> Instance {
    instance(
        "o t1 t2 t3 group prior
         @cost 2 1 3 - -
         1 1 1 2 A 0.1
         2 1 2 1 A 0.2
         3 2 2 1 B 0.4
         4 1 2 2 C 0.25
         5 2 2 2 C 0.05",
    )
}

/// `t2(1:{1} 2:t3(2:{4,5} 1:t1(1:{2} 2:{3})))`: E 4.9, W 6.
fn costly_tree(instance: &Instance) -> Draft<'_> {
    Draft::new(instance)
        .ask("t2", &[("1", 1), ("2", 2)])
        .leaf(&["1"])
        .ask("t3", &[("2", 3), ("1", 4)])
        .leaf(&["4", "5"])
        .ask("t1", &[("1", 5), ("2", 6)])
        .leaf(&["2"])
        .leaf(&["3"])
}

/// Example E4 of the specification: three answers, and an object of prior 0 that makes the worst case.
fn coloured() -> Instance {
    instance(
        "o group prior color size shape
         @cost - - 2 1 1.5
         a P 0.3 r S x
         b P 0.3 r S x
         c Q 0.2 g S x
         d Q 0.1 g L y
         e R 0.1 b L x
         f R 0 r L y",
    )
}

/// `color(r:size(S:{a,b} L:{f}) g:{c,d} b:{e})`.
fn coloured_tree(instance: &Instance) -> Draft<'_> {
    Draft::new(instance)
        .ask("color", &[("r", 1), ("g", 2), ("b", 3)])
        .ask("size", &[("S", 4), ("L", 5)])
        .leaf(&["c", "d"])
        .leaf(&["e"])
        .leaf(&["a", "b"])
        .leaf(&["f"])
}

fn with_costs(draft: &Draft<'_>, certificate: Certificate) -> Result<(), CheckError> {
    check(draft.instance, &draft.tree(), &certificate).map(|_| ())
}

#[test]
fn a_good_tree_passes_with_its_figures() {
    let instance = coloured();
    let verified = check(&instance, &coloured_tree(&instance).tree(), &Certificate::default()).unwrap();
    assert_eq!((verified.objects, verified.leaves, verified.depth), (6, 4, 2));
    assert_eq!((verified.costs.expected, verified.costs.worst), (2.6, 3.0));
    assert_eq!(verified.costs.lambda, Lambda::TWO);
    assert!((verified.costs.exponential - 2.6780719051).abs() < 1e-10);
}

#[test]
fn the_printed_costs_of_the_specification_are_believed() {
    let (coloured, costly) = (coloured(), costly());
    let tree = coloured_tree(&coloured);
    for (lambda, value) in [(1.0, 2.6), (2.0, 2.6780719051), (10.0, 2.8061799740), (f64::INFINITY, 3.0)] {
        with_costs(&tree, claim(2.6, 3.0, value, lambda)).unwrap();
    }
    with_costs(&tree, claim(2.6, 3.0, 2.9630252567, 1e6)).unwrap();
    let verified = check(&costly, &costly_tree(&costly).tree(), &Certificate::default()).unwrap();
    assert_eq!((verified.costs.expected, verified.costs.worst), (4.9, 6.0));
}

#[test]
fn one_object_needs_no_question() {
    let instance = instance("o t\n only 1");
    let tree = Draft::new(&instance).leaf(&["only"]);
    let verified = check(&instance, &tree.tree(), &claim(0.0, 0.0, 0.0, 2.0)).unwrap();
    assert_eq!((verified.leaves, verified.depth), (1, 0));
}

#[test]
fn children_may_stand_in_any_order() {
    let instance = coloured();
    let mut tree = coloured_tree(&instance);
    if let Node::Ask { answers, .. } = &mut tree.nodes[0] {
        answers.reverse();
    }
    assert!(check(&instance, &tree.tree(), &Certificate::default()).is_ok());
}

#[test]
fn objects_that_nothing_tells_apart_count_as_one() {
    let instance = instance("o t\n a 0\n b 0\n c 1");
    let tree = Draft::new(&instance).ask("t", &[("0", 1), ("1", 2)]).leaf(&["b"]).leaf(&["c"]);
    assert_eq!(check(&instance, &tree.tree(), &Certificate::default()).unwrap().objects, 2);
    let mut tree = tree;
    tree.listed(1).clear();
    assert_eq!(tree.refused(), CheckError::NotListed { object: "a or b".into() });
}

#[test]
fn an_object_in_the_wrong_leaf_is_refused_with_the_parting_question() {
    let instance = costly();
    let mut tree = costly_tree(&instance);
    let five = object(&instance, "5");
    tree.listed(3).retain(|other| *other != five);
    tree.listed(5).push(five);
    let error = tree.refused();
    let [object, test, needed, given] = ["5", "t3", "1", "2"].map(str::to_owned);
    assert_eq!(error, CheckError::WrongLeaf { object, test, needed, given });
    assert_eq!(
        error.to_string(),
        "object `5` is listed in a leaf that takes answer `1` to `t3`, but its answer is `2`"
    );
}

#[test]
fn two_objects_that_change_places_are_refused() {
    let instance = coloured();
    let mut tree = coloured_tree(&instance);
    (*tree.listed(3), *tree.listed(5)) =
        ([object(&instance, "f")].into_iter().collect(), [object(&instance, "e")].into_iter().collect());
    assert!(matches!(tree.refused(), CheckError::WrongLeaf { object, .. } if object == "e"));
}

#[test]
fn an_object_listed_twice_is_refused() {
    let instance = coloured();
    for leaf in [2, 3] {
        let mut tree = coloured_tree(&instance);
        tree.listed(leaf).push(object(&instance, "d"));
        assert_eq!(tree.refused(), CheckError::ListedTwice { object: "d".into() });
    }
}

#[test]
fn an_object_listed_nowhere_is_refused_also_with_prior_zero() {
    let instance = coloured();
    for (leaf, object) in [(4, "b"), (5, "f")] {
        let mut tree = coloured_tree(&instance);
        tree.listed(leaf).pop();
        assert_eq!(tree.refused(), CheckError::NotListed { object: object.into() });
    }
}

#[test]
fn a_leaf_of_two_groups_is_refused_also_with_prior_zero() {
    let instance = coloured();
    let tree = Draft::new(&instance)
        .ask("color", &[("r", 1), ("g", 2), ("b", 3)])
        .leaf(&["a", "b", "f"])
        .leaf(&["c", "d"])
        .leaf(&["e"]);
    let [first, first_group, second, second_group] = ["a", "P", "f", "R"].map(str::to_owned);
    assert_eq!(tree.refused(), CheckError::ImpureLeaf { first, first_group, second, second_group });
}

#[test]
fn a_missing_child_is_refused_with_the_object_that_needs_it() {
    let instance = coloured();
    let tree = Draft::new(&instance)
        .ask("color", &[("r", 1), ("g", 2)])
        .ask("size", &[("S", 3), ("L", 4)])
        .leaf(&["c", "d", "e"])
        .leaf(&["a", "b"])
        .leaf(&["f"]);
    let [object, test, answer] = ["e", "color", "b"].map(str::to_owned);
    assert_eq!(tree.refused(), CheckError::MissingChild { object, test, answer });
}

#[test]
fn a_child_without_objects_is_refused() {
    let instance = coloured();
    let tree = Draft::new(&instance)
        .ask("size", &[("S", 1), ("L", 2)])
        .ask("color", &[("r", 3), ("g", 4), ("b", 5)])
        .ask("color", &[("r", 6), ("g", 7), ("b", 8)])
        .leaf(&["a", "b"])
        .leaf(&["c"])
        .leaf(&[])
        .leaf(&["f"])
        .leaf(&["d"])
        .leaf(&["e"]);
    let [test, answer] = ["color", "b"].map(str::to_owned);
    assert_eq!(tree.refused(), CheckError::UnreachedChild { test, answer });
}

#[test]
fn two_children_for_one_answer_are_refused() {
    let instance = coloured();
    let tree = Draft::new(&instance)
        .ask("color", &[("r", 1), ("g", 2), ("b", 3), ("g", 6)])
        .ask("size", &[("S", 4), ("L", 5)])
        .leaf(&["c"])
        .leaf(&["e"])
        .leaf(&["a", "b"])
        .leaf(&["f"])
        .leaf(&["d"]);
    let [test, answer] = ["color", "g"].map(str::to_owned);
    assert_eq!(tree.refused(), CheckError::TwoChildren { test, answer });
}

#[test]
fn a_question_with_one_possible_answer_is_refused() {
    let instance = costly();
    let tree = Draft::new(&instance)
        .ask("t2", &[("1", 1), ("2", 2)])
        .leaf(&["1"])
        .ask("t2", &[("2", 3)])
        .ask("t3", &[("2", 4), ("1", 5)])
        .leaf(&["4", "5"])
        .ask("t1", &[("1", 6), ("2", 7)])
        .leaf(&["2"])
        .leaf(&["3"]);
    let [test, answer] = ["t2", "2"].map(str::to_owned);
    assert_eq!(tree.refused(), CheckError::UselessQuestion { test, answer });
}

#[test]
fn a_question_where_one_group_is_left_is_refused() {
    let instance = coloured();
    let tree = Draft::new(&instance)
        .ask("color", &[("r", 1), ("g", 2), ("b", 3)])
        .ask("size", &[("S", 4), ("L", 5)])
        .ask("shape", &[("x", 6), ("y", 7)])
        .leaf(&["e"])
        .leaf(&["a", "b"])
        .leaf(&["f"])
        .leaf(&["c"])
        .leaf(&["d"]);
    let [test, group] = ["shape", "Q"].map(str::to_owned);
    assert_eq!(tree.refused(), CheckError::NeedlessQuestion { test, group });
}

#[test]
fn a_tree_for_another_table_is_refused() {
    let instance = coloured();
    let mut tree = coloured_tree(&instance);
    tree.listed(5).push(ObjectId(6));
    assert_eq!(tree.refused(), CheckError::UnknownObject { number: 6, objects: 6 });

    let mut tree = coloured_tree(&instance);
    tree.nodes[1] =
        Node::Ask { test: TestId(3), answers: [(AnswerId(0), NodeId(4)), (AnswerId(1), NodeId(5))].into() };
    assert_eq!(tree.refused(), CheckError::UnknownTest { number: 3, tests: 3 });

    let mut tree = coloured_tree(&instance);
    tree.nodes[1] =
        Node::Ask { test: TestId(1), answers: [(AnswerId(0), NodeId(4)), (AnswerId(2), NodeId(5))].into() };
    assert_eq!(tree.refused(), CheckError::UnknownAnswer { test: "size".into(), number: 2, answers: 2 });
}

#[test]
fn a_cost_that_is_off_by_a_millionth_is_refused() {
    let instance = coloured();
    let tree = coloured_tree(&instance);
    for off in [1.0 + 1e-6, 1.0 - 1e-6] {
        let error = with_costs(&tree, claim(2.6 * off, 3.0, 2.6780719051, 2.0)).unwrap_err();
        assert_eq!(error, CheckError::Expected { claimed: 2.6 * off, found: 2.6 });
        let error = with_costs(&tree, claim(2.6, 3.0 * off, 2.6780719051, 2.0)).unwrap_err();
        assert_eq!(error, CheckError::Worst { claimed: 3.0 * off, found: 3.0 });
        let error = with_costs(&tree, claim(2.6, 3.0, 2.6780719051 * off, 2.0)).unwrap_err();
        assert!(matches!(error, CheckError::Exponential { lambda: 2.0, .. }));
    }
    assert_eq!(
        with_costs(&tree, claim(2.5, 3.0, 2.6780719051, 2.0)).unwrap_err().to_string(),
        "the expected cost is 2.6, not 2.5 as claimed"
    );
}

#[test]
fn a_worst_cost_that_forgets_an_object_of_prior_zero_is_refused() {
    let instance = coloured();
    let tree = Draft::new(&instance)
        .ask("color", &[("r", 1), ("g", 2), ("b", 3)])
        .ask("shape", &[("x", 4), ("y", 5)])
        .leaf(&["c", "d"])
        .leaf(&["e"])
        .leaf(&["a", "b"])
        .leaf(&["f"]);
    let error = with_costs(&tree, claim(2.0 + 0.6 * 1.5, 3.0, 3.5, f64::INFINITY)).unwrap_err();
    assert_eq!(error, CheckError::Worst { claimed: 3.0, found: 3.5 });
}

/// Table with one question per object to which only that object answers 1, and the chain that asks them in turn.
fn chain(objects: usize) -> (Instance, Tree) {
    let cell = |object: usize, test: usize| if object == test { " 1" } else { " 0" };
    let header: String = (0..objects - 1).map(|test| format!(" q{test}")).collect();
    let row = |object| (0..objects - 1).map(|test| cell(object, test)).collect::<String>();
    let body: String = (0..objects).map(|object| format!("\no{object}{}", row(object))).collect();
    let instance = instance(&format!("o{header}{body}"));
    let nodes = some_tree(&instance, |_| 0);
    (instance, Tree::new(nodes).unwrap())
}

#[test]
fn a_long_chain_of_questions_needs_no_stack() {
    let (instance, tree) = chain(400);
    let judge = move || check(&instance, &tree, &Certificate::default()).unwrap();
    let thread = std::thread::Builder::new().stack_size(32 << 10).spawn(judge).unwrap();
    assert_eq!(thread.join().unwrap().depth, 399);
}

#[test]
fn a_hundred_thousand_useless_questions_are_refused_at_the_first() {
    let instance = instance("o t s\n a 0 0\n b 0 1");
    let mut tree = Draft::new(&instance);
    for at in 0..100_000 {
        tree = tree.ask("t", &[("0", at + 1)]);
    }
    let tree = tree.ask("s", &[("0", 100_001), ("1", 100_002)]).leaf(&["a"]).leaf(&["b"]);
    assert!(matches!(tree.refused(), CheckError::UselessQuestion { .. }));
}
