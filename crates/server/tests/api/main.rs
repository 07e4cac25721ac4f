//! The API, without a socket, on SQLite and, where `FEWEST_TEST_POSTGRES` names a server, on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that finds nothing fails as it should")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod bench;
mod description;
mod fuzz;
mod limits;
mod pages;
mod questions;
mod safety;
mod sessions;
mod sockets;
mod strategies;
mod tables;
mod trust;
mod work;
