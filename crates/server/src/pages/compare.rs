//! Pages that compare all algorithms, and show the front between the best expected and the best worst cost.

use super::build::milliseconds;
use super::head::Head;
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::jobs::{JobKind, SurveyRequest, Work};
use crate::json::JsonNumber;
use crate::service::jobs::{self, JobInfo};
use crate::state::App;
use crate::tables::LoadedTable;
use crate::word::Word;
use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fewest_formats::json::{BoundPart, CostPart, Number};
use fewest_formats::plot::{FrontPlot, PlotBound, PlotPoint, front_svg};
use fewest_formats::text::percent;
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct ComparisonForm {
    kind: String,
    #[serde(default)]
    seconds: String,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct Form<'a> {
    token: &'a str,
    head: Head,
    longest: u64,
    earlier: Vec<Earlier>,
}

struct Earlier {
    place: String,
    name: &'static str,
    when: String,
}

pub(super) async fn form(State(app): State<App>, Id(id): Id, token: FormToken) -> Result<Response, Problem> {
    let table = app.table(&id).await?;
    let mut earlier = Vec::new();
    for (kind, place, name) in [
        (JobKind::Comparison, "comparisons", "Comparison"),
        (JobKind::Front, "fronts", "Average or worst case"),
    ] {
        for job in jobs::rows(&app, kind, Some(&id), 3, 0).await? {
            let when = wording::moment(&crate::time::rfc3339(job.created));
            earlier.push(Earlier { place: format!("/{place}/{}", job.id), name, when });
        }
    }
    let (head, longest) = (Head::new(&table, "compare"), app.limits().build.as_secs());
    let html = page(&Form { token: token.text(), head, longest, earlier })?;
    Ok((token, html).into_response())
}

pub(super) async fn begin(
    State(app): State<App>,
    Id(id): Id,
    SafeForm(form): SafeForm<ComparisonForm>,
) -> Result<Redirect, Problem> {
    let request = SurveyRequest {
        table: id.clone(),
        objective: Word::default(),
        lambda: JsonNumber::from(2.0),
        time_ms: milliseconds(&form.seconds)?,
    };
    let (work, place) = match form.kind.as_str() {
        "front" => (Work::front(&request, app.limits())?, "fronts"),
        _ => (Work::comparison(&request, app.limits())?, "comparisons"),
    };
    let job = jobs::submit(&app, &id, work).await?;
    Ok(Redirect::to(&format!("/{place}/{}", job.id)))
}

/// Page of a job that is not over, or has no result.
#[derive(Template)]
#[template(path = "waiting.html")]
struct Waiting<'a> {
    head: Head,
    title: &'static str,
    place: &'static str,
    job: &'a JobInfo,
    is_live: bool,
}

/// Returns the document of a job, or the page to wait on.
async fn document<T: for<'de> Deserialize<'de>>(
    app: &App,
    id: &str,
    kind: JobKind,
    place: &'static str,
    title: &'static str,
) -> Result<Result<(std::sync::Arc<LoadedTable>, T), Response>, Problem> {
    let job = jobs::find(app, id, kind).await?;
    let table = app.table(&job.table).await?;
    let is_live = !job.state.is_over();
    if let Some(text) = jobs::document(app, id, kind).await? {
        let read = serde_json::from_str(&text).map_err(|error| {
            tracing::error!(%error, "a document cannot be read");
            Problem::internal()
        })?;
        return Ok(Ok((table, read)));
    }
    let job = jobs::info(app, job)?;
    let html = page(&Waiting { head: Head::new(&table, "compare"), title, place, job: &job, is_live })?;
    Ok(Err(html.into_response()))
}

#[derive(Deserialize)]
struct Comparison {
    bounds: Bounds,
    rows: Vec<Compared>,
}

#[derive(Deserialize)]
struct Bounds {
    expected: BoundPart,
    worst: BoundPart,
    exponential: BoundPart,
}

#[derive(Deserialize)]
struct Compared {
    algorithm: String,
    cost: CostPart,
    leaves: usize,
    depth: usize,
}

#[derive(Template)]
#[template(path = "comparison.html")]
struct ComparisonPage {
    head: Head,
    unit: &'static str,
    rows: Vec<AlgorithmLine>,
    expected: String,
    worst: String,
    exponential: String,
}

struct AlgorithmLine {
    algorithm: String,
    summary: &'static str,
    expected: String,
    worst: String,
    exponential: String,
    above: String,
    bar: String,
    is_best: bool,
    leaves: usize,
    depth: usize,
}

pub(super) async fn comparison(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    let found =
        document(&app, &id, JobKind::Comparison, "comparisons", "Comparison of the algorithms").await?;
    let (table, found): (_, Comparison) = match found {
        Ok(found) => found,
        Err(waiting) => return Ok(waiting),
    };
    let value = |row: &Compared| row.cost.expected.0;
    let least = found.rows.iter().map(value).fold(f64::INFINITY, f64::min);
    let most = found.rows.iter().map(value).fold(0.0, f64::max);
    let bound = found.bounds.expected.value.0;
    let line = |row: &Compared| AlgorithmLine {
        summary: fewest::find_algorithm(&row.algorithm).map_or("", |known| known.summary),
        algorithm: row.algorithm.clone(),
        expected: wording::number(value(row), 4),
        worst: wording::number(row.cost.worst.0, 4),
        exponential: wording::number(row.cost.exponential.value.0, 4),
        above: if bound > 0.0 { percent((value(row) / bound - 1.0).max(0.0)) } else { "–".to_owned() },
        bar: wording::bar(if most > 0.0 { value(row) / most } else { 0.0 }),
        is_best: value(row) <= least * (1.0 + 1e-9),
        leaves: row.leaves,
        depth: row.depth,
    };
    let mut rows: Vec<AlgorithmLine> = found.rows.iter().map(line).collect();
    rows.sort_by_key(|row| !row.is_best);
    let html = page(&ComparisonPage {
        head: Head::new(&table, "compare"),
        unit: if table.instance.has_unit_costs() { "Questions" } else { "Cost" },
        rows,
        expected: bound_text(&found.bounds.expected),
        worst: bound_text(&found.bounds.worst),
        exponential: bound_text(&found.bounds.exponential),
    })?;
    Ok(html.into_response())
}

fn bound_text(bound: &BoundPart) -> String {
    format!("{} ({})", wording::at_least(bound.value.0, 4), bound.by)
}

#[derive(Deserialize)]
struct Front {
    points: Vec<Point>,
    best_bounds: Bounds,
    stop: String,
}

#[derive(Deserialize)]
struct Point {
    expected: Number,
    worst: Number,
    by: String,
}

#[derive(Template)]
#[template(path = "front.html")]
struct FrontPage {
    head: Head,
    plot: String,
    rows: Vec<FrontLine>,
    expected: String,
    worst: String,
    is_cut_short: bool,
}

struct FrontLine {
    expected: String,
    worst: String,
    by: String,
    build: String,
}

pub(super) async fn front(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    let found = document(&app, &id, JobKind::Front, "fronts", "Search for the best strategies").await?;
    let (table, found): (_, Front) = match found {
        Ok(found) => found,
        Err(waiting) => return Ok(waiting),
    };
    let points: Vec<PlotPoint<'_>> = found.points.iter().map(place).collect();
    let svg = front_svg(&FrontPlot {
        title: &table.name,
        points: &points,
        expected: bound(&found.best_bounds.expected),
        worst: bound(&found.best_bounds.worst),
    });
    let line = |point: &Point| FrontLine {
        expected: wording::number(point.expected.0, 4),
        worst: wording::number(point.worst.0, 4),
        by: point.by.clone(),
        build: wording::link(
            &format!("/tables/{}/build", table.id),
            &[("max_worst", &point.worst.0.to_string())],
        ),
    };
    let html = page(&FrontPage {
        head: Head::new(&table, "compare"),
        plot: without_style(&svg),
        rows: found.points.iter().map(line).collect(),
        expected: bound_text(&found.best_bounds.expected),
        worst: bound_text(&found.best_bounds.worst),
        is_cut_short: found.stop == "time",
    })?;
    Ok(html.into_response())
}

fn place(Point { expected, worst, by }: &Point) -> PlotPoint<'_> {
    PlotPoint { expected: expected.0, worst: worst.0, by }
}

fn bound(BoundPart { value, by }: &BoundPart) -> PlotBound<'_> {
    PlotBound { value: value.0, by }
}

/// Removes the style of a picture: the page has the same rules, and its policy allows no other.
fn without_style(svg: &str) -> String {
    match (svg.find("<style>"), svg.find("</style>")) {
        (Some(from), Some(to)) => [&svg[..from], &svg[to + "</style>".len()..]].concat(),
        _ => svg.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_in_a_page_has_no_style_and_escapes_names() {
        let bound = PlotBound { value: 1.0, by: "shannon" };
        let points = [PlotPoint { expected: 2.0, worst: 3.0, by: "gbs" }];
        let title = "</svg><script>alert(1)</script>";
        let svg =
            without_style(&front_svg(&FrontPlot { title, points: &points, expected: bound, worst: bound }));
        assert!(!svg.contains("<style") && !svg.contains("<script") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("class=\"front\""));
    }
}
