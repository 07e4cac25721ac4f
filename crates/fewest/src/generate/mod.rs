//! Tables made from a seed: the random model of the papers, plain random tables, and thresholds on a line.
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
mod error;
mod groups;
mod random;
mod rows;
mod thresholds;
mod zipf;

pub use beta::Beta;
pub use error::GenerateError;
pub use random::{Answers, Random};
pub use thresholds::Thresholds;
