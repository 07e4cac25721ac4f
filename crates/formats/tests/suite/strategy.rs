//! Strategies as files: what is written reads back equal and means the same tree, and no bytes make the reader panic.

use fewest::{
    Algorithm, Certificate, Goal, Instance, Limit, Node, Reading, Table, Tree, algorithms, build, check,
};
use fewest_formats::json::{CostPart, ReadingPart};
use fewest_formats::read::ReadOptions;
use fewest_formats::text::{Depth, Layout, draw};
use fewest_formats::{NamedNode, NamedTree, Strategy as Saved, StrategyError, write_outcome};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Configuration with the same inputs on every run, unless `PROPTEST_RNG_SEED` asks for others.
fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { config.cases } else { cases };
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1952) } else { config.rng_seed };
    ProptestConfig { cases, rng_seed, ..config }
}

/// Names with characters that are special in JSON; a table holds neither empty names nor blanks around them.
fn awkward_name() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("\\u0041".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\u{1}\u{1b}\u{7f}\u{85}".to_owned()),
        Just("\u{2028}\u{202e}".to_owned()),
        Just("äß€🦉e\u{301}".to_owned()),
        Just("}}".to_owned()),
        Just("`'{[:,".to_owned()),
        Just("null".to_owned()),
        Just("x".repeat(3000)),
        "[a-z0-9]{1,9}",
        any::<String>(),
    ];
    vec(piece, 1..4).prop_map(|pieces| pieces.concat().trim().to_owned()).prop_filter("a name", |name| {
        !name.is_empty() && !name.starts_with('@') && !["group", "prior", "?"].contains(&name.as_str())
    })
}

/// Tables with awkward names everywhere, and any groups, priors and costs.
fn instances() -> impl Strategy<Value = Instance> {
    (1usize..9, 0usize..5).prop_flat_map(|(objects, tests)| {
        let names = (
            btree_set(awkward_name(), objects + tests + 1),
            btree_set(awkward_name(), 3),
            btree_set(awkward_name(), 3),
        );
        let answers = vec(vec(0usize..3, tests), objects);
        let groups = vec(0usize..3, objects);
        let priors =
            vec(prop_oneof![1 => Just(0.0), 2 => (1u32..9).prop_map(f64::from), 3 => 1e-9..1.0f64], objects);
        let costs = vec(prop_oneof![Just(1.0), 0.01..50.0f64], tests);
        let mode = (any::<bool>(), any::<bool>());
        (names, answers, groups, priors, costs, mode).prop_map(
            move |(
                (names, answer_names, group_names),
                answers,
                groups,
                priors,
                costs,
                (grouped, weighted),
            )| {
                let names: Vec<String> = names.into_iter().collect();
                let (answer_names, group_names): (Vec<String>, Vec<String>) =
                    (answer_names.into_iter().collect(), group_names.into_iter().collect());
                let weighted = weighted && priors.iter().any(|prior| *prior > 0.0);
                let mut rows = vec![vec![names[objects + tests].clone()]];
                rows[0].extend(names[objects..objects + tests].iter().cloned());
                rows[0].extend(grouped.then(|| "group".to_owned()));
                rows[0].extend(weighted.then(|| "prior".to_owned()));
                for object in 0..objects {
                    let mut row = vec![names[object].clone()];
                    row.extend(answers[object].iter().map(|answer| answer_names[*answer].clone()));
                    row.extend(grouped.then(|| group_names[groups[object]].clone()));
                    row.extend(weighted.then(|| priors[object].to_string()));
                    rows.push(row);
                }
                let rows: Vec<Vec<&str>> =
                    rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
                let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
                let costs = names[objects..].iter().cloned().zip(costs).collect();
                let reading = Reading { costs, ..Reading::default() };
                Instance::new(Table::from_rows(&rows), &reading).unwrap().0
            },
        )
    })
}

/// File that `build` would save, its named tree and its tree.
fn saved(instance: &Instance, algorithm: Option<Algorithm>) -> (Vec<u8>, NamedTree, Tree) {
    let goal = Goal::default().with_algorithm(algorithm);
    let outcome = build(instance, &goal, &Limit::none());
    let tree = NamedTree::new(&outcome.tree, instance);
    let reading = ReadingPart::new(&ReadOptions::default(), &Reading::default(), instance);
    let mut json = Vec::new();
    write_outcome(&mut json, instance, &goal, &outcome, &tree, Some(&reading), None).unwrap();
    (json, tree, outcome.tree)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_strategy_reads_back_equal_and_means_the_same_tree(instance in instances(), at in 0..algorithms().len()) {
        let (json, named, tree) = saved(&instance, Some(algorithms()[at]));
        let read = Saved::read(&json).unwrap();
        prop_assert_eq!(&read.tree, &named);
        prop_assert_eq!(read.tree.to_tree(&instance).unwrap(), tree.clone());
        prop_assert_eq!(&read.algorithm, algorithms()[at].name);
        let costs = read.cost.to_costs().unwrap();
        prop_assert_eq!(CostPart::from(costs), read.cost);
        let verdict = check(&instance, &tree, &Certificate { costs: Some(costs), bound: None });
        prop_assert!(verdict.is_ok(), "{:?}", verdict.err());
        // The drawing holds no control characters except line ends and its own styles.
        let drawn = draw(&read.tree, Layout { width: 80, depth: Depth::Full }).replace("\u{1b}[", "");
        prop_assert!(drawn.chars().all(|letter| letter == '\n' || !letter.is_control()));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in vec(any::<u8>(), 0..200)) {
        let error = Saved::read(&bytes).unwrap_err().to_string();
        prop_assert!(!error.contains('\n'), "{}", error);
    }

    #[test]
    fn no_change_of_a_strategy_makes_the_reader_or_the_drawing_panic(
        instance in instances(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..6),
    ) {
        let (mut json, ..) = saved(&instance, Some(algorithms()[0]));
        for (place, byte, kind) in changes {
            let at = place.index(json.len());
            let letters = b"{}[],:\"01e-\\";
            match kind {
                0 => json[at] = byte,
                1 => json[at] = letters[usize::from(byte) % letters.len()],
                2 => drop(json.remove(at)),
                _ => json.truncate(at.max(1)),
            }
        }
        judge(&json, &instance);
    }

    #[test]
    fn no_tree_of_odd_nodes_makes_the_reader_or_the_drawing_panic(instance in instances(), node in odd_node()) {
        let (json, ..) = saved(&instance, Some(algorithms()[0]));
        let json = String::from_utf8(json).unwrap();
        let start = json.find("\"tree\": ").unwrap();
        judge(format!("{}\"tree\": {node}}}", &json[..start]).as_bytes(), &instance);
    }
}

/// Reads, draws and looks up a text that may or may not be a strategy.
fn judge(json: &[u8], instance: &Instance) {
    match Saved::read(json) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(read) => {
            for depth in [Depth::Full, Depth::Questions(1), Depth::Lines(3)] {
                draw(&read.tree, Layout { width: 10, depth });
            }
            if let (Ok(tree), Some(costs)) = (read.tree.to_tree(instance), read.cost.to_costs()) {
                let _ = check(instance, &tree, &Certificate { costs: Some(costs), bound: None });
            }
        }
    }
}

/// JSON that is nearly a node, or one that no builder would make.
fn odd_node() -> impl Strategy<Value = String> {
    let number =
        || prop_oneof![Just("1"), Just("-1"), Just("1e400"), Just("\"inf\""), Just("0"), Just("null")];
    let leaf = (prop::sample::select(vec!["[]", "[\"x\"]", "[\"x\",\"x\"]", "null"]), number())
        .prop_map(|(names, weight)| format!(r#"{{"groups":{names},"objects":{names},"weight":{weight}}}"#));
    let leaf = prop_oneof![9 => leaf, 1 => Just("{}".to_owned()), 1 => Just("[]".to_owned())];
    leaf.prop_recursive(4, 24, 3, move |below| {
        (vec((prop::sample::select(vec!["0", "1", ""]), below), 0..3), number(), number()).prop_map(
            |(answers, cost, weight)| {
                let answers: Vec<String> =
                    answers.iter().map(|(answer, node)| format!("\"{answer}\":{node}")).collect();
                let answers = answers.join(",");
                format!(r#"{{"ask":"t","cost":{cost},"weight":{weight},"answers":{{{answers}}}}}"#)
            },
        )
    })
}

/// Objects on a line, each told apart from all that follow by a test of its own.
fn chain(objects: usize) -> (Tree, NamedTree) {
    let last = objects - 1;
    let leaf = |object: usize| NamedNode::Leaf {
        groups: vec![format!("o{object}")],
        objects: vec![format!("o{object}")],
        weight: 1.0 / objects as f64,
    };
    let mut nodes = Vec::new();
    let mut ids = Vec::new();
    for object in 0..last {
        let at = nodes.len();
        nodes.push(NamedNode::Ask {
            test: format!("t{object}"),
            question: None,
            cost: 1.0,
            weight: (objects - object) as f64 / objects as f64,
            answers: vec![("1".to_owned(), at + 1), ("0".to_owned(), at + 2)],
        });
        nodes.push(leaf(object));
        let child = |answer: usize, node: usize| (fewest::AnswerId::at(answer), fewest::NodeId::at(node));
        ids.push(Node::Ask {
            test: fewest::TestId::at(object),
            answers: [child(0, at + 1), child(1, at + 2)].into(),
        });
        ids.push(Node::leaf(&[fewest::ObjectId::at(object)]));
    }
    nodes.push(leaf(last));
    ids.push(Node::leaf(&[fewest::ObjectId::at(last)]));
    (Tree::new(ids).unwrap(), NamedTree { nodes })
}

#[test]
fn a_game_reads_back_equal_with_its_confirmations() {
    let table = Table::from_rows(&[
        &["o", "a", "b", "c"],
        &["a", "=", "-", "-"],
        &["b", "-", "=", "-"],
        &["c", "-", "-", "="],
    ]);
    let reading = Reading { confirm: true, ..Reading::default() };
    let instance = Instance::new(table, &reading).unwrap().0;
    for algorithm in algorithms() {
        let (json, named, tree) = saved(&instance, Some(algorithm));
        let single = |node: &NamedNode| matches!(node, NamedNode::Ask { answers, .. } if answers.len() == 1);
        assert_eq!(named.nodes.iter().filter(|node| single(node)).count(), 1, "{}", algorithm.name);
        let read = Saved::read(&json).unwrap();
        assert!(read.reading.confirm && read.instance.confirm);
        assert_eq!(read.tree, named);
        assert_eq!(read.tree.to_tree(&instance).unwrap(), tree);
        let costs = read.cost.to_costs();
        assert!(check(&instance, &tree, &Certificate { costs, ..Certificate::default() }).is_ok());
    }
}

#[test]
fn a_chain_of_5000_questions_reads_back_equal() {
    let (tree, named) = chain(5001);
    assert_eq!(tree.depth(), 5000);
    // The document of a small instance, with this tree in place of its own.
    let instance =
        Instance::new(Table::from_rows(&[&["o", "a"], &["x", "0"]]), &Reading::default()).unwrap().0;
    let goal = Goal::default();
    let outcome = build(&instance, &goal, &Limit::none());
    let mut json = Vec::new();
    write_outcome(&mut json, &instance, &goal, &outcome, &named, None, None).unwrap();
    let read = Saved::read(&json).unwrap();
    assert_eq!(read.tree, named);
    // Folded quickly; in full it could not be read.
    assert!(draw(&read.tree, Layout { width: 80, depth: Depth::Lines(40) }).lines().count() <= 41);
    assert!(draw(&read.tree, Layout { width: 80, depth: Depth::Full }).contains("… "));
    // Truncated anywhere, it is refused, and quickly.
    for end in [json.len() / 2, json.len() - 6000, json.len() - 3] {
        assert!(matches!(Saved::read(&json[..end]), Err(StrategyError::Json(_))));
    }
}

#[test]
fn a_chain_means_the_same_tree_in_its_table() {
    let objects = 300;
    let (tree, named) = chain(objects);
    let mut rows = vec![vec!["o".to_owned()]];
    rows[0].extend((0..objects - 1).map(|test| format!("t{test}")));
    for object in 0..objects {
        let mut row = vec![format!("o{object}")];
        row.extend((0..objects - 1).map(|test| if test == object { "1" } else { "0" }.to_owned()));
        rows.push(row);
    }
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let instance = Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0;
    let found = named.to_tree(&instance).unwrap();
    assert!(check(&instance, &found, &Certificate { costs: None, bound: None }).is_ok());
    assert_eq!((found.depth(), found.leaf_count()), (tree.depth(), tree.leaf_count()));
    assert_eq!(NamedTree::new(&found, &instance).nodes.len(), named.nodes.len());
}

#[test]
fn unknown_fields_are_left_to_newer_programs() {
    let instance =
        Instance::new(Table::from_rows(&[&["o", "a"], &["x", "0"], &["y", "1"]]), &Reading::default())
            .unwrap()
            .0;
    let (json, named, _) = saved(&instance, None);
    let json = String::from_utf8(json).unwrap();
    let more =
        json.replace("\"weight\"", "\"hint\":{\"deep\":[1,{}]},\"weight\"").replacen('{', "{\"by\":null,", 1);
    assert_ne!(more, json);
    assert_eq!(Saved::read(more.as_bytes()).unwrap().tree, named);
}

#[test]
fn numbers_keep_every_digit() {
    let leaf = |weight| NamedNode::Leaf { groups: vec![], objects: vec!["x".to_owned()], weight };
    let instance =
        Instance::new(Table::from_rows(&[&["o", "a"], &["x", "0"]]), &Reading::default()).unwrap().0;
    let goal = Goal::default();
    let outcome = build(&instance, &goal, &Limit::none());
    let mut bits = 0x1234_5678_9ABC_DEF0_u64;
    for _ in 0..2000 {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let weight = (bits >> 11) as f64 / (1u64 << 53) as f64;
        let named = NamedTree { nodes: vec![leaf(weight)] };
        let mut json = Vec::new();
        write_outcome(&mut json, &instance, &goal, &outcome, &named, None, None).unwrap();
        assert_eq!(Saved::read(&json).unwrap().tree, named, "{weight}");
    }
}
