//! Small files beside a table: costs of tests, names of tests.

use super::delimited::texts;
use super::source::Input;
use super::split::Records;
use super::{Problem, ReadError, Source};
use std::collections::BTreeMap;
use std::io::Read;

/// Reads costs of tests: CSV with the header `test,cost` and a row for each test.
///
/// # Errors
/// When the file cannot be read, has another header, or a cost is no number above 0 or given twice.
pub fn read_costs(source: Source<'_>) -> Result<Vec<(String, f64)>, ReadError> {
    open(source).and_then(costs).map_err(|problem| ReadError { file: source.to_string(), problem })
}

/// Reads names of tests: one on each line, or the first column of a CSV whose header begins with `test`.
///
/// # Errors
/// When the file cannot be read or holds no names.
pub fn read_names(source: Source<'_>) -> Result<Vec<String>, ReadError> {
    open(source).and_then(names).map_err(|problem| ReadError { file: source.to_string(), problem })
}

/// Reads costs of tests from any stream of bytes; `file` is its name in messages.
///
/// # Errors
/// As [`read_costs`].
pub fn read_costs_from(input: impl Read, file: &str) -> Result<Vec<(String, f64)>, ReadError> {
    costs(input).map_err(|problem| ReadError { file: file.to_owned(), problem })
}

/// Reads names of tests from any stream of bytes; `file` is its name in messages.
///
/// # Errors
/// As [`read_names`].
pub fn read_names_from(input: impl Read, file: &str) -> Result<Vec<String>, ReadError> {
    names(input).map_err(|problem| ReadError { file: file.to_owned(), problem })
}

fn open(source: Source<'_>) -> Result<impl Read, Problem> {
    match source.open()? {
        Input::Text(text) => Ok(text),
        #[cfg(feature = "parquet")]
        _ => Err(Problem::NotText { what: "a Parquet file" }),
    }
}

fn costs(input: impl Read) -> Result<Vec<(String, f64)>, Problem> {
    let mut records = Records::new(input)?;
    let separator = records.separator();
    let mut costs = Vec::new();
    let mut row_of = BTreeMap::new();
    let (row, header) = records.next()?.ok_or(Problem::Empty)?;
    let header = trimmed(texts(row, &header, separator)?);
    if header != ["test", "cost"] {
        return Err(Problem::CostHeader { found: header.join(",") });
    }
    while let Some((row, record)) = records.next()? {
        let cells = trimmed(texts(row, &record, separator)?);
        let &[test, text] = cells.as_slice() else {
            return Err(Problem::Ragged { row, expected: 2, found: cells.len() });
        };
        if test.is_empty() {
            return Err(Problem::UnnamedTest { row });
        }
        let cost = text.parse().ok().filter(|cost: &f64| cost.is_finite() && *cost > 0.0);
        let Some(cost) = cost else {
            return Err(Problem::Cost { row, test: test.to_owned(), text: text.to_owned() });
        };
        if let Some(first) = row_of.insert(test.to_owned(), row) {
            return Err(Problem::SameTest { test: test.to_owned(), first, second: row });
        }
        costs.push((test.to_owned(), cost));
    }
    Ok(costs)
}

fn names(input: impl Read) -> Result<Vec<String>, Problem> {
    let mut records = Records::new(input)?;
    let separator = records.separator();
    let mut names = Vec::new();
    let mut is_table = None;
    while let Some((row, record)) = records.next()? {
        let cells = texts(row, &record, separator)?;
        match is_table {
            None if cells[0].trim() == "test" => is_table = Some(true),
            Some(true) => names.push(cells[0].trim().to_owned()),
            // On a line of its own, a name may contain characters that separate cells in a table.
            None | Some(false) => {
                is_table = Some(false);
                names.push(cells.join(char::from(separator).encode_utf8(&mut [0; 4])).trim().to_owned());
            }
        }
    }
    names.retain(|name| !name.is_empty());
    if names.is_empty() { Err(Problem::NoNames) } else { Ok(names) }
}

fn trimmed(cells: Vec<&str>) -> Vec<&str> {
    cells.into_iter().map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        costs(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn costs_are_read_in_order() {
        let read = costs("test ; cost\n\"a; b\" ; 2.5\n\nc;1e3\n".as_bytes()).unwrap();
        assert_eq!(read, [("a; b".to_owned(), 2.5), ("c".to_owned(), 1000.0)]);
        assert_eq!(costs("test,cost".as_bytes()), Ok(Vec::new()));
    }

    #[test]
    fn another_header_is_answered_with_the_right_one() {
        let expected = "the header is `name,price`; a file of costs has the header `test,cost` and a row for each test, \
                        such as `fever,2.5`";
        assert_eq!(refused("name,price\na,1\n"), expected);
        assert!(refused("a,1\n").starts_with("the header is `a,1`"));
        assert!(refused("").starts_with("the file is empty"));
    }

    #[test]
    fn a_cost_is_a_finite_number_above_zero() {
        for cost in ["0", "-1", "inf", "NaN", "cheap", "", "1,5"] {
            let message = refused(&format!("test,cost\na,1\n\nfever,\"{cost}\"\n"));
            let expected =
                format!("row 4: test `fever` has cost `{cost}`; a cost is a number > 0, such as 1 or 2.5");
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn a_test_has_a_name_and_one_cost() {
        assert_eq!(
            refused("test,cost\na,1\nb,1\na,2\n"),
            "rows 2 and 4 both give a cost of test `a`; keep one of them"
        );
        assert_eq!(
            refused("test,cost\n,1\n"),
            "row 2: the test has no name; fill the cell, or delete the row"
        );
        assert!(refused("test,cost\na,1,2\n").starts_with("row 2 has 3 cells where the header has 2"));
    }

    #[test]
    fn names_stand_one_on_each_line() {
        let read = |text: &str| names(text.as_bytes());
        assert_eq!(read("a\n\n weight, kg \r\nc").unwrap(), ["a", "weight, kg", "c"]);
        assert_eq!(read("weight, kg\n\"b; c\"\n").unwrap(), ["weight, kg", "b; c"]);
        assert_eq!(read("\n \n"), Err(Problem::NoNames));
    }

    #[test]
    fn names_may_be_the_first_column_of_a_file_of_costs() {
        let read = |text: &str| names(text.as_bytes());
        assert_eq!(read("test,cost\na,1\n\"b, c\",2\ntest,3\n").unwrap(), ["a", "b, c", "test"]);
        assert_eq!(read("test\na\n").unwrap(), ["a"]);
        assert_eq!(read("test\n"), Err(Problem::NoNames));
    }
}
