//! Tests that may be asked only under a premise. Everything is compared with the definition: the cells and premises of the
//! table as they were written, and the best of all trees that keep to them.

mod made;
mod open_cells;
mod sessions;
mod slow;

use fewest::builder::{dec_tree, unfold};
use fewest::exact::{Switches, Task, solve};
use fewest::front::front;
use fewest::{
    Candidates, Certificate, CheckError, Costs, Goal, Greedy, Instance, Lambda, Limit, Node, ObjectId,
    Objective, Proof, TestId, Tree, algorithms, build, check, trials,
};
use fewest_check::check_bound;
use made::{Dice, Made};
use proptest::prelude::*;
use slow::{labels, may_ask, optimum};

const OBJECTIVES: [Objective; 3] =
    [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)];

fn near(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= 1e-9 * (1.0 + right.abs())
}

/// Number of a test in the table that was made.
fn number(instance: &Instance, test: TestId) -> usize {
    instance.test(test).name[1..].parse().unwrap()
}

/// Rows of the table behind objects of the instance.
fn rows(instance: &Instance, objects: &[ObjectId]) -> Vec<usize> {
    let names = objects.iter().flat_map(|object| instance.object_names(*object));
    names.map(|name| name[1..].parse().unwrap()).collect()
}

/// Leads all objects through `tree` by the cells of the table; every question must be allowed where it is asked, and every
/// leaf hold objects of one label.
fn walk(made: &Made, instance: &Instance, tree: &Tree) -> Result<(), TestCaseError> {
    let labels = labels(made);
    let mut waiting = vec![(tree.root(), (0..made.objects()).collect::<Vec<usize>>())];
    while let Some((at, set)) = waiting.pop() {
        match tree.node(at) {
            Node::Leaf { objects } => {
                let mut listed = rows(instance, objects);
                listed.sort_unstable();
                prop_assert_eq!(&listed, &set);
                prop_assert!(set.iter().all(|object| labels[*object] == labels[set[0]]));
            }
            Node::Ask { test, answers } => {
                let asked = number(instance, *test);
                prop_assert!(may_ask(made, asked, &set), "q{asked} is asked of {set:?}");
                for (answer, child) in answers {
                    let text = instance.test(*test).answer_text(*answer);
                    let gives = |object: &usize| made.cells[asked][*object].map(|code| format!("a{code}"));
                    let part = set.iter().copied().filter(|object| gives(object).as_deref() == Some(text));
                    waiting.push((*child, part.collect()));
                }
            }
        }
    }
    Ok(())
}

/// Tree that asks the first test that splits the stored answers, forbidden ones first.
fn forged(instance: &Instance) -> Tree {
    let choose = |set: &Candidates| {
        let splits = |test: &TestId| {
            let first = instance.answer(set.objects()[0], *test);
            set.objects().iter().any(|object| instance.answer(*object, *test) != first)
        };
        let is_forbidden = |test: &TestId| !instance.may_ask_after(*test, set.objects(), &[]);
        let tests = || instance.test_ids().filter(splits);
        (!set.is_pure()).then(|| tests().find(is_forbidden).or_else(|| tests().next())).flatten()
    };
    Tree::unfold(instance, |level| Some(level.iter().map(choose).collect())).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 500 } else { 3000 }))]

    #[test]
    fn groups_are_those_that_can_be_told_apart(seed in any::<u64>()) {
        let made = Made::roll(&mut Dice(seed));
        let instance = made.instance();
        let labels = labels(&made);
        let mut row = vec![0; made.objects()];
        for object in instance.objects() {
            rows(&instance, &[object]).into_iter().for_each(|at| row[at] = object.index());
        }
        let group = |at: usize| instance.group_of(ObjectId::at(row[at]));
        for left in 0..made.objects() {
            for right in 0..left {
                prop_assert_eq!(group(left) == group(right), labels[left] == labels[right]);
            }
        }
    }

    #[test]
    fn the_search_finds_the_best_of_all_allowed_trees_and_proves_it(seed in any::<u64>()) {
        let made = Made::roll(&mut Dice(seed));
        let instance = made.instance();
        for objective in OBJECTIVES {
            let least = optimum(&made, objective);
            let goal = Goal::default().with_objective(objective).with_proof(true);
            let outcome = build(&instance, &goal, &Limit::none());
            let cost = outcome.costs.get(objective);
            prop_assert!(near(cost, least), "{objective:?}: {cost} for {least}");
            prop_assert!(outcome.optimal);
            walk(&made, &instance, &outcome.tree)?;
            for (bound, objective) in outcome.bounds.iter().zip(OBJECTIVES) {
                let least = optimum(&made, objective);
                prop_assert!(bound.value <= least + 1e-9 * (1.0 + least), "{}: {}", bound.name, bound.value);
            }
            let certificate = Certificate { costs: Some(outcome.costs), bound: outcome.proof.clone() };
            let verified = check(&instance, &outcome.tree, &certificate);
            let verified = verified.map_err(|error| TestCaseError::fail(error.to_string()))?;
            if let Some(proof) = outcome.proof {
                prop_assert!(near(verified.bound.unwrap().value, cost));
                let more = Proof { value: proof.value * 1.01 + 0.01, ..proof };
                prop_assert!(check_bound(&instance, &more).is_err(), "more is claimed than proved");
            }
        }
    }

    #[test]
    fn a_search_without_memory_still_bounds_all_allowed_trees(seed in any::<u64>()) {
        let made = Made::roll(&mut Dice(seed));
        let instance = made.instance();
        for objective in OBJECTIVES {
            let task = Task {
                instance: &instance,
                objective,
                cap: f64::INFINITY,
                trees: Vec::new(),
                deadline: None,
                memory: 100,
                threads: 1,
                switches: Switches::ALL,
                proof: true,
            };
            let solution = solve(&task, |_| true);
            let least = optimum(&made, objective);
            prop_assert!(solution.bound <= least + 1e-9 * (1.0 + least), "{}", solution.bound);
            if let Some(tree) = &solution.tree {
                walk(&made, &instance, tree)?;
            }
            if let Some(proof) = solution.proof {
                let shown = check_bound(&instance, &proof);
                let shown = shown.map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert!(shown.value <= least + 1e-9 * (1.0 + least));
            }
        }
    }

    #[test]
    fn every_rule_keeps_to_the_premises(seed in any::<u64>()) {
        let made = Made::roll(&mut Dice(seed));
        let instance = made.instance();
        let goal = Goal::default();
        let all = trials(&instance, &goal, &Limit::none());
        prop_assert_eq!(all.len(), algorithms().len());
        for trial in all {
            walk(&made, &instance, &trial.tree)?;
            let certificate = Certificate { costs: Some(trial.costs), bound: None };
            prop_assert!(check(&instance, &trial.tree, &certificate).is_ok());
            prop_assert!(trial.costs.expected >= optimum(&made, Objective::Expected) - 1e-9);
        }
        let (tree, _) = dec_tree(&instance, &Limit::none()).unwrap();
        walk(&made, &instance, &tree)?;
        // With no time at all, the first rule asks any test that may be asked.
        let late = build(&instance, &goal, &Limit::time(std::time::Duration::ZERO));
        walk(&made, &instance, &late.tree)?;
    }

    #[test]
    fn the_front_holds_the_best_of_both_ends(seed in any::<u64>()) {
        let made = Made::roll(&mut Dice(seed));
        let instance = made.instance();
        let found = front(&instance, &Limit::none());
        for point in &found.points {
            walk(&made, &instance, &point.tree)?;
            prop_assert!(point.proved);
        }
        let worst = found.points.first().unwrap().costs.worst;
        prop_assert!(near(worst, optimum(&made, Objective::Worst)));
        let expected = found.points.last().unwrap().costs.expected;
        prop_assert!(near(expected, optimum(&made, Objective::Expected)));
    }

    #[test]
    fn the_checker_refuses_exactly_the_forbidden_questions(seed in any::<u64>()) {
        let made = Made::roll(&mut Dice(seed));
        let instance = made.instance();
        let tree = forged(&instance);
        let refused = check(&instance, &tree, &Certificate::default());
        match walk(&made, &instance, &tree) {
            Ok(()) => prop_assert!(refused.is_ok(), "{refused:?}"),
            Err(_) => prop_assert!(matches!(refused, Err(CheckError::NotApplicable(_))), "{refused:?}"),
        }
    }
}

#[test]
fn forbidden_questions_are_common_enough_to_be_found() {
    let is_forged = |seed: u64| {
        let instance = Made::roll(&mut Dice(seed)).instance();
        check(&instance, &forged(&instance), &Certificate::default()).is_err()
    };
    let forged = (0..300).filter(|seed| is_forged(*seed)).count();
    assert!(forged > 100, "{forged} trees asked a forbidden question");
}

/// A premise makes a test dearer to reach: the best tree without it is forbidden.
#[test]
fn the_best_tree_may_have_to_ask_a_premise_first() {
    let table = |premise: &str| {
        let mut builder = fewest::InstanceBuilder::new(["a", "b", "c"])
            .test("s", ["x", "x", "y"])
            .test("t", ["1", "2", "3"]);
        if !premise.is_empty() {
            builder = builder.premise("t", "s", [premise]);
        }
        builder.build().unwrap().0
    };
    let costs = |premise: &str| -> Costs { build(&table(premise), &Goal::default(), &Limit::none()).costs };
    assert_eq!(costs("").worst, 1.0);
    assert_eq!(costs("x").worst, 2.0);
    let instance = table("x");
    let criterion = fewest::criterion::find("ggbs").unwrap();
    let criterion =
        (criterion.make)(fewest::criterion::Settings { lambda: Lambda::TWO, identify: instance.identify() });
    let tree = unfold(&instance, &Greedy::new(&instance, criterion.as_ref(), false), &Limit::none()).unwrap();
    assert_eq!(tree.node(tree.root()).test(), Some(TestId(0)));
}
