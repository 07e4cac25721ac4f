//! Parsers of values that several commands take.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fewest::{Lambda, Named, Tolerance};
use fewest_formats::json::parse_tolerance;
use std::num::NonZeroU16;
use std::time::Duration;

pub(super) fn lambda(text: &str) -> Result<Lambda, String> {
    let value = text.trim().parse().map_err(|_| "λ is a number from 1 to `inf`".to_owned())?;
    Lambda::new(value).map_err(|error| error.to_string())
}

pub(super) fn threads(text: &str) -> Result<NonZeroU16, String> {
    text.parse().map_err(|_| "choose a whole number from 1 on".to_owned())
}

/// Parser of a setting by the names of its values, which `--help` lists.
pub(super) fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    let values = T::VALUES.iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).try_map(|name| T::named(&name).ok_or("this is no such value"))
}

/// Parses a tolerance: `0.2`, `5%`, or either after `COLUMN=`.
pub(super) fn tolerance(text: &str) -> Result<(Option<String>, Tolerance), String> {
    let wrong = "a tolerance is a number from 0 on, a share such as 5%, or COLUMN=0.2";
    parse_tolerance(text).ok_or_else(|| wrong.to_owned())
}

/// Parses a size such as `500MB`: a number and a unit of bytes, in thousands or, with an `i`, in 1024s.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let trimmed = text.trim();
    let (number, unit) = trimmed.split_at(trimmed.find(|c: char| c.is_alphabetic()).unwrap_or(trimmed.len()));
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "kib" => 1024.0,
        "m" | "mb" => 1e6,
        "mib" => 1024.0 * 1024.0,
        "g" | "gb" => 1e9,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("expected a size such as 500MB or 4GB".to_owned()),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number * factor >= 1.0 && number * factor < 1e15 => Ok((number * factor) as usize),
        _ => Err("expected a size such as 500MB or 4GB".to_owned()),
    }
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let unit = match &text[digits..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = text[..digits].parse().unwrap_or(f64::NAN) * unit;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "a time is a number and a unit, such as 30s, 500ms, 2m or 1h".to_owned())
}
