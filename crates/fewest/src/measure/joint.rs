//! Entropies of two variables together, from a table of weights.

use super::entropy_bits;
use fewest_model::compensated_sum;

/// Entropies of a table of weights, with one line for each value of X and one column for each value of Y, in bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Sum of all weights.
    pub total: f64,
    /// Entropy `H(X)` of the lines.
    pub lines_bits: f64,
    /// Entropy `H(Y)` of the columns.
    pub columns_bits: f64,
    /// Joint entropy `H(X, Y)`.
    pub joint_bits: f64,
    /// Mutual information `I(X; Y) = H(X) + H(Y) − H(X, Y)`.
    pub information_bits: f64,
}

impl Joint {
    /// Computes the entropies of `table`, whose lines have one length. [CoverThomas2006, chapter 2]
    ///
    /// The information is summed as `Σ p log₂ (p / (p_x p_y))` rather than as the difference of entropies, which
    /// would cancel if X tells little of Y.
    ///
    /// ```
    /// let coins = fewest::measure::Joint::of(&[vec![1.0, 0.0], vec![0.0, 1.0]]);
    /// assert_eq!((coins.joint_bits, coins.information_bits, coins.columns_given_lines_bits()), (1.0, 1.0, 0.0));
    /// ```
    pub fn of(table: &[Vec<f64>]) -> Self {
        let width = table.first().map_or(0, Vec::len);
        let lines: Vec<f64> = table.iter().map(|line| compensated_sum(line.iter().copied())).collect();
        let column = |at: usize| compensated_sum(table.iter().map(|line| line[at]));
        let columns: Vec<f64> = (0..width).map(column).collect();
        let total = compensated_sum(lines.iter().copied());
        if total <= 0.0 {
            return Self {
                total: 0.0,
                lines_bits: 0.0,
                columns_bits: 0.0,
                joint_bits: 0.0,
                information_bits: 0.0,
            };
        }
        let (lines, columns) = (&lines, &columns);
        let terms = table.iter().zip(lines).flat_map(|(line, x)| {
            let cells = line.iter().zip(columns).filter(|(weight, _)| **weight > 0.0);
            cells.map(move |(weight, y)| weight / total * ((weight / x) * (total / y)).log2())
        });
        Self {
            total,
            lines_bits: entropy_bits(lines.iter().copied(), total),
            columns_bits: entropy_bits(columns.iter().copied(), total),
            joint_bits: entropy_bits(table.iter().flatten().copied(), total),
            information_bits: compensated_sum(terms).max(0.0),
        }
    }

    /// Conditional entropy `H(X | Y)`: the uncertainty of the line if the column is known.
    pub fn lines_given_columns_bits(&self) -> f64 {
        (self.lines_bits - self.information_bits).max(0.0)
    }

    /// Conditional entropy `H(Y | X)`.
    pub fn columns_given_lines_bits(&self) -> f64 {
        (self.columns_bits - self.information_bits).max(0.0)
    }

    /// Gain `n I ln 2` of the log-likelihood of the columns if the lines are known, in nats; twice that is the G
    /// statistic.
    pub fn likelihood_gain(&self) -> f64 {
        self.total * self.information_bits * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table<const N: usize, const M: usize>(cells: [[u32; N]; M]) -> Vec<Vec<f64>> {
        cells.iter().map(|line| line.iter().map(|cell| f64::from(*cell)).collect()).collect()
    }

    #[test]
    fn eyes_and_hair() {
        // specification section 14, tables.
        let joint =
            Joint::of(&table([[68, 119, 26, 7], [15, 54, 14, 10], [5, 29, 14, 16], [20, 84, 17, 94]]));
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() <= 5e-11, "{found} {wanted}");
        close(joint.lines_bits, 1.8278615260);
        close(joint.columns_bits, 1.7982269243);
        close(joint.joint_bits, 3.4476480581);
        close(joint.information_bits, 0.1784403922);
        close(joint.likelihood_gain(), 73.2217892323);
        let small = Joint::of(&table([[12, 23, 65, 5], [18, 12, 4, 4]]));
        close(small.information_bits, 0.1881025430);
        close(small.likelihood_gain(), 18.6447328736);
    }

    proptest! {
        #[test]
        fn the_chain_rule_holds(cells in prop::collection::vec(prop::collection::vec(0..20u32, 3), 1..5)) {
            let cells: Vec<Vec<f64>> = cells.iter().map(|line| line.iter().map(|c| f64::from(*c)).collect()).collect();
            let joint = Joint::of(&cells);
            let information = joint.lines_bits + joint.columns_bits - joint.joint_bits;
            prop_assert!((joint.information_bits - information).abs() < 1e-9);
            prop_assert!((joint.joint_bits - joint.lines_bits - joint.columns_given_lines_bits()).abs() < 1e-9);
            // The log-likelihood written out: Σ x ln(x / line) − Σ y ln(y / n).
            let sum = |line: &[f64]| line.iter().sum::<f64>();
            let term = |x: f64, of: f64| if x > 0.0 { x * (x / of).ln() } else { 0.0 };
            let with: f64 = cells.iter().map(|line| line.iter().map(|x| term(*x, sum(line))).sum::<f64>()).sum();
            let n: f64 = cells.iter().map(|line| sum(line)).sum();
            let without: f64 = (0..3).map(|at| term(cells.iter().map(|line| line[at]).sum(), n)).sum();
            prop_assert!((joint.likelihood_gain() - (with - without)).abs() < 1e-9 * (1.0 + n));
        }
    }
}
