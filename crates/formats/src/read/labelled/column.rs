//! A column of labelled data while it is read: words first, numbers once it has shown enough of them.

use crate::read::cells;
use fewest::learn::{Field, MISSING, Stray, Values};
use fewest_model::{Interner, Labels};

/// Different texts after which a column is decided to be one of words or of numbers.
const ENOUGH: usize = 4096;
/// Share of numbers, and number of different ones, from which a column is meant to hold numbers.
const MOSTLY: f64 = 0.9;
const DIFFERENT: usize = 12;
/// Fewest different numbers in a column of measurements; a column of 0 and 1 is one of words.
const FEWEST_VALUES: usize = 3;

/// A column under construction.
pub(super) enum Builder {
    /// Texts, each kept once: the row of its first cell and its value, if it is a number.
    Texts { interner: Interner, firsts: Vec<(usize, Option<f64>)>, codes: Vec<u32>, numbers: usize },
    /// Numbers.
    Numbers { values: Vec<f64>, stray: Option<Stray> },
}

impl Default for Builder {
    fn default() -> Self {
        Self::Texts { interner: Interner::default(), firsts: Vec::new(), codes: Vec::new(), numbers: 0 }
    }
}

impl Builder {
    pub(super) fn push(&mut self, cell: &[u8], row: usize) -> Result<(), cells::BadCell> {
        let cell = cell.trim_ascii();
        let is_missing = cell.is_empty() || cell == b"?";
        match self {
            Self::Numbers { values, stray } => {
                let number = if is_missing { Some(f64::NAN) } else { number(cell) };
                values.push(number.unwrap_or(f64::NAN));
                if number.is_none() {
                    let text = cells::text(cell)?.to_owned();
                    stray.get_or_insert(Stray { text, row, count: 0 }).count += 1;
                }
            }
            Self::Texts { codes, .. } if is_missing => codes.push(MISSING),
            Self::Texts { interner, firsts, codes, numbers } => {
                let code = interner.intern(cells::text(cell)?.trim());
                codes.push(code);
                if code as usize == firsts.len() {
                    let number = number(cell);
                    *numbers += usize::from(number.is_some());
                    firsts.push((row, number));
                    if firsts.len() > ENOUGH && *numbers as f64 >= MOSTLY * firsts.len() as f64 {
                        self.become_numbers();
                    }
                }
            }
        }
        Ok(())
    }

    fn become_numbers(&mut self) {
        let Self::Texts { interner, firsts, codes, .. } = std::mem::take(self) else { return };
        let labels = interner.finish();
        *self = Self::Numbers { values: values(&firsts, &codes), stray: stray(&labels, &firsts, &codes) };
    }

    pub(super) fn finish(self, name: &str) -> Field {
        let (values, stray) = match self {
            Self::Numbers { mut values, stray } => {
                values.shrink_to_fit();
                (Values::Numbers(values), stray)
            }
            Self::Texts { interner, firsts, codes, numbers } => {
                let labels = interner.finish();
                let all = numbers == labels.len() && numbers >= FEWEST_VALUES;
                let stray = if all { None } else { stray(&labels, &firsts, &codes) };
                let known = codes.iter().filter(|code| **code != MISSING).count();
                let is_mostly = |stray: &Stray| stray.count as f64 <= (1.0 - MOSTLY) * known as f64;
                match stray {
                    None if all => (Values::Numbers(values(&firsts, &codes)), None),
                    Some(stray) if numbers >= DIFFERENT && is_mostly(&stray) => {
                        (Values::Numbers(values(&firsts, &codes)), Some(stray))
                    }
                    _ => (Values::Words { labels, codes }, None),
                }
            }
        };
        Field { name: name.to_owned(), values, stray }
    }
}

fn values(firsts: &[(usize, Option<f64>)], codes: &[u32]) -> Vec<f64> {
    let value = |code: &u32| firsts.get(*code as usize).and_then(|(_, number)| *number).unwrap_or(f64::NAN);
    codes.iter().map(value).collect()
}

/// First word among numbers, and the number of cells that hold words.
fn stray(labels: &Labels, firsts: &[(usize, Option<f64>)], codes: &[u32]) -> Option<Stray> {
    let word = firsts.iter().position(|(_, number)| number.is_none())?;
    let is_word = |code: &u32| firsts.get(*code as usize).is_some_and(|(_, number)| number.is_none());
    let count = codes.iter().filter(|code| is_word(code)).count();
    Some(Stray { text: labels.get(word).to_owned(), row: firsts[word].0, count })
}

/// Finite number in a cell; `None` for words, among them `nan` and `inf`.
fn number(cell: &[u8]) -> Option<f64> {
    let first = cell.first()?;
    // Nothing else begins a number, so the first letter is enough for most words.
    if !matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.') {
        return None;
    }
    std::str::from_utf8(cell).ok()?.parse().ok().filter(|value: &f64| value.is_finite())
}
