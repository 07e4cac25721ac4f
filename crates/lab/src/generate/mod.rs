//! Made tables: random ones from a seed (the model of the papers, plain random answers, set covers), families whose
//! optimum is known by other means (thresholds on a line, all splits, one test an object, priors that halve), and
//! puzzles (sorting, Mastermind, counterfeit coins).
//!
//! Values in, values out, and the same table for the same options on every machine.
//!
//! ```
//! use fewest_lab::generate::Beta;
//!
//! let options = Beta { objects: 40, tests: 30, groups: Some(3), seed: 7, ..Beta::default() };
//! let table = options.generate()?;
//! assert_eq!((table.objects.len(), table.columns.len()), (40, 31)); // 30 tests and the groups
//! # Ok::<(), fewest_lab::generate::GenerateError>(())
//! ```

mod beta;
mod coins;
mod costs;
mod draft;
mod dyadic;
mod error;
mod groups;
mod mastermind;
mod prior;
mod random;
mod rows;
mod set_cover;
mod singletons;
mod sorting;
mod subsets;
mod thresholds;
mod zipf;

pub use beta::Beta;
pub use coins::Coins;
pub use costs::TestCosts;
pub use dyadic::Dyadic;
pub use error::GenerateError;
pub use mastermind::Mastermind;
pub use prior::Prior;
pub use random::{Answers, Random};
pub use set_cover::SetCover;
pub use singletons::Singletons;
pub use sorting::Sorting;
pub use subsets::Subsets;
pub use thresholds::Thresholds;
