//! Scores of a question: information gain, gain ratio, Gini.
//!
//! All three are sums over the parts that a question makes, so each is a *worth* of one part: the gain of a question
//! is `(Σ worth(part) − worth(all)) / n`, and a scan over cuts needs only the worth of two parts.

use fewest_model::Named;

/// Score of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// Mutual information of answer and class, in bits. \[Quinlan1986\]
    #[default]
    Information,
    /// Information divided by the entropy of the answer, among questions of at least average information, so that
    /// uneven splits do not win by their small entropy. \[Quinlan1986\]
    GainRatio,
    /// Decrease of the probability that two rows of a part differ in class. \[Breiman1984\]
    Gini,
}

impl Named for Score {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Information, "information", "Bits that the answer says of the class"),
        (Self::GainRatio, "gain-ratio", "The same divided by the entropy of the answer"),
        (Self::Gini, "gini", "The fall of the chance that two rows differ"),
    ];
}

impl Score {
    /// Worth of a part with these class weights; `total` is their sum.
    ///
    /// Information: `Σ c log₂ c − n log₂ n`, which is `−n H`. Gini: `Σ c² / n`, which is `n (1 − impurity)`.
    #[inline]
    pub(super) fn worth(self, classes: impl Iterator<Item = f64>, total: f64) -> f64 {
        match self {
            Self::Information | Self::GainRatio => classes.map(x_log_x).sum::<f64>() - x_log_x(total),
            Self::Gini if total > 0.0 => classes.map(|count| count * count).sum::<f64>() / total,
            Self::Gini => 0.0,
        }
    }
}

/// Computes `x log₂ x`, with 0 for 0.
#[inline]
pub(super) fn x_log_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// Entropy in bits of the shares of `parts` in their sum `total`.
pub(super) fn split_bits(parts: impl Iterator<Item = f64>, total: f64) -> f64 {
    (x_log_x(total) - parts.map(x_log_x).sum::<f64>()) / total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::entropy_bits;
    use proptest::prelude::*;

    /// Gain by its definition: impurity before minus mean impurity after.
    fn gain(parts: &[Vec<f64>], impurity: impl Fn(&[f64]) -> f64) -> f64 {
        let all: Vec<f64> =
            (0..parts[0].len()).map(|class| parts.iter().map(|part| part[class]).sum()).collect();
        let total: f64 = all.iter().sum();
        let after: f64 = parts.iter().map(|part| part.iter().sum::<f64>() / total * impurity(part)).sum();
        impurity(&all) - after
    }

    fn worth_gain(score: Score, parts: &[Vec<f64>]) -> f64 {
        let all: Vec<f64> =
            (0..parts[0].len()).map(|class| parts.iter().map(|part| part[class]).sum()).collect();
        let total: f64 = all.iter().sum();
        let worth = |part: &[f64]| score.worth(part.iter().copied(), part.iter().sum());
        (parts.iter().map(|part| worth(part)).sum::<f64>() - worth(&all)) / total
    }

    proptest! {
        #[test]
        fn worths_add_up_to_gains(parts in prop::collection::vec(prop::collection::vec(0..50u8, 3), 2..5)) {
            let parts: Vec<Vec<f64>> = parts.iter().map(|part| part.iter().map(|c| f64::from(*c)).collect()).collect();
            prop_assume!(parts.iter().flatten().sum::<f64>() > 0.0);
            let entropy = |part: &[f64]| match part.iter().sum::<f64>() {
                0.0 => 0.0,
                total => entropy_bits(part.iter().copied(), total),
            };
            let gini = |part: &[f64]| match part.iter().sum::<f64>() {
                0.0 => 0.0,
                total => 1.0 - part.iter().map(|c| (c / total).powi(2)).sum::<f64>(),
            };
            prop_assert!((worth_gain(Score::Information, &parts) - gain(&parts, entropy)).abs() < 1e-12);
            prop_assert!((worth_gain(Score::Gini, &parts) - gain(&parts, gini)).abs() < 1e-12);
            let sizes: Vec<f64> = parts.iter().map(|part| part.iter().sum()).collect();
            let total: f64 = sizes.iter().sum();
            prop_assert!((split_bits(sizes.iter().copied(), total) - entropy_bits(sizes.iter().copied(), total)).abs() < 1e-12);
        }
    }
}
