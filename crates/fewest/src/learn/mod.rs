//! Supervised trees: questions about the columns of labelled examples, chosen by what they say of the class.
//!
//! [`Examples`] are rows with a class; [`fit`] grows a [`Model`] from them. Where a strategy of
//! [`build`](crate::build) must name the object or group without error, a tree here may be wrong and says how often.

mod examples;
mod field;
mod fit;
mod grid;
mod question;
mod scan;
mod score;
mod search;
mod target;
mod tree;

pub use examples::{ClassWeights, Examples, ExamplesError, MOST_CLASSES, MOST_WORDS, Notice, Preparation};
pub use field::{Field, MISSING, Stray, Value, Values};
pub use fit::{Bins, Categories, DEEPEST, FitOptions, Grower, fit, model};
pub use question::{Answer, NO, Question, YES};
pub use scan::MissingAnswer;
pub use score::Score;
pub use target::{Comparison, Target};
pub use tree::{FieldName, LearnedNode, LearnedTree, Model, Split};
