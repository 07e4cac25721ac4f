//! Tables made from a seed: the random model of the papers, plain random tables, thresholds on a line, set covers
//! and priors that halve.
//!
//! Values in, values out, and the same table for the same options on every machine.
//!
//! ```
//! use fewest::generate::Beta;
//!
//! let options = Beta { objects: 40, tests: 30, groups: Some(3), seed: 7, ..Beta::default() };
//! let table = options.generate()?;
//! assert_eq!((table.objects.len(), table.columns.len()), (40, 31)); // 30 tests and the groups
//! # Ok::<(), fewest::generate::GenerateError>(())
//! ```

mod beta;
mod dice;
mod draft;
mod dyadic;
mod error;
mod groups;
mod random;
mod rows;
mod set_cover;
mod thresholds;
mod zipf;

pub use beta::Beta;
pub use dyadic::Dyadic;
pub use error::GenerateError;
pub use random::{Answers, Random};
pub use set_cover::SetCover;
pub use thresholds::Thresholds;
