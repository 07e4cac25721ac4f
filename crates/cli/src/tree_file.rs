//! Trees as files: pictures, pages and graphs, for strategies and learned trees alike.

use crate::args::DrawingArgs;
use crate::endings::Kind;
use crate::failure::Failure;
use crate::print::Printer;
use fewest_formats::export::{Block, Report, dot, outline_html};
use fewest_formats::picture::{Folded, Limits, Sketch, tree_pages, tree_svg};
use fewest_formats::text::count;
use std::path::Path;

/// What a picture shows by default: about what can be read on a screen.
const READABLE: Limits = Limits { rows: 60, depth: 12, answers: 30 };
/// Most rows of a PNG: more pixels would not fit the memory of those who look at it.
const PNG_ROWS: usize = 400;
/// Most questions in a row in a PNG.
const PNG_DEPTH: usize = 40;
/// Most pages by default, and with `--full`.
const PAGES: usize = 16;
const ALL_PAGES: usize = 2000;

/// Limits of a picture from the options.
fn limits(drawing: DrawingArgs, kind: Kind) -> Limits {
    let limits = match (drawing.full, drawing.depth) {
        (true, _) => Limits::NONE,
        (false, Some(depth)) => Limits { depth, ..Limits::NONE },
        (false, None) => READABLE,
    };
    match kind {
        Kind::Png => Limits { rows: limits.rows.min(PNG_ROWS), depth: limits.depth.min(PNG_DEPTH), ..limits },
        _ => limits,
    }
}

/// Saves a tree as a picture, a page or a graph; `report` is what a page says beside the tree.
pub(crate) fn save_tree(
    path: &Path,
    kind: Kind,
    sketch: &Sketch,
    report: Report,
    drawing: DrawingArgs,
    printer: &Printer,
) -> Result<(), Failure> {
    match kind {
        Kind::Pdf => {
            let drawn = tree_pages(sketch, if drawing.full { ALL_PAGES } else { PAGES });
            printer.save_pages(path, kind, &drawn.pages)?;
            let larger = if drawing.full { "" } else { "--full draws more pages; " };
            tell(path, drawn.folded, larger, printer);
            Ok(())
        }
        Kind::Dot => printer.save(path, |out| dot(out, sketch)),
        Kind::Markdown => printer.save(path, |out| out.write_all(report.markdown().as_bytes())),
        Kind::Html => {
            let page = page(sketch, report, drawing);
            printer.save(path, |out| out.write_all(page.html().as_bytes()))
        }
        _ => {
            let drawn = tree_svg(sketch, limits(drawing, kind));
            printer.save_pages(path, kind, &[drawn.svg])?;
            let is_most = drawing.full || kind == Kind::Png;
            let larger = if is_most { "" } else { "--full draws all, --depth N more or less; " };
            tell(path, drawn.folded, larger, printer);
            Ok(())
        }
    }
}

/// Page with a picture, folded where the tree is large, the tables of `report` and the whole tree as an outline.
fn page(sketch: &Sketch, report: Report, drawing: DrawingArgs) -> Report {
    // The page has the title already.
    let untitled = Sketch { title: String::new(), about: String::new(), ..sketch.clone() };
    let svg = tree_svg(&untitled, limits(drawing, Kind::Svg)).svg;
    let drawn = |block: &Block| matches!(block, Block::Drawn(_));
    let mut blocks: Vec<Block> = report.blocks.into_iter().filter(|block| !drawn(block)).collect();
    blocks.push(Block::Picture(svg));
    blocks.push(Block::Html(format!("<h2>All questions</h2>\n{}", outline_html(sketch))));
    Report { title: report.title, blocks }
}

/// Says what a picture leaves out, and how to see it.
fn tell(path: &Path, folded: Folded, larger: &str, printer: &Printer) {
    if folded.places == 0 {
        return;
    }
    printer.note(&format!(
        "{}: {} in {} not drawn; {larger}.html, .dot and .csv hold the whole tree",
        path.display(),
        count(folded.leaves, "leaf"),
        count(folded.places, "folded part"),
    ));
}
