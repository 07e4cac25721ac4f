//! Page that inspects a table.

use super::head::Head;
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::service::tables;
use crate::state::App;
use crate::tables::LoadedTable;
use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fewest_formats::json::Number;
use fewest_formats::text::count;
use serde::Deserialize;

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
    warnings: &'a [String],
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

pub(super) async fn show(State(app): State<App>, Id(id): Id, token: FormToken) -> Result<Response, Problem> {
    let table = app.table(&id).await?;
    let document = tables::inspect(&app, &id).await?;
    let work = move |table: &LoadedTable| {
        let found: Inspection = serde_json::from_slice(&document)?;
        let lines = lines(&table.instance, &found);
        Ok((found, lines))
    };
    let read: Result<_, serde_json::Error> = app.run_on(&table, work).await?;
    let (found, mut first) = read.map_err(|error| {
        tracing::error!(%error, "an inspection cannot be read");
        Problem::internal()
    })?;
    let rest = first.split_off(first.len().min(FIRST));
    let entropy = found.instance.entropy_bits.0;
    let most = found.tests.iter().map(|test| test.answers).max().unwrap_or(0);
    let html = page(&Check {
        token: token.text(),
        head: Head::new(&table, "check"),
        warnings: &table.warnings,
        entropy: wording::number(entropy, 2),
        // A question with `most` answers has at most log₂ `most` bits of information.
        at_least: wording::at_least(entropy / (most.max(2) as f64).log2(), 2),
        first,
        rest,
        unlisted: found.tests.len().saturating_sub(TESTS),
        inseparable: set_lines(&found.inseparable),
        sets: found.inseparable.len(),
        useless: found.useless,
        redundant: set_lines(&found.redundant),
    })?;
    Ok((token, html).into_response())
}

/// Lines of the tests, the most informative first.
fn lines(instance: &fewest::Instance, found: &Inspection) -> Vec<TestLine> {
    let most = found.tests.iter().map(|test| test.information_bits.0).fold(0.0, f64::max);
    let mut tests: Vec<&InspectedTest> = found.tests.iter().collect();
    tests.sort_by(|left, right| right.information_bits.0.total_cmp(&left.information_bits.0));
    let line = |test: &&InspectedTest| {
        let question = instance.find_test(&test.name).and_then(|test| instance.test(test).question.clone());
        let cost = match instance.has_unit_costs() {
            true => String::new(),
            false => format!(", cost {}", wording::number(test.cost.0, 2)),
        };
        TestLine {
            name: test.name.clone(),
            question: question.unwrap_or_default(),
            about: format!("{}{cost}", count(test.answers, "answer")),
            bits: wording::number(test.information_bits.0, 3),
            bar: wording::bar(if most > 0.0 { test.information_bits.0 / most } else { 0.0 }),
        }
    };
    tests.iter().take(TESTS).map(line).collect()
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
