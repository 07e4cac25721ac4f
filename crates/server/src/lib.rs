//! The web app and the HTTP API of fewest.
//!
//! [`app`] makes a router of an [`App`], so that tests need no socket; [`serve`](mod@serve) puts it behind one. The API is under
//! `/api/v1` and described by `/openapi.json`; everything else is pages for people.

mod answering;
mod api;
mod app;
mod error;
mod extract;
mod figure;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod id;
mod jobs;
mod limits;
mod metrics;
mod options;
mod pages;
mod pool;
pub mod serve;
mod spell;
mod store;
mod tables;
mod time;

pub use api::openapi;
pub use app::{App, Settings, StartError, app};
pub use error::Problem;
pub use guard::{Hosts, NewToken, TokenInfo, add_token, list_tokens, new_token, revoke_token};
pub use limits::Limits;
pub use store::{Cause, Effect, Failure, Place, Store, StoreError};
