//! Learned trees: as JSON that can be read again, and drawn for people.

mod draw;
mod picture;
mod predict;
mod read;
mod sketch;
mod write;

pub use draw::draw_learned;
pub use picture::{path_svg, table_svg};
pub use predict::{Outline, Prediction, Predictor};
pub use read::{ModelError, SavedModel};
pub use sketch::sketch;
pub use write::{Learned, PruningPart, smoothing_word, write_learned};
