//! Suggestions for names that were mistyped, and their wording: the one place that says "did you mean".

/// Greatest number of columns that a message lists: about three lines of a terminal.
const LISTED: usize = 20;

/// Bytes above which names are not compared: they are pasted rather than typed, and comparing takes quadratic time.
const COMPARED: usize = 200;

/// Returns the name that takes the fewest changes of letters from `wanted`, if at most half of its letters change.
/// Case does not count. Among names that are equally near, the first in the alphabet.
///
/// ```
/// use fewest_model::nearest;
/// assert_eq!(nearest(["legs", "Color"].into_iter(), "colour"), Some("Color"));
/// assert_eq!(nearest(["legs", "Color"].into_iter(), "milk"), None);
/// ```
pub fn nearest<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> Option<&'n str> {
    if wanted.len() > COMPARED {
        return None;
    }
    let wanted = wanted.to_lowercase();
    let short = names.filter(|name| name.len() <= COMPARED);
    let near = short.map(|name| (strsim::levenshtein(&wanted, &name.to_lowercase()), name)).min();
    near.filter(|(changes, _)| *changes <= wanted.chars().count() / 2).map(|(_, name)| name)
}

/// Wording of a suggestion at the end of a sentence; empty where there is none.
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// Wording for a column `name` that is not among `names`: the nearest column, or the first few.
///
/// ```
/// use fewest_model::known_columns;
/// assert_eq!(known_columns("colour", &["legs", "color"]), "did you mean `color`?");
/// assert_eq!(known_columns("milk", &["legs", "color"]), "the columns are `legs`, `color`");
/// ```
pub fn known_columns(name: &str, names: &[&str]) -> String {
    match nearest(names.iter().copied(), name) {
        Some(near) => did_you_mean(Some(near)).trim_start_matches("; ").to_owned(),
        None if names.is_empty() => "the table has no column but the names".to_owned(),
        None if names.len() <= LISTED => format!("the columns are `{}`", names.join("`, `")),
        None => {
            format!("the columns are `{}` and {} more", names[..LISTED].join("`, `"), names.len() - LISTED)
        }
    }
}
