//! Endings of file names: they decide what `--output` writes.
//!
//! The kinds of file are in one catalogue, and so are the kinds that each command can write.

use crate::args::Command;
use crate::failure::Failure;
use std::path::Path;

/// Kind of file that a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The same facts for programs.
    Json,
    /// Picture that stays sharp.
    Svg,
    /// Picture of pixels.
    Png,
    /// Picture on pages.
    Pdf,
    /// Graph for Graphviz.
    Dot,
    /// Page that needs no other file.
    Html,
    /// Page in Markdown.
    Markdown,
    /// Table with commas.
    Csv,
    /// Table with tabs.
    Tsv,
    /// Text as it is printed.
    Text,
}

/// Kinds with their endings, the first of which messages name.
const CATALOGUE: [(Kind, &[&str]); 10] = [
    (Kind::Json, &["json"]),
    (Kind::Svg, &["svg"]),
    (Kind::Png, &["png"]),
    (Kind::Pdf, &["pdf"]),
    (Kind::Dot, &["dot", "gv"]),
    (Kind::Html, &["html", "htm"]),
    (Kind::Markdown, &["md", "markdown"]),
    (Kind::Csv, &["csv"]),
    (Kind::Tsv, &["tsv"]),
    (Kind::Text, &["txt"]),
];

/// Kinds of picture.
pub(crate) const PICTURES: &[Kind] = &[Kind::Svg, Kind::Png, Kind::Pdf];
/// Kinds in which a tree can be saved.
const TREES: &[Kind] = &[
    Kind::Json,
    Kind::Svg,
    Kind::Png,
    Kind::Pdf,
    Kind::Dot,
    Kind::Html,
    Kind::Markdown,
    Kind::Csv,
    Kind::Text,
];
/// Kinds of a result that has tables and a picture.
const CHARTS: &[Kind] =
    &[Kind::Json, Kind::Svg, Kind::Png, Kind::Pdf, Kind::Html, Kind::Markdown, Kind::Csv, Kind::Text];
/// Kinds of a result that has tables only.
const TABLES: &[Kind] = &[Kind::Json, Kind::Html, Kind::Markdown, Kind::Csv, Kind::Text];

impl Kind {
    /// Kind by the ending of a name, in any case; `None` for a name without a known ending.
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        let is_it =
            |(_, endings): &&(Self, &[&str])| endings.iter().any(|one| ending.eq_ignore_ascii_case(one));
        CATALOGUE.iter().find(is_it).map(|(kind, _)| *kind)
    }

    /// Ending that names this kind, with its dot.
    pub(crate) fn ending(self) -> String {
        let entry = CATALOGUE.iter().find(|(kind, _)| *kind == self);
        entry.map_or(String::new(), |(_, endings)| format!(".{}", endings[0]))
    }

    /// Whether this is a picture.
    pub(crate) fn is_picture(self) -> bool {
        PICTURES.contains(&self)
    }
}

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

/// Refuses the ending of a picture, page or table for a file that is JSON under any other name.
pub(crate) fn refuse_other_than_json(option: &str, path: &Path) -> Result<(), Failure> {
    match Kind::of(path) {
        None | Some(Kind::Json | Kind::Text) => Ok(()),
        Some(_) => kind_among(path, option, &[Kind::Json]).map(drop),
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
            assert!(refuse_other_than_json("--save", Path::new(name)).is_ok(), "{name}");
        }
        for name in ["a.png", "a.PDF", "a.csv", "a.html"] {
            assert!(refuse_other_than_json("--save", Path::new(name)).is_err(), "{name}");
        }
    }
}
