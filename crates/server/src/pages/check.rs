//! Page that inspects a table.

use super::head::Head;
use super::reading::{self, NoticeLine, ReadingForm};
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::service::{reread::reread, tables};
use crate::spell;
use crate::state::App;
use crate::tables::LoadedTable;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use fewest::{Instance, Measure, TestId};
use fewest_formats::json::Number;
use fewest_formats::text::count;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Most tests that are listed before the rest is folded, and most that are listed at all.
const FIRST: usize = 24;
const TESTS: usize = 1000;
/// Most sets of objects or tests that are listed.
const SETS: usize = 50;

/// Part of the document of `fewest inspect` that the page shows.
#[derive(Deserialize)]
struct Inspection {
    instance: Entropy,
    tests: Vec<InspectedTest>,
    inseparable: Vec<Vec<String>>,
    useless: Vec<String>,
    redundant: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct Entropy {
    entropy_bits: Number,
}

#[derive(Deserialize)]
struct InspectedTest {
    name: String,
    answers: usize,
    cost: Number,
    information_bits: Number,
}

#[derive(Template)]
#[template(path = "check.html")]
struct Check<'a> {
    token: &'a str,
    head: Head,
    problem: Option<&'a Problem>,
    notices: Vec<NoticeLine>,
    form: ReadingForm,
    find: &'a str,
    found: usize,
    entropy: String,
    at_least: String,
    first: Vec<TestLine>,
    rest: Vec<TestLine>,
    unlisted: usize,
    inseparable: Vec<String>,
    sets: usize,
    useless: Vec<String>,
    redundant: Vec<String>,
}

struct TestLine {
    name: String,
    question: String,
    about: String,
    bits: String,
    bar: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Search {
    /// Words that the name or question of a listed test contains.
    find: String,
}

pub(super) async fn show(
    State(app): State<App>,
    Id(id): Id,
    Query(search): Query<Search>,
    token: FormToken,
) -> Result<Response, Problem> {
    page_of(&app, &id, token, &search.find, None).await
}

/// Reads the table in another way, or shows it as it is with the problem.
pub(super) async fn change(
    State(app): State<App>,
    Id(id): Id,
    token: FormToken,
    SafeForm(changes): SafeForm<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    match reread(&app, &id, &changes, spell::in_words).await {
        Ok(table) => Ok(Redirect::to(&format!("/tables/{table}")).into_response()),
        Err(problem) if problem.status == 404 => Err(problem),
        Err(problem) => page_of(&app, &id, token, "", Some(&problem)).await,
    }
}

async fn page_of(
    app: &App,
    id: &str,
    token: FormToken,
    find: &str,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let table = app.table(id).await?;
    let options = reading::options_of(app, id).await?;
    let document = tables::inspect(app, id).await?;
    let words = find.to_owned();
    let work = move |table: &LoadedTable| {
        let found: Inspection = serde_json::from_slice(&document)?;
        let lines = lines(&table.instance, &found, &words);
        Ok((found, lines))
    };
    let read: Result<_, serde_json::Error> = app.run_on(&table, work).await?;
    let (found, (mut first, all)) = read.map_err(|error| {
        tracing::error!(%error, "an inspection cannot be read");
        Problem::internal()
    })?;
    let listed = first.len();
    let rest = first.split_off(first.len().min(FIRST));
    let entropy = found.instance.entropy_bits.0;
    let most = found.tests.iter().map(|test| test.answers).max().unwrap_or(0);
    let html = page(&Check {
        token: token.text(),
        head: Head::new(&table, "check"),
        problem,
        notices: reading::notices(&table, &options),
        form: reading::form(&table, &options),
        find,
        found: all,
        entropy: wording::number(entropy, 2),
        // A question with `most` answers has at most log₂ `most` bits of information.
        at_least: wording::at_least(entropy / (most.max(2) as f64).log2(), 2),
        first,
        rest,
        unlisted: all - listed,
        inseparable: set_lines(&found.inseparable),
        sets: found.inseparable.len(),
        useless: found.useless,
        redundant: set_lines(&found.redundant),
    })?;
    let status = problem.map_or(StatusCode::OK, Problem::status_code);
    Ok((status, token, html).into_response())
}

/// Lines of the tests with all words of `find`, the most informative first, and the number of all such lines. The cuts
/// of a measured column are one line, which shows the best of them.
fn lines(instance: &Instance, found: &Inspection, find: &str) -> (Vec<TestLine>, usize) {
    let most = found.tests.iter().map(|test| test.information_bits.0).fold(0.0, f64::max);
    let mut tests: Vec<&InspectedTest> = found.tests.iter().collect();
    tests.sort_by(|left, right| right.information_bits.0.total_cmp(&left.information_bits.0));
    let tests_of: BTreeMap<&str, TestId> =
        instance.test_ids().map(|test| (instance.test(test).name.as_str(), test)).collect();
    let mut columns = BTreeMap::<&str, usize>::new();
    let mut lines = Vec::new();
    for test in tests {
        let known = tests_of.get(test.name.as_str()).map(|id| instance.test(*id));
        let measure = known.and_then(|known| known.measure.as_ref());
        if let Some(measure) = measure {
            let cuts = columns.entry(&measure.column).or_default();
            *cuts += 1;
            if *cuts > 1 {
                continue;
            }
        }
        lines.push((test, measure, known.and_then(|known| known.question.clone())));
    }
    let words = wording::words(find);
    let line = |(test, measure, question): (&InspectedTest, Option<&Measure>, Option<String>)| {
        let cuts = measure.map_or(1, |measure| columns[measure.column.as_str()]);
        let cost = match instance.has_unit_costs() {
            true => String::new(),
            false => format!(", cost {}", wording::number(test.cost.0, 2)),
        };
        let (name, question, about) = match measure {
            Some(measure) if cuts > 1 => {
                (measure.column.clone(), format!("best cut: {}", test.name), count(cuts, "cut"))
            }
            _ => (test.name.clone(), question.unwrap_or_default(), count(test.answers, "answer")),
        };
        TestLine {
            name,
            question,
            about: about + &cost,
            bits: wording::number(test.information_bits.0, 3),
            bar: wording::bar(if most > 0.0 { test.information_bits.0 / most } else { 0.0 }),
        }
    };
    let fits = |line: &TestLine| wording::has_words(&words, &[&line.name, &line.question]);
    let mut lines: Vec<TestLine> = lines.into_iter().map(line).filter(fits).collect();
    let all = lines.len();
    lines.truncate(TESTS);
    (lines, all)
}

fn set_lines(sets: &[Vec<String>]) -> Vec<String> {
    sets.iter().take(SETS).map(|set| set.join(", ")).collect()
}

/// Deletes the table with its strategies and sessions.
pub(super) async fn delete(
    State(app): State<App>,
    Id(id): Id,
    _form: SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    tables::delete(&app, &id).await?;
    Ok(Redirect::to("/"))
}
