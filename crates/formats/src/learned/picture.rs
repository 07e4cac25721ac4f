//! Plots of a learned tree as SVG: the path of pruning, and the table of a node.
//!
//! Written by hand, like the other plots: the same bytes everywhere, and text stays text.

use crate::plot::measure::width as measured;
use crate::plot::{Axis, escape, number, open, push, short, text};
use crate::text::one_line;
use fewest::learn::{Model, Pruned};
use fewest::measure::chi_squared;

/// Place of the title and of what is below it, and space around pictures.
const TOP: f64 = 76.0;
const MARGIN: f64 = 20.0;
/// Letters that fit the name of a row.
const LETTERS: usize = 27;

/// Colours of cells with more, and with fewer examples than expected.
const MORE: &str = "#0b5cad";
const FEWER: &str = "#e08a00";

fn head(svg: &mut String, title: &str, about: &str, width: f64, height: f64) {
    open(svg, title, about, (width, height), "");
    text(svg, MARGIN, 28.0, "title", "start", title);
    text(svg, MARGIN, 48.0, "quiet", "start", about);
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
    const LINE: f64 = 30.0;
    const NAMES: f64 = 230.0;
    let split = model.tree.nodes[at].split.as_ref()?;
    let table = model.tree.table(at);
    let field = &model.fields[split.question.field()];
    let classes = &model.tree.nodes[at].classes;
    let total: f64 = classes.iter().sum();
    let test = chi_squared(&table);
    let names: Vec<String> = model.classes.iter().map(|class| one_line(class, LETTERS)).collect();
    let cell = names.iter().map(|name| measured(name, 12.0) + 16.0).fold(92.0, f64::max);
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
    let title = one_line(title, 100);
    let words = measured(&title, 15.5).max(measured(&about, 12.0)) + 2.0 * MARGIN;
    let width = (NAMES + cell * (classes.len() + 1) as f64 + MARGIN).max(words).max(420.0);
    let height = TOP + LINE * (table.len() + 3) as f64 + MARGIN;
    let mut svg = String::new();
    head(&mut svg, &title, &about, width, height);
    colour_key(&mut svg, height - MARGIN);
    let x = |column: usize| NAMES + cell * column as f64;
    for (column, name) in names.iter().enumerate() {
        text(&mut svg, x(column) + cell / 2.0, TOP + 18.0, "", "middle", name);
    }
    text(&mut svg, x(classes.len()) + cell / 2.0, TOP + 18.0, "quiet", "middle", "all");
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
                residual(&mut svg, (x(column), y), (cell, LINE), *weight, sum * classes[column] / total);
            }
            text(&mut svg, x(column) + cell / 2.0, y + 20.0, style, "middle", &number(*weight));
        }
        text(&mut svg, x(classes.len()) + cell / 2.0, y + 20.0, "quiet", "middle", &number(sum));
    }
    svg += "</svg>\n";
    Some(svg)
}

/// Draws the key of the colours of cells.
fn colour_key(svg: &mut String, y: f64) {
    let entries = [(MORE, "more rows than chance would have"), (FEWER, "fewer")];
    let mut x = MARGIN;
    for (fill, words) in entries {
        let (left, top) = (short(x), short(y - 11.0));
        push(
            svg,
            &format!(
                "  <rect fill=\"{fill}\" fill-opacity=\"0.6\" x=\"{left}\" y=\"{top}\" width=\"14\" height=\"12\"/>"
            ),
        );
        text(svg, x + 20.0, y, "quiet", "start", words);
        x += 20.0 + measured(words, 12.0) + 18.0;
    }
}

/// Draws the background of a cell by Pearson's residual; beyond three the colour is full.
fn residual(svg: &mut String, (x, y): (f64, f64), (width, height): (f64, f64), weight: f64, expected: f64) {
    let residual = if expected > 0.0 { (weight - expected) / expected.sqrt() } else { 0.0 };
    let (fill, strength) = if residual >= 0.0 { (MORE, residual / 3.0) } else { (FEWER, -residual / 3.0) };
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
