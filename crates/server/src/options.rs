//! Options of a table in requests, by the same names as on the command line.

use crate::error::Problem;
use fewest::{Identify, Inseparable, MissingCells, Numeric, Reading};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Letters of a table's name that are kept; longer ones are cut.
const NAME: usize = 200;

/// How a table is to be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TableOptions {
    /// What to call the table; the name of an uploaded file, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(max_length = 200)]
    pub(crate) name: Option<String>,
    /// The column that names the objects; the first, if this is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<String>,
    /// The column of groups; `group`, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    /// The column of priors; `prior`, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prior: Option<String>,
    /// Columns to leave out; may be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[param(explode = true)]
    pub(crate) ignore: Vec<String>,
    /// The only columns to take as tests; may be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[param(explode = true)]
    pub(crate) tests: Vec<String>,
    /// What is to be found; groups where there are some, else objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub(crate) identify: Option<IdentifyWord>,
    /// What an empty cell or `?` means.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub(crate) missing: Option<MissingWord>,
    /// What stands between the answers of a cell that lists several, such as `|`; nothing: a cell is one answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(max_length = 10)]
    pub(crate) several: Option<String>,
    /// What a column of measured numbers means: `exact`, `thresholds` or `bins:N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(pattern = "^(exact|thresholds|bins:([2-9]|[1-9][0-9]{1,2}|1000))$")]
    pub(crate) numeric: Option<String>,
    /// What to do with objects that no test tells apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub(crate) inseparable: Option<InseparableWord>,
    /// Whether an object counts as identified only once the test with its name was asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[param(nullable = false)]
    pub(crate) confirm: bool,
}

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IdentifyWord {
    /// The group of the unknown object.
    Groups,
    /// The unknown object itself.
    Objects,
}

/// What an empty cell means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MissingWord {
    /// A mistake.
    Error,
    /// An answer of its own.
    Answer,
    /// The object may give any answer of the test.
    Any,
}

/// What to do with objects that no test tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InseparableWord {
    /// Keep them together.
    Join,
    /// Refuse the table.
    Refuse,
}

impl TableOptions {
    /// The options from names and values, as a query or a form holds them.
    ///
    /// # Errors
    /// When a name or a value is not known.
    pub(crate) fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (impl AsRef<str>, impl Into<std::borrow::Cow<'a, str>>)>,
    ) -> Result<Self, Problem> {
        let mut options = Self::default();
        for (name, value) in pairs {
            options.set(name.as_ref(), &value.into())?;
        }
        Ok(options)
    }

    /// Sets one option; an empty value means that it is not given.
    ///
    /// # Errors
    /// When the name or the value is not known.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        if value.is_empty() {
            return Ok(());
        }
        let text = || Some(value.to_owned());
        match name {
            // Not every database keeps every control character, and none can be seen.
            "name" => self.name = Some(value.chars().filter(|c| !c.is_control()).take(NAME).collect()),
            "object" => self.object = text(),
            "group" => self.group = text(),
            "prior" => self.prior = text(),
            "ignore" => self.ignore.push(value.to_owned()),
            "tests" => self.tests.push(value.to_owned()),
            "identify" => self.identify = Some(word(name, value, "groups or objects")?),
            "missing" => self.missing = Some(word(name, value, "error, answer or any")?),
            "several" => self.several = Some(value.chars().take(10).collect()),
            "numeric" => {
                numeric(value)?;
                self.numeric = text();
            }
            "inseparable" => self.inseparable = Some(word(name, value, "join or refuse")?),
            "confirm" => self.confirm = word(name, value, "true or false")?,
            _ => {
                let name: String = name.chars().take(40).collect();
                return Err(Problem::bad_request(format!(
                    "`{name}` is no option of a table; choose from name, object, group, prior, ignore, tests, \
                     identify, missing, several, numeric, inseparable, confirm"
                )));
            }
        }
        Ok(())
    }

    /// Converts to the options of the library.
    ///
    /// # Errors
    /// When `numeric` is not understood.
    pub(crate) fn reading(&self) -> Result<Reading, Problem> {
        Ok(Reading {
            group: self.group.clone().into(),
            prior: self.prior.clone().into(),
            ignore: self.ignore.clone(),
            tests: (!self.tests.is_empty()).then(|| self.tests.clone()),
            costs: Vec::new(),
            identify: self.identify.map(|identify| match identify {
                IdentifyWord::Groups => Identify::Groups,
                IdentifyWord::Objects => Identify::Objects,
            }),
            missing: match self.missing {
                Some(MissingWord::Answer) => MissingCells::Answer,
                Some(MissingWord::Any) => MissingCells::Any,
                Some(MissingWord::Error) | None => MissingCells::Error,
            },
            numeric: self.numeric.as_deref().map_or(Ok(Numeric::Exact), numeric)?,
            inseparable: match self.inseparable {
                Some(InseparableWord::Refuse) => Inseparable::Refuse,
                Some(InseparableWord::Join) | None => Inseparable::Join,
            },
            confirm: self.confirm,
            several: self.several.clone(),
        })
    }
}

fn word<T: for<'de> Deserialize<'de>>(name: &str, value: &str, choices: &str) -> Result<T, Problem> {
    let json = match value {
        "true" | "false" => value.into(),
        _ => serde_json::Value::from(value).to_string(),
    };
    serde_json::from_str(&json).map_err(|_| Problem::bad_request(format!("`{name}`: choose {choices}")))
}

fn numeric(text: &str) -> Result<Numeric, Problem> {
    let bins = |text: &str| text.parse().ok().filter(|bins| (2..=1000).contains(bins)).map(Numeric::Bins);
    match text.split_once(':') {
        None if text == "exact" => Some(Numeric::Exact),
        None if text == "thresholds" => Some(Numeric::Thresholds),
        Some(("bins", count)) => bins(count),
        _ => None,
    }
    .ok_or_else(|| {
        Problem::bad_request("`numeric`: choose exact, thresholds or bins:N with N from 2 to 1000")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_become_a_reading() {
        let pairs = [
            ("ignore", "a"),
            ("ignore", "b,c"),
            ("identify", "objects"),
            ("numeric", "bins:4"),
            ("missing", "any"),
            ("several", "|"),
            ("confirm", "true"),
            ("group", ""),
            ("name", "my\0 pets\n"),
        ];
        let options = TableOptions::from_pairs(pairs).unwrap();
        let reading = options.reading().unwrap();
        assert_eq!(reading.ignore, ["a", "b,c"]);
        assert_eq!(reading.identify, Some(Identify::Objects));
        assert_eq!(reading.numeric, Numeric::Bins(4));
        assert_eq!((reading.missing, reading.several.as_deref()), (MissingCells::Any, Some("|")));
        assert!(reading.confirm && reading.group == fewest::Role::Usual);
        assert_eq!(options.name.as_deref(), Some("my pets"));
        let json = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<TableOptions>(&json).unwrap(), options);
    }

    #[test]
    fn what_is_not_known_is_refused_with_the_choices() {
        for (name, value, way_out) in [
            ("colour", "red", "choose from name"),
            ("identify", "all", "groups or objects"),
            ("missing", "true", "error, answer or any"),
            ("confirm", "maybe", "true or false"),
            ("numeric", "bins:1", "N from 2 to 1000"),
            ("inseparable", "split", "join or refuse"),
        ] {
            let problem = TableOptions::from_pairs([(name, value)]).unwrap_err();
            assert_eq!(problem.status, 400);
            assert!(problem.detail.contains(way_out), "{problem:?}");
        }
    }
}
