//! How the time to grow a tree grows with the table, over three decades of objects and of tests.
//!
//! `cargo run --release -p fewest-bench --bin growth [-- --write]` prints a table in Markdown; `--write` puts it into
//! `docs/performance.md` and a plot into `docs/growth.svg`. Tables are random (β = 1, 20 groups, seed 1), trees are those of
//! `ggbs`, time is processor time of one thread. Every object is asked about in every level it reaches, so the work is
//! counted in answers looked at: objects × tests × levels, the levels being the tree's expected depth.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use fewest::{Goal, Instance, Limit, Reading, find_algorithm, trials};
use fewest_bench::{Result, Stopwatch};
use fewest_lab::generate::Beta;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// What varies from least to most, each step about three times the one before.
const STEPS: [u32; 7] = [1, 3, 10, 30, 100, 300, 1000];
/// Objects where these vary, and tests beside them.
const OBJECTS: (u32, u32) = (1000, 100);
/// Tests where these vary, and objects beside them.
const TESTS: (u32, u32) = (50, 2000);
/// A tree is grown until so much time is spent, and the mean counts.
const LEAST_SECONDS: f64 = 0.2;

/// One table and its tree.
struct Point {
    objects: usize,
    tests: usize,
    levels: f64,
    seconds: f64,
    /// Whether this is one of a row of growing numbers of objects; else of tests.
    of_objects: bool,
}

impl Point {
    /// Answers looked at.
    fn answers(&self) -> f64 {
        self.objects as f64 * self.tests as f64 * self.levels
    }
}

fn main() -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let by_objects = STEPS.map(|step| (OBJECTS.0 * step, OBJECTS.1, true));
    let by_tests = STEPS.map(|step| (TESTS.1, TESTS.0 * step, false));
    let mut points = Vec::new();
    for (objects, tests, of_objects) in by_objects.into_iter().chain(by_tests) {
        points.push(measure(objects, tests, of_objects)?);
    }
    let table = table(&points);
    println!("{table}");
    if std::env::args().any(|argument| argument == "--write") {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        fs::write(docs.join("growth.svg"), plot(&points))?;
        put(&docs.join("performance.md"), &table)?;
    }
    Ok(())
}

fn measure(objects: u32, tests: u32, of_objects: bool) -> Result<Point> {
    let table = Beta { objects, tests, groups: Some(20), seed: 1, ..Beta::default() }.generate()?;
    let (instance, _) = Instance::new(table, &Reading::default())?;
    let goal = Goal::default().with_algorithm(find_algorithm("ggbs"));
    let (watch, mut trees) = (Stopwatch::start()?, 0);
    loop {
        let built = trials(&instance, &goal, &Limit::none());
        trees += 1;
        let busy = watch.stop()?.busy_seconds;
        if busy >= LEAST_SECONDS {
            let levels = built.first().ok_or("nothing was built")?.costs.expected;
            let (objects, tests) = (instance.object_count(), instance.test_count());
            return Ok(Point { objects, tests, levels, seconds: busy / f64::from(trees), of_objects });
        }
    }
}

/// The exponent `e` with which seconds grow best like answers^e, by least squares of logarithms.
fn exponent<'a>(points: impl Iterator<Item = &'a Point> + Clone) -> f64 {
    let logs = points.map(|point| (point.answers().ln(), point.seconds.ln()));
    let count = logs.clone().count() as f64;
    let (x, y) = logs.clone().fold((0.0, 0.0), |(x, y), log| (x + log.0 / count, y + log.1 / count));
    let products = logs.clone().map(|log| (log.0 - x) * (log.1 - y)).sum::<f64>();
    products / logs.map(|log| (log.0 - x).powi(2)).sum::<f64>()
}

fn table(points: &[Point]) -> String {
    let mut text = "| objects | tests | levels | seconds | nanoseconds for 1,000 answers |\n".to_owned();
    text += "| --- | --- | --- | --- | --- |\n";
    for point in points {
        let each = point.seconds / point.answers() * 1e12;
        let Point { objects, tests, levels, seconds, .. } = point;
        _ = writeln!(text, "| {objects} | {tests} | {levels:.2} | {seconds:.5} | {each:.1} |");
    }
    let of = |of_objects: bool| exponent(points.iter().filter(move |point| point.of_objects == of_objects));
    _ = writeln!(
        text,
        "\nSeconds grow like answers to the power of {:.2} (objects), {:.2} (tests), {:.2} (all).",
        of(true),
        of(false),
        exponent(points.iter())
    );
    text
}

/// Puts `text` between the marks of a page.
fn put(page: &Path, text: &str) -> Result<()> {
    let (begin, end) = ("<!-- growth -->\n", "<!-- end of growth -->");
    let old = fs::read_to_string(page)?;
    let (before, rest) = old.split_once(begin).ok_or("no place for the table")?;
    let (_, after) = rest.split_once(end).ok_or("no end of the place for the table")?;
    Ok(fs::write(page, format!("{before}{begin}{text}{end}{after}"))?)
}

const STYLE: &str = "svg{background:#fff;font:12px system-ui,sans-serif}text{fill:#1b1b1b}.grid{stroke:#ddd}\
.line{stroke:#1b1b1b;stroke-width:1.5;stroke-dasharray:6 4}.point{fill:#0b5cad}.page{fill:#fff}\
@media(prefers-color-scheme:dark){svg{background:#16181c}text{fill:#ececec}.grid{stroke:#33373e}.line{stroke:#ececec}\
.point{fill:#7db8f5}.page{fill:#16181c}}";

/// Seconds against answers, both by decades: dots where objects vary, squares where tests do, and a dashed line on which
/// all would lie if time were proportional to answers.
fn plot(points: &[Point]) -> String {
    let x = Decades::over(points.iter().map(Point::answers), 70.0, 690.0);
    let y = Decades::over(points.iter().map(|point| point.seconds), 400.0, 50.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 460\" width=\"720\" height=\"460\" role=\"img\">\n\
         <title>Seconds to grow a tree against answers looked at</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"720\" height=\"460\"/>\n\
         <text x=\"70\" y=\"26\">Seconds to grow a tree (● objects vary, ■ tests vary; dashed: proportional)</text>\n\
         <text x=\"690\" y=\"445\" text-anchor=\"end\">answers looked at: objects × tests × levels</text>\n"
    );
    for decade in x.first..=x.last {
        let at = x.place(10f64.powi(decade));
        _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{at:.1} 50 V400\"/><text x=\"{at:.1}\" y=\"420\" text-anchor=\"middle\">1e{decade}</text>"
        );
    }
    for decade in y.first..=y.last {
        let at = y.place(10f64.powi(decade));
        _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M70 {at:.1} H690\"/><text x=\"62\" y=\"{:.1}\" text-anchor=\"end\">1e{decade}</text>",
            at + 4.0
        );
    }
    let mut rates: Vec<f64> = points.iter().map(|point| point.seconds / point.answers()).collect();
    rates.sort_by(f64::total_cmp);
    let rate = rates[rates.len() / 2];
    // The part of the line that lies in the frame.
    let low = 10f64.powi(x.first).max(10f64.powi(y.first) / rate);
    let high = 10f64.powi(x.last).min(10f64.powi(y.last) / rate);
    let ends = [low, high].map(|answers| format!("{:.1} {:.1}", x.place(answers), y.place(answers * rate)));
    _ = writeln!(svg, "<path class=\"line\" d=\"M{} L{}\"/>", ends[0], ends[1]);
    for point in points {
        let (x, y) = (x.place(point.answers()), y.place(point.seconds));
        _ = if point.of_objects {
            writeln!(svg, "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>")
        } else {
            writeln!(
                svg,
                "<rect class=\"point\" x=\"{:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\"/>",
                x - 4.5,
                y - 4.5
            )
        };
    }
    svg + "</svg>\n"
}

/// An axis of powers of ten.
struct Decades {
    first: i32,
    last: i32,
    start: f64,
    end: f64,
}

impl Decades {
    fn over(values: impl Iterator<Item = f64> + Clone, start: f64, end: f64) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let most = values.fold(0.0, f64::max).log10().ceil();
        Self { first: least as i32, last: most as i32, start, end }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.start + share * (self.end - self.start)
    }
}
