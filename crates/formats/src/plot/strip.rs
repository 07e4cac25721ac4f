//! Dots along a line for each name: the spread of a number over many tables.

use super::measure::wrap;
use super::ruler::{Ruler, Scale};
use super::theme::{Look, style};
use super::{number, open, push, short, text};

/// Rows of dots, in panels side by side.
#[derive(Clone, Debug)]
pub struct Strips {
    /// Title.
    pub title: String,
    /// Hint how to read the picture, in one line.
    pub subtitle: String,
    /// Description in words, for readers who cannot see it.
    pub about: String,
    /// Label of the x axis.
    pub x: String,
    /// Names of the rows, from the top.
    pub rows: Vec<String>,
    /// Panels, from left to right.
    pub panels: Vec<StripPanel>,
}

/// Panel with the dots of each row, and their mean.
#[derive(Clone, Debug)]
pub struct StripPanel {
    /// Title: what distinguishes this panel.
    pub title: String,
    /// Dots of each row.
    pub rows: Vec<Vec<StripDot>>,
    /// Mean of each row.
    pub means: Vec<f64>,
}

/// Dot of one table.
#[derive(Clone, Debug)]
pub struct StripDot {
    /// Coordinate on the x axis.
    pub x: f64,
    /// Whether the number is certain; if not, the dot is hollow.
    pub certain: bool,
    /// Name in the tooltip.
    pub name: String,
}

const ROW: f64 = 26.0;
const NAMES: f64 = 104.0;
const WIDTH: f64 = 270.0;
const TOP: f64 = 92.0;

/// Draws strips, each panel on a logarithmic scale of its own.
pub fn strips_svg(strips: &Strips) -> String {
    let width = NAMES + strips.panels.len() as f64 * (WIDTH + 24.0) + 16.0;
    let bottom = TOP + ROW * strips.rows.len() as f64;
    let mut svg = String::new();
    let subtitles = wrap(&strips.subtitle, 12.0, width - 32.0);
    let lower = 16.0 * (subtitles.len() - 1) as f64;
    open(&mut svg, &strips.title, &strips.about, (width, bottom + lower + 54.0), &style());
    text(&mut svg, 16.0, 26.0, "title", "start", &strips.title);
    for (at, line) in subtitles.iter().enumerate() {
        text(&mut svg, 16.0, 46.0 + 16.0 * at as f64, "quiet", "start", line);
    }
    push(&mut svg, &format!("  <g transform=\"translate(0 {})\">", short(lower)));
    for (row, name) in strips.rows.iter().enumerate() {
        text(&mut svg, NAMES, line(row) + 4.0, "", "end", name);
    }
    for (at, panel) in strips.panels.iter().enumerate() {
        let left = NAMES + 14.0 + at as f64 * (WIDTH + 24.0);
        draw_panel(&mut svg, strips, panel, left, bottom);
    }
    svg += "  </g>\n</svg>\n";
    svg
}

/// Vertical position of the middle of a row.
fn line(row: usize) -> f64 {
    TOP + ROW * (row as f64 + 0.5)
}

/// Draws one panel from `left` on: grid, bars of means, dots.
fn draw_panel(svg: &mut String, strips: &Strips, panel: &StripPanel, left: f64, bottom: f64) {
    // The mean is written at the right end of its row.
    let right = left + WIDTH - 48.0;
    let values = panel.rows.iter().flatten().map(|dot| dot.x).chain([1.0]);
    let x = Ruler::new(&Scale::Log, values, left, right);
    text(svg, left, TOP - 14.0, "panel", "start", &panel.title);
    text(svg, right + 44.0, TOP - 14.0, "quiet small", "end", "mean");
    for (place, label) in x.ticks() {
        push(
            svg,
            &format!("  <path class=\"grid\" d=\"M{} {} V{}\"/>", short(place), short(TOP), short(bottom)),
        );
        text(svg, place, bottom + 16.0, "quiet small", "middle", &label);
    }
    let best = short(x.place(1.0));
    push(svg, &format!("  <path class=\"bound\" d=\"M{best} {} V{}\"/>", short(TOP), short(bottom)));
    for (row, dots) in panel.rows.iter().enumerate() {
        let y = line(row);
        let mean = panel.means[row];
        let bar = [x.place(1.0), x.place(mean)].map(short);
        push(
            svg,
            &format!(
                "  <path class=\"s0\" stroke-width=\"9\" stroke-opacity=\"0.25\" d=\"M{} {y} H{}\"/>",
                bar[0],
                bar[1],
                y = short(y)
            ),
        );
        // Overlapping dots are darker.
        push(svg, "  <g fill-opacity=\"0.6\">");
        for dot in dots {
            Look::Series(0).mark(
                svg,
                x.place(dot.x),
                y,
                !dot.certain,
                &format!("{}: {}", dot.name, number(dot.x)),
            );
        }
        push(svg, "  </g>");
        text(svg, right + 44.0, y + 4.0, "small", "end", &format!("{mean:.3}"));
    }
    text(svg, (left + right) / 2.0, bottom + 38.0, "small", "middle", &strips.x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_that_are_not_certain_are_hollow() {
        let dot = |x, certain| StripDot { x, certain, name: "zoo".to_owned() };
        let panel = StripPanel {
            title: "expected".to_owned(),
            rows: vec![vec![dot(1.0, true), dot(1.5, false)], vec![dot(2.0, true)]],
            means: vec![1.2, 2.0],
        };
        let strips = Strips {
            title: "t".to_owned(),
            subtitle: "s".to_owned(),
            about: "a".to_owned(),
            x: "x".to_owned(),
            rows: vec!["gbs".to_owned(), "ggbs".to_owned()],
            panels: vec![panel],
        };
        let svg = strips_svg(&strips);
        assert_eq!(svg.matches("<circle class=\"m0\"").count(), 2);
        assert_eq!(svg.matches("<circle class=\"m0 hollow\"").count(), 1);
        assert!(svg.contains("zoo: 1.5") && svg.contains(">1.200</text>"));
    }
}
