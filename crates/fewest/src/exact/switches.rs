//! What may be switched off, to show that it changes the time and never the answer.

/// The parts of the search that only save work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Keep what is known of many sets; off, of a handful.
    pub memo: bool,
    /// Bound by how little each test takes away from its most common answer.
    pub peel: bool,
    /// Limit how many can leave the path of most common answers by prices, too, in sets of so many objects at least; none:
    /// nowhere.
    pub prices: Option<u32>,
    /// Look at the paths of those who left that path, too, in sets of so many objects at least; none: nowhere.
    pub again: Option<u32>,
    /// Bound a set by its parts.
    pub parts: bool,
    /// Look one question ahead below every question before searching on.
    pub probe: bool,
    /// Copy small sets out of large grids.
    pub compact: bool,
    /// Try one test of those that split a set alike.
    pub distinct: bool,
    /// Try one first question of those that symmetries turn into each other.
    pub symmetry: bool,
}

impl Switches {
    /// All on.
    pub const ALL: Self = Self {
        memo: true,
        peel: true,
        prices: Some(16),
        again: Some(64),
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
