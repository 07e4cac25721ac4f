//! Parts of the search that may be switched off, to show that they change the time and never the answer.

/// Parts of the search that only save work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Keep the bounds of many sets; if off, of only a few.
    pub memo: bool,
    /// Bound a set by its majority path.
    pub majority_path: bool,
    /// Limit by prices as well how many objects can leave the majority path, in sets of at least this many objects;
    /// `None` disables it.
    pub prices: Option<u32>,
    /// Apply the majority-path bound recursively to the minority parts, in sets of at least this many objects; `None`
    /// disables it.
    pub nested: Option<u32>,
    /// Bound a set by its parts.
    pub parts: bool,
    /// Probe one question ahead below every question before searching on.
    pub probe: bool,
    /// Copy small sets out of large grids.
    pub compact: bool,
    /// Try only one of the tests that split a set in the same way.
    pub distinct: bool,
    /// Try only one of the first questions that symmetries map to each other.
    pub symmetry: bool,
}

impl Switches {
    /// All parts switched on.
    pub const ALL: Self = Self {
        memo: true,
        majority_path: true,
        prices: Some(16),
        nested: Some(64),
        parts: true,
        probe: true,
        compact: true,
        distinct: true,
        symmetry: true,
    };
}

impl Default for Switches {
    fn default() -> Self {
        Self::ALL
    }
}
