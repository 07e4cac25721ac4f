//! How fast a table of yes and no is read, and how much memory that takes.
//!
//! `cargo run --release -p fewest-bench --bin read [-- ROWS COLUMNS [TEXT,TEXT,…]]`, by default 1,000,000 × 200 with
//! the texts `0` and `1`. Each reading runs in a process of its own, so that its peak memory is its own.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest_formats::read::{ReadOptions, Source, read_table};
use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How often the table is read.
const RUNS: usize = 5;

/// The argument that makes this program a child: `--child PATH` reads, `--child` alone does nothing.
const CHILD: &str = "--child";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == CHILD) {
        return child(arguments.get(1).map(Path::new));
    }
    let number = |at: usize, usual: usize| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    let (rows, columns) = (number(0, 1_000_000)?, number(1, 200)?);
    let texts: Vec<&str> = arguments.get(2).map_or("0,1", String::as_str).split(',').collect();

    let table = write_table(rows, columns, &texts)?;
    let names = write_table(rows, 0, &texts)?;
    let megabytes = fs::metadata(table.path())?.len() as f64 / 1e6;
    println!("{rows} objects × {columns} tests, {megabytes:.1} MB of CSV, read {RUNS} times");

    let mut runs = (0..RUNS).map(|_| run(Some(table.path()))).collect::<Result<Vec<Run>>>()?;
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

    let nothing = run(None)?.peak_megabytes;
    let of_names = run(Some(names.path()))?.peak_megabytes - nothing;
    let peak = runs.iter().map(|run| run.peak_megabytes).fold(0.0, f64::max) - nothing;
    println!(
        "memory  {peak:.1} MB at the peak, of which names {of_names:.1} MB and the rest {:.1} MB \
         (a process that reads nothing has {nothing:.1} MB, set aside)",
        peak - of_names
    );
    Ok(())
}

/// What one process measured.
struct Run {
    seconds: f64,
    /// Seconds on a processor: on a busy machine these say more than the clock.
    busy_seconds: f64,
    peak_megabytes: f64,
}

/// Reads `path`, if there is one, and prints seconds, seconds on a processor, and peak memory.
fn child(path: Option<&Path>) -> Result<()> {
    let start = Instant::now();
    let table = path.map(|path| read_table(Source::Path(path), &ReadOptions::default())).transpose()?;
    let seconds = start.elapsed().as_secs_f64();
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM in the status")?;
    let kibibytes: f64 = peak.trim().trim_end_matches("kB").trim().parse()?;
    let scheduled = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = scheduled.split(' ').next().unwrap_or_default().parse()?;
    println!("{seconds} {} {}", nanoseconds / 1e9, kibibytes * 1024.0 / 1e6);
    drop(table);
    Ok(())
}

fn run(path: Option<&Path>) -> Result<Run> {
    let output = Command::new(std::env::current_exe()?).arg(CHILD).args(path).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let [seconds, busy, peak] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(format!("a child prints three numbers, not `{text}`").into());
    };
    Ok(Run { seconds: seconds.parse()?, busy_seconds: busy.parse()?, peak_megabytes: peak.parse()? })
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
