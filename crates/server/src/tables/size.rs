//! Tables that are larger than the server takes, found before they take any room.

use crate::error::Problem;
use crate::limits::Limits;
use fewest::{Numeric, Reading, Table};

/// Refuses text that has too many rows or columns, without reading it, and files that unfold when they are read.
pub(super) fn refuse_large_text(content: &[u8], limits: &Limits) -> Result<(), Problem> {
    if content.starts_with(b"PAR1") {
        return Err(Problem::media_type(
            "this is a Parquet file, which can unfold to any size; send CSV or TSV here",
        ));
    }
    if content.contains(&0) {
        return Err(Problem::media_type("this is no text; send CSV or TSV, as UTF-8 if possible"));
    }
    let (rows, columns) = at_least(content);
    if columns > limits.columns {
        return Err(too_many("columns", columns, limits.columns));
    }
    if rows > limits.rows {
        return Err(too_many("rows", rows, limits.rows));
    }
    Ok(())
}

/// Rows below the header, and columns of the widest row, whichever letter stands between cells.
fn at_least(content: &[u8]) -> (usize, usize) {
    let (mut rows, mut widest, mut quoted) = (0, 0, false);
    let mut counts = [0_usize; 3];
    let mut filled = false;
    for &byte in content {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b',' => counts[0] += 1,
            b';' => counts[1] += 1,
            b'\t' => counts[2] += 1,
            b'\n' | b'\r' => {
                widest = widest.max(counts.into_iter().max().unwrap_or(0) + 1);
                rows += usize::from(filled);
                (counts, filled) = ([0; 3], false);
                continue;
            }
            _ => {}
        }
        filled = true;
    }
    widest = widest.max(counts.into_iter().max().unwrap_or(0) + 1);
    ((rows + usize::from(filled)).saturating_sub(1), widest)
}

/// Refuses a table whose questions would take too much room.
pub(super) fn refuse_large(table: &Table, reading: &Reading, limits: &Limits) -> Result<(), Problem> {
    let rows = table.objects.len();
    let questions = |labels: usize| match reading.numeric {
        Numeric::Thresholds => labels.max(1),
        Numeric::Exact | Numeric::Bins(_) => 1,
    };
    let tests: usize = table.columns.iter().map(|column| questions(column.labels.len())).sum();
    let cells = tests.saturating_mul(rows);
    if cells > limits.cells {
        return Err(too_many("cells (rows × questions)", cells, limits.cells));
    }
    Ok(())
}

fn too_many(what: &str, found: usize, limit: usize) -> Problem {
    Problem::too_large(format!(
        "the table has {found} {what} where this server takes {limit}; make it smaller, or use the command line"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_counted_outside_quotes() {
        assert_eq!(at_least(b"a,b,c\n1,2,3\n4,5,6"), (2, 3));
        assert_eq!(at_least(b"a;b\r\n\r\n\"x\ny,\";2\r\n"), (1, 2));
        assert_eq!(at_least(b""), (0, 1));
    }

    #[test]
    fn what_unfolds_or_is_no_text_is_refused() {
        let limits = Limits { rows: 1, columns: 2, ..Limits::default() };
        for (content, status) in
            [(&b"PAR1xx"[..], 415), (b"a,b\n\0,1\n", 415), (b"a,b,c\n", 413), (b"a\nb\nc\n", 413)]
        {
            assert_eq!(refuse_large_text(content, &limits).unwrap_err().status, status);
        }
        assert_eq!(refuse_large_text(b"a,b\nc,d\n", &limits), Ok(()));
    }

    #[test]
    fn questions_that_numbers_become_are_counted_too() {
        let limits = Limits { cells: 8, ..Limits::default() };
        let table = Table::from_rows(&[&["o", "n"], &["a", "1"], &["b", "2"], &["c", "3"]]);
        let thresholds = Reading { numeric: Numeric::Thresholds, ..Reading::default() };
        assert_eq!(refuse_large(&table, &Reading::default(), &limits), Ok(()));
        assert_eq!(refuse_large(&table, &thresholds, &limits).unwrap_err().status, 413);
    }
}
