//! The nouns of fewest and their arithmetic.
//!
//! No search, no input or output, no clock, no randomness and no serialisation live here, so everything in this crate
//! can be read, tested and trusted on its own. Data flows one way: a [`Table`] is what was read, an [`Instance`] is
//! the validated problem, a [`Tree`] is a strategy for it, and [`Costs`] are the costs of the strategy.

mod candidates;
mod certificate;
mod choice;
mod contingency;
mod ids;
mod instance;
mod labels;
mod named;
mod nearest;
mod number;
mod objective;
mod packed_codes;
mod paid;
mod reading;
mod row_runs;
mod shares;
mod table;
mod tree;
mod weight;

pub use candidates::{Candidates, Run};
pub use certificate::{Certificate, Claim, Proof, Reason};
pub use choice::{Choice, Spell, spell_plainly};
pub use contingency::{Cell, Columns, Contingency, Count, Row, View, Weighing};
pub use ids::{AnswerId, GroupId, NodeId, ObjectId, TestId};
pub use instance::{
    Answer, Bundle, Instance, InstanceBuilder, InstanceError, Measure, ObjectSet, OpenBundles, Possible,
    Premise, PremiseError, PremiseProblem, Pricing, Sets, Test,
};
pub use labels::{Interner, Labels};
pub use named::Named;
pub use nearest::{did_you_mean, known_columns, nearest};
pub use number::midpoint;
pub use objective::{Costs, Lambda, LambdaError, Objective, ObjectiveKind, log_mean_exp};
pub use packed_codes::Codes;
pub use reading::{
    AnswerCost, BundlePrice, Identify, InBundle, Inseparable, MissingCells, NOT_RECORDED, Numeric,
    NumericError, Reading, Respelled, Role, Tolerance, Warning,
};
pub use row_runs::RowRuns;
pub use shares::Shares;
pub use table::{About, Column, ColumnBuilder, Missing, Table};
pub use tree::{Branches, Node, Objects, Tree, node_weights};
pub use weight::{Scaled, compensated_sum};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
