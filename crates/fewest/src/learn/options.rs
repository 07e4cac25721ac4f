//! Options of growing a tree.

use super::{MissingAnswer, Score};

/// How a tree is grown; the defaults are those of the specification.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// What a good question is.
    pub score: Score,
    /// How words are asked for.
    pub categories: Categories,
    /// What is done with rows whose cell is missing.
    pub missing: MissingAnswer,
    /// The most questions in a row.
    pub max_depth: usize,
    /// The least weight of the rows behind an answer.
    pub min_leaf: f64,
    /// How numbers are searched.
    pub bins: Bins,
    /// Whether scores are taken as they are, not divided by what asking costs.
    pub cost_blind: bool,
}

/// Largest depth of a learned tree: a deeper one could not be read.
pub const DEEPEST: usize = 1000;

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            score: Score::default(),
            categories: Categories::default(),
            missing: MissingAnswer::default(),
            max_depth: DEEPEST,
            min_leaf: 1.0,
            bins: Bins::default(),
            cost_blind: false,
        }
    }
}

/// How words are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Categories {
    /// Many ways where a column has up to 16 words (2 with more than 50,000 rows), subsets where it has more.
    #[default]
    Auto,
    /// One answer for each word.
    Many,
    /// `is it x?`
    One,
    /// `is it one of these?`
    Subsets,
}

/// How numbers are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bins {
    /// Every cut where there are few rows, ranges where there are many.
    #[default]
    Auto,
    /// Every cut.
    Exact,
    /// At most this many ranges (255 at most), with the chosen cut refined between its neighbours.
    Ranges(u16),
}
