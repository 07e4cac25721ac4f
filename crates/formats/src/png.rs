//! SVG as PNG, without any other program and with a built-in font.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};
use std::sync::Arc;

/// Pixels per unit of the drawing: sharp on today's screens.
const SCALE: f32 = 2.0;
/// Most pixels per side: memory grows with the square.
const LARGEST: f32 = 16_000.0;

/// Renders `svg` as PNG. A picture that would be too large is scaled down, not refused.
///
/// # Errors
/// When `svg` is not SVG, or the picture cannot be made.
pub fn png_of_svg(svg: &str) -> Result<Vec<u8>, String> {
    let mut fonts = Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let family = fonts.faces().next().and_then(|face| face.families.first()).map(|(name, _)| name.clone());
    let family = family.ok_or("the font has no name")?;
    fonts.set_sans_serif_family(&family);
    let options = Options { font_family: family, fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let scale = SCALE.min(LARGEST / size.width().max(size.height()));
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
