//! `fewest front`: the trade-off between expected and worst cost.

use super::{limit, short};
use crate::args::FrontArgs;
use crate::failure::Failure;
use crate::load::{load, refuse_several};
use crate::print::Printer;
use crate::progress::Clock;
use crate::wording;
use fewest::bound::{self, Bound, ObjectiveKind};
use fewest::front::{Front, Point, front};
use fewest::{Lambda, StopReason};
use fewest_formats::export::Report;
use fewest_formats::json::{BoundsPart, Document, InstancePart, Number, stop_word};
use fewest_formats::plot::{FrontPlot, PlotBound, PlotPoint, front_svg};
use serde::Serialize;

#[derive(Serialize)]
struct Line {
    expected: Number,
    worst: Number,
    by: &'static str,
    /// Lower bound on the expected cost of strategies of at most this worst cost.
    bound: Number,
    proved: bool,
}

pub(crate) fn run(args: &FrontArgs, printer: &Printer) -> Result<(), Failure> {
    let loaded = load(&args.table, &args.reading, printer)?;
    refuse_several(
        &loaded,
        "`fewest front`",
        "use --missing answer, or `fewest build` with each --objective",
    )?;
    let limit = limit(args.time, fewest::MEMORY);
    let front = {
        let _clock = Clock::start(printer.quiet, "front", Some(args.time));
        front(&loaded.instance, &limit)
    };
    if front.stop == StopReason::Interrupted {
        printer.warn("stopped on request: a point without a proof may not be the best of its worst cost");
    }
    if front.stop == StopReason::Time {
        printer.warn(
            "the time ended before every point was proved to be the best of its worst cost; --time 1m searches longer",
        );
    }
    let mut bounds = bound::all_within(&loaded.instance, Lambda::TWO, &limit);
    bounds.extend(&front.bounds);
    let part = InstancePart::new(&loaded.instance);
    let name = short(&loaded.name);
    let json = |out: &mut dyn std::io::Write| {
        let mut document = Document::begin(out)?;
        document.field("instance", &part)?;
        document.list("points", front.points.iter().map(line))?;
        document.field("best_bounds", &BoundsPart::new(&bounds))?;
        document.field("stop", stop_word(front.stop))?;
        document.end()
    };
    let mut report = Report { title: format!("{name}: expected against worst cost"), blocks: Vec::new() };
    report.words(format!("{name}: {}\n\n", wording::size(&part)));
    table(&front.points, &bounds, &mut report);
    printer.publish(report, json, Some(&|| draw(&name, &front, &bounds)))
}

fn line(point: &Point) -> Line {
    Line {
        expected: Number(point.costs.expected),
        worst: Number(point.costs.worst),
        by: point.by,
        bound: Number(point.bound),
        proved: point.proved,
    }
}

/// Table of strategies, with the distance of each from the best bound in either cost.
fn table(points: &[Point], bounds: &[Bound], report: &mut Report) {
    let [expected, worst] =
        [ObjectiveKind::Expected, ObjectiveKind::Worst].map(|kind| bound::best(bounds, kind));
    let above = |cost: f64, bound: Bound| match () {
        () if cost - bound.value <= 1e-12 * bound.value => "0 %".to_owned(),
        // No ratio is known where the bound is 0.
        () if bound.value <= 0.0 => "–".to_owned(),
        () => format!("{} %", wording::number(((cost / bound.value - 1.0) * 1000.0).ceil() / 10.0, 1)),
    };
    let row = |point: &Point| {
        vec![
            wording::number(point.costs.worst, 4),
            above(point.costs.worst, worst),
            wording::number(point.costs.expected, 4),
            above(point.costs.expected, expected),
            match point.proved {
                true => "proved".to_owned(),
                false => format!("{} at least", wording::at_least(point.bound, 4)),
            },
            point.tree.leaf_count().to_string(),
            point.by.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = points.iter().map(row).collect();
    let header = ["worst", "above best", "expected", "above best", "least of that worst", "leaves", "by"];
    report.table(&header, rows);
    report.words(format!(
        "\nBest possible: at least {} at worst ({}), at least {} on average ({}).\n",
        wording::at_least(worst.value, 4),
        worst.name,
        wording::at_least(expected.value, 4),
        expected.name,
    ));
}

fn draw(name: &str, front: &Front, bounds: &[Bound]) -> String {
    let points: Vec<PlotPoint<'_>> = front
        .points
        .iter()
        .map(|point| PlotPoint { expected: point.costs.expected, worst: point.costs.worst, by: point.by })
        .collect();
    let best = |kind| {
        let bound = bound::best(bounds, kind);
        PlotBound { value: bound.value, by: bound.name }
    };
    front_svg(&FrontPlot {
        title: name,
        points: &points,
        expected: best(ObjectiveKind::Expected),
        worst: best(ObjectiveKind::Worst),
    })
}
