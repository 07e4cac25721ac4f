//! Guards the speed of growing trees by instructions, which do not depend on how busy a machine is.
//!
//! `cargo run --release -p fewest-guard` runs each job under callgrind and fails when one takes more than a tenth above its
//! ceiling in `bench/guard/ceilings.txt`; with `--write` the counts of this run become the ceilings. Where valgrind is
//! missing, or the processor lacks the registers that the ceilings were counted with, it says so and guards nothing.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::{Goal, Instance, Limit, Reading, Trial, find_algorithm, trials};
use fewest_lab::generate::Beta;
use std::error::Error;
use std::process::{Command, ExitCode};
use std::{env, fs};

/// Keeps the C library from clearing and copying with one repeated instruction, which callgrind counts once for each byte:
/// whether a buffer is cleared by a loop or by `memset` would decide the count.
const NO_REPEATED_BYTES: &str =
    "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Algorithm, objects, tests, groups (0: every object its own), Zipf's exponent of the prior.
const JOBS: [(&str, u32, u32, u32, f64); 7] = [
    ("ggbs", 10_000, 200, 20, 0.0),
    ("ggbs", 4_000, 300, 20, 1.0),
    ("gbs", 2_000, 200, 0, 0.0),
    ("lambda-gbs", 2_000, 100, 0, 1.0),
    ("lambda-ggbs", 4_000, 100, 10, 0.0),
    ("ec2", 4_000, 100, 10, 0.0),
    ("dectree", 500, 60, 5, 0.0),
];

/// What a job may take beyond its ceiling.
const MARGIN: f64 = 1.1;

const CEILINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/ceilings.txt");

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--job", number] => job(number.parse()?).map(|()| ExitCode::SUCCESS),
        ["--write"] => write().map(|()| ExitCode::SUCCESS),
        [] => guard(),
        _ => Err("options: none, or `--write`".into()),
    }
}

fn guard() -> Result<ExitCode> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is missing, so instructions are not counted");
        return Ok(ExitCode::SUCCESS);
    }
    if !has_wide_registers() {
        println!("the ceilings are for processors with AVX2, so instructions are not counted");
        return Ok(ExitCode::SUCCESS);
    }
    let ceilings: Vec<f64> = fs::read_to_string(CEILINGS)?.lines().filter_map(last_number).collect();
    if ceilings.len() != JOBS.len() {
        return Err(format!("{CEILINGS} does not fit the jobs; count again with `--write`").into());
    }
    let mut code = ExitCode::SUCCESS;
    for (number, ceiling) in ceilings.into_iter().enumerate() {
        let count = instructions(number)?;
        let verdict = if count > ceiling * MARGIN { "TOO MANY" } else { "fine" };
        println!("{:<40} {count:>12} of {ceiling:>12}  {verdict}", name(number));
        if count > ceiling * MARGIN {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

fn write() -> Result<()> {
    let line = |number| Ok(format!("{:<40} {}\n", name(number), instructions(number)?));
    let lines = (0..JOBS.len()).map(line).collect::<Result<String>>()?;
    print!("{lines}");
    Ok(fs::write(CEILINGS, lines)?)
}

fn name(number: usize) -> String {
    let (algorithm, objects, tests, groups, delta) = JOBS[number];
    format!("{algorithm} {objects}x{tests} groups {groups} delta {delta}")
}

fn last_number(line: &str) -> Option<f64> {
    line.split_whitespace().last()?.parse().ok()
}

#[cfg(target_arch = "x86_64")]
fn has_wide_registers() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_wide_registers() -> bool {
    false
}

/// How many instructions a job takes, its table set aside.
fn instructions(number: usize) -> Result<f64> {
    let output = Command::new("valgrind")
        .env("GLIBC_TUNABLES", NO_REPEATED_BYTES)
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*counted*"])
        .arg(env::current_exe()?)
        .args(["--job", &number.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().filter(|line| line.contains("Collected")).find_map(last_number);
    collected.filter(|count| *count > 0.0).ok_or_else(|| format!("callgrind counted nothing: {said}").into())
}

fn job(number: usize) -> Result<()> {
    // One thread, and this one: callgrind begins to count where it is told to, on the thread that gets there.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let (algorithm, objects, tests, groups, delta) = JOBS[number];
    let groups = (groups > 0).then_some(groups);
    let table = Beta { objects, tests, groups, delta, seed: 1, ..Beta::default() }.generate()?;
    let instance = Instance::new(table, &Reading::default())?.0;
    let goal = Goal::default().with_algorithm(find_algorithm(algorithm));
    let grown = counted(&instance, &goal);
    println!("{} leaves", grown.first().map_or(0, |trial| trial.tree.leaf_count()));
    Ok(())
}

/// What is counted: callgrind knows it by its name.
#[inline(never)]
fn counted(instance: &Instance, goal: &Goal) -> Vec<Trial> {
    trials(instance, goal, &Limit::none())
}
