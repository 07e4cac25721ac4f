//! Names of columns that have none.

/// Names for the column of the objects, if it has none.
const OBJECT_NAMES: [&str; 3] = ["object", "name", "row"];

/// Gives every column without a name one of its own, and returns the positions of these columns, from 0.
pub(super) fn name_unnamed(header: &mut [String]) -> Vec<usize> {
    let unnamed: Vec<usize> = (0..header.len()).filter(|&at| is_no_name(header[at].trim())).collect();
    for &at in &unnamed {
        let is_free = |name: &str| !header.iter().any(|taken| taken.trim() == name);
        let usual = OBJECT_NAMES.iter().map(|name| (*name).to_owned()).filter(|_| at == 0);
        let numbered = std::iter::once(format!("column {}", at + 1));
        let marked = (2_usize..).map(|number| format!("column {} ({number})", at + 1));
        let name = usual.chain(numbered).chain(marked).find(|name| is_free(name)).unwrap_or_default();
        header[at] = name;
    }
    unnamed
}

/// Whether a heading is empty, or what a program wrote for an empty one.
fn is_no_name(name: &str) -> bool {
    let number = name.strip_prefix("Unnamed: ");
    name.is_empty() || number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(header: &[&str]) -> Vec<String> {
        let mut header: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
        name_unnamed(&mut header);
        header
    }

    #[test]
    fn the_first_column_names_objects_and_others_are_counted() {
        assert_eq!(named(&["", "t", " ", "u"]), ["object", "t", "column 3", "u"]);
        assert_eq!(named(&["", "object", ""]), ["name", "object", "column 3"]);
        assert_eq!(named(&["Unnamed: 0", "Unnamed: x", "Unnamed: 2"]), ["object", "Unnamed: x", "column 3"]);
        assert_eq!(named(&["o", "", "column 2"]), ["o", "column 2 (2)", "column 2"]);
    }
}
