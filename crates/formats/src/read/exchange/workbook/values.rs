//! Values of cells as texts.

/// Shortest text of a number: `1` for 1.0.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    match size == 0.0 || (1e-5..1e16).contains(&size) {
        true if value == 0.0 => "0".to_owned(),
        true => value.to_string(),
        false => format!("{value:e}"),
    }
}

/// Parts of a date and a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) date: (u16, u8, u8),
    pub(super) time: (u8, u8, u8),
}

/// A date without a time of day, or with one.
pub(super) fn moment(moment: Moment) -> String {
    let Moment { date: (year, month, day), time: (hour, minute, second) } = moment;
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second) {
        (0, 0, 0) => date,
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
    }
}

/// Hours, minutes and seconds of a part of a day, or of several days.
pub(super) fn duration(days: f64) -> String {
    let seconds = if days.is_finite() { (days * 86_400.0).round() } else { 0.0 };
    let sign = if seconds < 0.0 { "-" } else { "" };
    // Far beyond any duration in a table; a broken number must not overflow.
    let seconds = seconds.abs().min(1e15) as u64;
    format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A date in the form of ISO 8601, without a time of midnight.
pub(super) fn iso_date(text: &str) -> String {
    let text = text.trim();
    let plain = text.strip_suffix("T00:00:00").or_else(|| text.strip_suffix("T00:00:00Z"));
    plain.unwrap_or(text).to_owned()
}

/// A duration such as `PT12H30M05S` as `12:30:05`; other texts stay as they are.
pub(super) fn iso_duration(text: &str) -> String {
    let parse = || -> Option<String> {
        let mut rest = text.trim().strip_prefix("PT")?;
        let mut parts = [0.0; 3];
        for (at, mark) in ['H', 'M', 'S'].into_iter().enumerate() {
            if let Some((number, after)) = rest.split_once(mark) {
                parts[at] = number.replace(',', ".").parse::<f64>().ok()?;
                rest = after;
            }
        }
        rest.is_empty().then(|| duration((parts[0] * 3600.0 + parts[1] * 60.0 + parts[2]) / 86_400.0))
    };
    parse().unwrap_or_else(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_shortest_text() {
        assert_eq!([1.0, -0.0, 2.5, 1e20, 1e-9, 0.1].map(number), ["1", "0", "2.5", "1e20", "1e-9", "0.1"]);
    }

    #[test]
    fn dates_and_times_are_written_as_iso() {
        let day = Moment { date: (2024, 3, 1), time: (0, 0, 0) };
        assert_eq!(moment(day), "2024-03-01");
        assert_eq!(moment(Moment { time: (8, 5, 0), ..day }), "2024-03-01T08:05:00");
        assert_eq!([duration(0.5), duration(1.25), duration(f64::NAN)], ["12:00:00", "30:00:00", "00:00:00"]);
        assert_eq!([iso_date("2024-03-01T00:00:00"), iso_date("2024-03-01")], ["2024-03-01", "2024-03-01"]);
        assert_eq!([iso_duration("PT12H30M05S"), iso_duration("PTX")], ["12:30:05", "PTX"]);
    }
}
