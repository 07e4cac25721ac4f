//! How long greedy trees take to grow, and how much memory that takes.
//!
//! `cargo run --release -p fewest-bench --bin grow [-- RUNS]`, by default 3 runs each. The tables come from the random
//! model of the group study (`fewest generate beta`, β = 1, seed 1); making them is not timed, the memory includes them.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::generate::Beta;
use fewest::{Goal, Instance, Limit, Reading, find_algorithm, trials};
use fewest_bench::{JOB, Result, Run, in_own_process, report, spread};

/// Objects, tests, groups (0: every object its own), algorithm.
const JOBS: [(u32, u32, u32, &str); 6] = [
    (100_000, 500, 100, "ggbs"),
    (100_000, 500, 100, "lambda-ggbs"),
    (100_000, 500, 100, "ec2"),
    (1_000_000, 200, 20, "ggbs"),
    (10_000, 200, 0, "gbs"),
    (10_000, 200, 0, "lambda-gbs"),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == JOB) {
        println!("{}", job(arguments[1].parse()?, arguments[2].parse()?)?);
        return Ok(());
    }
    let runs: usize = arguments.first().map_or(Ok(3), |text| text.parse())?;
    println!(
        "algorithm     objects  tests  groups  threads  seconds (least, median, most)  processor  peak MB"
    );
    for (number, (objects, tests, groups, algorithm)) in JOBS.iter().enumerate() {
        for threads in [1, 2] {
            let run = |_| in_own_process([number.to_string(), threads.to_string()]);
            let measured = (0..runs).map(run).collect::<Result<Vec<Run>>>()?;
            let (least, median, most) = spread(&measured);
            let busy = measured.iter().map(|run| run.busy_seconds).fold(f64::INFINITY, f64::min);
            let peak = measured.iter().map(|run| run.peak_megabytes).fold(0.0, f64::max);
            println!(
                "{algorithm:<12}  {objects:>7}  {tests:>5}  {groups:>6}  {threads:>7}  {least:>8.3} {median:>8.3} {most:>8.3}     {busy:>9.2}  {peak:>7.1}"
            );
        }
    }
    Ok(())
}

fn job(number: usize, threads: usize) -> Result<String> {
    let (objects, tests, groups, algorithm) = JOBS[number];
    let prepare = || {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        let groups = (groups > 0).then_some(groups);
        let table = Beta { objects, tests, groups, seed: 1, ..Beta::default() }.generate()?;
        Ok(Instance::new(table, &Reading::default())?.0)
    };
    let goal = Goal { algorithm: find_algorithm(algorithm), ..Goal::default() };
    report(prepare, |instance| Ok(trials(instance, &goal, &Limit::none())))
}
