//! Messages about parts that a small build leaves out, with the way to get them.

use crate::endings::Kind;
use crate::failure::Failure;
use std::path::Path;

/// Command that installs a build with all features.
const INSTALL_FULL: &str = "cargo install --path crates/cli --features full";

/// Refusal of a command that this build does not have.
#[cfg(not(all(feature = "serve", feature = "mcp")))]
pub(crate) fn command(name: &str) -> Failure {
    Failure::wrong(format!(
        "this build of fewest has no `{name}`; install all of fewest with `{INSTALL_FULL}`"
    ))
}

/// Refuses a file that this build cannot write, before any work is done.
pub(crate) fn refuse_output(path: &Path, kind: Kind) -> Result<(), Failure> {
    let name = match kind {
        Kind::Png if !cfg!(feature = "png") => "PNG",
        Kind::Pdf if !cfg!(feature = "pdf") => "PDF",
        _ => return Ok(()),
    };
    Err(Failure::wrong(format!(
        "{}: this build of fewest writes no {name}; name a file that ends in .svg, or install all of fewest with `{INSTALL_FULL}`",
        path.display()
    )))
}
