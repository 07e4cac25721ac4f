//! Parsing of facts as people write them: `fever=yes`, `fever=?`, `color=red|white`.

use super::Reply;
use fewest_model::{AnswerId, Instance, ObjectId, TestId};
pub use fewest_model::{did_you_mean, nearest};
use thiserror::Error;

/// Text that is no fact about the instance, with what may have been meant.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ParseError {
    /// Text without `=`.
    #[error("`{text}` is no fact; write test=answer, such as `{example}`")]
    NoFact {
        /// The text.
        text: String,
        /// A fact that would be understood.
        example: String,
    },
    /// A name that no test has.
    #[error("there is no test `{name}`{}", did_you_mean(.nearest.as_deref()))]
    NoTest {
        /// The name.
        name: String,
        /// The test with the most similar name.
        nearest: Option<String>,
    },
    /// An answer that the test does not have.
    #[error("test `{test}` has no answer `{answer}`{}; it has {}", did_you_mean(.nearest.as_deref()), list(.answers))]
    NoAnswer {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
        /// The most similar answer.
        nearest: Option<String>,
        /// All answers.
        answers: Vec<String>,
    },
    /// A name that no object has.
    #[error("there is no object `{name}`{}", did_you_mean(.nearest.as_deref()))]
    NoObject {
        /// The name.
        name: String,
        /// The object with the most similar name.
        nearest: Option<String>,
    },
}

/// The first twelve answers, quoted, and the number of others.
fn list(answers: &[String]) -> String {
    let shown: Vec<String> = answers.iter().take(12).map(|answer| format!("`{answer}`")).collect();
    let more = if answers.len() > 12 { format!(" and {} more", answers.len() - 12) } else { String::new() };
    shown.join(", ") + &more
}

/// Parses a fact: a test's name, `=`, and an answer, several with `|` between them, or `?`.
///
/// # Errors
/// When there is no such test or answer; the error says what may have been meant.
pub fn parse_fact(instance: &Instance, text: &str) -> Result<(TestId, Reply), ParseError> {
    // Names may hold `=` themselves: the longest that fits is meant.
    let cuts: Vec<usize> = text.match_indices('=').map(|(at, _)| at).collect();
    let Some(&first) = cuts.first() else {
        let example = instance.test_ids().next().map_or("test=answer".to_owned(), |test| {
            let test = instance.test(test);
            format!("{}={}", test.name, test.answers.iter().next().unwrap_or("?"))
        });
        return Err(ParseError::NoFact { text: text.trim().to_owned(), example });
    };
    let named = |at: &usize| Some((*at, find_test(instance, &text[..*at]).ok()?));
    let (at, test) = match cuts.iter().rev().find_map(named) {
        Some(found) => found,
        None => (first, find_test(instance, &text[..first])?),
    };
    Ok((test, parse_reply(instance, test, &text[at + 1..])?))
}

/// Parses a fact, or a measured number such as `lab=5.5` or a range of them such as `lab=5..6`, which answers every test
/// about that column.
///
/// # Errors
/// As [`parse_fact`].
pub fn parse_facts(instance: &Instance, text: &str) -> Result<Vec<(TestId, Reply)>, ParseError> {
    let measured = || {
        let (column, value) = text.split_once('=')?;
        measured_facts(instance, column, value)
    };
    match measured() {
        Some(facts) => Ok(facts),
        None => parse_fact(instance, text).map(|fact| vec![fact]),
    }
}

/// Answers of a measured number, or of a range such as `3..5`, to every test about `column`; `None` if no test is about such a
/// column, or `value` is neither.
pub fn measured_facts(instance: &Instance, column: &str, value: &str) -> Option<Vec<(TestId, Reply)>> {
    let number = |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite());
    let (low, high) = match value.split_once("..") {
        Some((low, high)) => (number(low)?, number(high)?),
        None => (number(value)?, number(value)?),
    };
    if low > high {
        return None;
    }
    let wanted = column.trim().to_lowercase();
    let fact = |test: TestId| {
        let measure = instance.test(test).measure.as_ref()?;
        let is_wanted = measure.column.to_lowercase() == wanted;
        is_wanted.then(|| (test, Reply::one_of(measure.answers_between(low, high))))
    };
    let facts: Vec<(TestId, Reply)> = instance.test_ids().filter_map(fact).collect();
    (!facts.is_empty()).then_some(facts)
}

/// Returns the test called `name`: exactly, or except for upper and lower case, or by the beginning of its name if
/// that is unique.
///
/// # Errors
/// When there is none.
pub fn find_test(instance: &Instance, name: &str) -> Result<TestId, ParseError> {
    let names = || instance.test_ids().map(|test| instance.test(test).name.as_str());
    find(names, name.trim()).map(TestId::at).ok_or_else(|| ParseError::NoTest {
        name: name.trim().to_owned(),
        nearest: nearest(names(), name.trim()).map(str::to_owned),
    })
}

/// Returns the tests that need the tool called `tool`, in any case.
pub fn tests_that_need(instance: &Instance, tool: &str) -> Vec<TestId> {
    let is_it = |own: &String| own.to_lowercase() == tool.trim().to_lowercase();
    instance.test_ids().filter(|test| instance.test(*test).needs.iter().any(is_it)).collect()
}

/// Returns the tests that cannot be asked without `name`: the test of that name, or all tests that need the tool of that
/// name.
///
/// # Errors
/// When there is neither.
pub fn find_tests_of(instance: &Instance, name: &str) -> Result<Vec<TestId>, ParseError> {
    let tools = |test: TestId| instance.test(test).needs.iter();
    let of_tool = tests_that_need(instance, name);
    if !of_tool.is_empty() && instance.find_test(name.trim()).is_none() {
        return Ok(of_tool);
    }
    find_test(instance, name).map(|test| vec![test]).map_err(|error| {
        let names = instance.test_ids().map(|test| instance.test(test).name.as_str());
        let all = names.chain(instance.test_ids().flat_map(tools).map(String::as_str));
        match error {
            ParseError::NoTest { name, .. } => {
                let nearest = nearest(all, &name).map(str::to_owned);
                ParseError::NoTest { name, nearest }
            }
            error => error,
        }
    })
}

/// Returns the object called `name`, which may be one of several joined in it.
///
/// # Errors
/// When there is none.
pub fn find_object(instance: &Instance, name: &str) -> Result<ObjectId, ParseError> {
    let names: Vec<(ObjectId, &str)> = instance
        .objects()
        .flat_map(|object| instance.object_names(object).map(move |name| (object, name)))
        .collect();
    let all = || names.iter().map(|(_, name)| *name);
    let found = find(all, name.trim()).map(|at| names[at].0);
    found.ok_or_else(|| ParseError::NoObject {
        name: name.trim().to_owned(),
        nearest: nearest(all(), name.trim()).map(str::to_owned),
    })
}

/// Parses a reply to `test`: an answer, several with `|` between them, or `?`.
///
/// # Errors
/// When the test has no such answer.
pub fn parse_reply(instance: &Instance, test: TestId, text: &str) -> Result<Reply, ParseError> {
    let (column, text) = (instance.test(test), text.trim());
    let answers = || column.answers.iter();
    let one = |text: &str| find(answers, text).or_else(|| as_yes_or_no(answers, text)).map(AnswerId::at);
    if let Some(answer) = one(text) {
        return Ok(Reply::is(answer));
    }
    if matches!(text, "?" | "") {
        return Ok(Reply::Unknown);
    }
    let part = |part: &str| {
        one(part.trim()).ok_or_else(|| ParseError::NoAnswer {
            test: column.name.clone(),
            answer: part.trim().to_owned(),
            nearest: nearest(answers(), part.trim()).map(str::to_owned),
            answers: answers().map(str::to_owned).collect(),
        })
    };
    let separator = if text.contains('|') { "|" } else { " or " };
    text.split(separator).map(part).collect::<Result<Vec<_>, _>>().map(Reply::one_of)
}

/// Writes a fact as [`parse_fact`] understands it.
pub fn write_fact(instance: &Instance, test: TestId, reply: &Reply) -> String {
    format!("{}={}", instance.test(test).name, write_reply(instance, test, reply))
}

/// Writes a reply as [`parse_reply`] understands it.
pub fn write_reply(instance: &Instance, test: TestId, reply: &Reply) -> String {
    let answers = &instance.test(test).answers;
    match reply {
        Reply::Unknown => "?".to_owned(),
        Reply::OneOf(ids) => ids.iter().map(|id| answers.get(id.index())).collect::<Vec<_>>().join("|"),
    }
}

/// Position of the name that is `wanted`: exact, else without case, else by its beginning, the latter two if
/// only one name fits.
fn find<'n, I: Iterator<Item = &'n str>>(names: impl Fn() -> I, wanted: &str) -> Option<usize> {
    let exact = names().position(|name| name == wanted);
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = names().enumerate().filter(|(_, name)| fits(name)).map(|(at, _)| at);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let lower = wanted.to_lowercase();
    exact.or_else(|| only(&|name| name.to_lowercase() == lower)).or_else(|| {
        // The beginning of a name suffices if it is unique.
        let begins = |name: &str| name.to_lowercase().starts_with(&lower);
        if lower.is_empty() { None } else { only(&begins) }
    })
}

/// Position of the answer that means yes or no like `wanted`, if the two answers are words for yes and no: `y`,
/// `true` and `1` mean the same.
fn as_yes_or_no<'n, I: Iterator<Item = &'n str>>(names: impl Fn() -> I, wanted: &str) -> Option<usize> {
    const YES: [&str; 5] = ["yes", "y", "true", "t", "1"];
    const NO: [&str; 5] = ["no", "n", "false", "f", "0"];
    let is_any = |words: &[&str], text: &str| words.contains(&text.to_lowercase().as_str());
    // Only if the answers are exactly yes and no in some words.
    let of = |words: &[&str]| names().position(|name| is_any(words, name));
    let (yes, no) = (of(&YES)?, of(&NO)?);
    if names().count() != 2 {
        return None;
    }
    match (is_any(&YES, wanted), is_any(&NO, wanted)) {
        (true, _) => Some(yes),
        (_, true) => Some(no),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::instance;

    fn said(text: &str) -> Result<String, String> {
        let instance = instance("o,fever,Color,a=b\nx,yes,red,1\ny,no,white,2\nz,no,blue,3");
        let parsed = parse_fact(&instance, text).map_err(|error| error.to_string())?;
        Ok(write_fact(&instance, parsed.0, &parsed.1))
    }

    #[test]
    fn facts_are_understood_as_people_write_them() {
        for (text, meaning) in [
            ("fever=yes", "fever=yes"),
            (" Fever = Y ", "fever=yes"),
            ("fever=0", "fever=no"),
            ("fever=?", "fever=?"),
            ("color=white|red", "Color=red|white"),
            ("Color=blue or w", "Color=white|blue"),
            ("a=b=2", "a=b=2"),
        ] {
            assert_eq!(said(text), Ok(meaning.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_measured_number_answers_every_cut() {
        let table = "o,lab,colour\na,1.5,red\nb,2.5,red\nc,4,blue";
        let instance = instance(table);
        let facts = |text: &str| -> Vec<String> {
            let facts = parse_facts(&instance, text).unwrap();
            facts.iter().map(|(test, reply)| write_fact(&instance, *test, reply)).collect()
        };
        assert_eq!(facts("lab=3.1"), ["lab > 2=yes", "lab > 3=yes"]);
        assert_eq!(facts(" LAB = 2.5 "), ["lab > 2=yes", "lab > 3=no"]);
        assert_eq!(facts("lab > 3=no"), ["lab > 3=no"]);
        assert_eq!(facts("colour=red"), ["colour=red"]);
        assert!(parse_facts(&instance, "lab=high").is_err());
    }

    #[test]
    fn what_is_not_understood_names_the_nearest() {
        for (text, part) in [
            ("fevr=yes", "no test `fevr`; did you mean `fever`?"),
            ("color=whit|blak", "no answer `blak`; did you mean `blue`?; it has `red`, `white`, `blue`"),
            ("fever", "write test=answer, such as `fever=yes`"),
            ("zzz=1", "no test `zzz`"),
        ] {
            let error = said(text).expect_err("is not understood");
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
