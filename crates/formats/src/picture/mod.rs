//! Pictures of trees, for strategies and learned trees alike.
//!
//! [`Sketch`] is what is drawn, [`tree_svg`] draws it on one picture of any size, [`tree_pages`] on pages of paper.

mod fold;
mod layout;
mod pages;
mod palette;
mod sketch;
mod svg;

pub use fold::Limits;
pub use pages::{TreePages, tree_pages};
pub(crate) use palette::Palette;
pub use sketch::{Marks, Sketch, SketchNode};
pub use svg::{Folded, TreeSvg, tree_svg};

#[cfg(test)]
mod tests;
