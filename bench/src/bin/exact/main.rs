//! What the exact solver is to reach, and what it reaches.
//!
//! `cargo build --release && cargo run --release -p fewest-bench --bin exact -- [--data DIR] [--only TEXT] [--quick]`
//! runs `fewest build TABLE --algorithm optimal`, one process after the other, and prints a line for each. `--data`
//! names a folder of tables; without it only the generated ones run. `--only` keeps the lines whose name has the
//! text, `--quick` those of at most 15 s. `fewest` is the program next to this one.

#![allow(clippy::print_stdout, reason = "a program that reports")]

mod targets;

use fewest_bench::{Result, Run, watch};
use fewest_formats::json::{BoundPart, CostPart, Number};
use serde::Deserialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use targets::{Row, Source, Wanted, rows};

/// A quick run leaves out what may take longer than this.
const QUICK_SECONDS: f64 = 15.0;

/// A target shorter than this still gets this long, so that a miss shows by how much.
const LEAST_SECONDS: f64 = 5.0;

/// Beyond its limit of time a search may take this much longer to write its answer before it is stopped.
const PATIENCE_SECONDS: f64 = 60.0;

/// The width of the column that tells what came.
const GOT_WIDTH: usize = 60;

/// The part of the solver's answer that matters here.
#[derive(Deserialize)]
struct Answer {
    cost: CostPart,
    lower_bound: BoundPart,
    gap: Number,
    optimal: bool,
    stop: String,
    elapsed_ms: Number,
}

/// What was asked for on the command line.
#[derive(Default)]
struct Asked {
    data: Option<PathBuf>,
    only: String,
    quick: bool,
}

/// The counts of the last lines.
#[derive(Default)]
struct Summary {
    targets: usize,
    met: usize,
    tables: usize,
    proved: usize,
    close: usize,
    silent: usize,
}

fn main() -> Result<()> {
    let asked = Asked::parse(std::env::args().skip(1))?;
    let solver = solver()?;
    let rows = rows(asked.data.as_deref())?;
    let mut summary = Summary::default();
    println!(
        "{:<40}  {:<28}  {:>7}  {:<GOT_WIDTH$}  {:>8}  {:>8}  {:>8}  ok",
        "instance", "wanted", "within", "got", "seconds", "CPU s", "peak MB"
    );
    for row in rows.iter().filter(|row| asked.keeps(row)) {
        let tried = attempt(&solver, row, asked.data.as_deref());
        print_line(row, &tried);
        summary.add(row, &tried);
        std::io::stdout().flush()?;
    }
    summary.print();
    if asked.data.is_none() {
        println!("Without `--data DIR` the lines about tables of the data folder are left out.");
    }
    Ok(())
}

impl Asked {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let mut asked = Self::default();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
            match word.as_str() {
                "--data" => asked.data = Some(value()?.into()),
                "--only" => asked.only = value()?,
                "--quick" => asked.quick = true,
                _ => return Err(format!("`{word}`? Known: --data DIR, --only TEXT, --quick").into()),
            }
        }
        Ok(asked)
    }

    fn keeps(&self, row: &Row) -> bool {
        let there = self.data.is_some() || matches!(row.source, Source::Generated(_));
        there && row.name.contains(&self.only) && !(self.quick && row.within > QUICK_SECONDS)
    }
}

/// The program `fewest` that was built beside this one.
fn solver() -> Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name(format!("fewest{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() {
        Ok(path)
    } else {
        Err("no `fewest` beside this program: run `cargo build --release` first".into())
    }
}

/// What came of a row: what it took, and the answer or a complaint.
struct Tried {
    run: Option<Run>,
    answer: std::result::Result<Answer, String>,
}

/// Runs one row; whatever fails is told in its line.
fn attempt(solver: &Path, row: &Row, data: Option<&Path>) -> Tried {
    let failed = |error: Box<dyn std::error::Error>| Tried { run: None, answer: Err(error.to_string()) };
    row.source.table(solver, data).and_then(|table| solve(solver, row, table.path())).unwrap_or_else(failed)
}

fn solve(solver: &Path, row: &Row, table: &Path) -> Result<Tried> {
    let limit = row.within.max(LEAST_SECONDS);
    let mut command = Command::new(solver);
    command.arg("build").arg(table).args(["--algorithm", "optimal", "--json", "--quiet"]);
    command.arg("--time").arg(format!("{limit}s")).args(row.options);
    let done = watch(&mut command, Duration::from_secs_f64(limit + PATIENCE_SECONDS))?;
    let answer = match done.status {
        None => Err(format!("stopped {PATIENCE_SECONDS} s after its time")),
        Some(status) if !status.success() => Err(complaint(&done.complaints, &status.to_string())),
        Some(_) => serde_json::from_slice(&done.printed).map_err(|error| format!("unreadable: {error}")),
    };
    Ok(Tried { run: Some(done.run), answer })
}

/// The beginning of what a program complained about, as much as fits the column.
fn complaint(complaints: &str, status: &str) -> String {
    let line = complaints.lines().find(|line| !line.trim().is_empty()).unwrap_or(status).trim();
    if line.chars().count() > GOT_WIDTH {
        line.chars().take(GOT_WIDTH - 1).chain(['…']).collect()
    } else {
        line.to_owned()
    }
}

/// A table on the disk, which goes away with this if it was made for the occasion.
enum OnDisk {
    There(PathBuf),
    Made(tempfile::TempPath),
}

impl OnDisk {
    fn path(&self) -> &Path {
        match self {
            Self::There(path) => path,
            Self::Made(path) => path,
        }
    }
}

impl Source {
    fn table(&self, solver: &Path, data: Option<&Path>) -> Result<OnDisk> {
        let file = |name: &str| data.map(|folder| folder.join(name)).ok_or("no data folder");
        match self {
            Self::Generated(words) => generate(solver, words),
            Self::Data(name) => Ok(OnDisk::There(file(name)?)),
            Self::Complete(name) => made(complete_rows(&fs::read_to_string(file(name)?)?).as_bytes()),
        }
    }
}

fn generate(solver: &Path, words: &str) -> Result<OnDisk> {
    let output = Command::new(solver).arg("generate").args(words.split(' ')).output()?;
    if !output.status.success() {
        return Err(complaint(&String::from_utf8_lossy(&output.stderr), &output.status.to_string()).into());
    }
    made(&output.stdout)
}

fn made(table: &[u8]) -> Result<OnDisk> {
    let path = tempfile::Builder::new().suffix(".csv").tempfile()?.into_temp_path();
    fs::write(&path, table)?;
    Ok(OnDisk::Made(path))
}

/// The lines without an empty cell or a `?`; for tables whose cells hold no commas.
fn complete_rows(table: &str) -> String {
    let is_complete = |line: &&str| line.split(',').all(|cell| !matches!(cell.trim(), "" | "?"));
    table.lines().filter(is_complete).flat_map(|line| [line, "\n"]).collect()
}

impl Row {
    fn cost(&self, answer: &Answer) -> f64 {
        if self.options.contains(&"worst") { answer.cost.worst.0 } else { answer.cost.expected.0 }
    }

    /// Whether the answer is what was wanted, in time.
    fn is_met(&self, answer: &Answer, seconds: f64) -> bool {
        let cost = self.cost(answer);
        // Totals are whole numbers; the cost comes as a float.
        let is = |total: f64, parts: f64| (cost * parts - total).abs() < 1e-9 * total;
        // Who may search to the end of the time needs some more to say so.
        let to_the_end = seconds <= self.within + 1.0;
        match self.wanted {
            Wanted::Optimum { total, parts } => is(total, parts) && answer.optimal && seconds <= self.within,
            Wanted::Reached { total, parts } => (is(total, parts) || cost * parts < total) && to_the_end,
            Wanted::Proved => answer.optimal && seconds <= self.within,
            Wanted::Between { cost: below, bound } => {
                cost < below && answer.lower_bound.value.0 > bound && to_the_end
            }
            Wanted::Gap(gap) => (answer.optimal || answer.gap.0 <= gap) && to_the_end,
            Wanted::Known => true,
        }
    }

    fn got(&self, answer: &Answer) -> String {
        let cost = self.cost(answer);
        let (times, what) = match self.wanted {
            Wanted::Optimum { parts, .. } | Wanted::Reached { parts, .. } if parts > 1.0 => (parts, "total "),
            _ => (1.0, ""),
        };
        let value = format!("{what}{}", short(cost * times));
        if answer.optimal {
            return format!("{value}, proved ({:.2} s)", answer.elapsed_ms.0 / 1e3);
        }
        let bound = short(answer.lower_bound.value.0 * times);
        format!("{value} ≥ {bound}, gap {:.2} %, {}", answer.gap.0 * 100.0, answer.stop)
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            Self::Optimum { total, parts: 1.0 } => format!("{total}, proved"),
            Self::Optimum { total, parts } => format!("{total}/{parts}, proved"),
            Self::Reached { total, parts } => format!("≤ {total}/{parts}"),
            Self::Proved => "proved".to_owned(),
            Self::Between { cost, bound } => format!("< {cost}, bound > {bound}"),
            Self::Gap(gap) => format!("proved or gap ≤ {} %", gap * 100.0),
            Self::Known => "(optimum or gap)".to_owned(),
        };
        out.pad(&text)
    }
}

/// Four digits behind the point, none where there are none.
fn short(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    format!("{rounded}")
}

fn print_line(row: &Row, tried: &Tried) {
    let seconds = tried.run.map_or(f64::INFINITY, |run| run.seconds);
    let (got, met) = match &tried.answer {
        Ok(answer) => (row.got(answer), row.is_met(answer, seconds)),
        Err(complaint) => (complaint.clone(), false),
    };
    let took = |value: fn(&Run) -> f64, digits: usize| {
        tried.run.as_ref().map_or("-".to_owned(), |run| format!("{:.digits$}", value(run)))
    };
    let ok = match (&row.wanted, met) {
        (Wanted::Known, true) => "",
        (_, true) => "yes",
        (_, false) => "NO",
    };
    println!(
        "{:<40}  {:<28}  {:>5} s  {got:<GOT_WIDTH$}  {:>8}  {:>8}  {:>8}  {ok}",
        row.name,
        row.wanted,
        row.within,
        took(|run| run.seconds, 3),
        took(|run| run.busy_seconds, 2),
        took(|run| run.peak_megabytes, 1),
    );
}

impl Summary {
    fn add(&mut self, row: &Row, tried: &Tried) {
        let seconds = tried.run.map_or(f64::INFINITY, |run| run.seconds);
        let answer = tried.answer.as_ref().ok();
        if let Wanted::Known = row.wanted {
            self.tables += 1;
            self.proved += usize::from(answer.is_some_and(|answer| answer.optimal));
            self.close += usize::from(answer.is_some_and(|answer| answer.optimal || answer.gap.0 <= 0.05));
            self.silent += usize::from(answer.is_none());
        } else {
            self.targets += 1;
            self.met += usize::from(answer.is_some_and(|answer| row.is_met(answer, seconds)));
        }
    }

    fn print(&self) {
        println!("\nTargets met: {} of {}.", self.met, self.targets);
        if self.tables > 0 {
            println!(
                "Tables of the data folder: {}; proved {}, gap ≤ 5 % (the proved among them) {}, no answer {}.",
                self.tables, self.proved, self.close, self.silent
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(wanted: Wanted) -> Row {
        let source = Source::Data("t.csv".to_owned());
        Row { name: "t".to_owned(), source, options: &[], wanted, within: 1.0 }
    }

    fn answer(expected: f64, bound: f64, optimal: bool) -> Answer {
        let json = format!(
            r#"{{"cost": {{"expected": {expected}, "worst": 7, "exponential": {{"lambda": 2, "value": 8}}}},
            "lower_bound": {{"value": {bound}, "by": "search"}}, "gap": {}, "optimal": {optimal},
            "stop": "proved", "elapsed_ms": 3.5, "tree": {{"ask": "x", "answers": {{}}}}}}"#,
            expected / bound - 1.0
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn an_optimum_needs_its_value_its_proof_and_its_time() {
        let sorted = row(Wanted::Optimum { total: 832.0, parts: 120.0 });
        let found = 832.0 / 120.0;
        assert!(sorted.is_met(&answer(found, found, true), 0.9));
        assert!(!sorted.is_met(&answer(found, found, true), 1.1));
        assert!(!sorted.is_met(&answer(found, found - 0.01, false), 0.9));
        assert!(!sorted.is_met(&answer(833.0 / 120.0, 833.0 / 120.0, true), 0.9));
        assert!(row(Wanted::Reached { total: 833.0, parts: 120.0 }).is_met(&answer(found, 6.0, false), 1.9));
    }

    #[test]
    fn a_gap_and_a_pair_of_bounds_may_use_the_whole_time() {
        let apart = answer(6.0, 5.0, false);
        assert!(row(Wanted::Gap(0.21)).is_met(&apart, 1.5) && !row(Wanted::Gap(0.19)).is_met(&apart, 1.5));
        assert!(row(Wanted::Between { cost: 6.1, bound: 4.9 }).is_met(&apart, 1.5));
        assert!(!row(Wanted::Between { cost: 6.0, bound: 4.9 }).is_met(&apart, 1.5));
        assert!(!row(Wanted::Between { cost: 6.1, bound: 4.9 }).is_met(&apart, 2.5));
    }

    #[test]
    fn rows_with_a_gap_are_left_out() {
        assert_eq!(complete_rows("object,a,b\nx,1,?\ny,1,2\nz,,2\nw,1,\n"), "object,a,b\ny,1,2\n");
    }
}
