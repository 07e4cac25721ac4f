//! Charts of lines with error bars, in one panel or in many that share their scales.

use super::measure::{width as wide, wrap};
use super::ruler::{Ruler, Scale};
use super::theme::{Look, style};
use super::typeset::{flat, typeset, typeset_upwards};
use super::{number, open, push, short};

/// Chart of one or more panels.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Title.
    pub title: String,
    /// Hint how to read the chart, in one line.
    pub subtitle: String,
    /// Description of the chart in words, for readers who cannot see it.
    pub about: String,
    /// Label of the x axis.
    pub x: String,
    /// Scale of the x axis.
    pub x_scale: Scale,
    /// Number of panels side by side.
    pub columns: usize,
    /// Panels, row by row.
    pub panels: Vec<Panel>,
}

/// Part of a chart with axes of its own.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title: what distinguishes this panel.
    pub title: String,
    /// Label of the y axis.
    pub y: String,
    /// Scale of the y axis; panels of the same scale and label share it.
    pub y_scale: Scale,
    /// Lines of the panel.
    pub lines: Vec<Line>,
}

/// Series of points, joined by a line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Name in the key.
    pub name: String,
    /// Colour, dashes and mark.
    pub look: Look,
    /// Points, from left to right.
    pub points: Vec<Dot>,
}

/// Point of a line, with its standard error if it has one.
#[derive(Clone, Copy, Debug)]
pub struct Dot {
    /// Coordinate on the x axis.
    pub x: f64,
    /// Coordinate on the y axis.
    pub y: f64,
    /// Standard error: half the length of the error bar.
    pub error: Option<f64>,
}

/// Width and height of a panel's plotting area, and the margins around it.
const WIDTH: f64 = 218.0;
const HEIGHT: f64 = 176.0;
const BEFORE: f64 = 58.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 50.0;
const MARGIN: f64 = 16.0;
/// Most points of a line that are all marked; longer lines have marks on some points only.
const MARKED: usize = 16;

/// Draws a chart.
pub fn chart_svg(chart: &Chart) -> String {
    let columns = chart.columns.clamp(1, chart.panels.len().max(1));
    let rows = chart.panels.len().div_ceil(columns);
    // A single panel may be large.
    let grow = match columns {
        1 => 2.6,
        2 => 1.7,
        3 => 1.25,
        _ => 1.0,
    };
    let (panel_width, panel_height) =
        (WIDTH * grow, HEIGHT * if rows == 1 { grow.clamp(1.3, 1.9) } else { grow.min(1.3) });
    let width = MARGIN * 2.0 + columns as f64 * (panel_width + BEFORE);
    let keys = keys(chart);
    let key_lines = key_lines(&keys, width);
    let titles = wrap(&chart.title, 15.5, width - 2.0 * MARGIN);
    let subtitles = wrap(&chart.subtitle, 12.0, width - 2.0 * MARGIN);
    let above = 12.0 + 20.0 * titles.len() as f64 + 16.0 * subtitles.len() as f64;
    let top = above + 14.0 + 20.0 * key_lines.len() as f64;
    let height = top + rows as f64 * (panel_height + ABOVE + BELOW) + 6.0;
    let mut svg = String::new();
    open(&mut svg, &flat(&chart.title), &flat(&chart.about), (width, height), &style());
    for (at, line) in titles.iter().enumerate() {
        typeset(&mut svg, MARGIN, 26.0 + 20.0 * at as f64, "title", "start", line);
    }
    for (at, line) in subtitles.iter().enumerate() {
        let y = 26.0 + 20.0 * titles.len() as f64 + 16.0 * at as f64;
        typeset(&mut svg, MARGIN, y, "quiet", "start", line);
    }
    for (at, line) in key_lines.iter().enumerate() {
        key(&mut svg, line, above + 12.0 + 20.0 * at as f64);
    }
    for (at, panel) in chart.panels.iter().enumerate() {
        let left = MARGIN + (at % columns) as f64 * (panel_width + BEFORE) + BEFORE;
        let up = top + (at / columns) as f64 * (panel_height + ABOVE + BELOW) + ABOVE;
        draw(&mut svg, chart, panel, (left, up, left + panel_width, up + panel_height));
    }
    svg += "</svg>\n";
    svg
}

/// Name and look of every series once, in order of first appearance.
fn keys(chart: &Chart) -> Vec<(&str, Look)> {
    let mut keys: Vec<(&str, Look)> = Vec::new();
    for line in chart.panels.iter().flat_map(|panel| &panel.lines) {
        if !keys.iter().any(|(name, _)| *name == line.name) {
            keys.push((&line.name, line.look));
        }
    }
    keys
}

fn key_lines<'a>(keys: &[(&'a str, Look)], width: f64) -> Vec<Vec<(&'a str, Look, f64)>> {
    let (mut lines, mut x) = (vec![Vec::new()], MARGIN);
    for &(name, look) in keys {
        let room = 40.0 + wide(name, 12.0) + 18.0;
        if x + room > width - MARGIN && x > MARGIN {
            lines.push(Vec::new());
            x = MARGIN;
        }
        let last = lines.len() - 1;
        lines[last].push((name, look, x));
        x += room;
    }
    lines
}

fn key(svg: &mut String, line: &[(&str, Look, f64)], y: f64) {
    for (name, look, x) in line {
        push(
            svg,
            &format!(
                "  <path class=\"{}\" d=\"M{} {} H{}\"/>",
                look.class(),
                short(*x),
                short(y),
                short(x + 32.0)
            ),
        );
        look.mark(svg, x + 16.0, y, false, "");
        typeset(svg, x + 38.0, y + 4.0, "", "start", name);
    }
}

fn draw(svg: &mut String, chart: &Chart, panel: &Panel, (left, top, right, bottom): (f64, f64, f64, f64)) {
    let all = || chart.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
    let x = Ruler::new(&chart.x_scale, all().map(|dot| dot.x), left, right);
    let shares = |other: &&Panel| other.y == panel.y && other.y_scale == panel.y_scale;
    let heights =
        || chart.panels.iter().filter(shares).flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
    let y = Ruler::new(&panel.y_scale, heights().map(|dot| dot.y), bottom, top);
    typeset(svg, left, top - 10.0, "panel", "start", &panel.title);
    for (at, label) in y.ticks() {
        push(
            svg,
            &format!("  <path class=\"grid\" d=\"M{} {} H{}\"/>", short(left), short(at), short(right)),
        );
        typeset(svg, left - 7.0, at + 4.0, "quiet small", "end", &label);
    }
    let mut free = f64::NEG_INFINITY;
    for (at, label) in x.ticks() {
        push(
            svg,
            &format!("  <path class=\"grid\" d=\"M{} {} V{}\"/>", short(at), short(top), short(bottom)),
        );
        // Every tick has its line; a number that would touch the one before is left out.
        let half = label.split('\n').map(|part| wide(part, 11.0)).fold(0.0, f64::max) / 2.0;
        if at - half < free {
            continue;
        }
        free = at + half + 5.0;
        for (line, part) in label.split('\n').enumerate() {
            typeset(svg, at, bottom + 15.0 + 13.0 * line as f64, "quiet small", "middle", part);
        }
    }
    push(
        svg,
        &format!(
            "  <path class=\"axis\" d=\"M{} {} V{} H{}\"/>",
            short(left),
            short(top),
            short(bottom),
            short(right)
        ),
    );
    typeset(
        svg,
        (left + right) / 2.0,
        bottom + if two_lines(&x) { 45.0 } else { 34.0 },
        "small",
        "middle",
        &chart.x,
    );
    typeset_upwards(svg, left - 42.0, (top + bottom) / 2.0, "small", &panel.y);
    // Bounds are drawn first, so that they hide no mark.
    let is_bound = |line: &&Line| !matches!(line.look, Look::Series(_));
    for line in panel.lines.iter().filter(is_bound).chain(panel.lines.iter().filter(|line| !is_bound(line))) {
        draw_line(svg, line, &x, &y, (top, bottom));
    }
}

fn two_lines(ruler: &Ruler) -> bool {
    ruler.ticks().iter().any(|(_, label)| label.contains('\n'))
}

fn draw_line(svg: &mut String, line: &Line, x: &Ruler, y: &Ruler, (top, bottom): (f64, f64)) {
    let inside = |dot: &&Dot| (top - 0.5..=bottom + 0.5).contains(&y.place(dot.y));
    let dots: Vec<&Dot> = line.points.iter().filter(inside).collect();
    let places: Vec<String> =
        dots.iter().map(|dot| format!("{} {}", short(x.place(dot.x)), short(y.place(dot.y)))).collect();
    if places.is_empty() {
        return;
    }
    push(svg, &format!("  <path class=\"{}\" d=\"M{}\"/>", line.look.class(), places.join(" L")));
    let every = if dots.len() > MARKED { dots.len() / 5 } else { 1 };
    for (at, dot) in dots.iter().enumerate() {
        let place = x.place(dot.x);
        if let Some(error) = dot.error {
            let (low, high) = (y.place(dot.y - error).min(bottom), y.place(dot.y + error).max(top));
            // An error bar that its mark hides need not be drawn.
            if low - high > 2.0 {
                let [a, b, place, low, high] = [place - 3.0, place + 3.0, place, low, high].map(short);
                let class = line.look.bar_class();
                push(
                    svg,
                    &format!(
                        "  <path class=\"{class}\" d=\"M{place} {low} V{high} M{a} {low} H{b} M{a} {high} H{b}\"/>"
                    ),
                );
            }
        }
        if at % every == every / 2 {
            let error = dot.error.map_or(String::new(), |error| format!(" ± {}", number(error)));
            line.look.mark(
                svg,
                place,
                y.place(dot.y),
                false,
                &format!("{}: {}{error}", line.name, number(dot.y)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let dot = |x: f64, y: f64| Dot { x, y, error: Some(0.5) };
        let line =
            |name: &str, look, points: &[Dot]| Line { name: name.to_owned(), look, points: points.to_vec() };
        let panel = Panel {
            title: "δ < 1".to_owned(),
            y: "cost".to_owned(),
            y_scale: Scale::Linear,
            lines: vec![
                line("gbs", Look::Series(0), &[dot(0.0, 2.0), dot(1.0, 3.0)]),
                line("bound", Look::Bound, &[dot(0.0, 1.0), dot(1.0, 1.5)]),
            ],
        };
        Chart {
            title: "title".to_owned(),
            subtitle: "how to read it".to_owned(),
            about: "in words".to_owned(),
            x: "λ".to_owned(),
            x_scale: Scale::Names(vec!["1".to_owned(), "2".to_owned()]),
            columns: 2,
            panels: vec![panel.clone(), panel],
        }
    }

    #[test]
    fn every_series_has_its_marks_and_stands_in_the_key_once() {
        let svg = chart_svg(&chart());
        // A mark in the key and one for each of two points in both panels; bounds have none.
        assert_eq!(svg.matches("<circle class=\"m0\"").count(), 5);
        assert_eq!(svg.matches(">gbs</text>").count(), 1);
        assert_eq!(svg.matches(">bound</text>").count(), 1);
        assert!(svg.contains("δ &lt; 1") && svg.contains("gbs: 2 ± 0.5"));
        assert!(svg.contains("prefers-color-scheme: dark"));
    }

    #[test]
    fn what_is_beyond_a_fixed_scale_is_not_drawn() {
        let mut chart = chart();
        chart.panels.iter_mut().for_each(|panel| panel.y_scale = Scale::Fixed(0.0, 2.5));
        assert_eq!(chart_svg(&chart).matches("<circle class=\"m0\"").count(), 3);
    }

    #[test]
    fn a_chart_without_lines_is_still_a_picture() {
        let mut chart = chart();
        chart.panels.iter_mut().for_each(|panel| panel.lines.clear());
        assert!(chart_svg(&chart).ends_with("</svg>\n"));
        chart.panels.clear();
        assert!(chart_svg(&chart).ends_with("</svg>\n"));
    }
}
