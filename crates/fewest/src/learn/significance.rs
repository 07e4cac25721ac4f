//! Significance of a question: whether it tells more than chance would.

use super::LearnedTree;
use crate::measure::{ChiSquared, chi_squared, fisher_exact, has_small_counts, permutation_p_value};
use fewest_model::Named;
use statrs::function::gamma::gamma_ur;

/// Method by which a p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the χ² distribution.
    ChiSquared,
    /// By Fisher's exact test.
    Exact,
    /// From random tables with the same margins.
    Permutation,
    /// From the χ² distribution with the degrees of freedom of all the words that a set was chosen from.
    Subset,
}

/// Options for p-values and their correction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Testing {
    /// Whether χ² is used even if expected counts are small.
    pub always_chi_squared: bool,
    /// Correction for the number of questions tried.
    pub correction: Correction,
    /// Seed of random tables.
    pub seed: u64,
}

/// Correction for the number of questions tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// No correction.
    #[default]
    None,
    /// The p-value is multiplied by the number of questions tried at the node.
    Bonferroni,
    /// Bonferroni's correction, then Holm's step-down method over all questions of the tree. \[Holm1979\]
    Holm,
}

impl Named for Correction {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::None, "none", "Nothing"),
        (Self::Bonferroni, "bonferroni", "Multiply with the number of questions tried at the node"),
        (Self::Holm, "holm", "The same, and Holm's method over all questions of the tree"),
    ];
}

/// Result of the test of one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Significance {
    /// Pearson's test of answer against class.
    pub chi_squared: ChiSquared,
    /// Whether expected counts are so small that χ² is only a rough approximation.
    pub has_small_counts: bool,
    /// Method by which the p-value was found.
    pub method: Method,
    /// Corrected p-value.
    pub p_value: f64,
}

/// Tests the table of a question: a line for each answer, a column for each class.
pub fn significance(table: &[Vec<f64>], testing: Testing) -> Significance {
    let chi_squared = chi_squared(table);
    let has_small_counts = has_small_counts(table);
    let by_distribution = (Method::ChiSquared, chi_squared.p_value);
    let (method, p_value) = match has_small_counts && !testing.always_chi_squared {
        false => by_distribution,
        true => match (fisher_exact(table), permutation_p_value(table, testing.seed)) {
            (Some(p_value), _) => (Method::Exact, p_value),
            // No draw was as extreme: the p-value is below the resolution of the draws, and only χ² tells how far.
            (None, Some((p_value, 0))) => (Method::Permutation, p_value.min(chi_squared.p_value)),
            (None, Some((p_value, _))) => (Method::Permutation, p_value),
            (None, None) => by_distribution,
        },
    };
    Significance { chi_squared, has_small_counts, method, p_value }
}

/// Tests a question about a set that was chosen from `words` words.
///
/// No set has a larger χ² than the table of all words, whose distribution has `(words − 1)(classes − 1)` degrees of
/// freedom if words are independent of the class. So its tail is an upper bound of the p-value for any chosen set.
fn significance_of_subset(table: &[Vec<f64>], words: usize, testing: Testing) -> Significance {
    let found = significance(table, Testing { always_chi_squared: true, ..testing });
    let width = table.first().map_or(0, Vec::len);
    let classes = (0..width).filter(|at| table.iter().any(|line| line[*at] > 0.0)).count();
    let freedom = (words - 1) as f64 * (classes.max(1) - 1) as f64;
    let statistic = found.chi_squared.statistic;
    let p_value =
        if freedom > 0.0 && statistic > 0.0 { gamma_ur(freedom / 2.0, statistic / 2.0) } else { 1.0 };
    Significance { method: Method::Subset, p_value, ..found }
}

/// Tests every question of `tree`, by node; `None` for leaves.
pub fn significances(tree: &LearnedTree, testing: Testing) -> Vec<Option<Significance>> {
    let of = |at: usize| {
        let split = tree.nodes[at].split.as_ref()?;
        let table = tree.table(at);
        let mut found = match split.words > 2 {
            true => significance_of_subset(&table, split.words, testing),
            false => significance(&table, testing),
        };
        if testing.correction != Correction::None {
            found.p_value = (found.p_value * split.tried.max(1) as f64).min(1.0);
        }
        Some(found)
    };
    let mut tests: Vec<Option<Significance>> = (0..tree.nodes.len()).map(of).collect();
    if testing.correction == Correction::Holm {
        let p_values: Vec<f64> = tests.iter().flatten().map(|test| test.p_value).collect();
        let corrected = holm(&p_values);
        tests.iter_mut().flatten().zip(corrected).for_each(|(test, p_value)| test.p_value = p_value);
    }
    tests
}

/// Holm's corrected p-values: the k-th smallest of m is multiplied by m − k + 1, and none is below that of a smaller
/// one.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|left, right| p_values[*left].total_cmp(&p_values[*right]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut highest = 0.0f64;
    for (rank, at) in order.into_iter().enumerate() {
        highest = highest.max(p_values[at] * (p_values.len() - rank) as f64).min(1.0);
        corrected[at] = highest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_by_hand() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        let wanted = [0.03, 0.06, 0.06, 0.02];
        assert!(
            corrected.iter().zip(wanted).all(|(found, wanted): (&f64, f64)| (found - wanted).abs() < 1e-12)
        );
    }

    #[test]
    fn a_set_that_was_chosen_from_many_words_proves_less() {
        let table = [vec![30.0, 10.0], vec![10.0, 30.0]];
        let p_value = |words| significance_of_subset(&table, words, Testing::default()).p_value;
        // χ² = 20: with 2 degrees of freedom e^−10, with 4 e^−10 (1 + 10).
        assert!((p_value(3) / (-10f64).exp() - 1.0).abs() < 1e-10);
        assert!((p_value(5) / ((-10f64).exp() * 11.0) - 1.0).abs() < 1e-10);
        assert!(p_value(40) > 0.9);
    }

    #[test]
    fn small_tables_are_tested_exactly_and_large_ones_by_their_distribution() {
        let test = |table: &[Vec<f64>]| significance(table, Testing::default());
        let small = test(&[vec![3.0, 1.0], vec![1.0, 3.0]]);
        assert_eq!((small.method, small.has_small_counts), (Method::Exact, true));
        assert!((small.p_value - 34.0 / 70.0).abs() < 1e-12);
        let chi = Testing { always_chi_squared: true, ..Testing::default() };
        let believed = significance(&[vec![3.0, 1.0], vec![1.0, 3.0]], chi);
        assert_eq!((believed.method, believed.p_value), (Method::ChiSquared, believed.chi_squared.p_value));
        let large = test(&[vec![30.0, 10.0], vec![10.0, 30.0]]);
        assert_eq!((large.method, large.p_value), (Method::ChiSquared, large.chi_squared.p_value));
        let three = test(&[vec![3.0, 1.0, 0.0], vec![1.0, 3.0, 2.0]]);
        assert_eq!(three.method, Method::Permutation);
    }
}
