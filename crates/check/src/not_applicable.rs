//! Reason to refuse a test where it may not be asked.

use thiserror::Error;

/// Test that is asked while an object is possible that it may not be asked of.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("test `{test}` is asked while object `{object}` is possible, but {reason}")]
pub struct NotApplicable {
    /// The test.
    pub test: String,
    /// First such object.
    pub object: String,
    /// Words for why the test may not be asked of it.
    pub reason: String,
}
