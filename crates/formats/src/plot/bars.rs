//! Bars one below the other, with an axis of numbers.

use super::measure::{width, wrap};
use super::{Axis, number, open, push, short, text};

/// Bar with its name and a length ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar<'a> {
    /// Name beside the bar.
    pub name: &'a str,
    /// Length of the bar.
    pub value: f64,
}

/// Most bars that are drawn; more could not be read.
const BARS: usize = 40;
/// Width of the picture, of its longest bar and of its longest name.
const WIDTH: f64 = 760.0;
const NAMES: f64 = 300.0;
const MARGIN: f64 = 20.0;
/// Height of a line of a name, and the space between two bars.
const LINE: f64 = 15.0;
const GAP: f64 = 7.0;
/// Most letters of a name: a page of one name says no more than its beginning.
const LONGEST: usize = 160;

/// Draws bars one below the other, in the order given, with their numbers beside them and their `unit` at the axis.
pub fn bars_svg(title: &str, unit: &str, bars: &[Bar<'_>]) -> String {
    let shown = &bars[..bars.len().min(BARS)];
    let names: Vec<Vec<String>> =
        shown.iter().map(|bar| wrap(&crate::text::one_line(bar.name, LONGEST), 12.0, NAMES)).collect();
    let widest = names.iter().flatten().map(|line| width(line, 12.0)).fold(60.0, f64::max);
    let titles = wrap(title, 15.5, WIDTH - 2.0 * MARGIN);
    let (left, top) = (MARGIN + widest + 8.0, 22.0 + 20.0 * titles.len() as f64);
    let bottom = top + names.iter().map(|lines| lines.len() as f64 * LINE + GAP).sum::<f64>() + 4.0;
    let values = shown.iter().map(|bar| bar.value).filter(|value| value.is_finite());
    let axis = Axis::from(0.0, values, left, WIDTH - MARGIN - 70.0);
    let told: Vec<String> = shown.iter().map(|bar| format!("{} {}", bar.name, number(bar.value))).collect();
    let about = match unit {
        "" => format!("{}.", told.join("; ")),
        unit => format!("In {unit}: {}.", told.join("; ")),
    };
    let mut svg = String::new();
    open(&mut svg, title, &about, (WIDTH, bottom + 58.0), "");
    for (at, line) in titles.iter().enumerate() {
        text(&mut svg, MARGIN, 26.0 + 20.0 * at as f64, "title", "start", line);
    }
    draw_axis(&mut svg, &axis, unit, (left, top, bottom));
    let mut y = top + 4.0;
    for (bar, lines) in shown.iter().zip(&names) {
        draw_bar(&mut svg, *bar, lines, &axis, (left, y));
        y += lines.len() as f64 * LINE + GAP;
    }
    push(
        &mut svg,
        &format!("  <path class=\"axis\" d=\"M{} {} V{}\"/>", short(left), short(top), short(bottom)),
    );
    if bars.len() > shown.len() {
        let more = format!("… and {} more", bars.len() - shown.len());
        text(&mut svg, MARGIN, bottom + 46.0, "quiet", "start", &more);
    }
    svg += "</svg>\n";
    svg
}

/// Draws the lines of the ticks, their numbers and the unit.
fn draw_axis(svg: &mut String, axis: &Axis, unit: &str, (left, top, bottom): (f64, f64, f64)) {
    let mut end = left;
    for tick in axis.ticks() {
        end = axis.place(tick);
        let at = short(end);
        push(svg, &format!("  <path class=\"grid\" d=\"M{at} {} V{}\"/>", short(top), short(bottom)));
        text(svg, end, bottom + 16.0, "quiet", "middle", &axis.label(tick));
    }
    text(svg, (left + end) / 2.0, bottom + 38.0, "", "middle", unit);
}

fn draw_bar(svg: &mut String, bar: Bar<'_>, lines: &[String], axis: &Axis, (left, y): (f64, f64)) {
    let high = lines.len() as f64 * LINE;
    for (at, line) in lines.iter().enumerate() {
        text(svg, left - 8.0, y + 11.5 + LINE * at as f64, "", "end", line);
    }
    let end = if bar.value.is_finite() { axis.place(bar.value) } else { left };
    push(
        svg,
        &format!(
            "  <rect class=\"point\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            short(left),
            short(y + high / 2.0 - LINE / 2.0),
            short((end - left).max(1.0)),
            short(LINE)
        ),
    );
    // The ground keeps the lines of the axis away from the number.
    let (value, middle) = (number(bar.value), y + high / 2.0);
    push(
        svg,
        &format!(
            "  <rect class=\"page\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            short(end + 5.0),
            short(middle - LINE / 2.0),
            short(width(&value, 12.0) + 4.0),
            short(LINE)
        ),
    );
    text(svg, end + 8.0, middle + 4.0, "quiet", "start", &value);
}
