//! Tables in which objects may give several answers, against every world written out.
use fewest::bound::{self, ObjectiveKind};
use fewest::builder::{Grown, SharesGreedy, grow_shares, unfold};
use fewest::criterion::{CATALOGUE, Settings};
use fewest::{
    AnswerId, Certificate, CheckError, Costs, Goal, Greedy, Identify, Instance, Lambda, Limit, MissingCells,
    Node, NodeId, ObjectId, Objective, Reading, Shares, StopReason, Table, TestId, Tree, build, check, loss,
};
use proptest::prelude::*;

/// Instance from cells that list answers by letter, `abc` for `a|b|c`: one row an object, with prior, group and
/// cells.
fn instance(rows: &[(u32, u8, Vec<u8>)], tests: usize, identify: Option<Identify>) -> Option<Instance> {
    let mut header = vec!["object".to_owned(), "prior".to_owned(), "group".to_owned()];
    header.extend((0..tests).map(|test| format!("t{test}")));
    let mut text = vec![header];
    for (at, (prior, group, cells)) in rows.iter().enumerate() {
        let mut row = vec![format!("o{at}"), prior.to_string(), format!("g{group}")];
        row.extend(cells.iter().map(|cell| match cell {
            0 => "?".to_owned(),
            1..=3 => ["a", "b", "c"][*cell as usize - 1].to_owned(),
            4 => "a|b".to_owned(),
            5 => "b|c".to_owned(),
            _ => "c|a".to_owned(),
        }));
        text.push(row);
    }
    let rows: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let reading =
        Reading { missing: MissingCells::Any, several: Some("|".to_owned()), identify, ..Reading::default() };
    Instance::new(Table::from_rows(&rows), &reading).ok().map(|(instance, _)| instance)
}

/// Object with one answer to each test: a world of an object, with its part of the prior.
struct World {
    object: ObjectId,
    share: f64,
    answers: Vec<AnswerId>,
}

fn worlds(instance: &Instance) -> Vec<World> {
    let mut all = Vec::new();
    for object in instance.objects() {
        let mut mine = vec![World { object, share: instance.prior(object), answers: Vec::new() }];
        for test in instance.test_ids() {
            let test = instance.test(test);
            let allowed: Vec<AnswerId> =
                (0..test.arity()).map(AnswerId::at).filter(|answer| test.allows(object, *answer)).collect();
            assert_eq!(allowed.len(), test.choices(object));
            mine = mine
                .iter()
                .flat_map(|world| {
                    allowed.iter().map(|answer| World {
                        object,
                        share: world.share / allowed.len() as f64,
                        answers: [&world.answers[..], &[*answer]].concat(),
                    })
                })
                .collect();
        }
        all.extend(mine);
    }
    all
}

fn leaf_of(tree: &Tree, world: &World) -> NodeId {
    let mut at = tree.root();
    while let Node::Ask { test, answers } = tree.node(at) {
        at = answers.iter().find(|(answer, _)| *answer == world.answers[test.index()]).unwrap().1;
    }
    at
}

/// Costs of a tree, world by world.
fn costs_by_worlds(instance: &Instance, tree: &Tree, lambda: f64) -> [f64; 3] {
    let spent = tree.down(0.0, |spent, test| spent + instance.cost(test));
    let paid: Vec<(f64, f64)> =
        worlds(instance).iter().map(|world| (world.share, spent[leaf_of(tree, world).index()])).collect();
    let exponential: f64 = paid.iter().map(|(share, cost)| share * lambda.powf(*cost)).sum();
    [
        paid.iter().map(|(share, cost)| share * cost).sum(),
        paid.iter().map(|(_, cost)| *cost).fold(0.0, f64::max),
        exponential.ln() / lambda.ln(),
    ]
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * right.abs().max(1.0)
}

fn grown(instance: &Instance, name: &str, cost_blind: bool) -> Grown {
    let entry = CATALOGUE.iter().find(|entry| entry.name == name).unwrap();
    let criterion = (entry.make)(Settings { lambda: Lambda::TWO, identify: Identify::Groups });
    grow_shares(&SharesGreedy::new(instance, criterion.as_ref(), cost_blind), &Limit::none(), usize::MAX)
}

/// Whether a test tells something of the groups if the worlds with these answers are left.
fn tells(instance: &Instance, here: &[&World], test: TestId) -> bool {
    let group = |world: &World| instance.group_of(world.object).index();
    let count = instance.group_count();
    let shares = |worlds: &[&World]| {
        let mut shares = vec![0.0; count];
        worlds.iter().for_each(|world| shares[group(world)] += world.share);
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total.max(f64::MIN_POSITIVE));
        shares
    };
    let before = shares(here);
    let arity = instance.test(test).arity();
    let changes = (0..arity).map(AnswerId::at).any(|answer| {
        let left: Vec<&World> =
            here.iter().copied().filter(|world| world.answers[test.index()] == answer).collect();
        let mass: f64 = left.iter().map(|world| world.share).sum();
        mass > 0.0 && shares(&left).iter().zip(&before).any(|(after, before)| (after - before).abs() > 1e-6)
    });
    let never_meet = |left: &World, right: &World| {
        let test = instance.test(test);
        !(0..arity)
            .map(AnswerId::at)
            .any(|answer| test.allows(left.object, answer) && test.allows(right.object, answer))
    };
    changes
        || here
            .iter()
            .any(|left| here.iter().any(|right| group(left) != group(right) && never_meet(left, right)))
}

/// Least expected and worst cost of any tree, by trying all of them.
fn best(instance: &Instance, here: &[&World], asked: &mut Vec<TestId>) -> [f64; 2] {
    let first = instance.group_of(here[0].object);
    if here.iter().all(|world| instance.group_of(world.object) == first) {
        return [0.0, 0.0];
    }
    let mass: f64 = here.iter().map(|world| world.share).sum();
    let mut least = [f64::INFINITY; 2];
    for test in instance.test_ids().filter(|test| !asked.contains(test)).collect::<Vec<_>>() {
        if !tells(instance, here, test) {
            continue;
        }
        asked.push(test);
        let (mut expected, mut worst) = (instance.cost(test) * mass, 0.0f64);
        for answer in (0..instance.test(test).arity()).map(AnswerId::at) {
            let part: Vec<&World> =
                here.iter().copied().filter(|world| world.answers[test.index()] == answer).collect();
            if !part.is_empty() {
                let below = best(instance, &part, asked);
                expected += below[0];
                worst = worst.max(below[1]);
            }
        }
        asked.pop();
        least = [least[0].min(expected), least[1].min(instance.cost(test) + worst)];
    }
    // No test tells anything: a leaf by the rule, whatever groups it holds.
    if least[0].is_finite() { least } else { [0.0, 0.0] }
}

fn rows(
    objects: usize,
    tests: usize,
    kinds: std::ops::Range<u8>,
) -> impl Strategy<Value = Vec<(u32, u8, Vec<u8>)>> {
    prop::collection::vec((1u32..5, 0u8..3, prop::collection::vec(kinds, tests)), 2..=objects)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Costs, weights, the checker and the identities of section 4, for every greedy rule.
    #[test]
    fn trees_cost_what_all_worlds_cost(rows in rows(6, 4, 0..7), objects: bool, blind: bool) {
        let identify = objects.then_some(Identify::Objects);
        let Some(instance) = instance(&rows, 4, identify) else { return Ok(()) };
        prop_assume!(instance.has_several());
        for entry in CATALOGUE {
            let Grown { tree, unfinished, .. } = grown(&instance, entry.name, blind);
            prop_assert!(unfinished.is_none());
            let costs = Costs::of(&tree, &instance, Lambda::TWO);
            let [expected, worst, exponential] = costs_by_worlds(&instance, &tree, 2.0);
            prop_assert!(close(costs.expected, expected), "{}: {} {expected}", entry.name, costs.expected);
            prop_assert_eq!(costs.worst, worst);
            prop_assert!(close(costs.exponential, exponential));
            let verified = check(&instance, &tree, &Certificate { costs: Some(costs), bound: None }).unwrap();
            prop_assert!(close(verified.costs.expected, expected) && verified.leaves == tree.leaf_count());
            // The leaves hold the weight of all worlds.
            let weights = tree.weights(&instance);
            let mut found = vec![0.0; tree.nodes().len()];
            worlds(&instance).iter().for_each(|world| found[leaf_of(&tree, world).index()] += world.share);
            for (at, node) in tree.nodes().iter().enumerate() {
                if let Node::Leaf { .. } = node {
                    prop_assert!(close(weights[at] / instance.total_weight(), found[at]));
                }
            }
            let losses = loss::expected(&tree, &instance);
            let lost: f64 = losses.nodes.iter().map(|loss| loss.value).sum();
            prop_assert!(close(losses.bound + lost, expected), "{} + {lost} is not {expected}", losses.bound);
            prop_assert!(losses.nodes.iter().all(|loss| loss.value >= -1e-9));
            let losses = loss::exponential(&tree, &instance, Lambda::TWO);
            let lost: f64 = losses.nodes.iter().map(|loss| loss.value).sum();
            prop_assert!(close(2f64.powf(losses.bound - exponential), 1.0 - lost), "{} {lost}", entry.name);
        }
    }

    /// Scores of each test at the root, from the definition over worlds.
    #[test]
    fn scores_are_those_of_all_worlds(rows in rows(7, 3, 0..7)) {
        let Some(instance) = instance(&rows, 3, None) else { return Ok(()) };
        prop_assume!(instance.has_several());
        let all = worlds(&instance);
        let here: Vec<&World> = all.iter().collect();
        let shares = Shares::all(&instance);
        prop_assume!(!shares.is_pure());
        let entropy = |masses: &[f64]| -> f64 {
            masses.iter().filter(|mass| **mass > 0.0).map(|mass| -mass * mass.log2()).sum()
        };
        let groups = instance.group_count();
        for name in ["gbs", "ggbs", "gain-ratio", "ec2"] {
            let entry = CATALOGUE.iter().find(|entry| entry.name == name).unwrap();
            let criterion = (entry.make)(Settings { lambda: Lambda::TWO, identify: Identify::Groups });
            let scores = SharesGreedy::new(&instance, criterion.as_ref(), true).scores(&shares, &[]);
            if !scores.iter().flatten().any(|score| *score > 1e-9) {
                continue;
            }
            for test in instance.test_ids() {
                let told = tells(&instance, &here, test);
                let Some(score) = scores[test.index()] else {
                    prop_assert!(!told, "{test:?} tells something");
                    continue;
                };
                let mut table = vec![vec![0.0; groups]; instance.test(test).arity()];
                for world in &all {
                    table[world.answers[test.index()].index()][instance.group_of(world.object).index()] += world.share;
                }
                let rows: Vec<f64> = table.iter().map(|row| row.iter().sum()).collect();
                let columns: Vec<f64> = (0..groups).map(|group| table.iter().map(|row| row[group]).sum()).collect();
                let flat: Vec<f64> = table.concat();
                let information = entropy(&rows) + entropy(&columns) - entropy(&flat);
                let pairs = |masses: &[f64]| -> f64 {
                    (0..groups).flat_map(|l| (0..l).map(move |k| (k, l))).map(|(k, l)| masses[k] * masses[l]).sum()
                };
                let defined = match name {
                    "gbs" => entropy(&rows),
                    "ggbs" => information,
                    "gain-ratio" => if information < 1e-12 { 0.0 } else { information / entropy(&rows) },
                    _ => pairs(&columns) - rows.iter().zip(&table).map(|(mass, row)| mass * pairs(row)).sum::<f64>(),
                };
                prop_assert!(close(score, defined), "{name}: {score} is not {defined}");
            }
        }
    }

    /// No tree is below the bound, and none found is below the best of all trees.
    #[test]
    fn the_bound_is_below_the_best_tree(rows in rows(5, 3, 0..7)) {
        let Some(instance) = instance(&rows, 3, None) else { return Ok(()) };
        prop_assume!(instance.has_several());
        let all = worlds(&instance);
        let least = best(&instance, &all.iter().collect::<Vec<_>>(), &mut Vec::new());
        let bounds = bound::all(&instance, Lambda::TWO);
        prop_assert!(bound::best(&bounds, ObjectiveKind::Expected).value <= least[0] + 1e-9, "{bounds:?} {least:?}");
        prop_assert!(bound::best(&bounds, ObjectiveKind::Worst).value <= least[1] + 1e-9);
        for (objective, least) in [(Objective::Expected, least[0]), (Objective::Worst, least[1])] {
            let outcome = build(&instance, &Goal::default().with_objective(objective), &Limit::none());
            let cost = outcome.costs.get(objective);
            prop_assert!(cost >= least - 1e-9, "{cost} is below {least}");
            prop_assert!(outcome.bound.value <= least + 1e-9);
            prop_assert!(!outcome.optimal || close(cost, least));
        }
        // The checker's own bound is the same.
        let again = fewest_check::bound_of_coarse_groups(&instance, Objective::Expected, None);
        prop_assert!(close(again, bound::best(&bounds, ObjectiveKind::Expected).value));
    }

    /// Tables with one answer in every cell have the trees of the ordinary builder.
    #[test]
    fn plain_tables_have_the_plain_trees(rows in rows(9, 4, 1..4)) {
        let Some(instance) = instance(&rows, 4, None) else { return Ok(()) };
        prop_assert!(!instance.has_several());
        for entry in CATALOGUE {
            let criterion = (entry.make)(Settings { lambda: Lambda::TWO, identify: Identify::Groups });
            for blind in [false, true] {
                let plain = unfold(&instance, &Greedy::new(&instance, criterion.as_ref(), blind), &Limit::none());
                let plain = plain.unwrap();
                let several = grown(&instance, entry.name, blind).tree;
                prop_assert_eq!(Costs::of(&plain, &instance, Lambda::TWO), Costs::of(&several, &instance, Lambda::TWO));
                prop_assert_eq!(plain, several, "{}", entry.name);
            }
        }
    }

    /// A tree that is cut short reports what it leaves open, and the checker finds the same.
    #[test]
    fn what_is_cut_short_is_told(rows in rows(7, 4, 0..7), leaves in 1usize..6) {
        let Some(instance) = instance(&rows, 4, Some(Identify::Objects)) else { return Ok(()) };
        prop_assume!(instance.has_several());
        let criterion = (CATALOGUE[2].make)(Settings { lambda: Lambda::TWO, identify: Identify::Groups });
        let greedy = SharesGreedy::new(&instance, criterion.as_ref(), false);
        let Grown { tree, unfinished, .. } = grow_shares(&greedy, &Limit::none(), leaves);
        let costs = Costs::of(&tree, &instance, Lambda::TWO);
        let certificate = Certificate { costs: Some(costs), bound: None };
        let Some(open) = unfinished else {
            prop_assert!(check(&instance, &tree, &certificate).is_ok());
            return Ok(());
        };
        let claimed = fewest_check::Open { leaves: open.leaves, weight: open.weight, error: open.error };
        prop_assert!(fewest_check::check_open(&instance, &tree, &certificate, Some(claimed)).is_ok());
        let is_early = matches!(check(&instance, &tree, &certificate), Err(CheckError::EarlyLeaf { .. }));
        prop_assert!(is_early);
        let fewer = fewest_check::Open { weight: claimed.weight / 2.0, ..claimed };
        let judged = fewest_check::check_open(&instance, &tree, &certificate, Some(fewer));
        let is_refused = matches!(judged, Err(CheckError::OpenLeaves { .. }));
        prop_assert!(is_refused);
        let bound = fewest_check::bound_of_coarse_groups(&instance, Objective::Expected, Some(open.error));
        prop_assert!(bound <= costs.expected + 1e-9, "{bound} above {}", costs.expected);
    }
}

/// Table in which `t` leaves a and b open, `u` tells c from the others: a and b are never told apart for certain.
fn three() -> Instance {
    instance(&[(1, 0, vec![4, 1]), (1, 1, vec![1, 1]), (2, 2, vec![2, 2])], 2, None).unwrap()
}

#[test]
fn a_small_tree_by_hand() {
    // u has the answers a (o0, o1) and b (o2), half the probability each. Then t: o1 says a, o0 either.
    let instance = three();
    let tree = grown(&instance, "gbs", false).tree;
    let Node::Ask { test, answers } = tree.node(NodeId(0)) else { panic!("a question") };
    assert_eq!(*test, TestId(1));
    let Node::Ask { answers, .. } = tree.node(answers[0].1) else { panic!("a question") };
    let leaf = |objects: &[u32]| Node::Leaf { objects: objects.iter().map(|at| ObjectId(*at)).collect() };
    assert_eq!([tree.node(answers[0].1), tree.node(answers[1].1)], [&leaf(&[0, 1]), &leaf(&[0])]);
    let weights = answers.iter().map(|(_, child)| tree.weights(&instance)[child.index()] / 4.0);
    assert_eq!(weights.collect::<Vec<_>>(), [0.125 + 0.25, 0.125]);
    let costs = Costs::of(&tree, &instance, Lambda::TWO);
    assert_eq!((costs.expected, costs.worst), (0.5 + 0.5 * 2.0, 2.0));
    // Coarse groups: {a, b} and {c}, half each.
    assert_eq!(bound::coarse_groups(&instance), [0, 0, 1]);
    assert_eq!(bound::best(&bound::all(&instance, Lambda::TWO), ObjectiveKind::Expected).value, 1.0);
    assert_eq!(build(&instance, &Goal::default(), &Limit::none()).stop, StopReason::Complete);
}

#[test]
fn altered_trees_are_refused() {
    let instance = three();
    let leaf = |objects: &[u32]| Node::Leaf { objects: objects.iter().map(|at| ObjectId(*at)).collect() };
    let ask = |test, children: &[(u32, u32)]| Node::Ask {
        test: TestId(test),
        answers: children.iter().map(|(answer, child)| (AnswerId(*answer), NodeId(*child))).collect(),
    };
    let judge = |nodes: Vec<Node>| check(&instance, &Tree::new(nodes).unwrap(), &Certificate::default());
    let root = ask(0, &[(0, 1), (1, 2)]);
    let below = ask(1, &[(0, 3), (1, 4)]);
    let good = vec![root.clone(), leaf(&[0, 1]), below.clone(), leaf(&[0]), leaf(&[2])];
    assert!(judge(good.clone()).is_ok());
    let refused = |nodes| judge(nodes).unwrap_err();
    // Mass moved from one leaf to another.
    let moved = vec![root.clone(), leaf(&[1]), below.clone(), leaf(&[0]), leaf(&[2])];
    assert_eq!(refused(moved), CheckError::Unlisted { object: "o0".to_owned() });
    let moved = vec![root.clone(), leaf(&[0, 1]), below.clone(), leaf(&[0, 1]), leaf(&[2])];
    assert_eq!(refused(moved), CheckError::Unreachable { object: "o1".to_owned() });
    // A leaf cut early.
    let early = vec![root.clone(), leaf(&[0, 1]), leaf(&[0, 2])];
    assert!(matches!(refused(early), CheckError::EarlyLeaf { .. }));
    // A test twice on a path.
    let again = ask(0, &[(0, 3), (1, 4)]);
    let twice = vec![root.clone(), leaf(&[0, 1]), again, leaf(&[0]), leaf(&[0, 2])];
    assert_eq!(refused(twice), CheckError::AskedTwice { test: "t0".to_owned() });
    // A question that tells nothing, one that is not needed, and an answer without a child.
    let idle = vec![root.clone(), ask(1, &[(0, 3)]), below.clone(), leaf(&[0, 1]), leaf(&[0]), leaf(&[2])];
    assert!(matches!(
        Tree::new(idle).map(|tree| check(&instance, &tree, &Certificate::default())),
        Err(_) | Ok(Err(_))
    ));
    let lacking = vec![ask(0, &[(1, 1)]), below, leaf(&[0]), leaf(&[2])];
    let lacking = lacking.into_iter().map(|node| match node {
        Node::Ask { test: TestId(1), .. } => ask(1, &[(0, 2), (1, 3)]),
        node => node,
    });
    assert!(matches!(refused(lacking.collect()), CheckError::MissingChild { .. }));
    // Another cost.
    let costs = Costs { expected: 1.0, worst: 2.0, exponential: 1.0, lambda: Lambda::TWO };
    let claim = Certificate { costs: Some(costs), bound: None };
    assert!(matches!(check(&instance, &Tree::new(good).unwrap(), &claim), Err(CheckError::Expected { .. })));
}

#[test]
fn without_time_the_outcome_says_so() {
    let instance = three();
    let outcome = build(&instance, &Goal::default(), &Limit::time(std::time::Duration::ZERO));
    assert_eq!(outcome.stop, StopReason::Time);
    assert_eq!(outcome.unfinished.unwrap().weight, 1.0);
    assert_eq!(outcome.tree.leaf_count(), 1);
}
