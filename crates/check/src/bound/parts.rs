//! What the answers to every test make of a set: one pass over the cells of the set.

use super::measure::Measure;
use super::problem::Problem;

/// One answer's part of a set, or the whole of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The answer.
    pub(crate) answer: u32,
    /// Its kinds of objects.
    pub(crate) kinds: u32,
    /// Its groups.
    pub(crate) groups: u32,
    /// Its mass.
    pub(crate) mass: f64,
    /// `Σ φ(w_k)` over its groups for the expected cost, `Σ w_k^α` for the exponential one.
    pub(crate) terms: f64,
    /// The least and the largest weight of a kind.
    weights: (f64, f64),
    /// The sum of the kinds' marks.
    pub(crate) mark: u64,
    /// One of its kinds.
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
        mark: 0,
        kind: 0,
    };

    /// The weight of every kind, where all weigh the same and each is a group of its own.
    pub(crate) fn plain(&self) -> Option<f64> {
        (self.kinds == self.groups && self.weights.0 == self.weights.1).then_some(self.weights.0)
    }
}

/// A test that tells some of the objects apart, and where its parts are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) test: usize,
    first: usize,
    end: usize,
}

/// A set with the parts that its splitting tests make of it. Kept from claim to claim, to use its memory again.
pub(crate) struct Parts {
    /// The kinds of the set, in order.
    pub(crate) kinds: Vec<u32>,
    /// The set as one part.
    pub(crate) whole: Part,
    /// The mass of its largest group, and the most kinds that a group of it has.
    pub(crate) largest_group: (f64, u32),
    /// The tests that split it, in order.
    pub(crate) splits: Vec<Split>,
    parts: Vec<Part>,
    /// The ends of the groups in `kinds`.
    runs: Vec<usize>,
    /// What a group of some weight adds to the terms of a part.
    term: Term,
    /// That of every kind alone.
    terms: Vec<f64>,
    // By answer: where its part is, and the weight of the group at hand.
    place: Vec<u32>,
    group: Vec<(usize, f64)>,
}

/// No part yet.
const NOWHERE: u32 = u32::MAX;

/// What the entropy bounds add up over groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Term {
    None,
    /// `φ(w) = w log₂ w`.
    Bits,
    /// `w^α`.
    Power(f64),
}

impl Term {
    fn of(self, weight: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Bits => phi(weight),
            // Not 0^α = 0 by accident of rounding: nothing is nothing.
            Self::Power(alpha) => {
                if weight > 0.0 {
                    weight.powf(alpha)
                } else {
                    0.0
                }
            }
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
        let answers = problem.tests.iter().map(|test| test.arity).max().unwrap_or(0);
        Self {
            kinds: Vec::new(),
            whole: Part::NOTHING,
            largest_group: (0.0, 0),
            splits: Vec::new(),
            parts: Vec::new(),
            runs: Vec::new(),
            term,
            terms: problem.kinds.iter().map(|kind| term.of(kind.weight)).collect(),
            place: vec![NOWHERE; answers],
            group: vec![(usize::MAX, 0.0); answers],
        }
    }

    /// The parts that a splitting test makes.
    pub(crate) fn of(&self, split: &Split) -> &[Part] {
        &self.parts[split.first..split.end]
    }

    /// Looks at the set of `self.kinds`, which the caller has filled in order.
    pub(crate) fn look(&mut self, problem: &Problem) {
        self.runs.clear();
        self.splits.clear();
        self.parts.clear();
        let kinds = std::mem::take(&mut self.kinds);
        let group = |kind: &u32| problem.kinds[*kind as usize].group;
        self.largest_group = (0.0, 0);
        self.whole = Part::NOTHING;
        for run in kinds.chunk_by(|left, right| group(left) == group(right)) {
            self.runs.push(self.runs.last().unwrap_or(&0) + run.len());
            let mass = run.iter().map(|kind| problem.kinds[*kind as usize].weight).sum::<f64>();
            let largest = self.largest_group;
            self.largest_group = (largest.0.max(mass), largest.1.max(run.len() as u32));
            run.iter().for_each(|kind| add(&mut self.whole, problem, *kind));
            self.whole.groups += 1;
            self.whole.terms += self.term.of(mass);
        }
        for (number, test) in problem.tests.iter().enumerate() {
            let first = self.parts.len();
            self.split(problem, &kinds, &test.codes);
            let end = self.parts.len();
            self.parts[first..].iter().for_each(|part| self.place[part.answer as usize] = NOWHERE);
            if end - first < 2 {
                self.parts.truncate(first);
            } else {
                self.splits.push(Split { test: number, first, end });
            }
        }
        self.kinds = kinds;
    }

    /// Adds the parts of one test, one for each answer among `kinds`.
    fn split(&mut self, problem: &Problem, kinds: &[u32], codes: &[u32]) {
        let mut start = 0;
        for &end in &self.runs {
            let run = &kinds[start..end];
            for &kind in run {
                let answer = codes[kind as usize] as usize;
                if self.place[answer] == NOWHERE {
                    self.place[answer] = self.parts.len() as u32;
                    self.parts.push(Part { answer: answer as u32, ..Part::NOTHING });
                }
                let part = &mut self.parts[self.place[answer] as usize];
                add(part, problem, kind);
                if let [only] = run {
                    part.groups += 1;
                    part.terms += self.terms[*only as usize];
                } else {
                    if self.group[answer].0 != start {
                        self.group[answer] = (start, 0.0);
                        part.groups += 1;
                    }
                    self.group[answer].1 += problem.kinds[kind as usize].weight;
                }
            }
            if run.len() > 1 {
                for &kind in run {
                    let answer = codes[kind as usize] as usize;
                    let group = &mut self.group[answer];
                    if group.0 == start {
                        *group = (usize::MAX, group.1);
                        self.parts[self.place[answer] as usize].terms += self.term.of(group.1);
                    }
                }
            }
            start = end;
        }
    }
}

fn add(part: &mut Part, problem: &Problem, kind: u32) {
    let Some(found) = problem.kinds.get(kind as usize) else { return };
    part.kinds += 1;
    part.mass += found.weight;
    part.weights = (part.weights.0.min(found.weight), part.weights.1.max(found.weight));
    part.mark = part.mark.wrapping_add(found.mark);
    part.kind = kind;
}
