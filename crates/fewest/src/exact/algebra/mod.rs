//! Algebra of each objective, as the search needs it: how values of subtrees combine, and their lower bounds.
//!
//! A value is that of a subtree on the mass of its own objects: `Σ w_i cost(i)` for the expected cost, `max cost(i)`
//! for the worst, `ln Σ w_i λ^cost(i)` for the exponential one; weights and costs in units. Specification section 8.

mod expected;
mod exponential;
mod worst;

pub(super) use expected::Expected;
pub(super) use exponential::Exponential;
pub(super) use worst::Worst;

use super::summary::{Path, SetSummary, Setting};

/// Arithmetic of one objective over subtrees.
pub(super) trait CostAlgebra: Sync {
    /// Function of a group's mass that [`SetSummary::spread`] sums up.
    fn spread(&self, mass: f64) -> f64;
    /// Value of an empty set of subtrees.
    fn none(&self) -> f64;
    /// Value of two sets of subtrees together.
    fn join(&self, left: f64, right: f64) -> f64;
    /// Value of a node above subtrees of value `below`.
    fn ask(&self, cost: f64, mass: f64, below: f64) -> f64;
    /// Limit of a subtree beside `others`, so that the node stays below `limit`.
    fn child_limit(&self, limit: f64, cost: f64, mass: f64, others: f64) -> f64;
    /// Value of a leaf.
    fn leaf(&self, mass: f64) -> f64;
    /// Lower bound for an impure set that holds for any tests within the limits of `setting`.
    fn floor(&self, set: &SetSummary, setting: &Setting) -> f64;
    /// Whether the floor of an impure set is the value of its best tree, so that no search is needed.
    fn is_floor_exact(&self, set: &SetSummary, setting: &Setting) -> bool {
        // One question tells two objects apart, if all tests cost the same.
        set.count == 2 && setting.reach.even && !setting.confirm
    }
    /// Whether [`Self::majority_path`] can be above the floor.
    fn uses_majority_path(&self) -> bool {
        true
    }
    /// Whether [`Self::majority_path`] also bounds the cost of the objects that leave the path together.
    fn uses_nested_path(&self, _: &Setting) -> bool {
        false
    }
    /// Lower bound for an impure set from how slowly its objects leave the majority path.
    fn majority_path(&self, set: &SetSummary, path: &Path<'_>, setting: &Setting) -> f64;
    /// Whether the value is a mean: then sets without mass cost nothing, and values of disjoint sets add up.
    fn is_mean(&self) -> bool;
    /// Rounds a bound down by the worst error of summation order, so that the checker accepts it.
    fn safe_lower(&self, value: f64) -> f64;
    /// Least difference of two values worth a search, near `value`.
    fn step(&self, value: f64) -> f64;
}

/// Whether all trees without useless questions have the same value, if only depths count: for two objects, or three
/// of equal weight, because any question of two answers that splits three leaves two of them together.
fn is_two_or_three(set: &SetSummary, setting: &Setting) -> bool {
    let three = set.count == 3 && setting.plain.is_some() && setting.reach.radix == 2;
    (set.count == 2 || three) && setting.reach.even && !setting.confirm
}

/// Returns `value` if values are whole; otherwise slightly less, by the worst error of summation order.
fn safe_lower(value: f64, unit: f64) -> f64 {
    if unit > 0.0 || value.is_infinite() { value } else { value - 1e-12 * value.abs() }
}

/// Rounds a bound up to a possible cost of a tree, which is a multiple of `unit`. With unit 0 it is rounded down
/// slightly: sums of floating-point numbers are off by parts in 10^16, and a bound must stay one.
fn round_to_unit(bound: f64, unit: f64) -> f64 {
    if unit == 0.0 {
        return bound - bound.abs() * 1e-12;
    }
    let steps = if unit == 1.0 { bound } else { bound / unit };
    ceil(steps - steps.abs() * 1e-12 - 1e-9) * unit
}

/// Computes `ceil` without a function call, which the portable x86-64 target would need.
fn ceil(value: f64) -> f64 {
    let whole = value as i64 as f64;
    match value.abs() < 2f64.powi(52) {
        true => whole + f64::from(u8::from(whole < value)),
        false => value,
    }
}

/// Least depth of a tree with `radix` branches that has `leaves` leaves.
fn depth(leaves: f64, radix: usize) -> f64 {
    let (mut full, mut depth) = (1.0, 0.0);
    while full < leaves {
        full *= radix as f64;
        depth += 1.0;
    }
    depth
}

/// Least depth of a tree that ends `objects` objects, each by a node of its own with at most `leads` branches beside
/// the one that ends.
fn confirmed_depth(objects: f64, leads: usize) -> f64 {
    let (mut level, mut ended, mut depth) = (1.0, 0.0, 0.0);
    while ended < objects {
        ended += level;
        level *= leads as f64;
        depth += 1.0;
    }
    depth
}

/// Lower bound on the worst cost of an impure set, for any objective.
pub(super) fn least_worst(set: &SetSummary, setting: &Setting) -> f64 {
    Worst { unit: 0.0 }.floor(set, setting)
}

#[cfg(test)]
mod tests {
    use super::{ceil, confirmed_depth, depth, round_to_unit, safe_lower};

    #[test]
    fn up_is_the_next_whole_number() {
        for value in [
            0.0,
            -0.0,
            0.1,
            -0.1,
            1.0,
            1.5,
            -1.5,
            2.0,
            7.000001,
            1e15 + 0.5,
            -1e15 - 0.5,
            1e300,
            f64::INFINITY,
        ] {
            assert_eq!(ceil(value), value.ceil(), "{value}");
        }
        assert!(ceil(f64::NAN).is_nan());
    }
    #[test]
    fn a_tree_has_no_more_leaves_than_its_depth_allows() {
        for radix in 1..6usize {
            for count in 0..200usize {
                let fits = |depth: f64| radix.pow(depth as u32) >= count;
                if radix > 1 {
                    let found = depth(count as f64, radix);
                    assert!(fits(found) && (found == 0.0 || !fits(found - 1.0)), "{radix} {count}: {found}");
                }
                let nodes = |depth: f64| (0..depth as u32).map(|level| radix.pow(level)).sum::<usize>();
                let found = confirmed_depth(count as f64, radix);
                assert!(nodes(found) >= count && (found == 0.0 || nodes(found - 1.0) < count));
            }
        }
    }

    #[test]
    fn a_bound_is_raised_to_the_next_multiple_and_lowered_by_rounding() {
        for unit in [1.0, 2.0, 7.0] {
            for steps in 0..30 {
                let whole = f64::from(steps) * unit;
                // What is above a multiple by rounding alone stays there.
                for bound in [whole, whole * (1.0 - 1e-13), whole * (1.0 + 1e-13), whole - 0.4 * unit] {
                    assert_eq!(round_to_unit(bound, unit), whole, "{bound} {unit}");
                }
                assert_eq!(safe_lower(whole, unit), whole);
            }
        }
        for bound in [-3.5, 1e-9, 1.0, 2.5, 1e12] {
            let (rounded, safe) = (round_to_unit(bound, 0.0), safe_lower(bound, 0.0));
            let most = bound.abs() * 1e-11;
            assert!(rounded < bound && bound - rounded <= most && safe < bound && bound - safe <= most);
        }
        assert_eq!([0.0, 1.0].map(|unit| safe_lower(f64::INFINITY, unit)), [f64::INFINITY; 2]);
    }
}
