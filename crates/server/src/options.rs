//! Options of a table in requests, with the names of the command line.

use crate::error::Problem;
use crate::word::{IdentifyWord, InseparableWord, MissingWord, Word};
use fewest::{Inseparable, MissingCells, Named, Numeric, Reading, Tolerance};
use fewest_formats::json::parse_tolerance;
use fewest_formats::read::{ReadLimits, ReadOptions};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Most letters of a table's name; longer names are cut.
const NAME: usize = 200;

/// Options for reading a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TableOptions {
    /// Name of the table for people; the name of the uploaded file, if this is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(max_length = 200)]
    pub(crate) name: Option<String>,
    /// Column that names the objects; the first column, if this is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<String>,
    /// Whether the file has one row per test: rows and columns are exchanged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[param(nullable = false)]
    pub(crate) transpose: bool,
    /// Column of groups, or `none`; `group` if this is not given and the table has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    /// Level of a path of columns of groups, such as `genus` of `family/genus/species`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group_rank: Option<String>,
    /// Tools that are not at hand: tests that need one are left out; may be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[param(explode = true)]
    pub(crate) without: Vec<String>,
    /// Column of priors, or `none`; `prior` if this is not given and the table has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prior: Option<String>,
    /// Columns to leave out; may be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[param(explode = true)]
    pub(crate) ignore: Vec<String>,
    /// Columns to use as tests, and no others; may be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[param(explode = true)]
    pub(crate) tests: Vec<String>,
    /// Identify groups or objects; groups where the table has some, else objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub(crate) identify: Option<IdentifyWord>,
    /// Meaning of an empty cell or `?`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub(crate) missing: Option<MissingWord>,
    /// Separator between the answers of a cell that lists several, such as `|`. If it is not given, a cell is one
    /// answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(max_length = 10)]
    pub(crate) several: Option<String>,
    /// Form of questions about measured numbers: `auto`, `exact`, `thresholds`, `measure` or `bins:N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(pattern = "^(auto|exact|thresholds|measure|bins:([2-9]|[1-9][0-9]{1,2}|1000))$")]
    pub(crate) numeric: Option<String>,
    /// Treatment of objects that no test tells apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub(crate) inseparable: Option<InseparableWord>,
    /// Words for a missing cell; may be repeated. Without it `NA`, `n/a`, `nan`, `null` and `unknown`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[param(explode = true)]
    pub(crate) na: Vec<String>,
    /// Whether texts are taken as they stand: `Yes` and `yes` are two answers, and `NA` is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verbatim: Option<bool>,
    /// Distance within which measured values are not told apart for certain, such as `0.2`, `5%` or `column=0.2`; may
    /// be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[param(explode = true)]
    pub(crate) tolerance: Vec<String>,
    /// Whether an object is identified only after the test with its name was asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[param(nullable = false)]
    pub(crate) confirm: bool,
}

impl TableOptions {
    /// Options of a table that is uploaded now. They are stored with it: a stored table without them was read before
    /// there was a choice, with every text as it stands.
    pub(crate) fn new() -> Self {
        Self {
            missing: Some(Word(MissingCells::Auto)),
            numeric: Some(Numeric::Auto.to_string()),
            verbatim: Some(false),
            ..Self::default()
        }
    }

    /// Reads the options from names and values, as a query or a form holds them.
    ///
    /// # Errors
    /// When a name or a value is unknown.
    pub(crate) fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (impl AsRef<str>, impl Into<std::borrow::Cow<'a, str>>)>,
    ) -> Result<Self, Problem> {
        let mut options = Self::new();
        for (name, value) in pairs {
            options.set(name.as_ref(), &value.into())?;
        }
        Ok(options)
    }

    /// Sets one option; an empty value means that the option is not given.
    ///
    /// # Errors
    /// When the name or the value is unknown.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        if value.is_empty() {
            return Ok(());
        }
        let text = || Some(value.to_owned());
        match name {
            // Not every database stores every control character, and none is visible.
            "name" => self.name = Some(value.chars().filter(|c| !c.is_control()).take(NAME).collect()),
            "object" => self.object = text(),
            "transpose" => self.transpose = flag(name, value)?,
            "group" => self.group = text(),
            "group_rank" => self.group_rank = text(),
            "without" => self.without.push(value.to_owned()),
            "prior" => self.prior = text(),
            "ignore" => self.ignore.push(value.to_owned()),
            "tests" => self.tests.push(value.to_owned()),
            "identify" => self.identify = named(name, value)?,
            "missing" => self.missing = named(name, value)?,
            "several" => self.several = Some(value.chars().take(10).collect()),
            "numeric" => {
                numeric(value)?;
                self.numeric = text();
            }
            "na" => self.na.push(value.to_owned()),
            "verbatim" => self.verbatim = Some(flag(name, value)?),
            "tolerance" => {
                tolerance(value)?;
                self.tolerance.push(value.to_owned());
            }
            "inseparable" => self.inseparable = named(name, value)?,
            "confirm" => self.confirm = flag(name, value)?,
            _ => {
                let name: String = name.chars().take(40).collect();
                return Err(Problem::bad_request(format!(
                    "`{name}` is no option of a table; choose from name, object, transpose, group, group_rank, prior, ignore, \
                     tests, without, identify, missing, na, verbatim, several, numeric, tolerance, inseparable, confirm"
                )));
            }
        }
        Ok(())
    }

    /// Sets one option back to its default; other names are ignored.
    pub(crate) fn reset(&mut self, name: &str) {
        let new = Self::new();
        match name {
            "object" => self.object = new.object,
            "transpose" => self.transpose = new.transpose,
            "group" => self.group = new.group,
            "group_rank" => self.group_rank = new.group_rank,
            "without" => self.without = new.without,
            "prior" => self.prior = new.prior,
            "ignore" => self.ignore = new.ignore,
            "tests" => self.tests = new.tests,
            "identify" => self.identify = new.identify,
            "missing" => self.missing = new.missing,
            "several" => self.several = new.several,
            "numeric" => self.numeric = new.numeric,
            "na" => self.na = new.na,
            "verbatim" => self.verbatim = new.verbatim,
            "tolerance" => self.tolerance = new.tolerance,
            "inseparable" => self.inseparable = new.inseparable,
            "confirm" => self.confirm = new.confirm,
            _ => {}
        }
    }

    /// Options for reading the bytes of a table, within these limits.
    pub(crate) fn read_options(&self, limits: ReadLimits) -> ReadOptions {
        ReadOptions {
            object: self.object.clone(),
            group: self.group.clone().into(),
            lenient: !self.verbatim.unwrap_or(true),
            transpose: self.transpose,
            limits,
        }
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
            answer_costs: Vec::new(),
            bundles: Vec::new(),
            premises: Vec::new(),
            needs: Vec::new(),
            without: self.without.clone(),
            group_rank: self.group_rank.clone(),
            identify: self.identify.map(|word| word.0),
            missing: self.missing.map_or(MissingCells::Error, |word| word.0),
            gap_words: (!self.na.is_empty()).then(|| self.na.clone()),
            verbatim: self.verbatim.unwrap_or(true),
            tolerance: self.tolerance.iter().map(|text| tolerance(text)).collect::<Result<_, _>>()?,
            numeric: self.numeric.as_deref().map_or(Ok(Numeric::Exact), numeric)?,
            inseparable: self.inseparable.map_or_else(Inseparable::default, |word| word.0),
            confirm: self.confirm,
            several: self.several.clone(),
        })
    }
}

/// Parses the value of option `name` by the names of its values.
fn named<T: Named>(name: &str, value: &str) -> Result<Option<Word<T>>, Problem> {
    let word = T::named(value).map(Word);
    word.map(Some).ok_or_else(|| Problem::bad_request(format!("`{name}`: choose {}", T::names())))
}

fn flag(name: &str, value: &str) -> Result<bool, Problem> {
    value.parse().map_err(|_| Problem::bad_request(format!("`{name}`: choose true or false")))
}

fn numeric(text: &str) -> Result<Numeric, Problem> {
    text.parse().map_err(|error| Problem::bad_request(format!("`numeric`: {error}")))
}

fn tolerance(text: &str) -> Result<(Option<String>, Tolerance), Problem> {
    parse_tolerance(text).ok_or_else(|| {
        Problem::bad_request("`tolerance`: give a number from 0 on, a share such as 5%, or column=0.2")
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
        assert_eq!(reading.identify, Some(fewest::Identify::Objects));
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
            ("missing", "true", "auto, error, answer or any"),
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
