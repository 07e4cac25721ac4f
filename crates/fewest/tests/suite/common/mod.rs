//! Instances as short text, and trees written in one line, so that a change of the API touches only this file.

use fewest::criterion::{self, Criterion, Settings};
use fewest::{
    Candidates, Goal, Greedy, Instance, Lambda, Limit, Node, NodeId, ObjectId, Objective, Reading, Table,
    TestId, Tree, algorithms, find_algorithm, trials,
};
use proptest::prelude::*;
use proptest::{collection::vec, option, test_runner::RngSeed};
use std::collections::BTreeMap;

/// Instance from short text: fields separated by white space, one row a line, names first; `costs` as pairs of test
/// and cost.
pub(crate) fn instance(text: &str, costs: &[(&str, f64)]) -> Instance {
    let reading = Reading {
        costs: costs.iter().map(|(test, cost)| ((*test).to_owned(), *cost)).collect(),
        ..Reading::default()
    };
    read(text, &reading)
}

/// Instance from short text, with any reading.
pub(crate) fn read(text: &str, reading: &Reading) -> Instance {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    Instance::new(Table::from_rows(&rows), reading).unwrap().0
}

/// Makes λ from a valid number.
pub(crate) fn lambda(value: f64) -> Lambda {
    Lambda::new(value).unwrap()
}

/// Builds the tree of the algorithm `name` of the catalogue.
pub(crate) fn grow(instance: &Instance, name: &str, lambda: Lambda, cost_blind: bool) -> Tree {
    let algorithm = find_algorithm(name).unwrap_or_else(|| panic!("no algorithm `{name}`"));
    let goal =
        Goal::default().with_algorithm(Some(algorithm)).with_lambda(lambda).with_cost_blind(cost_blind);
    trials(instance, &goal, &Limit::none()).remove(0).tree
}

/// Writes a tree as `test(answer:subtree …)`, leaves as `{objects}`, answers by first appearance.
pub(crate) fn write(tree: &Tree, instance: &Instance) -> String {
    write_node(tree, instance, tree.root())
}

fn write_node(tree: &Tree, instance: &Instance, node: NodeId) -> String {
    match tree.node(node) {
        Node::Leaf { objects } => {
            let names: Vec<&str> = objects.iter().flat_map(|object| instance.object_names(*object)).collect();
            format!("{{{}}}", names.join(","))
        }
        Node::Ask { test, answers } => {
            let test = instance.test(*test);
            let children: Vec<String> = answers
                .iter()
                .map(|(answer, child)| {
                    format!("{}:{}", test.answers.get(answer.index()), write_node(tree, instance, *child))
                })
                .collect();
            format!("{}({})", test.name, children.join(" "))
        }
    }
}

/// The three objectives.
pub(crate) fn objectives(lambda: Lambda) -> [Objective; 3] {
    [Objective::Expected, Objective::Worst, Objective::Exponential(lambda)]
}

/// Whether two numbers agree to 1e-9 relative, or to the ten decimals that the specification prints.
pub(crate) fn close(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-9 * wanted.abs() || (found - wanted).abs() <= 5.1e-11
}

/// Values of λ: both ends, values next to them, and some between.
pub(crate) const LAMBDAS: [f64; 7] = [1.0, 1.0 + 1e-9, 1.3, 2.0, 50.0, 1e9, f64::INFINITY];

/// Runs a property on `cases` random inputs, the same on every run. `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for
/// more and for others.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { config.cases } else { cases };
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1952) } else { config.rng_seed };
    ProptestConfig { cases, rng_seed, ..config }
}

/// Table without names, which are added when it is written.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Answers by object and test.
    pub(crate) answers: Vec<Vec<u8>>,
    pub(crate) groups: Option<Vec<u8>>,
    pub(crate) priors: Option<Vec<f64>>,
    pub(crate) costs: Option<Vec<f64>>,
}

/// Tables of every shape: 1 to `most` objects, up to 7 tests of mostly up to 4 answers, any groups, priors and costs.
pub(crate) fn samples(most: usize) -> impl Strategy<Value = Sample> {
    let arity = prop_oneof![1 => Just(1u8), 6 => Just(2u8), 5 => 3u8..=4, 1 => 5u8..=20];
    let group = prop_oneof![1 => Just(1u8), 3 => Just(2u8), 4 => 3u8..=5];
    (1..=most, 0usize..=7).prop_flat_map(move |(objects, tests)| {
        let answers = (vec(arity.clone(), tests), vec(vec(any::<u8>(), tests), objects));
        let groups = (group.clone(), option::of(vec(any::<u8>(), objects)));
        (answers, groups, priors(objects), costs(tests)).prop_map(|(answers, groups, priors, costs)| {
            let (arities, mut cells) = answers;
            for row in &mut cells {
                row.iter_mut().zip(&arities).for_each(|(cell, arity)| *cell %= arity);
            }
            let groups = groups.1.map(|of: Vec<u8>| of.into_iter().map(|group| group % groups.0).collect());
            Sample { answers: cells, groups, priors, costs }
        })
    })
}

/// Priors: none, whole numbers with zeros, decimals, any numbers, ratios up to 1e12, and all weight on few objects.
fn priors(objects: usize) -> impl Strategy<Value = Option<Vec<f64>>> {
    let some = prop_oneof![
        vec((0u32..5).prop_map(f64::from), objects),
        vec((1u32..1000).prop_map(|cents| f64::from(cents) / 100.0), objects),
        vec(1e-6..1.0f64, objects),
        vec((-12.0..0.0f64).prop_map(|log| 10f64.powf(log)), objects),
        vec(prop_oneof![3 => Just(0.0), 1 => 0.1..1.0f64], objects),
    ];
    let some = some.prop_map(|mut priors| {
        if priors.iter().all(|prior| *prior == 0.0) {
            priors[0] = 1.0;
        }
        Some(priors)
    });
    prop_oneof![1 => Just(None), 5 => some]
}

/// Costs: none, whole numbers, decimals, one cost for all, and ratios up to 1e6.
fn costs(tests: usize) -> impl Strategy<Value = Option<Vec<f64>>> {
    prop_oneof![
        2 => Just(None),
        1 => vec((1u32..7).prop_map(f64::from), tests).prop_map(Some),
        1 => vec((1u32..60).prop_map(|tenths| f64::from(tenths) / 10.0), tests).prop_map(Some),
        1 => (0.1..9.0f64).prop_map(move |cost| Some(std::vec::from_elem(cost, tests))),
        1 => vec((-3.0..3.0f64).prop_map(|log| 10f64.powf(log)), tests).prop_map(Some),
    ]
}

impl Sample {
    /// The instance, with objects `o0`, tests `t0`, groups `g0` and answers `a0` and so on.
    pub(crate) fn instance(&self) -> Instance {
        self.instance_named(["o", "t", "g", "a"])
    }

    /// Makes the instance with other names: the prefixes of objects, tests, groups and answers.
    pub(crate) fn instance_named(&self, [object, test, group, answer]: [&str; 4]) -> Instance {
        let tests: Vec<String> = (0..self.answers[0].len()).map(|number| format!("{test}{number}")).collect();
        let mut rows = vec![vec!["object".to_owned()]];
        rows[0].extend(self.groups.iter().map(|_| "group".to_owned()));
        rows[0].extend(self.priors.iter().map(|_| "prior".to_owned()));
        rows[0].extend(tests.iter().cloned());
        for (at, answers) in self.answers.iter().enumerate() {
            let mut row = vec![format!("{object}{at}")];
            row.extend(self.groups.iter().map(|groups| format!("{group}{}", groups[at])));
            row.extend(self.priors.iter().map(|priors| priors[at].to_string()));
            row.extend(answers.iter().map(|number| format!("{answer}{number}")));
            rows.push(row);
        }
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let costs = self.costs.iter().flat_map(|costs| tests.iter().cloned().zip(costs.iter().copied()));
        let reading = Reading { costs: costs.collect(), ..Reading::default() };
        Instance::new(Table::from_rows(&rows), &reading).unwrap().0
    }

    /// Makes a game of the objects and tests: each object also has a test of its name to which only it answers `hit`,
    /// whatever the others answer, and counts as identified after that test was asked.
    pub(crate) fn game(&self, dice: &mut Dice) -> Instance {
        let objects = self.answers.len();
        let names = |letter: char, count| (0..count).map(move |number| format!("{letter}{number}"));
        let mut rows = vec![vec!["object".to_owned()]];
        rows[0].extend(self.priors.iter().map(|_| "prior".to_owned()));
        rows[0].extend(names('t', self.answers[0].len()).chain(names('o', objects)));
        let arities: Vec<usize> = (0..objects).map(|_| 1 + dice.roll(3)).collect();
        for (at, answers) in self.answers.iter().enumerate() {
            let mut row = vec![format!("o{at}")];
            row.extend(self.priors.iter().map(|priors| priors[at].to_string()));
            row.extend(answers.iter().map(|number| format!("a{number}")));
            let guess = |other| match other == at {
                true => "hit".to_owned(),
                false => format!("a{}", dice.roll(arities[other])),
            };
            row.extend((0..objects).map(guess));
            rows.push(row);
        }
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let mut costs: Vec<(String, f64)> = Vec::new();
        if let Some(own) = &self.costs {
            costs.extend(names('t', own.len()).zip(own.iter().copied()));
            costs.extend(names('o', objects).map(|name| (name, (1 + dice.roll(12)) as f64 / 4.0)));
        }
        let reading = Reading { costs, confirm: true, ..Reading::default() };
        Instance::new(Table::from_rows(&rows), &reading).unwrap().0
    }
}

/// Settings for growing a tree: the catalogue's name, λ, and whether blind to costs.
pub(crate) type Way = (&'static str, Lambda, bool);

/// Every algorithm, also those that are more than a criterion.
pub(crate) fn all_ways() -> Vec<Way> {
    let builders = algorithms().into_iter().filter(|algorithm| criterion::find(algorithm.name).is_none());
    ways().into_iter().chain(builders.map(|algorithm| (algorithm.name, Lambda::TWO, false))).collect()
}

/// Every criterion of the catalogue, blind and per cost, at every λ that makes a difference.
pub(crate) fn ways() -> Vec<Way> {
    let lambdas = |entry: &criterion::Entry| if entry.uses_lambda { &LAMBDAS[..] } else { &LAMBDAS[..1] };
    let ways = criterion::CATALOGUE.iter().flat_map(|entry| {
        let at = move |value: &f64| [true, false].map(|blind| (entry.name, lambda(*value), blind));
        lambdas(entry).iter().flat_map(at)
    });
    ways.collect()
}

/// The criterion that the catalogue makes for `name`.
pub(crate) fn criterion(instance: &Instance, name: &str, lambda: Lambda) -> Box<dyn Criterion> {
    (criterion::find(name).unwrap().make)(Settings { lambda, identify: instance.identify() })
}

/// The benefits of all tests at `candidates`.
pub(crate) fn benefits(
    instance: &Instance,
    (name, lambda, blind): Way,
    candidates: &Candidates,
) -> Vec<Option<f64>> {
    let criterion = criterion(instance, name, lambda);
    Greedy::new(instance, criterion.as_ref(), blind).benefits(candidates)
}

/// Pseudo-random numbers, the same for the same seed (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Draws a number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) % sides as u64) as usize
    }
}

/// Makes a valid tree that asks at each impure node any of the tests that split it.
pub(crate) fn random_tree(instance: &Instance, dice: &mut Dice) -> Tree {
    Tree::unfold(instance, |level| Some(level.iter().map(|node| any_split(instance, node, dice)).collect()))
        .unwrap()
}

/// Impure nodes of a random tree.
pub(crate) fn random_nodes(instance: &Instance, dice: &mut Dice) -> Vec<Candidates> {
    let (mut nodes, mut waiting) = (Vec::new(), vec![Candidates::all(instance)]);
    while let Some(node) = waiting.pop() {
        if let Some(test) = any_split(instance, &node, dice) {
            waiting.extend(node.split(instance, test).into_iter().map(|(_, part)| part));
            nodes.push(node);
        }
    }
    nodes
}

fn any_split(instance: &Instance, node: &Candidates, dice: &mut Dice) -> Option<TestId> {
    let group = |object: &ObjectId| instance.group_of(*object);
    if node.objects().iter().all(|object| group(object) == group(&node.objects()[0])) {
        return None;
    }
    let splits = |test: &TestId| {
        let first = instance.answer(node.objects()[0], *test);
        node.objects().iter().any(|object| instance.answer(*object, *test) != first)
    };
    let tests: Vec<TestId> = instance.test_ids().filter(splits).collect();
    Some(tests[dice.roll(tests.len())])
}

/// Nodes on the path of `object`, found by its own answers alone; the last is its leaf.
pub(crate) fn path(tree: &Tree, instance: &Instance, object: ObjectId) -> Vec<NodeId> {
    let mut path = vec![tree.root()];
    while let Node::Ask { test, answers } = tree.node(path[path.len() - 1]) {
        let own = instance.answer(object, *test);
        let mut children = answers.iter().filter(|(answer, _)| *answer == own).map(|(_, child)| *child);
        path.push(children.next().expect("every answer that occurs has a child"));
        assert_eq!(children.next(), None, "an answer has one child");
    }
    path
}

/// Objects that reach each node.
pub(crate) fn reaching(tree: &Tree, instance: &Instance) -> Vec<Vec<ObjectId>> {
    let mut reaching = vec![Vec::new(); tree.nodes().len()];
    for object in instance.objects() {
        path(tree, instance, object).into_iter().for_each(|node| reaching[node.index()].push(object));
    }
    reaching
}

/// Cost spent on the path of each object.
pub(crate) fn spent(tree: &Tree, instance: &Instance) -> Vec<f64> {
    let cost = |node: NodeId| match tree.node(node) {
        Node::Ask { test, .. } => instance.cost(*test),
        Node::Leaf { .. } => 0.0,
    };
    instance.objects().map(|object| path(tree, instance, object).into_iter().map(cost).sum()).collect()
}

/// Least cost of any tree (specification section 8), by trying every test on every reachable set; for a few objects.
pub(crate) fn optimum(instance: &Instance, objective: Objective) -> f64 {
    Optimum::new(instance, objective).at(&Candidates::all(instance)).unwrap()
}

/// Least cost of any tree for any node, by trying everything.
pub(crate) struct Optimum<'a>(Search<'a>);

impl<'a> Optimum<'a> {
    pub(crate) fn new(instance: &'a Instance, objective: Objective) -> Self {
        let part = |test: TestId| {
            let mut parts = vec![0; instance.test(test).arity()];
            for object in instance.objects() {
                parts[instance.answer(object, test).index()] |= 1 << object.index();
            }
            (instance.cost(test), parts)
        };
        let tests = instance.test_ids().map(part).collect();
        Self(Search { instance, objective, tests, memo: BTreeMap::new() })
    }

    /// Least cost for `node`, whose mass counts as 1; `None` for a mean over no mass.
    pub(crate) fn at(&mut self, node: &Candidates) -> Option<f64> {
        let value = self.on_mass(node);
        let mass: f64 = node.objects().iter().map(|object| self.0.instance.prior(*object)).sum();
        match self.0.kind() {
            (_, 'W') => Some(value),
            _ if mass == 0.0 => None,
            (_, 'E') => Some(value / mass),
            (t, _) => Some((value - mass.ln()) / t),
        }
    }

    /// Value `E`, `W` or `ln X` of the best tree for `node`, on unnormalised priors.
    pub(crate) fn on_mass(&mut self, node: &Candidates) -> f64 {
        self.0.least(node.objects().iter().map(|object| 1 << object.index()).sum())
    }
}

struct Search<'a> {
    instance: &'a Instance,
    objective: Objective,
    tests: Vec<(f64, Vec<usize>)>,
    memo: BTreeMap<usize, f64>,
}

impl Search<'_> {
    /// Natural logarithm of λ, and which of the three costs it is.
    fn kind(&self) -> (f64, char) {
        match self.objective {
            Objective::Expected => (0.0, 'E'),
            Objective::Worst => (0.0, 'W'),
            Objective::Exponential(lambda) if lambda.value() == 1.0 => (0.0, 'E'),
            Objective::Exponential(lambda) if lambda == Lambda::INFINITY => (0.0, 'W'),
            Objective::Exponential(lambda) => (lambda.ln(), 'X'),
        }
    }

    /// Value of the best tree for a part of a node that asked `test`, which may have confirmed the only object there.
    fn below(&mut self, part: usize, test: usize) -> f64 {
        let object = ObjectId::at(part.trailing_zeros() as usize);
        if part.is_power_of_two() && self.instance.confirming(object) == Some(TestId::at(test)) {
            return if self.kind().1 == 'X' { self.instance.prior(object).ln() } else { 0.0 };
        }
        self.least(part)
    }

    /// Value `E`, `W` or `ln X` of the best tree for the objects whose bits are set.
    fn least(&mut self, set: usize) -> f64 {
        if let Some(known) = self.memo.get(&set) {
            return *known;
        }
        let instance = self.instance;
        let objects: Vec<ObjectId> =
            instance.objects().filter(|object| set >> object.index() & 1 == 1).collect();
        let mass: f64 = objects.iter().map(|object| instance.prior(*object)).sum();
        let pure = objects.iter().all(|object| instance.group_of(*object) == instance.group_of(objects[0]));
        let (t, kind) = self.kind();
        let mut best = f64::INFINITY;
        if pure {
            // A single object that is not confirmed: specification section 11.
            let cost = instance.confirming(objects[0]).map_or(0.0, |test| instance.cost(test));
            best = match kind {
                'E' => cost * mass,
                'W' => cost,
                _ => t * cost + mass.ln(),
            };
        } else {
            for test in 0..self.tests.len() {
                let cost = self.tests[test].0;
                let parts: Vec<usize> =
                    self.tests[test].1.iter().map(|part| part & set).filter(|part| *part != 0).collect();
                if parts.len() < 2 {
                    continue;
                }
                let below: Vec<f64> = parts.into_iter().map(|part| self.below(part, test)).collect();
                let most = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                best = best.min(match kind {
                    'E' => cost * mass + below.iter().sum::<f64>(),
                    'W' => cost + most,
                    _ if most == f64::NEG_INFINITY => most,
                    _ => t * cost + most + below.iter().map(|value| (value - most).exp()).sum::<f64>().ln(),
                });
            }
        }
        self.memo.insert(set, best);
        best
    }
}
