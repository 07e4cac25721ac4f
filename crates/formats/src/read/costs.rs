//! Files of costs: of tests, of single answers, and of bundles of tests that share a set-up; also of premises and tools.

use super::delimited::texts;
use super::lists::{open, trimmed};
use super::split::Records;
use super::{Problem, ReadError, Source};
use fewest_model::{AnswerCost, BundlePrice, InBundle, Reading};
use std::collections::BTreeMap;
use std::io::Read;

/// Costs as a file lists them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostList {
    /// Costs by name of test.
    pub costs: Vec<(String, f64)>,
    /// Costs by name of test and answer.
    pub answers: Vec<AnswerCost>,
    /// Tests in bundles.
    pub bundles: Vec<InBundle>,
    /// Premises by name of test.
    pub premises: Vec<(String, String)>,
    /// Tools by name of test.
    pub needs: Vec<(String, String)>,
}

impl CostList {
    /// Adds the costs to those of `reading`.
    pub fn add_to(self, reading: &mut Reading) {
        reading.costs.extend(self.costs);
        reading.answer_costs.extend(self.answers);
        reading.bundles.extend(self.bundles);
        reading.premises.extend(self.premises);
        reading.needs.extend(self.needs);
    }

    /// Whether some cost depends on the path or on the answer.
    pub fn depends_on_path(&self) -> bool {
        !self.answers.is_empty() || !self.bundles.is_empty()
    }
}

/// Kind of a file of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `test,cost[,answer][,bundle,setup][,if][,needs]`.
    Costs,
    /// `test,bundle,setup` or `test,bundle,cost_if_not_first_in_bundle`.
    Bundles,
}

/// Reads costs of tests: CSV with the header `test,cost` and a row for each test. A column `answer` makes the cost
/// depend on the answer; the columns `bundle` and `setup` put the test into a bundle. A column `if` holds premises and a
/// column `needs` tools; beside them the cost may be empty or left out.
///
/// # Errors
/// When the file cannot be read, has another header, or a cost is no number above 0 or given twice.
pub fn read_costs(source: Source<'_>) -> Result<CostList, ReadError> {
    let read = open(source).and_then(|input| costs(input, Kind::Costs));
    read.map_err(|problem| ReadError { file: source.to_string(), problem })
}

/// Reads bundles of tests: CSV with the header `test,bundle,setup` or `test,bundle,cost_if_not_first_in_bundle`.
///
/// # Errors
/// As [`read_costs`].
pub fn read_bundles(source: Source<'_>) -> Result<CostList, ReadError> {
    let read = open(source).and_then(|input| costs(input, Kind::Bundles));
    read.map_err(|problem| ReadError { file: source.to_string(), problem })
}

/// Reads costs of tests from any stream of bytes; `file` is its name in messages.
///
/// # Errors
/// As [`read_costs`].
pub fn read_costs_from(input: impl Read, file: &str) -> Result<CostList, ReadError> {
    costs(input, Kind::Costs).map_err(|problem| ReadError { file: file.to_owned(), problem })
}

/// Reads bundles of tests from any stream of bytes; `file` is its name in messages.
///
/// # Errors
/// As [`read_costs`].
pub fn read_bundles_from(input: impl Read, file: &str) -> Result<CostList, ReadError> {
    costs(input, Kind::Bundles).map_err(|problem| ReadError { file: file.to_owned(), problem })
}

/// Positions of the columns of a file.
struct Header {
    width: usize,
    test: usize,
    cost: Option<usize>,
    answer: Option<usize>,
    bundle: Option<usize>,
    setup: Option<usize>,
    later: Option<usize>,
    premise: Option<usize>,
    needs: Option<usize>,
}

/// Name of the column with the cost of a test whose bundle is open.
const LATER: &str = "cost_if_not_first_in_bundle";

impl Header {
    fn of(header: &[&str], kind: Kind) -> Result<Self, Problem> {
        let at = |name: &str| header.iter().position(|column| *column == name);
        let known = ["test", "cost", "answer", "bundle", "setup", LATER, "if", "needs"];
        let is_known = header.iter().all(|column| known.contains(column));
        let is_single = header.iter().enumerate().all(|(place, column)| at(column) == Some(place));
        let [cost, answer, bundle, setup, later] =
            [at("cost"), at("answer"), at("bundle"), at("setup"), at(LATER)];
        let (premise, needs) = (at("if"), at("needs"));
        let has_rules = premise.is_some() || needs.is_some();
        let fits = match kind {
            Kind::Costs => {
                (cost.is_some() || (has_rules && answer.is_none() && bundle.is_none()))
                    && (bundle.is_some() || (setup.is_none() && later.is_none()))
            }
            Kind::Bundles => cost.is_none() && answer.is_none() && bundle.is_some() && !has_rules,
        };
        let one_price = setup.is_none() || later.is_none();
        match at("test").filter(|_| is_known && is_single && fits && one_price) {
            Some(test) => {
                Ok(Self { width: header.len(), test, cost, answer, bundle, setup, later, premise, needs })
            }
            None if kind == Kind::Bundles => Err(Problem::BundleHeader { found: header.join(",") }),
            None => Err(Problem::CostHeader { found: header.join(",") }),
        }
    }
}

/// File of costs that is being read.
struct Costs {
    header: Header,
    list: CostList,
    /// Row of each cost, by test and answer; the answer is empty for the cost of the test.
    row_of: BTreeMap<(String, String), usize>,
    /// Row and bundle of each test in a bundle.
    bundle_of: BTreeMap<String, (usize, String)>,
    /// Row and set-up of each bundle.
    setup_of: BTreeMap<String, (usize, f64)>,
}

fn costs(input: impl Read, kind: Kind) -> Result<CostList, Problem> {
    let mut records = Records::new(input)?;
    let separator = records.separator();
    let (row, header) = records.next()?.ok_or(Problem::Empty)?;
    let mut costs = Costs {
        header: Header::of(&trimmed(texts(row, &header, separator)?), kind)?,
        list: CostList::default(),
        row_of: BTreeMap::new(),
        bundle_of: BTreeMap::new(),
        setup_of: BTreeMap::new(),
    };
    while let Some((row, record)) = records.next()? {
        costs.add(row, &trimmed(texts(row, &record, separator)?))?;
    }
    Ok(costs.list)
}

impl Costs {
    /// Adds one row.
    fn add(&mut self, row: usize, cells: &[&str]) -> Result<(), Problem> {
        let width = self.header.width;
        if cells.len() != width {
            return Err(Problem::Ragged { row, expected: width, found: cells.len() });
        }
        let test = cells[self.header.test];
        if test.is_empty() {
            return Err(Problem::UnnamedTest { row });
        }
        let cell = |column: Option<usize>| column.map_or("", |column| cells[column]);
        let [answer, bundle, setup, later] =
            [self.header.answer, self.header.bundle, self.header.setup, self.header.later].map(cell);
        let cost = self.header.cost.map(|column| cells[column]);
        if let Some(first) = self.row_of.insert((test.to_owned(), answer.to_owned()), row) {
            let (test, answer) = (test.to_owned(), answer.to_owned());
            return Err(match answer.is_empty() {
                true => Problem::SameTest { test, first, second: row },
                false => Problem::SameAnswer { test, answer, first, second: row },
            });
        }
        let has_rules = self.header.premise.is_some() || self.header.needs.is_some();
        self.add_rules(test, cell(self.header.premise), cell(self.header.needs));
        if let Some(text) = cost.filter(|text| !(text.is_empty() && has_rules)) {
            let may_be_free = !bundle.is_empty() || self.bundle_of.contains_key(test);
            let cost = number(text).filter(|cost| *cost > 0.0 || may_be_free);
            let wrong = || Problem::Cost { row, test: test.to_owned(), text: text.to_owned() };
            self.add_cost(test, answer, cost.ok_or_else(wrong)?);
        }
        self.add_bundle(row, test, bundle, setup, later)
    }

    fn add_rules(&mut self, test: &str, premise: &str, needs: &str) {
        let lists = [(&mut self.list.premises, premise), (&mut self.list.needs, needs)];
        for (list, text) in lists.into_iter().filter(|(_, text)| !text.is_empty()) {
            list.push((test.to_owned(), text.to_owned()));
        }
    }

    fn add_cost(&mut self, test: &str, answer: &str, cost: f64) {
        match answer {
            "" => self.list.costs.push((test.to_owned(), cost)),
            answer => {
                let (test, answer) = (test.to_owned(), answer.to_owned());
                self.list.answers.push(AnswerCost { test, answer, cost });
            }
        }
    }

    fn add_bundle(
        &mut self,
        row: usize,
        test: &str,
        bundle: &str,
        setup: &str,
        later: &str,
    ) -> Result<(), Problem> {
        let amount = |text: &str| {
            let wrong = || Problem::Setup { row, test: test.to_owned(), text: text.to_owned() };
            number(text).ok_or_else(wrong)
        };
        if bundle.is_empty() {
            let is_list = self.header.cost.is_none() && self.header.bundle.is_some();
            let is_price = is_list || !setup.is_empty() || !later.is_empty();
            return if is_price { Err(Problem::NoBundle { row, test: test.to_owned() }) } else { Ok(()) };
        }
        let price = match (setup, later) {
            ("", "") if self.header.later.is_some() => {
                return Err(Problem::Setup { row, test: test.to_owned(), text: String::new() });
            }
            ("", "") => BundlePrice::Elsewhere,
            (setup, "") => BundlePrice::Setup(amount(setup)?),
            (_, later) => BundlePrice::Later(amount(later)?),
        };
        if let BundlePrice::Setup(setup) = price {
            let (first, known) = *self.setup_of.entry(bundle.to_owned()).or_insert((row, setup));
            if known != setup {
                return Err(Problem::TwoSetups { bundle: bundle.to_owned(), first, second: row });
            }
        }
        match self.bundle_of.get(test) {
            Some((first, known)) if known != bundle => {
                return Err(Problem::TwoBundles { test: test.to_owned(), first: *first, second: row });
            }
            // Rows of further answers repeat the bundle.
            Some(_) if price == BundlePrice::Elsewhere => return Ok(()),
            _ => {}
        }
        self.bundle_of.insert(test.to_owned(), (row, bundle.to_owned()));
        let (test, bundle) = (test.to_owned(), bundle.to_owned());
        self.list.bundles.push(InBundle { test, bundle, price });
        Ok(())
    }
}

/// Parses a finite number of at least 0.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<CostList, Problem> {
        costs(text.as_bytes(), Kind::Costs)
    }

    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn costs_are_read_in_order() {
        let list = read("test ; cost\n\"a; b\" ; 2.5\n\nc;1e3\n").unwrap();
        assert_eq!(list.costs, [("a; b".to_owned(), 2.5), ("c".to_owned(), 1000.0)]);
        assert_eq!(read("test,cost"), Ok(CostList::default()));
    }

    #[test]
    fn another_header_is_answered_with_the_right_one() {
        assert!(refused("name,price\na,1\n").starts_with(
            "the header is `name,price`; a file of costs has the header `test,cost` and a row for each test, such as \
             `fever,2.5`"
        ));
        assert!(refused("a,1\n").starts_with("the header is `a,1`"));
        assert!(refused("").starts_with("the file is empty"));
        for header in ["test,cost,setup", "test,cost,cost", "test,bundle,setup", "cost"] {
            assert!(refused(header).starts_with("the header is"), "{header}");
        }
        let bundles = |header: &str| costs(header.as_bytes(), Kind::Bundles).unwrap_err().to_string();
        for header in
            ["test,cost", "test,setup", "bundle,setup", "test,bundle,setup,cost_if_not_first_in_bundle"]
        {
            assert!(bundles(header).contains("`test,bundle,setup`"), "{header}");
        }
    }

    #[test]
    fn a_cost_is_a_finite_number_above_zero() {
        for cost in ["0", "-1", "inf", "NaN", "cheap", "", "1,5"] {
            let message = refused(&format!("test,cost\na,1\n\nfever,\"{cost}\"\n"));
            let expected =
                format!("row 4: test `fever` has cost `{cost}`; a cost is a number > 0, such as 1 or 2.5");
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn a_test_has_a_name_and_one_cost() {
        assert_eq!(
            refused("test,cost\na,1\nb,1\na,2\n"),
            "rows 2 and 4 both give a cost of test `a`; keep one of them"
        );
        assert_eq!(
            refused("test,cost\n,1\n"),
            "row 2: the test has no name; fill the cell, or delete the row"
        );
        assert!(refused("test,cost\na,1,2\n").starts_with("row 2 has 3 cells where the header has 2"));
        assert_eq!(
            refused("test,answer,cost\na,yes,1\na,no,1\na,yes,2\n"),
            "rows 2 and 4 both give a cost of answer `yes` to test `a`; keep one of them"
        );
    }

    #[test]
    fn bundles_come_with_a_set_up_or_with_the_later_cost() {
        let list = read("test,cost,bundle,setup\na,0,blood,5\nb,2,blood,\nc,1,,\n").unwrap();
        let entry = |test: &str, price| InBundle { test: test.to_owned(), bundle: "blood".to_owned(), price };
        assert_eq!(list.bundles, [entry("a", BundlePrice::Setup(5.0)), entry("b", BundlePrice::Elsewhere)]);
        assert_eq!(list.costs[2], ("c".to_owned(), 1.0));
        let later =
            costs("test,bundle,cost_if_not_first_in_bundle\na,blood,1.00\n".as_bytes(), Kind::Bundles);
        assert_eq!(later.unwrap().bundles, [entry("a", BundlePrice::Later(1.0))]);
        let both = read("test,answer,cost,bundle,setup\na,yes,3,blood,5\na,no,0,blood,\n").unwrap();
        assert_eq!((both.answers.len(), both.bundles.len()), (2, 1));
        assert_eq!(both.answers[1].cost, 0.0);
    }

    #[test]
    fn premises_and_tools_stand_beside_the_costs() {
        let list = read("test,cost,if,needs\na,2,,lens; light\nb,,a=yes|no,\n").unwrap();
        assert_eq!(list.costs, [("a".to_owned(), 2.0)]);
        assert_eq!(list.premises, [("b".to_owned(), "a=yes|no".to_owned())]);
        assert_eq!(list.needs, [("a".to_owned(), "lens; light".to_owned())]);
        assert_eq!(read("test,if\nb,a=yes\n").unwrap().premises.len(), 1);
        assert!(refused("test,answer,if\n").starts_with("the header is"));
    }

    #[test]
    fn what_bundles_contradict_is_refused_with_the_rows() {
        let header = "test,cost,bundle,setup\n";
        for (rows, message) in [
            (
                "a,1,x,2\nb,1,x,3\n",
                "rows 2 and 3 give bundle `x` two set-ups; the tests of a bundle share one",
            ),
            (
                "a,1,x,-2\n",
                "row 2: test `a` has the set-up or later cost `-2`; it is a number ≥ 0, such as 0 or 2.5",
            ),
            ("a,1,,2\n", "row 2: test `a` has no bundle; name one, or leave the row out"),
            ("a,0,,\n", "row 2: test `a` has cost `0`; a cost is a number > 0, such as 1 or 2.5"),
            ("a,-1,x,5\n", "row 2: test `a` has cost `-1`; a cost is a number > 0, such as 1 or 2.5"),
        ] {
            assert_eq!(refused(&format!("{header}{rows}")), message);
        }
        let two = refused("test,answer,cost,bundle\na,y,1,x\na,n,1,z\n");
        assert_eq!(two, "rows 2 and 3 put test `a` into different bundles; a test has one bundle at most");
    }
}
