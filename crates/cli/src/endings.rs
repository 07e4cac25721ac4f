//! Endings of file names: they decide what `--output` writes.
//!
//! The kinds of file are in one catalogue, and so are the kinds that each command can write.

use crate::args::Command;
use crate::failure::Failure;
pub(crate) use crate::kinds::Kind;
use crate::kinds::{CHARTS, PICTURES, TABLES, TREES};
use std::path::Path;

/// Kinds that a command writes; `None`: its output is one kind only, under any name.
fn served(command: &Command) -> Option<(&'static str, &'static [Kind])> {
    Some(match command {
        Command::Build(_) => ("build", TREES),
        Command::Show(_) => ("show", TREES),
        Command::Learn(_) => ("learn", TREES),
        Command::Compare(_) => ("compare", CHARTS),
        Command::Front(_) => ("front", CHARTS),
        Command::Inspect(_) => ("inspect", CHARTS),
        Command::Simulate(_) => ("simulate", CHARTS),
        Command::Bounds(_) => ("bounds", TABLES),
        Command::Code(_) => ("code", TABLES),
        Command::Algorithms => ("algorithms", TABLES),
        Command::Predict(_) => ("predict", &[Kind::Csv, Kind::Json]),
        Command::Convert(_) => ("convert", &[Kind::Json, Kind::Text]),
        Command::Generate(_) => ("generate", &[Kind::Csv, Kind::Tsv]),
        Command::Check(_) => ("check", &[Kind::Json, Kind::Text]),
        Command::Reproduce(_) => ("reproduce", &[Kind::Json, Kind::Text]),
        Command::Ask(_) => ("ask", &[Kind::Json]),
        // These have a catalogue of their own.
        Command::Export(_) | Command::Key(_) => return None,
        Command::Mcp(_) => return None,
        Command::Serve(_) | Command::Completions { .. } | Command::Man { .. } => return None,
    })
}

/// Kind of the file that `--output` names; `None` for a name without an ending, which gets what it always got.
pub(crate) fn kind_of_output(path: &Path, command: &Command) -> Result<Option<Kind>, Failure> {
    match served(command) {
        None => Ok(None),
        Some(_) if path.extension().is_none() => Ok(None),
        Some((name, kinds)) => kind_among(path, &format!("`{name}`"), kinds).map(Some),
    }
}

/// Kind of the picture that an option names.
pub(crate) fn kind_of_picture(option: &str, path: &Path) -> Result<Kind, Failure> {
    kind_among(path, option, PICTURES)
}

/// Refuses the ending of a kind that `option` does not write; other names, and those of text, are free.
pub(crate) fn refuse_other_kinds(option: &str, path: &Path, written: &[Kind]) -> Result<(), Failure> {
    match Kind::of(path) {
        None | Some(Kind::Text) => Ok(()),
        Some(_) => kind_among(path, option, written).map(drop),
    }
}

fn kind_among(path: &Path, writer: &str, kinds: &[Kind]) -> Result<Kind, Failure> {
    let found = Kind::of(path).filter(|kind| kinds.contains(kind));
    found.ok_or_else(|| {
        let endings: Vec<String> = kinds.iter().map(|kind| kind.ending()).collect();
        let (choose, these) = match endings.len() {
            1 => ("use", "this ending"),
            _ => ("choose", "one of these endings"),
        };
        Failure::wrong(format!(
            "`{}`: {writer} writes {}; {choose} {these}",
            path.display(),
            endings.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{CATALOGUE, TRANSCRIPTS};

    #[test]
    fn an_ending_is_one_kind_and_a_kind_has_an_ending() {
        let mut seen: Vec<&str> = CATALOGUE.iter().flat_map(|(_, endings)| *endings).copied().collect();
        seen.sort_unstable();
        let all = seen.len();
        seen.dedup();
        assert_eq!(seen.len(), all);
        for (kind, endings) in CATALOGUE {
            for ending in endings {
                assert_eq!(Kind::of(Path::new(&format!("a.b.{ending}"))), Some(kind));
                assert_eq!(Kind::of(Path::new(&format!("a.{}", ending.to_uppercase()))), Some(kind));
            }
            assert_eq!(kind.ending(), format!(".{}", endings[0]));
        }
        assert_eq!(Kind::of(Path::new("plan.strategy")), None);
        assert_eq!(Kind::of(Path::new(".svg")), None);
    }

    #[test]
    fn json_is_written_under_any_name_but_that_of_another_kind() {
        for name in ["a.json", "a.session", "a", "a.txt", "a.jsonl"] {
            assert!(refuse_other_kinds("--save", Path::new(name), &[Kind::Json]).is_ok(), "{name}");
        }
        for name in ["a.png", "a.PDF", "a.csv", "a.html", "a.md"] {
            assert!(refuse_other_kinds("--save", Path::new(name), &[Kind::Json]).is_err(), "{name}");
        }
        assert!(refuse_other_kinds("--log", Path::new("a.md"), TRANSCRIPTS).is_ok());
        assert!(refuse_other_kinds("--log", Path::new("a.csv"), TRANSCRIPTS).is_err());
    }
}
