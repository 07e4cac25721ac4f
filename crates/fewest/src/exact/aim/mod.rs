//! What is minimised, as the search needs it: how values of subtrees combine, and the least they can be.
//!
//! A value is that of a subtree on the mass of its own objects: `Σ w_i cost(i)` for the expected cost, `max cost(i)`
//! for the worst, `ln Σ w_i λ^cost(i)` for the exponential one; weights and costs in units. SPEC section 7.

mod expected;
mod exponential;
mod worst;

pub(super) use expected::Expected;
pub(super) use exponential::Exponential;
pub(super) use worst::Worst;

use super::tally::{Path, Setting, Tally};

/// What is minimised.
pub(super) trait Aim: Sync {
    /// The function of a group's mass that [`Tally::spread`] sums up.
    fn spread(&self, mass: f64) -> f64;
    /// The value of no subtrees.
    fn none(&self) -> f64;
    /// The value of two sets of subtrees side by side.
    fn join(&self, left: f64, right: f64) -> f64;
    /// The value of a node above subtrees of value `below`.
    fn ask(&self, cost: f64, mass: f64, below: f64) -> f64;
    /// Below which value a subtree must stay, beside `others`, if the node is to stay below `limit`.
    fn room(&self, limit: f64, cost: f64, mass: f64, others: f64) -> f64;
    /// The value of a leaf.
    fn leaf(&self, mass: f64) -> f64;
    /// What no tree for an impure set beats, whatever the tests are.
    fn floor(&self, set: &Tally, setting: &Setting) -> f64;
    /// Whether the floor of an impure set is what its best tree is worth, as is plain to see.
    fn is_plain_to_see(&self, set: &Tally, setting: &Setting) -> bool {
        // One question tells two objects apart, if all cost the same.
        set.count == 2 && setting.reach.even && !setting.confirm
    }
    /// Whether [`Self::peel`] says anything.
    fn peels(&self) -> bool {
        true
    }
    /// Whether [`Self::peel`] looks at what those who leave together cost.
    fn peels_again(&self, _: &Setting) -> bool {
        false
    }
    /// What no tree for an impure set beats, given how slowly its objects leave the path of most common answers.
    fn peel(&self, set: &Tally, path: &Path<'_>, setting: &Setting) -> f64;
    /// Whether the value is a mean: then sets without mass cost nothing, and values of disjoint sets add up.
    fn is_mean(&self) -> bool;
    /// A value that others find too, whatever order they add up in.
    fn humble(&self, value: f64) -> f64;
    /// The least difference of two values worth a search, about `value`.
    fn step(&self, value: f64) -> f64;
}

/// Whether all trees without needless questions are worth the same, where depths are all that counts: two objects, or
/// three of equal weight, since any question of two answers that splits three leaves two of them.
fn is_two_or_three(set: &Tally, setting: &Setting) -> bool {
    let three = set.count == 3 && setting.plain.is_some() && setting.reach.radix == 2;
    (set.count == 2 || three) && setting.reach.even && !setting.confirm
}

/// `value` where values are whole; else a little less than sums in another order may come to.
fn humble(value: f64, unit: f64) -> f64 {
    if unit > 0.0 || value.is_infinite() { value } else { value - 1e-12 * value.abs() }
}

/// Rounds a bound up to what a tree can cost, which is a multiple of `unit`. With unit 0, any number, it is rounded
/// down a little: sums of floating-point numbers are off by parts in 10^16, and a bound must stay one.
fn tidy(bound: f64, unit: f64) -> f64 {
    if unit == 0.0 {
        return bound - bound.abs() * 1e-12;
    }
    let steps = if unit == 1.0 { bound } else { bound / unit };
    up(steps - steps.abs() * 1e-12 - 1e-9) * unit
}

/// `ceil`, which is a call where processors have no instruction for it that all of them share.
fn up(value: f64) -> f64 {
    let whole = value as i64 as f64;
    match value.abs() < 2f64.powi(52) {
        true => whole + f64::from(u8::from(whole < value)),
        false => value,
    }
}

/// The least depth at which a tree of `radix` branches has `leaves` leaves.
fn depth(leaves: f64, radix: usize) -> f64 {
    let (mut full, mut depth) = (1.0, 0.0);
    while full < leaves {
        full *= radix as f64;
        depth += 1.0;
    }
    depth
}

/// The least depth at which a tree has ended `objects` objects, each by a node of its own with at most `leads`
/// branches beside the one that ends.
fn confirmed_depth(objects: f64, leads: usize) -> f64 {
    let (mut level, mut ended, mut depth) = (1.0, 0.0, 0.0);
    while ended < objects {
        ended += level;
        level *= leads as f64;
        depth += 1.0;
    }
    depth
}

/// What no tree for an impure set beats at worst, whatever is minimised.
pub(super) fn least_worst(set: &Tally, setting: &Setting) -> f64 {
    Worst { unit: 0.0 }.floor(set, setting)
}

#[cfg(test)]
mod tests {
    use super::up;

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
            assert_eq!(up(value), value.ceil(), "{value}");
        }
        assert!(up(f64::NAN).is_nan());
    }
}
