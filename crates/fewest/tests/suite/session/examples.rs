//! Sessions about one small table, which can be followed by hand.

use super::{PRINTER, test, told};
use crate::common::*;
use fewest::session::*;
use fewest::{AnswerId, Node, TestId};

#[test]
fn not_knowing_gives_the_next_best_question() {
    let instance = instance(PRINTER, &[]);
    let mut session = told(&instance, SessionRules::default(), &[]);
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
    let mut session = Session::new(&instance, Plan::tree(&tree), SessionRules::default()).unwrap();
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
    // Every object with both of these answers has the same answer to the root, so it need not be asked.
    let facts = ["lamp=yes", "code=no", "smear=yes"];
    let known: Vec<&str> =
        facts.iter().copied().filter(|fact| !fact.starts_with(&instance.test(*root).name)).collect();
    let mut session = Session::new(&instance, Plan::tree(&tree), SessionRules::default()).unwrap();
    for fact in known {
        let (test, reply) = parse::parse_fact(&instance, fact).unwrap();
        session.volunteer(test, reply).unwrap();
    }
    assert_eq!(session.cost(), 0.0);
    assert!(session.candidates().len() <= 2);
}

#[test]
fn tests_that_may_not_be_asked_are_not() {
    let instance = instance(PRINTER, &[]);
    let rules = SessionRules { without: vec![test(&instance, "smear")], ..SessionRules::default() };
    let session = told(&instance, rules.clone(), &["lamp=yes", "code=yes"]);
    assert_eq!(session.step(), Step::Done(Reason::NothingToAsk));
    // Volunteered answers to them count nevertheless.
    let session = told(&instance, rules, &["lamp=yes", "code=yes", "smear=yes"]);
    assert_eq!(session.step(), Step::Done(Reason::Identified));
}

#[test]
fn tests_to_ask_first_come_first_as_far_as_they_tell_something() {
    let instance = instance(PRINTER, &[]);
    let first = vec![test(&instance, "lamp"), test(&instance, "code")];
    let rules = SessionRules { first: first.clone(), ..SessionRules::default() };
    assert_eq!(told(&instance, rules.clone(), &[]).step(), Step::Ask(first[0]));
    assert_eq!(told(&instance, rules.clone(), &["lamp=?"]).step(), Step::Ask(first[1]));
    // Only the fuse leaves the lamp dark.
    assert_eq!(told(&instance, rules.clone(), &["lamp=no"]).step(), Step::Done(Reason::Identified));
    assert_eq!(told(&instance, rules.clone(), &[]).why(1).unwrap().basis, Basis::First);
}

#[test]
fn a_session_ends_when_its_rules_say_so() {
    let instance = instance(PRINTER, &[("lamp", 4.0), ("smear", 2.0)]);
    let few = SessionRules { stop_at: 2, ..SessionRules::default() };
    assert_eq!(told(&instance, few, &["code=yes"]).step(), Step::Done(Reason::FewLeft));
    let sure = SessionRules { certainty: Some(0.6), ..SessionRules::default() };
    assert_eq!(told(&instance, sure, &["smear=no"]).step(), Step::Done(Reason::Certain));
    let poor = SessionRules { max_cost: Some(3.0), ..SessionRules::default() };
    let session = told(&instance, poor, &["smear=no"]);
    assert_eq!(session.step(), Step::Ask(test(&instance, "code")));
    let poor = SessionRules { max_cost: Some(2.5), ..SessionRules::default() };
    assert_eq!(told(&instance, poor, &["smear=no"]).step(), Step::Done(Reason::TooDear));
}

#[test]
fn objects_are_told_apart_where_groups_are_not_enough() {
    let instance = instance(PRINTER, &[]);
    let rules = SessionRules { until: Until::Object, ..SessionRules::default() };
    let session = told(&instance, rules, &["code=no", "smear=no"]);
    assert_eq!(session.groups().len(), 1);
    assert_eq!(session.step(), Step::Ask(test(&instance, "lamp")));
    assert_eq!(
        told(&instance, SessionRules::default(), &["code=no", "smear=no"]).step(),
        Step::Done(Reason::Identified)
    );
}

#[test]
fn one_error_is_forgiven_and_found() {
    let instance = instance(PRINTER, &[]);
    let session = told(&instance, SessionRules::default(), &["lamp=no", "code=yes", "smear=yes"]);
    let contradiction = session.contradiction().unwrap();
    assert_eq!(contradiction.answers, [0, 1]);
    // Without the lamp the drum fits, and nothing fits without another.
    assert_eq!(contradiction.doubts[0].at, 0);
    let forgiving = SessionRules { errors: Errors::AtMost(1), ..SessionRules::default() };
    let session = told(&instance, forgiving, &["lamp=no", "code=yes", "smear=yes"]);
    let names: Vec<&str> =
        session.candidates().iter().flat_map(|candidate| instance.object_names(candidate.object)).collect();
    assert_eq!(names, ["drum"]);
}

#[test]
fn tests_may_be_asked_again_where_errors_are_independent() {
    let instance = instance("object q\na 0\nb 1", &[]);
    let rules = SessionRules { errors: Errors::Rate(0.1), repeat_tests: true, ..SessionRules::default() };
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
    let session = told(&instance, SessionRules::default(), &["lamp=yes", "code=?", "smear=no"]);
    let drum = parse::find_object(&instance, "drum").unwrap();
    let explanation = session.explain(drum);
    assert_eq!(explanation.probability, 0.0);
    assert_eq!(explanation.agree.iter().map(|said| said.at).collect::<Vec<_>>(), [0]);
    assert_eq!(explanation.disagree.iter().map(|said| said.at).collect::<Vec<_>>(), [2]);
    let jam = parse::find_object(&instance, "jam").unwrap();
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
    let mut session = told(&instance, SessionRules::default(), &[]);
    assert!(session.give(TestId(9), Reply::Unknown).is_err());
    assert!(session.give(TestId(0), Reply::is(AnswerId(2))).is_err());
    assert!(session.give(TestId(0), Reply::one_of([])).is_err());
    assert!(session.withdraw(TestId(0)).is_err() && session.change(0, Reply::Unknown).is_err());
    let refused = |rules: SessionRules| Session::new(&instance, Plan::default(), rules).is_err();
    assert!(refused(SessionRules { errors: Errors::Rate(1.0), ..SessionRules::default() }));
    assert!(refused(SessionRules { errors: Errors::Rate(f64::NAN), ..SessionRules::default() }));
    assert!(refused(SessionRules { errors: Errors::Rates(vec![0.1]), ..SessionRules::default() }));
    assert!(refused(SessionRules { certainty: Some(0.0), ..SessionRules::default() }));
    assert!(refused(SessionRules { max_cost: Some(-1.0), ..SessionRules::default() }));
    assert!(refused(SessionRules { without: vec![TestId(3)], ..SessionRules::default() }));
}

#[test]
fn a_snapshot_says_what_single_methods_say_for_one_posterior() {
    let instance = instance(PRINTER, &[]);
    for (errors, facts) in [(Errors::None, &["lamp=yes"][..]), (Errors::Rate(0.1), &["lamp=yes", "code=no"])]
    {
        let session = told(&instance, SessionRules { errors, ..SessionRules::default() }, facts);
        let before = posteriors_computed();
        let seen = session.snapshot();
        let (step, ranking, why) = (seen.step(), seen.ranking(5), seen.why(5));
        let (candidates, groups, ruled_out) = (seen.candidates(), seen.groups(), seen.ruled_out());
        let (splits, about) = (seen.splits(test(&instance, "smear")), seen.explain(candidates[0].object));
        assert_eq!(posteriors_computed() - before, 1);
        assert_eq!((step, ranking, why), (session.step(), session.ranking(5), session.why(5)));
        assert_eq!((&candidates, groups), (&session.candidates(), session.groups()));
        assert_eq!(splits, session.splits(test(&instance, "smear")));
        assert_eq!(about, session.explain(candidates[0].object));
        assert_eq!(candidates.len() + ruled_out.len(), instance.object_count());
        assert!(ruled_out.iter().all(|object| session.explain(*object).probability == 0.0));
    }
}
