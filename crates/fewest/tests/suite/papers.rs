//! The worked examples of the specification, among them Figure 1 of both papers: trees and numbers to the last digit.

#![allow(
    clippy::approx_constant,
    reason = "0.7071067812 is a term of the specification, not a constant of ours"
)]

use crate::common::{close, grow, instance, lambda, write};
use fewest::bound::{self, ObjectiveKind};
use fewest::criterion::{self, Settings};
use fewest::{Candidates, Certificate, Costs, Greedy, Instance, Reading, check, inspect, loss};
use fewest_lab::generate::Mastermind;

/// Figure 1 of the first paper: four objects in two groups.
fn e1() -> Instance {
    instance("object group q1 q2 q3\n a 1 0 1 1\n b 1 1 1 0\n c 1 0 1 0\n d 2 1 0 0", &[])
}

/// Figure 1 of the second paper: five objects, three classes, costs 2, 1 and 3.
fn e2() -> Instance {
    instance(
        "object group prior t1 t2 t3\n 1 A 0.1 1 1 2\n 2 A 0.2 1 2 1\n 3 B 0.4 2 2 1\n 4 C 0.25 1 2 2\n 5 C 0.05 2 2 2",
        &[("t1", 2.0), ("t2", 1.0), ("t3", 3.0)],
    )
}

/// Four objects and all splits of them.
fn e3() -> Instance {
    let mut text = "object prior q1 q2 q3 q4 q5 q6 q7\n".to_owned();
    for (object, prior) in ["0.5", "0.25", "0.125", "0.125"].iter().enumerate() {
        let answers: Vec<String> = (1..=7u32).map(|test| (test >> object & 1).to_string()).collect();
        text += &format!("o{} {prior} {}\n", object + 1, answers.join(" "));
    }
    instance(&text, &[])
}

fn e4() -> Instance {
    instance(
        "object group prior color size shape\n a P 0.3 r S x\n b P 0.3 r S x\n c Q 0.2 g S x\n d Q 0.1 g L y\n \
         e R 0.1 b L x\n f R 0 r L y",
        &[("color", 2.0), ("size", 1.0), ("shape", 1.5)],
    )
}

fn e5() -> Instance {
    instance(
        "object group u v w\n a even 0 0 0\n b odd 0 1 0\n c odd 1 0 0\n d even 1 1 1",
        &[("u", 3.0), ("v", 1.0), ("w", 5.0)],
    )
}

/// Settings of an algorithm: name, λ, whether blind to costs.
type Call<'a> = (&'a str, f64, bool);

fn assert_tree(instance: &Instance, calls: &[Call<'_>], tree: &str) {
    for &(name, at, blind) in calls {
        let grown = grow(instance, name, lambda(at), blind);
        assert_eq!(write(&grown, instance), tree, "{name}, λ = {at}, blind {blind}");
    }
}

/// Checks expected, worst, and exponential costs at the given λ, of the tree that `call` builds.
fn assert_costs(instance: &Instance, call: Call<'_>, expected: f64, worst: f64, exponential: &[(f64, f64)]) {
    let tree = grow(instance, call.0, lambda(call.1), call.2);
    let costs = |at| Costs::of(&tree, instance, lambda(at));
    assert!(close(costs(2.0).expected, expected), "{call:?}: E {}", costs(2.0).expected);
    assert!(close(costs(2.0).worst, worst), "{call:?}: W {}", costs(2.0).worst);
    assert_eq!(costs(1.0).exponential, costs(1.0).expected);
    assert_eq!(costs(f64::INFINITY).exponential, costs(1.0).worst);
    for &(at, value) in exponential {
        assert!(close(costs(at).exponential, value), "{call:?}: L{at} {}", costs(at).exponential);
    }
}

fn bound_of(instance: &Instance, at: f64, name: &str) -> f64 {
    bound::all(instance, lambda(at)).iter().find(|bound| bound.name == name).unwrap().value
}

fn assert_bounds(instance: &Instance, shannon: f64, hartley: f64, renyi: &[(f64, f64)]) {
    assert!(close(bound_of(instance, 2.0, "shannon"), shannon));
    assert!(close(bound_of(instance, 2.0, "hartley"), hartley));
    for &(at, value) in renyi {
        assert!(
            close(bound_of(instance, at, "renyi"), value),
            "λ = {at}: {}",
            bound_of(instance, at, "renyi")
        );
    }
    assert_eq!(bound_of(instance, 1.0, "renyi"), bound_of(instance, 1.0, "shannon"));
}

fn assert_entropies(instance: &Instance, objects: f64, groups: f64) {
    let found = inspect::entropies(instance);
    assert!(close(found.0, objects) && close(found.1, groups), "{found:?}");
}

fn assert_losses(instance: &Instance, call: Call<'_>, terms: &[f64]) {
    let tree = grow(instance, call.0, lambda(call.1), call.2);
    let losses = loss::expected(&tree, instance);
    let found: Vec<f64> = losses.nodes.iter().map(|loss| loss.value).collect();
    assert_eq!(found.len(), terms.len());
    assert!(found.iter().zip(terms).all(|(found, wanted)| close(*found, *wanted)), "{found:?}");
}

/// Checks the terms of identity 3 as the specification writes them, not divided by `Σ p λ^cost`.
fn assert_exponential_losses(instance: &Instance, call: Call<'_>, whole: f64, bound: f64, terms: &[f64]) {
    let tree = grow(instance, call.0, lambda(call.1), call.2);
    let losses = loss::exponential(&tree, instance, lambda(2.0));
    let x = 2f64.powf(Costs::of(&tree, instance, lambda(2.0)).exponential);
    assert!(close(x, whole) && close(2f64.powf(losses.bound), bound), "{x} {}", losses.bound);
    let mut found: Vec<f64> = losses.nodes.iter().map(|loss| loss.value * x).collect();
    let mut terms = terms.to_vec();
    found.sort_by(f64::total_cmp);
    terms.sort_by(f64::total_cmp);
    assert!(found.iter().zip(&terms).all(|(found, wanted)| close(*found, *wanted)), "{found:?}");
}

#[test]
fn e1_trees_and_costs() {
    let instance = e1();
    let plain = [("gbs", 2.0, false), ("gbs-uniform", 2.0, false), ("lambda-gbs", 2.0, false)];
    assert_tree(&instance, &plain, "q1(0:{a,c} 1:q2(1:{b} 0:{d}))");
    let grouped =
        [("ggbs", 2.0, false), ("lambda-ggbs", 2.0, false), ("ec2", 2.0, false), ("gain-ratio", 2.0, false)];
    assert_tree(&instance, &grouped, "q2(1:{a,b,c} 0:{d})");
    assert_costs(
        &instance,
        plain[0],
        1.5,
        2.0,
        &[(2.0, 1.5849625007), (10.0, 1.7403626895), (1e6, 1.9498284064)],
    );
    assert_costs(&instance, grouped[0], 1.0, 1.0, &[(2.0, 1.0), (10.0, 1.0), (1e6, 1.0)]);
    assert_losses(&instance, plain[0], &[0.6887218755, 0.0]);
    assert_losses(&instance, grouped[0], &[0.1887218755]);
    assert_exponential_losses(&instance, plain[0], 3.0, 1.8660254038, &[0.6339745962, 0.5]);
}

#[test]
fn e1_bounds_and_benefits() {
    let instance = e1();
    assert_entropies(&instance, 2.0, 0.8112781245);
    let renyi = [(2.0, 0.8999686270), (10.0, 0.9526502174), (1e6, 0.9901100900), (f64::INFINITY, 1.0)];
    assert_bounds(&instance, 0.8112781245, 1.0, &renyi);
    let benefits = [
        ("gbs", [1.0, 0.8112781245, 0.8112781245]),
        ("ggbs", [0.3112781245, 0.8112781245, 0.1225562489]),
        ("lambda-gbs", [1.0, 0.6780719051, 0.6780719051]),
        ("lambda-ggbs", [0.3150061262, 0.8999686270, 0.1284153238]),
        ("ec2", [0.15625, 0.1875, 0.09375]),
    ];
    for (name, wanted) in benefits {
        let settings = Settings { lambda: lambda(2.0), identify: instance.identify() };
        let criterion = (criterion::find(name).unwrap().make)(settings);
        let found = Greedy::new(&instance, criterion.as_ref(), true).benefits(&Candidates::all(&instance));
        assert!(
            found.iter().flatten().zip(wanted).all(|(found, wanted)| close(*found, wanted)),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn e2_trees_costs_and_bounds() {
    let instance = e2();
    let best = "t3(2:t2(1:{1} 2:{4,5}) 1:t1(1:{2} 2:{3}))";
    let calls = [("lambda-gbs", 2.0, true), ("lambda-gbs", 1e6, true)];
    assert_tree(&instance, &calls, best);
    assert_costs(
        &instance,
        calls[0],
        4.6,
        5.0,
        &[(2.0, 4.6780719051), (10.0, 4.8061799740), (1e6, 4.9630252567)],
    );
    let blind = [
        ("gbs", 2.0, true),
        ("ggbs", 2.0, true),
        ("ec2", 2.0, true),
        ("gain-ratio", 2.0, true),
        ("lambda-ggbs", 2.0, true),
    ];
    assert_tree(&instance, &blind, "t1(1:t3(2:t2(1:{1} 2:{4}) 1:{2}) 2:t3(2:{5} 1:{3}))");
    assert_costs(&instance, blind[0], 5.35, 6.0, &[(2.0, 5.4329594073)]);
    let per_cost =
        [("gbs", 2.0, false), ("ggbs", 2.0, false), ("ec2", 2.0, false), ("lambda-ggbs", 2.0, false)];
    assert_tree(&instance, &per_cost, "t1(1:t2(1:{1} 2:t3(2:{4} 1:{2})) 2:t3(2:{5} 1:{3}))");
    assert_costs(&instance, per_cost[0], 5.25, 6.0, &[(2.0, 5.4594316186)]);
    assert_entropies(&instance, 2.0414460712, 1.5709505945);
    let renyi =
        [(2.0, 1.5780405321), (10.0, 1.5817820116), (1e6, 1.5843091407), (f64::INFINITY, 1.5849625007)];
    assert_bounds(&instance, 1.5709505945, 1.5849625007, &renyi);
}

#[test]
fn e2_figure_of_the_second_paper() {
    // The tree drawn there, optimal for neither cost: expected 4.9, worst 6.
    use fewest::{AnswerId, Node, NodeId, ObjectId, TestId, Tree};
    let instance = e2();
    let ask = |test, answers: [(u32, u32); 2]| Node::Ask {
        test: TestId(test),
        answers: answers.map(|(answer, child)| (AnswerId(answer), NodeId(child))).into_iter().collect(),
    };
    let leaf =
        |objects: &[u32]| Node::Leaf { objects: objects.iter().map(|object| ObjectId(*object)).collect() };
    let tree = Tree::new(vec![
        ask(1, [(0, 1), (1, 2)]),
        leaf(&[0]),
        ask(2, [(0, 3), (1, 4)]),
        leaf(&[3, 4]),
        ask(0, [(0, 5), (1, 6)]),
        leaf(&[1]),
        leaf(&[2]),
    ])
    .unwrap();
    assert_eq!(write(&tree, &instance), "t2(1:{1} 2:t3(2:{4,5} 1:t1(1:{2} 2:{3})))");
    let costs = Costs::of(&tree, &instance, lambda(2.0));
    assert_eq!((costs.expected, costs.worst), (4.9, 6.0));
}

#[test]
fn e3_trees_costs_and_bounds() {
    let instance = e3();
    let skewed = [("gbs", 2.0, false), ("ec2", 2.0, false)];
    assert_tree(&instance, &skewed, "q1(1:{o1} 0:q2(0:q4(0:{o4} 1:{o3}) 1:{o2}))");
    assert_costs(&instance, skewed[0], 1.75, 3.0, &[(2.0, 2.0), (10.0, 2.4471580313), (1e6, 2.8996567405)]);
    let terms = [-0.7071067812, 0.2928932188, 0.75];
    assert_exponential_losses(&instance, skewed[0], 4.0, 3.6642135624, &terms);
    let flat = [("gbs-uniform", 2.0, false), ("lambda-gbs", f64::INFINITY, false)];
    assert_tree(&instance, &flat, "q3(1:q1(1:{o1} 0:{o2}) 0:q4(0:{o4} 1:{o3}))");
    let balanced = [("lambda-gbs", 2.0, false), ("lambda-gbs", 1e6, false)];
    assert_tree(&instance, &balanced, "q5(1:q1(1:{o1} 0:{o3}) 0:q2(0:{o4} 1:{o2}))");
    for call in [flat[0], balanced[0]] {
        assert_costs(&instance, call, 2.0, 2.0, &[(2.0, 2.0), (10.0, 2.0), (1e6, 2.0)]);
    }
    let renyi = [(2.0, 1.8735035909), (10.0, 1.9416657486), (1e6, 1.9880307294), (f64::INFINITY, 2.0)];
    assert_bounds(&instance, 1.75, 2.0, &renyi);
}

#[test]
fn e4_trees_costs_and_bounds() {
    let instance = e4();
    let mut first: Vec<Call<'_>> = ["ggbs", "gbs", "ec2", "gain-ratio", "lambda-gbs", "lambda-ggbs"]
        .map(|name| (name, 2.0, true))
        .to_vec();
    first.push(("ggbs", 2.0, false));
    assert_tree(&instance, &first, "color(r:size(S:{a,b} L:{f}) g:{c,d} b:{e})");
    assert_costs(
        &instance,
        first[0],
        2.6,
        3.0,
        &[(2.0, 2.6780719051), (10.0, 2.8061799740), (1e6, 2.9630252567)],
    );
    assert_losses(&instance, first[0], &[0.7045381558, 0.6]);
    let second = ["gbs", "ec2", "gain-ratio"].map(|name| (name, 2.0, false));
    assert_tree(&instance, &second, "size(S:color(r:{a,b} g:{c}) L:shape(x:{e} y:color(r:{f} g:{d})))");
    assert_costs(
        &instance,
        second[0],
        3.1,
        4.5,
        &[(2.0, 3.2060847787), (10.0, 3.6013972342), (1e6, 4.3333333339)],
    );
    let third = [
        ("gbs-uniform", 2.0, false),
        ("lambda-gbs", f64::INFINITY, false),
        ("lambda-ggbs", f64::INFINITY, false),
    ];
    assert_tree(&instance, &third, "size(S:color(r:{a,b} g:{c}) L:color(r:{f} g:{d} b:{e}))");
    assert_costs(&instance, third[0], 3.0, 3.0, &[(2.0, 3.0), (1e6, 3.0)]);
    assert_entropies(&instance, 2.1709505945, 1.2954618442);
    let renyi =
        [(2.0, 1.4248340986), (10.0, 1.5073378346), (1e6, 1.5684912263), (f64::INFINITY, 1.5849625007)];
    assert_bounds(&instance, 1.2954618442, 1.5849625007, &renyi);
}

#[test]
fn e5_trees_and_costs() {
    let instance = e5();
    assert_tree(&instance, &[("ggbs", 2.0, false)], "w(0:v(0:u(0:{a} 1:{c}) 1:{b}) 1:{d})");
    assert_costs(&instance, ("ggbs", 2.0, false), 7.25, 9.0, &[(2.0, 8.1292830169)]);
    let best = [("gbs", 2.0, false), ("ec2", 2.0, false)];
    assert_tree(&instance, &best, "v(0:u(0:{a} 1:{c}) 1:u(0:{b} 1:{d}))");
    assert_costs(&instance, best[0], 4.0, 4.0, &[(2.0, 4.0), (1e6, 4.0)]);
    // Every benefit is 0 at λ = ∞, so separated pairs decide: u comes first, v is cheaper.
    let root = |blind| write(&grow(&instance, "lambda-ggbs", lambda(f64::INFINITY), blind), &instance);
    assert!(root(true).starts_with("u(") && root(false).starts_with("v("));
}

#[test]
fn the_best_bound_is_named() {
    let bounds = bound::all(&e3(), lambda(2.0));
    assert_eq!(bound::best(&bounds, ObjectiveKind::Expected).name, "shannon"); // dyadic: Huffman's code meets the entropy
    assert_eq!(bound::best(&bounds, ObjectiveKind::Exponential).name, "exponential-huffman");
    assert!(close(bound::best(&bounds, ObjectiveKind::Exponential).value, 2.0));
}

#[test]
fn eyes_and_hair_are_related_although_neither_tells_the_other() {
    // specification section 14, tables; rows that only differ in group stay apart for figures about them.
    use fewest::{Inseparable, Reading};
    let counts = [[68, 119, 26, 7], [15, 54, 14, 10], [5, 29, 14, 16], [20, 84, 17, 94]];
    let mut text = "object eye hair prior\n".to_owned();
    for (eye, row) in counts.iter().enumerate() {
        for (hair, count) in row.iter().enumerate() {
            text += &format!("e{eye}h{hair} e{eye} h{hair} {count}\n");
        }
    }
    let reading = Reading {
        group: fewest::Role::Column("eye".to_owned()),
        inseparable: Inseparable::Keep,
        ..Reading::default()
    };
    let instance = crate::common::read(&text, &reading);
    assert!(close(inspect::entropies(&instance).1, 1.8278615260));
    let report = &inspect::inspect(&instance).tests[0];
    assert!(
        close(report.entropy_bits, 1.7982269243) && close(report.information_bits, 0.1784403922),
        "{report:?}"
    );
    let chi_squared = report.chi_squared.unwrap();
    assert!(close(chi_squared.statistic, 138.2898416260) && chi_squared.degrees_of_freedom == 9);
    assert!((chi_squared.p_value / 2.3252867871e-25 - 1.0).abs() < 1e-9);
}

/// Strategy of Knuth 1977: at every turn the guess whose largest part is least, a possible code if one is as good,
/// the first of those. It takes five guesses at worst and 5801 for the 1296 codes together.
#[test]
fn knuths_mastermind_strategy() {
    let table = Mastermind { pegs: 4, colors: 6 }.generate().unwrap();
    let instance = Instance::new(table, &Reading { confirm: true, ..Reading::default() }).unwrap().0;
    let tree = grow(&instance, "pairs", lambda(2.0), false);
    let costs = check(&instance, &tree, &Certificate::default()).unwrap().costs;
    assert_eq!((costs.expected, costs.worst), (5801.0 / 1296.0, 5.0));
}
