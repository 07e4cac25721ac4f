//! Spelling of options over HTTP and on pages.

use fewest::Choice;

/// Option as in a query: `missing=answer`, or only `missing` where there is no value.
pub(crate) fn parameter(choice: Choice, value: &str) -> String {
    let name = choice.name();
    if value.is_empty() { name.to_owned() } else { format!("{name}={value}") }
}

/// Option as the form of a page calls it: “Column of groups”, “Empty cells: any answer is possible”.
pub(crate) fn in_words(choice: Choice, value: &str) -> String {
    let label = match choice {
        Choice::Object => "Column of names",
        Choice::Group => "Column of groups",
        Choice::Prior => "Column of priors",
        Choice::Transpose => "Turn rows and columns",
        Choice::Ignore => "Columns to leave out",
        Choice::Identify => "What to find",
        Choice::Missing => "Empty cells",
        Choice::Numeric => "Measured numbers",
        Choice::Verbatim => "Take every text as it stands",
        other => return parameter(other, value),
    };
    let value = match (choice, value) {
        (_, "") => return format!("“{label}”"),
        (Choice::Identify, "objects") => "the object itself",
        (Choice::Identify, "groups") => "the group",
        (Choice::Missing, "any") => "any answer is possible",
        (Choice::Missing, "answer") => "a fact of its own",
        (Choice::Numeric, "thresholds") => "questions such as “more than 5?”",
        (Choice::Numeric, "measure") => "asked once, with ranges as answers",
        (Choice::Numeric, "exact") => "every number is an answer",
        (_, other) => other,
    };
    format!("“{label}: {value}”")
}
