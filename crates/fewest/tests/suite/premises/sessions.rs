//! Sessions with premises: whatever was answered, in whatever order, no question is asked that does not apply.

use super::made::{Dice, Made};
use super::slow::{labels, may_ask};
use super::{number, rows};
use fewest::session::simulate::Match;
use fewest::session::{Errors, Plan, Reply, Session, SessionRules, Step};
use fewest::{AnswerId, Goal, InstanceBuilder, Limit, MissingCells, ObjectId, TestId, build};
use proptest::prelude::*;

/// A reply from random numbers: mostly a plain answer, now and then several or none.
fn reply(dice: &mut Dice, arity: usize) -> Reply {
    let answer = AnswerId::at(dice.roll(arity));
    match dice.roll(6) {
        0 => Reply::Unknown,
        1 => Reply::one_of([answer, AnswerId::at(dice.roll(arity))]),
        _ => Reply::is(answer),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 500 } else { 3000 }))]

    #[test]
    fn a_session_never_asks_what_does_not_apply(seed in any::<u64>(), with_tree in any::<bool>()) {
        let dice = &mut Dice(seed);
        let made = Made::roll(dice);
        let instance = made.instance();
        let outcome = build(&instance, &Goal::default(), &Limit::none());
        let plan = Plan { tree: with_tree.then_some(&outcome.tree), ..Plan::default() };
        let mut session = Session::new(&instance, plan, SessionRules::default()).unwrap();
        for _ in 0..20 {
            let snapshot = session.snapshot();
            let live: Vec<ObjectId> = snapshot.candidates().iter().map(|one| one.object).collect();
            let possible = rows(&instance, &live);
            for choice in snapshot.ranking(10) {
                prop_assert!(may_ask(&made, number(&instance, choice.test), &possible), "{:?}", choice.test);
            }
            let Step::Ask(test) = snapshot.step() else { break };
            let _ = snapshot.why(3);
            session.give(test, reply(dice, instance.test(test).arity())).unwrap();
            if dice.roll(3) == 0 {
                // A fact about any test, also one that may not be asked.
                let test = TestId::at(dice.roll(instance.test_count()));
                session.volunteer(test, reply(dice, instance.test(test).arity())).unwrap();
            }
        }
        // Whoever volunteers an answer to a test says that it applies.
        for given in session.answers() {
            let Some(answer) = given.reply.single() else { continue };
            for candidate in session.candidates() {
                prop_assert!(instance.test(given.test).allows(candidate.object, answer));
            }
        }
    }

    #[test]
    fn a_session_with_right_answers_finds_what_can_be_found(seed in any::<u64>(), with_tree in any::<bool>()) {
        let made = Made::roll(&mut Dice(seed));
        let instance = made.instance();
        let outcome = build(&instance, &Goal::default(), &Limit::none());
        let plan = Plan { tree: with_tree.then_some(&outcome.tree), ..Plan::default() };
        let plays = Match::new(&instance, plan, SessionRules::default()).play_all().unwrap();
        prop_assert_eq!(plays.len(), instance.object_count());
        prop_assert!(plays.iter().all(|play| play.found));
        if with_tree {
            let worst = plays.iter().map(|play| play.cost).fold(0.0, f64::max);
            prop_assert!((worst - outcome.costs.worst).abs() < 1e-9);
        }
        prop_assert_eq!(labels(&made).len(), made.objects());
    }

    #[test]
    fn sessions_with_wrong_answers_ask_only_where_the_replies_say_so(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let made = Made::roll(dice);
        let instance = made.instance();
        let errors = if dice.roll(2) == 0 { Errors::Rate(0.1) } else { Errors::AtMost(1) };
        let rules = SessionRules { errors, ..SessionRules::default() };
        let mut session = Session::new(&instance, Plan::default(), rules.clone()).unwrap();
        for _ in 0..12 {
            let Step::Ask(test) = session.step() else { break };
            let live: Vec<ObjectId> = session.candidates().iter().map(|one| one.object).collect();
            // A premise with a reply outside it forbids the test; without a reply, all possible objects must meet it.
            let settled = |premise: &fewest::Premise| {
                let given = session.answers().iter().find(|given| given.test == premise.test)?;
                let answers = given.reply.answers();
                (!answers.is_empty()).then(|| answers.iter().any(|answer| premise.answers.contains(answer)))
            };
            let premises = &instance.test(test).premises;
            prop_assert!(!premises.iter().any(|premise| settled(premise) == Some(false)));
            let is_said = !premises.is_empty() && premises.iter().all(|premise| settled(premise) == Some(true));
            prop_assert!(is_said || may_ask(&made, number(&instance, test), &rows(&instance, &live)));
            session.give(test, reply(dice, instance.test(test).arity())).unwrap();
            let total: f64 = session.candidates().iter().map(|one| one.probability).sum();
            prop_assert!(session.candidates().is_empty() || (total - 1.0).abs() < 1e-9);
        }
        let noisy = Match { noise: 0.2, unknown: 0.1, ..Match::new(&instance, Plan::default(), rules) };
        prop_assert_eq!(noisy.play_some(5, seed).unwrap().len(), 5);
    }
}

#[test]
fn one_error_is_counted_once_however_much_depends_on_it() {
    let (instance, _) = InstanceBuilder::new(["bee", "fly", "ant"])
        .test("wings", ["yes", "yes", "no"])
        .test("pairs", ["2", "1", "-"])
        .premise("pairs", "wings", ["yes"])
        .build()
        .unwrap();
    let rules = SessionRules { errors: Errors::AtMost(1), ..SessionRules::default() };
    let mut session = Session::new(&instance, Plan::default(), rules).unwrap();
    // Of an ant somebody says by mistake that it has wings, and then makes up their number.
    session.give(TestId(0), Reply::is(AnswerId(0))).unwrap();
    assert_eq!(session.step(), Step::Ask(TestId(1)));
    session.give(TestId(1), Reply::is(AnswerId(1))).unwrap();
    let ant = session.candidates().into_iter().find(|one| instance.object_name(one.object) == "ant").unwrap();
    assert_eq!(ant.mismatches, 1);
}

#[test]
fn an_uncertain_premise_is_asked_before_what_depends_on_it() {
    let (instance, _) = InstanceBuilder::new(["a", "b", "c", "d"])
        .test("s", [Some("x"), None, Some("x"), Some("y")])
        .test("t", ["1", "2", "3", "-"])
        .premise("t", "s", ["x"])
        .reading(|reading| reading.missing = MissingCells::Any)
        .build()
        .unwrap();
    assert!(instance.has_several() && instance.has_premises());
    let outcome = build(&instance, &Goal::default(), &Limit::none());
    assert_eq!(outcome.tree.node(outcome.tree.root()).test(), Some(TestId(0)));
    assert!(fewest::check(&instance, &outcome.tree, &fewest::Certificate::default()).is_ok());
    // Only `b` is uncertain at the first question: `d` is told from `a` and `c` for sure.
    assert!(outcome.bound.value >= 0.0);
    let mut session = Session::new(&instance, Plan::default(), SessionRules::default()).unwrap();
    assert_eq!(session.step(), Step::Ask(TestId(0)));
    session.give(TestId(0), Reply::Unknown).unwrap();
    // Nobody knows whether the other question applies.
    assert!(matches!(session.step(), Step::Done(_)));
    session.change(0, Reply::is(AnswerId(0))).unwrap();
    assert_eq!(session.step(), Step::Ask(TestId(1)));
}
