//! The API, without a socket, on SQLite and, where `FEWEST_TEST_POSTGRES` names a server, on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]

mod bench;
mod description;
mod questions;
mod safety;
mod sessions;
mod strategies;
mod tables;
