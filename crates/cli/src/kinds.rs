//! Kinds of file that commands write, each with the endings of its names.

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
pub(crate) const CATALOGUE: [(Kind, &[&str]); 10] = [
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
pub(crate) const TREES: &[Kind] = &[
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
pub(crate) const CHARTS: &[Kind] =
    &[Kind::Json, Kind::Svg, Kind::Png, Kind::Pdf, Kind::Html, Kind::Markdown, Kind::Csv, Kind::Text];
/// Kinds of a result that has tables only.
pub(crate) const TABLES: &[Kind] = &[Kind::Json, Kind::Html, Kind::Markdown, Kind::Csv, Kind::Text];

/// Kinds of a transcript of a session.
pub(crate) const TRANSCRIPTS: &[Kind] = &[Kind::Json, Kind::Markdown];

impl Kind {
    /// Kind by the ending of a name, in any case; `None` for a name without a known ending.
    pub(crate) fn of(path: &Path) -> Option<Self> {
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

/// Kinds in which a tree is drawn or listed, each with its ending without the dot.
pub(crate) fn kinds_of_tree() -> Vec<(&'static str, Kind)> {
    let is_drawn = |kind: &Kind| TREES.contains(kind) && !matches!(kind, Kind::Json | Kind::Text);
    CATALOGUE.iter().filter(|(kind, _)| is_drawn(kind)).map(|(kind, endings)| (endings[0], *kind)).collect()
}

/// Kind in which a tree is drawn or listed, by the ending of a name.
pub(crate) fn kind_of_tree(path: &Path) -> Option<Kind> {
    Kind::of(path).filter(|kind| kinds_of_tree().iter().any(|(_, known)| known == kind))
}
