//! Simulated sessions, in which objects of the table answer.

use super::PRINTER;
use crate::common::*;
use fewest::ObjectId;
use fewest::session::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn playing_every_object_costs_what_the_tree_costs(sample in samples(20)) {
        use simulate::{Match, PlaySummary};
        let instance = sample.instance();
        for name in ["ggbs", "ec2", "dectree"] {
            let tree = grow(&instance, name, lambda(2.0), false);
            let costs = fewest::Costs::of(&tree, &instance, lambda(2.0));
            let plans = [Some(Plan::tree(&tree)), GreedyRule::named(name).map(Plan::rule)];
            for plan in plans.into_iter().flatten() {
                let plays = Match::new(&instance, plan, SessionRules::default()).play_all().unwrap();
                let tally = PlaySummary::of(&plays);
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
    use simulate::{Match, PlaySummary};
    let instance = instance(PRINTER, &[("smear", 2.5)]);
    let rules = SessionRules { errors: Errors::Rate(0.2), ..SessionRules::default() };
    let noisy = Match { noise: 0.2, unknown: 0.1, ..Match::new(&instance, Plan::default(), rules) };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let plays = alone.install(|| noisy.play_some(300, 7)).unwrap();
    assert_eq!(plays, noisy.play_some(300, 7).unwrap());
    assert_ne!(plays, noisy.play_some(300, 8).unwrap());
    let right = Match { noise: 0.0, unknown: 0.0, ..noisy.clone() };
    assert_eq!(PlaySummary::of(&right.play_some(300, 7).unwrap()).accuracy, 1.0);
    // Voting pays for each question as often as it is asked.
    let voting = Match { votes: 3, ..right.clone() };
    let (once, thrice) = (right.play_some(300, 7).unwrap(), voting.play_some(300, 7).unwrap());
    assert!(once.iter().zip(&thrice).all(|(one, three)| three.cost == one.cost * 3.0));
}

#[test]
fn a_tally_weighs_its_plays() {
    use simulate::{Play, PlaySummary};
    let play = |weight, cost, found| Play {
        object: ObjectId(0),
        weight,
        cost,
        units: (cost * 10.0, 10.0),
        questions: 1,
        found,
    };
    let tally = PlaySummary::of(&[play(1.0, 2.0, true), play(3.0, 4.0, false), play(0.0, 9.0, true)]);
    assert_eq!((tally.accuracy, tally.mean, tally.max), (0.25, 3.5, 9.0));
    assert_eq!(tally.quantiles, [4.0; 3]);
    assert_eq!(PlaySummary::of(&[play(0.0, 2.0, true), play(0.0, 4.0, true)]).quantiles, [2.0, 4.0, 4.0]);
}
