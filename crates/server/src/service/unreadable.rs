//! Rows of a list that cannot be read.

use crate::error::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Row of the database that cannot be read; it can be deleted by its id.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Unreadable {
    /// Id of the row.
    pub(crate) id: String,
    /// Reason why it cannot be read.
    pub(crate) problem: String,
}

/// Converts rows with `read`, and lists those that cannot be read by the ids that `id` returns.
pub(crate) fn read_each<R, T>(
    rows: Vec<R>,
    id: impl Fn(&R) -> String,
    read: impl Fn(R) -> Result<T, Problem>,
) -> (Vec<T>, Vec<Unreadable>) {
    let (mut read_rows, mut unreadable) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        let id = id(&row);
        match read(row) {
            Ok(row) => read_rows.push(row),
            Err(problem) => unreadable.push(Unreadable { id, problem: problem.detail }),
        }
    }
    (read_rows, unreadable)
}
