//! Lower bounds: numbers that no strategy can beat, each with the reason why.
//!
//! A bound is one file and its line in [`CATALOGUE`]. All look at an [`Outlook`]: the objects that are left, what their
//! groups weigh and what the tests can do at best. A bound that would be too much work says 0, which is no claim.

mod certificate;
mod coarse;
mod cover;
mod depth;
mod exponential_huffman;
mod guesses;
mod hartley;
mod huffman;
mod lift;
mod outlook;
pub(crate) mod peel;
mod renyi;
mod separation;
pub mod sets;
mod shannon;
pub(crate) mod steps;

pub use coarse::coarse_groups;
pub(crate) use coarse::fano;
pub use outlook::{Outlook, Split};

use crate::limit::Limit;
use fewest_model::{Instance, Lambda, Objective};

/// What a bound bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The expected cost.
    Expected,
    /// The worst cost.
    Worst,
    /// The exponential cost.
    Exponential,
}

impl Aim {
    /// Every aim, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Expected, Self::Worst, Self::Exponential];

    /// The aim of an objective.
    pub fn of(objective: Objective) -> Self {
        match objective {
            Objective::Expected => Self::Expected,
            Objective::Worst => Self::Worst,
            Objective::Exponential(_) => Self::Exponential,
        }
    }
}

/// A line of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What users call it; one idea that bounds several costs has one name.
    pub name: &'static str,
    /// Which cost it bounds.
    pub aim: Aim,
    /// Why no strategy beats it, in one sentence.
    pub reason: &'static str,
    /// Its key in REFERENCES.md.
    pub paper: &'static str,
    /// Whether it looks at each group or object a few times only: what the others do takes as long as to grow a tree, or
    /// longer.
    pub is_quick: bool,
    /// Its value at a node, whose mass counts as 1; λ matters to the exponential cost only.
    pub value: fn(&Outlook<'_>, Lambda) -> f64,
}

impl Entry {
    /// Its value at a node, with its name.
    fn at(&self, outlook: &Outlook<'_>, lambda: Lambda) -> Bound {
        Bound { name: self.name, aim: self.aim, value: (self.value)(outlook, lambda) }
    }
}

/// Every bound, the simplest of each aim first.
pub const CATALOGUE: &[Entry] = &[
    shannon::ENTRY,
    huffman::ENTRY,
    separation::ENTRY,
    peel::ENTRY,
    certificate::EXPECTED,
    lift::EXPECTED,
    hartley::ENTRY,
    depth::ENTRY,
    cover::ENTRY,
    certificate::WORST,
    lift::WORST,
    renyi::ENTRY,
    exponential_huffman::ENTRY,
    certificate::EXPONENTIAL,
    lift::EXPONENTIAL,
];

/// The bounds that say something only where objects must be confirmed; all others hold there as well, because a
/// strategy with confirmations is one without them that costs more.
pub const CONFIRMATION: &[Entry] = &[guesses::EXPECTED, guesses::WORST, guesses::EXPONENTIAL];

/// The bounds that hold where objects may give several answers, with [coarse groups](coarse_groups) in place of the
/// groups: the others rest on one answer in every cell.
pub const SEVERAL: &[Entry] = &[shannon::ENTRY, hartley::ENTRY, renyi::ENTRY];

/// Every bound that says something about `instance`.
pub fn entries(instance: &Instance) -> impl Iterator<Item = &'static Entry> + Clone + use<> {
    let usual = if instance.has_several() { SEVERAL } else { CATALOGUE };
    let confirmation = if instance.needs_confirmation() { CONFIRMATION } else { &[] };
    usual.iter().chain(confirmation)
}

/// A number that no strategy can beat, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The name of the entry.
    pub name: &'static str,
    /// Which cost it bounds.
    pub aim: Aim,
    /// The number.
    pub value: f64,
}

/// All bounds for `instance`, in the order of the catalogue.
pub fn all(instance: &Instance, lambda: Lambda) -> Vec<Bound> {
    all_at(&Outlook::of(instance), lambda)
}

/// As [`all`], as far as the time allows: where the limit is reached, a bound is lower than it could be, or 0.
pub fn all_within(instance: &Instance, lambda: Lambda, limit: &Limit) -> Vec<Bound> {
    all_at(&Outlook::of(instance).within(limit.clone()), lambda)
}

/// All bounds for a node, in the order of the catalogue.
pub fn all_at(outlook: &Outlook<'_>, lambda: Lambda) -> Vec<Bound> {
    entries(outlook.instance).map(|entry| entry.at(outlook, lambda)).collect()
}

/// The bounds for `instance` that take next to no time.
pub(crate) fn quick(instance: &Instance, lambda: Lambda) -> Vec<Bound> {
    let outlook = Outlook::of(instance);
    entries(instance).filter(|entry| entry.is_quick).map(|entry| entry.at(&outlook, lambda)).collect()
}

/// The best bound for one aim before a search, which makes the linear program of two of them needless: the others are seldom
/// lower.
pub(crate) fn before_search(instance: &Instance, lambda: Lambda, aim: Aim, limit: &Limit) -> Bound {
    let needs_program = |entry: &Entry| aim == Aim::Expected && PROGRAMS.contains(&entry.name);
    let outlook = Outlook::of(instance).within(limit.clone());
    let mine = entries(instance).filter(|entry| entry.aim == aim && !needs_program(entry));
    best(&mine.map(|entry| entry.at(&outlook, lambda)).collect::<Vec<_>>(), aim)
}

/// The bounds on the expected cost that are slow on a small table.
const PROGRAMS: [&str; 2] = [separation::ENTRY.name, certificate::EXPECTED.name];

/// Two bounds closer than this, relatively, differ by rounding only.
const ROUNDING: f64 = 1e-12;

/// The highest bound for `aim`; the first in the catalogue where several are equal up to rounding.
pub fn best(bounds: &[Bound], aim: Aim) -> Bound {
    let mine = bounds.iter().filter(|bound| bound.aim == aim);
    let higher = |bound: &Bound, best: &Bound| bound.value > best.value * (1.0 + ROUNDING);
    *mine.reduce(|best, bound| if higher(bound, best) { bound } else { best }).expect("every aim has a bound")
}

#[cfg(test)]
mod testing {
    //! Instances as short text, for the examples at the foot of each bound.

    use super::{Entry, Outlook};
    use fewest_model::{Instance, Lambda, Reading, Table};

    /// Fields by white space, one row a line, names first; `costs` as pairs of test and cost.
    pub(super) fn instance(text: &str, costs: &[(&str, f64)]) -> Instance {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let costs = costs.iter().map(|(test, cost)| ((*test).to_owned(), *cost)).collect();
        let reading = Reading { costs, ..Reading::default() };
        Instance::new(Table::from_rows(&rows), &reading).expect("a sound table").0
    }

    /// The value of `entry` before anything is asked, at λ = 2.
    pub(super) fn value(instance: &Instance, entry: Entry) -> f64 {
        (entry.value)(&Outlook::of(instance), Lambda::TWO)
    }
}
