//! Premises: tests that may be asked only where other tests have certain answers, and the cells that have no answer for
//! that reason.
//!
//! An object is *inapplicable* for a test if its cell is `-`, or if some premise of the test cannot hold for it. Such an
//! object is never asked the test, so its answer there is a placeholder: the first one, which no result depends on.

use super::prices::find;
use super::shorten::shortened;
use super::{InstanceError, ObjectSet, Premise, PremiseError, PremiseProblem, Test};
use crate::{AnswerId, Codes, NOT_RECORDED, ObjectId, TestId, did_you_mean, nearest};
use std::collections::BTreeSet;

/// Premise as it was written for one test.
pub(super) struct Written {
    pub(super) row: Option<usize>,
    pub(super) text: String,
}

/// What was found when the premises were applied.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Applied {
    /// Number of tests with a premise.
    pub(super) tests: usize,
    /// Number of inapplicable cells.
    pub(super) cells: usize,
    /// Number of cells with an answer that was left out because a premise does not hold there.
    pub(super) ignored: usize,
    /// Number of cells `-` of objects for which every premise holds.
    pub(super) blanks: usize,
}

/// Finds the premises of all `tests` in the texts, one for each test, and marks the objects that they exclude.
pub(super) fn apply(tests: &mut [Test], written: &[Option<Written>]) -> Result<Applied, InstanceError> {
    for (at, written) in written.iter().enumerate() {
        if let Some(written) = written {
            tests[at].premises = premises(tests, at, written)?;
        }
    }
    let order = in_order(tests, written)?;
    let mut applied = Applied::default();
    for at in order {
        let excluded = excluded(tests, at);
        let test = &mut tests[at];
        applied.tests += usize::from(!test.premises.is_empty());
        let dashes = test.inapplicable.take().unwrap_or_default();
        let mut all = dashes.clone();
        for object in (0..test.codes.len()).map(ObjectId::at).filter(|object| excluded.contains(*object)) {
            applied.ignored += usize::from(!dashes.contains(object) && test.is_known(object));
            all.insert(object);
        }
        applied.cells += all.len();
        applied.blanks += all.len() - excluded.len();
        test.hide(all);
    }
    Ok(applied)
}

impl Test {
    /// Whether the cell of `object` says something.
    fn is_known(&self, object: ObjectId) -> bool {
        self.choices(object) < self.arity().max(2)
            && !["?", NOT_RECORDED].contains(&self.answer_text(self.answer(object)))
    }

    /// Makes `objects` inapplicable; their cells become placeholders.
    pub(super) fn hide(&mut self, objects: ObjectSet) {
        if objects.is_empty() {
            return;
        }
        let code = |(row, code)| if objects.contains(ObjectId::at(row)) { 0 } else { code };
        self.codes = self.codes.iter().enumerate().map(code).collect();
        self.sets = self.sets.take().and_then(|sets| sets.hide(&objects));
        self.inapplicable = Some(objects);
    }
}

/// Objects for which some premise of test number `at` cannot hold.
fn excluded(tests: &[Test], at: usize) -> ObjectSet {
    let test = &tests[at];
    let fails = |object: ObjectId| {
        test.premises.iter().any(|premise| {
            let source = &tests[premise.test.index()];
            !source.applies_to(object)
                || !source.possible(object).iter().any(|answer| premise.answers.contains(answer))
        })
    };
    match test.premises.is_empty() {
        true => ObjectSet::default(),
        false => (0..test.codes.len()).map(ObjectId::at).filter(|object| fails(*object)).collect(),
    }
}

/// Reads the premises of test number `at`.
fn premises(tests: &[Test], at: usize, written: &Written) -> Result<Vec<Premise>, InstanceError> {
    let error = |problem: PremiseProblem| {
        let (row, test) = (written.row, shortened(&tests[at].name));
        InstanceError::Premise(Box::new(PremiseError { row, test, problem }))
    };
    let one = |text: &str| {
        let text = text.trim();
        let parts = || text.match_indices('=').map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()));
        let named = |name: &str| tests.iter().position(|test| test.name == name);
        let (name, answers) = parts()
            .find(|(name, _)| named(name).is_some())
            .or_else(|| parts().next())
            .filter(|(name, answers)| !name.is_empty() && !answers.is_empty())
            .ok_or_else(|| error(PremiseProblem::Form { text: shortened(text) }))?;
        let source = named(name).ok_or_else(|| {
            let (name, hint) = (shortened(name), hint(tests, name));
            error(PremiseProblem::NoTest { name, hint })
        })?;
        let found = match find(&tests[source], answers) {
            Some(whole) => Ok(vec![whole]),
            None => answers.split('|').map(|text| find(&tests[source], text).ok_or(text)).collect(),
        };
        let mut answers: Vec<AnswerId> = found.map_err(|answer: &str| {
            let hint = did_you_mean(nearest(tests[source].answers.iter(), answer.trim()));
            let (name, answer) = (shortened(name), shortened(answer.trim()));
            error(PremiseProblem::NoAnswer { name, answer, hint })
        })?;
        answers.sort_unstable();
        answers.dedup();
        Ok(Premise { test: TestId::at(source), answers })
    };
    written.text.split(" & ").map(one).collect()
}

/// Hint for the name of a test that does not exist: a cut of the column of that name, or the nearest test.
fn hint(tests: &[Test], name: &str) -> String {
    let is_cut = |test: &&Test| test.measure.as_ref().is_some_and(|measure| measure.column == name);
    match tests.iter().find(is_cut) {
        Some(cut) => {
            format!(
                "; the column was read as measured numbers, so name one of its cuts, such as `{}`",
                cut.name
            )
        }
        None => did_you_mean(nearest(tests.iter().map(|test| test.name.as_str()), name)),
    }
}

/// Numbers of all tests, each after those that its premises name.
fn in_order(tests: &[Test], written: &[Option<Written>]) -> Result<Vec<usize>, InstanceError> {
    let mut waits_for: Vec<usize> = tests.iter().map(|test| test.premises.len()).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); tests.len()];
    for (at, test) in tests.iter().enumerate() {
        test.premises.iter().for_each(|premise| followers[premise.test.index()].push(at));
    }
    let mut order: Vec<usize> = (0..tests.len()).filter(|at| waits_for[*at] == 0).collect();
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for &follower in &followers[at] {
            waits_for[follower] -= 1;
            if waits_for[follower] == 0 {
                order.push(follower);
            }
        }
    }
    match waits_for.iter().position(|count| *count > 0) {
        None => Ok(order),
        Some(first) => Err(cycle(tests, &waits_for, first, written)),
    }
}

/// Error that names a circle of premises; test number `first` waits for ever.
fn cycle(tests: &[Test], waits_for: &[usize], first: usize, written: &[Option<Written>]) -> InstanceError {
    let mut path: Vec<usize> = Vec::new();
    let mut at = first;
    while !path.contains(&at) {
        path.push(at);
        // A test that waits has a premise on another one that waits.
        let waits = |premise: &&Premise| waits_for[premise.test.index()] > 0;
        at = tests[at].premises.iter().find(waits).map_or(at, |premise| premise.test.index());
    }
    let start = path.iter().position(|other| *other == at).unwrap_or(0);
    let names: Vec<String> = path[start..].iter().map(|at| shortened(&tests[*at].name)).collect();
    let row = written[at].as_ref().and_then(|written| written.row);
    let problem = PremiseProblem::Cycle { others: names[1..].to_vec() };
    InstanceError::Premise(Box::new(PremiseError { row, test: names[0].clone(), problem }))
}

/// Takes out the tests of which `keep` is false. A premise on such a test can no longer be established by asking, so an
/// object that it might exclude counts as excluded.
pub(super) fn withdraw(tests: &mut Vec<Test>, keep: &[bool]) {
    let new: Vec<Option<TestId>> = keep
        .iter()
        .scan(0, |kept, keep| {
            let number = *kept;
            *kept += usize::from(*keep);
            Some(keep.then(|| TestId::at(number)))
        })
        .collect();
    let mut left = Vec::with_capacity(tests.len());
    for at in (0..tests.len()).filter(|at| keep[*at]) {
        let mut test = tests[at].clone();
        let lost = || test.premises.iter().filter(|premise| new[premise.test.index()].is_none());
        let holds = |object: ObjectId| lost().all(|premise| is_sure(tests, premise, object));
        let mut hidden = test.inapplicable.clone().unwrap_or_default();
        if lost().next().is_some() {
            let objects = (0..test.codes.len()).map(ObjectId::at);
            objects.filter(|object| !holds(*object)).for_each(|object| hidden.insert(object));
        }
        test.premises = test
            .premises
            .iter()
            .filter_map(|premise| Some(Premise { test: new[premise.test.index()]?, ..premise.clone() }))
            .collect();
        test.hide(hidden);
        left.push(test);
    }
    *tests = left;
}

/// Whether `object` gives no answer that `premise` excludes, and the premises of its test hold likewise.
fn is_sure(tests: &[Test], premise: &Premise, object: ObjectId) -> bool {
    let mut waiting = vec![premise];
    let mut seen = BTreeSet::new();
    while let Some(premise) = waiting.pop() {
        let source = &tests[premise.test.index()];
        let is_within = source.possible(object).iter().all(|answer| premise.answers.contains(answer));
        if !source.applies_to(object) || !is_within {
            return false;
        }
        if seen.insert(premise.test) {
            waiting.extend(&source.premises);
        }
    }
    true
}

/// Whether some test may not be asked of some object, or only after another answer.
pub(super) fn restrict(tests: &[Test]) -> bool {
    let objects = || (0..tests.first().map_or(0, |test| test.codes.len())).map(ObjectId::at);
    let is_open = |test: &Test| {
        test.premises.iter().any(|premise| objects().any(|object| !is_sure(tests, premise, object)))
    };
    let has_open = tests.iter().any(|test| !test.is_single());
    tests.iter().any(|test| test.inapplicable.is_some()) || (has_open && tests.iter().any(is_open))
}

/// Classes of two or more rows that stay together whatever is asked.
///
/// A test that may be asked of a set may be asked of each of its parts, so the order in which tests split a set does not
/// matter: what some strategy tells apart, every strategy that asks on tells apart.
pub(super) fn classes(tests: &[Test], rows: usize) -> Vec<Vec<u32>> {
    let mut classes: Vec<Vec<u32>> = vec![(0..rows as u32).collect()];
    loop {
        let before = classes.len();
        for test in tests {
            let split = |class: Vec<u32>| -> Vec<Vec<u32>> {
                let object = |row: u32| ObjectId(row);
                let is_same = class
                    .iter()
                    .all(|row| test.codes.get(*row as usize) == test.codes.get(class[0] as usize));
                if is_same || class.iter().any(|row| !test.applies_to(object(*row))) {
                    return vec![class];
                }
                let mut parts: Vec<(u32, u32)> =
                    class.iter().map(|row| (test.codes.get(*row as usize), *row)).collect();
                parts.sort_unstable();
                parts
                    .chunk_by(|left, right| left.0 == right.0)
                    .map(|part| part.iter().map(|(_, row)| *row).collect())
                    .collect()
            };
            classes = classes.into_iter().flat_map(split).collect();
        }
        if classes.len() == before {
            return classes.into_iter().filter(|class| class.len() > 1).collect();
        }
    }
}

/// Number of each row's cell, with one number for all inapplicable cells.
pub(super) fn cell(test: &Test, row: u32) -> u32 {
    match test.applies_to(ObjectId(row)) {
        true => test.cells().get(row as usize),
        false => u32::MAX,
    }
}

/// Codes of a test for the rows of a table, of which those in `dashes` have none.
pub(super) fn expand(codes: &Codes, rows: usize, dashes: &ObjectSet) -> Codes {
    let mut known = codes.iter();
    let code = |row: usize| if dashes.contains(ObjectId::at(row)) { 0 } else { known.next().unwrap_or(0) };
    (0..rows).map(code).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Instance, InstanceBuilder, MissingCells, Numeric, ObjectId, TestId, Warning};

    fn insects() -> InstanceBuilder {
        InstanceBuilder::new(["bee", "fly", "ant", "flea"])
            .test("wings", ["yes", "yes", "no", "no"])
            .test("pairs", ["2", "1", "-", "-"])
            .test("jumps", ["no", "no", "no", "yes"])
            .premise("pairs", "wings", ["yes"])
    }

    fn may_ask(instance: &Instance, test: u32, objects: &[u32]) -> bool {
        let objects: Vec<ObjectId> = objects.iter().copied().map(ObjectId).collect();
        instance.may_ask_after(TestId(test), &objects, &[])
    }

    fn error(builder: InstanceBuilder) -> String {
        builder.build().unwrap_err().to_string()
    }

    #[test]
    fn a_test_may_be_asked_where_it_applies_to_every_object() {
        let (instance, warnings) = insects().build().unwrap();
        assert!(instance.has_premises() && instance.test(TestId(1)).arity() == 2);
        assert!(may_ask(&instance, 1, &[0, 1]) && may_ask(&instance, 1, &[1]));
        assert!(!may_ask(&instance, 1, &[0, 1, 2]) && !may_ask(&instance, 1, &[3]));
        assert!(may_ask(&instance, 0, &[0, 1, 2, 3]));
        assert_eq!(warnings, [Warning::Premises { tests: 1, cells: 2, ignored: 0, blanks: 0 }]);
    }

    #[test]
    fn answers_against_a_premise_are_left_out_and_chains_are_followed() {
        let (instance, warnings) = InstanceBuilder::new(["a", "b", "c", "d"])
            .test("r", ["1", "1", "2", "2"])
            .test("s", ["x", "y", "x", "-"])
            .test("t", ["5", "6", "7", "8"])
            .premise("t", "s", ["x"])
            .premise("s", "r", ["1"])
            .reading(|reading| reading.numeric = Numeric::Exact)
            .build()
            .unwrap();
        let applies = |test: u32| -> Vec<bool> {
            instance.objects().map(|object| instance.test(TestId(test)).applies_to(object)).collect()
        };
        // `c` and `d` differ in no test that may be asked of them, so they are one object.
        assert_eq!(instance.object_count(), 3);
        assert_eq!((applies(1), applies(2)), (vec![true, true, false], vec![true, false, false]));
        assert!(warnings.contains(&Warning::Premises { tests: 2, cells: 5, ignored: 4, blanks: 0 }));
    }

    #[test]
    fn objects_that_only_an_inapplicable_test_tells_apart_stay_together() {
        // Nothing may be asked while `b` is possible, so `a` and `c` cannot be told apart either.
        let (instance, warnings) = InstanceBuilder::new(["a", "b", "c"])
            .test("s", ["x", "x", "x"])
            .test("t", ["1", "-", "2"])
            .premise("t", "s", ["x"])
            .build()
            .unwrap();
        assert_eq!(instance.inseparable().collect::<Vec<_>>(), [["a", "b", "c"]]);
        assert!(warnings.contains(&Warning::Premises { tests: 1, cells: 1, ignored: 0, blanks: 1 }));
        let (instance, _) = InstanceBuilder::new(["a", "b", "c"])
            .test("s", ["x", "y", "x"])
            .test("t", ["1", "-", "2"])
            .premise("t", "s", ["x"])
            .build()
            .unwrap();
        assert_eq!(instance.inseparable().len(), 0);
    }

    #[test]
    fn dashes_are_answers_where_no_premise_says_otherwise() {
        let built = InstanceBuilder::new(["a", "b"]).test("t", ["-", "x"]).build().unwrap().0;
        assert!(!built.has_premises() && built.test(TestId(0)).arity() == 2);
    }

    #[test]
    fn an_uncertain_source_must_be_asked_first() {
        let (instance, _) = InstanceBuilder::new(["a", "b", "c"])
            .test("s", [Some("x"), None, Some("y")])
            .test("t", ["1", "2", "-"])
            .premise("t", "s", ["x"])
            .reading(|reading| reading.missing = MissingCells::Any)
            .build()
            .unwrap();
        let (x, y) = (crate::AnswerId(0), crate::AnswerId(1));
        let both = [ObjectId(0), ObjectId(1)];
        assert!(!instance.may_ask_after(TestId(1), &both, &[]));
        assert!(instance.may_ask_after(TestId(1), &both, &[(TestId(0), x)]));
        assert!(!instance.may_ask_after(TestId(1), &both, &[(TestId(0), y)]));
        assert!(instance.may_ask_after(TestId(1), &both[..1], &[]));
    }

    #[test]
    fn wrong_premises_are_refused_with_the_nearest_name() {
        for (builder, message) in [
            (insects().premise("jumps", "wing", ["no"]), "there is no test `wing`; did you mean `wings`?"),
            (
                insects().premise("jumps", "wings", ["noo"]),
                "no object answers `noo` to `wings`; did you mean `no`?",
            ),
            (insects().premise("jumps", "", ["no"]), "`=no` is no premise; write `test=answer`"),
            (insects().premise("jumps", "jumps", ["no"]), "premise of `jumps`: it needs its own answer"),
            (
                insects().premise("wings", "jumps", ["no"]).premise("jumps", "pairs", ["1"]),
                "it needs an answer to `jumps`, which needs one to `pairs`, which needs one to `wings`; take one",
            ),
            (
                insects().premise("jump", "wings", ["no"]),
                "`jump`: there is no such column; did you mean `jumps`?",
            ),
            (
                insects().reading(|reading| reading.without = vec!["lens".to_owned()]),
                "`lens`: no test needs such a tool; the table names no tool",
            ),
        ] {
            let found = error(builder);
            assert!(found.contains(message), "{found}");
        }
    }

    #[test]
    fn tests_that_need_a_missing_tool_are_left_out_but_their_answers_still_limit_others() {
        let needs = |reading: &mut crate::Reading| {
            reading.needs = vec![("wings".to_owned(), "Lens; light".to_owned())];
            reading.without = vec!["lens".to_owned()];
        };
        let (instance, _) = insects().reading(needs).build().unwrap();
        assert_eq!(instance.test_count(), 2);
        // Nothing says any more whether the pairs of wings may be asked for.
        assert_eq!(instance.inseparable().collect::<Vec<_>>(), [["bee", "fly", "ant"]]);
        assert!(!may_ask(&instance, 0, &[0]) && may_ask(&instance, 1, &[0, 1]));
    }

    #[test]
    fn intervals_answer_on_both_sides_of_a_cut() {
        let read = |numeric| {
            let cells = ["1..3", "2", "3-6", "5"];
            let built = InstanceBuilder::new(["a", "b", "c", "d"]).test("h", cells);
            built.reading(|reading| reading.numeric = numeric).build().unwrap().0
        };
        let answers = |instance: &Instance, test: u32| -> Vec<String> {
            let test = instance.test(TestId(test));
            let text =
                |object| test.possible(object).iter().map(|one| test.answer_text(*one)).collect::<Vec<_>>();
            instance.objects().map(|object| text(object).join("+")).collect()
        };
        let instance = read(Numeric::Thresholds);
        assert_eq!(instance.test(TestId(0)).name, "h > 1.5");
        assert_eq!(answers(&instance, 0), ["no+yes", "yes", "yes", "yes"]);
        assert_eq!(answers(&read(Numeric::Measure), 0)[0], "≤ 1+2+3–4");
        // Without the option `3-6` is a word, and the column one of words.
        assert_eq!(answers(&read(Numeric::Auto), 0), ["1..3", "2", "3-6", "5"]);
    }
}
