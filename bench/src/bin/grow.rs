//! How long greedy trees take to grow, and how much memory that takes.
//!
//! `cargo run --release -p fewest-bench --bin grow [-- RUNS]`, by default 3 runs each of ten times the same tree. The tables come from the random
//! model of the group study (`fewest generate beta`, β = 1, seed 1); making them is not timed, the memory includes them.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::{Goal, Instance, Limit, Reading, find_algorithm, trials};
use fewest_bench::{JOB, Result, Run, in_own_process, report, spread};
use fewest_lab::generate::Beta;

/// A table and what grows on it.
struct Job {
    objects: u32,
    tests: u32,
    /// 0: every object its own.
    groups: u32,
    /// The upper end of `γ_w`.
    agreement: f64,
    /// Zipf's exponent of the prior.
    delta: f64,
    algorithm: &'static str,
}

const fn job_of(objects: u32, tests: u32, groups: u32, algorithm: &'static str) -> Job {
    Job { objects, tests, groups, agreement: 1.0, delta: 0.0, algorithm }
}

const JOBS: [Job; 10] = [
    job_of(100_000, 500, 100, "ggbs"),
    Job { delta: 1.0, ..job_of(100_000, 500, 100, "ggbs") },
    job_of(100_000, 500, 100, "lambda-ggbs"),
    job_of(100_000, 500, 100, "lambda-gbs"),
    job_of(100_000, 500, 100, "ec2"),
    job_of(1_000_000, 200, 20, "ggbs"),
    Job { agreement: 0.8, ..job_of(100_000, 200, 20, "ggbs") },
    job_of(10_000, 200, 0, "gbs"),
    job_of(10_000, 200, 0, "lambda-gbs"),
    job_of(100_000, 200, 0, "gbs"),
];

/// How often a job grows its tree: the system counts processor time in hundredths of a second.
const ROUNDS: usize = 10;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == JOB) {
        println!("{}", job(arguments[1].parse()?, arguments[2].parse()?)?);
        return Ok(());
    }
    let runs: usize = arguments.first().map_or(Ok(3), |text| text.parse())?;
    println!(
        "algorithm     objects  tests  groups  γ_w up to  δ  threads  seconds (least, median, most)  processor  peak MB"
    );
    for (number, job) in JOBS.iter().enumerate() {
        let Job { objects, tests, groups, agreement, delta, algorithm } = job;
        for threads in [1, 2] {
            let run = |_| in_own_process([number.to_string(), threads.to_string()]);
            let measured = (0..runs).map(run).collect::<Result<Vec<Run>>>()?;
            let (least, median, most) = spread(&measured);
            let [least, median, most] = [least, median, most].map(|seconds| seconds / ROUNDS as f64);
            let busy = measured.iter().map(|run| run.busy_seconds).fold(f64::INFINITY, f64::min);
            let busy = busy / ROUNDS as f64;
            let peak = measured.iter().map(|run| run.peak_megabytes).fold(0.0, f64::max);
            println!(
                "{algorithm:<12}  {objects:>7}  {tests:>5}  {groups:>6}  {agreement:>9}  {delta}  {threads:>7}  {least:>8.4} {median:>8.4} {most:>8.4}     {busy:>9.3}  {peak:>7.1}"
            );
        }
    }
    Ok(())
}

fn job(number: usize, threads: usize) -> Result<String> {
    let Job { objects, tests, groups, agreement, delta, algorithm } = JOBS[number];
    let prepare = || {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        let groups = (groups > 0).then_some(groups);
        let gamma_w = 0.5..=agreement;
        let table = Beta { objects, tests, groups, gamma_w, delta, seed: 1, ..Beta::default() }.generate()?;
        Ok(Instance::new(table, &Reading::default())?.0)
    };
    let goal = Goal::default().with_algorithm(find_algorithm(algorithm));
    report(prepare, |instance| {
        let grow = || trials(instance, &goal, &Limit::none());
        (1..ROUNDS).for_each(|_| drop(grow()));
        Ok(grow())
    })
}
