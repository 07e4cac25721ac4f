//! `fewest simulate`: simulated sessions of strategies against objects.

use super::ask::{Planned, rules};
use super::{read_strategy, short};
use crate::args::{AlgorithmArg, SimulateArgs, TableArgs, UntilArg};
use crate::failure::{Failure, printable};
use crate::load::{Loaded, load};
use crate::print::Printer;
use crate::wording::{self, number};
use fewest::session::simulate::{Match, Play, PlaySummary};
use fewest::session::{Errors, Plan, SessionRules, Until};
use fewest::{GroupId, Identify, Instance, Limit, ObjectId, StopReason};
use fewest_formats::export::{Block, Report};
use fewest_formats::json::{Document, InstancePart, Number, stop_word};
use fewest_formats::plot::{Bar, bars_svg};
use serde::Serialize;
use std::sync::atomic::Ordering;

/// Default number of sessions where answers are random: a standard error of at most 1.6 points of accuracy.
const USUAL_RUNS: u32 = 1000;
/// Largest number of lines of the histogram.
const LINES: usize = 12;
/// Groups or objects listed before the rest is left out.
const LISTED: usize = 8;

pub(crate) fn run(args: &SimulateArgs, printer: &Printer) -> Result<(), Failure> {
    let mut reading = TableArgs { without: None, ..args.reading.clone() };
    if reading.identify.is_none() && args.session.until == Some(UntilArg::Group) {
        reading.identify = Some(Identify::Groups);
    }
    let saved = args.strategy.as_deref().map(|path| read_strategy(path, printer)).transpose()?;
    if let Some(saved) = &saved {
        reading = crate::load::as_before(&reading, &saved.reading)?;
    }
    let loaded = load(&args.table, &reading, printer)?;
    let instance = &loaded.instance;
    let aware = rules(&args.session, args.reading.without.as_deref(), instance)?;
    if matches!(aware.errors, Errors::Rates(_)) {
        return Err(Failure::wrong("--noise: one rate for all tests, such as 0.1, can be played"));
    }
    let rules =
        if args.unaware { SessionRules { errors: Errors::None, ..aware.clone() } } else { aware.clone() };
    let mut rows = Vec::new();
    if let (Some(saved), Some(path)) = (&saved, &args.strategy) {
        rows.push(Planned::saved(saved, instance, path, &args.session)?);
    }
    let choices = if args.algorithm.is_empty() && saved.is_none() {
        vec![AlgorithmArg::Auto]
    } else {
        args.algorithm.clone()
    };
    rows.extend(
        choices.iter().map(|choice| Planned::new(*choice, args.time, &args.session, &rules, instance)),
    );
    let mut played = Vec::new();
    for planned in &rows {
        let plays = play(args, planned, &rules, &aware, instance, printer.seed).map_err(Failure::wrong)?;
        played.push(Row { name: planned.name.clone(), tally: PlaySummary::of(&plays), plays });
    }
    let stop = match crate::interrupt::flag().load(Ordering::Relaxed) {
        true => StopReason::Interrupted,
        false => StopReason::Complete,
    };
    if stop == StopReason::Interrupted {
        played.retain(|row| !row.plays.is_empty());
        if played.is_empty() {
            return Err(Failure::Refused("stopped on request before any session was over".to_owned()));
        }
        printer.warn("stopped on request: these are the sessions played by then");
    }
    // A part of the objects gives no exact figure.
    let exact = is_exact(args, &aware, instance) && stop == StopReason::Complete;
    let report = report(&played, &loaded, &rules, exact);
    let json = |out: &mut dyn std::io::Write| json(out, &played, &loaded, &rules, (exact, stop));
    printer.publish(report, json, Some(&|| picture(&played[0], &loaded)))
}

/// Simulated sessions of one policy.
struct Row {
    name: String,
    tally: PlaySummary,
    plays: Vec<Play>,
}

fn is_exact(args: &SimulateArgs, aware: &SessionRules, instance: &Instance) -> bool {
    let certain = Match::new(instance, Plan::default(), SessionRules::default()).is_certain();
    certain && args.runs.is_none() && args.unknown == 0.0 && args.votes == 1 && noise(aware) == 0.0
}

/// Probability of a wrong answer; with `--errors K`, one in ten until there were K errors.
fn noise(aware: &SessionRules) -> f64 {
    const USUAL: f64 = 0.1;
    match aware.errors {
        Errors::None | Errors::Rates(_) | Errors::AtMost(0) => 0.0,
        Errors::Rate(rate) => rate,
        Errors::AtMost(_) => USUAL,
    }
}

fn play(
    args: &SimulateArgs,
    planned: &Planned,
    rules: &SessionRules,
    aware: &SessionRules,
    instance: &Instance,
    seed: u64,
) -> Result<Vec<Play>, fewest::session::SessionError> {
    let plan = Plan { tree: planned.tree.as_ref(), rule: planned.rule };
    let game = Match {
        noise: noise(aware),
        most_errors: match aware.errors {
            Errors::AtMost(most) => Some(most),
            _ => None,
        },
        unknown: args.unknown,
        votes: args.votes,
        limit: Limit::none().with_interrupt(crate::interrupt::flag()),
        ..Match::new(instance, plan, rules.clone())
    };
    match is_exact(args, aware, instance) {
        true => game.play_all(),
        false => game.play_some(args.runs.unwrap_or(USUAL_RUNS) as usize, seed),
    }
}

/// Simulated sessions by group, or by object where objects are identified; in order of ids.
fn parts(row: &Row, instance: &Instance) -> Vec<(GroupId, PlaySummary)> {
    let mut plays: Vec<(GroupId, Play)> =
        row.plays.iter().map(|play| (instance.group_of(play.object), *play)).collect();
    plays.sort_by_key(|(group, _)| *group);
    let chunks = plays.chunk_by(|left, right| left.0 == right.0);
    chunks.map(|part| (part[0].0, PlaySummary::of(part.iter().map(|(_, play)| play)))).collect()
}

fn by_object(row: &Row) -> Vec<(ObjectId, PlaySummary)> {
    let mut plays = row.plays.clone();
    plays.sort_by_key(|play| play.object);
    let chunks = plays.chunk_by(|left, right| left.object == right.object);
    chunks.map(|part| (part[0].object, PlaySummary::of(part))).collect()
}

fn report(played: &[Row], loaded: &Loaded, rules: &SessionRules, exact: bool) -> Report {
    let instance = &loaded.instance;
    let name = short(&loaded.name);
    let mut report = Report { title: format!("{name}: simulated sessions"), blocks: Vec::new() };
    report.words(format!("{name}: {}\n", wording::size(&InstancePart::new(instance))));
    report.words(match exact {
        true => "every object played once, weighed by its prior\n\n".to_owned(),
        false => format!("{} sessions, objects drawn by their prior\n\n", played[0].plays.len()),
    });
    let header = ["policy", "right", "mean cost", "p50", "p90", "p99", "max", "questions"];
    let line = |row: &Row| {
        let tally = &row.tally;
        let mut cells = vec![printable(&row.name), right(tally, exact), number(tally.mean, 4)];
        cells.extend(tally.quantiles.iter().chain([&tally.max]).map(|cost| number(*cost, 2)));
        cells.push(number(tally.questions, 2));
        cells
    };
    report.table(&header, played.iter().map(line).collect());
    for row in played {
        report.words(format!("\ncosts of {}\n", printable(&row.name)));
        report.blocks.push(Block::Drawn(histogram(row)));
    }
    let hardest = hardest(&played[0], instance, rules);
    if !hardest.is_empty() {
        let what = if is_by_group(instance, rules) { "group" } else { "object" };
        let header = [what, "share", "right", "mean cost", "max"];
        report.words(format!("\nmost expensive to identify ({})\n", printable(&played[0].name)));
        report.table(&header, hardest);
    }
    report
}

fn is_by_group(instance: &Instance, rules: &SessionRules) -> bool {
    instance.identify() == Identify::Groups && rules.until == Until::Identified
}

/// Share of right results, with its standard error unless the figure is exact.
fn right(tally: &PlaySummary, exact: bool) -> String {
    let share = number(tally.accuracy * 100.0, 1);
    if exact {
        return format!("{share} %");
    }
    let error = (tally.accuracy * (1.0 - tally.accuracy) / tally.plays.max(1) as f64).sqrt();
    format!("{share} ± {} %", number(error * 100.0, 1))
}

/// Histogram of costs, as (from, to, share).
fn bins(row: &Row) -> Vec<(f64, f64, f64)> {
    let mut costs: Vec<f64> = row.plays.iter().map(|play| play.cost).collect();
    costs.sort_by(f64::total_cmp);
    costs.dedup();
    let total: f64 = row.plays.iter().map(|play| play.weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let share = |low: f64, high: f64| {
        let inside = row.plays.iter().filter(|play| play.cost >= low && play.cost <= high);
        inside.map(|play| play.weight).sum::<f64>() / total
    };
    if costs.len() <= LINES {
        return costs.iter().map(|cost| (*cost, *cost, share(*cost, *cost))).collect();
    }
    // Ranges of equally many different costs, so that each begins and ends at a cost that occurs.
    let ends = (0..LINES).map(|at| (at * costs.len() / LINES, (at + 1) * costs.len() / LINES - 1));
    ends.map(|(low, high)| (costs[low], costs[high], share(costs[low], costs[high]))).collect()
}

fn range((low, high, _): &(f64, f64, f64)) -> String {
    if low == high { number(*low, 2) } else { format!("{}–{}", number(*low, 2), number(*high, 2)) }
}

fn histogram(row: &Row) -> String {
    let bins = bins(row);
    let width = bins.iter().map(|bin| range(bin).chars().count()).max().unwrap_or(0);
    let most = bins.iter().map(|bin| bin.2).fold(f64::MIN_POSITIVE, f64::max);
    let line = |bin: &(f64, f64, f64)| {
        let bar = "█".repeat((bin.2 / most * 30.0).round() as usize);
        format!("  {:>width$}  {:>6}  {bar}\n", range(bin), fewest_formats::text::percent(bin.2))
            .replace("  \n", "\n")
    };
    bins.iter().map(line).collect()
}

/// Groups, or objects, that cost the most or are identified least often.
fn hardest(row: &Row, instance: &Instance, rules: &SessionRules) -> Vec<Vec<String>> {
    let mut all: Vec<(String, PlaySummary)> = match is_by_group(instance, rules) {
        true => parts(row, instance)
            .into_iter()
            .map(|(group, tally)| (instance.group_names(group).join(" or "), tally))
            .collect(),
        false => by_object(row)
            .into_iter()
            .map(|(object, tally)| (instance.object_names(object).collect::<Vec<_>>().join(" or "), tally))
            .collect(),
    };
    all.sort_by(|left, right| {
        left.1.accuracy.total_cmp(&right.1.accuracy).then(right.1.mean.total_cmp(&left.1.mean))
    });
    let total: f64 = row.plays.iter().map(|play| play.weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let line = |(name, tally): &(String, PlaySummary)| {
        vec![
            printable(name),
            fewest_formats::text::percent(tally.weight / total),
            format!("{} %", number(tally.accuracy * 100.0, 1)),
            number(tally.mean, 4),
            number(tally.max, 2),
        ]
    };
    all.iter().take(LISTED).map(line).collect()
}

fn picture(row: &Row, loaded: &Loaded) -> String {
    let bins = bins(row);
    let names: Vec<String> = bins.iter().map(range).collect();
    let bars: Vec<Bar<'_>> = names
        .iter()
        .zip(&bins)
        .map(|(name, bin)| Bar { name, value: (bin.2 * 1000.0).round() / 10.0 })
        .collect();
    let title = format!("{}: what sessions by {} cost", short(&loaded.name), row.name);
    bars_svg(&title, "% of sessions", &bars)
}

#[derive(Serialize)]
struct CostPart {
    mean: Number,
    p50: Number,
    p90: Number,
    p99: Number,
    max: Number,
}

impl From<&PlaySummary> for CostPart {
    fn from(tally: &PlaySummary) -> Self {
        let [p50, p90, p99] = tally.quantiles.map(Number);
        Self { mean: Number(tally.mean), p50, p90, p99, max: Number(tally.max) }
    }
}

#[derive(Serialize)]
struct Part<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<Vec<&'a str>>,
    runs: usize,
    accuracy: Number,
    cost: CostPart,
}

#[derive(Serialize)]
struct Policy<'a> {
    policy: &'a str,
    runs: usize,
    accuracy: Number,
    questions: Number,
    cost: CostPart,
}

fn json(
    out: &mut dyn std::io::Write,
    played: &[Row],
    loaded: &Loaded,
    rules: &SessionRules,
    (exact, stop): (bool, StopReason),
) -> std::io::Result<()> {
    let instance = &loaded.instance;
    let first = &played[0];
    let mut document = Document::begin(out)?;
    document.field("instance", &InstancePart::new(instance))?;
    document.field("policy", &first.name)?;
    document.field("exact", &exact)?;
    document.field("stop", stop_word(stop))?;
    document.field("runs", &first.plays.len())?;
    document.field("accuracy", &Number(first.tally.accuracy))?;
    document.field("questions", &Number(first.tally.questions))?;
    document.field("cost", &CostPart::from(&first.tally))?;
    if is_by_group(instance, rules) {
        document.list(
            "by_group",
            parts(first, instance).iter().map(|(group, tally)| Part {
                groups: Some(instance.group_names(*group)),
                objects: None,
                runs: tally.plays,
                accuracy: Number(tally.accuracy),
                cost: tally.into(),
            }),
        )?;
    } else {
        document.list("by_group", std::iter::empty::<Part<'_>>())?;
    }
    document.list(
        "by_object",
        by_object(first).iter().map(|(object, tally)| Part {
            groups: None,
            objects: Some(instance.object_names(*object).collect()),
            runs: tally.plays,
            accuracy: Number(tally.accuracy),
            cost: tally.into(),
        }),
    )?;
    document.list(
        "policies",
        played.iter().map(|row| Policy {
            policy: &row.name,
            runs: row.plays.len(),
            accuracy: Number(row.tally.accuracy),
            questions: Number(row.tally.questions),
            cost: (&row.tally).into(),
        }),
    )?;
    document.end()
}
