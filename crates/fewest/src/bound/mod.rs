//! Lower bounds: numbers that no strategy can beat, each with the reason why.
//!
//! A bound is one file and its line in [`CATALOGUE`]. All look at an [`Outlook`]: what the groups weigh and what the
//! tests can do at best.

mod depth;
mod exponential_huffman;
mod hartley;
mod huffman;
mod outlook;
mod renyi;
mod shannon;

pub use outlook::Outlook;

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
    /// What users call it.
    pub name: &'static str,
    /// Which cost it bounds.
    pub aim: Aim,
    /// Why no strategy beats it, in one sentence.
    pub reason: &'static str,
    /// Its key in REFERENCES.md.
    pub paper: &'static str,
    /// Its value; λ matters to the exponential cost only.
    pub value: fn(&Outlook, Lambda) -> f64,
}

/// Every bound, the simplest of each aim first.
pub const CATALOGUE: &[Entry] =
    &[shannon::ENTRY, huffman::ENTRY, hartley::ENTRY, depth::ENTRY, renyi::ENTRY, exponential_huffman::ENTRY];

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
    let outlook = Outlook::of(instance);
    let bound =
        |entry: &Entry| Bound { name: entry.name, aim: entry.aim, value: (entry.value)(&outlook, lambda) };
    CATALOGUE.iter().map(bound).collect()
}

/// The highest bound for `aim`; the first in the catalogue where several are equal.
pub fn best(bounds: &[Bound], aim: Aim) -> Bound {
    let mine = bounds.iter().filter(|bound| bound.aim == aim);
    *mine
        .reduce(|best, bound| if bound.value > best.value { bound } else { best })
        .expect("every aim has a bound")
}
