//! Page for experts: all tests that can still be asked, the most useful first, to be searched and answered several at
//! once.

use super::facts::{self, Fact};
use super::head::Head;
use super::session::{self, Listed};
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::FormToken;
use crate::service::sessions;
use crate::state::App;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use fewest::TestId;
use fewest::session::{Choice, Snapshot, Step};
use fewest_formats::text::count;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Tests on one page.
const LISTED: usize = 50;
/// Most tests that are ranked: their figures take a pass over the table each.
const RANKED: usize = 2000;
/// Most groups or objects in the summary.
const BESIDE: usize = 4;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Search {
    /// Words that the name or question of a listed test contains.
    find: String,
    /// Number of the page, from 1.
    page: Option<usize>,
}

#[derive(Template)]
#[template(path = "all-tests.html")]
struct Page<'a> {
    token: &'a str,
    head: Head,
    id: &'a str,
    find: &'a str,
    newer: Option<String>,
    older: Option<String>,
    screen: Screen,
}

/// Contents of the page.
struct Screen {
    lines: Vec<Line>,
    /// Number of lines on all pages.
    all: usize,
    /// Number of the first line.
    first: usize,
    /// Whether there is nothing more to ask.
    is_done: bool,
    /// Number of tests that were not ranked.
    unranked: usize,
    groups: Listed,
    candidates: Listed,
    answers: usize,
}

/// Test that can be answered, with its use.
struct Line {
    fact: Fact,
    name: String,
    /// Question, or the best cut of a measured column.
    about: String,
    figures: String,
    bar: String,
    is_best: bool,
}

pub(super) async fn show(
    State(app): State<App>,
    Id(id): Id,
    Query(search): Query<Search>,
    token: FormToken,
) -> Result<Response, Problem> {
    let opened = sessions::open(&app, &id).await?;
    let (find, number) = (search.find.clone(), search.page.unwrap_or(1).clamp(1, 1_000_000));
    let screen = opened.look(&app, move |snapshot| Ok(screen(snapshot, &find, number))).await?;
    let link = |number: usize| {
        let place = format!("/sessions/{id}/tests");
        wording::link(&place, &[("find", &search.find), ("page", &number.to_string())])
    };
    let html = page(&Page {
        token: token.text(),
        head: Head::new(&opened.context.table, "ask"),
        id: &id,
        find: &search.find,
        newer: (number > 1).then(|| link(number - 1)),
        older: (screen.first + screen.lines.len() < screen.all).then(|| link(number + 1)),
        screen,
    })?;
    Ok((token, html).into_response())
}

fn screen(snapshot: &Snapshot<'_, '_>, find: &str, number: usize) -> Screen {
    let session = snapshot.session();
    let ranking = snapshot.ranking(RANKED);
    let figures: BTreeMap<TestId, &Choice> = ranking.iter().map(|choice| (choice.test, choice)).collect();
    // The ranked tests in order, then all others.
    let ranked = ranking.iter().map(|choice| choice.test);
    let others = session.instance().test_ids().filter(|test| !figures.contains_key(test));
    let free = facts::free(session, ranked.chain(others));
    let words = wording::words(find);
    let fitting: Vec<TestId> =
        free.iter().copied().filter(|test| facts::fits(session, *test, &words)).collect();
    let best = match snapshot.step() {
        Step::Ask(test) => Some(test),
        Step::Done(_) => None,
    };
    let most = ranking.iter().map(|choice| choice.gain_bits).fold(0.0, f64::max);
    let first = (number - 1).saturating_mul(LISTED).min(fitting.len());
    let line = |test: &TestId| line(snapshot, *test, figures.get(test).copied(), most, best);
    Screen {
        lines: fitting[first..].iter().take(LISTED).map(line).collect(),
        all: fitting.len(),
        first,
        is_done: best.is_none(),
        unranked: if best.is_none() {
            0
        } else {
            free.iter().filter(|test| !figures.contains_key(test)).count()
        },
        groups: session::groups(snapshot, BESIDE),
        candidates: session::candidates(snapshot, BESIDE, ""),
        answers: session::lines(session).len(),
    }
}

fn line(
    snapshot: &Snapshot<'_, '_>,
    test: TestId,
    choice: Option<&Choice>,
    most: f64,
    best: Option<TestId>,
) -> Line {
    let session = snapshot.session();
    let instance = session.instance();
    let fact = facts::fact(session, test);
    let is_cut =
        fact.column.is_some() && instance.test(test).measure.as_ref().is_some_and(|one| one.cuts.len() == 1);
    let (name, about) = match &fact.column {
        Some(column) if is_cut => (column.clone(), format!("best cut: {}", fact.name)),
        _ => (fact.name.clone(), instance.test(test).question.clone().unwrap_or_default()),
    };
    let figures = choice.map(|choice| {
        let cost = (!instance.has_unit_costs()).then(|| format!("cost {}", wording::number(choice.cost, 2)));
        let parts = [
            Some(wording::bits(choice.gain_bits)),
            Some(format!("score {}", wording::number(choice.score, 4))),
            cost,
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    let bits = choice.map_or(0.0, |choice| choice.gain_bits);
    Line {
        name,
        about,
        figures: figures.unwrap_or_else(|| format!("{}, not ranked", count(fact.answers.len(), "answer"))),
        bar: wording::bar(if most > 0.0 { bits / most } else { 0.0 }),
        is_best: best == Some(test),
        fact,
    }
}
