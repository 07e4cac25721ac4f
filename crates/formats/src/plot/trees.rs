//! Small strategies side by side.

use super::theme::style;
use super::{LETTER, open, push, short, text};
use crate::text::one_line;
use crate::{NamedNode, NamedTree};

/// Strategy with its title and cost.
#[derive(Clone, Debug)]
pub struct TreePicture {
    /// Title: the algorithm that built the strategy.
    pub title: String,
    /// Text about its cost.
    pub about: String,
    /// Tree to draw.
    pub tree: NamedTree,
}

const BOX: f64 = 84.0;
const GAP: f64 = 12.0;
const LEVEL: f64 = 74.0;
const BOX_HEIGHT: f64 = 30.0;
const TOP: f64 = 116.0;
const MARGIN: f64 = 20.0;
/// Letters that fit a box.
const LETTERS: usize = 12;

/// Draws strategies from left to right.
pub fn trees_svg(title: &str, subtitle: &str, pictures: &[TreePicture]) -> String {
    let laid: Vec<(Vec<(f64, usize)>, usize)> =
        pictures.iter().map(|picture| places(&picture.tree)).collect();
    let widths: Vec<f64> = pictures
        .iter()
        .zip(&laid)
        .map(|(picture, (_, columns))| {
            let words = picture.title.chars().count().max(picture.about.chars().count()) as f64 * LETTER;
            (*columns as f64 * (BOX + GAP)).max(words + 24.0)
        })
        .collect();
    let levels = laid.iter().flat_map(|(places, _)| places).map(|place| place.1).max().unwrap_or(0);
    let words = title.chars().count().max(subtitle.chars().count()) as f64 * LETTER * 1.15;
    let width =
        (widths.iter().sum::<f64>() + 36.0 * (pictures.len().max(1) - 1) as f64).max(words) + 2.0 * MARGIN;
    let height = TOP + levels as f64 * LEVEL + BOX_HEIGHT + MARGIN;
    let told: Vec<String> =
        pictures.iter().map(|picture| format!("{}: {}", picture.title, picture.about)).collect();
    let mut svg = String::new();
    open(&mut svg, title, &told.join("; "), (width, height), &style());
    text(&mut svg, MARGIN, 28.0, "title", "start", title);
    text(&mut svg, MARGIN, 48.0, "quiet", "start", subtitle);
    let mut left = MARGIN;
    for ((picture, (places, _)), width) in pictures.iter().zip(&laid).zip(&widths) {
        text(&mut svg, left, 80.0, "panel", "start", &picture.title);
        text(&mut svg, left, 98.0, "quiet", "start", &picture.about);
        draw(&mut svg, &picture.tree, places, left);
        left += width + 36.0;
    }
    svg += "</svg>\n";
    svg
}

fn draw(svg: &mut String, tree: &NamedTree, places: &[(f64, usize)], left: f64) {
    let costs = tree.nodes.iter().filter_map(|node| match node {
        NamedNode::Ask { cost, .. } => Some(*cost),
        NamedNode::Leaf { .. } => None,
    });
    // Costs are written only where they differ.
    let equal = costs.clone().min_by(f64::total_cmp) == costs.max_by(f64::total_cmp);
    let y = |level: usize| TOP + level as f64 * LEVEL;
    for (at, node) in tree.nodes.iter().enumerate() {
        let NamedNode::Ask { answers, .. } = node else { continue };
        let (x, level) = places[at];
        for (answer, child) in answers {
            let to = places[*child].0;
            let (from_y, to_y) = (y(level) + BOX_HEIGHT, y(level + 1));
            push(
                svg,
                &format!(
                    "  <path class=\"axis\" d=\"M{} {} L{} {}\"/>",
                    short(left + x),
                    short(from_y),
                    short(left + to),
                    short(to_y)
                ),
            );
            // Beside the line, on the outer side.
            let middle = left + (x + to) / 2.0;
            let beside = 5.0 + (to - x).abs() * 0.07;
            let (shift, anchor) = if to < x { (-beside, "end") } else { (beside, "start") };
            text(
                svg,
                middle + shift,
                (from_y + to_y) / 2.0 + 2.0,
                "small",
                anchor,
                &one_line(answer, LETTERS),
            );
        }
    }
    for (node, (x, level)) in tree.nodes.iter().zip(places) {
        let (name, class) = match node {
            NamedNode::Ask { test, .. } if equal => (format!("{test}?"), "box"),
            NamedNode::Ask { test, cost, .. } => (format!("{test}? cost {}", super::number(*cost)), "box"),
            NamedNode::Leaf { groups, objects, .. } if groups == objects => (objects.join(" "), "leaf"),
            NamedNode::Leaf { groups, objects, .. } => {
                (format!("{}: {}", groups.join("/"), objects.join(" ")), "leaf")
            }
        };
        let (x, y) = (left + x, y(*level));
        push(
            svg,
            &format!(
                "  <rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{BOX}\" height=\"{BOX_HEIGHT}\" rx=\"{}\"/>",
                short(x - BOX / 2.0),
                short(y),
                if class == "box" { 3 } else { 15 }
            ),
        );
        text(svg, x, y + 19.0, "", "middle", &one_line(&name, LETTERS));
    }
}

/// Position and level of each node, and the number of columns: each leaf has a column, each question is centred above
/// its children.
fn places(tree: &NamedTree) -> (Vec<(f64, usize)>, usize) {
    let mut places = vec![(0.0, 0usize); tree.nodes.len()];
    let mut columns = 0;
    let mut waiting = vec![(0usize, 0usize, false)];
    while let Some((at, level, is_done)) = waiting.pop() {
        let children: Vec<usize> = tree.nodes[at].children().collect();
        let x = match (children.first(), children.last()) {
            (Some(first), Some(last)) if is_done => (places[*first].0 + places[*last].0) / 2.0,
            (Some(_), Some(_)) => {
                waiting.push((at, level, true));
                waiting.extend(children.iter().rev().map(|child| (*child, level + 1, false)));
                continue;
            }
            _ => {
                columns += 1;
                (f64::from(columns) - 0.5) * (BOX + GAP)
            }
        };
        places[at] = (x, level);
    }
    (places, columns as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_stand_above_their_answers() {
        let leaf = |name: &str| NamedNode::Leaf {
            groups: vec![name.to_owned()],
            objects: vec![name.to_owned()],
            weight: 0.5,
        };
        let ask = NamedNode::Ask {
            test: "legs".to_owned(),
            question: None,
            cost: 2.0,
            weight: 1.0,
            answers: vec![("four".to_owned(), 1), ("two".to_owned(), 2)],
        };
        let tree = NamedTree { nodes: vec![ask, leaf("dog"), leaf("hen")] };
        let (places, columns) = places(&tree);
        assert_eq!(columns, 2);
        assert_eq!(places, [(BOX + GAP, 0), ((BOX + GAP) / 2.0, 1), (1.5 * (BOX + GAP), 1)]);
        let picture = TreePicture { title: "gbs".to_owned(), about: "cost 2".to_owned(), tree };
        let svg = trees_svg("t", "s", &[picture]);
        assert!(svg.contains(">legs?</text>") && svg.contains(">dog</text>") && svg.contains(">four</text>"));
    }
}
