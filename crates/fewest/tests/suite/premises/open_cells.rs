//! Premises where cells leave the answer open: an object may meet a premise or not, so its test may have to be asked first.

use super::made::Dice;
use fewest::session::{Plan, Reply, Session, SessionRules, Step};
use fewest::{
    AnswerId, Certificate, Goal, Instance, Limit, Node, Numeric, ObjectId, Objective, Reading, Table, TestId,
    Tree, build, check, trials,
};
use fewest_check::bound_of_coarse_groups;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Answers that an object may give to a test; none where the test does not apply.
type Cell = Vec<u8>;

/// Test and the answer that was given to it.
type Asked = (usize, u8);

/// Small table of which some cells list several answers.
#[derive(Debug)]
struct Open {
    cells: Vec<Vec<Cell>>,
    premises: Vec<Option<(usize, Vec<u8>)>>,
    groups: Vec<usize>,
}

impl Open {
    fn roll(dice: &mut Dice) -> Self {
        let (objects, tests) = (2 + dice.roll(3), 2 + dice.roll(2));
        let (mut cells, mut premises) = (Vec::<Vec<Cell>>::new(), Vec::new());
        for test in 0..tests {
            let source = (test > 0 && dice.roll(3) > 0).then(|| dice.roll(test));
            let premise = source.and_then(|source| {
                let known: Vec<u8> = cells[source].iter().flatten().copied().collect();
                (!known.is_empty()).then(|| (source, vec![known[dice.roll(known.len())]]))
            });
            // Where a premise holds for all, only cells `-` forbid a test.
            let is_constant = test == 0 && dice.roll(3) == 0;
            let column = (0..objects).map(|object| {
                let fails = premise.as_ref().is_some_and(|(source, answers): &(usize, Vec<u8>)| {
                    !cells[*source][object].iter().any(|answer| answers.contains(answer))
                });
                match dice.roll(10) {
                    _ if is_constant => vec![0],
                    0 | 1 if premise.is_some() => Vec::new(),
                    _ if fails => Vec::new(),
                    2..5 => vec![0, 1],
                    _ => vec![dice.roll(3) as u8],
                }
            });
            let column = column.collect();
            cells.push(column);
            premises.push(premise);
        }
        Self { cells, premises, groups: (0..objects).map(|object| object.min(1 + dice.roll(3))).collect() }
    }

    fn instance(&self) -> Instance {
        let mut header = vec!["object".to_owned(), "group".to_owned()];
        header.extend((0..self.cells.len()).map(|test| format!("q{test}")));
        let mut rows = vec![header];
        for object in 0..self.groups.len() {
            let mut row = vec![format!("o{object}"), format!("g{}", self.groups[object])];
            let text = |cell: &Cell| match cell.is_empty() {
                true => "-".to_owned(),
                false => cell.iter().map(|answer| format!("a{answer}")).collect::<Vec<_>>().join("|"),
            };
            row.extend(self.cells.iter().map(|column| text(&column[object])));
            rows.push(row);
        }
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let premise = |(test, premise): (usize, &Option<(usize, Vec<u8>)>)| {
            let (source, answers) = premise.as_ref()?;
            Some((format!("q{test}"), format!("q{source}=a{}", answers[0])))
        };
        let reading = Reading {
            premises: self.premises.iter().enumerate().filter_map(premise).collect(),
            several: Some("|".to_owned()),
            numeric: Numeric::Exact,
            ..Reading::default()
        };
        Instance::new(Table::from_rows(&rows), &reading).unwrap().0
    }

    /// Whether `test` may be asked of the objects of `set` after these answers, by the definition.
    fn may_ask(&self, test: usize, set: &[(usize, f64)], asked: &[Asked]) -> bool {
        set.iter().all(|(object, _)| self.applies(test, *object, asked))
    }

    fn applies(&self, test: usize, object: usize, asked: &[Asked]) -> bool {
        let meets =
            |(source, answers): &(usize, Vec<u8>)| match asked.iter().find(|(other, _)| other == source) {
                Some((_, answer)) => answers.contains(answer),
                None => {
                    let cell = &self.cells[*source][object];
                    self.applies(*source, object, asked) && cell.iter().all(|answer| answers.contains(answer))
                }
            };
        !self.cells[test][object].is_empty() && self.premises[test].iter().all(meets)
    }

    /// Parts of `set` by answer.
    fn parts(&self, test: usize, set: &[(usize, f64)]) -> BTreeMap<u8, Vec<(usize, f64)>> {
        let mut parts: BTreeMap<u8, Vec<(usize, f64)>> = BTreeMap::new();
        for (object, share) in set {
            let cell = &self.cells[test][*object];
            for answer in cell {
                parts.entry(*answer).or_default().push((*object, share / cell.len() as f64));
            }
        }
        parts
    }

    /// Whether some answer changes the probabilities of the groups; if they do not change, answers in common are all that
    /// matters, and objects of different groups without one are told apart as well.
    fn tells(&self, test: usize, set: &[(usize, f64)], labels: &[usize]) -> bool {
        let share = |set: &[(usize, f64)], group: usize| -> f64 {
            let all: f64 = set.iter().map(|(_, share)| share).sum();
            let own = set.iter().filter(|(object, _)| labels[*object] == group);
            own.map(|(_, share)| share).sum::<f64>() / all
        };
        let parts = self.parts(test, set);
        let changes = |part: &Vec<(usize, f64)>| {
            labels.iter().any(|group| (share(part, *group) - share(set, *group)).abs() > 1e-9)
        };
        parts.len() > 1 && parts.values().any(changes)
    }

    /// Least expected cost of all finished trees, of the objects' own mass.
    fn best(&self, set: &[(usize, f64)], asked: &[Asked], labels: &[usize]) -> f64 {
        if set.iter().all(|(object, _)| labels[*object] == labels[set[0].0]) {
            return 0.0;
        }
        let mut least = f64::INFINITY;
        for test in 0..self.cells.len() {
            let is_new = !asked.iter().any(|(other, _)| *other == test);
            if is_new && self.may_ask(test, set, asked) && self.tells(test, set, labels) {
                let below = self
                    .parts(test, set)
                    .into_iter()
                    .map(|(answer, part)| self.best(&part, &[asked, &[(test, answer)]].concat(), labels));
                let mass: f64 = set.iter().map(|(_, share)| share).sum();
                least = least.min(mass + below.sum::<f64>());
            }
        }
        if least.is_finite() { least } else { 0.0 }
    }

    /// Group of each object in the instance, where objects that are never told apart share one.
    fn labels(&self, instance: &Instance) -> Vec<usize> {
        let mut labels = vec![0; self.groups.len()];
        for object in instance.objects() {
            for name in instance.object_names(object) {
                labels[name[1..].parse::<usize>().unwrap()] = instance.group_of(object).index();
            }
        }
        labels
    }

    fn walk(&self, instance: &Instance, tree: &Tree) -> Result<(), TestCaseError> {
        let all: Vec<(usize, f64)> = (0..self.groups.len()).map(|object| (object, 1.0)).collect();
        let mut waiting = vec![(tree.root(), all, Vec::<Asked>::new())];
        while let Some((at, set, asked)) = waiting.pop() {
            let Node::Ask { test, answers } = tree.node(at) else { continue };
            prop_assert!(self.may_ask(test.index(), &set, &asked), "{test:?} after {asked:?}");
            let parts = self.parts(test.index(), &set);
            for (answer, child) in answers {
                let code: u8 = instance.test(*test).answer_text(*answer)[1..].parse().unwrap();
                let asked = [&asked[..], &[(test.index(), code)]].concat();
                waiting.push((*child, parts[&code].clone(), asked));
            }
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 500 } else { 3000 }))]

    #[test]
    fn trees_and_bounds_keep_to_the_definition(seed in any::<u64>()) {
        let made = Open::roll(&mut Dice(seed));
        let instance = made.instance();
        prop_assume!(instance.has_several());
        let labels = made.labels(&instance);
        let all: Vec<(usize, f64)> = (0..labels.len()).map(|object| (object, 1.0 / labels.len() as f64)).collect();
        let least = made.best(&all, &[], &labels);
        let outcome = build(&instance, &Goal::default(), &Limit::none());
        prop_assert!(outcome.bound.value <= least + 1e-9, "{} for {least}", outcome.bound.value);
        let checked = bound_of_coarse_groups(&instance, Objective::Expected, None);
        prop_assert!(checked <= least + 1e-9, "{checked} for {least}");
        for trial in trials(&instance, &Goal::default(), &Limit::none()) {
            made.walk(&instance, &trial.tree)?;
            let certificate = Certificate { costs: Some(trial.costs), bound: None };
            let verdict = check(&instance, &trial.tree, &certificate);
            prop_assert!(verdict.is_ok(), "{verdict:?}");
            prop_assert!(trial.costs.expected >= least - 1e-9);
        }
    }

    #[test]
    fn sessions_keep_to_the_definition(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let made = Open::roll(dice);
        let instance = made.instance();
        let mut session = Session::new(&instance, Plan::default(), SessionRules::default()).unwrap();
        let mut asked: Vec<Asked> = Vec::new();
        while let Step::Ask(test) = session.step() {
            let rows = |object: ObjectId| -> Vec<usize> {
                instance.object_names(object).map(|name| name[1..].parse().unwrap()).collect()
            };
            let live = session.candidates().into_iter().flat_map(|one| rows(one.object));
            let live: Vec<(usize, f64)> = live.map(|object| (object, 1.0)).collect();
            prop_assert!(made.may_ask(test.index(), &live, &asked), "{test:?} after {asked:?}");
            if dice.roll(5) == 0 {
                session.give(test, Reply::Unknown).unwrap();
                continue;
            }
            let answer = AnswerId::at(dice.roll(instance.test(test).arity()));
            asked.push((test.index(), instance.test(test).answer_text(answer)[1..].parse().unwrap()));
            session.give(TestId::at(test.index()), Reply::is(answer)).unwrap();
        }
    }
}

#[test]
fn some_tables_have_open_cells_under_a_premise() {
    let is_wanted = |seed: u64| {
        let instance = Open::roll(&mut Dice(seed)).instance();
        instance.has_several() && instance.has_premises()
    };
    assert!((0..200).filter(|seed| is_wanted(*seed)).count() > 60);
}
