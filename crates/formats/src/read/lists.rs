//! Lists of names of tests.

use super::delimited::texts;
use super::source::Input;
use super::split::Records;
use super::{Problem, ReadError, Source};
use std::io::Read;

/// Reads names of tests: one on each line, or the first column of a CSV whose header begins with `test`.
///
/// # Errors
/// When the file cannot be read or holds no names.
pub fn read_names(source: Source<'_>) -> Result<Vec<String>, ReadError> {
    open(source).and_then(names).map_err(|problem| ReadError { file: source.to_string(), problem })
}

/// Reads names of tests from any stream of bytes; `file` is its name in messages.
///
/// # Errors
/// As [`read_names`].
pub fn read_names_from(input: impl Read, file: &str) -> Result<Vec<String>, ReadError> {
    names(input).map_err(|problem| ReadError { file: file.to_owned(), problem })
}

pub(super) fn open(source: Source<'_>) -> Result<impl Read, Problem> {
    match source.open()? {
        Input::Text(text) => Ok(text),
        Input::Files(_) => Err(Problem::Directory),
        Input::Other(kind, _) => Err(Problem::NotText { what: kind.words() }),
        #[cfg(feature = "parquet")]
        _ => Err(Problem::NotText { what: "a Parquet file" }),
    }
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

pub(super) fn trimmed(cells: Vec<&str>) -> Vec<&str> {
    cells.into_iter().map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
