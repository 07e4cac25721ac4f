//! The head of all pages about one table.

use super::{demos, wording};
use crate::service::tables::InstanceSize;
use crate::tables::LoadedTable;

/// The name of the table, its size, and where to go from here.
pub(super) struct Head {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) size: String,
    /// The page that this is: `check`, `build`, `compare` or `ask`.
    pub(super) here: &'static str,
    /// Whether somebody's health may hang on the answers.
    pub(super) advice: bool,
}

impl Head {
    pub(super) fn new(table: &LoadedTable, here: &'static str) -> Self {
        Self {
            table: table.id.clone(),
            name: table.name.clone(),
            size: wording::size(&InstanceSize::of(table)),
            here,
            advice: demos::is_about_health(&table.name, &table.instance),
        }
    }
}
