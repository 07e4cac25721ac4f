//! Options of drawing a tree as text.

use clap::Args;

/// Depth to which a tree is drawn.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct DrawingArgs {
    /// Draw at most this many questions in a row [default: what fits about a page]
    #[arg(long, value_name = "N", conflicts_with = "full")]
    pub(crate) depth: Option<usize>,
    /// Draw the whole tree, however large
    #[arg(long)]
    pub(crate) full: bool,
}
