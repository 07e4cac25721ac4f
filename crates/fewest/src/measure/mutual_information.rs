//! Mutual information of answer and group.

use fewest_model::{Cell, Contingency, compensated_sum};
use std::f64::consts::LN_2;

/// Mutual information of answer and group in bits, `I = Σ w(C_k) log₂( w(C_k) / (w(C) w(A_k)) )`.
///
/// The table must have been counted by group. The sum over all answers and groups is taken as `Σ q φ(p/q)` with `p`
/// the share of a cell, `q` the share that it would have under independence, and `φ(x) = x ln x − x + 1`. The added
/// `q − p` sum to 0 and no term is negative, so a sum of any size has nearly all of its digits. The terms of the
/// usual form cancel if the answer tells little, and then rounding would choose between tests that are equal on
/// paper.
pub fn mutual_information_bits(table: &Contingency) -> f64 {
    let total = table.total();
    // A smaller share contributes nothing visible, and the inverse of its group's share would be infinite.
    let counts = move |cell: &&Cell| cell.weight / total >= f64::MIN_POSITIVE;
    let group = |cell: &Cell| table.groups()[cell.group as usize].weight;
    let terms = table.rows().flat_map(|row| {
        let present = row.cells().iter().filter(counts);
        // φ(0) = 1: a group that never gives this answer adds its share of it.
        let absent = compensated_sum([total].into_iter().chain(present.clone().map(|cell| -group(cell))));
        let absent = row.weight() / total * (absent / total).max(0.0);
        let of_cell = move |cell: &Cell| excess(cell.weight, row.weight(), group(cell), total);
        present.map(of_cell).chain([absent])
    });
    compensated_sum(terms) / LN_2
}

/// Term `q φ(p/q)` of a cell that weighs `cell`, with `p = cell / total` and `q = row group / total²`.
fn excess(cell: f64, row: f64, group: f64, total: f64) -> f64 {
    let (p, ratio) = (cell / total, (cell / row) * (total / group));
    if (ratio - 1.0).abs() > NEAR {
        return p * (ratio.ln() - 1.0 + 1.0 / ratio);
    }
    // Next to 1, the excess of the ratio over 1 needs digits of its own, and φ its series.
    let product = row * group;
    let is_plain = product.is_finite() && product >= f64::MIN_POSITIVE / f64::EPSILON;
    let more = if is_plain { difference_of_products(cell, total, row, group) / product } else { ratio - 1.0 };
    let phi =
        more * more * (0.5 - more * (1.0 / 6.0 - more * (1.0 / 12.0 - more * (1.0 / 20.0 - more / 30.0))));
    p / ratio * phi
}

/// Distance from 1 below which five terms of the series of φ have more digits than its logarithm.
const NEAR: f64 = 1e-3;

/// Computes `a b − c d` to nearly all digits despite cancellation: the rounding of one product is added back [Kahan's
/// algorithm].
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let product = c * d;
    let lost = (-c).mul_add(d, product);
    a.mul_add(b, -product) + lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::instance;
    use fewest_model::{Candidates, Columns, Count, TestId, View, Weighing};

    /// Information of test `t`; each object has an answer of its own to another test.
    fn information(text: &str) -> f64 {
        let rows = text.lines().enumerate().map(|(number, row)| format!("{row},{number}\n"));
        let instance = instance(&rows.collect::<String>());
        let mut table = Contingency::default();
        let view = View { columns: Columns::Groups, weighing: Weighing::Prior, moments: None };
        instance.count(TestId(0), &Candidates::all(&instance), view, &mut table);
        mutual_information_bits(&table)
    }

    #[test]
    fn what_hardly_says_anything_keeps_its_digits() {
        // Values of the definition in arithmetic of 60 digits (mpmath).
        let cases = [
            (
                "o,group,prior,t\na,x,1,0\nb,x,1000000000,1\nc,y,1,1\nd,y,1000000000,0",
                0.999_999_968_659_952_1,
            ),
            (
                "o,group,prior,t\na,x,1000000001,0\nb,x,1000000000,1\nc,y,1000000000,0\nd,y,1000000000,1",
                4.508_421_998_269_589e-20,
            ),
            (
                "o,group,prior,t\na,x,1,0\nb,x,1000000000,1\nc,y,2,0\nd,y,1999999999,1",
                4.007_486_220_238_802_6e-29,
            ),
            (
                // One ratio is 1.0009 and the others are next to 1, so that no term of the series cancels another.
                "o,group,prior,t\na,x,20019,0\nb,x,1000000,1\nc,y,1000000,0\nd,y,50000000,1",
                2.404_960_630_274_292e-10,
            ),
            ("o,group,prior,t\na,x,3,0\nb,x,999999997,1\nc,y,1,0\nd,y,7,1", 2.374_641_970_258_737_3e-8),
        ];
        for (text, wanted) in cases {
            let found = information(text);
            assert!((found / wanted - 1.0).abs() < 1e-12, "{text}: {found} beside {wanted}");
        }
    }

    #[test]
    fn one_group_or_one_answer_says_nothing() {
        assert_eq!(information("o,group,prior,t\na,x,1,0\nb,x,1e300,1"), 0.0);
        assert_eq!(information("o,group,prior,t\na,x,0.1,0\nb,y,0.2,0\nc,z,0.7,0"), 0.0);
    }
}
