//! A tree on pages of A4: a part that does not fit continues on a later page, and both places name each other.

use super::fold::{Limits, Part, fold};
use super::layout::{Laid, lay_out};
use super::palette::Palette;
use super::sketch::Sketch;
use super::svg::{Folded, Head, MARGIN, draw, folded_text, style};
use crate::plot::measure::{width, wrap};
use crate::plot::{open, push, short, text};
use crate::text::count;
use std::collections::VecDeque;

/// A4 across and upright, in units of CSS.
const ACROSS: (f64, f64) = (1123.0, 794.0);
const UPRIGHT: (f64, f64) = (794.0, 1123.0);
/// Smallest scale at which letters on paper can be read: 13 units become 5.4 points.
const READABLE: f64 = 0.55;
/// Limits of one part of a tree on a page: about what is readable there.
const PART: Limits = Limits { rows: 24, depth: 5, answers: 24 };
/// Height of a page that is filled with parts, before it is scaled.
const ROOM: f64 = 1350.0;
/// Narrowest page, before it is scaled.
const NARROWEST: f64 = 640.0;
/// Space between two parts on one page, and the height of a part's heading.
const BETWEEN: f64 = 26.0;
const HEADING: f64 = 24.0;

/// Pages of a tree.
#[derive(Clone, Debug)]
pub struct TreePages {
    /// Pages as SVG.
    pub pages: Vec<String>,
    /// Part that no page shows.
    pub folded: Folded,
}

/// Part of a tree that is drawn together: its number, its root and where it continues from.
struct Piece {
    number: usize,
    laid: Laid,
    heading: Vec<String>,
    height: f64,
}

/// Root of a part that waits for its page.
#[derive(Clone, Copy)]
struct Waiting {
    root: usize,
    number: usize,
    /// Number of the part in which it is folded.
    from: usize,
}

/// Draws a tree on at most `most` pages: on one page where it can be read there.
pub fn tree_pages(sketch: &Sketch, most: usize) -> TreePages {
    let leaves = sketch.leaves();
    let palette = Palette::of(sketch);
    if leaves.first().is_some_and(|leaves| *leaves <= 80) {
        let laid = lay_out(sketch, &fold(sketch, 0, Limits::NONE, &leaves), |_| None);
        if let Some(page) = one_page(sketch, &palette, &laid) {
            return TreePages { pages: vec![page], folded: Folded::default() };
        }
    }
    let (pages, left) = fill(sketch, &leaves, most.max(1));
    let all = pages.len();
    let drawn = pages.iter().enumerate().map(|(at, pieces)| page(sketch, &palette, pieces, at + 1, all));
    let folded = Folded { places: left.len(), leaves: left.iter().map(|one| leaves[one.root]).sum() };
    TreePages { pages: drawn.collect(), folded }
}

/// The whole tree on one page, in the direction that needs less scaling; `None` where it cannot be read.
fn one_page(sketch: &Sketch, palette: &Palette, laid: &Laid) -> Option<String> {
    let wide = laid.width.max(NARROWEST);
    let head = Head::new(sketch, &sketch.about, palette, wide);
    let (paper, scale) = paper(wide + 2.0 * MARGIN, head.height + laid.height + 2.0 * MARGIN);
    if scale < READABLE {
        return None;
    }
    let mut svg = begin(sketch, paper, scale);
    head.draw(&mut svg, palette);
    draw(&mut svg, sketch, palette, laid, (MARGIN, MARGIN + head.height));
    Some(svg + "  </g>\n</svg>\n")
}

/// Direction of the paper that needs less scaling, and the scale.
fn paper(wide: f64, high: f64) -> ((f64, f64), f64) {
    let scale = |paper: (f64, f64)| (paper.0 / wide).min(paper.1 / high).min(1.0);
    let paper = if scale(UPRIGHT) > scale(ACROSS) { UPRIGHT } else { ACROSS };
    (paper, scale(paper))
}

fn begin(sketch: &Sketch, paper: (f64, f64), scale: f64) -> String {
    let mut svg = String::new();
    open(&mut svg, &sketch.title, &sketch.about, paper, &style());
    push(&mut svg, &format!("  <g transform=\"scale({scale:.4})\">"));
    svg
}

/// Shares the tree out among pages, in order; returns the parts that no page has space for as well.
fn fill(sketch: &Sketch, leaves: &[usize], most: usize) -> (Vec<Vec<Piece>>, Vec<Waiting>) {
    let questions = sketch.questions();
    let mut waiting = VecDeque::from([Waiting { root: 0, number: 1, from: 0 }]);
    let mut numbers = 1usize;
    let (mut pages, mut used): (Vec<Vec<Piece>>, f64) = (vec![Vec::new()], 0.0);
    while let Some(next) = waiting.pop_front() {
        let items = fold(sketch, next.root, PART, leaves);
        // A question with too many answers shows the likeliest; here all are drawn, as there is no later page for them.
        let items = match items.iter().any(|item| matches!(item.part, Part::Rest { .. })) {
            true => fold(sketch, next.root, Limits { answers: usize::MAX, ..PART }, leaves),
            false => items,
        };
        let mut found = Vec::new();
        let laid = lay_out(sketch, &items, |root| {
            numbers += 1;
            found.push(Waiting { root, number: numbers, from: next.number });
            Some(format!("{}: part {numbers}", folded_text(questions[root], leaves[root])))
        });
        let heading = heading(sketch, next, laid.width);
        let height = laid.height + HEADING * heading.len() as f64 + BETWEEN;
        if used > 0.0 && used + height > ROOM {
            if pages.len() == most {
                waiting.push_front(next);
                return (pages, waiting.into());
            }
            pages.push(Vec::new());
            used = 0.0;
        }
        used += height;
        waiting.extend(found);
        pages.last_mut().expect("there is a page").push(Piece { number: next.number, laid, heading, height });
    }
    (pages, Vec::new())
}

/// Heading of a part: its number, where it comes from, and the answer that leads to it.
fn heading(sketch: &Sketch, part: Waiting, wide: f64) -> Vec<String> {
    if part.from == 0 {
        return Vec::new();
    }
    let words = format!("Part {}, from part {}: {}", part.number, part.from, sketch.nodes[part.root].answer);
    wrap(&words, 13.0, wide.max(500.0))
}

fn page(sketch: &Sketch, palette: &Palette, pieces: &[Piece], number: usize, all: usize) -> String {
    let about = match number {
        1 => format!("{} On {}.", sketch.about, count(all, "page")).trim_start().to_owned(),
        _ => String::new(),
    };
    let numbers = pieces.iter().map(|piece| piece.number);
    let (first, last) = (numbers.clone().min().unwrap_or(1), numbers.max().unwrap_or(1));
    let wide = pieces.iter().map(|piece| piece.laid.width).fold(NARROWEST, f64::max);
    let head = Head::new(sketch, &about, palette, wide);
    let high = pieces.iter().map(|piece| piece.height).sum::<f64>() + head.height + 2.0 * MARGIN + 24.0;
    let (paper, scale) = paper(wide + 2.0 * MARGIN, high);
    let mut svg = begin(sketch, paper, scale);
    head.draw(&mut svg, palette);
    let mut y = MARGIN + head.height;
    for piece in pieces {
        for line in &piece.heading {
            text(&mut svg, MARGIN, y + 14.0, "n", "start", line);
            y += HEADING;
        }
        draw(&mut svg, sketch, palette, &piece.laid, (MARGIN, y));
        y += piece.laid.height + BETWEEN;
    }
    push(&mut svg, "  </g>");
    let parts = if first == last { format!("part {first}") } else { format!("parts {first} to {last}") };
    let foot = format!("{parts} · page {number} of {all}");
    let left = paper.0 - MARGIN - width(&foot, 11.0);
    push(
        &mut svg,
        &format!("  <text class=\"d\" x=\"{}\" y=\"{}\">{foot}</text>", short(left), short(paper.1 - 8.0)),
    );
    svg + "</svg>\n"
}
