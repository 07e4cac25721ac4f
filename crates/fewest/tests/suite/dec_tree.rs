//! DecTree: the worked examples of the specification, and the guarantees of the paper for every call.

use crate::common::{cases, close, instance, lambda, samples, write};
use fewest::builder::{ALPHA, Call, dec_tree};
use fewest::{Costs, Instance, Limit, Tree};
use proptest::prelude::*;

fn built(instance: &Instance) -> (Tree, Vec<Call>) {
    dec_tree(instance, &Limit::none()).unwrap()
}

/// Checks the tree, the root's budget and path, and the costs at λ = 2.
fn assert_built(instance: &Instance, tree: &str, root: (f64, &[&str]), costs: (f64, f64, f64)) {
    let (found, calls) = built(instance);
    assert_eq!(write(&found, instance), tree);
    let path: Vec<&str> = calls[0].path.iter().map(|test| instance.test(*test).name.as_str()).collect();
    assert_eq!((calls[0].budget, &path[..]), (root.0, root.1));
    let found = Costs::of(&found, instance, lambda(2.0));
    assert!(
        close(found.expected, costs.0) && close(found.worst, costs.1) && close(found.exponential, costs.2),
        "{found:?}"
    );
}

#[test]
fn e1_asks_the_one_question_that_matters() {
    let e1 = instance("object group q1 q2 q3\n a 1 0 1 1\n b 1 1 1 0\n c 1 0 1 0\n d 2 1 0 0", &[]);
    assert_built(&e1, "q2(1:{a,b,c} 0:{d})", (1.0, &["q2"]), (1.0, 1.0, 1.0));
}

#[test]
fn e2_budgets_and_paths() {
    let e2 = instance(
        "object group prior t1 t2 t3\n 1 A 0.1 1 1 2\n 2 A 0.2 1 2 1\n 3 B 0.4 2 2 1\n 4 C 0.25 1 2 2\n 5 C 0.05 2 2 2",
        &[("t1", 2.0), ("t2", 1.0), ("t3", 3.0)],
    );
    let tree = "t2(1:{1} 2:t1(1:t3(2:{4} 1:{2}) 2:t3(2:{5} 1:{3})))";
    assert_built(&e2, tree, (1.0, &["t2"]), (5.5, 6.0, 5.8529975876));
    let (_, calls) = built(&e2);
    assert_eq!(calls[0].pairs, 8.0);
    // Then {2,3,4,5} with budget 2, and the two sets of two with budget 3 each.
    assert_eq!(calls.iter().map(|call| call.budget).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 3.0]);
}

#[test]
fn e3_spends_on_probability_and_then_on_pairs() {
    let mut text = "object prior q1 q2 q3 q4 q5 q6 q7\n".to_owned();
    for (object, prior) in ["0.5", "0.25", "0.125", "0.125"].iter().enumerate() {
        let answers: Vec<String> = (1..=7u32).map(|test| (test >> object & 1).to_string()).collect();
        text += &format!("o{} {prior} {}\n", object + 1, answers.join(" "));
    }
    let e3 = instance(&text, &[]);
    let tree = "q3(1:q1(1:{o1} 0:{o2}) 0:q4(0:{o4} 1:{o3}))";
    assert_built(&e3, tree, (1.0, &["q3", "q4"]), (2.0, 2.0, 2.0));
    assert_eq!(built(&e3).1[0].pairs, 6.0);
}

#[test]
fn e4_with_an_object_of_no_prior() {
    let e4 = instance(
        "object group prior color size shape\n a P 0.3 r S x\n b P 0.3 r S x\n c Q 0.2 g S x\n d Q 0.1 g L y\n \
         e R 0.1 b L x\n f R 0 r L y",
        &[("color", 2.0), ("size", 1.0), ("shape", 1.5)],
    );
    let tree = "size(S:color(r:{a,b} g:{c}) L:shape(x:{e} y:color(r:{f} g:{d})))";
    assert_built(&e4, tree, (1.0, &["size"]), (3.1, 4.5, 3.2060847787));
    let (_, calls) = built(&e4);
    assert_eq!(calls[0].pairs, 12.0);
    let mut budgets: Vec<(usize, f64)> = calls.iter().map(|call| (call.objects, call.budget)).collect();
    budgets.sort_by(|left, right| left.1.total_cmp(&right.1).then(left.0.cmp(&right.0)));
    // All six; {d,e,f}; then {d,f}, which only the colour tells apart, and {a,b,c}.
    assert_eq!(budgets, [(6, 1.0), (3, 1.5), (2, 2.0), (3, 2.0)]);
}

#[test]
fn e5_parity() {
    let e5 = instance(
        "object group u v w\n a even 0 0 0\n b odd 0 1 0\n c odd 1 0 0\n d even 1 1 1",
        &[("u", 3.0), ("v", 1.0), ("w", 5.0)],
    );
    let (tree, _) = built(&e5);
    assert_eq!(write(&tree, &e5), "v(0:u(0:{a} 1:{c}) 1:u(0:{b} 1:{d}))");
}

/// `α` solves `α = 1 − e^−χ`, `e^χ = 2 − χ`.
#[test]
fn alpha_solves_its_equation() {
    let chi = -(1.0 - ALPHA).ln();
    assert!((chi.exp() - (2.0 - chi)).abs() < 1e-14);
}

proptest! {
    #![proptest_config(cases(3000))]

    /// Lemma 3 and the shrinkage of the paper hold for every call of the recursion.
    #[test]
    fn every_call_keeps_its_promises(sample in samples(12)) {
        let instance = sample.instance();
        let total: f64 = instance.test_ids().map(|test| instance.cost(test)).sum();
        for call in built(&instance).1 {
            let room = 1.0 + 1e-8;
            prop_assert!(call.budget <= total * room);
            prop_assert!(call.spent_on_probability <= call.budget * room + 1e-8, "{call:?}");
            let spent = call.spent_on_probability + call.spent_on_pairs;
            prop_assert!(spent <= 3.0 * call.budget * room + 1e-8, "{call:?}");
            prop_assert!(call.covered >= ALPHA * ALPHA * call.pairs, "{call:?}");
            prop_assert!(call.left * 9.0 < 8.0 * call.pairs, "{call:?}");
            prop_assert!(call.off_path * 2.0 <= call.pairs, "{call:?}");
            prop_assert_eq!(call.covered + call.left, call.pairs);
            prop_assert!(!call.path.is_empty());
        }
    }

    /// The budget is the least for which the bounded greedy choice covers enough: tried at every sum of costs.
    #[test]
    fn no_smaller_budget_covers_enough(sample in samples(9)) {
        let instance = sample.instance();
        prop_assume!(instance.test_count() <= 7);
        let Some(call) = built(&instance).1.first().cloned() else { return Ok(()) };
        let costs: Vec<f64> = instance.test_ids().map(|test| instance.cost(test)).collect();
        let sums = (1u32..1 << costs.len()).map(|set| {
            costs.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, cost)| cost).sum::<f64>()
        });
        prop_assert!(slow::covers(&instance, call.budget));
        for budget in sums.filter(|sum| *sum < call.budget * (1.0 - 1e-9)) {
            prop_assert!(!slow::covers(&instance, budget), "{budget} is enough, not only {}", call.budget);
        }
    }
}

/// Slow version of the bounded greedy choice, by listing pairs of objects.
mod slow {
    use super::ALPHA;
    use fewest::{Instance, ObjectId, TestId};

    fn pairs(instance: &Instance, objects: &[ObjectId]) -> f64 {
        let differ = |at: usize| {
            objects[..at]
                .iter()
                .filter(move |other| instance.group_of(**other) != instance.group_of(objects[at]))
                .count()
        };
        (0..objects.len()).map(differ).sum::<usize>() as f64
    }

    /// Class `S*_t`: the one with the most pairs, then the least mass, then the first answer.
    fn star(instance: &Instance, objects: &[ObjectId], test: TestId) -> Vec<ObjectId> {
        let mut best: Option<(f64, f64, Vec<ObjectId>)> = None;
        for answer in 0..instance.test(test).arity() as u32 {
            let class: Vec<ObjectId> =
                objects.iter().copied().filter(|object| instance.answer(*object, test).0 == answer).collect();
            if class.is_empty() {
                continue;
            }
            let mass: f64 = class.iter().map(|object| instance.prior(*object)).sum();
            let count = pairs(instance, &class);
            let better = best
                .as_ref()
                .is_none_or(|(most, least, _)| count > *most || (count == *most && mass < least - 1e-12));
            if better {
                best = Some((count, mass, class));
            }
        }
        best.unwrap().2
    }

    /// Whether the bounded greedy choice with `budget` covers `α P(S)`.
    pub(super) fn covers(instance: &Instance, budget: f64) -> bool {
        let all: Vec<ObjectId> = instance.objects().collect();
        let slack = 1e-9 * budget.max(1.0);
        let stars: Vec<Vec<ObjectId>> = instance.test_ids().map(|test| star(instance, &all, test)).collect();
        let whole = pairs(instance, &all);
        let left_by = |rest: &[ObjectId], test: TestId| -> Vec<ObjectId> {
            rest.iter().copied().filter(|object| stars[test.index()].contains(object)).collect()
        };
        let (mut rest, mut spent) = (all.clone(), 0.0);
        let wanted = ALPHA * whole;
        loop {
            let gain = |test: TestId| pairs(instance, &rest) - pairs(instance, &left_by(&rest, test));
            let ratio = |test: TestId| gain(test) / instance.cost(test);
            let affordable: Vec<TestId> =
                instance.test_ids().filter(|test| instance.cost(*test) <= budget + slack).collect();
            let best = affordable.iter().map(|test| ratio(*test)).fold(0.0, f64::max);
            let Some(test) =
                affordable.iter().copied().find(|test| best > 0.0 && ratio(*test) >= best * (1.0 - 1e-9))
            else {
                return whole - pairs(instance, &rest) >= wanted;
            };
            spent += instance.cost(test);
            if spent > budget + slack {
                let alone = whole - pairs(instance, &left_by(&all, test));
                return alone.max(whole - pairs(instance, &rest)) >= wanted;
            }
            rest = left_by(&rest, test);
        }
    }
}
