//! Scales of charts: linear, logarithmic, or named positions.

use super::Axis;

/// Scale of an axis, from numbers to positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Linear, over the range of the numbers.
    Linear,
    /// Linear, exactly from the first to the second; points beyond are cut.
    Fixed(f64, f64),
    /// Linear, from this number on.
    From(f64),
    /// Logarithmic.
    Log,
    /// Named positions: a number is an index into this list.
    Names(Vec<String>),
}

/// Scale laid along one side of a panel.
pub(crate) enum Ruler {
    Linear(Axis),
    Fixed { low: f64, high: f64, from: f64, to: f64 },
    Log { low: f64, high: f64, from: f64, to: f64 },
    Names { names: Vec<String>, from: f64, to: f64 },
}

/// Factors of ticks within a power of ten, for narrow and for wide ranges.
const FINE: [f64; 14] = [1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
const MIDDLE: [f64; 6] = [1.0, 1.2, 1.5, 2.0, 3.0, 5.0];
const COARSE: [f64; 3] = [1.0, 2.0, 5.0];

impl Ruler {
    pub(crate) fn new(scale: &Scale, values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        match scale {
            Scale::Linear => Self::Linear(Axis::over(values, from, to)),
            Scale::From(low) => Self::Linear(Axis::from(*low, values, from, to)),
            Scale::Fixed(low, high) => Self::Fixed { low: *low, high: *high, from, to },
            Scale::Names(names) => Self::Names { names: names.clone(), from, to },
            Scale::Log => {
                let values = values.filter(|value| *value > 0.0);
                let low = values.clone().fold(f64::INFINITY, f64::min).min(1e300);
                let high = values.fold(low, f64::max);
                // A small margin, so that marks at the ends are complete.
                let air = ((high / low).ln() * 0.04).exp().max(1.004);
                Self::Log { low: low / air, high: high * air, from, to }
            }
        }
    }

    pub(crate) fn place(&self, value: f64) -> f64 {
        match self {
            Self::Linear(axis) => axis.place(value),
            Self::Fixed { low, high, from, to } => from + (value - low) / (high - low) * (to - from),
            Self::Log { low, high, from, to } => from + (value / low).ln() / (high / low).ln() * (to - from),
            Self::Names { names, from, to } => from + (value + 0.5) / names.len() as f64 * (to - from),
        }
    }

    /// Positions and texts of the ticks.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        match self {
            Self::Linear(axis) => axis.ticks().map(|tick| (axis.place(tick), axis.label(tick))).collect(),
            Self::Fixed { low, high, .. } => {
                let tick = |at: u32| low + (high - low) * f64::from(at) / 5.0;
                (0..=5).map(tick).map(|tick| (self.place(tick), super::number(tick))).collect()
            }
            Self::Names { names, .. } => {
                names.iter().enumerate().map(|(at, name)| (self.place(at as f64), name.clone())).collect()
            }
            Self::Log { low, high, .. } => {
                let decades = (high / low).log10();
                let factors: &[f64] = match () {
                    () if decades > 2.5 => &COARSE[..1],
                    () if decades > 0.8 => &COARSE,
                    () if decades > 0.25 => &MIDDLE,
                    () => &FINE,
                };
                let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
                let ticks =
                    powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
                ticks
                    .filter(|tick| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(tick))
                    .map(|tick| (self.place(tick), label(tick)))
                    .collect()
            }
        }
    }
}

fn label(tick: f64) -> String {
    if tick >= 1e5 { format!("10^{}", tick.log10().round()) } else { super::number(tick) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_factors_are_equal_steps() {
        let ruler = Ruler::new(&Scale::Log, [1.0, 100.0].into_iter(), 0.0, 100.0);
        let steps = [1.0, 10.0, 100.0].map(|value| ruler.place(value));
        assert!(
            (steps[1] - steps[0] - (steps[2] - steps[1])).abs() < 1e-9 && steps[0] > 0.0 && steps[2] < 100.0
        );
        let texts: Vec<String> = ruler.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["1", "2", "5", "10", "20", "50", "100"]);
    }

    #[test]
    fn names_stand_in_the_middle_of_their_part() {
        let names = ["a", "b"].map(str::to_owned).to_vec();
        let ruler = Ruler::new(&Scale::Names(names), [].into_iter(), 0.0, 100.0);
        assert_eq!(ruler.ticks(), [(25.0, "a".to_owned()), (75.0, "b".to_owned())]);
    }

    #[test]
    fn numbers_all_alike_do_not_break_a_logarithmic_scale() {
        let ruler = Ruler::new(&Scale::Log, [1.0, 1.0].into_iter(), 0.0, 100.0);
        assert!(ruler.place(1.0).is_finite());
        let none = Ruler::new(&Scale::Log, [].into_iter(), 0.0, 100.0);
        assert!(none.place(1.0).is_finite() || none.ticks().len() < 50);
    }
}
