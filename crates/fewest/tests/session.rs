//! Sessions: nothing but the answers counts, and without errors they ask what trees ask.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod common;

use common::*;
use fewest::criterion::CATALOGUE;
use fewest::session::*;
use fewest::{AnswerId, Instance, Node, ObjectId, TestId, Tree};
use proptest::prelude::*;

/// Everything that a session says.
fn dump(session: &Session<'_>) -> String {
    format!("{:?}\n{}", session.answers(), belief(session))
}

/// Everything that does not depend on the order of answers.
fn belief(session: &Session<'_>) -> String {
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{}",
        session.state(5),
        session.step(),
        session.candidates(),
        session.groups(),
        session.ranking(5),
        session.why(2),
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

fn some_rules(number: u32) -> Rules {
    let errors = match number % 4 {
        0 => Errors::None,
        1 => Errors::Rate(0.1),
        2 => Errors::AtMost(1),
        _ => Errors::Rate(0.3),
    };
    let until = if number.is_multiple_of(5) { Until::Object } else { Until::Identified };
    Rules { errors, until, ..Rules::default() }
}

fn numbers() -> impl Strategy<Value = Vec<(u32, u32, u32)>> {
    proptest::collection::vec(any::<(u32, u32, u32)>(), 1..8)
}

/// `P(i | answers)` from the definition: one product of probabilities for each object.
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
        let rules = Rules { errors: Errors::Rate(rate), ..Rules::default() };
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
        let rules = Rules { errors: Errors::Rate(rate), certainty: Some(1.0), ..Rules::default() };
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
        let rules = Rules { errors: Errors::AtMost(most), ..Rules::default() };
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
            let rule = Rule { cost_blind: blind, ..Rule::named(entry.name).unwrap() };
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
        let mut session = Session::new(&instance, Plan::default(), Rules::default()).unwrap();
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

/// Every object is asked exactly the questions on its path, and the cost is that of the path.
fn asks_the_tree(instance: &Instance, tree: &Tree, plan: Plan<'_>) -> Result<(), TestCaseError> {
    for object in instance.objects() {
        let mut session = Session::new(instance, plan, Rules::default()).unwrap();
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

const PRINTER: &str = "
    object group lamp code smear
    fuse   power no   no   no
    supply power yes  no   no
    jam    paper yes  yes  no
    drum   print yes  yes  yes
    toner  print yes  no   yes";

fn test(instance: &Instance, name: &str) -> TestId {
    instance.find_test(name).unwrap()
}

fn told<'a>(instance: &'a Instance, rules: Rules, facts: &[&str]) -> Session<'a> {
    let mut session = Session::new(instance, Plan::default(), rules).unwrap();
    for fact in facts {
        let (test, reply) = words::parse(instance, fact).unwrap();
        session.give(test, reply).unwrap();
    }
    session
}

#[test]
fn not_knowing_gives_the_next_best_question() {
    let instance = instance(PRINTER, &[]);
    let mut session = told(&instance, Rules::default(), &[]);
    let Step::Ask(first) = session.step() else { unreachable!("five objects are possible") };
    session.give(first, Reply::Unknown).unwrap();
    let Step::Ask(second) = session.step() else { unreachable!("five objects are possible") };
    assert_ne!(first, second);
    assert_eq!(session.candidates().len(), 5);
}

#[test]
fn a_tree_is_left_and_the_rule_goes_on() {
    let instance = instance(PRINTER, &[]);
    let tree = grow(&instance, "ec2", lambda(2.0), false);
    let mut session = Session::new(&instance, Plan::tree(&tree), Rules::default()).unwrap();
    let why = session.why(3).unwrap();
    assert_eq!(why.basis, Basis::Tree);
    let remaining = why.remaining.unwrap();
    assert_eq!(remaining.basis, Basis::Tree);
    let costs = fewest::Costs::of(&tree, &instance, lambda(2.0));
    assert!((remaining.cost - costs.expected).abs() < 1e-12);
    session.give(why.choice.test, Reply::Unknown).unwrap();
    assert_eq!(session.why(3).unwrap().basis, Basis::Rule);
}

#[test]
fn facts_known_beforehand_answer_questions_of_the_tree() {
    let instance = instance(PRINTER, &[]);
    let tree = grow(&instance, "gbs", lambda(2.0), false);
    let Node::Ask { test: root, .. } = tree.node(tree.root()) else { unreachable!("it has questions") };
    // Every object with both of these answers the root alike, so it need not be asked.
    let facts = ["lamp=yes", "code=no", "smear=yes"];
    let known: Vec<&str> =
        facts.iter().copied().filter(|fact| !fact.starts_with(&instance.test(*root).name)).collect();
    let mut session = Session::new(&instance, Plan::tree(&tree), Rules::default()).unwrap();
    for fact in known {
        let (test, reply) = words::parse(&instance, fact).unwrap();
        session.volunteer(test, reply).unwrap();
    }
    assert_eq!(session.cost(), 0.0);
    assert!(session.candidates().len() <= 2);
}

#[test]
fn tests_that_may_not_be_asked_are_not() {
    let instance = instance(PRINTER, &[]);
    let rules = Rules { without: vec![test(&instance, "smear")], ..Rules::default() };
    let session = told(&instance, rules.clone(), &["lamp=yes", "code=yes"]);
    assert_eq!(session.step(), Step::Done(Reason::NothingToAsk));
    // What is known of them counts all the same.
    let session = told(&instance, rules, &["lamp=yes", "code=yes", "smear=yes"]);
    assert_eq!(session.step(), Step::Done(Reason::Identified));
}

#[test]
fn tests_to_ask_first_come_first_as_far_as_they_tell_something() {
    let instance = instance(PRINTER, &[]);
    let first = vec![test(&instance, "lamp"), test(&instance, "code")];
    let rules = Rules { first: first.clone(), ..Rules::default() };
    assert_eq!(told(&instance, rules.clone(), &[]).step(), Step::Ask(first[0]));
    assert_eq!(told(&instance, rules.clone(), &["lamp=?"]).step(), Step::Ask(first[1]));
    // Only the fuse leaves the lamp dark.
    assert_eq!(told(&instance, rules.clone(), &["lamp=no"]).step(), Step::Done(Reason::Identified));
    assert_eq!(told(&instance, rules.clone(), &[]).why(1).unwrap().basis, Basis::First);
}

#[test]
fn a_session_ends_when_its_rules_say_so() {
    let instance = instance(PRINTER, &[("lamp", 4.0), ("smear", 2.0)]);
    let few = Rules { left: 2, ..Rules::default() };
    assert_eq!(told(&instance, few, &["code=yes"]).step(), Step::Done(Reason::FewLeft));
    let sure = Rules { certainty: Some(0.6), ..Rules::default() };
    assert_eq!(told(&instance, sure, &["smear=no"]).step(), Step::Done(Reason::Certain));
    let poor = Rules { max_cost: Some(3.0), ..Rules::default() };
    let session = told(&instance, poor, &["smear=no"]);
    assert_eq!(session.step(), Step::Ask(test(&instance, "code")));
    let poor = Rules { max_cost: Some(2.5), ..Rules::default() };
    assert_eq!(told(&instance, poor, &["smear=no"]).step(), Step::Done(Reason::TooDear));
}

#[test]
fn objects_are_told_apart_where_groups_are_not_enough() {
    let instance = instance(PRINTER, &[]);
    let rules = Rules { until: Until::Object, ..Rules::default() };
    let session = told(&instance, rules, &["code=no", "smear=no"]);
    assert_eq!(session.groups().len(), 1);
    assert_eq!(session.step(), Step::Ask(test(&instance, "lamp")));
    assert_eq!(
        told(&instance, Rules::default(), &["code=no", "smear=no"]).step(),
        Step::Done(Reason::Identified)
    );
}

#[test]
fn one_error_is_forgiven_and_found() {
    let instance = instance(PRINTER, &[]);
    let session = told(&instance, Rules::default(), &["lamp=no", "code=yes", "smear=yes"]);
    let contradiction = session.contradiction().unwrap();
    assert_eq!(contradiction.answers, [0, 1]);
    // Without the lamp the drum fits, and nothing fits without another.
    assert_eq!(contradiction.doubts[0].at, 0);
    let forgiving = Rules { errors: Errors::AtMost(1), ..Rules::default() };
    let session = told(&instance, forgiving, &["lamp=no", "code=yes", "smear=yes"]);
    let names: Vec<&str> =
        session.candidates().iter().flat_map(|candidate| instance.object_names(candidate.object)).collect();
    assert_eq!(names, ["drum"]);
}

#[test]
fn tests_may_be_asked_again_where_errors_are_independent() {
    let instance = instance("object q\na 0\nb 1", &[]);
    let rules = Rules { errors: Errors::Rate(0.1), again: true, ..Rules::default() };
    let mut session = Session::new(&instance, Plan::default(), rules).unwrap();
    let q = test(&instance, "q");
    for (answer, share) in [(0, 0.9), (0, 0.81 / 0.82), (1, 0.9)] {
        assert_eq!(session.answers().len() == 2, session.step() == Step::Done(Reason::Certain));
        session.give(q, Reply::is(AnswerId(answer))).unwrap();
        assert!((session.candidates()[0].probability - share).abs() < 1e-12);
    }
    assert_eq!(session.withdraw(q).unwrap().reply, Reply::is(AnswerId(1)));
    assert_eq!(session.cost(), 2.0);
}

#[test]
fn the_explanation_is_in_the_answers() {
    let instance = instance(PRINTER, &[]);
    let session = told(&instance, Rules::default(), &["lamp=yes", "code=?", "smear=no"]);
    let drum = words::find_object(&instance, "drum").unwrap();
    let explanation = session.explain(drum);
    assert_eq!(explanation.probability, 0.0);
    assert_eq!(explanation.agree.iter().map(|said| said.at).collect::<Vec<_>>(), [0]);
    assert_eq!(explanation.disagree.iter().map(|said| said.at).collect::<Vec<_>>(), [2]);
    let jam = words::find_object(&instance, "jam").unwrap();
    let differences = session.differences(drum, jam);
    assert_eq!(
        differences.iter().map(|difference| difference.test).collect::<Vec<_>>(),
        [test(&instance, "smear")]
    );
    assert_eq!(session.explain(jam).probability, 0.5);
}

#[test]
fn what_does_not_fit_is_refused() {
    let instance = instance(PRINTER, &[]);
    let mut session = told(&instance, Rules::default(), &[]);
    assert!(session.give(TestId(9), Reply::Unknown).is_err());
    assert!(session.give(TestId(0), Reply::is(AnswerId(2))).is_err());
    assert!(session.give(TestId(0), Reply::one_of([])).is_err());
    assert!(session.withdraw(TestId(0)).is_err() && session.change(0, Reply::Unknown).is_err());
    let refused = |rules: Rules| Session::new(&instance, Plan::default(), rules).is_err();
    assert!(refused(Rules { errors: Errors::Rate(1.0), ..Rules::default() }));
    assert!(refused(Rules { errors: Errors::Rate(f64::NAN), ..Rules::default() }));
    assert!(refused(Rules { errors: Errors::Rates(vec![0.1]), ..Rules::default() }));
    assert!(refused(Rules { certainty: Some(0.0), ..Rules::default() }));
    assert!(refused(Rules { max_cost: Some(-1.0), ..Rules::default() }));
    assert!(refused(Rules { without: vec![TestId(3)], ..Rules::default() }));
}

#[test]
fn games_end_with_the_question_that_names_the_object() {
    let reading = fewest::Reading { confirm: true, ..fewest::Reading::default() };
    let instance = read("object a b c\na hit 1 1\nb 1 hit 2\nc 1 2 hit", &reading);
    let tree = grow(&instance, "gbs", lambda(2.0), false);
    for plan in [Plan::tree(&tree), Plan::rule(Rule::named("gbs").unwrap())] {
        asks_the_tree(&instance, &tree, plan).unwrap();
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn playing_every_object_costs_what_the_tree_costs(sample in samples(20)) {
        use simulate::{Match, Tally};
        let instance = sample.instance();
        for name in ["ggbs", "ec2", "dectree"] {
            let tree = grow(&instance, name, lambda(2.0), false);
            let costs = fewest::Costs::of(&tree, &instance, lambda(2.0));
            let plans = [Some(Plan::tree(&tree)), Rule::named(name).map(Plan::rule)];
            for plan in plans.into_iter().flatten() {
                let plays = Match::new(&instance, plan, Rules::default()).play_all().unwrap();
                let tally = Tally::of(&plays);
                prop_assert_eq!(tally.accuracy, 1.0);
                prop_assert!((tally.mean - costs.expected).abs() <= 1e-12 * costs.expected);
                if instance.weights().is_exact() && instance.costs().is_exact() {
                    prop_assert_eq!(tally.mean, costs.expected);
                }
                prop_assert!((tally.max - costs.worst).abs() <= 1e-12 * costs.worst);
            }
        }
    }
}

#[test]
fn plays_depend_on_the_seed_and_not_on_threads() {
    use simulate::{Match, Tally};
    let instance = instance(PRINTER, &[("smear", 2.5)]);
    let rules = Rules { errors: Errors::Rate(0.2), ..Rules::default() };
    let noisy = Match { noise: 0.2, unknown: 0.1, ..Match::new(&instance, Plan::default(), rules) };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let plays = alone.install(|| noisy.play_some(300, 7)).unwrap();
    assert_eq!(plays, noisy.play_some(300, 7).unwrap());
    assert_ne!(plays, noisy.play_some(300, 8).unwrap());
    let right = Match { noise: 0.0, unknown: 0.0, ..noisy.clone() };
    assert_eq!(Tally::of(&right.play_some(300, 7).unwrap()).accuracy, 1.0);
    // Voting pays for each question as often as it is asked.
    let voting = Match { votes: 3, ..right.clone() };
    let (once, thrice) = (right.play_some(300, 7).unwrap(), voting.play_some(300, 7).unwrap());
    assert!(once.iter().zip(&thrice).all(|(one, three)| three.cost == one.cost * 3.0));
}

#[test]
fn a_tally_weighs_its_plays() {
    use simulate::{Play, Tally};
    let play = |weight, cost, found| Play {
        object: ObjectId(0),
        weight,
        cost,
        units: (cost * 10.0, 10.0),
        questions: 1,
        found,
    };
    let tally = Tally::of(&[play(1.0, 2.0, true), play(3.0, 4.0, false), play(0.0, 9.0, true)]);
    assert_eq!((tally.accuracy, tally.mean, tally.max), (0.25, 3.5, 9.0));
    assert_eq!(tally.quantiles, [4.0; 3]);
    assert_eq!(Tally::of(&[play(0.0, 2.0, true), play(0.0, 4.0, true)]).quantiles, [2.0, 4.0, 4.0]);
}
