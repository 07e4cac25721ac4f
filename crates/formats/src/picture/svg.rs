//! A laid-out tree as SVG: lines as thick as they are likely, answers on them, groups in colour with a key.

use super::fold::{Item, Limits, Part, fold};
use super::layout::{
    ANSWER, ANSWER_LINE, BAND, BAR, CURVE, DETAIL_LINE, Laid, NAME_LINE, PAD, Placed, lay_out,
};
use super::palette::{Palette, style as colours, swatch};
use super::sketch::{Marks, Sketch};
use crate::plot::measure::{width, wrap};
use crate::plot::{escape, open, push, short, text};
use crate::text::count;

/// Space around a picture.
pub(crate) const MARGIN: f64 = 20.0;
/// Narrowest picture: its title needs some width.
const NARROWEST: f64 = 460.0;
/// Width of the line of what happens for certain.
const THICKEST: f64 = 10.0;
/// Sizes of letters of title and text.
const TITLE: f64 = 17.0;
const WORDS: f64 = 12.0;
const WORDS_LINE: f64 = 17.0;
/// Height of a line of the key.
const KEY_LINE: f64 = 22.0;

const STYLE: &str = "\
    .title { font-size: 17px; }
    .ask { fill: #eef2f7; stroke: #5b6b80; }
    .end { fill: #ffffff; stroke: #9aa3ad; }
    .more { fill: #ffffff; stroke: #9aa3ad; stroke-dasharray: 4 3; }
    .way { stroke: #c4cad2; fill: none; }
    .n { font-size: 13px; font-weight: 600; }
    .d { font-size: 11px; fill: #4d5560; }
    @media (prefers-color-scheme: dark) {
      .ask { fill: #262d38; stroke: #8b9bb2; }
      .end { fill: #1d2026; stroke: #6d757f; }
      .more { fill: #16181c; stroke: #6d757f; }
      .way { stroke: #4a515b; }
      .d { fill: #b4bcc6; }
    }
";

/// Style of pictures of trees.
pub(crate) fn style() -> String {
    STYLE.to_owned() + &colours()
}

/// Part of a tree that a picture leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    /// Places where something is folded.
    pub places: usize,
    /// Leaves that are not drawn.
    pub leaves: usize,
}

/// Picture, and what it leaves out.
#[derive(Clone, Debug)]
pub struct TreeSvg {
    /// Picture.
    pub svg: String,
    /// Part that is not drawn; nothing where all is.
    pub folded: Folded,
}

/// Draws a tree within the limits.
pub fn tree_svg(sketch: &Sketch, limits: Limits) -> TreeSvg {
    let leaves = sketch.leaves();
    let questions = sketch.questions();
    let items = fold(sketch, 0, limits, &leaves);
    let more = |at: usize| Some(folded_text(questions[at], leaves[at]));
    let laid = lay_out(sketch, &items, more);
    let palette = Palette::of(sketch);
    let wide = laid.width.max(NARROWEST);
    let folded = left_out(&items, &leaves);
    let about = match folded.places {
        0 => sketch.about.clone(),
        _ => format!("{} Not drawn: {}.", sketch.about, count(folded.leaves, "leaf")).trim_start().to_owned(),
    };
    let head = Head::new(sketch, &about, &palette, wide);
    let size = (wide + 2.0 * MARGIN, head.height + laid.height + 2.0 * MARGIN);
    let mut svg = String::new();
    open(&mut svg, &sketch.title, &told(sketch, &leaves, &about), size, &style());
    head.draw(&mut svg, &palette);
    draw(&mut svg, sketch, &palette, &laid, (MARGIN, MARGIN + head.height));
    svg += "</svg>\n";
    TreeSvg { svg, folded }
}

/// Text of a folded part.
pub(crate) fn folded_text(questions: usize, leaves: usize) -> String {
    format!("… {}, {}", count(questions, "more question"), count(leaves, "leaf"))
}

/// Description for readers who cannot see the picture.
fn told(sketch: &Sketch, leaves: &[usize], about: &str) -> String {
    let first = sketch.nodes.first().map_or("", |node| node.name.as_str());
    let all = leaves.first().copied().unwrap_or(0);
    format!("Tree of questions with {}; the first: {first} {about}", count(all, "leaf")).trim_end().to_owned()
}

pub(crate) fn left_out(items: &[Item], leaves: &[usize]) -> Folded {
    let mut folded = Folded::default();
    for item in items {
        let below = match item.part {
            Part::Whole(_) => continue,
            Part::Folded(at) => leaves[at],
            Part::Rest { leaves, .. } => leaves,
        };
        folded.places += 1;
        folded.leaves += below;
    }
    folded
}

/// Title, sentence and key above a tree.
pub(crate) struct Head {
    title: Vec<String>,
    about: Vec<String>,
    /// Lines of the key: group (or the note about the grey ones) and its left end.
    key: Vec<Vec<(Entry, f64)>>,
    pub(crate) height: f64,
}

/// Entry of the key.
enum Entry {
    Group(usize, Vec<String>),
    Grey(String),
}

/// Widest text of an entry of the key.
const KEY_ROOM: f64 = 180.0;

impl Head {
    pub(crate) fn new(sketch: &Sketch, about: &str, palette: &Palette, wide: f64) -> Self {
        let some = |words: &str, size: f64| match words.is_empty() {
            true => Vec::new(),
            false => wrap(words, size, wide),
        };
        let (title, about) = (some(&sketch.title, TITLE), some(about, WORDS));
        let key = key(sketch, palette, wide);
        let key_height: f64 = key.iter().map(|line| key_height(line)).sum();
        let height = title.len() as f64 * 24.0
            + about.len() as f64 * WORDS_LINE
            + key_height
            + if key.is_empty() { 0.0 } else { 8.0 }
            + if title.is_empty() && about.is_empty() { 0.0 } else { 10.0 };
        Self { title, about, key, height }
    }

    pub(crate) fn draw(&self, svg: &mut String, palette: &Palette) {
        let mut y = MARGIN;
        for line in &self.title {
            text(svg, MARGIN, y + 16.0, "title", "start", line);
            y += 24.0;
        }
        for line in &self.about {
            text(svg, MARGIN, y + 11.0, "quiet", "start", line);
            y += WORDS_LINE;
        }
        y += 8.0;
        for line in &self.key {
            for (entry, x) in line {
                let x = MARGIN + x;
                let (look, lines) = match entry {
                    Entry::Group(group, lines) => (palette.look(*group), lines.clone()),
                    Entry::Grey(words) => (None, vec![words.clone()]),
                };
                swatch(svg, look, [x, y + 2.0, 14.0, 12.0]);
                for (at, words) in lines.iter().enumerate() {
                    text(svg, x + 20.0, y + 12.0 + at as f64 * 14.0, "", "start", words);
                }
            }
            y += key_height(line);
        }
    }
}

fn key_height(line: &[(Entry, f64)]) -> f64 {
    let most = line.iter().map(|(entry, _)| match entry {
        Entry::Group(_, lines) => lines.len(),
        Entry::Grey(_) => 1,
    });
    KEY_LINE + 14.0 * (most.max().unwrap_or(1).saturating_sub(1)) as f64
}

/// Entries of the key in lines of at most `wide`.
fn key(sketch: &Sketch, palette: &Palette, wide: f64) -> Vec<Vec<(Entry, f64)>> {
    if !palette.is_coloured() {
        return Vec::new();
    }
    let groups = palette.order.iter().map(|group| {
        let lines = wrap(&crate::text::one_line(&sketch.groups[*group], 120), WORDS, KEY_ROOM);
        let long = lines.iter().map(|line| width(line, WORDS)).fold(0.0, f64::max);
        (Entry::Group(*group, lines), long)
    });
    let greys = palette.greys();
    let grey = (greys > 0).then(|| {
        let words = format!("{greys} more {}, named in their boxes", sketch.groups_are);
        let long = width(&words, WORDS);
        (Entry::Grey(words), long)
    });
    let (mut lines, mut x): (Vec<Vec<(Entry, f64)>>, f64) = (vec![Vec::new()], 0.0);
    for (entry, long) in groups.chain(grey) {
        if x > 0.0 && x + 20.0 + long > wide {
            lines.push(Vec::new());
            x = 0.0;
        }
        lines.last_mut().expect("there is a line").push((entry, x));
        x += 20.0 + long + 18.0;
    }
    lines
}

/// Draws a laid-out tree with its left upper corner at a place: ways first, so that they hide no text.
pub(crate) fn draw(svg: &mut String, sketch: &Sketch, palette: &Palette, laid: &Laid, place: (f64, f64)) {
    push(svg, &format!("  <g transform=\"translate({} {})\">", short(place.0), short(place.1)));
    for (at, from) in laid.items.iter().enumerate() {
        for child in &from.children {
            way(svg, from, &laid.items[*child], laid.ends[laid.levels[at]]);
        }
    }
    for one in &laid.items {
        label(svg, one);
        node(svg, sketch, palette, one);
    }
    push(svg, "  </g>");
}

/// Line from a question to an answer: level up to the end of its column, a curve, and level to the box.
fn way(svg: &mut String, from: &Placed, to: &Placed, end: f64) {
    let thick = short((to.share * THICKEST).clamp(1.5, THICKEST));
    let (y, to_y) = (short(from.middle()), short(to.middle()));
    let start = short(from.area[0] + from.area[2]);
    let (bend, middle, curved) = (short(end), short(end + CURVE / 2.0), short(end + CURVE));
    let stop = short(to.area[0]);
    push(
        svg,
        &format!(
            "  <path class=\"way\" stroke-width=\"{thick}\" d=\"M{start} {y} H{bend} C{middle} {y} {middle} {to_y} {curved} {to_y} H{stop}\"/>"
        ),
    );
}

/// Answer on its line, on a ground that keeps the line away from the letters.
fn label(svg: &mut String, one: &Placed) {
    let [x, y, wide, high] = one.label;
    if wide <= 0.0 {
        return;
    }
    push(
        svg,
        &format!(
            "  <rect class=\"page\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            short(x),
            short(y),
            short(wide),
            short(high)
        ),
    );
    for (at, line) in one.answer.iter().enumerate() {
        let base = y + 2.0 + ANSWER_LINE * at as f64 + ANSWER - 0.5;
        text(svg, x + 4.0, base, "", "start", line);
    }
}

fn node(svg: &mut String, sketch: &Sketch, palette: &Palette, one: &Placed) {
    let [x, y, wide, high] = one.area;
    let (at, class, radius) = match one.part {
        Part::Whole(at) if sketch.nodes[at].children.is_empty() => (at, "end", 9),
        Part::Whole(at) => (at, "ask", 4),
        Part::Folded(at) => (at, "more", 4),
        Part::Rest { parent, .. } => (parent, "more", 4),
    };
    let node = &sketch.nodes[at];
    push(svg, "  <g>");
    push(svg, &format!("  <title>{}</title>", escape(&node.told)));
    push(
        svg,
        &format!(
            "  <rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{radius}\"/>",
            short(x),
            short(y),
            short(wide),
            short(high)
        ),
    );
    let is_rest = matches!(one.part, Part::Rest { .. });
    let mut left = x + PAD;
    if let (Marks::Ends(groups), Part::Whole(_), true) = (&node.marks, one.part, palette.is_coloured()) {
        let each = (high - 12.0) / groups.len().max(1) as f64;
        for (number, group) in groups.iter().enumerate() {
            swatch(svg, palette.look(*group), [x + 7.0, y + 6.0 + number as f64 * each, 8.0, each]);
        }
    }
    if matches!((&node.marks, one.part), (Marks::Ends(groups), Part::Whole(_)) if !groups.is_empty()) {
        left += BAND;
    }
    let mut base = y + PAD / 2.0;
    for line in &one.name {
        text(svg, left, base + 13.0, "n", "start", line);
        base += NAME_LINE;
    }
    if let (Marks::Shares(shares), false) = (&node.marks, is_rest) {
        bar(svg, palette, shares, [x + PAD, base + 2.0, wide - 2.0 * PAD, BAR - 6.0]);
        base += BAR;
    }
    for line in &one.details {
        text(svg, left, base + 11.0, "d", "start", line);
        base += DETAIL_LINE;
    }
    push(svg, "  </g>");
}

/// Bar of classes: those with a colour in the order of the key, then all others as one grey part.
fn bar(svg: &mut String, palette: &Palette, shares: &[(usize, f64)], [x, y, wide, high]: [f64; 4]) {
    let mut parts: Vec<(Option<usize>, f64)> =
        shares.iter().map(|(group, share)| (palette.look(*group), *share)).collect();
    parts.sort_by_key(|(look, _)| look.unwrap_or(usize::MAX));
    let mut left = x;
    for part in parts.chunk_by(|left, right| left.0 == right.0) {
        let long = part.iter().map(|(_, share)| share).sum::<f64>() * wide;
        swatch(svg, part[0].0, [left, y, long, high]);
        left += long;
    }
}
