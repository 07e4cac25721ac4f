//! Expected cost: `E(A) = min_t c_t w(A) + Σ_C E(C)`.

use super::{CostAlgebra, is_two_or_three, round_to_unit};
use crate::bound::majority_path::path;
use crate::exact::grid::phi;
use crate::exact::reach::Reach;
use crate::exact::summary::{Path, SetSummary, Setting};

/// Algebra of the expected cost.
pub(in crate::exact) struct Expected {
    unit: f64,
    // Largest absolute logarithm of a mass.
    log: f64,
    // Table of `x log₂ x` of whole numbers: logarithms are most of the work in small sets.
    table: Vec<f64>,
}

/// Size of the table of whole masses.
const TABLE: usize = 1 << 14;

impl Expected {
    /// Makes the algebra; `unit` divides the value of every tree, and is 0 if weights or costs are not whole.
    pub(in crate::exact) fn new(unit: f64, weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let length = if unit > 0.0 { TABLE.min(total as usize + 1) } else { 0 };
        let least = weights.iter().copied().filter(|weight| *weight > 0.0).fold(total, f64::min);
        let log = 1.0 + least.log2().abs().max(total.log2().abs());
        Self { unit, log, table: (0..length).map(|mass| phi(mass as f64)).collect() }
    }

    /// Rounding error of a sum of `x log₂ x` over the groups of a set: its terms may be much larger than the sum.
    fn noise(&self, set: &SetSummary) -> f64 {
        (8.0 * f64::from(set.count) + 64.0) * f64::EPSILON * set.mass * self.log
    }

    /// Computes `x log₂ x`.
    fn phi(&self, mass: f64) -> f64 {
        let whole = mass as usize;
        match self.table.get(whole) {
            Some(value) if whole as f64 == mass => *value,
            _ => phi(mass),
        }
    }

    /// Shannon's bound: a unit of cost yields at most `rate` bits, and the groups hold `φ(w(A)) − Σ_k φ(w_k)` bits.
    fn shannon(&self, set: &SetSummary, reach: &Reach) -> f64 {
        round_to_unit((self.phi(set.mass) - set.spread - self.noise(set)) / reach.rate, self.unit)
    }
}

impl CostAlgebra for Expected {
    fn spread(&self, mass: f64) -> f64 {
        self.phi(mass)
    }

    fn none(&self) -> f64 {
        0.0
    }

    fn join(&self, left: f64, right: f64) -> f64 {
        left + right
    }

    fn ask(&self, cost: f64, mass: f64, below: f64) -> f64 {
        cost * mass + below
    }

    fn child_limit(&self, limit: f64, cost: f64, mass: f64, others: f64) -> f64 {
        limit - cost * mass - others
    }

    fn leaf(&self, _: f64) -> f64 {
        0.0
    }

    /// Largest of the entropy bound, the least sum of depths if weights are equal, and the cost of asking the
    /// cheapest test once.
    fn floor(&self, set: &SetSummary, setting: &Setting) -> f64 {
        let Reach { cheapest, radix, leads, even, .. } = setting.reach;
        let Some(weight) = setting.plain else {
            return self.shannon(set, &setting.reach).max(cheapest * set.mass);
        };
        let count = f64::from(set.count);
        let sum = if setting.confirm { confirmed_depths(count, leads) } else { depths(count, radix) };
        let by_count = sum * cheapest * weight;
        if even { by_count } else { by_count.max(self.shannon(set, &setting.reach)) }
    }

    fn is_floor_exact(&self, set: &SetSummary, setting: &Setting) -> bool {
        is_two_or_three(set, setting)
    }

    fn uses_nested_path(&self, setting: &Setting) -> bool {
        setting.plain.is_some() && setting.reach.radix == 2 && setting.reach.even && !setting.confirm
    }

    /// Bound by the majority path: objects that leave it have paid for the questions so far, and must still be told
    /// apart.
    fn majority_path(&self, set: &SetSummary, path: &Path<'_>, setting: &Setting) -> f64 {
        let Reach { cheapest, radix, even, .. } = setting.reach;
        if !even || setting.confirm {
            return 0.0;
        }
        if let Some(weight) = setting.plain.filter(|_| radix == 2) {
            let departed: Vec<u64> =
                path.departed.iter().map(|departed| (departed / weight).round() as u64).collect();
            return path::by_depths(&departed, set.count.into(), path.growth) as f64 * weight * cheapest;
        }
        let bits = path::by_entropy(path.departed, set.mass, path.largest_group, radix)
            - set.spread
            - 2.0 * self.noise(set);
        round_to_unit(bits / (radix as f64).log2() * cheapest, self.unit)
    }

    fn is_mean(&self) -> bool {
        true
    }

    fn safe_lower(&self, value: f64) -> f64 {
        super::safe_lower(value, self.unit)
    }

    fn step(&self, value: f64) -> f64 {
        self.unit.max(value * 1e-9)
    }
}

/// Least sum of depths of `n` leaves below nodes of at most `radix` children.
fn depths(n: f64, radix: usize) -> f64 {
    if radix == 2 {
        return path::least_depths(n as u64) as f64;
    }
    let (r, mut full, mut depth) = (radix as f64, 1.0, 0.0);
    while full * r <= n {
        full *= r;
        depth += 1.0;
    }
    // Number of nodes on the full level that must be inner nodes so that all leaves fit.
    let opened = ((n - full) / (r - 1.0)).ceil();
    n * depth + if opened > 0.0 { n - full + opened } else { 0.0 }
}

/// Least sum of depths when each of `n` objects is ended by a node of its own, and nodes have at most `leads`
/// children.
fn confirmed_depths(n: f64, leads: usize) -> f64 {
    let (mut left, mut level, mut depth, mut sum) = (n, 1.0f64, 1.0, 0.0);
    while left > 0.0 {
        let ended = left.min(level);
        sum += depth * ended;
        left -= ended;
        level *= leads as f64;
        depth += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_sums_of_depths() {
        // 5 leaves: depths 2 2 2 3 3; 5 leaves of three-way nodes: 1 1 2 2 2; 4: 1 1 2 2.
        assert_eq!((depths(5.0, 2), depths(5.0, 3), depths(4.0, 3), depths(1.0, 2)), (12.0, 8.0, 6.0, 0.0));
        // One object ends at the first question, two at the second, the other two at the third.
        assert_eq!((confirmed_depths(5.0, 2), confirmed_depths(3.0, 1)), (11.0, 6.0));
    }
    /// Least sum of depths of 0 to `most` objects below a node of at most `radix` children that ends `ended` of them,
    /// by trying all ways to share the others.
    fn slow(most: usize, radix: usize, ended: usize) -> Vec<f64> {
        let mut sums = vec![0.0];
        for n in 1..=most {
            // Least sum of the objects below in at most `parts` parts.
            let mut below: Vec<f64> = (0..=n).map(|n| if n == 0 { 0.0 } else { f64::INFINITY }).collect();
            for _ in 0..radix {
                let with_one_more = |total: usize| {
                    let ways = (1..=total.min(n - 1)).map(|part| sums[part] + below[total - part]);
                    ways.fold(below[total], f64::min)
                };
                below = (0..=n).map(with_one_more).collect();
            }
            let is_leaf = n == 1 && ended == 0;
            sums.push(if is_leaf { 0.0 } else { n as f64 + below[n - ended] });
        }
        sums
    }

    #[test]
    fn no_way_to_share_leaves_has_a_smaller_sum_of_depths() {
        for radix in 2..7 {
            let wanted = slow(40, radix, 0);
            assert!((1..=40).all(|n| depths(n as f64, radix) == wanted[n]), "{radix}");
            let wanted = slow(40, radix - 1, 1);
            assert!((0..=40).all(|n| confirmed_depths(n as f64, radix - 1) == wanted[n]), "{radix}");
        }
    }
}
