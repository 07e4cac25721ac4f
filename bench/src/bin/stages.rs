//! What each stage takes from a file to a tree: reading, understanding, building.
//!
//! `cargo run --release -p fewest-bench --bin stages -- TABLE [ALGORITHM [THREADS [REPEATS [LAMBDA]]]]`, by default `ggbs` on
//! one thread, built once, λ = 2; `none` builds nothing. Prints one JSON object; times of building are those of one tree, and where
//! it is built repeatedly each is the median. THREADS may be two numbers, as `2,1`: then trees are built by so many threads and
//! by so many in turn, so that both meet the machine in the same mood; `beside` is what the second took.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::{Goal, Instance, Lambda, Limit, Reading, find_algorithm, trials};
use fewest_bench::{Result, Run, Stopwatch};
use fewest_formats::read::{ReadOptions, Source, read_table};
use serde_json::{Value, json};
use std::path::Path;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |at: usize, usual: &'static str| arguments.get(at).map_or(usual, String::as_str);
    let path = Path::new(arguments.first().ok_or("which table?")?);
    let (algorithm, repeats) = (text(1, "ggbs"), text(3, "1").parse::<usize>()?);
    let threads = text(2, "1").split(',').map(str::parse).collect::<std::result::Result<Vec<usize>, _>>()?;
    let lambda = Lambda::new(text(4, "2").parse()?)?;
    rayon::ThreadPoolBuilder::new().num_threads(threads[0]).build_global()?;

    let watch = Stopwatch::start()?;
    let (table, _) = read_table(Source::Path(path), &ReadOptions::default())?;
    let read = json(watch.stop()?);
    let watch = Stopwatch::start()?;
    let (instance, _) = Instance::new(table, &Reading::default())?;
    let understand = json(watch.stop()?);
    let mut all = json!({
        "objects": instance.object_count(), "tests": instance.test_count(), "groups": instance.group_count(),
        "read": read, "understand": understand,
    });
    if algorithm != "none" {
        let algorithm = find_algorithm(algorithm).ok_or("there is no such algorithm")?;
        let goal = Goal { algorithm: Some(algorithm), lambda, ..Goal::default() };
        let pool = |threads: &usize| rayon::ThreadPoolBuilder::new().num_threads(*threads).build();
        let pools = threads.iter().map(pool).collect::<std::result::Result<Vec<_>, _>>()?;
        let mut runs = vec![Vec::new(); pools.len()];
        for _ in 0..repeats {
            for (pool, runs) in pools.iter().zip(&mut runs) {
                let watch = Stopwatch::start()?;
                let built = pool.install(|| trials(&instance, &goal, &Limit::none()));
                runs.push(watch.stop()?);
                all["expected"] = built.first().ok_or("nothing was built")?.costs.expected.into();
            }
        }
        for (name, runs) in ["build", "beside"].into_iter().zip(&runs) {
            all[name] = json(median(runs).ok_or("how often?")?);
        }
    }
    println!("{all}");
    Ok(())
}

/// The median of each time, and the memory after the last.
fn median(runs: &[Run]) -> Option<Run> {
    let median = |of: fn(&Run) -> f64| {
        let mut times: Vec<f64> = runs.iter().map(of).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let last = runs.last()?;
    Some(Run { seconds: median(|run| run.seconds), busy_seconds: median(|run| run.busy_seconds), ..*last })
}

fn json(run: Run) -> Value {
    json!({"seconds": run.seconds, "busy_seconds": run.busy_seconds, "peak_megabytes": run.peak_megabytes})
}
