//! Probabilities of the classes at a node.

use super::LearnedNode;

/// Conversion of counts to probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Smoothing {
    /// Relative frequency `c / n`: a class that did not occur is impossible.
    None,
    /// Laplace's rule of succession, `(c + 1) / (n + K)`.
    #[default]
    Laplace,
    /// Prior of `m` additional rows with the class shares π of all rows, `(c + m π) / (n + m)`.
    Prior(f64),
}

impl Smoothing {
    /// Probability of every class at `node`; `root` is the weight of all rows by class.
    ///
    /// ```
    /// use fewest::learn::{LearnedNode, Smoothing};
    /// let node = LearnedNode { classes: vec![3.0, 0.0], split: None };
    /// assert_eq!(Smoothing::Laplace.probabilities(&node, &[10.0, 10.0]), [0.8, 0.2]);
    /// assert_eq!(Smoothing::Prior(2.0).probabilities(&node, &[10.0, 10.0]), [0.8, 0.2]);
    /// ```
    pub fn probabilities(self, node: &LearnedNode, root: &[f64]) -> Vec<f64> {
        let total = node.weight();
        let all: f64 = root.iter().sum();
        let count = node.classes.len() as f64;
        let probability = |(class, share): (&f64, &f64)| match self {
            Self::None if total > 0.0 => class / total,
            Self::None => share / all,
            Self::Laplace => (class + 1.0) / (total + count),
            Self::Prior(rows) => (class + rows * share / all) / (total + rows),
        };
        node.classes.iter().zip(root).map(probability).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_to_one() {
        let node = LearnedNode { classes: vec![5.0, 0.0, 2.0], split: None };
        for smoothing in [Smoothing::None, Smoothing::Laplace, Smoothing::Prior(3.0)] {
            let sum: f64 = smoothing.probabilities(&node, &[8.0, 1.0, 7.0]).iter().sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
        assert_eq!(Smoothing::None.probabilities(&node, &[8.0, 1.0, 7.0])[1], 0.0);
    }
}
