//! Best cut of a row of values in order.

use super::Score;
use super::score::split_bits;

/// Relative difference below which two scores are equal: rounding must not decide.
const REL: f64 = 1e-9;
/// Gain below which it counts as none.
pub(super) const CLAMP: f64 = 1e-12;

/// Whether `new` is better than `old` by more than rounding.
#[inline]
pub(super) fn is_better(new: f64, old: f64) -> bool {
    new > old * (1.0 + REL) && new >= CLAMP
}

/// Treatment of rows whose cell is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingAnswer {
    /// Missing cells are an answer of their own.
    #[default]
    Own,
    /// Rows with a missing cell follow the answer of most weight.
    Likelier,
}

/// Scan over values from the lowest on, which tries cuts between them.
pub(super) struct Scan<'a> {
    score: Score,
    missing_answer: MissingAnswer,
    least: f64,
    missing: &'a [f64],
    missing_total: f64,
    /// Constant part of the gain: the worth of the missing rows if they are a part, minus that of all.
    constant: f64,
    total: f64,
    below: Vec<f64>,
    above: Vec<f64>,
    below_total: f64,
    above_total: f64,
    /// Best cut so far: its position, its gain, and the entropy of its answer.
    pub(super) best: Option<Cut>,
    pub(super) tried: usize,
}

/// Cut that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    pub(super) place: usize,
    pub(super) gain: f64,
    /// Entropy of the answer, in bits.
    pub(super) bits: f64,
}

impl<'a> Scan<'a> {
    /// Starts a scan over rows with class weights `classes`, of which `missing` have no value; no part may weigh less
    /// than `least`.
    pub(super) fn new(
        score: Score,
        missing_answer: MissingAnswer,
        least: f64,
        classes: &[f64],
        missing: &'a [f64],
    ) -> Self {
        let total: f64 = classes.iter().sum();
        let missing_total: f64 = missing.iter().sum();
        let mut constant = -score.worth(classes.iter().copied(), total);
        if missing_answer == MissingAnswer::Own {
            constant += score.worth(missing.iter().copied(), missing_total);
        }
        let above: Vec<f64> = classes.iter().zip(missing).map(|(all, missing)| all - missing).collect();
        Self {
            score,
            missing_answer,
            least,
            missing,
            missing_total,
            constant,
            total,
            below: vec![0.0; classes.len()],
            above_total: total - missing_total,
            above,
            below_total: 0.0,
            best: None,
            tried: 0,
        }
    }

    /// Moves one row below the next cut.
    #[inline]
    pub(super) fn add(&mut self, class: usize, weight: f64) {
        self.below[class] += weight;
        self.above[class] -= weight;
        self.below_total += weight;
        self.above_total -= weight;
    }

    /// Moves rows of these classes below the next cut.
    #[inline]
    pub(super) fn add_all(&mut self, classes: &[f64]) {
        for ((below, above), count) in self.below.iter_mut().zip(&mut self.above).zip(classes) {
            *below += count;
            *above -= count;
            self.below_total += count;
            self.above_total -= count;
        }
    }

    /// Tries a cut here.
    pub(super) fn cut(&mut self, place: usize) {
        // Sums and differences of weights that are not whole numbers leave rounding residue.
        if self.below_total < self.least || self.above_total < self.least.max(1e-12 * self.total) {
            return;
        }
        self.tried += 1;
        let joins_below = self.below_total >= self.above_total;
        let (with_below, with_above) = match self.missing_answer {
            MissingAnswer::Own => (0.0, 0.0),
            MissingAnswer::Likelier if joins_below => (1.0, 0.0),
            MissingAnswer::Likelier => (0.0, 1.0),
        };
        let part = |counts: &[f64], total: f64, with: f64| match with * self.missing_total {
            0.0 => self.score.worth(counts.iter().map(|count| count.max(0.0)), total),
            extra => {
                let counts = counts.iter().zip(self.missing).map(|(count, missing)| count.max(0.0) + missing);
                self.score.worth(counts, total + extra)
            }
        };
        let worth =
            part(&self.below, self.below_total, with_below) + part(&self.above, self.above_total, with_above);
        let gain = (worth + self.constant) / self.total;
        if self.best.is_none_or(|best| is_better(gain, best.gain)) && gain >= CLAMP {
            let own = if with_below + with_above == 0.0 { self.missing_total } else { 0.0 };
            let sizes = [
                self.below_total + with_below * self.missing_total,
                self.above_total + with_above * self.missing_total,
                own,
            ];
            self.best = Some(Cut { place, gain, bits: split_bits(sizes.into_iter(), self.total) });
        }
    }
}
