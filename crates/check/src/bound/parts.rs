//! Parts of a set by the answers to every test: the set's bits masked with the bits of each answer.

use super::measure::Measure;
use super::problem::{Kind, Problem, Test};

/// Most answers of a test with one bit set per answer; with more, a set is distributed object by object.
const MAX_PLANE_ANSWERS: usize = 4;

/// Part of a set with one answer, or the whole set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Answer that the objects of the part give.
    pub(crate) answer: u32,
    /// Number of kinds of objects in the part.
    pub(crate) kinds: u32,
    /// Number of groups in the part.
    pub(crate) groups: u32,
    /// Mass of the part.
    pub(crate) mass: f64,
    /// Sum of `φ(w_k)` over the groups of the part for the expected cost, of `w_k^α` for the exponential one.
    pub(crate) terms: f64,
    /// Least and largest weight of a kind.
    weights: (f64, f64),
    /// Hash of the set: equal for equal sets, and hardly ever for others.
    pub(crate) hash: u64,
    /// First kind of the part.
    pub(crate) kind: u32,
}

impl Part {
    const NOTHING: Self = Self {
        answer: 0,
        kinds: 0,
        groups: 0,
        mass: 0.0,
        terms: 0.0,
        weights: (f64::INFINITY, 0.0),
        hash: 0,
        kind: 0,
    };

    /// Weight of every kind, if all weigh the same and each is a group of its own.
    pub(crate) fn plain(&self) -> Option<f64> {
        (self.kinds == self.groups && self.weights.0 == self.weights.1).then_some(self.weights.0)
    }
}

/// Test that separates some of the objects, and the range of its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) test: usize,
    first: usize,
    end: usize,
}

/// Set with the parts that its splitting tests make of it. Kept from claim to claim, to reuse its memory.
pub(crate) struct Parts {
    /// Bits of the set, one for each kind.
    pub(crate) set: Vec<u64>,
    /// The whole set as one part.
    pub(crate) whole: Part,
    /// Mass of the largest group, and the largest number of kinds in a group.
    pub(crate) largest_group: (f64, u32),
    /// Tests that split the set, in order.
    pub(crate) splits: Vec<Split>,
    parts: Vec<Part>,
    scale: Scale,
    /// Kinds that give each answer, by test; empty for a test with many answers.
    answers: Vec<Vec<Vec<u64>>>,
    /// Words of each answer's part, with their positions.
    distributed: Vec<Vec<(usize, u64)>>,
}

/// Terms that the entropy bounds sum over groups.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    None,
    /// Term `φ(w) = w log₂ w`.
    Bits,
    /// Term `w^α`.
    Power(f64),
}

impl Term {
    fn of(self, weight: f64) -> f64 {
        match self {
            _ if weight <= 0.0 => 0.0,
            Self::None => 0.0,
            Self::Bits => phi(weight),
            Self::Power(alpha) => weight.powf(alpha),
        }
    }
}

/// `x log₂ x`, and 0 at 0.
pub(crate) fn phi(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

impl Parts {
    pub(crate) fn new(problem: &Problem, measure: Measure, alpha: f64) -> Self {
        let term = match measure {
            Measure::Expected => Term::Bits,
            Measure::Worst => Term::None,
            Measure::Exponential { .. } => Term::Power(alpha),
        };
        let words = problem.kinds.len().div_ceil(64);
        let most = problem.tests.iter().map(|test| test.arity).max().unwrap_or(0);
        Self {
            set: vec![0; words],
            whole: Part::NOTHING,
            largest_group: (0.0, 0),
            splits: Vec::new(),
            parts: Vec::new(),
            scale: Scale::new(&problem.kinds, term),
            answers: problem.tests.iter().map(|test| answers(test, words)).collect(),
            distributed: vec![Vec::new(); if most > MAX_PLANE_ANSWERS { most } else { 0 }],
        }
    }

    /// Parts that a splitting test makes.
    pub(crate) fn of(&self, split: &Split) -> &[Part] {
        &self.parts[split.first..split.end]
    }

    /// Whether the part of the set that answers `answer` to a test is the set `other`, which has as many kinds.
    pub(crate) fn is_part(&self, other: &[u64], number: usize, test: &Test, answer: u32) -> bool {
        match self.answers[number].get(answer as usize) {
            Some(mask) => {
                self.set.iter().zip(mask).zip(other).all(|((set, mask), other)| set & mask == *other)
            }
            None => bits(other).all(|kind| contains(&self.set, kind) && test.codes[kind] == answer),
        }
    }

    /// Computes the parts of `self.set`, which the caller has filled.
    pub(crate) fn compute(&mut self, problem: &Problem) {
        self.splits.clear();
        self.parts.clear();
        self.whole = self.scale.weigh(words(&self.set));
        self.largest_group = self.scale.largest_group(&self.set);
        for (number, test) in problem.tests.iter().enumerate() {
            let first = self.parts.len();
            if self.answers[number].is_empty() {
                self.distribute(test);
            } else {
                for (answer, mask) in (0..).zip(&self.answers[number]) {
                    let both = self.set.iter().zip(mask).map(|(set, mask)| set & mask).enumerate();
                    let part = self.scale.weigh(both.filter(|(_, word)| *word != 0));
                    if part.kinds > 0 {
                        self.parts.push(Part { answer, ..part });
                    }
                }
            }
            let end = self.parts.len();
            if end - first < 2 {
                self.parts.truncate(first);
            } else {
                self.splits.push(Split { test: number, first, end });
            }
        }
    }

    /// Gives all parts one hash, as if all hashes collided.
    #[cfg(test)]
    pub(crate) fn collide(&mut self) {
        self.parts.iter_mut().for_each(|part| part.hash = 0);
    }

    /// Adds the parts of a test with many answers.
    fn distribute(&mut self, test: &Test) {
        let first = self.parts.len();
        for kind in bits(&self.set) {
            let answer = test.codes[kind];
            let distributed = &mut self.distributed[answer as usize];
            let (place, bit) = (kind / 64, 1 << (kind % 64));
            match distributed.last_mut() {
                Some((last, word)) if *last == place => *word |= bit,
                None => {
                    self.parts.push(Part { answer, ..Part::NOTHING });
                    distributed.push((place, bit));
                }
                Some(_) => distributed.push((place, bit)),
            }
        }
        for part in &mut self.parts[first..] {
            let distributed = &mut self.distributed[part.answer as usize];
            *part = Part { answer: part.answer, ..self.scale.weigh(distributed.iter().copied()) };
            distributed.clear();
        }
    }
}

/// Kinds that give each answer, if the answers are few.
fn answers(test: &Test, words: usize) -> Vec<Vec<u64>> {
    if test.arity > MAX_PLANE_ANSWERS {
        return Vec::new();
    }
    let mut answers = vec![vec![0; words]; test.arity];
    for (kind, code) in test.codes.iter().enumerate() {
        answers[*code as usize][kind / 64] |= 1 << (kind % 64);
    }
    answers
}

/// Words of a set that are not 0, with their positions.
fn words(set: &[u64]) -> impl Iterator<Item = (usize, u64)> {
    set.iter().copied().enumerate().filter(|(_, word)| *word != 0)
}

/// The members of a set.
pub(crate) fn bits(set: &[u64]) -> impl Iterator<Item = usize> {
    words(set).flat_map(|(place, word)| bits_of(place, word))
}

fn bits_of(place: usize, mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(64 * place + bit)
    })
}

fn contains(set: &[u64], kind: usize) -> bool {
    set[kind / 64] >> (kind % 64) & 1 == 1
}

/// Part of a group that lies in a set.
struct Group {
    number: u32,
    mass: f64,
    kinds: u32,
    first: usize,
}

impl Group {
    const NONE: Self = Self { number: u32::MAX, mass: 0.0, kinds: 0, first: 0 };
}

/// Tables for summing over sets of kinds.
struct Scale {
    weights: Vec<f64>,
    groups: Vec<u32>,
    /// Contribution of each kind alone to the terms of a part.
    terms: Vec<f64>,
    term: Term,
    /// Factor of each word in a hash.
    factors: Vec<u64>,
    /// Whether each kind is a group of its own.
    alone: bool,
    /// Whether in addition all kinds weigh the same, so that counting suffices.
    alike: bool,
}

impl Scale {
    fn new(kinds: &[Kind], term: Term) -> Self {
        let weights: Vec<f64> = kinds.iter().map(|kind| kind.weight).collect();
        let alone = kinds.windows(2).all(|pair| pair[0].group != pair[1].group);
        Self {
            groups: kinds.iter().map(|kind| kind.group).collect(),
            terms: weights.iter().map(|weight| term.of(*weight)).collect(),
            term,
            factors: (0..kinds.len().div_ceil(64) as u64).map(|place| mixed(place) | 1).collect(),
            alone,
            alike: alone && weights.windows(2).all(|pair| pair[0] == pair[1]),
            weights,
        }
    }

    /// Makes a part of the set with these words.
    #[inline]
    fn weigh(&self, words: impl Iterator<Item = (usize, u64)>) -> Part {
        let mut part = Part::NOTHING;
        let mut group = Group::NONE;
        for (place, word) in words {
            if part.kinds == 0 {
                part.kind = 64 * place as u32 + word.trailing_zeros();
            }
            part.kinds += word.count_ones();
            let scattered = word.wrapping_mul(self.factors[place]);
            part.hash = part.hash.wrapping_add(scattered ^ (scattered >> 32));
            match (self.alike, self.alone) {
                (true, _) => {}
                (false, true) => self.add_objects(&mut part, place, word),
                (false, false) => self.add_groups(&mut part, &mut group, place, word),
            }
        }
        if self.alike && part.kinds > 0 {
            let weight = self.weights[part.kind as usize];
            part.weights = (weight, weight);
            part.mass = f64::from(part.kinds) * weight;
            part.terms = f64::from(part.kinds) * self.terms[part.kind as usize];
        }
        if self.alone {
            part.groups = part.kinds;
        }
        part.terms += self.term_of(&group);
        part
    }

    /// Adds kinds that are groups of their own.
    #[inline]
    fn add_objects(&self, part: &mut Part, place: usize, mut word: u64) {
        while word != 0 {
            let kind = 64 * place + word.trailing_zeros() as usize;
            word &= word - 1;
            let weight = self.weights[kind];
            part.mass += weight;
            part.terms += self.terms[kind];
            part.weights = (part.weights.0.min(weight), part.weights.1.max(weight));
        }
    }

    /// Adds kinds of any groups; those of one group follow each other.
    #[inline]
    fn add_groups(&self, part: &mut Part, group: &mut Group, place: usize, mut word: u64) {
        while word != 0 {
            let kind = 64 * place + word.trailing_zeros() as usize;
            word &= word - 1;
            let weight = self.weights[kind];
            part.mass += weight;
            part.weights = (part.weights.0.min(weight), part.weights.1.max(weight));
            if group.number == self.groups[kind] {
                group.mass += weight;
                group.kinds += 1;
            } else {
                part.groups += 1;
                part.terms += self.term_of(group);
                *group = Group { number: self.groups[kind], mass: weight, kinds: 1, first: kind };
            }
        }
    }

    /// Contribution of a group to the terms of its part.
    #[inline]
    fn term_of(&self, group: &Group) -> f64 {
        match (self.term, group.kinds) {
            (Term::None, _) | (_, 0) => 0.0,
            (_, 1) => self.terms[group.first],
            (term, _) => term.of(group.mass),
        }
    }

    /// Mass of the largest group in a set, and the most kinds of any group there.
    fn largest_group(&self, set: &[u64]) -> (f64, u32) {
        let (mut mass, mut kinds) = (0.0f64, 0u32);
        let mut group = (u32::MAX, 0.0, 0);
        for kind in bits(set) {
            if group.0 != self.groups[kind] {
                group = (self.groups[kind], 0.0, 0);
            }
            group.1 += self.weights[kind];
            group.2 += 1;
            (mass, kinds) = (mass.max(group.1), kinds.max(group.2));
        }
        (mass, kinds)
    }
}

/// Spreads the bits of a number (the mixer of SplitMix64, Steele, Lea, Flood 2014).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
