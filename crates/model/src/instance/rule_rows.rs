//! What a table or a list beside it says of when a test may be asked: premises, and the tools it needs.

use super::InstanceError;
use super::premises::Written;
use crate::{About, Reading, Table, did_you_mean, nearest};

/// Premises and tools of the tests, as they were written.
pub(super) struct RuleRows<'a> {
    premises: Option<About>,
    needs: Option<About>,
    reading: &'a Reading,
}

/// Entry of a list for a test, or for the column that it was made from.
fn entry<'a>(list: &'a [(String, String)], test: &str, column: &str) -> Option<&'a str> {
    let of = |wanted: &str| list.iter().rev().find(|(name, _)| name == wanted).map(|(_, text)| text.as_str());
    of(test).or_else(|| of(column))
}

/// Cell of a row for the column at `at`, unless it is empty or a gap.
fn cell(row: Option<&About>, at: usize) -> Option<(usize, &str)> {
    let row = row?;
    let text = row.cells.get(at)?.as_str();
    is_written(text).then_some((row.row, text))
}

/// Whether a cell holds a text.
fn is_written(text: &str) -> bool {
    !text.is_empty() && text != "?"
}

impl<'a> RuleRows<'a> {
    pub(super) fn of(table: &Table, reading: &'a Reading) -> Self {
        let about = |what: &str| table.about.iter().find(|about| about.what == what).cloned();
        Self { premises: about("if"), needs: about("needs"), reading }
    }

    /// Whether there is a premise at all.
    pub(super) fn has_premises(&self) -> bool {
        let in_row = self.premises.as_ref().is_some_and(|row| row.cells.iter().any(|cell| is_written(cell)));
        in_row || !self.reading.premises.is_empty()
    }

    /// Whether a test of the column at `at` has a premise.
    pub(super) fn is_conditional(&self, column: &str, at: usize) -> bool {
        let is_of = |name: &str| name == column || is_cut_of(name, column);
        cell(self.premises.as_ref(), at).is_some()
            || self.reading.premises.iter().any(|(name, _)| is_of(name))
    }

    /// Premise of a test of the column at `at`.
    pub(super) fn premise(&self, test: &str, column: &str, at: usize) -> Option<Written> {
        if let Some(text) = entry(&self.reading.premises, test, column) {
            return Some(Written { row: None, text: text.to_owned() });
        }
        let (row, text) = cell(self.premises.as_ref(), at)?;
        Some(Written { row: Some(row), text: text.to_owned() })
    }

    /// Tools that a test of the column at `at` needs.
    pub(super) fn tools(&self, test: &str, column: &str, at: usize) -> Vec<String> {
        let listed = entry(&self.reading.needs, test, column);
        let text = listed.or_else(|| cell(self.needs.as_ref(), at).map(|(_, text)| text)).unwrap_or_default();
        text.split(';').map(str::trim).filter(|tool| !tool.is_empty()).map(str::to_owned).collect()
    }

    /// Whether a premise of one of the columns at `used` is about the column called `name`.
    pub(super) fn name_in(&self, table: &Table, used: &[usize], name: &str) -> bool {
        used.iter().any(|&at| {
            let column = &table.columns[at].name;
            let own = |(test, _): &&(String, String)| test == column || is_cut_of(test, column);
            let listed = self.reading.premises.iter().filter(own).map(|(_, text)| text.as_str());
            listed
                .chain(cell(self.premises.as_ref(), at).map(|(_, text)| text))
                .any(|text| is_about(text, name))
        })
    }

    /// Whether a test that needs `tools` can be asked with the tools at hand.
    pub(super) fn is_possible(&self, tools: &[String]) -> bool {
        !tools.iter().any(|tool| self.reading.without.iter().any(|missing| is_same(tool, missing)))
    }

    /// Verifies that some test needs each of the tools that are not at hand.
    pub(super) fn check_tools(&self, tools: &[Vec<String>]) -> Result<(), InstanceError> {
        let all = || tools.iter().flatten();
        match self.reading.without.iter().find(|missing| !all().any(|tool| is_same(tool, missing))) {
            None => Ok(()),
            Some(tool) => {
                let mut known: Vec<&str> = all().map(String::as_str).collect();
                known.sort_unstable();
                known.dedup();
                let hint = match nearest(known.iter().copied(), tool) {
                    None if known.is_empty() => "; the table names no tool (row `@needs`)".to_owned(),
                    None => format!("; the tools are `{}`", known.join("`, `")),
                    near => did_you_mean(near),
                };
                Err(InstanceError::NoTool { tool: tool.clone(), hint })
            }
        }
    }
}

/// Whether two names mean one tool.
fn is_same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.trim().to_lowercase()
}

/// Whether `test` is a cut of the measured column `column`.
fn is_cut_of(test: &str, column: &str) -> bool {
    test.strip_prefix(column).is_some_and(|rest| rest.starts_with(" > "))
}

/// Whether a premise names the column `name`, or a cut of it.
fn is_about(text: &str, name: &str) -> bool {
    let names = |part: &str| {
        let rest = part.trim().strip_prefix(name).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['=', '>']))
    };
    text.split(" & ").any(names)
}
