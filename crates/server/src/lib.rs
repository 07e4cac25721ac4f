//! The web app and the HTTP API of fewest.
//!
//! [`router()`] makes a router of an [`App`], so that tests need no socket; [`serve`](mod@serve) puts it behind a
//! socket. The API is under `/api/v1` and described by `/openapi.json`; everything else is pages for people.
//!
//! Layers, from the outside in: `router` and `guard`; `api` (JSON) and `pages` (HTML), which only translate;
//! `service`, the use cases; `state`, which requests share; `store`, `tables` and `jobs`. Each layer uses only those
//! after it.

mod api;
mod error;
mod extract;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod held;
mod id;
mod jobs;
mod json;
mod limits;
mod metrics;
mod options;
mod pages;
mod pool;
mod response_cache;
mod router;
pub mod serve;
mod service;
mod spell;
mod state;
mod store;
mod tables;
mod time;
mod word;

pub use api::openapi;
pub use error::Problem;
pub use guard::{Hosts, NewToken, TokenInfo, add_token, list_tokens, new_token, revoke_token};
pub use limits::Limits;
pub use router::router;
pub use state::{App, Settings, StartError};
pub use store::{Cause, Effect, Failure, Place, Setting, SpellSetting, Store, StoreError};
