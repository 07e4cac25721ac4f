//! What each stage takes from a file to a tree: reading, understanding, building.
//!
//! `cargo run --release -p fewest-bench --bin stages -- TABLE [ALGORITHM [THREADS [REPEATS [LAMBDA]]]]`, by default `ggbs` on
//! one thread, built once, λ = 2; `none` builds nothing. Prints one JSON object; times of building are those of one tree.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::{Goal, Instance, Lambda, Limit, Reading, find_algorithm, trials};
use fewest_bench::{Result, Stopwatch};
use fewest_formats::read::{ReadOptions, Source, read_table};
use serde_json::{Value, json};
use std::path::Path;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |at: usize, usual: &'static str| arguments.get(at).map_or(usual, String::as_str);
    let path = Path::new(arguments.first().ok_or("which table?")?);
    let (algorithm, threads, repeats) = (text(1, "ggbs"), text(2, "1").parse()?, text(3, "1").parse()?);
    let lambda = Lambda::new(text(4, "2").parse()?)?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;

    let watch = Stopwatch::start()?;
    let (table, _) = read_table(Source::Path(path), &ReadOptions::default())?;
    let read = part(&watch, 1)?;
    let watch = Stopwatch::start()?;
    let (instance, _) = Instance::new(table, &Reading::default())?;
    let understand = part(&watch, 1)?;
    let mut all = json!({
        "objects": instance.object_count(), "tests": instance.test_count(), "groups": instance.group_count(),
        "read": read, "understand": understand,
    });
    if algorithm != "none" {
        let algorithm = find_algorithm(algorithm).ok_or("there is no such algorithm")?;
        let goal = Goal { algorithm: Some(algorithm), lambda, ..Goal::default() };
        let watch = Stopwatch::start()?;
        let mut built = trials(&instance, &goal, &Limit::none());
        for _ in 1..repeats {
            built = trials(&instance, &goal, &Limit::none());
        }
        all["build"] = part(&watch, repeats)?;
        all["expected"] = built.first().ok_or("nothing was built")?.costs.expected.into();
    }
    println!("{all}");
    Ok(())
}

/// What was measured, for one of `repeats`.
fn part(watch: &Stopwatch, repeats: u32) -> Result<Value> {
    let run = watch.stop()?;
    let each = |seconds: f64| seconds / f64::from(repeats);
    Ok(json!({
        "seconds": each(run.seconds), "busy_seconds": each(run.busy_seconds), "peak_megabytes": run.peak_megabytes,
    }))
}
