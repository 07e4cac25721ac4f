//! Find the order of questions that identifies an unknown object, or its group, with the fewest and cheapest
//! questions, and say how far from the best possible that order is.
//!
//! Values in, values out: no files, no sockets, no printing. [`build`] is the front door; [`criterion`] holds the
//! greedy rules, [`bound`] the numbers that no strategy can beat, [`loss`] where a strategy loses against them.
//!
//! ```
//! use fewest::{Goal, Instance, Limit, Reading, Table, build};
//!
//! let table = Table::from_rows(&[
//!     &["object", "group", "barks", "legs"],
//!     &["dog", "mammal", "yes", "4"],
//!     &["cat", "mammal", "no", "4"],
//!     &["hen", "bird", "no", "2"],
//! ]);
//! let (instance, _) = Instance::new(table, &Reading::default())?;
//! let outcome = build(&instance, &Goal::default(), &Limit::none());
//! assert_eq!(outcome.costs.expected, 1.0); // asking for the legs is enough
//! assert!(outcome.optimal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
pub mod bound;
pub mod builder;
pub mod criterion;
pub mod exact;
pub mod front;
mod goal;
pub mod inspect;
pub mod learn;
mod limit;
pub mod loss;
pub mod measure;
mod outcome;
mod policy;
mod portfolio;
pub mod random;
pub mod robustness;
pub mod session;

pub use algorithm::{Algorithm, Method, OPTIMAL, algorithms, find_algorithm};
pub use fewest_check::{CheckError, Verified, check};
pub use fewest_model::{
    Answer, AnswerId, Branches, Candidates, Cell, Certificate, Choice, Claim, Column, ColumnBuilder, Columns,
    Contingency, Costs, GroupId, Identify, Inseparable, Instance, InstanceBuilder, InstanceError, Lambda,
    LambdaError, MissingCells, Node, NodeId, Numeric, ObjectId, Objective, Proof, Reading, Reason, Role, Row,
    Run, Shares, Spell, Table, Test, TestId, Tree, View, Warning, Weighing, spell_plainly,
};
pub use goal::{Cap, Goal};
pub use limit::{Limit, MEMORY};
pub use outcome::{Origin, Outcome, Progress, StopReason, Trial, gap};
pub use policy::{Greedy, Policy};
pub use portfolio::{build, build_watched, compare, trials};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
