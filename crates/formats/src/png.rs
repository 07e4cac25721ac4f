//! SVG as PNG, without any other program and with built-in fonts.

use crate::font;
use resvg::tiny_skia::{Pixmap, Transform};

/// Pixels per unit of the drawing: sharp on today's screens.
const SCALE: f32 = 2.0;
/// Most pixels per side: memory grows with the square.
const LARGEST: f32 = 16_000.0;
/// Most pixels of a picture: 4 bytes each, and as much time as a reader waits.
const MOST_PIXELS: f32 = 2.4e7;

/// Renders `svg` as PNG. A picture that would be too large is scaled down, not refused.
///
/// # Errors
/// When `svg` is not SVG, or the picture cannot be made.
pub fn png_of_svg(svg: &str) -> Result<Vec<u8>, String> {
    let tree = font::parse(svg)?;
    let size = tree.size();
    let fits = (MOST_PIXELS / (size.width() * size.height())).sqrt();
    let scale = SCALE.min(LARGEST / size.width().max(size.height())).min(fits);
    let side = |length: f32| ((length * scale).ceil() as u32).max(1);
    let mut pixels = Pixmap::new(side(size.width()), side(size.height())).ok_or("the picture has no size")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Bar, bars_svg};

    #[test]
    fn a_plot_becomes_a_picture_with_text_in_it() {
        let png = |name: &str| png_of_svg(&bars_svg("title", "bits", &[Bar { name, value: 1.0 }])).unwrap();
        let picture = png("hair");
        assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
        // The name is drawn: another name makes another picture.
        assert_ne!(picture, png("eyes"));
        assert_eq!(picture, png("hair"));
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        assert!(png_of_svg("hello").is_err());
    }
}
