//! Evaluation of predictions: accuracy, log loss, confusion, calibration, and the cost of asking.

use super::{Examples, LearnedTree, MissingAnswer, Smoothing};

/// Number of parts into which probabilities are sorted for the calibration.
const PARTS: usize = 10;
/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959963984540054;

/// Results of predicting the classes of some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Weight of the rows.
    pub weight: f64,
    /// Weight of the rows whose class was predicted correctly.
    pub correct: f64,
    /// Log loss `−Σ ln p(true class)` in nats, over all rows.
    pub log_loss: f64,
    /// Weights by true class (lines) and predicted class (columns).
    pub confusion: Vec<Vec<f64>>,
    /// Predictions by probability, from unsure to sure.
    pub calibration: Vec<CalibrationPart>,
    /// Cost of asking, over all rows; asking for a column again costs nothing.
    pub cost: f64,
}

/// Predictions of about equal probability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CalibrationPart {
    /// Weight of these rows.
    pub weight: f64,
    /// Sum of the probabilities of these predictions.
    pub promised: f64,
    /// Weight of the rows among them whose class was predicted correctly.
    pub correct: f64,
}

impl Evaluation {
    /// Makes an empty evaluation for `classes` classes.
    pub fn new(classes: usize) -> Self {
        Self {
            weight: 0.0,
            correct: 0.0,
            log_loss: 0.0,
            confusion: vec![vec![0.0; classes]; classes],
            calibration: vec![CalibrationPart::default(); PARTS],
            cost: 0.0,
        }
    }

    /// Evaluates `tree` on the rows that it was made from, by the class weights in its leaves.
    pub fn of_training(tree: &LearnedTree, examples: &Examples, smoothing: Smoothing) -> Self {
        let root = &tree.nodes[0].classes;
        let mut found = Self::new(root.len());
        let mut waiting = vec![(0usize, Vec::new())];
        while let Some((at, mut asked)) = waiting.pop() {
            let node = &tree.nodes[at];
            if let Some(split) = &node.split {
                if !asked.contains(&split.question.field()) {
                    asked.push(split.question.field());
                }
                waiting.extend(split.answers.iter().map(|(_, child)| (*child, asked.clone())));
                continue;
            }
            let (predicted, probabilities) = (node.class(), smoothing.probabilities(node, root));
            let cost = asked.iter().map(|field| examples.cost(*field)).sum();
            for (class, weight) in node.classes.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                found.add_one(class, predicted, &probabilities, *weight, cost);
            }
        }
        found
    }

    /// Predicts the classes of `rows` with `tree` and adds the results.
    pub fn add(
        &mut self,
        tree: &LearnedTree,
        examples: &Examples,
        rows: &[u32],
        missing: MissingAnswer,
        smoothing: Smoothing,
    ) {
        let root = &tree.nodes[0].classes;
        // A node's probabilities serve all rows that end there.
        let mut known: Vec<Option<(usize, Vec<f64>)>> = vec![None; tree.nodes.len()];
        let mut asked = Vec::new();
        for &row in rows {
            let row = row as usize;
            asked.clear();
            let at = tree.route(missing, |field| {
                if !asked.contains(&field) {
                    asked.push(field);
                }
                examples.fields()[field].value(row)
            });
            let (class, probabilities) = known[at].get_or_insert_with(|| {
                (tree.nodes[at].class(), smoothing.probabilities(&tree.nodes[at], root))
            });
            let cost = asked.iter().map(|field| examples.cost(*field)).sum();
            self.add_one(examples.class(row), *class, probabilities, examples.weight(row), cost);
        }
    }

    /// Adds one prediction.
    pub fn add_one(&mut self, class: usize, predicted: usize, probabilities: &[f64], weight: f64, cost: f64) {
        let correct = if class == predicted { weight } else { 0.0 };
        self.weight += weight;
        self.correct += correct;
        self.log_loss -= weight * probabilities[class].ln();
        self.confusion[class][predicted] += weight;
        self.cost += weight * cost;
        let sure = probabilities[predicted];
        let part = &mut self.calibration[((sure * PARTS as f64) as usize).min(PARTS - 1)];
        part.weight += weight;
        part.promised += weight * sure;
        part.correct += correct;
    }

    /// Share of rows whose class was predicted correctly.
    pub fn accuracy(&self) -> f64 {
        self.correct / self.weight
    }

    /// Weight of the rows whose class was not predicted correctly.
    pub fn errors(&self) -> f64 {
        self.weight - self.correct
    }

    /// 95 % interval of the accuracy, by Wilson's score. \[Wilson1927\]
    pub fn accuracy_interval(&self) -> (f64, f64) {
        wilson(self.correct, self.weight)
    }

    /// Mean log loss of a row, in nats.
    pub fn mean_log_loss(&self) -> f64 {
        self.log_loss / self.weight
    }

    /// Mean cost of asking.
    pub fn mean_cost(&self) -> f64 {
        self.cost / self.weight
    }

    /// Mean distance between predicted probability and accuracy, over the rows.
    pub fn calibration_error(&self) -> f64 {
        let apart = self.calibration.iter().map(|part| (part.promised - part.correct).abs());
        apart.sum::<f64>() / self.weight
    }
}

/// Wilson's 95 % interval for `hits` of `total`.
pub fn wilson(hits: f64, total: f64) -> (f64, f64) {
    if total <= 0.0 {
        return (0.0, 1.0);
    }
    let share = hits / total;
    let squared = Z * Z / total;
    let middle = (share + squared / 2.0) / (1.0 + squared);
    let half = Z * (share * (1.0 - share) / total + squared / total / 4.0).sqrt() / (1.0 + squared);
    // The share itself is inside, regardless of rounding.
    ((middle - half).max(0.0).min(share), (middle + half).min(1.0).max(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_four_predictions() {
        let mut evaluation = Evaluation::new(2);
        evaluation.add_one(0, 0, &[0.75, 0.25], 1.0, 2.0);
        evaluation.add_one(0, 0, &[0.75, 0.25], 1.0, 2.0);
        evaluation.add_one(1, 0, &[0.75, 0.25], 1.0, 2.0);
        evaluation.add_one(1, 1, &[0.0, 1.0], 1.0, 6.0);
        assert_eq!((evaluation.accuracy(), evaluation.errors(), evaluation.mean_cost()), (0.75, 1.0, 3.0));
        assert_eq!(evaluation.confusion, [[2.0, 0.0], [1.0, 1.0]]);
        let loss = -2.0 * 0.75f64.ln() - 0.25f64.ln();
        assert!((evaluation.log_loss - loss).abs() < 1e-12);
        // 2.25 predicted and 2 correct of three, 1 predicted and correct of one.
        assert!((evaluation.calibration_error() - 0.25 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_solves_its_equation() {
        // (p − share)² = z² p (1 − p) / n at both ends.
        for (hits, total) in [(8.0, 10.0), (1.0, 50.0), (0.0, 7.0), (30.0, 30.0)] {
            let (low, high) = wilson(hits, total);
            for p in [low, high] {
                let left = (p - hits / total).powi(2);
                assert!((left - Z * Z * p * (1.0 - p) / total).abs() < 1e-12, "{hits} of {total}: {p}");
            }
            assert!(low <= hits / total && hits / total <= high);
        }
    }
}
