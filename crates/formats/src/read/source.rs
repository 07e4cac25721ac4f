//! Sources of bytes, and the kind of file that the first bytes show.

use super::Problem;
use super::exchange::{self, Files, HEAD, Kind, MOST_BYTES, folder, kind_of};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Chain, Cursor, Read};
use std::path::Path;

/// Source to read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// A file.
    Path(&'a Path),
    /// Standard input.
    Stdin,
}

impl<'a> Source<'a> {
    /// Source that a command line argument names: `-` is standard input, all else is a path.
    pub fn of_argument(argument: &'a Path) -> Self {
        if argument == Path::new("-") { Self::Stdin } else { Self::Path(argument) }
    }

    pub(super) fn open(self) -> Result<Input<Box<dyn Read>>, Problem> {
        match self {
            Self::Stdin => Input::of_stream(Box::new(io::stdin().lock())),
            Self::Path(path) => {
                // Checked before opening: some systems open a directory and then refuse to read it.
                let about = fs::metadata(path)?;
                if about.is_dir() {
                    return folder::read(path)?.map(Input::Files).ok_or(Problem::Directory);
                }
                let mut file = File::open(path)?;
                let head = head_of(&mut file)?;
                if about.is_file() && kind_of(&head) == Some(Kind::Delta) {
                    return folder::read_around(path).map(Input::Files);
                }
                #[cfg(feature = "parquet")]
                if head.starts_with(PARQUET) && about.is_file() {
                    return Ok(Input::ParquetFile(file));
                }
                Input::of_head(head, Box::new(file))
            }
        }
    }
}

/// Name of the source in messages.
impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

/// A stream whose first bytes were looked at.
pub(super) type Looked<R> = Chain<Cursor<Vec<u8>>, R>;

/// Input whose kind of file is known.
pub(super) enum Input<R> {
    Text(Looked<R>),
    /// A format of others.
    Other(Kind, Looked<R>),
    /// Files that belong together.
    Files(Files),
    #[cfg(feature = "parquet")]
    ParquetFile(File),
    /// Parquet keeps its metadata at the end, so a stream has to be kept completely.
    #[cfg(feature = "parquet")]
    ParquetBytes(bytes::Bytes),
}

/// The first and last bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

impl<R: Read> Input<R> {
    pub(super) fn of_stream(mut stream: R) -> Result<Self, Problem> {
        Self::of_head(head_of(&mut stream)?, stream)
    }

    fn of_head(head: Vec<u8>, rest: R) -> Result<Self, Problem> {
        if let Some(kind) = kind_of(&head) {
            return Ok(Self::Other(kind, Cursor::new(head).chain(rest)));
        }
        if let Some(what) = strange_kind(&head) {
            return Err(Problem::NotText { what });
        }
        if head.starts_with(PARQUET) {
            Self::of_parquet(head, rest)
        } else {
            Ok(Self::Text(Cursor::new(head).chain(rest)))
        }
    }

    #[cfg(feature = "parquet")]
    fn of_parquet(mut bytes: Vec<u8>, mut rest: R) -> Result<Self, Problem> {
        rest.read_to_end(&mut bytes)?;
        Ok(Self::ParquetBytes(bytes.into()))
    }

    #[cfg(not(feature = "parquet"))]
    fn of_parquet(_: Vec<u8>, _: R) -> Result<Self, Problem> {
        Err(Problem::NoParquet)
    }
}

impl<R: Read> Input<R> {
    /// The cells as CSV, if this is a format of others; else the input as it was.
    pub(super) fn csv(self) -> Result<Result<Looked<io::Empty>, Self>, Problem> {
        let text = match self {
            Self::Other(kind, input) => exchange::csv(kind, whole(input)?)?,
            Self::Files(files) => exchange::csv_of_files(files)?,
            input => return Ok(Err(input)),
        };
        Ok(Ok(Cursor::new(text).chain(io::empty())))
    }
}

/// First bytes, which show the kind of the file.
fn head_of(stream: &mut impl Read) -> Result<Vec<u8>, Problem> {
    let mut head = Vec::new();
    stream.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// All bytes of a stream that has to be kept as a whole.
pub(super) fn whole(input: impl Read) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() > MOST_BYTES {
        true => Err(Problem::LongFile { megabytes: MOST_BYTES >> 20 }),
        false => Ok(bytes),
    }
}

/// Kind of a file that is easily mistaken for a table, in words.
fn strange_kind(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x1F, 0x8B, ..] => Some("a gzip archive"),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some("a zstd archive"),
        [b'%', b'P', b'D', b'F', ..] => Some("a PDF document"),
        [b'{', b'"' | b'\n' | b'\r' | b' ' | b'}', ..] => Some("JSON"),
        [b'[', b'{' | b'[' | b'"' | b'\n' | b'\r', ..] => Some("JSON"),
        [b'<', b'!' | b'?', ..] | [b'<', b'h' | b'H', b't' | b'T', ..] => Some("an HTML or XML document"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(source: Source<'_>) -> String {
        source.open().err().unwrap().to_string()
    }

    #[test]
    fn what_is_not_there_or_no_file_is_said_to_be_so() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(refused(Source::Path(folder.path())), "this is a directory; name a file in it");
        assert_eq!(
            refused(Source::Path(&folder.path().join("none.csv"))),
            "there is no such file; check the name, or use - for standard input"
        );
    }

    #[test]
    fn files_of_other_kinds_are_known_by_their_first_bytes() {
        let kind = |bytes: &'static [u8]| Input::of_stream(bytes).err().unwrap().to_string();
        assert_eq!(kind(b"\x1F\x8B\x08"), "this is a gzip archive; save the table as CSV");
        assert_eq!(kind(b"{\"a\": 1}"), "this is JSON; save the table as CSV");
        assert_eq!(kind(b"[\n  {"), "this is JSON; save the table as CSV");
        assert_eq!(kind(b"<!DOCTYPE html>"), "this is an HTML or XML document; save the table as CSV");
        assert!(matches!(Input::of_stream(&b"PK\x03\x04..."[..]), Ok(Input::Other(Kind::Zip, _))));
        assert!(Input::of_stream(&b"[id],<x>\n"[..]).is_ok());
        assert!(Input::of_stream(&b"PK,a\n"[..]).is_ok());
    }

    #[test]
    fn the_first_bytes_are_read_again() {
        let Ok(Input::Text(mut text)) = Input::of_stream(&b"abcdef"[..]) else { panic!("this is text") };
        let mut all = String::new();
        text.read_to_string(&mut all).unwrap();
        assert_eq!(all, "abcdef");
    }

    #[test]
    fn a_dash_is_standard_input() {
        assert_eq!(Source::of_argument(Path::new("-")), Source::Stdin);
        assert_eq!(Source::of_argument(Path::new("-.csv")), Source::Path(Path::new("-.csv")));
        assert_eq!(Source::Stdin.to_string(), "standard input");
    }
}
