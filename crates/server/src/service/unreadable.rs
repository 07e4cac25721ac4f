//! Rows of a list that cannot be read.

use crate::error::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that is kept, and cannot be read; it can be deleted by its name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Unreadable {
    /// Its name here.
    pub(crate) id: String,
    /// What is wrong.
    pub(crate) problem: String,
}

/// Understands rows, those that can be, and lists the others by the names that `id` gives them.
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
