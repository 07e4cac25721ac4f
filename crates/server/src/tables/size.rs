//! Refusal of tables that are too large, before they take memory.

use crate::error::Problem;
use crate::limits::Limits;
use fewest::{Reading, Table};
use fewest_formats::read::{Problem as ReadProblem, is_other_format};

/// Most bytes to which an uploaded workbook may unfold.
pub(super) const MOST_UNPACKED: usize = 256 << 20;

/// Refuses files that are not text, and files that unfold when they are read.
pub(super) fn refuse_other_kinds(content: &[u8]) -> Result<(), Problem> {
    if content.starts_with(b"PAR1") {
        return Err(Problem::media_type(
            "this is a Parquet file, which can become very large when it is read; send a CSV or TSV file",
        ));
    }
    if is_other_format(content) {
        return Ok(());
    }
    // In UTF-16, every letter of ASCII has a zero byte.
    let is_utf16 = content.starts_with(&[0xFF, 0xFE]) || content.starts_with(&[0xFE, 0xFF]);
    if content.contains(&0) && !is_utf16 {
        return Err(Problem::media_type(
            "this file is not text; send a CSV or TSV file, in UTF-8 if possible",
        ));
    }
    Ok(())
}

/// Problem of a text that has more rows or columns than the server accepts.
pub(super) fn too_large(problem: &ReadProblem, limits: &Limits) -> Option<Problem> {
    match problem {
        ReadProblem::TooManyColumns { found, .. } => Some(too_many("columns", *found, limits.columns)),
        ReadProblem::TooManyObjects { .. } => Some(Problem::too_large(format!(
            "the table has more than the {} rows that this server accepts; make it smaller, or use the command line",
            limits.rows
        ))),
        _ => None,
    }
}

/// Refuses a table whose tests would take too much memory.
pub(super) fn refuse_large(table: &Table, reading: &Reading, limits: &Limits) -> Result<(), Problem> {
    let rows = table.objects.len();
    let tests: usize = table.columns.iter().map(|column| column.most_tests(reading.numeric)).sum();
    let cells = tests.saturating_mul(rows);
    if cells > limits.cells {
        return Err(too_many("cells (rows × questions)", cells, limits.cells));
    }
    Ok(())
}

fn too_many(what: &str, found: usize, limit: usize) -> Problem {
    Problem::too_large(format!(
        "the table has {found} {what} and this server accepts {limit}; make it smaller, or use the command line"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unfolds_or_is_no_text_is_refused() {
        for content in [&b"PAR1xx"[..], b"a,b\n\0,1\n"] {
            assert_eq!(refuse_other_kinds(content).unwrap_err().status, 415);
        }
        assert_eq!(refuse_other_kinds(b"a,b\nc,d\n"), Ok(()));
    }

    #[test]
    fn questions_that_numbers_become_are_counted_too() {
        let limits = Limits { cells: 5, ..Limits::default() };
        let table = Table::from_rows(&[&["o", "n"], &["a", "1"], &["b", "2"], &["c", "3"]]);
        let thresholds = Reading { numeric: fewest::Numeric::Thresholds, ..Reading::default() };
        assert_eq!(refuse_large(&table, &Reading::default(), &limits), Ok(()));
        assert_eq!(refuse_large(&table, &thresholds, &limits).unwrap_err().status, 413);
    }
}
