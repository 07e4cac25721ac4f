//! Endings of file names.

use std::path::Path;

/// Whether the name of a file ends in `.kind`, in any case.
pub(crate) fn has_ending(path: &Path, kind: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(kind))
}
