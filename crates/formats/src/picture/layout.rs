//! Places of boxes and labels, from left to right: a column for each question of a path, rows below each other.
//!
//! Every part of the tree has a band of rows of its own, and boxes of one column start at one place, so that nothing
//! can overlap: columns are apart from each other, and so are the bands.

use super::fold::{Item, Part};
use super::sketch::{Marks, Sketch};
use crate::plot::measure::{width, wrap};
use crate::text::count;

/// Sizes at which text is measured: names, whose letters of 13 are bold and as wide as plain ones of this size; details
/// and answers.
pub(crate) const NAME: f64 = 14.2;
pub(crate) const DETAIL: f64 = 11.0;
pub(crate) const ANSWER: f64 = 12.0;
/// Distances of lines.
pub(crate) const NAME_LINE: f64 = 17.0;
pub(crate) const DETAIL_LINE: f64 = 15.0;
pub(crate) const ANSWER_LINE: f64 = 15.0;
/// Space within a box.
pub(crate) const PAD: f64 = 10.0;
/// Space for the colours of a leaf, left of its name.
pub(crate) const BAND: f64 = 14.0;
/// Height of a bar of classes, with the space above it.
pub(crate) const BAR: f64 = 16.0;
/// Widest text of a box and of an answer; longer text is wrapped.
const ROOM: f64 = 200.0;
const ANSWER_ROOM: f64 = 130.0;
/// Narrowest box with a bar.
const BAR_BOX: f64 = 150.0;
/// Width of the curves between two columns, and the space around an answer.
pub(crate) const CURVE: f64 = 40.0;
const AIR: f64 = 12.0;
/// Space between two rows.
const ROW_GAP: f64 = 10.0;

/// Box with its text, and the answer in front of it.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) part: Part,
    pub(crate) share: f64,
    pub(crate) children: Vec<usize>,
    /// Left, top, width and height of the box.
    pub(crate) area: [f64; 4],
    pub(crate) name: Vec<String>,
    pub(crate) details: Vec<String>,
    pub(crate) answer: Vec<String>,
    /// Left, top, width and height of the answer; the width is 0 where there is none.
    pub(crate) label: [f64; 4],
}

impl Placed {
    /// Vertical middle of the box.
    pub(crate) fn middle(&self) -> f64 {
        self.area[1] + self.area[3] / 2.0
    }
}

/// Places of all items, and the width and height of all.
#[derive(Debug)]
pub(crate) struct Laid {
    pub(crate) items: Vec<Placed>,
    /// Right ends of the columns.
    pub(crate) ends: Vec<f64>,
    pub(crate) levels: Vec<usize>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Lays out items; `continued` is the text of a folded part, such as where it continues.
pub(crate) fn lay_out(
    sketch: &Sketch,
    items: &[Item],
    mut continued: impl FnMut(usize) -> Option<String>,
) -> Laid {
    let mut placed: Vec<Placed> = items.iter().map(|item| measured(sketch, item, &mut continued)).collect();
    // No line leads to the root, so there is no place for the answer before it; a part's heading has it.
    if let Some(root) = placed.first_mut() {
        root.answer.clear();
        root.label = [0.0; 4];
    }
    let levels: Vec<usize> = items.iter().map(|item| item.level).collect();
    let deepest = levels.iter().copied().max().unwrap_or(0);
    let (mut boxes, mut labels) = (vec![0.0f64; deepest + 1], vec![0.0f64; deepest + 1]);
    for (one, level) in placed.iter().zip(&levels) {
        boxes[*level] = boxes[*level].max(one.area[2]);
        labels[*level] = labels[*level].max(one.label[2]);
    }
    let (mut starts, mut ends, mut x) = (Vec::new(), Vec::new(), 0.0);
    for (level, wide) in boxes.iter().enumerate() {
        x += if level == 0 { 0.0 } else { CURVE + labels[level] + 2.0 * AIR };
        starts.push(x);
        x += wide;
        ends.push(x);
    }
    let height = rows(&mut placed);
    for (one, level) in placed.iter_mut().zip(&levels) {
        one.area[0] = starts[*level];
        one.label[0] = starts[*level] - AIR - labels[*level];
        one.label[1] = one.middle() - one.label[3] / 2.0;
    }
    Laid { items: placed, ends, levels, width: x, height }
}

/// Sets the vertical places, and returns the height of all.
fn rows(placed: &mut [Placed]) -> f64 {
    let own = |one: &Placed| one.area[3].max(one.label[3]) + ROW_GAP;
    let mut bands = vec![0.0; placed.len()];
    for at in (0..placed.len()).rev() {
        let below: f64 = placed[at].children.iter().map(|child| bands[*child]).sum();
        bands[at] = own(&placed[at]).max(below);
    }
    let mut tops = vec![0.0; placed.len()];
    for at in 0..placed.len() {
        let below: f64 = placed[at].children.iter().map(|child| bands[*child]).sum();
        let mut top: f64 = tops[at] + (bands[at] - below) / 2.0;
        for child in placed[at].children.clone() {
            tops[child] = top;
            top += bands[child];
        }
    }
    for at in (0..placed.len()).rev() {
        let (first, last) = (placed[at].children.first(), placed[at].children.last());
        let middle = match (first, last) {
            (Some(first), Some(last)) => (placed[*first].middle() + placed[*last].middle()) / 2.0,
            _ => tops[at] + bands[at] / 2.0,
        };
        // A tall box stays within its band.
        let half = own(&placed[at]) / 2.0;
        let middle = middle.max(tops[at] + half).min(tops[at] + bands[at] - half);
        placed[at].area[1] = middle - placed[at].area[3] / 2.0;
    }
    bands.first().map_or(0.0, |band| band - ROW_GAP).max(0.0) + placed.first().map_or(0.0, |_| ROW_GAP)
}

/// Size and text of an item, at no place yet.
fn measured(sketch: &Sketch, item: &Item, continued: &mut impl FnMut(usize) -> Option<String>) -> Placed {
    let (name, details, answer, has_band, has_bar) = match item.part {
        Part::Whole(at) => {
            let node = &sketch.nodes[at];
            let has_band = matches!(&node.marks, Marks::Ends(groups) if !groups.is_empty());
            let has_bar = matches!(node.marks, Marks::Shares(_));
            (node.name.clone(), node.details.clone(), node.answer.clone(), has_band, has_bar)
        }
        Part::Folded(at) => {
            let node = &sketch.nodes[at];
            let name = continued(at).unwrap_or_else(|| "…".to_owned());
            let has_bar = matches!(node.marks, Marks::Shares(_));
            (name, node.details.clone(), node.answer.clone(), false, has_bar)
        }
        Part::Rest { answers, leaves, .. } => {
            let share = crate::text::percent(item.share);
            let name = format!("… {}", count(answers, "more answer"));
            (name, format!("{}, {share}", count(leaves, "leaf")), String::new(), false, false)
        }
    };
    let lines = |text: &str, size: f64, room: f64| match text.is_empty() {
        true => Vec::new(),
        false => wrap(text, size, room),
    };
    let (name, details) = (lines(&name, NAME, ROOM), lines(&details, DETAIL, ROOM));
    let answer = lines(&answer, ANSWER, ANSWER_ROOM);
    let widest = |lines: &[String], size: f64| lines.iter().map(|line| width(line, size)).fold(0.0, f64::max);
    let text = widest(&name, NAME).max(widest(&details, DETAIL));
    let band = if has_band { BAND } else { 0.0 };
    let wide = (text + 2.0 * PAD + band).max(if has_bar { BAR_BOX } else { 40.0 });
    let bar = if has_bar { BAR } else { 0.0 };
    let high = name.len() as f64 * NAME_LINE + details.len() as f64 * DETAIL_LINE + bar + PAD;
    let label = match answer.is_empty() {
        true => [0.0; 4],
        false => [0.0, 0.0, widest(&answer, ANSWER) + 8.0, answer.len() as f64 * ANSWER_LINE + 4.0],
    };
    Placed {
        part: item.part,
        share: item.share,
        children: item.children.clone(),
        area: [0.0, 0.0, wide.ceil(), high.ceil()],
        name,
        details,
        answer,
        label,
    }
}
