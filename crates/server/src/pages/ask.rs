//! Page of one question: the next one, or one that was answered and may be answered differently.
//!
//! Every question has an address, `/sessions/ID/questions/N`, so that the browser's back button leads to the question
//! before. A session is its answers, so changing one answer there keeps the later ones.

use super::head::Head;
use super::session::{self, AnswerLine, RuledOut, ShareLine};
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::jobs::JobKind;
use crate::service::jobs;
use crate::service::questions::{Answer, AskingOptions, Rationale, rationale, test as find_test};
use crate::service::sessions::{self, Begun, SessionRequest};
use crate::state::App;
use crate::word::Word;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use fewest::Named;
use fewest::session::Until;
use fewest::session::{Session, Snapshot, Step};
use fewest::{Instance, TestId};
use fewest_formats::text::percent;
use serde::Deserialize;

/// Most candidates, groups and ruled-out objects beside a question.
const BESIDE: usize = 6;
/// Most answers that are buttons; more become a list to choose from.
const BUTTONS: usize = 24;
/// Most tests that a form offers.
const TESTS: usize = 300;

#[derive(Template)]
#[template(path = "start.html")]
struct Start<'a> {
    token: &'a str,
    head: Head,
    has_groups: bool,
    strategies: Vec<(String, String)>,
    tests: Vec<String>,
}

/// Page where a session begins.
pub(super) async fn start(State(app): State<App>, Id(id): Id, token: FormToken) -> Result<Response, Problem> {
    let table = app.table(&id).await?;
    let instance = &table.instance;
    let mut strategies = Vec::new();
    for job in jobs::rows(&app, JobKind::Strategy, Some(&id), 10, 0).await? {
        // A strategy that cannot be read cannot be followed either.
        let Ok(job) = jobs::info(&app, job) else { continue };
        if let Some(result) = &job.result {
            let mean = wording::amount(result.expected.value(), instance.has_unit_costs());
            let worst = wording::number(result.worst.value(), 2);
            strategies.push((job.id, format!("{mean} on average, {worst} at worst")));
        }
    }
    let html = page(&Start {
        token: token.text(),
        head: Head::new(&table, "ask"),
        has_groups: matches!(instance.identify(), fewest::Identify::Groups),
        strategies,
        tests: instance.test_ids().take(TESTS).map(|test| instance.test(test).name.clone()).collect(),
    })?;
    Ok((token, html).into_response())
}

/// Begins a session, with the answers that the form contains.
pub(super) async fn create(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(pairs): SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    let answers = session::from_pairs(&pairs);
    let request = SessionRequest { table: Some(id), options: options(&pairs)?, answers };
    let (Begun::New(info, _) | Begun::Earlier(info)) = sessions::begin(&app, request, None).await?;
    Ok(Redirect::to(&format!("/sessions/{}", info.id)))
}

fn options(pairs: &[(String, String)]) -> Result<AskingOptions, Problem> {
    let text = |name: &str| {
        pairs
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.trim())
            .filter(|text| !text.is_empty())
    };
    let share = |name: &str, what: &str| {
        let read = |text: &str| {
            text.replace(',', ".").parse::<f64>().ok().filter(|share| (0.0..=100.0).contains(share))
        };
        text(name)
            .map(|text| {
                read(text).ok_or_else(|| Problem::unfit(format!("{what}: expected per cent, from 0 to 100")))
            })
            .transpose()
            .map(|share| share.map(|share| share / 100.0))
    };
    Ok(AskingOptions {
        strategy: text("strategy").map(str::to_owned),
        error_rate: share("errors", "wrong answers")?.filter(|rate| *rate > 0.0),
        certainty: share("certainty", "stop when sure")?.filter(|sure| *sure > 0.0),
        until: Word(text("until").and_then(Until::named).unwrap_or_default()),
        without: pairs.iter().filter(|(name, _)| name == "without").map(|(_, test)| test.clone()).collect(),
        ..AskingOptions::default()
    })
}

/// Redirects to the current question of a session.
pub(super) async fn resume(State(app): State<App>, Id(id): Id) -> Result<Redirect, Problem> {
    let answers = sessions::open(&app, &id).await?.answers.len();
    Ok(to_question(&id, answers + 1))
}

/// Redirects to the question after the last answer.
async fn next_question(app: &App, id: &str) -> Result<Redirect, Problem> {
    let answers = sessions::answers_of(app, id).await?.len();
    Ok(to_question(id, answers + 1))
}

fn to_question(id: &str, number: usize) -> Redirect {
    Redirect::to(&format!("/sessions/{id}/questions/{number}"))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Look {
    /// Test to ask instead of the best one.
    test: String,
    /// Whether the answer was known beforehand.
    known: Option<String>,
    /// Whether to show the reasons for the question.
    why: Option<String>,
}

#[derive(Template)]
#[template(path = "ask.html")]
struct Page<'a> {
    token: &'a str,
    head: Head,
    id: &'a str,
    rules: String,
    screen: Screen,
}

/// Contents of a question's page.
struct Screen {
    number: usize,
    given: usize,
    is_change: bool,
    is_known: bool,
    test: String,
    text: String,
    cost: String,
    spent: String,
    said: String,
    answers: Vec<Button>,
    is_list: bool,
    why: Option<Why>,
    groups: Vec<ShareLine>,
    groups_left: usize,
    candidates: Vec<ShareLine>,
    candidates_left: usize,
    ruled_out: Vec<RuledOut>,
    ruled_out_all: usize,
    lines: Vec<AnswerLine>,
    others: Vec<String>,
}

struct Button {
    value: String,
    objects: usize,
    percent: String,
    is_said: bool,
}

/// Reasons for a question, in words.
struct Why {
    sentence: String,
    answers: Vec<(String, String)>,
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
    let html = page(&Page { token: token.text(), head, id: &id, rules, screen })?;
    Ok((token, html).into_response())
}

/// Contents of the page of question `number`; `None` where there is nothing more to ask.
fn screen(snapshot: &Snapshot<'_, '_>, number: usize, look: &Look) -> Result<Option<Screen>, Problem> {
    let (session, instance) = (snapshot.session(), snapshot.session().instance());
    let before = session.answers().get(number - 1);
    let test = match (before, look.test.as_str()) {
        (Some(given), _) => given.test,
        (None, "") => match snapshot.step() {
            Step::Ask(test) => test,
            Step::Done(_) => return Ok(None),
        },
        (None, name) => find_test(instance, name)?,
    };
    let said = session.answers().iter().position(|given| given.test == test);
    let lines = session::lines(session);
    let said_text = said.map_or(String::new(), |at| lines[at].said.clone());
    let answers = buttons(snapshot, test, said)?;
    let (groups, groups_left) = session::groups(snapshot, BESIDE);
    let (candidates, candidates_left) = session::candidates(snapshot, BESIDE);
    let (ruled_out, ruled_out_all) = session::ruled_out(snapshot, BESIDE);
    let wants_why = look.why.is_some() && said.is_none() && look.test.is_empty();
    Ok(Some(Screen {
        number: said.map_or(number, |at| at + 1),
        given: lines.len(),
        is_change: said.is_some(),
        is_known: said.map_or(look.known.is_some(), |at| lines[at].is_known),
        test: instance.test(test).name.clone(),
        text: session::question(instance, test),
        cost: if instance.has_unit_costs() { String::new() } else { wording::number(instance.cost(test), 2) },
        spent: wording::number(session.cost(), 2),
        said: said_text,
        is_list: answers.len() > BUTTONS,
        answers,
        why: wants_why.then(|| why(&rationale(snapshot, BESIDE), instance)),
        groups,
        groups_left,
        candidates,
        candidates_left,
        ruled_out,
        ruled_out_all,
        others: others(session, test),
        lines,
    }))
}

/// Answers to a test with the objects that each would leave, as if the test had not been answered.
fn buttons(snapshot: &Snapshot<'_, '_>, test: TestId, said: Option<usize>) -> Result<Vec<Button>, Problem> {
    let session = snapshot.session();
    let splits = match said {
        None => snapshot.splits(test),
        Some(at) => {
            let mut without = session.clone();
            without.remove(at).map_err(Problem::unfit)?;
            without.splits(test)
        }
    };
    let reply = said.map(|at| &session.answers()[at].reply);
    let column = session.instance().test(test);
    let button = |(at, value): (usize, &str)| {
        let split = splits.iter().find(|split| split.answer.index() == at);
        Button {
            value: value.to_owned(),
            objects: split.map_or(0, |split| split.objects),
            percent: percent(split.map_or(0.0, |split| split.probability)),
            is_said: reply.is_some_and(|reply| reply.answers().iter().any(|answer| answer.index() == at)),
        }
    };
    Ok(column.answers.iter().enumerate().map(button).collect())
}

/// Tests that were not answered, except the one that is asked.
fn others(session: &Session<'_>, asked: TestId) -> Vec<String> {
    let is_free = |test: &TestId| *test != asked && session.answers().iter().all(|given| given.test != *test);
    let tests = session.instance().test_ids().filter(is_free);
    tests.take(TESTS).map(|test| session.instance().test(test).name.clone()).collect()
}

fn why(found: &Rationale, instance: &Instance) -> Why {
    let unit = instance.has_unit_costs();
    let left = |cost: Option<crate::json::JsonNumber>| {
        cost.map(|cost| format!("{} more on average", wording::amount(cost.value(), unit)))
    };
    let mut parts = vec![match found.basis.as_deref() {
        Some("strategy") => "The strategy asks it here.".to_owned(),
        Some("first") => "It was to be asked first.".to_owned(),
        Some("confirmation") => "It confirms what the other answers say.".to_owned(),
        _ => "For its cost, its answer tells most about what is to be found.".to_owned(),
    }];
    if let Some(gain) = &found.why {
        parts.push(format!(
            "It tells {} bits; on average its answer rules out {} of what is possible.",
            wording::number(gain.gain_bits.value(), 2),
            wording::number(gain.ruled_out.value(), 1)
        ));
        parts.extend(left(gain.expected_cost_left).map(|left| format!("From here on: {left}.")));
    }
    let answer = |answer: &crate::service::questions::PossibleAnswer| {
        (answer.value.clone(), format!("{}, leaves {}", percent(answer.probability.value()), answer.objects))
    };
    let other = |other: &crate::service::questions::Alternative| Other {
        test: other.test.clone(),
        text: other.text.clone(),
        about: [
            Some(format!("{} bits", wording::number(other.gain.gain_bits.value(), 2))),
            (!unit).then(|| format!("cost {}", wording::number(other.cost.value(), 2))),
            left(other.gain.expected_cost_left),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", "),
    };
    Why {
        sentence: parts.join(" "),
        answers: found.answers.iter().map(answer).collect(),
        others: found.alternatives.iter().map(other).collect(),
    }
}

/// Stores an answer, or replaces one.
pub(super) async fn answer(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(pairs): SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    let has = |name: &str| pairs.iter().any(|(found, _)| found == name);
    let (is_unknown, volunteered) = (has("unknown"), has("known"));
    let test = pairs.iter().find(|(name, _)| name == "test").map(|(_, test)| test.clone());
    let test = test.ok_or_else(|| Problem::bad_request("the form names no test"))?;
    let values = pairs.iter().filter(|(name, _)| name == "value").map(|(_, value)| value.clone());
    let values: Vec<String> = values.collect();
    if values.is_empty() && !is_unknown {
        return Err(Problem::bad_request(
            "choose an answer, or say that you don’t know; go back and try again",
        ));
    }
    let value = if is_unknown { None } else { session::value(values) };
    sessions::give(&app, &id, Answer { test, value, volunteered }).await?;
    next_question(&app, &id).await
}

/// Withdraws an answer.
pub(super) async fn withdraw(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(pairs): SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    let test = pairs.into_iter().find(|(name, _)| name == "test").map(|(_, test)| test);
    sessions::withdraw(&app, &id, test.unwrap_or_default()).await?;
    next_question(&app, &id).await
}
