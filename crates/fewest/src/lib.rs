//! Find the order of questions that identifies an unknown object, or its group, with the fewest and cheapest
//! questions, and prove how far from the best possible that order is.
//!
//! Values in, values out: no files, no sockets, no printing.
//!
//! # From values to a proved strategy
//!
//! [`InstanceBuilder`] takes typed columns, [`build`] returns the best strategy it finds with a bound on every better
//! one.
//!
//! ```
//! use fewest::{Goal, InstanceBuilder, Limit, build};
//!
//! let (instance, _) = InstanceBuilder::new(["dog", "cat", "hen"])
//!     .test("barks", [true, false, false])
//!     .test("legs", [4, 4, 2])
//!     .groups(["mammal", "mammal", "bird"])
//!     .build()?;
//! let outcome = build(&instance, &Goal::default(), &Limit::none());
//! assert_eq!(outcome.costs.expected, 1.0); // asking for the legs is enough
//! assert!(outcome.optimal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to do next
//!
//! | to | use | example |
//! | --- | --- | --- |
//! | minimise another cost, limit the worst case, choose an algorithm | [`Goal`] | `examples/build.rs` |
//! | limit time or memory, cancel, follow the progress | [`Limit`], [`build_watched`] | `examples/exact_with_limit.rs` |
//! | ask the questions one by one, with wrong or missing answers | [`session::Session`] | `examples/session_loop.rs` |
//! | rank tests by a score of one's own | [`criterion::Criterion`], [`Greedy`] | `examples/custom_criterion.rs` |
//! | let an independent checker verify cost and bound | [`check`], [`Certificate`] | `examples/check_certificate.rs` |
//! | learn a tree from labelled rows | [`learn`] | `examples/learn.rs` |
//! | compare all algorithms, or trade expected against worst cost | [`compare`], [`front`] | |
//! | see which bounds hold, and why | [`bound`] | |
//! | see where a strategy loses against its bound, or what a wrong prior costs | [`loss`], [`robustness`] | |
//!
//! # How it works
//!
//! [`build`] tries every rule of [`algorithms`], then searches ([`exact`]) from the best tree until the bound meets
//! it or the limit is reached. A rule scores tests by a [`criterion`]; [`builder`] grows the tree. Every bound of
//! [`bound`] states why no tree can beat it, and with [`Goal::with_proof`] the search records claims that
//! `fewest-check` verifies without its code.

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
mod price;
pub mod random;
pub mod robustness;
pub mod session;

pub use algorithm::{Algorithm, Method, OPTIMAL, algorithms, find_algorithm};
pub use fewest_check::{CheckError, Verified, check};
pub use fewest_model::{
    Answer, AnswerCost, AnswerId, Branches, Bundle, BundlePrice, Candidates, Cell, Certificate, Choice,
    Claim, Column, ColumnBuilder, Columns, Contingency, Costs, GroupId, Identify, InBundle, Inseparable,
    Instance, InstanceBuilder, InstanceError, Lambda, LambdaError, Measure, MissingCells, Named, Node,
    NodeId, Numeric, NumericError, ObjectId, ObjectSet, Objective, ObjectiveKind, OpenBundles, Premise,
    PremiseError, PremiseProblem, Pricing, Proof, Reading, Reason, Respelled, Role, Row, Run, Shares, Spell,
    Table, Test, TestId, Tolerance, Tree, View, Warning, Weighing, spell_plainly,
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
