//! Issue 21: what `fewest` says can be believed, and what it reads it leaves alone. One program, because each takes long
//! to link.

mod claims;
mod lies;
mod numbers;
mod overwriting;
mod reading;
