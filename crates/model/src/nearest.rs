//! Help for names that were mistyped.

/// Columns that a message lists at most.
const LISTED: usize = 8;

/// Longer names are not compared letter by letter: they are pasted rather than typed, and comparing takes quadratic time.
const COMPARED: usize = 200;

/// What a message says of a column `name` that is not among `names`: the nearest one, or the first few.
///
/// ```
/// use fewest_model::known_columns;
/// assert_eq!(known_columns("colour", &["legs", "color"]), "did you mean `color`?");
/// assert_eq!(known_columns("milk", &["legs", "color"]), "the columns are `legs`, `color`");
/// ```
pub fn known_columns(name: &str, names: &[&str]) -> String {
    let short = names.iter().filter(|other| other.len().max(name.len()) <= COMPARED);
    let near = short.map(|other| (distance(name, other), other)).min();
    match near.filter(|(distance, _)| *distance <= name.chars().count() / 2) {
        Some((_, near)) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "the table has no column but the names".to_owned(),
        None if names.len() <= LISTED => format!("the columns are `{}`", names.join("`, `")),
        None => {
            format!("the columns are `{}` and {} more", names[..LISTED].join("`, `"), names.len() - LISTED)
        }
    }
}

/// Letters that must be changed, added or dropped (Levenshtein), with case set aside.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut costs: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut costs[0], row + 1);
        for (column, other) in right.iter().enumerate() {
            let above = costs[column + 1];
            costs[column + 1] =
                (diagonal + usize::from(letter != *other)).min(above + 1).min(costs[column] + 1);
            diagonal = above;
        }
    }
    costs[right.len()]
}
