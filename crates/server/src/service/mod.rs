//! Use cases: what can be done with tables, sessions and searches, whatever asks for it.
//!
//! `api` writes the results as JSON and `pages` as HTML; neither talks to the store. The types here are those
//! that requests and responses are made of, and their documentation is part of `/openapi.json`.

pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod prior;
pub(crate) mod questions;
pub(crate) mod sessions;
pub(crate) mod simulate;
pub(crate) mod tables;
pub(crate) mod unreadable;
pub(crate) mod usage;
