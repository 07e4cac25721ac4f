//! What the exact solver is to reach, and what it reaches.
//!
//! `cargo build --release && cargo run --release -p fewest-bench --bin exact -- [--data DIR] [--only TEXT] [--quick]`
//! runs `fewest build TABLE --algorithm optimal`, one process after the other, and prints a line for each. `--data`
//! names a folder of tables; without it only the generated ones run. `--only` keeps the lines whose name has the
//! text, `--quick` those of at most 15 s. `fewest` is the program next to this one.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest_bench::{Result, Run, watch};
use fewest_formats::json::{BoundPart, CostPart, Number};
use serde::Deserialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A quick run leaves out what may take longer than this.
const QUICK_SECONDS: f64 = 15.0;

/// A target shorter than this still gets this long, so that a miss shows by how much.
const LEAST_SECONDS: f64 = 5.0;

/// Beyond its limit of time a search may take this much longer to write its answer before it is stopped.
const PATIENCE_SECONDS: f64 = 60.0;

/// The width of the column that tells what came.
const GOT_WIDTH: usize = 60;

/// One line of the table.
struct Row {
    name: String,
    source: Source,
    options: &'static [&'static str],
    wanted: Wanted,
    within: f64,
}

/// Where a table comes from.
#[derive(Clone)]
enum Source {
    /// `fewest generate` with these words.
    Generated(String),
    /// A file of the data folder.
    Data(String),
    /// Those rows of a file of the data folder that have all their answers.
    Complete(String),
}

/// What a row asks for. Costs are those of the objective.
#[derive(Clone, Copy)]
enum Wanted {
    /// The cost times `parts` is `total`, and that is proved.
    Optimum { total: f64, parts: f64 },
    /// The cost times `parts` is at most `total`; no proof needed.
    Reached { total: f64, parts: f64 },
    /// Proved, whatever it is.
    Proved,
    /// A cost below and a bound above.
    Between { cost: f64, bound: f64 },
    /// Proved or at most this far above the bound.
    Gap(f64),
    /// Nothing: a table that only counts in the summary.
    Known,
}

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

const EXPECTED: &[&str] = &[];
const WORST: &[&str] = &["--objective", "worst"];
const OBJECTS: &[&str] = &["--identify", "objects"];
const OBJECTS_WORST: &[&str] = &["--identify", "objects", "--objective", "worst"];
const GROUPS: &[&str] = &["--identify", "groups"];
const GROUPS_WORST: &[&str] = &["--identify", "groups", "--objective", "worst"];
const CONFIRM: &[&str] = &["--confirm"];
const CONFIRM_5: &[&str] = &["--confirm", "--max-worst", "5"];
const ANY: &[&str] = &["--missing", "answer"];

/// Every line, the targets first.
fn rows(data: Option<&Path>) -> Result<Vec<Row>> {
    let mut rows = sorting();
    rows.extend(named());
    rows.extend(sparse());
    for file in data.map_or(Ok(Vec::new()), tables_of)? {
        let name = format!("all: {}", file.trim_end_matches(".csv"));
        rows.push(Row {
            name,
            source: Source::Data(file),
            options: ANY,
            wanted: Wanted::Known,
            within: 60.0,
        });
    }
    Ok(rows)
}

/// The fewest comparisons: the least sums of depths, and the least worst cases (OEIS A036604).
fn sorting() -> Vec<Row> {
    let known =
        [(5, 832.0, 120.0, 7.0, 1.0), (6, 6896.0, 720.0, 10.0, 5.0), (7, 62416.0, 5040.0, 13.0, 120.0)];
    let both = known.map(|(n, total, parts, worst, within)| {
        let row = |objective: &str, options, wanted| Row {
            name: format!("sorting {n}, {objective}"),
            source: Source::Generated(format!("sorting --n {n}")),
            options,
            wanted,
            within,
        };
        [
            row("expected", EXPECTED, Wanted::Optimum { total, parts }),
            row("worst", WORST, Wanted::Optimum { total: worst, parts: 1.0 }),
        ]
    });
    both.into_iter().flatten().collect()
}

/// Targets on tables with a name.
fn named() -> Vec<Row> {
    let row = |name: &str, source: Source, options, wanted, within| Row {
        name: name.to_owned(),
        source,
        options,
        wanted,
        within,
    };
    let data = |file: &str| Source::Data(file.to_owned());
    let mastermind = || Source::Generated("mastermind --pegs 4 --colors 6".to_owned());
    let optimum = |total, parts| Wanted::Optimum { total, parts };
    let reached = |total| Wanted::Reached { total, parts: 1296.0 };
    let between = |cost, bound| Wanted::Between { cost, bound };
    let disease = || data("disease-symptom-cases.csv");
    let circuit = || data("iscas-c432-passfail.csv");
    let votes = Source::Complete("house-votes.csv".to_owned());
    vec![
        row("zoo objects, expected", data("zoo.csv"), OBJECTS, optimum(492.0, 101.0), 0.2),
        row("zoo objects, worst", data("zoo.csv"), OBJECTS_WORST, optimum(6.0, 1.0), 0.2),
        row("zoo groups, expected", data("zoo.csv"), GROUPS, optimum(210.0, 101.0), 0.1),
        row("zoo groups, worst", data("zoo.csv"), GROUPS_WORST, optimum(4.0, 1.0), 0.1),
        row("mastermind 4×6, confirmed", mastermind(), CONFIRM, reached(5625.0), 60.0),
        row("mastermind 4×6, confirmed, worst ≤ 5", mastermind(), CONFIRM_5, reached(5626.0), 60.0),
        row("disease-symptom-cases objects, expected", disease(), OBJECTS, between(9.651, 7.33), 60.0),
        row("disease-symptom-cases groups, expected", disease(), GROUPS, between(6.751, 5.36), 60.0),
        row("disease-symptom-cases groups, worst", disease(), GROUPS_WORST, between(24.0, 17.0), 60.0),
        row("spect groups", data("spect.csv"), GROUPS, Wanted::Proved, 4.0),
        row("lymphography groups", data("lymphography.csv"), GROUPS, Wanted::Proved, 1.0),
        row("house-votes objects, complete rows", votes, OBJECTS, Wanted::Proved, 0.05),
        row("tic-tac-toe groups", data("tic-tac-toe.csv"), GROUPS, Wanted::Proved, 60.0),
        row("iscas-c432-passfail groups", circuit(), GROUPS, Wanted::Gap(0.15), 60.0),
        row("iscas-c432-passfail objects", circuit(), OBJECTS, Wanted::Gap(0.15), 60.0),
    ]
}

/// Random tables whose answers are 1 with probability 0.15.
fn sparse() -> Vec<Row> {
    let sizes = [(200, Wanted::Proved, 15.0), (300, Wanted::Gap(0.01), 60.0)];
    let row = |objects: u32, tests: u32, wanted, within| Row {
        name: format!("sparse {objects}×{tests}"),
        source: Source::Generated(format!(
            "random --objects {objects} --tests {tests} --density 0.15 --seed 1"
        )),
        options: OBJECTS,
        wanted,
        within,
    };
    let tests = [40, 60, 100];
    sizes
        .iter()
        .flat_map(|&(objects, wanted, within)| tests.map(|tests| row(objects, tests, wanted, within)))
        .collect()
}

/// The tables of a folder, by name: CSV files whose first column is `object`; what stands beside them is left out.
fn tables_of(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_table = name.strip_suffix(".csv").is_some_and(|stem| !stem.contains('.'));
        if is_table && fs::read(folder.join(&name))?.starts_with(b"object,") {
            files.push(name);
        }
    }
    files.sort();
    Ok(files)
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
        Row { name: "t".to_owned(), source, options: EXPECTED, wanted, within: 1.0 }
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
