//! Layout of a text table.

/// Layout of a text table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Character between two cells.
    pub(super) separator: u8,
    /// Bytes above the header.
    pub(super) skipped_bytes: usize,
    /// Lines above the header, as a spreadsheet counts rows.
    pub(super) skipped_rows: usize,
    /// Number of these lines that hold a text, without a line `sep=`.
    pub(super) titles: usize,
    /// Number of columns, if some rows have empty cells beyond the last one.
    pub(super) width: Option<usize>,
    /// Whether rows begin with a name that has no column in the header, as R writes them.
    pub(super) lacks_first_name: bool,
}

impl Layout {
    /// Layout in which the first line that is not blank is the header.
    pub(super) fn plain(separator: u8) -> Self {
        Self { separator, skipped_bytes: 0, skipped_rows: 0, titles: 0, width: None, lacks_first_name: false }
    }
}
