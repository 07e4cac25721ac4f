//! Page of one question: the next one, or one that was answered and may be answered differently.
//!
//! Every question has an address, `/sessions/ID/questions/N`, so that the browser's back button leads to the question
//! before.

use super::ask::to_question;
use super::facts::{self, FoundFacts};
use super::head::Head;
use super::more::{self, MoreLine};
use super::session::{self, AnswerLine, Listed, RuledOut};
use super::{page, wording};
use crate::error::Problem;
use crate::guard::FormToken;
use crate::service::questions::{Alternative, PossibleAnswer, Rationale, rationale, test as find_test};
use crate::service::sessions;
use crate::state::App;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use fewest::session::{Session, Snapshot, Step};
use fewest::{AnswerId, Instance, TestId};
use fewest_formats::answers::{is_gap, natural_order, shown};
use fewest_formats::text::percent;
use serde::Deserialize;

/// Most candidates, groups and ruled-out objects beside a question.
const BESIDE: usize = 6;
/// Most answers that are all buttons.
const BUTTONS: usize = 24;
/// Number of answers that are buttons where there are more; the others are folded into a list.
const FIRST_BUTTONS: usize = 12;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Look {
    /// Test to ask instead of the best one.
    test: String,
    /// Whether `test` is asked only while it still tells something.
    stay: Option<String>,
    /// Whether the answer was known beforehand.
    known: Option<String>,
    /// Whether to show the reasons for the question.
    why: Option<String>,
    /// Words of a search among all tests.
    find: Option<String>,
}

#[derive(Template)]
#[template(path = "ask.html")]
struct Page<'a> {
    token: &'a str,
    head: Head,
    id: &'a str,
    rules: String,
    screen: Screen,
    more: Vec<MoreLine>,
}

/// Contents of a question's page.
struct Screen {
    /// Number of the question, as it is shown.
    number: usize,
    /// Number in the address.
    address: usize,
    /// Number in the address of the question before.
    back: Option<usize>,
    /// Number in the address of the question after the last answer.
    next: usize,
    given: usize,
    is_change: bool,
    is_known: bool,
    test: String,
    /// Test or column whose answer can be taken back.
    withdrawn: String,
    text: String,
    cost: String,
    spent: String,
    said: String,
    /// Measured column that the question is about.
    column: Option<String>,
    buttons: Buttons,
    why: Option<Why>,
    groups: Listed,
    candidates: Listed,
    ruled_out: Vec<RuledOut>,
    ruled_out_all: usize,
    lines: Vec<AnswerLine>,
    facts: FoundFacts,
}

/// Answers to choose from.
struct Buttons {
    shown: Vec<Button>,
    /// Answers that are folded into a list.
    folded: Vec<Button>,
    /// Words for the folded answers.
    fold: String,
    /// Answer for a value that was not recorded.
    gap: Option<Button>,
    /// Whether one of the folded answers was given.
    is_unfolded: bool,
}

struct Button {
    value: String,
    label: String,
    objects: usize,
    percent: String,
    is_said: bool,
}

/// Reasons for a question, in words.
struct Why {
    sentence: String,
    /// Likeliest answers with their probabilities.
    answers: Vec<(String, String)>,
    /// Number of the other answers.
    answers_left: usize,
    others: Vec<Other>,
}

struct Other {
    test: String,
    text: String,
    about: String,
}

pub(super) async fn show(
    State(app): State<App>,
    Path((id, number)): Path<(String, usize)>,
    Query(look): Query<Look>,
    token: FormToken,
) -> Result<Response, Problem> {
    let opened = sessions::open(&app, &id).await?;
    let given = opened.answers.len();
    if number == 0 || number > given + 1 {
        return Ok(to_question(&id, given + 1).into_response());
    }
    let Some(screen) = opened.look(&app, move |snapshot| screen(snapshot, number, &look)).await? else {
        return Ok(Redirect::to(&format!("/sessions/{id}/result")).into_response());
    };
    let head = Head::new(&opened.context.table, "ask");
    let rules = session::rules(&opened.info.options);
    let table = &opened.context.table;
    let more = more::of(&table.texts, &table.instance, &screen.test);
    let html = page(&Page { token: token.text(), head, id: &id, rules, screen, more })?;
    Ok((token, html).into_response())
}

/// Test that the page is about; `None` where there is nothing more to ask.
fn asked(snapshot: &Snapshot<'_, '_>, number: usize, look: &Look) -> Result<Option<TestId>, Problem> {
    let session = snapshot.session();
    if let Some(given) = session.answers().get(number - 1) {
        return Ok(Some(given.test));
    }
    if !look.test.is_empty() {
        let test = find_test(session.instance(), &look.test)?;
        if look.stay.is_none() || snapshot.splits(test).len() > 1 {
            return Ok(Some(test));
        }
    }
    Ok(match snapshot.step() {
        Step::Ask(test) => Some(test),
        Step::Done(_) => None,
    })
}

/// Contents of the page of question `number`; `None` where there is nothing more to ask.
fn screen(snapshot: &Snapshot<'_, '_>, number: usize, look: &Look) -> Result<Option<Screen>, Problem> {
    let (session, instance) = (snapshot.session(), snapshot.session().instance());
    let Some(test) = asked(snapshot, number, look)? else { return Ok(None) };
    let said = session.answers().iter().position(|given| given.test == test);
    let lines = session::lines(session);
    // The line that holds the answer, or the place after the last line.
    let at = said.and_then(|at| lines.iter().position(|line| line.answers.contains(&(at + 1))));
    let line = at.map(|at| &lines[at]);
    let before = at.unwrap_or(lines.len()).checked_sub(1);
    let (ruled_out, ruled_out_all, _) = session::ruled_out(snapshot, BESIDE, "");
    let wants_why = look.why.is_some() && said.is_none() && look.test.is_empty();
    let column = instance.test(test);
    Ok(Some(Screen {
        number: at.unwrap_or(lines.len()) + 1,
        address: number,
        back: before.map(|before| lines[before].first()),
        next: session.answers().len() + 1,
        given: lines.len(),
        is_change: said.is_some(),
        is_known: line.map_or(look.known.is_some(), |line| line.is_known),
        test: column.name.clone(),
        withdrawn: line.map_or(String::new(), |line| line.test.clone()),
        text: session::question(instance, test),
        cost: if instance.has_unit_costs() {
            String::new()
        } else {
            wording::number(snapshot.cost_of(test), 2)
        },
        spent: wording::number(session.cost(), 2),
        said: line.map_or(String::new(), |line| line.said.clone()),
        column: column.measure.as_ref().map(|measure| measure.column.clone()),
        buttons: buttons(snapshot, test, said)?,
        why: wants_why.then(|| why(&rationale(snapshot, BESIDE), instance)),
        groups: session::groups(snapshot, BESIDE),
        candidates: session::candidates(snapshot, BESIDE, ""),
        ruled_out,
        ruled_out_all,
        facts: facts::found(session, look.find.as_deref()),
        lines,
    }))
}

/// Answers to a test with the objects that each would leave, as if the test had not been answered.
fn buttons(snapshot: &Snapshot<'_, '_>, test: TestId, said: Option<usize>) -> Result<Buttons, Problem> {
    let session = snapshot.session();
    let Some(at) = said else { return Ok(buttons_of(snapshot, test, &[])) };
    let reply = session.answers()[at].reply.answers().to_vec();
    let mut without: Session<'_> = session.clone();
    without.remove(at).map_err(Problem::unfit)?;
    Ok(buttons_of(&without.snapshot(), test, &reply))
}

fn buttons_of(snapshot: &Snapshot<'_, '_>, test: TestId, reply: &[AnswerId]) -> Buttons {
    let instance = snapshot.session().instance();
    let column = instance.test(test);
    let splits = snapshot.splits(test);
    // Objects are counted as rows of the table, as on all pages.
    let mut objects = vec![0; column.arity()];
    for candidate in snapshot.candidates().iter().filter(|one| column.applies_to(one.object)) {
        let rows = session::rows_of(instance, candidate.object);
        for answer in column.possible(candidate.object).iter() {
            objects[answer.index()] += rows;
        }
    }
    let button = |answer: AnswerId| {
        let split = splits.iter().find(|split| split.answer == answer);
        let value = column.answer_text(answer);
        Button {
            value: value.to_owned(),
            label: shown(column, value).to_owned(),
            objects: objects[answer.index()],
            percent: percent(split.map_or(0.0, |split| split.probability)),
            is_said: reply.contains(&answer),
        }
    };
    let mut all: Vec<Button> = natural_order(column).into_iter().map(button).collect();
    let gap = all.iter().position(|button| is_gap(&button.value)).map(|at| all.remove(at));
    let (shown, folded) = fold(all);
    let is_unfolded = folded.iter().any(|button| button.is_said);
    Buttons { fold: fold_words(&folded), shown, folded, gap, is_unfolded }
}

/// Splits many answers into those with the most objects, which are shown, and the others. Both stay in order.
fn fold(all: Vec<Button>) -> (Vec<Button>, Vec<Button>) {
    if all.len() <= BUTTONS {
        return (all, Vec::new());
    }
    let mut counts: Vec<(usize, usize)> = all.iter().map(|button| button.objects).enumerate().collect();
    counts.sort_by_key(|(at, objects)| (std::cmp::Reverse(*objects), *at));
    let mut is_shown = vec![false; all.len()];
    counts.iter().take(FIRST_BUTTONS).for_each(|(at, _)| is_shown[*at] = true);
    let mut is_shown = is_shown.into_iter();
    all.into_iter().partition(|_| is_shown.next().unwrap_or(false))
}

/// Words for folded answers: "37 more answers, each one object".
fn fold_words(folded: &[Button]) -> String {
    let (least, most) = folded
        .iter()
        .fold((usize::MAX, 0), |(least, most), button| (least.min(button.objects), most.max(button.objects)));
    let each = match (least, most) {
        (1, 1) => ", each one object".to_owned(),
        (_, 0) => ", no object is left for them".to_owned(),
        (_, 1) => ", one object or none".to_owned(),
        (_, most) => format!(", at most {most} objects each"),
    };
    format!("{} more {}{each}", folded.len(), if folded.len() == 1 { "answer" } else { "answers" })
}

fn why(found: &Rationale, instance: &Instance) -> Why {
    let unit = instance.has_unit_costs();
    let mut parts = vec![match found.basis.as_deref() {
        Some("strategy") => "The plan asks this question here.".to_owned(),
        Some("first") => "This question was chosen to come first.".to_owned(),
        Some("confirmation") => "This question confirms the result of the other answers.".to_owned(),
        _ => "This question gives the most information for its cost.".to_owned(),
    }];
    if let Some(gain) = &found.why {
        parts.push(format!(
            "It gives {} of information. On average, its answer rules out {} of the possible results.",
            wording::bits(gain.gain_bits.value()),
            wording::number(gain.ruled_out.value(), 1)
        ));
        let left = gain.expected_cost_left.map(|cost| wording::amount(cost.value(), unit));
        parts.extend(left.map(|left| format!("On average, {left} to the end, with this question.")));
    }
    let test = found.test.as_deref().and_then(|name| instance.find_test(name));
    let answer = |answer: &PossibleAnswer| {
        let label = test.map_or(answer.value.as_str(), |test| shown(instance.test(test), &answer.value));
        (label.to_owned(), percent(answer.probability.value()))
    };
    let mut answers: Vec<&PossibleAnswer> = found.answers.iter().collect();
    answers.sort_by(|left, right| right.probability.value().total_cmp(&left.probability.value()));
    Why {
        sentence: parts.join(" "),
        answers: answers.iter().take(BESIDE).map(|one| answer(one)).collect(),
        answers_left: answers.len().saturating_sub(BESIDE),
        others: others(&found.alternatives, instance),
    }
}

/// Other questions, those about one measured column once.
fn others(alternatives: &[Alternative], instance: &Instance) -> Vec<Other> {
    let unit = instance.has_unit_costs();
    let mut columns: Vec<&str> = Vec::new();
    let mut is_new = |other: &&Alternative| {
        let test = instance.find_test(&other.test).map(|test| instance.test(test));
        let Some(measure) = test.and_then(|test| test.measure.as_ref()) else { return true };
        let is_new = !columns.contains(&measure.column.as_str());
        columns.push(&measure.column);
        is_new
    };
    let line = |other: &Alternative| Other {
        test: other.test.clone(),
        text: other.text.clone(),
        about: [
            Some(wording::bits(other.gain.gain_bits.value())),
            (!unit).then(|| format!("cost {}", wording::number(other.cost.value(), 2))),
            other
                .gain
                .expected_cost_left
                .map(|cost| format!("{} to the end on average", wording::amount(cost.value(), unit))),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", "),
    };
    alternatives.iter().filter(|other| is_new(other)).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn button(at: usize, objects: usize) -> Button {
        Button {
            value: at.to_string(),
            label: at.to_string(),
            objects,
            percent: String::new(),
            is_said: false,
        }
    }

    #[test]
    fn many_answers_fold_and_those_with_most_objects_stay_in_order() {
        let (shown, folded) = fold((0..BUTTONS).map(|at| button(at, 1)).collect());
        assert_eq!((shown.len(), folded.len()), (BUTTONS, 0));
        let (shown, folded) = fold((0..49).map(|at| button(at, if at % 5 == 3 { 7 } else { 1 })).collect());
        assert_eq!((shown.len(), folded.len()), (FIRST_BUTTONS, 37));
        let order: Vec<usize> = shown.iter().map(|button| button.value.parse().unwrap()).collect();
        assert_eq!(order, [0, 1, 3, 8, 13, 18, 23, 28, 33, 38, 43, 48]);
        assert_eq!(fold_words(&folded), "37 more answers, each one object");
        assert_eq!(fold_words(&[button(1, 0)]), "1 more answer, no object is left for them");
    }
}
