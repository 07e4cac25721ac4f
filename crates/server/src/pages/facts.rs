//! Facts that are told without being asked: the search among all tests beside a question, and the answers that this
//! search and the page of all tests send.

use super::ask::{next_question, to_question};
use super::{session, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::SafeForm;
use crate::service::questions::{Answer, AnswerValue};
use crate::service::sessions;
use crate::state::App;
use axum::extract::State;
use axum::response::Redirect;
use fewest::TestId;
use fewest::session::Session;
use fewest_formats::answers::{natural_order, shown};

/// Most tests that a search beside a question lists.
const FOUND: usize = 8;
/// Most answers of a test in a list to choose from.
const ANSWERS: usize = 1000;
/// Most answers that one form may give.
const AT_ONCE: usize = 200;

/// Tests that a search found.
#[derive(Default)]
pub(super) struct FoundFacts {
    /// Words of the search; `None` where nothing was searched.
    pub(super) find: Option<String>,
    pub(super) facts: Vec<Fact>,
    /// Number of tests that fit the search.
    pub(super) all: usize,
    /// Number of tests without an answer; the cuts of one measured column count as one.
    pub(super) free: usize,
}

/// Test, or measured column, that can be answered.
pub(super) struct Fact {
    /// Name of the test.
    pub(super) name: String,
    /// Name of the measured column, if it is one: a number answers all its cuts.
    pub(super) column: Option<String>,
    /// Text of the question.
    pub(super) text: String,
    /// Values and labels of the answers.
    pub(super) answers: Vec<(String, String)>,
}

/// Tests without an answer, in the order of `tests`, one for each measured column.
pub(super) fn free(session: &Session<'_>, tests: impl Iterator<Item = TestId>) -> Vec<TestId> {
    let instance = session.instance();
    let mut is_said = vec![false; instance.test_count()];
    session.answers().iter().for_each(|given| is_said[given.test.index()] = true);
    let column = |test: TestId| instance.test(test).measure.as_ref().map(|measure| measure.column.as_str());
    let mut columns = std::collections::BTreeSet::<&str>::new();
    tests
        .filter(|test| !is_said[test.index()] && column(*test).is_none_or(|name| columns.insert(name)))
        .collect()
}

/// Describes a test that can be answered.
pub(super) fn fact(session: &Session<'_>, test: TestId) -> Fact {
    let instance = session.instance();
    let column = instance.test(test);
    let label = |answer: &fewest::AnswerId| {
        let value = column.answer_text(*answer);
        (value.to_owned(), shown(column, value).to_owned())
    };
    Fact {
        name: column.name.clone(),
        column: column.measure.as_ref().map(|measure| measure.column.clone()),
        text: session::question(instance, test),
        answers: natural_order(column).iter().take(ANSWERS).map(label).collect(),
    }
}

/// Whether a test has all `words` in its name, question or column.
pub(super) fn fits(session: &Session<'_>, test: TestId, words: &[String]) -> bool {
    let column = session.instance().test(test);
    let measured = column.measure.as_ref().map_or("", |measure| measure.column.as_str());
    wording::has_words(words, &[&column.name, column.question.as_deref().unwrap_or_default(), measured])
}

/// Searches the tests without an answer.
pub(super) fn found(session: &Session<'_>, find: Option<&str>) -> FoundFacts {
    let free = free(session, session.instance().test_ids());
    let Some(find) = find else { return FoundFacts { free: free.len(), ..FoundFacts::default() } };
    let words = wording::words(find);
    let fitting: Vec<TestId> = free.iter().copied().filter(|test| fits(session, *test, &words)).collect();
    FoundFacts {
        find: Some(find.to_owned()),
        facts: fitting.iter().take(FOUND).map(|test| fact(session, *test)).collect(),
        all: fitting.len(),
        free: free.len(),
    }
}

/// Answers of a form. `test` names a test, and a field after it is its answer: `number` a measured number, `value`
/// either `=` and the text of an answer, or `?` for "I don't know". Empty fields are no answers.
fn answers(pairs: &[(String, String)], volunteered: bool) -> Result<Vec<Answer>, Problem> {
    let mut answers: Vec<Answer> = Vec::new();
    let mut test = None;
    for (name, value) in pairs {
        let value = match (name.as_str(), value.as_str()) {
            ("test", name) => {
                test = Some(name.to_owned());
                continue;
            }
            (_, "") => continue,
            ("number", text) => Some(AnswerValue::Number(session::number(text)?)),
            ("value", "?") => None,
            ("value", text) => Some(AnswerValue::One(text.strip_prefix('=').unwrap_or(text).to_owned())),
            _ => continue,
        };
        // A number is more than the answer to one cut beside it.
        if let Some(test) = test.take() {
            answers.push(Answer { test, value, volunteered });
        }
    }
    if answers.len() > AT_ONCE {
        return Err(Problem::too_large(format!(
            "one form may give {AT_ONCE} answers; give some of them first"
        )));
    }
    Ok(answers)
}

/// Stores the facts that a form tells, and goes back to the page of the form.
pub(super) async fn tell(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(pairs): SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    let of = |name: &str| pairs.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    let answers = answers(&pairs, of("known").is_some())?;
    sessions::give_all(&app, &id, answers).await?;
    if let Some(find) = of("all") {
        return Ok(Redirect::to(&wording::link(&format!("/sessions/{id}/tests"), &[("find", find)])));
    }
    let asked = of("asked").unwrap_or_default();
    let given = sessions::answers_of(&app, &id).await?;
    if asked.is_empty() || given.iter().any(|answer| answer.test == asked) {
        return next_question(&app, &id).await;
    }
    // The question that was on the page is still asked, if its answer still tells something.
    let page = format!("/sessions/{id}/questions/{}", given.len() + 1);
    Ok(match asked.len() < 2000 {
        true => Redirect::to(&wording::link(&page, &[("test", asked), ("stay", "1")])),
        false => to_question(&id, given.len() + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_gives_several_answers_and_leaves_out_empty_fields() {
        let pairs = [
            ("test", "a"),
            ("value", ""),
            ("test", "b"),
            ("value", "==?"),
            ("test", "c"),
            ("value", "?"),
            ("test", "lab > 2"),
            ("number", "5,5"),
            ("value", "=yes"),
        ];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let found = answers(&pairs, true).unwrap();
        let said: Vec<(&str, Option<&AnswerValue>)> =
            found.iter().map(|answer| (answer.test.as_str(), answer.value.as_ref())).collect();
        let (one, number) = (AnswerValue::One("=?".to_owned()), AnswerValue::Number(5.5));
        assert_eq!(said, [("b", Some(&one)), ("c", None), ("lab > 2", Some(&number))]);
        assert!(found.iter().all(|answer| answer.volunteered));
        let wrong =
            [("test", "a"), ("number", "five")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(answers(&wrong, false).unwrap_err().status, 422);
    }
}
