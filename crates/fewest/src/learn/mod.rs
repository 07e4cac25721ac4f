//! Supervised trees: questions about the columns of labelled examples, chosen by their information about the class.
//!
//! [`Examples`] are rows with a class; [`fit`] grows a [`Model`] from them, [`grow_and_prune`] also removes questions
//! that may be chance, and [`cross_validate`] estimates how well the result predicts. While a strategy of
//! [`build`](crate::build) must name the object or group without error, a tree here may be wrong and says how often.

mod error;
mod evaluate;
mod examples;
mod field;
mod fit;
mod grid;
mod options;
mod prune;
mod question;
mod relate;
mod scan;
mod score;
mod search;
mod significance;
mod sizes;
mod smoothing;
mod target;
mod tree;
mod validate;
mod weights;

pub use error::ExamplesError;
pub use evaluate::{CalibrationPart, Evaluation, wilson};
pub use examples::{Examples, Notice, Preparation};
pub use field::{Field, MISSING, Stray, Value, Values};
pub use fit::{Grower, fit, model};
pub use options::{Bins, Categories, DEEPEST, FitOptions};
pub use prune::{Levels, Order, p_value_levels, price_levels, reduce_errors};
pub use question::{Answer, NO, Question, YES};
pub use relate::{Divergence, Relation, divergence, relate};
pub use scan::MissingAnswer;
pub use score::Score;
pub use significance::{Correction, Method, Significance, Testing, holm, significance, significances};
pub use sizes::{MAX_CLASSES, MAX_WORDS};
pub use smoothing::Smoothing;
pub use target::{Comparison, Target};
pub use tree::{FieldName, LearnedNode, LearnedTree, Model, Split};
pub use validate::{
    CrossValidation, PathPoint, Pruned, Pruning, Strength, Validation, cross_validate, cross_validate_within,
    fewest_errors, grow_and_prune, one_standard_error, stratified_folds, stratified_holdout,
};
pub use weights::ClassWeights;
