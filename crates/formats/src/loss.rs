//! What a file says and a table of fewest does not hold, by kind and count.

use std::collections::BTreeMap;

/// Kind of thing that is lost when a file becomes a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Description in words, which is no answer.
    TextCharacter,
    /// Character that the file itself leaves out.
    Excluded,
    /// Comment in a description.
    Comment,
    /// Frequency of an answer; the answer is one that may be given.
    Frequency,
    /// Modifier of an answer, such as `rarely`; the answer is one that may be given.
    Modifier,
    /// Value beyond the usual range.
    Extreme,
    /// Answers that are given together; they are read as answers that may be given.
    Together,
    /// Further picture of one thing; the first is kept.
    Picture,
    /// Picture that another service keeps, without its address.
    ForeignPicture,
    /// States or numbers that the file groups for keys.
    Grouped,
    /// Gap between several ranges of one cell.
    RangeGap,
    /// Rule about when a test can be asked that a table cannot hold.
    Rule,
    /// Reference to something that the file does not define.
    Reference,
    /// Value that cannot be understood; it is read as unknown.
    Value,
    /// Description of a taxon above the objects.
    Parent,
    /// Printed key that the file holds beside the data.
    Key,
    /// Description in natural language.
    Prose,
    /// Weight of a character.
    Weight,
    /// Part of the file that is not about objects and tests.
    Part,
    /// Other sheet of the workbook.
    Sheet,
    /// Cell that holds an error such as `#N/A`.
    ErrorCell,
    /// Formula whose value is not in the file.
    Formula,
    /// Text about something that the table does not have.
    TextOfNothing,
    /// Row that states a cost or another fact that the format cannot hold.
    About,
    /// Prior that the format cannot hold.
    Prior,
    /// Group that the format cannot hold.
    Group,
    /// Label, question, help, picture or link that the format cannot hold.
    Text,
    /// Cell that says `inapplicable` or `any`, written as unknown.
    Cell,
}

impl Loss {
    /// Name of one and of several.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::TextCharacter => ("text character", "text characters"),
            Self::Excluded => ("character that the file excludes", "characters that the file excludes"),
            Self::Comment => ("comment", "comments"),
            Self::Frequency => {
                ("answer frequency, read as `may be given`", "answer frequencies, read as `may be given`")
            }
            Self::Modifier => ("modifier such as `rarely`", "modifiers such as `rarely`"),
            Self::Extreme => ("extreme value", "extreme values"),
            Self::Together => (
                "list of answers given together, read as `or`",
                "lists of answers given together, read as `or`",
            ),
            Self::Picture => ("further picture", "further pictures"),
            Self::ForeignPicture => (
                "picture of another service, without its address",
                "pictures of other services, without their addresses",
            ),
            Self::Grouped => (
                "character whose states are grouped for keys",
                "characters whose states are grouped for keys",
            ),
            Self::RangeGap => ("gap between ranges of one cell", "gaps between ranges of one cell"),
            Self::Rule => ("rule of applicability", "rules of applicability"),
            Self::Reference => ("reference to something undefined", "references to something undefined"),
            Self::Value => ("value that cannot be understood", "values that cannot be understood"),
            Self::Parent => ("description of a higher taxon", "descriptions of higher taxa"),
            Self::Key => ("stored key", "stored keys"),
            Self::Prose => ("description in prose", "descriptions in prose"),
            Self::Weight => ("weight of a character", "weights of characters"),
            Self::Part => ("other part of the file", "other parts of the file"),
            Self::Sheet => ("other sheet", "other sheets"),
            Self::ErrorCell => (
                "cell with an error such as #N/A, read as unknown",
                "cells with an error such as #N/A, read as unknown",
            ),
            Self::Formula => ("formula without a saved value", "formulas without a saved value"),
            Self::TextOfNothing => (
                "text about something that is not in the table",
                "texts about something that is not in the table",
            ),
            Self::About => ("cost or other fact about a test", "costs or other facts about tests"),
            Self::Prior => ("prior", "priors"),
            Self::Group => ("group", "groups"),
            Self::Text => ("text for display", "texts for display"),
            Self::Cell => ("cell `-` or `*`, written as unknown", "cells `-` or `*`, written as unknown"),
        }
    }

    /// Number and name, such as `3 comments`.
    pub fn counted(self, count: usize) -> String {
        let (one, several) = self.words();
        format!("{count} {}", if count == 1 { one } else { several })
    }
}

/// Numbers of things that were lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses(BTreeMap<Loss, usize>);

impl Losses {
    /// Counts `count` more things of this kind.
    pub fn add(&mut self, loss: Loss, count: usize) {
        if count > 0 {
            *self.0.entry(loss).or_default() += count;
        }
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Kinds with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, usize)> {
        self.0.iter().map(|(loss, count)| (*loss, *count))
    }

    /// All kinds with their numbers, in one line.
    pub fn words(&self) -> String {
        self.iter().map(|(loss, count)| loss.counted(count)).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted_by_kind() {
        let mut losses = Losses::default();
        losses.add(Loss::Comment, 0);
        assert!(losses.is_empty());
        losses.add(Loss::Comment, 2);
        losses.add(Loss::TextCharacter, 1);
        losses.add(Loss::Comment, 1);
        assert_eq!(losses.words(), "1 text character, 3 comments");
    }
}
