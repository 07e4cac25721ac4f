//! Plots as SVG: the trade-off between expected and worst cost, and bars.
//!
//! Written by hand so that the bytes are the same everywhere and text stays text. One theme: black on white,
//! distinguished by shape and dashes rather than by colour, light or dark by the setting of the reader's system.
//!
//! [`chart_svg`] draws lines with error bars in panels, [`strips_svg`] dots in rows, [`trees_svg`] small strategies
//! side by side.

mod bars;
mod chart;
pub(crate) mod measure;
mod ruler;
mod strip;
mod theme;
mod trees;
pub(crate) mod typeset;

pub use bars::{Bar, bars_svg};
pub use chart::{Chart, Dot, Line, Panel, chart_svg};
pub use ruler::Scale;
pub use strip::{StripDot, StripPanel, Strips, strips_svg};
pub use theme::Look;
pub use trees::{TreePicture, trees_svg};

use std::fmt::Write;

/// Point of a strategy in the plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotPoint<'a> {
    /// Expected cost of the strategy.
    pub expected: f64,
    /// Worst cost of the strategy.
    pub worst: f64,
    /// Name of the algorithm that found the strategy.
    pub by: &'a str,
}

/// Lower bound: a number that no strategy can cost less than.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotBound<'a> {
    /// Value of the bound.
    pub value: f64,
    /// Name of the bound.
    pub by: &'a str,
}

/// Plot of expected cost against worst cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontPlot<'a> {
    /// Title.
    pub title: &'a str,
    /// Strategies, by rising worst cost.
    pub points: &'a [PlotPoint<'a>],
    /// Bound on the expected cost.
    pub expected: PlotBound<'a>,
    /// Bound on the worst cost.
    pub worst: PlotBound<'a>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 480.0;
/// Edges of the plotting area.
const LEFT: f64 = 76.0;
const RIGHT: f64 = 696.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 416.0;
/// About the width of a letter of a label, and the height of a line.
const LETTER: f64 = 6.4;
const LINE: f64 = 15.0;

const STYLE: &str = "\
    svg { background: #ffffff; font: 12px system-ui, sans-serif; }
    text { fill: #1b1b1b; }
    .title { font-size: 15px; font-weight: 600; }
    .quiet { fill: #555555; }
    .page { fill: #ffffff; }
    .never { fill: #ececec; }
    .grid { stroke: #dddddd; fill: none; }
    .axis { stroke: #1b1b1b; fill: none; }
    .bound { stroke: #1b1b1b; stroke-width: 1.5; stroke-dasharray: 6 4; fill: none; }
    .front { stroke: #0b5cad; stroke-width: 2; fill: none; }
    .point { fill: #0b5cad; stroke: #ffffff; stroke-width: 1.5; }
    @media (prefers-color-scheme: dark) {
      svg { background: #16181c; }
      text { fill: #ececec; }
      .quiet { fill: #b0b0b0; }
      .page { fill: #16181c; }
      .never { fill: #25282e; }
      .grid { stroke: #33373e; }
      .axis, .bound { stroke: #ececec; }
      .front { stroke: #7db8f5; }
      .point { fill: #7db8f5; stroke: #16181c; }
    }
";

/// Draws the plot: worst cost to the right, expected cost upwards, each bound a dashed line at the edge of the region
/// that no strategy can reach, the front a staircase with a dot for each strategy.
pub fn front_svg(plot: &FrontPlot<'_>) -> String {
    let x = Axis::over(plot.points.iter().map(|point| point.worst).chain([plot.worst.value]), LEFT, RIGHT);
    let y =
        Axis::over(plot.points.iter().map(|point| point.expected).chain([plot.expected.value]), BOTTOM, TOP);
    let mut svg = String::new();
    head(&mut svg, plot);
    unreachable_part(&mut svg, plot, &x, &y);
    axes(&mut svg, &x, &y);
    bounds(&mut svg, plot, &x, &y);
    staircase(&mut svg, plot.points, &x, &y);
    points(&mut svg, plot.points, &x, &y);
    labels(&mut svg, plot, &x, &y);
    svg += "</svg>\n";
    svg
}

fn head(svg: &mut String, plot: &FrontPlot<'_>) {
    let title = format!("{}: expected against worst cost", plot.title);
    let told: Vec<String> = plot.points.iter().map(point_title).collect();
    let about = format!(
        "Best possible: expected cost at least {}, worst cost at least {}. Found: {}.",
        number(plot.expected.value),
        number(plot.worst.value),
        told.join("; ")
    );
    open(svg, &title, &about, (WIDTH, HEIGHT), "");
    text(svg, LEFT, 26.0, "title", "start", &title);
}

/// Begins a picture of a width and height, in the common style and that of `style`. Title and description are for
/// readers who cannot see it.
pub(crate) fn open(svg: &mut String, title: &str, about: &str, (width, height): (f64, f64), style: &str) {
    let (width, height) = (short(width), short(height));
    push(
        svg,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title about\">"
        ),
    );
    push(svg, &format!("  <title id=\"title\">{}</title>", escape(title)));
    push(svg, &format!("  <desc id=\"about\">{}</desc>", escape(about)));
    push(svg, &format!("  <style>\n{STYLE}{style}  </style>"));
    push(svg, &format!("  <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>"));
}

/// Draws the region that the bounds exclude.
fn unreachable_part(svg: &mut String, plot: &FrontPlot<'_>, x: &Axis, y: &Axis) {
    let (corner, floor) = (x.place(plot.worst.value), y.place(plot.expected.value));
    push(
        svg,
        &format!(
            "  <path class=\"never\" d=\"M{} {} H{} V{} H{} V{} H{} Z\"/>",
            short(LEFT),
            short(TOP),
            short(corner),
            short(floor),
            short(RIGHT),
            short(BOTTOM),
            short(LEFT)
        ),
    );
}

fn axes(svg: &mut String, x: &Axis, y: &Axis) {
    for tick in x.ticks() {
        let at = short(x.place(tick));
        push(svg, &format!("  <path class=\"grid\" d=\"M{at} {} V{}\"/>", short(TOP), short(BOTTOM)));
        text(svg, x.place(tick), BOTTOM + 18.0, "quiet", "middle", &x.label(tick));
    }
    for tick in y.ticks() {
        let at = short(y.place(tick));
        push(svg, &format!("  <path class=\"grid\" d=\"M{} {at} H{}\"/>", short(LEFT), short(RIGHT)));
        text(svg, LEFT - 8.0, y.place(tick) + 4.0, "quiet", "end", &y.label(tick));
    }
    let frame = [TOP, BOTTOM, RIGHT].map(short);
    push(
        svg,
        &format!("  <path class=\"axis\" d=\"M{} {} V{} H{}\"/>", short(LEFT), frame[0], frame[1], frame[2]),
    );
    text(svg, (LEFT + RIGHT) / 2.0, BOTTOM + 46.0, "", "middle", "worst cost");
    let middle = (TOP + BOTTOM) / 2.0;
    push(
        svg,
        &format!(
            "  <text x=\"22\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 22 {0})\">expected cost</text>",
            short(middle)
        ),
    );
}

fn bounds(svg: &mut String, plot: &FrontPlot<'_>, x: &Axis, y: &Axis) {
    let (at, floor) = (x.place(plot.worst.value), y.place(plot.expected.value));
    push(svg, &format!("  <path class=\"bound\" d=\"M{} {} V{}\"/>", short(at), short(BOTTOM), short(TOP)));
    push(
        svg,
        &format!("  <path class=\"bound\" d=\"M{} {} H{}\"/>", short(LEFT), short(floor), short(RIGHT)),
    );
    let told = |name: &str, bound: PlotBound<'_>| {
        format!("{name} at least {} ({})", number_down(bound.value), bound.by)
    };
    text(svg, RIGHT - 6.0, floor + 16.0, "", "end", &told("expected", plot.expected));
    text(svg, at, TOP - 8.0, "", if at < 560.0 { "start" } else { "end" }, &told("worst", plot.worst));
}

/// Draws the front: every point above and to the right of it costs at least as much as some strategy found.
fn staircase(svg: &mut String, points: &[PlotPoint<'_>], x: &Axis, y: &Axis) {
    let Some(first) = points.first() else { return };
    let mut path =
        format!("M{} {} V{}", short(x.place(first.worst)), short(TOP), short(y.place(first.expected)));
    for point in &points[1..] {
        let _ = write!(path, " H{} V{}", short(x.place(point.worst)), short(y.place(point.expected)));
    }
    push(svg, &format!("  <path class=\"front\" d=\"{path} H{}\"/>", short(RIGHT)));
}

/// Draws a dot for each strategy, with a tooltip of all its numbers.
fn points(svg: &mut String, points: &[PlotPoint<'_>], x: &Axis, y: &Axis) {
    for point in points {
        push(
            svg,
            &format!(
                "  <circle class=\"point\" cx=\"{}\" cy=\"{}\" r=\"5\"><title>{}</title></circle>",
                short(x.place(point.worst)),
                short(y.place(point.expected)),
                escape(&point_title(point))
            ),
        );
    }
}

/// Writes expected cost and algorithm beside each dot where there is space, the two ends of the front first.
fn labels(svg: &mut String, plot: &FrontPlot<'_>, x: &Axis, y: &Axis) {
    let places: Vec<(f64, f64)> =
        plot.points.iter().map(|point| (x.place(point.worst), y.place(point.expected))).collect();
    // Labels do not overlap each other, the dots, or the words at the bound.
    let floor = y.place(plot.expected.value);
    let mut taken = vec![Area::new("end", RIGHT, floor + 16.0, 40)];
    taken.extend(places.iter().map(|(x, y)| Area([x - 5.0, y - 5.0, x + 5.0, y + 5.0])));
    let last = plot.points.len().saturating_sub(1);
    let order = [0, last].into_iter().chain(1..last);
    for at in order.take(plot.points.len()) {
        let (cx, cy) = places[at];
        let label = format!("{} · {}", number(plot.points[at].expected), plot.points[at].by);
        let (above, below) = (cy - 9.0, cy + 9.0 + LINE / 2.0);
        let spots = [
            ("start", cx + 9.0, above),
            ("end", cx - 9.0, below),
            ("start", cx + 9.0, below),
            ("end", cx - 9.0, above),
        ];
        let is_free = |(anchor, at, line): &(&str, f64, f64)| {
            let area = Area::new(anchor, *at, *line, label.chars().count());
            area.is_inside() && taken.iter().all(|other| area.is_apart(other))
        };
        if let Some((anchor, at, line)) = spots.into_iter().find(is_free) {
            text(svg, at, line, "", anchor, &label);
            taken.push(Area::new(anchor, at, line, label.chars().count()));
        }
    }
}

/// Left, top, right and bottom of the area of a label.
struct Area([f64; 4]);

impl Area {
    fn new(anchor: &str, at: f64, line: f64, letters: usize) -> Self {
        let width = letters as f64 * LETTER;
        let left = if anchor == "start" { at } else { at - width };
        Self([left, line - LINE, left + width, line + 3.0])
    }

    fn is_inside(&self) -> bool {
        let [left, top, right, bottom] = self.0;
        left >= LEFT && top >= TOP && right <= RIGHT && bottom <= BOTTOM
    }

    fn is_apart(&self, other: &Self) -> bool {
        let [left, top, right, bottom] = self.0;
        right < other.0[0] || other.0[2] < left || bottom < other.0[1] || other.0[3] < top
    }
}

fn point_title(point: &PlotPoint<'_>) -> String {
    format!("expected {}, worst {}, by {}", number(point.expected), number(point.worst), point.by)
}

pub(crate) fn push(svg: &mut String, line: &str) {
    svg.push_str(line);
    svg.push('\n');
}

pub(crate) fn text(svg: &mut String, x: f64, y: f64, class: &str, anchor: &str, words: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    push(
        svg,
        &format!(
            "  <text{class} x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            short(x),
            short(y),
            escape(words)
        ),
    );
}

/// Linear axis, with a step that is 1, 2 or 5 times a power of ten.
pub(crate) struct Axis {
    low: f64,
    high: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Axis over `values` with margins, drawn between the positions `from` and `to`.
    pub(crate) fn over(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let (least, most) =
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max));
        let range = if most > least { most - least } else { most.abs().max(1.0) };
        let step = round_step(range * 1.3 / 6.0);
        // Margins on both sides, but never below zero: no cost is negative.
        let low = ((least - 0.12 * range).max(0.0) / step).floor() * step;
        let high = ((most + 0.12 * range) / step).ceil() * step;
        Self { low, high, step, from, to }
    }

    /// Axis over `values` that begins at `low`.
    pub(crate) fn from(low: f64, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let most = values.fold(low, f64::max);
        let range = if most > low { most - low } else { low.abs().max(1.0) };
        let step = round_step(range * 1.1 / 6.0);
        let high = low + ((range * 1.04) / step).ceil() * step;
        Self { low, high, step, from, to }
    }

    pub(crate) fn place(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    pub(crate) fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        let (low, step) = (self.low, self.step);
        (0..=count).map(move |tick| low + f64::from(tick) * step)
    }

    /// Number of a tick, with the digits that its step has.
    pub(crate) fn label(&self, tick: f64) -> String {
        if !(1e-4..1e7).contains(&self.step) {
            return format!("{tick:.2e}");
        }
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{tick:.digits$}")
    }
}

/// Least of 1, 2, 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A position, to a tenth of a pixel.
pub(crate) fn short(place: f64) -> String {
    let text = format!("{place:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A number with up to four digits after the point.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number rounded down to four digits after the point, so that it is still a bound.
fn number_down(value: f64) -> String {
    number((value * 1e4 * (1.0 + 1e-12)).floor() / 1e4)
}

/// Escapes text for XML; characters that XML cannot hold are left out.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\t' | '\n' | '\r' => safe.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => (),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (step, round) in [(0.013, 0.02), (0.2, 0.2), (0.21, 0.5), (0.6, 1.0), (37.0, 50.0), (51.0, 100.0)]
        {
            assert!((round_step(step) / round - 1.0).abs() < 1e-12, "{step}");
        }
    }

    #[test]
    fn an_axis_holds_its_values_and_begins_no_lower_than_zero() {
        for values in [&[1.0, 3.5][..], &[2.0], &[0.0], &[1e-9, 2e-9], &[4e12, 5e12]] {
            let axis = Axis::over(values.iter().copied(), 0.0, 100.0);
            assert!(axis.low >= 0.0);
            assert!(values.iter().all(|value| (0.0..=100.0).contains(&axis.place(*value))), "{values:?}");
            assert!((2..=12).contains(&axis.ticks().count()), "{values:?}");
        }
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("a<b>&\"c\u{1}\n"), "a&lt;b&gt;&amp;&quot;c ");
    }
}
