//! Prices as a user gives them: own costs, bundles with a set-up, and costs by answer, checked and put together.

use super::pricing::{Given, Pricing};
use super::shorten::shortened;
use super::{InstanceError, Test};
use crate::{About, AnswerCost, AnswerId, BundlePrice, InBundle, Reading, Scaled, did_you_mean, nearest};
use std::collections::BTreeMap;

/// Test with the cost that was given for it.
pub(super) struct Costed<'a> {
    pub(super) test: &'a Test,
    /// Column that the test was made from, and its position among the columns of the table.
    pub(super) column: (&'a str, usize),
    pub(super) cost: f64,
    /// Whether the cost was given; otherwise it is 1.
    pub(super) is_given: bool,
}

/// Rows of the table about bundles.
pub(super) struct BundleRows {
    pub(super) bundle: Option<About>,
    pub(super) setup: Option<About>,
}

impl BundleRows {
    /// Bundle that the table names for the column at `at`.
    pub(super) fn bundle(&self, at: usize) -> Option<&str> {
        self.bundle.as_ref().map(|row| row.cells[at].as_str()).filter(|name| !name.is_empty())
    }

    /// Set-up that the table gives for the column at `at`.
    fn setup(&self, at: usize, column: &str) -> Result<Option<f64>, InstanceError> {
        let Some((row, text)) = self.setup.as_ref().map(|row| (row.row, row.cells[at].as_str())) else {
            return Ok(None);
        };
        if text.is_empty() {
            return Ok(None);
        }
        let setup = number(text, |setup| setup >= 0.0).ok_or_else(|| InstanceError::Setup {
            row,
            test: shortened(column),
            text: shortened(text),
        })?;
        match self.bundle(at) {
            Some(_) => Ok(Some(setup)),
            None => Err(InstanceError::SetupAlone { row, test: shortened(column) }),
        }
    }
}

/// Membership of one test.
struct Member {
    bundle: String,
    price: BundlePrice,
}

/// Puts the costs of all tests together; `None` if no cost depends on the path.
pub(super) fn prices(
    tests: &[Costed<'_>],
    rows: &BundleRows,
    reading: &Reading,
) -> Result<Option<(Scaled, Pricing)>, InstanceError> {
    let mut listed: BTreeMap<&str, &InBundle> = BTreeMap::new();
    for entry in &reading.bundles {
        if let Some(old) = listed.insert(&entry.test, entry).filter(|old| old.bundle != entry.bundle) {
            let [first, second] = [&old.bundle, &entry.bundle].map(|bundle| shortened(bundle));
            return Err(InstanceError::TwoBundles { test: shortened(&entry.test), first, second });
        }
    }
    let mut members = Vec::new();
    for costed in tests {
        let (column, at) = costed.column;
        let entry = listed.get(costed.test.name.as_str()).or_else(|| listed.get(column));
        members.push(match entry {
            Some(entry) => Some(Member { bundle: entry.bundle.clone(), price: entry.price }),
            None => {
                let price = rows.setup(at, column)?.map_or(BundlePrice::Elsewhere, BundlePrice::Setup);
                rows.bundle(at).map(|bundle| Member { bundle: bundle.to_owned(), price })
            }
        });
    }
    let by_answer = tests.iter().map(|test| answer_costs(test, reading)).collect::<Result<Vec<_>, _>>()?;
    if members.iter().all(Option::is_none) && by_answer.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut given = bundles(tests, &members)?;
    for (at, (costed, by_answer)) in tests.iter().zip(by_answer).enumerate() {
        let own = match members[at].as_ref().map(|member| member.price) {
            Some(BundlePrice::Later(later)) => later,
            _ => costed.cost,
        };
        let own = by_answer
            .map_or_else(|| vec![own], |costs| costs.into_iter().map(|cost| cost.unwrap_or(own)).collect());
        let setup = given.bundle_of[at].map_or(0.0, |bundle| given.setups[bundle].0 - given.setups[bundle].1);
        if setup <= 0.0 && own.contains(&0.0) {
            return Err(InstanceError::FreeTest { test: shortened(&costed.test.name) });
        }
        given.own.push(own);
    }
    let most: f64 = given.own.iter().flatten().chain(given.setups.iter().map(|(all, _)| all)).sum();
    if !most.is_finite() {
        let dearest = tests.iter().max_by(|left, right| left.cost.total_cmp(&right.cost));
        let (test, cost) = dearest.map_or(("", 0.0), |costed| (costed.test.name.as_str(), costed.cost));
        return Err(InstanceError::HugeCosts { test: shortened(test), cost });
    }
    Ok(Some(given.scale()))
}

/// Bundles in order of first appearance, each with the set-up that its tests agree on.
fn bundles(tests: &[Costed<'_>], members: &[Option<Member>]) -> Result<Given, InstanceError> {
    let mut given = Given { own: Vec::new(), bundle_of: Vec::new(), names: Vec::new(), setups: Vec::new() };
    // Set-up of each bundle and the first test that gave it.
    let mut known: Vec<Option<((f64, f64), &str)>> = Vec::new();
    let mut firsts: Vec<&str> = Vec::new();
    for (costed, member) in tests.iter().zip(members) {
        let Some(Member { bundle, price }) = member else {
            given.bundle_of.push(None);
            continue;
        };
        let number = given.names.iter().position(|name| name == bundle).unwrap_or_else(|| {
            given.names.push(bundle.clone());
            known.push(None);
            firsts.push(&costed.test.name);
            given.names.len() - 1
        });
        given.bundle_of.push(Some(number));
        let Some(setup) = setup_of(costed, *price)? else { continue };
        match known[number] {
            None => known[number] = Some((setup, &costed.test.name)),
            Some((first, _)) if is_same(first, setup) => {}
            Some((first, test)) => {
                return Err(InstanceError::TwoSetups {
                    bundle: shortened(bundle),
                    first: (shortened(test), plain_difference(first)),
                    second: (shortened(&costed.test.name), plain_difference(setup)),
                });
            }
        }
    }
    for ((setup, name), test) in known.iter().zip(&given.names).zip(firsts) {
        let Some((setup, _)) = setup else {
            return Err(InstanceError::NoSetup { bundle: shortened(name), test: shortened(test) });
        };
        given.setups.push(*setup);
    }
    Ok(given)
}

/// Set-up that was given beside a test: a number, or a difference of two.
fn setup_of(costed: &Costed<'_>, price: BundlePrice) -> Result<Option<(f64, f64)>, InstanceError> {
    let test = || shortened(&costed.test.name);
    match price {
        BundlePrice::Elsewhere => Ok(None),
        BundlePrice::Setup(setup) if setup.is_finite() && setup >= 0.0 => Ok(Some((setup, 0.0))),
        BundlePrice::Setup(cost) => Err(InstanceError::TestCost { test: test(), cost }),
        BundlePrice::Later(later) if !(later.is_finite() && later >= 0.0) => {
            Err(InstanceError::TestCost { test: test(), cost: later })
        }
        BundlePrice::Later(_) if !costed.is_given => Err(InstanceError::NoFullCost { test: test() }),
        BundlePrice::Later(later) if later > costed.cost => {
            Err(InstanceError::LaterCost { test: test(), cost: costed.cost, later })
        }
        BundlePrice::Later(later) => Ok(Some((costed.cost, later))),
    }
}

/// Whether two differences of decimals are the same number.
fn is_same(left: (f64, f64), right: (f64, f64)) -> bool {
    let scaled = Scaled::new(vec![left.0, left.1, right.0, right.1]);
    let units = scaled.units();
    let (left, right) = (units[0] - units[1], units[2] - units[3]);
    left == right || (!scaled.is_exact() && (left - right).abs() <= 1e-9 * left.abs())
}

fn plain_difference((all, less): (f64, f64)) -> f64 {
    let scaled = Scaled::new(vec![all, less]);
    (scaled.units()[0] - scaled.units()[1]) / scaled.scale()
}

/// Cost of each answer of a test for which one was given; `None` if none was.
fn answer_costs(costed: &Costed<'_>, reading: &Reading) -> Result<Option<Vec<Option<f64>>>, InstanceError> {
    let test = costed.test;
    let of = |name: &str| reading.answer_costs.iter().filter(|entry| entry.test == name).collect::<Vec<_>>();
    let mut entries = of(&test.name);
    if entries.is_empty() {
        entries = of(costed.column.0);
    }
    if entries.is_empty() {
        return Ok(None);
    }
    let mut costs = vec![None; test.arity()];
    for AnswerCost { answer, cost, .. } in entries {
        if !(cost.is_finite() && *cost >= 0.0) {
            return Err(InstanceError::TestCost { test: shortened(&test.name), cost: *cost });
        }
        let at = find(test, answer).ok_or_else(|| InstanceError::NoAnswer {
            test: shortened(&test.name),
            answer: shortened(answer),
            hint: did_you_mean(nearest(test.answers.iter(), answer)),
        })?;
        costs[at.index()] = Some(*cost);
    }
    Ok(Some(costs))
}

/// Parses `text` as a finite number that satisfies `fits`.
pub(super) fn number(text: &str, fits: impl Fn(f64) -> bool) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite() && fits(*value))
}

/// The answer with this text; case counts only if the exact text does not occur.
pub(super) fn find(test: &Test, answer: &str) -> Option<AnswerId> {
    let answer = answer.trim();
    let alike = || test.answers.iter().position(|text| text.to_lowercase() == answer.to_lowercase());
    test.find_answer(answer).or_else(|| alike().map(AnswerId::at))
}

#[cfg(test)]
mod tests {
    use crate::{Instance, InstanceBuilder, TestId};

    fn two() -> InstanceBuilder {
        InstanceBuilder::new(["a", "b", "c"]).test("t", ["Yes", "no", "no"]).test("u", ["1", "2", "1"])
    }

    fn error(builder: InstanceBuilder) -> String {
        builder.build().unwrap_err().to_string()
    }

    fn built(builder: InstanceBuilder) -> Instance {
        builder.build().unwrap().0
    }

    #[test]
    fn prices_that_contradict_each_other_are_refused_by_name() {
        for (builder, message) in [
            (
                two().bundle("x", 5.0, ["t"]).bundle("x", 6.0, ["u"]),
                "bundle `x` has the set-up 5 by test `t` and 6 by test `u`",
            ),
            (two().bundle("x", 5.0, ["t"]).bundle("y", 5.0, ["t"]), "test `t` is in the bundles `x` and `y`"),
            (two().cost("t", 0.0).bundle("x", 0.0, ["t"]), "the cost of `t` is 0"),
            (two().cost("t", 0.0), "the cost of `t` is 0; a cost is a number > 0, such as 1 or 2.5"),
            (two().cost("t", -1.0).bundle("x", 5.0, ["t"]), "the cost of `t` is -1"),
            (two().bundle("x", -5.0, ["t"]), "the cost of `t` is -5"),
            (two().answer_cost("t", "yess", 2.0), "which no object gives; did you mean `Yes`?"),
            (two().answer_cost("t", "no", 0.0), "the cost of `t` is 0"),
            (two().answer_cost("t", "no", f64::NAN), "the cost of `t` is NaN"),
            (two().bundle("x", 5.0, ["v"]), "bundles `v`: there is no such column"),
            (two().answer_cost("v", "no", 1.0), "costs `v`: there is no such column"),
        ] {
            let found = error(builder);
            assert!(found.contains(message), "{found}");
        }
    }

    #[test]
    fn answers_are_found_in_any_case_and_others_cost_what_the_test_does() {
        let instance = built(two().cost("t", 3.0).answer_cost("t", "yes", 7.0));
        let pricing = instance.pricing().unwrap();
        let own =
            [0, 1].map(|answer| pricing.own(TestId(0), crate::AnswerId(answer)) / instance.costs().scale());
        assert_eq!(own, [7.0, 3.0]);
        assert!(!instance.has_unit_costs() && !instance.has_equal_costs());
        assert!((instance.first_cost(TestId(0)) - 13.0 / 3.0).abs() < 1e-12);
        assert!(built(two().cost("t", 3.0)).pricing().is_none());
    }
}
