//! Laws of sessions, for every table, every list of answers and every order of them.

use crate::common::*;
use fewest::criterion::CATALOGUE;
use fewest::session::*;
use fewest::{AnswerId, Instance, Node, ObjectId, TestId, Tree};
use proptest::prelude::*;

/// Text of everything that a session returns.
fn dump(session: &Session<'_>) -> String {
    format!("{:?}\n{}", session.answers(), belief(session))
}

/// Text of everything that does not depend on the order of answers.
fn belief(session: &Session<'_>) -> String {
    let seen = session.snapshot();
    let (ranking, why) = (seen.ranking(5), seen.why(2));
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{ranking:?}\n{why:?}\n{}",
        seen.step(),
        seen.candidates(),
        seen.ruled_out(),
        seen.groups(),
        session.cost(),
    )
}

/// A fact from random numbers: mostly a plain answer, now and then several or none.
fn fact(instance: &Instance, numbers: (u32, u32, u32)) -> (TestId, Reply) {
    let test = TestId(numbers.0 % instance.test_count() as u32);
    let arity = instance.test(test).arity() as u32;
    let answer = AnswerId(numbers.1 % arity);
    match numbers.2 % 8 {
        0 => (test, Reply::Unknown),
        1 => (test, Reply::one_of([answer, AnswerId((numbers.1 / arity) % arity)])),
        _ => (test, Reply::is(answer)),
    }
}

/// One fact for a test.
fn facts(instance: &Instance, numbers: &[(u32, u32, u32)]) -> Vec<(TestId, Reply)> {
    let mut facts: Vec<(TestId, Reply)> = Vec::new();
    for (test, reply) in numbers.iter().map(|numbers| fact(instance, *numbers)) {
        if !facts.iter().any(|(other, _)| *other == test) {
            facts.push((test, reply));
        }
    }
    facts
}

fn some_rules(number: u32) -> SessionRules {
    let errors = match number % 4 {
        0 => Errors::None,
        1 => Errors::Rate(0.1),
        2 => Errors::AtMost(1),
        _ => Errors::Rate(0.3),
    };
    let until = if number.is_multiple_of(5) { Until::Object } else { Until::Identified };
    SessionRules { errors, until, ..SessionRules::default() }
}

fn numbers() -> impl Strategy<Value = Vec<(u32, u32, u32)>> {
    proptest::collection::vec(any::<(u32, u32, u32)>(), 1..8)
}

/// Posterior `P(i | answers)` from the definition: one product of probabilities for each object.
fn slow_posterior(instance: &Instance, facts: &[(TestId, Reply)], rate: f64) -> Vec<f64> {
    let says = |object: ObjectId, test: TestId, answer: AnswerId| {
        let column = instance.test(test);
        let set: Vec<AnswerId> =
            (0..column.arity()).map(AnswerId::at).filter(|answer| column.allows(object, *answer)).collect();
        if set.len() == column.arity() {
            1.0 / set.len() as f64
        } else if set.contains(&answer) {
            (1.0 - rate) / set.len() as f64
        } else {
            rate / (column.arity() - set.len()) as f64
        }
    };
    let weight = |object: ObjectId| {
        facts.iter().fold(instance.prior(object), |weight, (test, reply)| match reply {
            Reply::Unknown => weight,
            Reply::OneOf(answers) => {
                weight * answers.iter().map(|answer| says(object, *test, *answer)).sum::<f64>()
            }
        })
    };
    let weights: Vec<f64> = instance.objects().map(weight).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn changing_an_answer_and_back_changes_nothing(sample in samples(12), numbers in numbers(), which: u32) {
        let instance = sample.instance();
        prop_assume!(instance.test_count() > 0);
        let mut session = Session::new(&instance, Plan::default(), some_rules(which)).unwrap();
        let facts = facts(&instance, &numbers);
        for (test, reply) in &facts {
            session.give(*test, reply.clone()).unwrap();
        }
        let before = dump(&session);
        let (test, reply) = &facts[which as usize % facts.len()];
        session.give(*test, Reply::Unknown).unwrap();
        session.give(*test, reply.clone()).unwrap();
        prop_assert_eq!(&before, &dump(&session));
        let at = which as usize % facts.len();
        let last = AnswerId::at(instance.test(*test).arity() - 1);
        prop_assert_eq!(session.what_if(*test, Reply::is(last)).unwrap().answers().len(), facts.len());
        prop_assert_eq!(&before, &dump(&session));
        session.change(at, Reply::is(last)).unwrap();
        session.change(at, reply.clone()).unwrap();
        prop_assert_eq!(&before, &dump(&session));
    }

    #[test]
    fn any_order_of_the_same_facts_gives_the_same(sample in samples(12), numbers in numbers(), which: u32) {
        let instance = sample.instance();
        prop_assume!(instance.test_count() > 0);
        let facts = facts(&instance, &numbers);
        let told = |facts: &mut dyn Iterator<Item = &(TestId, Reply)>| {
            let mut session = Session::new(&instance, Plan::default(), some_rules(which)).unwrap();
            facts.for_each(|(test, reply)| session.give(*test, reply.clone()).unwrap());
            belief(&session)
        };
        let forward = told(&mut facts.iter());
        prop_assert_eq!(&forward, &told(&mut facts.iter().rev()));
        let turn = which as usize % facts.len();
        prop_assert_eq!(&forward, &told(&mut facts[turn..].iter().chain(&facts[..turn])));
    }

    #[test]
    fn the_posterior_is_its_definition(sample in samples(12), numbers in numbers(), rate in prop_oneof![Just(0.0), 0.01f64..0.9]) {
        let instance = sample.instance();
        prop_assume!(instance.test_count() > 0);
        let facts = facts(&instance, &numbers);
        let rules = SessionRules { errors: Errors::Rate(rate), ..SessionRules::default() };
        let mut session = Session::new(&instance, Plan::default(), rules).unwrap();
        facts.iter().for_each(|(test, reply)| session.volunteer(*test, reply.clone()).unwrap());
        let wanted = slow_posterior(&instance, &facts, rate);
        if wanted.iter().all(|share| !share.is_nan()) {
            let mut found = vec![0.0; instance.object_count()];
            session.candidates().iter().for_each(|candidate| found[candidate.object.index()] = candidate.probability);
            for (found, wanted) in found.iter().zip(&wanted) {
                prop_assert!((found - wanted).abs() <= 1e-12, "{} is not {}", found, wanted);
            }
        }
        prop_assert_eq!(session.cost(), 0.0);
    }

    #[test]
    fn gains_are_mutual_information(sample in samples(12), numbers in numbers(), rate in prop_oneof![Just(0.0), 0.01f64..0.6]) {
        let instance = sample.instance();
        prop_assume!(instance.test_count() > 0);
        let facts = facts(&instance, &numbers);
        let rules = SessionRules { errors: Errors::Rate(rate), certainty: Some(1.0), ..SessionRules::default() };
        let mut session = Session::new(&instance, Plan::default(), rules).unwrap();
        facts.iter().for_each(|(test, reply)| session.volunteer(*test, reply.clone()).unwrap());
        let prior: Vec<f64> = match slow_posterior(&instance, &facts, rate) {
            prior if prior.iter().all(|share| !share.is_nan()) => prior,
            _ => return Ok(()),
        };
        for choice in session.ranking(instance.test_count()) {
            let (column, groups) = (instance.test(choice.test), instance.group_count());
            let mut joint = vec![vec![0.0f64; column.arity()]; groups];
            for object in instance.objects() {
                for (answer, cell) in joint[instance.group_of(object).index()].iter_mut().enumerate() {
                    let says = match column.allows(object, AnswerId::at(answer)) {
                        _ if column.arity() == 1 => 1.0,
                        true => 1.0 - rate,
                        false => rate / (column.arity() - 1) as f64,
                    };
                    *cell += prior[object.index()] * says;
                }
            }
            let rows: Vec<f64> = (0..column.arity()).map(|v| joint.iter().map(|cells| cells[v]).sum()).collect();
            let information: f64 = joint.iter().map(|cells| {
                let group: f64 = cells.iter().sum();
                let term = |(cell, row): (&f64, &f64)| if *cell > 0.0 { cell * (cell / (group * row)).log2() } else { 0.0 };
                cells.iter().zip(&rows).map(term).sum::<f64>()
            }).sum();
            // Objects a billion times less likely than others are left out.
            prop_assert!((choice.gain_bits - information).abs() <= 1e-6, "{} is not {}", choice.gain_bits, information);
        }
    }

    #[test]
    fn counted_errors_keep_what_contradicts_few_answers(sample in samples(12), numbers in numbers(), most in 0u32..3) {
        let instance = sample.instance();
        prop_assume!(instance.test_count() > 0);
        let facts = facts(&instance, &numbers);
        let rules = SessionRules { errors: Errors::AtMost(most), ..SessionRules::default() };
        let mut session = Session::new(&instance, Plan::default(), rules).unwrap();
        facts.iter().for_each(|(test, reply)| session.give(*test, reply.clone()).unwrap());
        let wrong = |object: ObjectId| facts.iter().filter(|(test, reply)| match reply {
            Reply::Unknown => false,
            Reply::OneOf(answers) => !answers.contains(&instance.answer(object, *test)),
        }).count() as u32;
        let mut wanted: Vec<ObjectId> = instance.objects().filter(|object| wrong(*object) <= most).collect();
        wanted.sort_by_key(|object| wrong(*object));
        let mut found = session.candidates();
        prop_assert!(found.iter().all(|candidate| candidate.mismatches == wrong(candidate.object)));
        prop_assert!(found.is_sorted_by_key(|candidate| candidate.mismatches));
        found.sort_by_key(|candidate| (candidate.mismatches, candidate.object));
        prop_assert_eq!(found.iter().map(|candidate| candidate.object).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn sessions_without_errors_ask_what_trees_ask(sample in samples(24), blind: bool) {
        let instance = sample.instance();
        for entry in CATALOGUE {
            let tree = grow(&instance, entry.name, lambda(2.0), blind);
            let rule = GreedyRule { cost_blind: blind, ..GreedyRule::named(entry.name).unwrap() };
            asks_the_tree(&instance, &tree, Plan::rule(rule))?;
        }
        let tree = grow(&instance, "dectree", lambda(2.0), blind);
        asks_the_tree(&instance, &tree, Plan::tree(&tree))?;
    }

    #[test]
    fn a_contradiction_is_one_and_no_answer_of_it_is_idle(sample in samples(8), numbers in numbers()) {
        let instance = sample.instance();
        prop_assume!(instance.test_count() > 0);
        let facts = facts(&instance, &numbers);
        let mut session = Session::new(&instance, Plan::default(), SessionRules::default()).unwrap();
        facts.iter().for_each(|(test, reply)| session.give(*test, reply.clone()).unwrap());
        let fits = |kept: &[usize]| instance.objects().any(|object| kept.iter().all(|at| match &facts[*at].1 {
            Reply::Unknown => true,
            Reply::OneOf(answers) => answers.contains(&instance.answer(object, facts[*at].0)),
        }));
        let all: Vec<usize> = (0..facts.len()).collect();
        match session.contradiction() {
            None => prop_assert!(fits(&all)),
            Some(Contradiction { answers, smallest, doubts }) => {
                prop_assert!(smallest && !fits(&answers));
                // No smaller set, by looking at all of them.
                for mask in 0u32..1 << facts.len() {
                    let kept: Vec<usize> = all.iter().copied().filter(|at| mask >> at & 1 == 1).collect();
                    prop_assert!(kept.len() >= answers.len() || fits(&kept));
                }
                prop_assert!(doubts.is_sorted_by(|left, right| left.probability >= right.probability));
                prop_assert_eq!(session.step(), Step::Done(Reason::Contradiction));
            }
        }
    }
}

/// Checks that every object is asked exactly the questions on its path, and pays the cost of the path.
fn asks_the_tree(instance: &Instance, tree: &Tree, plan: Plan<'_>) -> Result<(), TestCaseError> {
    for object in instance.objects() {
        let mut session = Session::new(instance, plan, SessionRules::default()).unwrap();
        let mut at = tree.root();
        let mut cost = 0.0;
        while let Node::Ask { test, answers } = tree.node(at) {
            prop_assert_eq!(
                session.step(),
                Step::Ask(*test),
                "{} after {:?}",
                plan.rule.criterion.name,
                session.answers()
            );
            prop_assert_eq!(session.why(1).unwrap().choice.test, *test);
            let answer = instance.answer(object, *test);
            session.give(*test, Reply::is(answer)).unwrap();
            cost += instance.cost(*test);
            at = answers.iter().find(|(label, _)| *label == answer).unwrap().1;
        }
        prop_assert_eq!(session.step(), Step::Done(Reason::Identified));
        prop_assert!((session.cost() - cost).abs() <= 1e-9 * cost);
        let Node::Leaf { objects } = tree.node(at) else { unreachable!("the walk ends at a leaf") };
        let mut left: Vec<ObjectId> = session.candidates().iter().map(|candidate| candidate.object).collect();
        left.sort_unstable();
        prop_assert_eq!(left.as_slice(), objects.as_slice());
    }
    Ok(())
}

#[test]
fn games_end_with_the_question_that_names_the_object() {
    let reading = fewest::Reading { confirm: true, ..fewest::Reading::default() };
    let instance = read("object a b c\na hit 1 1\nb 1 hit 2\nc 1 2 hit", &reading);
    let tree = grow(&instance, "gbs", lambda(2.0), false);
    for plan in [Plan::tree(&tree), Plan::rule(GreedyRule::named("gbs").unwrap())] {
        asks_the_tree(&instance, &tree, plan).unwrap();
    }
}
