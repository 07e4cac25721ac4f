//! Numbers as people write them, and the numbers that separate them.

/// Spelling of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling<'a> {
    /// `1.5` and `2e3`.
    Plain,
    /// A comma before the decimals: `1,5`, `1.234,5`.
    DecimalComma,
    /// Commas between thousands: `1,234`, `12,345.6`.
    Thousands,
    /// Plain numbers, each followed by this unit.
    Unit(&'a str),
}

/// Parses a finite number. Numbers with leading zeros, such as `007`, are codes and not numbers; so are `nan`, `inf`.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let mut bytes = digits.bytes();
    let (first, second) = (bytes.next()?, bytes.next());
    let is_code = first == b'0' && second.is_some_and(|next| next.is_ascii_digit());
    if is_code || !(first.is_ascii_digit() || first == b'.') {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

impl<'a> Spelling<'a> {
    /// Finds the spelling under which all `texts` are numbers, if there is one and there is a text.
    pub(crate) fn of<I: Iterator<Item = &'a str>>(texts: impl Fn() -> I) -> Option<Self> {
        let first = texts().next()?;
        let unit = unit(first);
        let unit = if unit.is_empty() { None } else { Some(Self::Unit(unit)) };
        let spellings = [Some(Self::Plain), Some(Self::Thousands), Some(Self::DecimalComma), unit];
        spellings.into_iter().flatten().find(|spelling| texts().all(|text| spelling.parse(text).is_some()))
    }

    /// Parses a number in this spelling.
    pub(crate) fn parse(self, text: &str) -> Option<f64> {
        match self {
            Self::Plain => parse(text),
            Self::DecimalComma => {
                let (whole, decimals) = text.split_once(',').unwrap_or((text, ""));
                let grouped = without_marks(whole, '.')?;
                let digits = decimals.bytes().all(|byte| byte.is_ascii_digit());
                let point = if decimals.is_empty() { "" } else { "." };
                digits.then(|| parse(&format!("{grouped}{point}{decimals}"))).flatten()
            }
            Self::Thousands => {
                let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
                let grouped = without_marks(whole, ',')?;
                let point = if decimals.is_empty() { "" } else { "." };
                parse(&format!("{grouped}{point}{decimals}"))
            }
            Self::Unit(unit) => parse(text.strip_suffix(unit)?.trim_end()),
        }
    }
}

/// Unit at the end of a text that begins with a number, such as `cm` or `%`.
fn unit(text: &str) -> &str {
    let end = text.rfind(|letter: char| letter.is_ascii_digit()).map_or(0, |at| at + 1);
    text[end..].trim()
}

/// Removes `mark` between groups of three digits; `None` if the groups are not of three digits.
fn without_marks(text: &str, mark: char) -> Option<String> {
    let mut groups = text.split(mark);
    let first = groups.next()?;
    let digits = first.trim_start_matches(['-', '+']);
    let mut number = first.to_owned();
    let mut later = groups.peekable();
    if later.peek().is_some() && !(1..=3).contains(&digits.len()) {
        return None;
    }
    for group in later {
        if group.len() != 3 || !group.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        number.push_str(group);
    }
    Some(number)
}

/// Returns the cut of `x > cut` between two neighbouring values: not below `low` and below `high`, halfway if the
/// digits allow it, and with as few digits as possible.
pub fn midpoint(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    // No float lies between neighbouring floats: the cut is `x > low` then.
    if middle > low && middle < high { shorten(middle, low, high) } else { low }
}

/// Rounds `middle` to the fewest decimal digits that keep it between `low` and `high`, because people read it.
fn shorten(middle: f64, low: f64, high: f64) -> f64 {
    let exact = |digits: usize| format!("{middle:.digits$e}").parse::<f64>().unwrap_or(middle);
    let close = |value: &f64| (value - middle).abs() <= (high - low) * 1e-9 && *value > low && *value < high;
    (0..17).map(exact).find(close).unwrap_or(middle)
}

/// Returns the shortest decimal strictly between `low` and `high`, the one nearest to the midpoint among those with as
/// few decimals; `low` if no float lies between them.
pub(crate) fn shortest_between(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    if !(middle > low && middle < high) {
        return low;
    }
    let is_between = |value: &f64| *value > low && *value < high;
    // The multiple of a power of ten that is nearest to the midpoint lies between, if any multiple does.
    let decimals = (0..18).filter_map(|digits: usize| format!("{middle:.digits$}").parse().ok());
    let significant = (0..17).filter_map(|digits: usize| format!("{middle:.digits$e}").parse().ok());
    decimals.chain(significant).find(is_between).unwrap_or(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_told_from_codes_and_words() {
        for (text, value) in
            [("1", 1.0), ("-2.5", -2.5), ("+3", 3.0), (".5", 0.5), ("1e3", 1000.0), ("0", 0.0)]
        {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        for text in ["", "007", "nan", "inf", "x1", "1x", "-", "+", "1,5", "0x1", "1e999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn spellings_are_found_for_whole_columns() {
        let of = |texts: &[&'static str]| Spelling::of(|| texts.iter().copied());
        assert_eq!(of(&["1", "2.5"]), Some(Spelling::Plain));
        assert_eq!(of(&["1,5", "12", "3,25"]), Some(Spelling::DecimalComma));
        assert_eq!(of(&["1,234", "12,345"]), Some(Spelling::Thousands));
        assert_eq!(of(&["1.234,5", "7,25"]), Some(Spelling::DecimalComma));
        assert_eq!(of(&["5 cm", "12 cm", "7cm"]), Some(Spelling::Unit("cm")));
        assert_eq!(of(&["5%", "12 %"]), Some(Spelling::Unit("%")));
        assert_eq!(of(&["5 cm", "12 mm"]), None);
        assert_eq!(of(&["1", "red"]), None);
        assert_eq!(Spelling::DecimalComma.parse("1.234,5"), Some(1234.5));
        assert_eq!(Spelling::Thousands.parse("1,234.5"), Some(1234.5));
        assert_eq!(Spelling::Unit("cm").parse("12 cm"), Some(12.0));
    }

    #[test]
    fn cuts_are_written_with_as_few_digits_as_say_it() {
        assert_eq!(midpoint(0.1, 0.2), 0.15);
        assert_eq!(midpoint(2790.0, 2791.0), 2790.5);
        assert_eq!(midpoint(1.0, 1.0 + f64::EPSILON), 1.0);
        assert!(midpoint(f64::MAX / 2.0, f64::MAX).is_finite());
    }

    #[test]
    fn the_shortest_number_that_separates() {
        for (low, high, cut) in [
            (0.0321, 0.0335, 0.033),
            (44.0, 45.0, 44.5),
            (3.0, 5.0, 4.0),
            (0.1, 0.2, 0.15),
            (-1.0, 1.0, 0.0),
            (1000.0, 9000.0, 5000.0),
            (1e-9, 3e-9, 2e-9),
            (5.0, 5.1, 5.05),
        ] {
            assert_eq!(shortest_between(low, high), cut, "{low} {high}");
        }
        assert_eq!(shortest_between(1.0, 1.0 + f64::EPSILON), 1.0);
    }

    proptest! {
        #[test]
        fn no_number_with_fewer_decimals_separates(low in -1e4..1e4f64, width in 1e-6..1e3f64) {
            let high = low + width;
            let cut = shortest_between(low, high);
            prop_assert!(low < cut && cut < high);
            let decimals = |value: f64| format!("{value}").split_once('.').map_or(0, |(_, digits)| digits.len());
            let digits = decimals(cut);
            if digits > 0 {
                // Written out: the multiples of ten times the step around the interval.
                let step = 10f64.powi(1 - digits as i32);
                let below = (low / step).floor() * step;
                let inside = (0..=(width / step) as i64 + 2).map(|at| below + at as f64 * step);
                let margin = step * 1e-6;
                prop_assert!(inside.into_iter().all(|value| value < low + margin || value > high - margin));
            }
        }
    }
}
