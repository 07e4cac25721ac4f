//! Pictures of a learned tree as SVG: the tree with its classes as bars, the path of pruning, the table of a node.
//!
//! Written by hand, like the other plots: the same bytes everywhere, and text stays text.

use crate::plot::{Axis, escape, number, open, push, short, text};
use crate::text::{Depth, count, one_line};
use fewest::learn::{LearnedTree, Model, Pruned};
use fewest::measure::chi_squared;

/// Size of a node's box, and the space around it.
const BOX: f64 = 184.0;
const BOX_HEIGHT: f64 = 62.0;
const GAP: f64 = 14.0;
const LEVEL: f64 = 112.0;
const TOP: f64 = 76.0;
const MARGIN: f64 = 20.0;
/// Letters that fit a box, and letters that fit beside a line.
const LETTERS: usize = 27;
const ANSWER: usize = 18;
/// Width of the widest line between two nodes.
const THICKEST: f64 = 14.0;

/// Colours of classes, the easiest to distinguish first; more classes repeat them and are distinguished by name.
const COLOURS: [&str; 8] =
    ["#0b5cad", "#e08a00", "#2a8a57", "#b8336a", "#6a4fb3", "#7a6a1f", "#3aa6b9", "#8a8a8a"];

const TREE_STYLE: &str = "\
    .box { fill: #f7f7f7; stroke: #1b1b1b; }
    .leaf { fill: #ffffff; stroke: #1b1b1b; stroke-width: 2; }
    .line { stroke: #b9b9b9; fill: none; }
    @media (prefers-color-scheme: dark) {
      .box { fill: #25282e; stroke: #ececec; }
      .leaf { fill: #16181c; stroke: #ececec; }
      .line { stroke: #5a5f68; }
    }
";

fn colour(class: usize) -> &'static str {
    COLOURS[class % COLOURS.len()]
}

/// Position of a node in the drawing.
#[derive(Clone, Copy)]
struct Place {
    x: f64,
    level: usize,
}

/// Draws the tree down to `depth`: class bars in every node, and lines as thick as the number of rows that pass them.
pub fn tree_svg(title: &str, model: &Model, depth: Depth) -> String {
    let deepest = super::draw::deepest(model, depth);
    let (places, columns) = places(&model.tree, deepest);
    let levels = places.iter().flatten().map(|place| place.level).max().unwrap_or(0) + 1;
    let legend = model.classes.len().min(COLOURS.len());
    let width = (columns as f64 * (BOX + GAP) + 2.0 * MARGIN).max(420.0);
    let height = TOP + levels as f64 * LEVEL + 24.0 * legend.div_ceil(3) as f64 + MARGIN;
    let root = model.tree.nodes[0].weight();
    let mut svg = String::new();
    let told = format!("{} leaves, {} questions at most", model.tree.leaves(), model.tree.depth());
    head(&mut svg, title, &told, width, height);
    for (at, place) in drawn(&places) {
        let Some(split) = model.tree.nodes[at].split.as_ref().filter(|_| place.level < deepest) else {
            continue;
        };
        let labels = model.fields[split.question.field()].words.as_ref();
        for &(answer, child) in &split.answers {
            let Some(below) = places[child] else { continue };
            let share = model.tree.nodes[child].weight() / root;
            line(&mut svg, place, below, share, split.question.answer_text(answer, labels));
        }
    }
    for (at, place) in drawn(&places) {
        node(&mut svg, model, at, place, place.level >= deepest);
    }
    key(&mut svg, model, height - 24.0 * legend.div_ceil(3) as f64);
    svg += "</svg>\n";
    svg
}

fn drawn(places: &[Option<Place>]) -> impl Iterator<Item = (usize, Place)> {
    places.iter().enumerate().filter_map(|(at, place)| place.map(|place| (at, place)))
}

/// Positions of the nodes, and the number of columns: each leaf has a column, each question is centred above its
/// children.
fn places(tree: &LearnedTree, deepest: usize) -> (Vec<Option<Place>>, usize) {
    let mut places: Vec<Option<Place>> = vec![None; tree.nodes.len()];
    let mut columns = 0;
    // Each node comes twice: on the way down the leaves are numbered, on the way up their parents are placed.
    let mut waiting = vec![(0usize, 0usize, false)];
    while let Some((at, level, is_done)) = waiting.pop() {
        let split = tree.nodes[at].split.as_ref().filter(|_| level < deepest);
        let x = match split {
            Some(split) if is_done => {
                let x = |child: usize| places[child].map_or(0.0, |place| place.x);
                let (first, last) = (split.answers[0].1, split.answers[split.answers.len() - 1].1);
                (x(first) + x(last)) / 2.0
            }
            Some(split) => {
                waiting.push((at, level, true));
                waiting.extend(split.answers.iter().rev().map(|(_, child)| (*child, level + 1, false)));
                continue;
            }
            None => {
                columns += 1;
                MARGIN + (columns as f64 - 0.5) * (BOX + GAP)
            }
        };
        places[at] = Some(Place { x, level });
    }
    (places, columns)
}

fn head(svg: &mut String, title: &str, about: &str, width: f64, height: f64) {
    open(svg, title, about, (width, height), TREE_STYLE);
    text(svg, MARGIN, 28.0, "title", "start", title);
    text(svg, MARGIN, 48.0, "quiet", "start", about);
}

fn line(svg: &mut String, from: Place, to: Place, share: f64, answer: &str) {
    let (from_y, to_y) = (TOP + from.level as f64 * LEVEL + BOX_HEIGHT, TOP + to.level as f64 * LEVEL);
    let middle = (from_y + to_y) / 2.0;
    let thickness = short((share * THICKEST).max(1.0));
    let (x, y, to_x) = (short(from.x), short(from_y), short(to.x));
    let (middle, end) = (short(middle), short(to_y));
    push(
        svg,
        &format!(
            "  <path class=\"line\" stroke-width=\"{thickness}\" d=\"M{x} {y} C{x} {middle} {to_x} {middle} {to_x} {end}\"/>"
        ),
    );
    text(svg, to.x, to_y - 8.0, "", "middle", &one_line(answer, ANSWER));
}

fn node(svg: &mut String, model: &Model, at: usize, place: Place, is_folded: bool) {
    let node = &model.tree.nodes[at];
    let (left, top) = (place.x - BOX / 2.0, TOP + place.level as f64 * LEVEL);
    let total = node.weight();
    let class = &model.classes[node.class()];
    let rows = match total.fract() == 0.0 {
        true => count(total as usize, "row"),
        false => format!("{} rows", number(total)),
    };
    let (name, style) = match &node.split {
        Some(split) if !is_folded => {
            let field = &model.fields[split.question.field()];
            (format!("{}?", split.question.text(&field.name, field.words.as_ref())), "box")
        }
        Some(_) => (format!("… {class}"), "box"),
        None => (class.clone(), "leaf"),
    };
    let shares = model.classes.iter().zip(&node.classes).filter(|(_, weight)| **weight > 0.0);
    let shares: Vec<String> = shares.map(|(class, weight)| format!("{class} {}", number(*weight))).collect();
    push(svg, "  <g>");
    push(svg, &format!("  <title>{}</title>", escape(&format!("{name} – {rows}: {}", shares.join(", ")))));
    push(
        svg,
        &format!(
            "  <rect class=\"{style}\" x=\"{}\" y=\"{}\" width=\"{BOX}\" height=\"{BOX_HEIGHT}\" rx=\"4\"/>",
            short(left),
            short(top)
        ),
    );
    text(svg, place.x, top + 18.0, "", "middle", &one_line(&name, LETTERS));
    let (mut x, room) = (left + 8.0, BOX - 16.0);
    for (class, weight) in node.classes.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        let width = weight / total * room;
        push(
            svg,
            &format!(
                "  <rect fill=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\"/>",
                colour(class),
                short(x),
                short(top + 26.0),
                short(width)
            ),
        );
        x += width;
    }
    let share = number((node.classes[node.class()] / total * 1000.0).round() / 10.0);
    text(
        svg,
        place.x,
        top + 54.0,
        "quiet",
        "middle",
        &one_line(&format!("{rows}, {share} % {class}"), LETTERS + 3),
    );
    push(svg, "  </g>");
}

/// Draws the key: the colour of each class.
fn key(svg: &mut String, model: &Model, top: f64) {
    for (class, name) in model.classes.iter().enumerate().take(COLOURS.len()) {
        let (x, y) = (MARGIN + 130.0 * (class % 3) as f64, top + 24.0 * (class / 3) as f64);
        push(
            svg,
            &format!(
                "  <rect fill=\"{}\" x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>",
                colour(class),
                short(x),
                short(y)
            ),
        );
        text(svg, x + 18.0, y + 11.0, "", "start", &one_line(name, ANSWER - 2));
    }
}

/// Draws the path of pruning: for every strength that was tried, from the largest tree to the smallest, the share of
/// rows that cross-validation got wrong, with its standard error. The chosen one is marked. `None` where nothing was
/// tried.
pub fn path_svg(title: &str, pruned: &Pruned) -> Option<String> {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 420.0;
    const LEFT: f64 = 76.0;
    const RIGHT: f64 = 690.0;
    const BOTTOM: f64 = 340.0;
    let path = &pruned.path;
    if path.is_empty() {
        return None;
    }
    let ends = path
        .iter()
        .flat_map(|point| [point.error - point.standard_error, point.error + point.standard_error]);
    let y = Axis::over(ends.map(|end| end.max(0.0)), BOTTOM, TOP);
    let x = |at: usize| LEFT + (at as f64 + 0.5) / path.len() as f64 * (RIGHT - LEFT);
    let told: Vec<String> =
        path.iter().map(|point| format!("{} leaves: {}", point.leaves, number(point.error))).collect();
    let mut svg = String::new();
    head(
        &mut svg,
        title,
        "share of rows got wrong by trees made without them, ± one standard error",
        WIDTH,
        HEIGHT,
    );
    push(&mut svg, &format!("  <desc>{}</desc>", escape(&told.join("; "))));
    for tick in y.ticks() {
        let at = short(y.place(tick));
        push(&mut svg, &format!("  <path class=\"grid\" d=\"M{} {at} H{}\"/>", short(LEFT), short(RIGHT)));
        text(&mut svg, LEFT - 8.0, y.place(tick) + 4.0, "quiet", "end", &y.label(tick));
    }
    let points: Vec<String> = path
        .iter()
        .enumerate()
        .map(|(at, point)| format!("{} {}", short(x(at)), short(y.place(point.error))))
        .collect();
    push(&mut svg, &format!("  <path class=\"front\" d=\"M{}\"/>", points.join(" L")));
    let every = path.len().div_ceil(16);
    for (at, point) in path.iter().enumerate() {
        let is_chosen = pruned.chosen == Some(at);
        path_point(&mut svg, point, x(at), &y, is_chosen);
        if at % every == 0 || is_chosen {
            text(&mut svg, x(at), BOTTOM + 18.0, "quiet", "middle", &point.leaves.to_string());
        }
    }
    text(&mut svg, (LEFT + RIGHT) / 2.0, BOTTOM + 44.0, "", "middle", "leaves (the large dot was chosen)");
    svg += "</svg>\n";
    Some(svg)
}

/// Draws one strength of pruning: a dot with its standard error, larger if it was chosen.
fn path_point(svg: &mut String, point: &fewest::learn::PathPoint, x: f64, y: &Axis, is_chosen: bool) {
    let (low, high) = ((point.error - point.standard_error).max(0.0), point.error + point.standard_error);
    let place = short(x);
    let (low, high) = (short(y.place(low)), short(y.place(high)));
    push(svg, &format!("  <path class=\"axis\" d=\"M{place} {low} V{high}\"/>"));
    let radius = if is_chosen { 8 } else { 4 };
    let about = format!(
        "parameter {}: {} leaves, error {}, log loss {}",
        number(point.parameter),
        point.leaves,
        number(point.error),
        number(point.log_loss)
    );
    push(
        svg,
        &format!(
            "  <circle class=\"point\" cx=\"{place}\" cy=\"{}\" r=\"{radius}\"><title>{}</title></circle>",
            short(y.place(point.error)),
            escape(&about)
        ),
    );
}

/// Draws the table of a node's question: a row for each answer, a column for each class, darker where there are more
/// examples than independence would predict. `None` for a leaf.
pub fn table_svg(title: &str, model: &Model, at: usize) -> Option<String> {
    const CELL: f64 = 92.0;
    const LINE: f64 = 30.0;
    const NAMES: f64 = 170.0;
    let split = model.tree.nodes[at].split.as_ref()?;
    let table = model.tree.table(at);
    let field = &model.fields[split.question.field()];
    let classes = &model.tree.nodes[at].classes;
    let total: f64 = classes.iter().sum();
    let test = chi_squared(&table);
    let (width, height) = (
        (NAMES + CELL * (classes.len() + 1) as f64 + MARGIN).max(420.0),
        TOP + LINE * (table.len() + 2) as f64 + MARGIN,
    );
    let question = split.question.text(&field.name, field.words.as_ref());
    let about = format!(
        "{}?  χ² = {}, {}, p = {:.2e}",
        one_line(&question, 40),
        number(test.statistic),
        match test.degrees_of_freedom {
            1 => "1 degree of freedom".to_owned(),
            degrees => format!("{degrees} degrees of freedom"),
        },
        test.p_value
    );
    let mut svg = String::new();
    head(&mut svg, title, &about, width, height);
    let x = |column: usize| NAMES + CELL * column as f64;
    for (column, class) in model.classes.iter().enumerate() {
        text(&mut svg, x(column) + CELL / 2.0, TOP + 18.0, "", "middle", &one_line(class, 12));
    }
    text(&mut svg, x(classes.len()) + CELL / 2.0, TOP + 18.0, "quiet", "middle", "all");
    let answer_text = |answer| split.question.answer_text(answer, field.words.as_ref()).to_owned();
    let answers = split.answers.iter().map(|&(answer, _)| answer_text(answer));
    let mut lines: Vec<(String, Vec<f64>)> = answers.zip(table).collect();
    lines.push(("all".to_owned(), classes.clone()));
    let last = lines.len() - 1;
    for (row, (answer, line)) in lines.iter().enumerate() {
        let y = TOP + LINE * (row + 1) as f64;
        let sum: f64 = line.iter().sum();
        let style = if row == last { "quiet" } else { "" };
        text(&mut svg, NAMES - 8.0, y + 20.0, style, "end", &one_line(answer, LETTERS));
        for (column, weight) in line.iter().enumerate() {
            if row != last {
                residual(&mut svg, (x(column), y), (CELL, LINE), *weight, sum * classes[column] / total);
            }
            text(&mut svg, x(column) + CELL / 2.0, y + 20.0, style, "middle", &number(*weight));
        }
        text(&mut svg, x(classes.len()) + CELL / 2.0, y + 20.0, "quiet", "middle", &number(sum));
    }
    svg += "</svg>\n";
    Some(svg)
}

/// Draws the background of a cell by Pearson's residual; beyond three the colour is full.
fn residual(svg: &mut String, (x, y): (f64, f64), (width, height): (f64, f64), weight: f64, expected: f64) {
    let residual = if expected > 0.0 { (weight - expected) / expected.sqrt() } else { 0.0 };
    let (fill, strength) =
        if residual >= 0.0 { (COLOURS[0], residual / 3.0) } else { (COLOURS[1], -residual / 3.0) };
    push(
        svg,
        &format!(
            "  <rect fill=\"{fill}\" fill-opacity=\"{}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"><title>{}</title></rect>",
            number(strength.min(1.0) * 0.6),
            short(x),
            short(y),
            escape(&format!("expected {}, residual {}", number(expected), number(residual)))
        ),
    );
}
