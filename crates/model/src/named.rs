//! Settings with a few values that users choose by name.

/// A setting with a few values, each with the name that users write and a line of help.
///
/// The command line, the HTTP API and saved files all take their names from here, so they cannot differ.
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// The values that users may choose: value, name, and a line of help without a full stop.
    const VALUES: &'static [(Self, &'static str, &'static str)];

    /// Returns the name of a value; empty for a value that users cannot choose.
    fn name(self) -> &'static str {
        Self::VALUES.iter().find(|(value, ..)| *value == self).map_or("", |(_, name, _)| name)
    }

    /// Returns the value of this name.
    fn named(name: &str) -> Option<Self> {
        Self::VALUES.iter().find(|(_, known, _)| *known == name).map(|(value, ..)| *value)
    }

    /// Lists all names for a message, such as `groups or objects`.
    ///
    /// ```
    /// use fewest_model::{MissingCells, Named};
    /// assert_eq!(MissingCells::names(), "auto, error, answer or any");
    /// ```
    fn names() -> String {
        let names: Vec<&str> = Self::VALUES.iter().map(|(_, name, _)| *name).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Identify, Inseparable, MissingCells, ObjectiveKind};

    fn names_lead_back<T: Named + std::fmt::Debug>() {
        for &(value, name, help) in T::VALUES {
            assert_eq!((T::named(name), value.name()), (Some(value), name));
            assert!(!help.is_empty() && !help.ends_with('.'), "{help}");
        }
        assert_eq!(T::named(""), None);
    }

    #[test]
    fn every_name_leads_back_to_its_value() {
        names_lead_back::<Identify>();
        names_lead_back::<MissingCells>();
        names_lead_back::<Inseparable>();
        names_lead_back::<ObjectiveKind>();
    }

    #[test]
    fn a_value_that_is_not_offered_has_no_name() {
        assert_eq!(Inseparable::Keep.name(), "");
    }
}
