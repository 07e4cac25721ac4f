//! Head of all pages about one table.

use super::{demos, wording};
use crate::service::tables::InstanceSize;
use crate::tables::LoadedTable;

/// Name of the table, its size, and links to its pages.
pub(super) struct Head {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) size: String,
    /// Current page: `check`, `build`, `compare` or `ask`.
    pub(super) here: &'static str,
    /// Whether a person's health may depend on the answers.
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
