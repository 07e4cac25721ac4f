//! Pages of a strategy: the request, the progress of the search, and the result.

use super::head::Head;
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::jobs::{JobKind, StrategyRequest, StrategySummary, Work};
use crate::json::JsonNumber;
use crate::service::jobs::{self, JobInfo};
use crate::state::App;
use crate::store::Job;
use crate::tables::LoadedTable;
use crate::word::Word;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use fewest::{Named, ObjectiveKind};
use fewest_formats::text::percent;
use serde::Deserialize;

/// Most strategies that are listed.
const RECENT: i64 = 10;

/// Request of a strategy as a form sends it.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub(super) struct StrategyForm {
    objective: String,
    lambda: String,
    seconds: String,
    algorithm: String,
    max_worst: String,
}

impl Default for StrategyForm {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            objective: text("expected"),
            lambda: text("2"),
            seconds: text("5"),
            algorithm: text("auto"),
            max_worst: String::new(),
        }
    }
}

impl StrategyForm {
    fn request(&self, table: &str) -> Result<StrategyRequest, Problem> {
        Ok(StrategyRequest {
            table: table.to_owned(),
            objective: Word(ObjectiveKind::named(&self.objective).unwrap_or_default()),
            lambda: figure("λ", &self.lambda)?.unwrap_or(JsonNumber::from(2.0)),
            algorithm: self.algorithm.clone(),
            cost_blind: false,
            time_ms: milliseconds(&self.seconds)?,
            max_worst: figure("the cost in the worst case", &self.max_worst)?,
        })
    }
}

/// Parses a number of a form; `None` if the field is empty.
fn figure(what: &str, text: &str) -> Result<Option<JsonNumber>, Problem> {
    let text = text.trim().replace(',', ".");
    if text.is_empty() {
        return Ok(None);
    }
    let text = if text == "∞" { "inf" } else { &text };
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    let number = number.ok_or_else(|| {
        Problem::unfit(format!("{what}: `{}` is not a number", crate::service::questions::cut(text)))
    })?;
    Ok(Some(JsonNumber::from(number)))
}

/// Parses seconds of a form.
pub(super) fn milliseconds(seconds: &str) -> Result<u64, Problem> {
    let seconds = figure("the time", seconds)?.map_or(5.0, JsonNumber::value);
    if (0.0..1e9).contains(&seconds) {
        Ok((seconds * 1e3) as u64)
    } else {
        Err(Problem::unfit("the time: give the seconds to search, such as 5"))
    }
}

#[derive(Template)]
#[template(path = "build.html")]
struct Form<'a> {
    token: &'a str,
    head: Head,
    problem: Option<&'a Problem>,
    wish: &'a StrategyForm,
    algorithms: Vec<fewest::Algorithm>,
    longest: u64,
    built: Vec<Built>,
}

struct Built {
    id: String,
    title: String,
    figures: String,
    when: String,
}

pub(super) async fn form(
    State(app): State<App>,
    Id(id): Id,
    Query(wish): Query<StrategyForm>,
    token: FormToken,
) -> Result<Response, Problem> {
    let table = app.table(&id).await?;
    respond(&app, &table, &wish, token, None).await
}

async fn respond(
    app: &App,
    table: &LoadedTable,
    wish: &StrategyForm,
    token: FormToken,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let html = page(&Form {
        token: token.text(),
        head: Head::new(table, "build"),
        problem,
        wish,
        algorithms: fewest::algorithms().into_iter().chain(fewest::find_algorithm("optimal")).collect(),
        longest: app.limits().build.as_secs(),
        built: built(app, table).await?,
    })?;
    let status = problem.map_or(StatusCode::OK, Problem::status_code);
    Ok((status, token, html).into_response())
}

async fn built(app: &App, table: &LoadedTable) -> Result<Vec<Built>, Problem> {
    let jobs = jobs::rows(app, JobKind::Strategy, Some(&table.id), RECENT, 0).await?;
    let unit = table.instance.has_unit_costs();
    let line = |job: Job| {
        let id = job.id.clone();
        let Ok(job) = jobs::info(app, job) else {
            let (title, figures) = ("Strategy".to_owned(), "cannot be read".to_owned());
            return Built { title, figures, when: String::new(), id };
        };
        let figures = match &job.result {
            Some(result) => format!(
                "{} on average, {} in the worst case",
                wording::amount(result.expected.value(), unit),
                wording::number(result.worst.value(), 2)
            ),
            None => job.standing.state.clone(),
        };
        Built { title: aim(&job), figures, when: wording::moment(&job.created), id: job.id }
    };
    Ok(jobs.into_iter().map(line).collect())
}

/// Goal of a strategy, in words.
fn aim(job: &JobInfo) -> String {
    let request: Option<StrategyRequest> = serde_json::from_value(job.request.clone()).ok();
    let Some(request) = request else { return "Strategy".to_owned() };
    let aim = match request.objective.0 {
        ObjectiveKind::Expected => "Least cost on average".to_owned(),
        ObjectiveKind::Worst => "Least cost in the worst case".to_owned(),
        ObjectiveKind::Exponential => {
            format!("Few long cases, λ = {}", wording::number(request.lambda.value(), 4))
        }
    };
    let cap = request.max_worst.map_or(String::new(), |cap| {
        format!(", at most {} in the worst case", wording::number(cap.value(), 4))
    });
    let by = if request.algorithm == "auto" { String::new() } else { format!(", by {}", request.algorithm) };
    aim + &cap + &by
}

pub(super) async fn build(
    State(app): State<App>,
    Id(id): Id,
    token: FormToken,
    SafeForm(wish): SafeForm<StrategyForm>,
) -> Result<Response, Problem> {
    let table = app.table(&id).await?;
    let work = wish.request(&id).and_then(|request| Work::strategy(&request, app.limits()));
    match work {
        Ok(work) => {
            let job = jobs::submit(&app, &id, work).await?;
            Ok(Redirect::to(&format!("/strategies/{}", job.id)).into_response())
        }
        Err(problem) => respond(&app, &table, &wish, token, Some(&problem)).await,
    }
}

#[derive(Template)]
#[template(path = "strategy.html")]
struct Page<'a> {
    token: &'a str,
    head: Head,
    job: &'a JobInfo,
    aim: String,
    is_live: bool,
    value: String,
    bound: String,
    gap: String,
    bar: String,
    verdict: String,
    rows: Vec<Cost>,
}

struct Cost {
    name: String,
    value: String,
}

pub(super) async fn show(State(app): State<App>, Id(id): Id, token: FormToken) -> Result<Response, Problem> {
    let job = jobs::find(&app, &id, JobKind::Strategy).await?;
    let table = app.table(&job.table).await?;
    let job = jobs::info(&app, job)?;
    let standing = &job.standing;
    let text = |figure: Option<JsonNumber>| {
        figure.map_or("–".to_owned(), |value| wording::number(value.value(), 4))
    };
    let share = match (standing.value, standing.bound) {
        (Some(value), Some(bound)) if value.value() > 0.0 => bound.value() / value.value(),
        (Some(_), Some(_)) => 1.0,
        _ => 0.0,
    };
    let html = page(&Page {
        token: token.text(),
        head: Head::new(&table, "build"),
        aim: aim(&job),
        is_live: matches!(standing.state.as_str(), "queued" | "running"),
        value: text(standing.value),
        bound: standing.bound.map_or("–".to_owned(), |bound| wording::at_least(bound.value(), 4)),
        gap: standing.gap.map_or("–".to_owned(), |gap| percent(gap.value())),
        bar: wording::bar(share),
        verdict: job.result.as_ref().map_or(String::new(), |result| verdict(result, &table)),
        rows: job.result.as_ref().map_or_else(Vec::new, |result| costs(result, &job)),
        job: &job,
    })?;
    Ok((token, html).into_response())
}

/// Costs of a strategy and their distance from the bound, in one sentence.
fn verdict(result: &StrategySummary, table: &LoadedTable) -> String {
    let unit = table.instance.has_unit_costs();
    let mean = wording::amount(result.expected.value(), unit);
    let worst = wording::number(result.worst.value(), 2);
    let how = match result.optimal {
        true => "No strategy can be better: this is proved.".to_owned(),
        false => format!("Its cost is at most {} above the best possible.", percent(result.gap.value())),
    };
    format!("{} on average, {worst} in the worst case. {how}", capital(&mean))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn time(ms: f64) -> String {
    if ms < 1000.0 {
        format!("{} ms", wording::number(ms, 0))
    } else {
        format!("{} s", wording::number(ms / 1e3, 1))
    }
}

fn costs(result: &StrategySummary, job: &JobInfo) -> Vec<Cost> {
    let lambda = job.request.get("lambda").and_then(|lambda| lambda.as_f64());
    let lambda = lambda.map_or("∞".to_owned(), |lambda| wording::number(lambda, 4));
    let row = |name: String, value: String| Cost { name, value };
    vec![
        row("Cost on average".to_owned(), wording::number(result.expected.value(), 4)),
        row("Cost in the worst case".to_owned(), wording::number(result.worst.value(), 4)),
        row(format!("Exponential cost, λ = {lambda}"), wording::number(result.exponential.value(), 4)),
        row(
            "Best possible: at least".to_owned(),
            format!("{} ({})", wording::at_least(result.lower_bound.value(), 4), result.bound_by),
        ),
        row("Found by".to_owned(), result.algorithm.clone()),
        row(
            "Leaves, questions on the longest path".to_owned(),
            format!("{}, {}", result.leaves, result.depth),
        ),
        row("Time".to_owned(), time(result.elapsed_ms.value())),
    ]
}

/// Ends a search with the best strategy it has.
pub(super) async fn stop(
    State(app): State<App>,
    Id(id): Id,
    _form: SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    jobs::stop(&app, &id, JobKind::Strategy).await?;
    Ok(Redirect::to(&format!("/strategies/{id}")))
}
