//! Looks of series, distinguished by colour, dashes and the shape of their marks, so that they differ on grey paper,
//! too.

use super::{push, short};
use std::fmt::Write;

/// Look of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Algorithm: its own colour, dashes and mark.
    Series(usize),
    /// Lower bound: grey, dashed, without marks.
    Bound,
    /// Second lower bound: grey and dotted.
    Floor,
}

/// Colours on paper and on dark screens, dashes, and marks; further series repeat them.
const LOOKS: [(&str, &str, &str, Mark); 8] = [
    ("#0b5cad", "#7db8f5", "", Mark::Circle),
    ("#c25e00", "#f5a95a", "8 4", Mark::Square),
    ("#1f7a4a", "#74d3a0", "", Mark::Up),
    ("#a3195b", "#f08ab8", "3 3", Mark::Diamond),
    ("#5b3fa6", "#b9a5f2", "10 3 2 3", Mark::Down),
    ("#1b1b1b", "#ececec", "", Mark::Ring),
    ("#6b5d12", "#d6c562", "5 2", Mark::Cross),
    ("#2b8796", "#7fd6e4", "2 2", Mark::Plus),
];

#[derive(Clone, Copy, Debug)]
enum Mark {
    Circle,
    Square,
    Up,
    Down,
    Diamond,
    Ring,
    Cross,
    Plus,
}

/// CSS rules of all looks, for the style of a picture.
pub(crate) fn style() -> String {
    let mut light = String::from(
        "    .l { fill: none; stroke-width: 2; }\n    .bar { stroke-width: 1.2; fill: none; }\n    .bd { stroke: #6a6a6a; stroke-dasharray: 7 4; }\n    .fl { stroke: #6a6a6a; stroke-dasharray: 1.5 3; }\n    .small { font-size: 11px; }\n    .panel { font-size: 13px; font-weight: 600; }\n    .box { fill: #f4f4f4; stroke: #1b1b1b; }\n    .leaf { fill: #ffffff; stroke: #1b1b1b; stroke-width: 2; }\n",
    );
    let mut dark = String::from(
        "    @media (prefers-color-scheme: dark) {\n      .bd, .fl { stroke: #a8a8a8; }\n      .box { fill: #25282e; stroke: #ececec; }\n      .leaf { fill: #16181c; stroke: #ececec; }\n",
    );
    for (at, (paper, screen, dashes, _)) in LOOKS.iter().enumerate() {
        let dashes = match dashes.is_empty() {
            true => String::new(),
            false => format!(" stroke-dasharray: {dashes};"),
        };
        let _ = writeln!(
            light,
            "    .s{at} {{ stroke: {paper}; }} .l.s{at} {{{dashes} }} .m{at} {{ fill: {paper}; stroke: {paper}; }}"
        );
        let _ = writeln!(
            dark,
            "      .s{at} {{ stroke: {screen}; }} .m{at} {{ fill: {screen}; stroke: {screen}; }}"
        );
    }
    light
        + "    .hollow { fill: #ffffff; stroke-width: 1.6; }\n"
        + &dark
        + "      .hollow { fill: #16181c; }\n    }\n"
}

impl Look {
    /// CSS class of the line.
    pub(crate) fn class(self) -> String {
        match self {
            Self::Series(at) => format!("l s{}", at % LOOKS.len()),
            Self::Bound => "l bd".to_owned(),
            Self::Floor => "l fl".to_owned(),
        }
    }

    /// CSS class of an error bar.
    pub(crate) fn bar_class(self) -> String {
        match self {
            Self::Series(at) => format!("bar s{}", at % LOOKS.len()),
            Self::Bound | Self::Floor => "bar bd".to_owned(),
        }
    }

    /// Draws the mark, if the look has one; a hollow mark means a less certain number.
    pub(crate) fn mark(self, svg: &mut String, x: f64, y: f64, hollow: bool, told: &str) {
        let Self::Series(at) = self else { return };
        let at = at % LOOKS.len();
        let kind = LOOKS[at].3;
        let p = |dx: f64, dy: f64| format!("{} {}", short(x + dx), short(y + dy));
        let shape = match kind {
            Mark::Circle | Mark::Ring => String::new(),
            Mark::Square => {
                format!("M{} L{} L{} L{} Z", p(-4.0, -4.0), p(4.0, -4.0), p(4.0, 4.0), p(-4.0, 4.0))
            }
            Mark::Up => format!("M{} L{} L{} Z", p(0.0, -5.0), p(4.8, 3.8), p(-4.8, 3.8)),
            Mark::Down => format!("M{} L{} L{} Z", p(0.0, 5.0), p(4.8, -3.8), p(-4.8, -3.8)),
            Mark::Diamond => {
                format!("M{} L{} L{} L{} Z", p(0.0, -5.4), p(4.6, 0.0), p(0.0, 5.4), p(-4.6, 0.0))
            }
            Mark::Cross => format!("M{} L{} M{} L{}", p(-4.0, -4.0), p(4.0, 4.0), p(4.0, -4.0), p(-4.0, 4.0)),
            Mark::Plus => format!("M{} L{} M{} L{}", p(-5.0, 0.0), p(5.0, 0.0), p(0.0, -5.0), p(0.0, 5.0)),
        };
        let class =
            if hollow || matches!(kind, Mark::Ring) { format!("m{at} hollow") } else { format!("m{at}") };
        let told =
            if told.is_empty() { String::new() } else { format!("<title>{}</title>", super::escape(told)) };
        // A ring may surround the mark of another series.
        let radius = if matches!(kind, Mark::Ring) { "6.5" } else { "4" };
        let drawn = match shape.is_empty() {
            true => format!(
                "  <circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{radius}\">{told}</circle>",
                short(x),
                short(y)
            ),
            false => format!("  <path class=\"{class}\" d=\"{shape}\">{told}</path>"),
        };
        push(svg, &drawn);
    }
}
