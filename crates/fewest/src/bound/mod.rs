//! Lower bounds: numbers that no strategy can beat, each with the reason why.
//!
//! A bound is one file and its line in [`CATALOGUE`]. All take a [`BoundInput`]: the objects that are left, the
//! weights of their groups and the limits of the tests. A bound that would take too much work returns 0, which claims
//! nothing.

mod coarse;
mod cover;
mod depth;
mod exponential_huffman;
mod fano;
mod guesses;
mod hartley;
mod huffman;
mod input;
mod lift;
pub(crate) mod majority_path;
mod per_object;
mod renyi;
mod separation;
pub mod sets;
mod shannon;
pub(crate) mod steps;

pub use coarse::coarse_groups;
pub(crate) use fano::fano;
pub use fewest_model::ObjectiveKind;
pub use input::{BoundInput, Split};

use crate::limit::Limit;
use fewest_model::{Instance, Lambda};

/// Entry of the catalogue of bounds.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name for users; one idea that bounds several costs has one name.
    pub name: &'static str,
    /// Kind of cost that is bounded.
    pub kind: ObjectiveKind,
    /// Reason why no strategy beats the bound, in one sentence.
    pub reason: &'static str,
    /// Key of the paper in REFERENCES.md.
    pub paper: &'static str,
    /// Whether the bound looks at each group or object only a few times; the others take as long as growing a tree,
    /// or longer.
    pub is_quick: bool,
    /// Value of the bound at a node, whose mass counts as 1; λ matters only for the exponential cost.
    pub value: fn(&BoundInput<'_>, Lambda) -> f64,
}

impl Entry {
    /// Computes the value at a node.
    fn at(&self, input: &BoundInput<'_>, lambda: Lambda) -> Bound {
        Bound { name: self.name, kind: self.kind, value: (self.value)(input, lambda) }
    }
}

/// Every bound, the simplest of each kind first.
pub const CATALOGUE: &[Entry] = &[
    shannon::ENTRY,
    huffman::ENTRY,
    separation::ENTRY,
    majority_path::ENTRY,
    per_object::EXPECTED,
    lift::EXPECTED,
    hartley::ENTRY,
    depth::ENTRY,
    cover::ENTRY,
    per_object::WORST,
    lift::WORST,
    renyi::ENTRY,
    exponential_huffman::ENTRY,
    per_object::EXPONENTIAL,
    lift::EXPONENTIAL,
];

/// Bounds that are above 0 only if objects must be confirmed. All others hold there as well, because a strategy with
/// confirmations is one without them that costs more.
pub const CONFIRMATION: &[Entry] = &[guesses::EXPECTED, guesses::WORST, guesses::EXPONENTIAL];

/// Bounds that hold if objects may give several answers, with [coarse groups](coarse_groups) in place of the groups:
/// the others need one answer in every cell.
pub const SEVERAL: &[Entry] = &[shannon::ENTRY, hartley::ENTRY, renyi::ENTRY];

/// Every bound that applies to `instance`.
pub fn entries(instance: &Instance) -> impl Iterator<Item = &'static Entry> + Clone + use<> {
    let fixed_answers = if instance.has_several() { SEVERAL } else { CATALOGUE };
    let confirmation = if instance.needs_confirmation() { CONFIRMATION } else { &[] };
    fixed_answers.iter().chain(confirmation)
}

/// Value of one bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Name of the entry.
    pub name: &'static str,
    /// Kind of cost that is bounded.
    pub kind: ObjectiveKind,
    /// Lower bound on the cost.
    pub value: f64,
}

/// Computes all bounds for `instance`, in the order of the catalogue.
pub fn all(instance: &Instance, lambda: Lambda) -> Vec<Bound> {
    all_at(&BoundInput::of(instance), lambda)
}

/// Computes [`all`] within a limit; if it is reached, a bound is lower than it could be, or 0.
pub fn all_within(instance: &Instance, lambda: Lambda, limit: &Limit) -> Vec<Bound> {
    all_at(&BoundInput::of(instance).within(limit.clone()), lambda)
}

/// Computes all bounds for a node, in the order of the catalogue.
pub fn all_at(input: &BoundInput<'_>, lambda: Lambda) -> Vec<Bound> {
    entries(input.instance).map(|entry| entry.at(input, lambda)).collect()
}

/// Computes the bounds for `instance` that take hardly any time.
pub(crate) fn quick(instance: &Instance, lambda: Lambda) -> Vec<Bound> {
    let input = BoundInput::of(instance);
    entries(instance).filter(|entry| entry.is_quick).map(|entry| entry.at(&input, lambda)).collect()
}

/// Best bound of one kind before a search, without the two slow linear programs: the search soon proves more.
pub(crate) fn before_search(
    instance: &Instance,
    lambda: Lambda,
    kind: ObjectiveKind,
    limit: &Limit,
) -> Bound {
    let needs_program = |entry: &Entry| kind == ObjectiveKind::Expected && PROGRAMS.contains(&entry.name);
    let input = BoundInput::of(instance).within(limit.clone());
    let mine = entries(instance).filter(|entry| entry.kind == kind && !needs_program(entry));
    best(&mine.map(|entry| entry.at(&input, lambda)).collect::<Vec<_>>(), kind)
}

/// Names of the bounds on the expected cost that are slow on a small table.
const PROGRAMS: [&str; 2] = [separation::ENTRY.name, per_object::EXPECTED.name];

/// Relative difference below which two bounds differ by rounding only.
const ROUNDING: f64 = 1e-12;

/// Highest bound of a kind; the first in the catalogue if several are equal up to rounding.
pub fn best(bounds: &[Bound], kind: ObjectiveKind) -> Bound {
    let mine = bounds.iter().filter(|bound| bound.kind == kind);
    let higher = |bound: &Bound, best: &Bound| bound.value > best.value * (1.0 + ROUNDING);
    *mine
        .reduce(|best, bound| if higher(bound, best) { bound } else { best })
        .expect("every kind has a bound")
}

#[cfg(test)]
mod testing {
    //! Instances as short text, for the examples at the foot of each bound.

    use super::{BoundInput, Entry};
    use fewest_model::{Instance, Lambda, Reading, Table};

    /// Instance from text: fields separated by white space, one row a line, names first; `costs` as pairs of test and
    /// cost.
    pub(super) fn instance(text: &str, costs: &[(&str, f64)]) -> Instance {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let costs = costs.iter().map(|(test, cost)| ((*test).to_owned(), *cost)).collect();
        let reading = Reading { costs, ..Reading::default() };
        Instance::new(Table::from_rows(&rows), &reading).expect("a sound table").0
    }

    /// Value of `entry` before anything is asked, at λ = 2.
    pub(super) fn value(instance: &Instance, entry: Entry) -> f64 {
        (entry.value)(&BoundInput::of(instance), Lambda::TWO)
    }
}
