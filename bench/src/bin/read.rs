//! How fast a table of yes and no is read, and how much memory that takes.
//!
//! `cargo run --release -p fewest-bench --bin read [-- ROWS COLUMNS [TEXT,TEXT,…]]`, by default 1,000,000 × 200 with
//! the texts `0` and `1`. Each reading runs in a process of its own, so that its peak memory is its own.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest_bench::{JOB, Result, Run, in_own_process, report};
use fewest_formats::read::{ReadOptions, Source, read_table};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// How often the table is read.
const RUNS: usize = 5;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == JOB) {
        println!("{}", job(arguments.get(1).map(Path::new))?);
        return Ok(());
    }
    let number = |at: usize, usual: usize| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    let (rows, columns) = (number(0, 1_000_000)?, number(1, 200)?);
    let texts: Vec<&str> = arguments.get(2).map_or("0,1", String::as_str).split(',').collect();

    let table = write_table(rows, columns, &texts)?;
    let names = write_table(rows, 0, &texts)?;
    let megabytes = fs::metadata(table.path())?.len() as f64 / 1e6;
    println!("{rows} objects × {columns} tests, {megabytes:.1} MB of CSV, read {RUNS} times");

    let mut runs = (0..RUNS).map(|_| in_own_process([table.path()])).collect::<Result<Vec<Run>>>()?;
    runs.sort_by(|left, right| left.seconds.total_cmp(&right.seconds));
    let speed = |run: &Run| megabytes / run.seconds;
    let busy = runs.iter().map(|run| run.busy_seconds).fold(f64::INFINITY, f64::min);
    println!(
        "speed   {:.0} MB/s (median; {:.0} to {:.0}); {:.0} MB for a second of processor time at best",
        speed(&runs[RUNS / 2]),
        speed(&runs[RUNS - 1]),
        speed(&runs[0]),
        megabytes / busy
    );

    let nothing = in_own_process::<&str>([])?.peak_megabytes;
    let of_names = in_own_process([names.path()])?.peak_megabytes - nothing;
    let peak = runs.iter().map(|run| run.peak_megabytes).fold(0.0, f64::max) - nothing;
    println!(
        "memory  {peak:.1} MB at the peak, of which names {of_names:.1} MB and the rest {:.1} MB \
         (a process that reads nothing has {nothing:.1} MB, set aside)",
        peak - of_names
    );
    Ok(())
}

/// Reads `path`, if there is one.
fn job(path: Option<&Path>) -> Result<String> {
    let read = |path| read_table(Source::Path(path), &ReadOptions::default());
    report(|| Ok(()), |()| Ok(path.map(read).transpose()?))
}

/// A table whose cells look random and are the same on every run.
fn write_table(rows: usize, columns: usize, texts: &[&str]) -> Result<tempfile::NamedTempFile> {
    let file = tempfile::NamedTempFile::new()?;
    let mut out = BufWriter::new(file.as_file());
    write!(out, "object")?;
    (0..columns).try_for_each(|column| write!(out, ",t{column}"))?;
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for row in 0..rows {
        write!(out, "\no{row}")?;
        for _ in 0..columns {
            // Marsaglia's xorshift.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            out.write_all(b",")?;
            out.write_all(texts[(state >> 32) as usize % texts.len()].as_bytes())?;
        }
    }
    writeln!(out)?;
    out.flush()?;
    drop(out);
    Ok(file)
}
