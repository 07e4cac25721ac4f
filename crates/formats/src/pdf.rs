//! SVG as PDF, without any other program: text stays text that can be searched, in built-in fonts.
//!
//! Only what the pictures of this crate hold is converted: paths and text in plain colours. Anything else is left out.

use crate::font;
use hashbrown::HashMap;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Size, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, LineCap, LineJoin, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Document, SerializeSettings};
use rayon::prelude::*;
use resvg::usvg::{self, Node, tiny_skia_path::PathSegment};

/// Points per unit of a drawing: CSS says 96 units an inch, PDF 72 points.
const POINTS: f32 = 0.75;
/// Pages that are parsed at the same time: all of them would take too much memory.
const TOGETHER: usize = 32;

/// Writes drawings as a PDF, one page each, each page as large as its drawing.
///
/// # Errors
/// When a drawing is not SVG, or the document cannot be made.
pub fn pdf_of_svgs(title: &str, pages: &[String]) -> Result<Vec<u8>, String> {
    let mut document =
        Document::new_with(SerializeSettings { enable_tagging: false, ..SerializeSettings::default() });
    document.set_metadata(Metadata::new().title(title.to_owned()).creator("fewest".to_owned()));
    let mut fonts = HashMap::new();
    for chunk in pages.chunks(TOGETHER) {
        let trees: Result<Vec<usvg::Tree>, String> = chunk.par_iter().map(|svg| font::parse(svg)).collect();
        for tree in trees? {
            draw_page(&mut document, &tree, &mut fonts)?;
        }
    }
    document.finish().map_err(|error| format!("{error:?}"))
}

fn draw_page(document: &mut Document, tree: &usvg::Tree, fonts: &mut Fonts) -> Result<(), String> {
    let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
    let size = Size::from_wh(width, height).ok_or("the picture has no size")?;
    let mut page = document.start_page_with(PageSettings::new(size));
    {
        let mut painter = Painter { surface: page.surface(), fonts, faces: tree.fontdb() };
        painter.surface.push_transform(&Transform::from_scale(POINTS, POINTS));
        painter.group(tree.root());
        painter.surface.pop();
    }
    page.finish();
    Ok(())
}

/// Fonts of a document, by their place among the built-in ones.
type Fonts = HashMap<usvg::fontdb::ID, Option<Font>>;

struct Painter<'a, 'b> {
    surface: Surface<'a>,
    fonts: &'b mut Fonts,
    faces: &'b usvg::fontdb::Database,
}

impl Painter<'_, '_> {
    /// Draws the contents of a group; groups within it wait in a list, so that no depth is too deep.
    fn group(&mut self, root: &usvg::Group) {
        let mut waiting: Vec<&Node> = root.children().iter().rev().collect();
        while let Some(node) = waiting.pop() {
            match node {
                Node::Group(group) => waiting.extend(group.children().iter().rev()),
                Node::Path(path) if path.is_visible() => self.path(path),
                Node::Text(text) => self.text(text),
                Node::Path(_) | Node::Image(_) => (),
            }
        }
    }

    fn path(&mut self, path: &usvg::Path) {
        let (fill, stroke) = (path.fill().and_then(fill), path.stroke().and_then(stroke));
        let Some(shape) = shape(path.data()).filter(|_| fill.is_some() || stroke.is_some()) else { return };
        self.surface.push_transform(&transform(path.abs_transform()));
        self.surface.set_fill(fill);
        self.surface.set_stroke(stroke);
        self.surface.draw_path(&shape);
        self.surface.pop();
    }

    fn text(&mut self, text: &usvg::Text) {
        self.surface.push_transform(&transform(text.abs_transform()));
        for span in text.layouted().iter().filter(|span| span.visible) {
            let Some(fill) = span.fill.as_ref().and_then(fill) else { continue };
            for glyph in &span.positioned_glyphs {
                let Some(font) = self.font(glyph.font) else { continue };
                // The glyph's transform scales from units of the font; the size of the text does that here.
                let size = span.font_size.get();
                let scale = font.units_per_em() / size;
                self.surface.push_transform(&transform(glyph.transform().pre_scale(scale, scale)));
                self.surface.set_fill(Some(fill.clone()));
                self.surface.set_stroke(None);
                let id = GlyphId::new(glyph.id.0);
                let drawn = KrillaGlyph::new(id, 0.0, 0.0, 0.0, 0.0, 0..glyph.text.len(), None);
                self.surface.draw_glyphs(Point::from_xy(0.0, 0.0), &[drawn], font, &glyph.text, size, false);
                self.surface.pop();
            }
        }
        self.surface.pop();
    }

    fn font(&mut self, id: usvg::fontdb::ID) -> Option<Font> {
        let faces = self.faces;
        let load =
            || faces.with_face_data(id, |data, index| Font::new(data.to_vec().into(), index)).flatten();
        self.fonts.entry(id).or_insert_with(load).clone()
    }
}

fn transform(from: usvg::Transform) -> Transform {
    Transform::from_row(from.sx, from.ky, from.kx, from.sy, from.tx, from.ty)
}

fn color(paint: &usvg::Paint) -> Option<rgb::Color> {
    match paint {
        usvg::Paint::Color(color) => Some(rgb::Color::new(color.red, color.green, color.blue)),
        _ => None,
    }
}

fn opacity(share: usvg::Opacity) -> NormalizedF32 {
    NormalizedF32::new(share.get()).unwrap_or(NormalizedF32::ONE)
}

fn fill(from: &usvg::Fill) -> Option<Fill> {
    let paint = color(from.paint())?.into();
    Some(Fill { paint, opacity: opacity(from.opacity()), ..Fill::default() })
}

fn stroke(from: &usvg::Stroke) -> Option<Stroke> {
    let dash = from.dasharray().map(|array| StrokeDash { array: array.to_vec(), offset: from.dashoffset() });
    Some(Stroke {
        paint: color(from.paint())?.into(),
        width: from.width().get(),
        miter_limit: from.miterlimit().get(),
        line_cap: LineCap::Butt,
        line_join: LineJoin::Miter,
        opacity: opacity(from.opacity()),
        dash,
    })
}

fn shape(path: &usvg::tiny_skia_path::Path) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => builder.move_to(to.x, to.y),
            PathSegment::LineTo(to) => builder.line_to(to.x, to.y),
            PathSegment::QuadTo(by, to) => builder.quad_to(by.x, by.y, to.x, to.y),
            PathSegment::CubicTo(by, and, to) => builder.cubic_to(by.x, by.y, and.x, and.y, to.x, to.y),
            PathSegment::Close => builder.close(),
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Bar, bars_svg};

    #[test]
    fn each_drawing_is_a_page_and_the_same_drawings_are_the_same_bytes() {
        let svg = |name: &str| bars_svg("title", "bits", &[Bar { name, value: 1.0 }]);
        let made = |pages: &[String]| pdf_of_svgs("title", pages).unwrap();
        let two = made(&[svg("hair"), svg("eyes")]);
        assert!(two.starts_with(b"%PDF-"));
        assert_eq!(two, made(&[svg("hair"), svg("eyes")]));
        assert!(two.len() > made(&[svg("hair")]).len());
        assert!(pdf_of_svgs("title", &["hello".to_owned()]).is_err());
    }
}
