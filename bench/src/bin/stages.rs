//! What each stage takes from a file to a tree: reading, understanding, building.
//!
//! `cargo run --release -p fewest-bench --bin stages -- TABLE [ALGORITHM [THREADS [REPEATS [LAMBDA]]]]`, by default `ggbs` on
//! one thread, built once, λ = 2; `none` builds nothing. Prints one JSON object; times of building are those of one tree, and where
//! it is built repeatedly each is the median. THREADS may be two numbers, as `2,1`: then trees are built by so many threads and
//! by so many in turn, so that both meet the machine in the same mood; `beside` is what the second took. With it comes what the machine
//! has to give: the seconds in which one thread counts the bits of its own megabytes, and two at once do (`one`, `two`).

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::{Goal, Instance, Lambda, Limit, Reading, find_algorithm, trials};
use fewest_bench::{Result, Run, Stopwatch};
use fewest_formats::read::{ReadOptions, Source, read_table};
use rayon::ThreadPool;
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::Path;
use std::thread::scope;

/// Sixteen megabytes for each thread.
const WORDS: usize = 2 << 20;

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
        let goal = Goal::default().with_algorithm(Some(algorithm)).with_lambda(lambda);
        let pool = |threads: &usize| rayon::ThreadPoolBuilder::new().num_threads(*threads).build();
        let pools = threads.iter().map(pool).collect::<std::result::Result<Vec<_>, _>>()?;
        let build = |pool: &ThreadPool| pool.install(|| trials(&instance, &goal, &Limit::none()));
        let mut runs = vec![Vec::new(); pools.len()];
        // One for each thread, and none where nothing is compared: they would count as memory of the tree.
        let mine = if pools.len() > 1 { vec![vec![1u64; WORDS]; 2] } else { Vec::new() };
        let (mut one, mut two) = (Vec::new(), Vec::new());
        for _ in 0..repeats {
            for (pool, runs) in pools.iter().zip(&mut runs) {
                let watch = Stopwatch::start()?;
                let built = build(pool);
                runs.push(watch.stop()?);
                all["expected"] = built.first().ok_or("nothing was built")?.costs.expected.into();
            }
            if pools.len() > 1 {
                one.push(count_bits(&mine[..1])?);
                two.push(count_bits(&mine)?);
            }
        }
        for (name, runs) in ["build", "beside"].into_iter().zip(&runs) {
            all[name] = json(median(runs).ok_or("how often?")?);
        }
        for (name, runs) in [("one", &one), ("two", &two)] {
            all[name] = median(runs).map(json).into();
        }
    }
    println!("{all}");
    Ok(())
}

/// What it takes to count the bits of each list, one thread each.
fn count_bits(lists: &[Vec<u64>]) -> Result<Run> {
    let watch = Stopwatch::start()?;
    scope(|scope| {
        for list in lists {
            scope.spawn(|| black_box(list.iter().map(|word| word.count_ones()).sum::<u32>()));
        }
    });
    watch.stop()
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
