//! The built-in fonts of pictures, and drawings parsed with them: the same bytes on every system.

use resvg::usvg::{Options, Tree, fontdb::Database};
use std::sync::{Arc, OnceLock};

/// Options of parsing a drawing: letters come from the built-in fonts only.
fn options() -> Result<&'static Options<'static>, String> {
    static OPTIONS: OnceLock<Option<Options<'static>>> = OnceLock::new();
    let made = OPTIONS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        // The others have letters that the first lacks: arrows and signs, and symbols for emoji.
        fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
        fonts.load_font_data(epaint_default_fonts::NOTO_EMOJI_REGULAR.to_vec());
        let family = fonts.faces().next()?.families.first()?.0.clone();
        fonts.set_sans_serif_family(&family);
        Some(Options { font_family: family, fontdb: Arc::new(fonts), ..Options::default() })
    });
    made.as_ref().ok_or_else(|| "the built-in font has no name".to_owned())
}

/// Parses a drawing.
///
/// # Errors
/// When `svg` is not SVG.
pub(crate) fn parse(svg: &str) -> Result<Tree, String> {
    Tree::from_str(svg, options()?).map_err(|error| error.to_string())
}
