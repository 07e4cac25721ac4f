//! The targets: which table, which options, what is wanted, within how many seconds.

use fewest_bench::Result;
use std::fs;
use std::path::Path;

/// One line of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) options: &'static [&'static str],
    pub(crate) wanted: Wanted,
    pub(crate) within: f64,
}

/// Where a table comes from.
#[derive(Clone)]
pub(crate) enum Source {
    /// `fewest generate` with these words.
    Generated(String),
    /// A file of the data folder.
    Data(String),
    /// Those rows of a file of the data folder that have all their answers.
    Complete(String),
}

/// What a row asks for. Costs are those of the objective.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
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
pub(crate) fn rows(data: Option<&Path>) -> Result<Vec<Row>> {
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
