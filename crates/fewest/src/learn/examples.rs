//! Labelled examples: the cells of each row, and its class.

use super::sizes::{MAX_CLASSES, MAX_WORDS};
use super::weights::{ClassWeights, check_weights, weights, with_class_weights};
use super::{ExamplesError, Field, MISSING, Target, Values};
use fewest_model::{Choice, known_columns};

/// Rows with a class, and the columns that questions are made from.
///
/// Checked once: at least two rows and two classes, all columns of one length, weights ≥ 0 with a positive sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Examples {
    fields: Vec<Field>,
    classes: Vec<String>,
    target: Vec<u32>,
    weights: Option<Vec<f64>>,
    costs: Vec<f64>,
}

/// Treatment of the columns; the defaults suit a plain file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    /// Column of names, which is never asked for; `None`: the one called `object`, if there is one.
    pub object: Option<String>,
    /// Column of weights; `None`: the one called `prior`, if there is one.
    pub prior: Option<String>,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Columns to ask for; `None`: all that are left.
    pub tests: Option<Vec<String>>,
    /// Costs of asking for columns, by name; others cost 1.
    pub costs: Vec<(String, f64)>,
    /// Weight of each class, by name.
    pub class_weights: ClassWeights,
    /// Whether a missing cell is an error.
    pub refuse_missing: bool,
}

/// Note about something that was left out, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A column has one value only.
    Constant {
        /// The column.
        column: String,
    },
    /// A column has no value at all.
    AllMissing {
        /// The column.
        column: String,
    },
    /// A column names or numbers the rows.
    Identifier {
        /// The column.
        column: String,
        /// Number of different values.
        values: usize,
    },
    /// A column has too many different words.
    ManyWords {
        /// The column.
        column: String,
        /// Number of different words.
        values: usize,
    },
    /// Rows have no class.
    NoClass {
        /// Number of such rows.
        rows: usize,
    },
    /// Cells are missing, and are taken as an answer or follow the other rows.
    MissingCells {
        /// Number of missing cells.
        cells: usize,
        /// Number of columns with missing cells.
        columns: usize,
    },
}

/// Least number of rows from which a column of words counts as names: if more than half of the rows have a word of
/// their own.
const NAMES_FROM: usize = 20;

impl Examples {
    /// Makes the examples that `fields` hold for `target`, and lists what was left out.
    ///
    /// # Errors
    /// When there is nothing to learn, or a column is not what it must be.
    pub fn new(
        mut fields: Vec<Field>,
        target: &Target,
        preparation: &Preparation,
    ) -> Result<(Self, Vec<Notice>), ExamplesError> {
        check_names(&fields, preparation)?;
        let at = fields.iter().position(|field| field.name == target.column);
        let at = at.ok_or_else(|| ExamplesError::NoSuchTarget {
            name: target.column.clone(),
            known: known(&fields, &target.column),
        })?;
        let field = fields.remove(at);
        if field.is_empty() {
            return Err(ExamplesError::NoRows);
        }
        let (classes, mut codes) = target.classes(&field)?;
        let mut notices = Vec::new();
        let keep: Vec<bool> = codes.iter().map(|code| *code != MISSING).collect();
        let lost = keep.iter().filter(|keep| !**keep).count();
        if lost == keep.len() {
            return Err(ExamplesError::EmptyTarget { name: target.column.clone() });
        }
        if lost > 0 {
            notices.push(Notice::NoClass { rows: lost });
            fields = fields.into_iter().map(|field| field.filtered(&keep)).collect();
            codes.retain(|code| *code != MISSING);
        }
        if classes.len() < 2 {
            return Err(ExamplesError::OneClass {
                name: target.column.clone(),
                class: classes.into_iter().next().unwrap_or_default(),
            });
        }
        if classes.len() > MAX_CLASSES {
            return Err(ExamplesError::ManyClasses { name: target.column.clone(), classes: classes.len() });
        }
        let weights = weights(&mut fields, preparation.prior.as_deref().unwrap_or("prior"))?;
        let weights = with_class_weights(weights, &preparation.class_weights, &classes, &codes)?;
        let fields = questions(fields, preparation, &mut notices)?;
        let costs = fields.iter().map(|field| cost(&preparation.costs, &field.name)).collect();
        Ok((Self { fields, classes, target: codes, weights, costs }, notices))
    }

    /// Makes examples from `fields` as they are, the number of each row's class, and weights and costs if not all are
    /// 1. Nothing is left out, and there may be one class or one row only: the tree is then a leaf.
    ///
    /// # Errors
    /// When there are no rows or no weight, or a weight or cost is out of range.
    ///
    /// # Panics
    /// When columns differ in length, or a class has no name.
    pub fn from_parts(
        fields: Vec<Field>,
        classes: Vec<String>,
        target: Vec<u32>,
        weights: Option<Vec<f64>>,
        costs: Option<Vec<f64>>,
    ) -> Result<Self, ExamplesError> {
        assert!(fields.iter().all(|field| field.len() == target.len()), "columns of one length");
        assert!(target.iter().all(|class| (*class as usize) < classes.len()), "each class has a name");
        if target.is_empty() {
            return Err(ExamplesError::NoRows);
        }
        if let Some(weights) = &weights {
            assert_eq!(weights.len(), target.len(), "a weight for each row");
            check_weights(weights, "weights")?;
        }
        let costs = costs.unwrap_or_else(|| vec![1.0; fields.len()]);
        assert_eq!(costs.len(), fields.len(), "a cost for each column");
        Ok(Self { fields, classes, target, weights, costs })
    }

    /// Columns that questions are made from.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Names of the classes, in order of first appearance.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.target.len()
    }

    /// Whether there are no rows; always false.
    pub fn is_empty(&self) -> bool {
        self.target.is_empty()
    }

    /// The class of row `row`.
    #[inline]
    pub fn class(&self, row: usize) -> usize {
        self.target[row] as usize
    }

    /// The class of each row.
    pub fn target(&self) -> &[u32] {
        &self.target
    }

    /// Weight of row `row`.
    #[inline]
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// Weight of each row, if not all count 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Whether every weight is a whole number, so that weights count cases.
    pub fn counts_cases(&self) -> bool {
        self.weights.as_ref().is_none_or(|weights| weights.iter().all(|weight| weight.fract() == 0.0))
    }

    /// Cost of asking for column `field`.
    pub fn cost(&self, field: usize) -> f64 {
        self.costs[field]
    }

    /// Whether all columns cost the same.
    pub fn has_unit_costs(&self) -> bool {
        self.costs.iter().all(|cost| *cost == 1.0)
    }

    /// All rows of positive weight.
    pub fn rows(&self) -> Vec<u32> {
        (0..self.target.len() as u32).filter(|row| self.weight(*row as usize) > 0.0).collect()
    }

    /// Weight of each class among `rows`.
    pub fn class_weights(&self, rows: &[u32]) -> Vec<f64> {
        let mut totals = vec![0.0; self.classes.len()];
        rows.iter().for_each(|&row| totals[self.class(row as usize)] += self.weight(row as usize));
        totals
    }
}

fn names(fields: &[Field]) -> Vec<&str> {
    fields.iter().map(|field| field.name.as_str()).collect()
}

fn known(fields: &[Field], name: &str) -> String {
    known_columns(name, &names(fields))
}

/// Checks that every column that an option names exists.
fn check_names(fields: &[Field], preparation: &Preparation) -> Result<(), ExamplesError> {
    let one = |option, name: &Option<String>| name.iter().map(|name| (option, name.clone())).collect();
    let many = |option, names: &[String]| names.iter().map(|name| (option, name.clone())).collect();
    let costs: Vec<String> = preparation.costs.iter().map(|(name, _)| name.clone()).collect();
    let asked: [Vec<(Choice, String)>; 5] = [
        one(Choice::Object, &preparation.object),
        one(Choice::Prior, &preparation.prior),
        many(Choice::Ignore, &preparation.ignore),
        many(Choice::Tests, preparation.tests.as_deref().unwrap_or_default()),
        many(Choice::Costs, &costs),
    ];
    let missing = asked.into_iter().flatten().find(|(_, name)| !names(fields).contains(&name.as_str()));
    match missing {
        None => Ok(()),
        Some((option, name)) => {
            Err(ExamplesError::NoSuchColumn { option, known: known(fields, &name), name })
        }
    }
}

/// Selects the columns to ask for; the others are reported.
fn questions(
    fields: Vec<Field>,
    preparation: &Preparation,
    notices: &mut Vec<Notice>,
) -> Result<Vec<Field>, ExamplesError> {
    let object = preparation.object.as_deref().unwrap_or("object");
    let wanted = |field: &Field| {
        field.name != object
            && !preparation.ignore.contains(&field.name)
            && preparation.tests.as_ref().is_none_or(|tests| tests.contains(&field.name))
    };
    let mut kept = Vec::new();
    for field in fields.into_iter().filter(wanted) {
        if field.stray.is_some() {
            return Err(ExamplesError::stray(&field));
        }
        match useless(&field) {
            Some(notice) => notices.push(notice),
            None => kept.push(field),
        }
    }
    let lacking: Vec<(&str, usize)> = kept
        .iter()
        .map(|field| (field.name.as_str(), field.missing()))
        .filter(|(_, cells)| *cells > 0)
        .collect();
    let total = lacking.iter().map(|(_, cells)| cells).sum();
    match lacking.first() {
        Some((name, cells)) if preparation.refuse_missing => {
            return Err(ExamplesError::Missing { name: (*name).to_owned(), cells: *cells, total });
        }
        Some(_) => notices.push(Notice::MissingCells { cells: total, columns: lacking.len() }),
        None => (),
    }
    Ok(kept)
}

/// Reason why nothing can be learned from `field`, if there is one.
fn useless(field: &Field) -> Option<Notice> {
    let column = field.name.clone();
    let known = field.len() - field.missing();
    if known == 0 {
        return Some(Notice::AllMissing { column });
    }
    let values = match &field.values {
        Values::Words { codes, .. } => {
            let mut seen: Vec<u32> = codes.iter().copied().filter(|code| *code != MISSING).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.len()
        }
        Values::Numbers(values) if counts_up(values) => {
            return Some(Notice::Identifier { column, values: known });
        }
        Values::Numbers(values) => {
            let first = values.iter().find(|value| !value.is_nan());
            let differs = values.iter().any(|value| !value.is_nan() && Some(value) != first);
            return (!differs && known == field.len()).then_some(Notice::Constant { column });
        }
    };
    match values {
        1 if known == field.len() => Some(Notice::Constant { column }),
        values if known >= NAMES_FROM && values * 2 > known => Some(Notice::Identifier { column, values }),
        values if values > MAX_WORDS => Some(Notice::ManyWords { column, values }),
        _ => None,
    }
}

/// Whether the values number the rows one after the other.
fn counts_up(values: &[f64]) -> bool {
    let is_next = |pair: &[f64]| pair[0].fract() == 0.0 && pair[1] - pair[0] == 1.0;
    values.len() >= NAMES_FROM && values.windows(2).all(is_next)
}

fn cost(costs: &[(String, f64)], name: &str) -> f64 {
    costs.iter().find(|(other, _)| other == name).map_or(1.0, |(_, cost)| *cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(name: &str) -> Target {
        Target { column: name.to_owned(), test: None }
    }

    fn fields() -> Vec<Field> {
        vec![
            Field::words("object", &["a", "b", "c", "d"]),
            Field::words("wind", &["weak", "strong", "weak", "?"]),
            Field::numbers("heat", vec![1.0, 2.0, 3.0, 4.0]),
            Field::words("same", &["x", "x", "x", "x"]),
            Field::words("none", &["?", "?", "?", "?"]),
            Field::words("play", &["no", "yes", "yes", "no"]),
        ]
    }

    #[test]
    fn names_and_useless_columns_are_left_out_and_said_to_be() {
        let (examples, notices) = Examples::new(fields(), &target("play"), &Preparation::default()).unwrap();
        assert_eq!(names(examples.fields()), ["wind", "heat"]);
        assert_eq!(examples.classes(), ["no", "yes"]);
        assert_eq!(
            notices,
            [
                Notice::Constant { column: "same".to_owned() },
                Notice::AllMissing { column: "none".to_owned() },
                Notice::MissingCells { cells: 1, columns: 1 },
            ]
        );
    }

    #[test]
    fn names_of_rows_and_running_numbers_are_no_questions() {
        let texts: Vec<String> = (0..30).map(|row| format!("name {row}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(
            useless(&Field::words("id", &texts)),
            Some(Notice::Identifier { column: "id".to_owned(), values: 30 })
        );
        let numbers = |values: Vec<f64>| useless(&Field::numbers("n", values)).is_some();
        assert!(numbers((100..130).map(f64::from).collect()));
        assert!(!numbers((100..130).rev().map(f64::from).collect()));
        assert!(!numbers((100..130).map(|x| f64::from(x) + 0.5).collect()));
    }

    #[test]
    fn rows_without_a_class_are_left_out() {
        let fields = vec![Field::numbers("x", vec![1.0, 2.0, 3.0]), Field::words("y", &["a", "?", "b"])];
        let (examples, notices) = Examples::new(fields, &target("y"), &Preparation::default()).unwrap();
        assert_eq!((examples.len(), notices), (2, vec![Notice::NoClass { rows: 1 }]));
        assert_eq!(examples.fields()[0].values, Values::Numbers(vec![1.0, 3.0]));
    }

    #[test]
    fn what_cannot_be_learned_is_refused_with_the_way_out() {
        let refuse = |fields, name| {
            Examples::new(fields, &target(name), &Preparation::default()).unwrap_err().to_string()
        };
        assert!(refuse(fields(), "wind ").contains("there is no such column"));
        assert!(refuse(fields(), "same").contains("one class only, `x`"));
        assert!(refuse(fields(), "none").contains("empty in every row"));
        assert!(refuse(vec![Field::words("y", &[])], "y").contains("there are no rows"));
        let mut mixed = fields();
        mixed[2].stray = Some(super::super::Stray { text: "hot".to_owned(), row: 4, count: 1 });
        assert!(refuse(mixed, "play").starts_with("row 4, column `heat`: `hot` is not a number"));
        let strict = Preparation { refuse_missing: true, ..Preparation::default() };
        let error = Examples::new(fields(), &target("play"), &strict).unwrap_err().to_string();
        assert!(error.starts_with("column `wind` has 1 missing cells, 1 in all; use missing = answer"));
    }

    #[test]
    fn parts_are_taken_as_they_are() {
        let part = |weights| {
            let fields = vec![Field::words("same", &["x", "x"])];
            Examples::from_parts(fields, vec!["only".to_owned()], vec![0, 0], weights, None)
        };
        let examples = part(None).unwrap();
        assert_eq!((examples.len(), examples.fields().len(), examples.cost(0)), (2, 1, 1.0));
        let model = super::super::fit(&examples, "class", &super::super::FitOptions::default());
        assert_eq!((model.tree.leaves(), &model.classes[..]), (1, &["only".to_owned()][..]));
        assert!(part(Some(vec![0.0, 0.0])).is_err());
        assert!(part(Some(vec![1.0, -1.0])).is_err());
        assert_eq!(Examples::from_parts(vec![], vec![], vec![], None, None), Err(ExamplesError::NoRows));
    }

    #[test]
    fn weights_come_from_the_prior_and_from_the_classes() {
        let fields = || {
            vec![
                Field::numbers("prior", vec![1.0, 0.0, 3.0]),
                Field::numbers("x", vec![1.0, 2.0, 3.0]),
                Field::words("y", &["a", "b", "b"]),
            ]
        };
        let weights = |class_weights| {
            let preparation = Preparation { class_weights, ..Preparation::default() };
            let (examples, _) = Examples::new(fields(), &target("y"), &preparation).unwrap();
            (examples.rows(), examples.class_weights(&examples.rows()))
        };
        assert_eq!(weights(ClassWeights::Equal), (vec![0, 2], vec![1.0, 3.0]));
        assert_eq!(weights(ClassWeights::Balanced).1, [2.0, 2.0]);
        assert_eq!(weights(ClassWeights::Listed(vec![("b".to_owned(), 2.0)])).1, [1.0, 6.0]);
        let negative = vec![Field::numbers("prior", vec![1.0, -1.0]), Field::words("y", &["a", "b"])];
        let error = Examples::new(negative, &target("y"), &Preparation::default()).unwrap_err().to_string();
        assert_eq!(error, "column `prior`: `-1` in example 2 is no weight; a weight is a number ≥ 0");
    }
}
