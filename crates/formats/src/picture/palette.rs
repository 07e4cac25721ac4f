//! Colours of groups: no two groups ever look the same. The likeliest groups have colours that people with any kind of
//! colour vision tell apart; the next have the same colours with stripes; all further ones are grey, and the key says so.
//!
//! Names stand in the boxes as well, so nothing is said by colour alone.

use super::sketch::{Marks, Sketch};
use crate::plot::{push, short};
use std::fmt::Write;

/// Colours on paper and on dark screens (Paul Tol's "muted" scheme, the darkest ones lighter on dark screens).
const COLOURS: [(&str, &str); 9] = [
    ("#4477aa", "#77aadd"),
    ("#cc6677", "#ee8899"),
    ("#117733", "#44bb77"),
    ("#ddcc77", "#ddcc77"),
    ("#882255", "#cc6699"),
    ("#88ccee", "#88ccee"),
    ("#999933", "#bbbb55"),
    ("#44aa99", "#44bbaa"),
    ("#aa4499", "#dd77cc"),
];

/// Number of ways to fill a colour: plain, striped upright, striped level.
const FILLS: usize = 3;
/// Number of groups that are told apart by colour and stripes.
pub(crate) const LOOKS: usize = COLOURS.len() * FILLS;

/// Look of each group; `None`: grey.
#[derive(Debug)]
pub(crate) struct Palette {
    looks: Vec<Option<usize>>,
    /// Groups that have a look, the likeliest first.
    pub(crate) order: Vec<usize>,
}

impl Palette {
    /// Looks of the groups of a sketch, by likelihood. Many groups that end in one leaf each get none: their colours
    /// would say nothing.
    pub(crate) fn of(sketch: &Sketch) -> Self {
        let mut shares = vec![(0.0, 0usize); sketch.groups.len()];
        for node in sketch.nodes.iter().filter(|node| node.children.is_empty()) {
            match &node.marks {
                Marks::None => (),
                Marks::Ends(groups) => groups.iter().for_each(|group| {
                    shares[*group].0 += node.share;
                    shares[*group].1 += 1;
                }),
                Marks::Shares(parts) => parts.iter().for_each(|(group, share)| {
                    shares[*group].0 += node.share * share;
                    shares[*group].1 += 2;
                }),
            }
        }
        let mut order: Vec<usize> = (0..shares.len()).collect();
        order.sort_by(|left, right| shares[*right].0.total_cmp(&shares[*left].0).then(left.cmp(right)));
        let tells = shares.len() <= COLOURS.len() || shares.iter().any(|(_, leaves)| *leaves > 1);
        order.truncate(if tells { LOOKS } else { 0 });
        let mut looks = vec![None; shares.len()];
        order.iter().enumerate().for_each(|(look, group)| looks[*group] = Some(look));
        Self { looks, order }
    }

    /// Whether any group has a colour.
    pub(crate) fn is_coloured(&self) -> bool {
        !self.order.is_empty()
    }

    /// Number of groups that are grey although others have colours.
    pub(crate) fn greys(&self) -> usize {
        if self.is_coloured() { self.looks.len() - self.order.len() } else { 0 }
    }

    /// Colour on paper of a group that is told apart by its colour alone; `None` for stripes and grey.
    pub(crate) fn plain(&self, group: usize) -> Option<&'static str> {
        let look = self.looks[group]?;
        COLOURS.get(look).map(|(paper, _)| *paper)
    }

    /// Look of a group; `None`: grey.
    pub(crate) fn look(&self, group: usize) -> Option<usize> {
        self.looks[group]
    }
}

/// CSS rules of all looks.
pub(crate) fn style() -> String {
    let mut light = String::from(
        "    .c { stroke: none; }\n    .grey { fill: #bbbbbb; }\n    .stripe { fill: #ffffff; }\n",
    );
    let mut dark = String::from(
        "    @media (prefers-color-scheme: dark) {\n      .grey { fill: #777777; }\n      .stripe { fill: #16181c; }\n",
    );
    for (at, (paper, screen)) in COLOURS.iter().enumerate() {
        let _ = writeln!(light, "    .c{at} {{ fill: {paper}; }}");
        let _ = writeln!(dark, "      .c{at} {{ fill: {screen}; }}");
    }
    light + &dark + "    }\n"
}

/// Draws a rectangle in the look of a group.
pub(crate) fn swatch(svg: &mut String, look: Option<usize>, [x, y, width, height]: [f64; 4]) {
    const STEP: f64 = 5.0;
    const THICK: f64 = 2.0;
    let class = look.map_or("c grey".to_owned(), |look| format!("c c{}", look % COLOURS.len()));
    let [left, top, wide, high] = [x, y, width, height].map(short);
    push(
        svg,
        &format!("  <rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\"/>"),
    );
    let fill = look.map_or(0, |look| look / COLOURS.len());
    if fill == 0 {
        return;
    }
    let (from, length) = if fill == 1 { (x, width) } else { (y, height) };
    let stripes = ((length / STEP).floor() as usize).max(1);
    let mut path = String::new();
    for stripe in 0..stripes {
        let at = from + length * (stripe as f64 + 0.5) / stripes as f64 - THICK / 2.0;
        let _ = match fill {
            1 => write!(path, "M{} {top} h{THICK} v{high} h-{THICK} Z ", short(at)),
            _ => write!(path, "M{left} {} h{wide} v{THICK} h-{wide} Z ", short(at)),
        };
    }
    push(svg, &format!("  <path class=\"stripe\" d=\"{}\"/>", path.trim_end()));
}
