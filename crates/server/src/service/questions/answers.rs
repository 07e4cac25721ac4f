//! Answers in requests and responses, and their conversion to the numbers of the table.

use super::{cut, test};
use crate::error::Problem;
use fewest::session::{Given, Reply, parse};
use fewest::{AnswerId, Instance, TestId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Answer to a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// Name of the test; or of a measured column, where the value is a number: all its cuts or ranges are answered.
    pub(crate) test: String,
    /// The answer, or several answers of which one is true, or a measured number; left out or null for "I don't know".
    #[serde(default)]
    pub(crate) value: Option<AnswerValue>,
    /// Whether the answer was known without a question, and so cost nothing.
    #[serde(default)]
    pub(crate) volunteered: bool,
}

/// One answer, several of which one is true, or a measured number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AnswerValue {
    /// One answer.
    One(String),
    /// Several answers, of which one is true.
    Several(Vec<String>),
    /// Measured number; it answers every test about the same column.
    Number(f64),
}

impl AnswerValue {
    /// Answers as a list; none for a number.
    pub(crate) fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
            Self::Number(_) => &[],
        }
    }
}

/// Converts an answer to the numbers of the table: one answer, or for a measured number the answers to all tests about
/// its column. Of these, one is asked at most; the others follow from it and cost nothing.
pub(crate) fn given(instance: &Instance, answer: &Answer) -> Result<Vec<Given>, Problem> {
    let named = instance.find_test(&answer.test);
    if let Some(facts) = measured(instance, answer, named)? {
        return Ok(facts);
    }
    let test = named.map_or_else(|| test(instance, &answer.test), Ok)?;
    let one = |text: &String| answer_of(instance, test, text);
    let reply = match &answer.value {
        None => Reply::Unknown,
        Some(AnswerValue::One(text)) => Reply::is(one(text)?),
        Some(AnswerValue::Number(number)) => Reply::is(equal_to(instance, test, *number)?),
        Some(AnswerValue::Several(texts)) => {
            Reply::one_of(texts.iter().map(one).collect::<Result<Vec<_>, _>>()?)
        }
    };
    if matches!(&reply, Reply::OneOf(answers) if answers.is_empty()) {
        return Err(Problem::unfit("`value`: a list of answers needs at least one; leave it out for none"));
    }
    Ok(vec![Given { test, reply, volunteered: answer.volunteered }])
}

/// Answers that a measured number stands for; `None` if the answer is no number, or its test is about no measured
/// column.
fn measured(
    instance: &Instance,
    answer: &Answer,
    named: Option<TestId>,
) -> Result<Option<Vec<Given>>, Problem> {
    let column = match named {
        Some(test) => instance.test(test).measure.as_ref().map(|measure| measure.column.as_str()),
        None => Some(answer.test.as_str()).filter(|column| !tests_about(instance, column).is_empty()),
    };
    let (Some(column), Some(value)) = (column, &answer.value) else { return Ok(None) };
    let text = match value {
        AnswerValue::Number(number) => number.to_string(),
        // A text that the test itself has is an answer to it alone.
        AnswerValue::One(text) if named.is_none() => text.replace(',', "."),
        AnswerValue::One(_) | AnswerValue::Several(_) => return Ok(None),
    };
    let facts = parse::measured_facts(instance, column, &text).ok_or_else(|| {
        Problem::unfit(format!(
            "`{}` is a measured column: its value is a number, and `{}` is none",
            cut(column),
            cut(&text)
        ))
    })?;
    let asked = named.or(facts.first().map(|(test, _)| *test));
    let given = |(test, reply): (TestId, Reply)| Given {
        volunteered: answer.volunteered || Some(test) != asked,
        test,
        reply,
    };
    Ok(Some(facts.into_iter().map(given).collect()))
}

/// Tests about a measured column.
pub(crate) fn tests_about(instance: &Instance, column: &str) -> Vec<TestId> {
    let is_about =
        |test: &TestId| instance.test(*test).measure.as_ref().is_some_and(|measure| measure.column == column);
    instance.test_ids().filter(is_about).collect()
}

fn answer_of(instance: &Instance, test: TestId, text: &str) -> Result<AnswerId, Problem> {
    let column = instance.test(test);
    column.find_answer(text).ok_or_else(|| {
        let meant = parse::did_you_mean(parse::nearest(column.answers.iter(), text));
        Problem::unfit(format!("test `{}` has no answer `{}`{meant}", column.name, cut(text)))
    })
}

/// Answer whose text is this number.
fn equal_to(instance: &Instance, test: TestId, number: f64) -> Result<AnswerId, Problem> {
    let column = instance.test(test);
    let is_equal = |answer: &str| answer.parse::<f64>().is_ok_and(|found| found == number);
    column.answers.iter().position(is_equal).map(AnswerId::at).ok_or_else(|| {
        Problem::unfit(format!(
            "test `{}` has no answer {number}, and asks about no measured column",
            column.name
        ))
    })
}

/// Converts an answer from numbers to names.
pub(crate) fn answer_in_words(instance: &Instance, given: &Given) -> Answer {
    let column = instance.test(given.test);
    let text = |answer: &AnswerId| column.answer_text(*answer).to_owned();
    let value = match &given.reply {
        Reply::Unknown => None,
        Reply::OneOf(answers) => Some(match &answers[..] {
            [answer] => AnswerValue::One(text(answer)),
            several => AnswerValue::Several(several.iter().map(text).collect()),
        }),
    };
    Answer { test: column.name.clone(), value, volunteered: given.volunteered }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest::{Reading, Table};

    fn instance() -> Instance {
        let rows: [&[&str]; 5] = [
            &["o", "lab", "legs"],
            &["v", "1.5", "2"],
            &["w", "2.5", "4"],
            &["x", "3.5", "2"],
            &["y", "4.5", "4"],
        ];
        Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0
    }

    fn answer(test: &str, value: AnswerValue) -> Answer {
        Answer { test: test.to_owned(), value: Some(value), volunteered: false }
    }

    #[test]
    fn a_number_answers_every_cut_of_its_column_and_is_paid_once() {
        let instance = instance();
        let cuts = tests_about(&instance, "lab");
        assert_eq!(cuts.len(), 3);
        let cut = instance.test(cuts[1]).name.clone();
        for named in ["lab", cut.as_str()] {
            let given = given(&instance, &answer(named, AnswerValue::Number(3.25))).unwrap();
            assert_eq!(given.len(), 3);
            assert_eq!(given.iter().filter(|given| !given.volunteered).count(), 1);
            // Compared with the cuts themselves: 3.25 is above the first two and below the third.
            for given in &given {
                let column = instance.test(given.test);
                let above = 3.25 > column.measure.as_ref().unwrap().cuts[0];
                let said = column.answer_text(given.reply.single().unwrap());
                assert_eq!(said, if above { "yes" } else { "no" }, "{}", column.name);
            }
        }
        let by_text = given(&instance, &answer("lab", AnswerValue::One("3,25".to_owned()))).unwrap();
        assert_eq!(by_text, given(&instance, &answer("lab", AnswerValue::Number(3.25))).unwrap());
    }

    #[test]
    fn a_number_is_also_the_answer_with_this_text() {
        let instance = instance();
        let four = given(&instance, &answer("legs", AnswerValue::Number(4.0))).unwrap();
        assert_eq!(four, given(&instance, &answer("legs", AnswerValue::One("4".to_owned()))).unwrap());
        assert_eq!(given(&instance, &answer("legs", AnswerValue::Number(3.0))).unwrap_err().status, 422);
        let text = answer("lab", AnswerValue::One("high".to_owned()));
        assert!(given(&instance, &text).unwrap_err().detail.contains("its value is a number"));
    }
}
