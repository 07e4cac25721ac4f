//! Pruning and validation against slow definitions.

use fewest::learn::{
    Correction, Evaluation, Examples, Field, FitOptions, Grower, LearnedTree, Levels, MissingAnswer, Order,
    PathPoint, Preparation, Pruning, Smoothing, Strength, Target, Testing, Validation, cross_validate,
    fewest_errors, grow_and_prune, one_standard_error, p_value_levels, price_levels, reduce_errors,
    significance, significances, stratified_folds,
};
use fewest::measure::{Joint, chi_squared};
use proptest::prelude::*;

fn examples(rows: &[(u8, u8, u8)]) -> Option<Examples> {
    let word = |list: [&'static str; 4], at: u8| list[at as usize];
    let fields = vec![
        Field::numbers("x", rows.iter().map(|row| f64::from(row.0)).collect()),
        Field::words("w", &rows.iter().map(|row| word(["p", "q", "r", "s"], row.1 % 4)).collect::<Vec<_>>()),
        Field::words("y", &rows.iter().map(|row| word(["a", "b", "c", "d"], row.2 % 3)).collect::<Vec<_>>()),
    ];
    let target = Target { column: "y".to_owned(), test: None };
    Examples::new(fields, &target, &Preparation::default()).ok().map(|(examples, _)| examples)
}

fn rows() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    prop::collection::vec((0..12u8, 0..4u8, 0..3u8), 6..60)
}

fn grown(examples: &Examples) -> LearnedTree {
    Grower::new(examples, &FitOptions::default()).grow(&examples.rows())
}

fn children(tree: &LearnedTree, at: usize) -> Vec<usize> {
    tree.nodes[at].split.iter().flat_map(|split| &split.answers).map(|(_, child)| *child).collect()
}

fn p_value(tree: &LearnedTree, at: usize) -> f64 {
    significance(&tree.table(at), Testing::default()).p_value
}

/// Prunes as the specification describes it, one cut at a time.
fn cut_slowly(tree: &LearnedTree, alpha: f64, order: Order) -> LearnedTree {
    let mut tree = tree.clone();
    loop {
        let inner: Vec<usize> = tree.reachable().into_iter().filter(|at| !tree.is_leaf(*at)).collect();
        let may_go = |at: &&usize| {
            order == Order::TopDown || children(&tree, **at).iter().all(|child| tree.is_leaf(*child))
        };
        match inner.iter().filter(may_go).find(|at| p_value(&tree, **at) > alpha) {
            Some(at) => tree.nodes[*at].split = None,
            None => return tree.compact(),
        }
    }
}

/// Number of leaves below a node and the errors they make.
fn below(tree: &LearnedTree, at: usize) -> (f64, f64) {
    match tree.is_leaf(at) {
        true => (1.0, tree.nodes[at].errors()),
        false => children(tree, at)
            .into_iter()
            .map(|child| below(tree, child))
            .fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1)),
    }
}

/// Least errors + price × leaves of any pruned tree, by trying all of them.
fn least_price(tree: &LearnedTree, at: usize, price: f64) -> f64 {
    let as_leaf = tree.nodes[at].errors() + price;
    match tree.is_leaf(at) {
        true => as_leaf,
        false => {
            as_leaf.min(children(tree, at).into_iter().map(|child| least_price(tree, child, price)).sum())
        }
    }
}

fn held_out_errors(tree: &LearnedTree, examples: &Examples, rows: &[u32]) -> f64 {
    let mut evaluation = Evaluation::new(examples.classes().len());
    evaluation.add(tree, examples, rows, MissingAnswer::Own, Smoothing::Laplace);
    evaluation.errors()
}

/// Fewest held-out errors of any pruned tree.
fn least_errors(tree: &LearnedTree, examples: &Examples, rows: &[u32]) -> f64 {
    let inner: Vec<usize> = (0..tree.nodes.len()).filter(|at| !tree.is_leaf(*at)).collect();
    let sets = 0u32..1 << inner.len();
    let errors = sets.map(|set| {
        let mut cut = tree.clone();
        inner
            .iter()
            .enumerate()
            .filter(|(bit, _)| set >> bit & 1 == 1)
            .for_each(|(_, at)| cut.nodes[*at].split = None);
        held_out_errors(&cut, examples, rows)
    });
    errors.fold(f64::INFINITY, f64::min)
}

proptest! {
    #[test]
    fn chi_squared_cuts_what_the_specification_says(rows in rows(), alpha in prop_oneof![Just(0.05), Just(0.3), Just(1e-6), 0.0..1.0f64]) {
        if let Some(examples) = examples(&rows) {
            let tree = grown(&examples);
            let tests = significances(&tree, Testing::default());
            for order in [Order::BottomUp, Order::TopDown] {
                let fast = p_value_levels(&tree, &tests, order).pruned(&tree, alpha);
                prop_assert_eq!(fast, cut_slowly(&tree, alpha, order));
            }
        }
    }

    /// Every tree of the path has the least errors + price × leaves of any pruned tree, and prices are nested.
    #[test]
    fn prices_give_the_best_trees(rows in rows()) {
        if let Some(examples) = examples(&rows) {
            let tree = grown(&examples);
            let levels = price_levels(&tree);
            let Levels::Prices(prices) = &levels else { unreachable!() };
            let mut tried: Vec<f64> = prices.iter().copied().filter(|price| price.is_finite()).collect();
            tried.extend([0.0, 0.37, 1.0, 2.5]);
            for price in tried {
                let pruned = levels.pruned(&tree, price);
                let (leaves, errors) = below(&pruned, 0);
                prop_assert!((errors + price * leaves - least_price(&tree, 0, price)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn reduced_error_pruning_makes_the_fewest_errors(rows in prop::collection::vec((0..5u8, 0..3u8, 0..3u8), 6..26)) {
        if let Some(examples) = examples(&rows) {
            let all = examples.rows();
            let (grow, test): (Vec<u32>, Vec<u32>) = all.iter().partition(|row| **row % 3 != 0);
            let tree = Grower::new(&examples, &FitOptions::default()).grow(&grow);
            prop_assume!(tree.nodes.iter().filter(|node| node.split.is_some()).count() <= 10);
            let reduced = reduce_errors(&tree, &examples, &test, MissingAnswer::Own);
            prop_assert_eq!(held_out_errors(&reduced, &examples, &test), least_errors(&tree, &examples, &test));
        }
    }

    /// Specification section 10: the likelihood gain of a split is n MI ln 2 and the fall of the log loss.
    #[test]
    fn a_question_lowers_the_log_loss_by_its_likelihood_gain(rows in rows()) {
        if let Some(examples) = examples(&rows) {
            let tree = grown(&examples);
            let mut gained = 0.0;
            for at in (0..tree.nodes.len()).filter(|at| !tree.is_leaf(*at)) {
                let after: f64 = children(&tree, at).iter().map(|child| tree.nodes[*child].log_loss()).sum();
                let gain = Joint::of(&tree.table(at)).likelihood_gain();
                prop_assert!((tree.nodes[at].log_loss() - after - gain).abs() < 1e-9);
                gained += gain;
            }
            prop_assert!((tree.nodes[0].log_loss() - tree.log_loss() - gained).abs() < 1e-9);
        }
    }

    /// The class weights in the leaves predict the same as leading every row through the tree.
    #[test]
    fn leaves_know_how_their_rows_are_predicted(rows in rows(), alpha in 0.0..1.0f64) {
        if let Some(examples) = examples(&rows) {
            let tree = grown(&examples);
            let tree = p_value_levels(&tree, &significances(&tree, Testing::default()), Order::BottomUp).pruned(&tree, alpha);
            let mut slow = Evaluation::new(examples.classes().len());
            slow.add(&tree, &examples, &examples.rows(), MissingAnswer::Own, Smoothing::Laplace);
            let fast = Evaluation::of_training(&tree, &examples, Smoothing::Laplace);
            prop_assert!((fast.log_loss - slow.log_loss).abs() < 1e-9 && (fast.cost - slow.cost).abs() < 1e-9);
            prop_assert!((tree.errors() - slow.errors()).abs() < 1e-9);
            prop_assert_eq!((fast.correct, fast.weight, fast.confusion), (slow.correct, slow.weight, slow.confusion));
        }
    }

    #[test]
    fn folds_share_out_every_class(rows in rows(), folds in 2..6usize, seed in 0..3u64) {
        if let Some(examples) = examples(&rows) {
            let fold_of = stratified_folds(&examples, &examples.rows(), folds, seed);
            for class in 0..examples.classes().len() {
                let mut sizes = vec![0usize; folds];
                (0..examples.len()).filter(|row| examples.class(*row) == class).for_each(|row| sizes[fold_of[row]] += 1);
                prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
            }
        }
    }

    #[test]
    fn every_row_is_predicted_once_and_the_same_way_again(rows in rows(), seed in 0..3u64) {
        if let Some(examples) = examples(&rows) {
            let validation = Validation { folds: 4, seed, ..Validation::default() };
            let run = |pruning: &Pruning| cross_validate(&examples, &FitOptions::default(), pruning, &validation);
            for pruning in [Pruning::None, Pruning::default(), Pruning::ReducedError, Pruning::CostComplexity { price: Strength::Simplest }, Pruning::CostComplexity { price: Strength::Best }] {
                let found = run(&pruning);
                prop_assert_eq!(found.evaluation.weight, examples.len() as f64);
                prop_assert_eq!(found, run(&pruning));
            }
        }
    }

    /// The tree that is chosen by cross-validation is one of the path, and corrections only ever cut more.
    #[test]
    fn corrections_cut_more(rows in rows()) {
        if let Some(examples) = examples(&rows) {
            let leaves = |correction| {
                let testing = Testing { correction, ..Testing::default() };
                let pruning = Pruning::ChiSquared { alpha: Strength::At(0.05), order: Order::BottomUp, testing };
                let options = FitOptions::default();
                let grower = Grower::new(&examples, &options);
                grow_and_prune(&grower, &examples, &examples.rows(), &options, &pruning, &Validation::default()).tree.leaves()
            };
            let (none, bonferroni, holm) =
                (leaves(Correction::None), leaves(Correction::Bonferroni), leaves(Correction::Holm));
            prop_assert!(none >= bonferroni && bonferroni >= holm);
        }
    }
}

/// If the root alone is chance but leads to good questions, bottom-up keeps it and top-down does not.
#[test]
fn a_root_that_leads_to_good_questions_survives_from_below() {
    let mut rows = Vec::new();
    for (x, w, class, times) in [(0, 0, 0, 21), (0, 1, 1, 20), (1, 0, 1, 20), (1, 1, 0, 20)] {
        rows.extend(std::iter::repeat_n((x, w, class), times));
    }
    let fields = vec![
        Field::words("x", &rows.iter().map(|row| if row.0 == 0 { "n" } else { "y" }).collect::<Vec<_>>()),
        Field::words("w", &rows.iter().map(|row| if row.1 == 0 { "n" } else { "y" }).collect::<Vec<_>>()),
        Field::words("c", &rows.iter().map(|row| if row.2 == 0 { "a" } else { "b" }).collect::<Vec<_>>()),
    ];
    let target = Target { column: "c".to_owned(), test: None };
    let (examples, _) = Examples::new(fields, &target, &Preparation::default()).unwrap();
    let tree = grown(&examples);
    assert!(p_value(&tree, 0) > 0.05);
    let tests = significances(&tree, Testing::default());
    assert_eq!(p_value_levels(&tree, &tests, Order::BottomUp).pruned(&tree, 0.05).leaves(), 4);
    assert_eq!(p_value_levels(&tree, &tests, Order::TopDown).pruned(&tree, 0.05).leaves(), 1);
}

#[test]
fn the_smallest_tree_within_one_standard_error_is_chosen() {
    let point =
        |error: f64| PathPoint { parameter: error, leaves: 1, error, standard_error: 0.02, log_loss: 0.0 };
    let path = [0.30, 0.20, 0.22, 0.215, 0.23, 0.40].map(point);
    assert_eq!(one_standard_error(&path), 3);
    assert_eq!(fewest_errors(&path), 1);
    let equal = [0.30, 0.20, 0.25, 0.20, 0.40].map(point);
    assert_eq!(fewest_errors(&equal), 3, "of equal ones the smallest");
}

/// Upper regularised incomplete gamma function `Q(a, x)`, by its finite forms for whole and half a.
fn upper_tail(dof: u64, statistic: f64) -> f64 {
    let x = statistic / 2.0;
    let (mut term, mut sum, mut a) = match dof % 2 {
        0 => ((-x).exp(), (-x).exp(), 1.0),
        // Q(1/2, x) = erfc(√x), and x^(1/2) e^−x / Γ(3/2) is the first term that is added.
        _ => (x.sqrt() * (-x).exp() / (std::f64::consts::PI.sqrt() / 2.0), erfc(x.sqrt()), 1.5),
    };
    let steps = if dof.is_multiple_of(2) { dof / 2 - 1 } else { (dof - 1) / 2 };
    for _ in 0..steps {
        if dof.is_multiple_of(2) {
            term *= x / a;
            sum += term;
        } else {
            sum += term;
            term *= x / a;
        }
        a += 1.0;
    }
    sum
}

/// Computes erfc by its continued fraction, evaluated from far below; for x ≥ 1.
fn erfc(x: f64) -> f64 {
    let tail = (1..2000).rev().fold(0.0, |tail, k| f64::from(k) / 2.0 / (x + tail));
    (-x * x).exp() / std::f64::consts::PI.sqrt() / (x + tail)
}

#[test]
fn p_values_agree_with_another_way_to_compute_them() {
    let mut seen = 0;
    for columns in 2..12usize {
        for strength in [3.0, 5.0, 10.0, 20.0, 40.0, 150.0] {
            let line = |sign: f64| {
                (0..columns)
                    .map(|at| 1000.0 + sign * strength * if at % 2 == 0 { 1.0 } else { -1.0 })
                    .collect()
            };
            let test = chi_squared(&[line(1.0), line(-1.0)]);
            if test.statistic < 2.0 {
                continue;
            }
            let wanted = upper_tail(test.degrees_of_freedom, test.statistic);
            assert!((test.p_value / wanted - 1.0).abs() < 1e-10, "{test:?} {wanted}");
            seen += 1;
        }
    }
    assert!(seen > 30);
}
