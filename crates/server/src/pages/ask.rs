//! Start of a session, and the changes of its answers.
//!
//! A session is its answers, so changing one answer keeps the later ones.

use super::head::Head;
use super::{page, session, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::jobs::JobKind;
use crate::service::jobs;
use crate::service::questions::{Answer, AnswerValue, AskingOptions};
use crate::service::quick_plan::quick_plan;
use crate::service::sessions::{self, Begun, SessionRequest};
use crate::state::App;
use crate::word::Word;
use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fewest::Named;
use fewest::session::Until;

/// Most tests that the start page lists.
const TESTS: usize = 300;
/// Value of the field `strategy` for questions that are chosen one by one.
const NO_PLAN: &str = "none";

#[derive(Template)]
#[template(path = "start.html")]
struct Start<'a> {
    token: &'a str,
    head: Head,
    has_groups: bool,
    strategies: Vec<(String, String)>,
    tests: Vec<String>,
    /// Number of tests that are not listed.
    unlisted: usize,
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
            strategies.push((job.id, format!("{mean} on average, {worst} in the worst case")));
        }
    }
    let html = page(&Start {
        token: token.text(),
        head: Head::new(&table, "ask"),
        has_groups: matches!(instance.identify(), fewest::Identify::Groups),
        strategies,
        tests: instance.test_ids().take(TESTS).map(|test| instance.test(test).name.clone()).collect(),
        unlisted: instance.test_count().saturating_sub(TESTS),
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
    let mut options = options(&pairs)?;
    let is_open =
        options.strategy.is_none() && options.error_rate.is_none() && options.until == Word::default();
    if options.strategy.as_deref() == Some(NO_PLAN) {
        options.strategy = None;
    } else if is_open {
        // As in the terminal: a short search makes the first question as good as those after it.
        options.strategy = quick_plan(&app, &id).await?;
    }
    let request = SessionRequest { table: Some(id), options, answers };
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
pub(super) async fn next_question(app: &App, id: &str) -> Result<Redirect, Problem> {
    let answers = sessions::answers_of(app, id).await?.len();
    Ok(to_question(id, answers + 1))
}

pub(super) fn to_question(id: &str, number: usize) -> Redirect {
    Redirect::to(&format!("/sessions/{id}/questions/{number}"))
}

/// Stores an answer, or replaces one.
pub(super) async fn answer(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(pairs): SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    let of = |name: &str| pairs.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone());
    let test = of("test").ok_or_else(|| Problem::bad_request("the form names no test"))?;
    let values = pairs.iter().filter(|(name, _)| name == "value").map(|(_, value)| value.clone());
    let value = match (of("unknown"), of("number")) {
        (Some(_), _) => None,
        (None, Some(number)) => Some(AnswerValue::Number(session::number(&number)?)),
        (None, None) => match session::value(values.collect()) {
            None => {
                return Err(Problem::bad_request(
                    "no answer was chosen; go back and choose an answer, or “I don’t know”",
                ));
            }
            value => value,
        },
    };
    let volunteered = of("known").is_some();
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
