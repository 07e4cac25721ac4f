//! Use cases: operations on tables, sessions and searches, independent of the front end.
//!
//! `api` writes the results as JSON and `pages` as HTML; neither uses the store. The types here are the contents of
//! requests and responses, and their documentation is part of `/openapi.json`.

pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod prior;
pub(crate) mod questions;
pub(crate) mod quick_plan;
pub(crate) mod reread;
pub(crate) mod sessions;
pub(crate) mod simulate;
pub(crate) mod tables;
pub(crate) mod unreadable;
pub(crate) mod usage;
