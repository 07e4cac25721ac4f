//! Tables in which objects may give several answers: random trees against every world written out, and refusals by
//! hand.

use crate::common::cases;
use fewest_check::{CheckError, Open, bound_of_coarse_groups, check, check_open};
use fewest_model::{
    AnswerId, Branches, Certificate, Costs, Instance, Lambda, MissingCells, Node, NodeId, ObjectId,
    Objective, Reading, Table, TestId, Tree,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// An instance from lines of words, where `a|b` may give either answer and `?` any.
fn instance(text: &str) -> Instance {
    let lines: Vec<Vec<&str>> = text.trim().lines().map(|line| line.split_whitespace().collect()).collect();
    let (about, rows): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line[0] == "@cost");
    let rows: Vec<&[&str]> = rows.into_iter().map(|line| line.as_slice()).collect();
    let costs = about.iter().flat_map(|line| rows[0].iter().zip(line.iter()).skip(1));
    let costs = costs
        .filter(|(_, cost)| **cost != "-")
        .map(|(name, cost)| ((*name).to_owned(), cost.parse().unwrap()))
        .collect();
    let reading =
        Reading { missing: MissingCells::Any, several: Some("|".to_owned()), costs, ..Reading::default() };
    Instance::new(Table::from_rows(&rows), &reading).unwrap().0
}

/// Object with one answer to each test, and its part of the prior.
#[derive(Clone)]
struct World {
    object: ObjectId,
    share: f64,
    answers: Vec<AnswerId>,
}

fn allowed(instance: &Instance, object: ObjectId, test: TestId) -> Vec<AnswerId> {
    let test = instance.test(test);
    (0..test.arity()).map(AnswerId::at).filter(|answer| test.allows(object, *answer)).collect()
}

fn worlds(instance: &Instance) -> Vec<World> {
    let mut all = Vec::new();
    for object in instance.objects() {
        let mut mine = vec![World { object, share: instance.prior(object), answers: Vec::new() }];
        for test in instance.test_ids() {
            let allowed = allowed(instance, object, test);
            let choose = |world: &World, answer: &AnswerId| World {
                share: world.share / allowed.len() as f64,
                answers: [&world.answers[..], &[*answer]].concat(),
                ..world.clone()
            };
            mine = mine.iter().flat_map(|world| allowed.iter().map(|answer| choose(world, answer))).collect();
        }
        all.extend(mine);
    }
    all
}

/// Objects of some worlds, with their weights there; if all weigh nothing, all weigh the same.
fn visitors(here: &[World]) -> BTreeMap<ObjectId, f64> {
    let mut shares = BTreeMap::new();
    here.iter().for_each(|world| *shares.entry(world.object).or_insert(0.0) += world.share);
    if shares.values().sum::<f64>() == 0.0 {
        shares.values_mut().for_each(|share| *share = 1.0);
    }
    shares
}

fn have_common(instance: &Instance, test: TestId, left: ObjectId, right: ObjectId) -> bool {
    allowed(instance, left, test).iter().any(|answer| allowed(instance, right, test).contains(answer))
}

/// Whether an answer changes the probability of a group, or two objects of different groups cannot give the same
/// answer.
fn tells(instance: &Instance, here: &[World], test: TestId) -> bool {
    let shares = visitors(here);
    let total: f64 = shares.values().sum();
    let group = |object: &ObjectId| instance.group_of(*object);
    let groups: BTreeSet<_> = shares.keys().map(group).collect();
    let changes = |answer: AnswerId| {
        let able: Vec<(ObjectId, f64)> = shares
            .iter()
            .filter(|(object, _)| allowed(instance, **object, test).contains(&answer))
            .map(|(object, share)| (*object, share / allowed(instance, *object, test).len() as f64))
            .collect();
        let mass: f64 = able.iter().map(|(_, share)| share).sum();
        mass > 0.0
            && groups.iter().any(|this| {
                let before: f64 =
                    shares.iter().filter(|(object, _)| group(object) == *this).map(|(_, share)| share).sum();
                let after: f64 =
                    able.iter().filter(|(object, _)| group(object) == *this).map(|(_, share)| share).sum();
                (before / total - after / mass).abs() > 1e-6
            })
    };
    let parts = |left: &ObjectId, right: &ObjectId| {
        group(left) != group(right) && !have_common(instance, test, *left, *right)
    };
    (0..instance.test(test).arity()).map(AnswerId::at).any(changes)
        || shares.keys().any(|left| shares.keys().any(|right| parts(left, right)))
}

/// Tree in the making, with its open leaves.
struct Growing<'a> {
    instance: &'a Instance,
    /// Choice among the tests that tell something, node by node; 0 leaves the node open.
    picks: Vec<usize>,
    nodes: Vec<Node>,
    open: Open,
    /// Weight and cost of each leaf.
    paid: Vec<(f64, f64)>,
}

impl Growing<'_> {
    fn grow(&mut self, here: &[World], asked: &[TestId]) {
        let instance = self.instance;
        let groups: BTreeSet<_> = here.iter().map(|world| instance.group_of(world.object)).collect();
        let left = instance.test_ids().filter(|test| !asked.contains(test));
        let useful: Vec<TestId> = match groups.len() {
            1 => Vec::new(),
            _ => left.filter(|test| tells(instance, here, *test)).collect(),
        };
        let pick = self.picks.pop().unwrap_or(1);
        if useful.is_empty() || pick == 0 {
            let weight = here.iter().map(|world| world.share).sum::<f64>();
            let mut by_group = BTreeMap::new();
            here.iter().for_each(|world| {
                *by_group.entry(instance.group_of(world.object)).or_insert(0.0) += world.share;
            });
            if !useful.is_empty() {
                self.open.leaves += 1;
                self.open.weight += weight;
                self.open.error += weight - by_group.into_values().fold(0.0, f64::max);
            }
            self.paid.push((weight, asked.iter().map(|test| instance.cost(*test)).sum()));
            let objects: BTreeSet<ObjectId> = here.iter().map(|world| world.object).collect();
            self.nodes.push(Node::Leaf { objects: objects.into_iter().collect() });
            return;
        }
        let test = useful[pick % useful.len()];
        let at = self.nodes.len();
        self.nodes.push(Node::Ask { test, answers: Branches::new() });
        for answer in (0..instance.test(test).arity()).map(AnswerId::at) {
            let part: Vec<World> =
                here.iter().filter(|world| world.answers[test.index()] == answer).cloned().collect();
            if !part.is_empty() {
                let child = NodeId::at(self.nodes.len());
                if let Node::Ask { answers, .. } = &mut self.nodes[at] {
                    answers.push((answer, child));
                }
                self.grow(&part, &[asked, &[test]].concat());
            }
        }
    }
}

const NONE: Open = Open { leaves: 0, weight: 0.0, error: 0.0 };

fn grown(instance: &Instance, picks: Vec<usize>) -> Growing<'_> {
    let mut growing = Growing { instance, picks, nodes: Vec::new(), open: NONE, paid: Vec::new() };
    growing.grow(&worlds(instance), &[]);
    growing
}

/// Costs by definition, leaf by leaf.
fn costs_of(paid: &[(f64, f64)], lambda: Lambda) -> Costs {
    let expected = paid.iter().map(|(share, cost)| share * cost).sum();
    let worst = paid.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    let powers: f64 = paid.iter().map(|(share, cost)| share * lambda.value().powf(*cost)).sum();
    let exponential = match lambda.value() {
        1.0 => expected,
        f64::INFINITY => worst,
        // Only 0 agrees with 0, without any rounding.
        _ if worst == 0.0 => 0.0,
        value => powers.ln() / value.ln(),
    };
    Costs { expected, worst, exponential, lambda }
}

fn is_near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * right.abs().max(1.0)
}

/// Weights of the coarse groups: groups of which two objects may give the same answers throughout count as one.
fn coarse(instance: &Instance) -> Vec<f64> {
    let meet = |left: ObjectId, right: ObjectId| {
        instance.test_ids().all(|test| have_common(instance, test, left, right))
    };
    // Smallest number that can be reached from each object over such pairs and over groups.
    let mut number: Vec<usize> = (0..instance.object_count()).collect();
    for _ in 0..instance.object_count() {
        for left in instance.objects() {
            for right in instance.objects() {
                if instance.group_of(left) == instance.group_of(right) || meet(left, right) {
                    number[left.index()] = number[left.index()].min(number[right.index()]);
                }
            }
        }
    }
    let mut masses: BTreeMap<usize, f64> = BTreeMap::new();
    for object in instance.objects() {
        *masses.entry(number[object.index()]).or_insert(0.0) += instance.prior(object);
    }
    masses.into_values().collect()
}

fn entropy(masses: &[f64]) -> f64 {
    masses.iter().filter(|mass| **mass > 0.0).map(|mass| -mass * mass.log2()).sum()
}

/// A table of up to six objects and four tests with up to three answers.
fn tables() -> impl Strategy<Value = String> {
    let cell = prop::sample::select(vec!["a", "b", "c", "a|b", "b|c", "c|a", "?"]);
    let prior = prop_oneof![3 => Just("1"), 1 => Just("0"), 1 => Just("3"), 1 => Just("0.3333333333333333")];
    let row = (prop::collection::vec(cell, 4), 0..5u8, prior);
    let cost = prop_oneof![Just("1"), Just("2"), Just("2.5")];
    (prop::collection::vec(row, 2..7), prop::collection::vec(cost, 4)).prop_map(|(rows, costs)| {
        let mut text = format!("o t0 t1 t2 t3 prior group\n@cost {} - -\n", costs.join(" "));
        for (at, (cells, group, prior)) in rows.iter().enumerate() {
            let prior = if at == 0 { "2" } else { prior };
            text += &format!("o{at} {} {prior} g{group}\n", cells.join(" "));
        }
        text
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn trees_cost_what_all_worlds_cost_and_leave_open_what_could_be_asked(
        table in tables(), picks in prop::collection::vec(0..7usize, 0..6),
        lambda in prop_oneof![Just(1.0), Just(1.25), Just(2.0), Just(1e6), Just(f64::INFINITY)],
    ) {
        let instance = instance(&table);
        prop_assume!(instance.has_several());
        let grown = grown(&instance, picks);
        let tree = Tree::new(grown.nodes.clone()).unwrap();
        let costs = costs_of(&grown.paid, Lambda::new(lambda).unwrap());
        let certificate = Certificate { costs: Some(costs), bound: None };
        let open = grown.open;
        let verified = check_open(&instance, &tree, &certificate, Some(open)).unwrap();
        prop_assert!(is_near(verified.costs.expected, costs.expected));
        prop_assert!(is_near(verified.costs.worst, costs.worst));
        prop_assert!(is_near(verified.costs.exponential, costs.exponential));
        prop_assert_eq!((verified.objects, verified.leaves), (instance.object_count(), grown.paid.len()));
        prop_assert_eq!((verified.depth, verified.open), (tree.depth(), Some(open)));
        prop_assert_eq!(verified.bound, None);
        // Without the claim of open leaves, the checker refuses a leaf at which more could be asked, and nothing
        // else.
        match check(&instance, &tree, &certificate) {
            Err(CheckError::EarlyLeaf { .. }) => prop_assert!(open.leaves > 0),
            other => prop_assert!(other.is_ok() && open.leaves == 0, "{:?}", other),
        }
        for wrong in [
            Open { leaves: open.leaves + 1, ..open }, Open { leaves: open.leaves.wrapping_sub(1), ..open },
            Open { weight: open.weight + 1e-6, ..open }, Open { weight: open.weight - 1e-6, ..open },
            Open { error: open.error + 1e-6, ..open }, Open { error: open.error - 1e-6, ..open },
        ] {
            match check_open(&instance, &tree, &certificate, Some(wrong)).unwrap_err() {
                CheckError::OpenLeaves { claimed_leaves, claimed, claimed_error, found_leaves, found, found_error } => {
                    prop_assert_eq!((claimed_leaves, claimed, claimed_error), (wrong.leaves, wrong.weight, wrong.error));
                    prop_assert!(found_leaves == open.leaves && is_near(found, open.weight) && is_near(found_error, open.error));
                }
                other => prop_assert!(false, "{}", other),
            }
        }
        // Another cost is refused by its name.
        for (at, wrong) in [
            Costs { expected: costs.expected + 1e-3, ..costs }, Costs { worst: costs.worst + 1e-3, ..costs },
            Costs { exponential: costs.exponential + 1e-3, ..costs },
        ].into_iter().enumerate() {
            let certificate = Certificate { costs: Some(wrong), bound: None };
            let refused = check_open(&instance, &tree, &certificate, Some(open)).unwrap_err();
            let is_named = match at {
                0 => matches!(refused, CheckError::Expected { .. }),
                1 => matches!(refused, CheckError::Worst { .. }),
                _ => matches!(refused, CheckError::Exponential { .. }),
            };
            prop_assert!(is_named, "{}", refused);
        }
    }

    #[test]
    fn the_bound_of_coarse_groups_is_their_entropy_at_the_best_rate(
        table in tables(), error in 0.0..1.0f64, lambda in prop_oneof![Just(1.5f64), Just(2.0), Just(100.0)],
    ) {
        let instance = instance(&table);
        let masses = coarse(&instance);
        let useful = instance.test_ids().filter(|test| instance.test(*test).arity() > 1);
        let rate = useful.map(|test| (instance.test(test).arity() as f64).log2() / instance.cost(test)).fold(0.0, f64::max);
        let judged = |objective, error| bound_of_coarse_groups(&instance, objective, error);
        let exponential = |lambda: f64| Objective::Exponential(Lambda::new(lambda).unwrap());
        let bits = entropy(&masses);
        let count = masses.len() as f64;
        if rate == 0.0 {
            prop_assert_eq!(judged(Objective::Expected, None), 0.0);
            return Ok(());
        }
        for objective in [Objective::Expected, exponential(1.0)] {
            prop_assert!(is_near(judged(objective, None), bits / rate));
        }
        for objective in [Objective::Worst, exponential(f64::INFINITY)] {
            prop_assert!(is_near(judged(objective, None), count.log2() / rate));
        }
        // Rényi's entropy of order s/(s + log₂ λ).
        let alpha = rate / (rate + lambda.log2());
        let powers: f64 = masses.iter().filter(|mass| **mass > 0.0).map(|mass| mass.powf(alpha)).sum();
        prop_assert!(is_near(judged(exponential(lambda), None), powers.log2() / (1.0 - alpha) / rate));
        // Fano's inequality; guessing is never wrong more often.
        let wrong = error.min(1.0 - 1.0 / count);
        let which = if count > 2.0 { wrong * (count - 1.0).log2() } else { 0.0 };
        let known = (bits - entropy(&[wrong, 1.0 - wrong]) - which).max(0.0) / rate;
        for objective in [Objective::Expected, Objective::Worst, exponential(lambda)] {
            prop_assert!(is_near(judged(objective, Some(error)), known));
        }
    }
}

/// Table in which `u` tells c from the others and costs 3; `t` tells b from the objects that say x, and a says
/// either.
const THREE: &str = "o t u prior\n @cost 1 3 -\n a x|y p 1\n b x p 1\n c y q 2";

fn leaf(objects: &[u32]) -> Node {
    Node::Leaf { objects: objects.iter().map(|at| ObjectId(*at)).collect() }
}

fn ask(test: u32, children: &[(u32, u32)]) -> Node {
    let answers = children.iter().map(|(answer, child)| (AnswerId(*answer), NodeId(*child))).collect();
    Node::Ask { test: TestId(test), answers }
}

/// Tree that asks `u` first, then `t` of a and b: an eighth and a quarter say x, an eighth says y.
fn first_u() -> Vec<Node> {
    vec![ask(1, &[(0, 1), (1, 2)]), ask(0, &[(0, 3), (1, 4)]), leaf(&[2]), leaf(&[0, 1]), leaf(&[0])]
}

fn refused(text: &str, nodes: Vec<Node>) -> CheckError {
    check(&instance(text), &Tree::new(nodes).unwrap(), &Certificate::default()).unwrap_err()
}

#[test]
fn a_small_tree_costs_what_it_costs_by_hand() {
    let instance = instance(THREE);
    let tree = Tree::new(first_u()).unwrap();
    let verified = check(&instance, &tree, &Certificate::default()).unwrap();
    // c pays 3, half the probability; the others 4.
    assert_eq!((verified.costs.expected, verified.costs.worst), (3.5, 4.0));
    // log₂ (8/2 + 16/2)
    assert!((verified.costs.exponential - 12f64.log2()).abs() < 1e-12);
    assert_eq!((verified.objects, verified.leaves, verified.depth, verified.open), (3, 3, 2, None));
    // Cut after `u`, one leaf is open: half the probability ends there, half of that with the wrong object.
    let cut = Tree::new(vec![ask(1, &[(0, 1), (1, 2)]), leaf(&[0, 1]), leaf(&[2])]).unwrap();
    let open = Open { leaves: 1, weight: 0.5, error: 0.25 };
    let verified = check_open(&instance, &cut, &Certificate::default(), Some(open)).unwrap();
    assert_eq!((verified.costs.expected, verified.open), (3.0, Some(open)));
    // Two coarse groups of half the probability each, and one bit costs 1 at best.
    assert_eq!(bound_of_coarse_groups(&instance, Objective::Expected, None), 1.0);
}

#[test]
fn what_is_wrong_with_a_tree_is_said_by_name() {
    let name = |text: &str| text.to_owned();
    let with = |at: usize, node: Node| {
        let mut nodes = first_u();
        nodes[at] = node;
        nodes
    };
    assert_eq!(refused(THREE, with(3, leaf(&[1]))), CheckError::Unlisted { object: name("a") });
    assert_eq!(refused(THREE, with(4, leaf(&[0, 1]))), CheckError::Unreachable { object: name("b") });
    assert_eq!(refused(THREE, with(3, leaf(&[1, 0, 1]))), CheckError::ListedTwice { object: name("b") });
    let early = CheckError::EarlyLeaf { first: name("a"), second: name("b"), test: name("t") };
    assert_eq!(refused(THREE, vec![ask(1, &[(0, 1), (1, 2)]), leaf(&[0, 1]), leaf(&[2])]), early);
    // `u` again, where it tells nothing.
    let again = vec![ask(1, &[(0, 1), (1, 2)]), ask(1, &[(0, 3)]), leaf(&[2]), leaf(&[0, 1])];
    assert_eq!(refused(THREE, again), CheckError::AskedTwice { test: name("u") });
    // `t` of c alone.
    let needless = vec![
        ask(1, &[(0, 1), (1, 2)]),
        ask(0, &[(0, 3), (1, 4)]),
        ask(0, &[(1, 5)]),
        leaf(&[0, 1]),
        leaf(&[0]),
        leaf(&[2]),
    ];
    assert_eq!(refused(THREE, needless), CheckError::NeedlessQuestion { test: name("t"), group: name("c") });
    // `u` of a and b, which both say p.
    let idle = vec![
        ask(0, &[(0, 1), (1, 2)]),
        ask(1, &[(0, 3)]),
        ask(1, &[(0, 4), (1, 5)]),
        leaf(&[0, 1]),
        leaf(&[0]),
        leaf(&[2]),
    ];
    assert_eq!(refused(THREE, idle), CheckError::IdleQuestion { test: name("u") });
    // a may say y as well.
    let lacking = vec![ask(1, &[(0, 1), (1, 2)]), ask(0, &[(0, 3)]), leaf(&[2]), leaf(&[0, 1])];
    assert_eq!(
        refused(THREE, lacking),
        CheckError::MissingChild { object: name("a"), test: name("t"), answer: name("y") }
    );
    let two = vec![ask(1, &[(0, 1), (1, 2), (1, 3)]), leaf(&[0, 1]), leaf(&[2]), leaf(&[2])];
    assert_eq!(refused(THREE, two), CheckError::TwoChildren { test: name("u"), answer: name("q") });
}

#[test]
fn a_child_that_no_object_reaches_is_said_by_name() {
    let name = |text: &str| text.to_owned();
    // No object that says q says x.
    let unreached = vec![
        ask(0, &[(0, 1), (1, 2)]),
        leaf(&[0, 1]),
        ask(1, &[(0, 3), (1, 4)]),
        leaf(&[0]),
        ask(0, &[(0, 5), (1, 6)]),
        leaf(&[]),
        leaf(&[2]),
    ];
    assert_eq!(refused(THREE, unreached), CheckError::AskedTwice { test: name("t") });
    let fourth = "o t u v\n a x|y p m\n b x p m\n c y q m|n\n d z q n";
    let unreached = vec![
        ask(1, &[(0, 1), (1, 2)]),
        ask(0, &[(0, 3), (1, 4), (2, 5)]),
        ask(0, &[(1, 6), (2, 7)]),
        leaf(&[0, 1]),
        leaf(&[0]),
        leaf(&[]),
        leaf(&[2]),
        leaf(&[3]),
    ];
    assert_eq!(refused(fourth, unreached), CheckError::UnreachedChild { test: name("t"), answer: name("z") });
}

#[test]
fn no_proof_is_read_where_answers_are_open() {
    let bound = fewest_model::Proof {
        objective: Objective::Expected,
        cap: f64::INFINITY,
        value: 0.0,
        prices: Vec::new(),
        claims: Vec::new(),
    };
    let certificate = Certificate { costs: None, bound: Some(bound) };
    let judged = check(&instance(THREE), &Tree::new(first_u()).unwrap(), &certificate);
    assert_eq!(judged, Err(CheckError::NoProofs));
}

#[test]
fn no_leaf_is_open_where_every_object_has_one_answer() {
    let instance = instance("o t\n a x\n b y");
    let tree = Tree::new(vec![ask(0, &[(0, 1), (1, 2)]), leaf(&[0]), leaf(&[1])]).unwrap();
    let judged = |open| check_open(&instance, &tree, &Certificate::default(), open);
    assert!(judged(None).is_ok());
    assert!(matches!(judged(Some(NONE)), Err(CheckError::OpenLeaves { .. })));
}

/// If no object has any probability, all count alike, and a question that separates groups tells something.
#[test]
fn objects_of_prior_zero_are_told_apart_too() {
    let text = "o t u prior\n a x|y p 1\n b x q 0\n c y q 0";
    let nodes =
        vec![ask(1, &[(0, 1), (1, 2)]), leaf(&[0]), ask(0, &[(0, 3), (1, 4)]), leaf(&[1]), leaf(&[2])];
    let verified = check(&instance(text), &Tree::new(nodes).unwrap(), &Certificate::default()).unwrap();
    assert_eq!((verified.costs.expected, verified.costs.worst), (1.0, 2.0));
    let early = vec![ask(1, &[(0, 1), (1, 2)]), leaf(&[0]), leaf(&[1, 2])];
    let error = CheckError::EarlyLeaf { first: "b".into(), second: "c".into(), test: "t".into() };
    assert_eq!(refused(text, early), error);
}

#[test]
fn a_tree_for_another_table_is_refused() {
    let nodes = vec![ask(7, &[(0, 1), (1, 2)]), leaf(&[0, 1]), leaf(&[2])];
    assert!(matches!(refused(THREE, nodes), CheckError::UnknownTest { .. }));
    let nodes = vec![ask(1, &[(0, 1), (1, 2)]), leaf(&[0, 1]), leaf(&[9])];
    assert!(matches!(refused(THREE, nodes.clone()), CheckError::UnknownObject { .. }));
    let tree = Tree::new(nodes).unwrap();
    let refused = check_open(&instance(THREE), &tree, &Certificate::default(), Some(NONE));
    assert!(matches!(refused, Err(CheckError::UnknownObject { .. })));
}

/// a says x and y alike, and so do b and c together: after any answer, both groups are as likely as before.
#[test]
fn an_answer_that_leaves_all_groups_as_likely_tells_nothing() {
    let text = "o t group prior\n a x|y g 2\n b x h 1\n c y h 1";
    let table = instance(text);
    let verified =
        check(&table, &Tree::new(vec![leaf(&[0, 1, 2])]).unwrap(), &Certificate::default()).unwrap();
    assert_eq!((verified.leaves, verified.costs.worst), (1, 0.0));
    let asked = vec![ask(0, &[(0, 1), (1, 2)]), leaf(&[0, 1]), leaf(&[0, 2])];
    assert_eq!(refused(text, asked), CheckError::IdleQuestion { test: "t".into() });
    // With another prior it tells something.
    let uneven = "o t group prior\n a x|y g 2\n b x h 1\n c y h 2";
    assert!(matches!(refused(uneven, vec![leaf(&[0, 1, 2])]), CheckError::EarlyLeaf { .. }));
}
