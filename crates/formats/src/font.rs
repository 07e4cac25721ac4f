//! The built-in fonts of pictures, and drawings parsed with them: the same bytes on every system.

use resvg::usvg::{Node, Options, Tree, fontdb::Database};
use std::collections::BTreeSet;
use std::fmt::Write;
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

/// Letters of `drawings` that the built-in fonts do not have, each once: a PNG or PDF shows empty boxes for them.
pub fn letters_not_drawn(drawings: &[String]) -> Vec<char> {
    let letters: BTreeSet<char> =
        drawings.iter().flat_map(|svg| svg.chars()).filter(|letter| !letter.is_ascii()).collect();
    if letters.is_empty() {
        return Vec::new();
    }
    // Drawn one by one, in the order of the letters: what is laid out as the empty box is missing.
    let mut probe = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">");
    for letter in &letters {
        let _ = write!(probe, "<text>{letter}</text>");
    }
    probe += "</svg>";
    let Ok(tree) = parse(&probe) else { return Vec::new() };
    let mut missing = BTreeSet::new();
    let mut waiting: Vec<&Node> = tree.root().children().iter().collect();
    while let Some(node) = waiting.pop() {
        match node {
            Node::Group(group) => waiting.extend(group.children()),
            Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                missing.extend(glyphs.filter(|glyph| glyph.id.0 == 0).flat_map(|glyph| glyph.text.chars()));
            }
            Node::Path(_) | Node::Image(_) => (),
        }
    }
    letters.intersection(&missing).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_without_a_glyph_are_found() {
        let missing = |text: &str| letters_not_drawn(&[text.to_owned()]);
        assert_eq!(missing("a ≥ 3, été, 10–20 → Größe"), Vec::<char>::new());
        assert_eq!(missing("水 and 火, 水 again"), ['水', '火']);
    }
}
