//! Sessions where answers are wrong, and how long the next question takes.
//!
//! `cargo run --release -p fewest-bench --bin session -- --data DIR [--runs 1000] [--noise 0.1] [--only TEXT]`. The folder has
//! `zoo.csv`, `animals-attributes.csv` and `hpo-orpha-dense.csv`. Objects are drawn by their prior and answer each question
//! anew, wrong with probability `--noise`; all ways of asking meet the same model, seed 1. Without `--data` only the made
//! table is timed. Times are processor time of one thread, the mean of fifty steps; Linux tells it.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::session::simulate::{Match, PlaySummary};
use fewest::session::{Errors, GreedyRule, Plan, Reply, Session, SessionRules, Step};
use fewest::{Goal, Instance, Limit, Reading, find_algorithm, trials};
use fewest_bench::Result;
use fewest_formats::read::{ReadOptions, Source, read_table};
use fewest_lab::generate::Beta;
use rayon::ThreadPool;
use std::path::{Path, PathBuf};

const TABLES: [&str; 3] = ["zoo", "animals-attributes", "hpo-orpha-dense"];
const SEED: u64 = 1;
/// How often each step is timed.
const TIMES: u32 = 50;

struct Options {
    data: Option<PathBuf>,
    runs: usize,
    noise: f64,
    only: String,
}

fn main() -> Result<()> {
    let options = options()?;
    if let Some(data) = &options.data {
        println!("{} sessions each, {} of answers wrong\n", options.runs, options.noise);
        for name in TABLES.iter().filter(|name| name.contains(&options.only)) {
            let instance = load(&data.join(format!("{name}.csv")))?;
            println!("{name}: {} objects, {} tests", instance.object_count(), instance.test_count());
            compare(&instance, &options)?;
            println!();
        }
    }
    println!("the next question, in ms of one processor");
    time_all(&options)
}

fn options() -> Result<Options> {
    let mut options = Options { data: None, runs: 1000, noise: 0.1, only: String::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--data" => options.data = Some(value.into()),
            "--runs" => options.runs = value.parse()?,
            "--noise" => options.noise = value.parse()?,
            "--only" => options.only = value,
            other => return Err(format!("{other} is no option").into()),
        }
    }
    Ok(options)
}

fn load(path: &Path) -> Result<Instance> {
    let (table, _) = read_table(Source::of_argument(path), &ReadOptions::default())?;
    Ok(Instance::new(table, &Reading::default())?.0)
}

/// All ways of asking side by side.
fn compare(instance: &Instance, options: &Options) -> Result<()> {
    let ggbs = find_algorithm("ggbs").ok_or("the catalogue has ggbs")?;
    let goal = Goal::default().with_algorithm(Some(ggbs));
    let tree = trials(instance, &goal, &Limit::none()).remove(0).tree;
    let plain =
        Match { noise: options.noise, ..Match::new(instance, Plan::tree(&tree), SessionRules::default()) };
    let majority = Match { votes: 3, ..plain.clone() };
    println!("  {:<44} {:>8} {:>10} {:>6}", "asking", "right", "questions", "max");
    let show = |name: &str, played: &Match<'_>| -> Result<()> {
        let tally = PlaySummary::of(&played.play_some(options.runs, SEED)?);
        println!("  {name:<44} {:>7.1}% {:>10.2} {:>6}", tally.accuracy * 100.0, tally.questions, tally.max);
        Ok(())
    };
    show("ggbs, every answer taken for right", &plain)?;
    show("ggbs, each question three times, majority", &majority)?;
    for (rule, certainty, again) in [
        ("ggbs", 0.9, true),
        ("ggbs", 0.95, true),
        ("ggbs", 0.99, true),
        ("ec2", 0.95, true),
        ("gbs", 0.95, true),
        ("ggbs", 0.95, false),
        ("ggbs", 0.99, false),
        ("ec2", 0.95, false),
    ] {
        let rules = SessionRules {
            errors: Errors::Rate(options.noise),
            certainty: Some(certainty),
            repeat_tests: again,
            ..SessionRules::default()
        };
        let rule_of = GreedyRule::named(rule).ok_or("the catalogue has it")?;
        let aware = Match { noise: options.noise, ..Match::new(instance, Plan::rule(rule_of), rules) };
        let repeats = if again { "questions may return" } else { "each question once" };
        show(&format!("noise-aware {rule} to {} %, {repeats}", certainty * 100.0), &aware)?;
    }
    Ok(())
}

fn time_all(options: &Options) -> Result<()> {
    let made = |groups| -> Result<Instance> {
        let beta = Beta { objects: 10_000, tests: 1_000, groups, seed: 1, ..Beta::default() };
        Ok(Instance::new(beta.generate()?, &Reading::default())?.0)
    };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("  {:<46} {:>8} {:>8}", "table", "first", "fourth");
    let mut tables = vec![
        ("made, 10,000 x 1,000, objects".to_owned(), made(None)?),
        ("made, 10,000 x 1,000, 15 groups".to_owned(), made(Some(15))?),
    ];
    if let Some(data) = &options.data {
        tables.push(("hpo-orpha-dense".to_owned(), load(&data.join("hpo-orpha-dense.csv"))?));
        tables.push(("zoo".to_owned(), load(&data.join("zoo.csv"))?));
    }
    for (name, instance) in &tables {
        for errors in [Errors::None, Errors::Rate(options.noise), Errors::AtMost(1)] {
            let word = match &errors {
                Errors::None => "no errors",
                Errors::AtMost(_) => "at most 1 error",
                _ => "error rate",
            };
            let rules = SessionRules { errors, ..SessionRules::default() };
            let (first, fourth) = time(instance, rules, &alone)?;
            println!("  {:<46} {first:>8.3} {fourth:>8.3}", format!("{name}, {word}"));
        }
    }
    Ok(())
}

/// Milliseconds until the first question is known, and the fourth.
fn time(instance: &Instance, rules: SessionRules, alone: &ThreadPool) -> Result<(f64, f64)> {
    let mut session = Session::new(instance, Plan::default(), rules)?;
    let first = mean(&session, alone)?;
    let object = fewest::ObjectId(0);
    for _ in 0..3 {
        let Step::Ask(test) = session.step() else { break };
        session.give(test, Reply::is(instance.answer(object, test)))?;
    }
    Ok((first, mean(&session, alone)?))
}

/// Milliseconds of processor time of one step, on average: on a busy machine the clock would tell about others.
fn mean(session: &Session<'_>, alone: &ThreadPool) -> Result<f64> {
    let measure = || {
        let start = busy_ms();
        (0..TIMES).for_each(|_| {
            std::hint::black_box(session.step());
        });
        Some((busy_ms()? - start?) / f64::from(TIMES))
    };
    alone.install(measure).ok_or_else(|| "the system does not tell processor time".into())
}

/// What the running thread has computed so far.
fn busy_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}
