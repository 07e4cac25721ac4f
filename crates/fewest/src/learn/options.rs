//! Options of growing a tree.

use super::{MissingAnswer, Score};
use fewest_model::Named;

/// Options of growing a tree; the defaults are those of the specification.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// Score of a question.
    pub score: Score,
    /// Form of questions about words.
    pub categories: Categories,
    /// Treatment of rows whose cell is missing.
    pub missing: MissingAnswer,
    /// Largest number of questions on a path.
    pub max_depth: usize,
    /// Least weight of the rows behind an answer.
    pub min_leaf: f64,
    /// Search for cuts of numbers.
    pub bins: Bins,
    /// Whether scores are used as they are, not divided by the cost of asking.
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

/// Form of questions about words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Categories {
    /// One answer for each word if a column has up to 16 words (2 with more than 50,000 rows), otherwise subsets.
    #[default]
    Auto,
    /// One answer for each word.
    Many,
    /// Question `is it x?`
    One,
    /// Question `is it one of these?`
    Subsets,
}

impl Named for Categories {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Auto, "auto", "Many ways for columns with up to 16 words and 50,000 rows, subsets for others"),
        (Self::Many, "many", "One answer for each word"),
        (Self::One, "one", "Is it this word?"),
        (Self::Subsets, "subsets", "Is it one of these words?"),
    ];
}

/// Search for cuts of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bins {
    /// Every cut if there are few rows, ranges if there are many.
    #[default]
    Auto,
    /// Every cut.
    Exact,
    /// At most this many ranges (255 at most), with the chosen cut refined between its neighbours.
    Ranges(u16),
}
