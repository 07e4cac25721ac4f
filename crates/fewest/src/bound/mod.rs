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
    /// Its value at a node, whose mass counts as 1; λ matters to the exponential cost only.
    pub value: fn(&Outlook<'_>, Lambda) -> f64,
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

/// All bounds for a node, in the order of the catalogue.
pub fn all_at(outlook: &Outlook<'_>, lambda: Lambda) -> Vec<Bound> {
    let bound =
        |entry: &Entry| Bound { name: entry.name, aim: entry.aim, value: (entry.value)(outlook, lambda) };
    entries(outlook.instance).map(bound).collect()
}

/// The best bound for one aim, without the work for the others.
pub fn best_for(instance: &Instance, lambda: Lambda, aim: Aim) -> Bound {
    best_of(instance, lambda, aim, |_| true)
}

/// The best bound for one aim that takes hardly any time; the others of the aim are seldom better.
pub(crate) fn quick_for(instance: &Instance, lambda: Lambda, aim: Aim) -> Bound {
    let is_quick =
        |entry: &Entry| aim != Aim::Expected || !["separation", "certificate"].contains(&entry.name);
    best_of(instance, lambda, aim, is_quick)
}

fn best_of(instance: &Instance, lambda: Lambda, aim: Aim, which: impl Fn(&Entry) -> bool) -> Bound {
    let outlook = Outlook::of(instance);
    let mine = entries(instance).filter(|entry| entry.aim == aim && which(entry));
    let bound = |entry: &Entry| Bound { name: entry.name, aim, value: (entry.value)(&outlook, lambda) };
    best(&mine.map(bound).collect::<Vec<_>>(), aim)
}

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
